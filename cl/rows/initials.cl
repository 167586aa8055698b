// The initial values of rows: one for all of them, or one for each.

typedef struct clscan_initials {
    clscan_prefix first;
    __global const CLSCAN_A *at; // that of the first row
    ulong pitch;                 // from that of a row to that of the next; 0: the first one is that of all rows
} clscan_initials;

/// Take them from the arguments of a kernel; the pitch is 0 unless they stand in a buffer.
CLSCAN_FUNCTION clscan_initials clscan_initials_take(const clscan_run *run, __global const CLSCAN_A *initial_at,
                                                     ulong pitch)
{
    clscan_initials initials;
    initials.first = clscan_initial_prefix(run, initial_at);
    initials.at = initial_at + run->initial_offset;
    initials.pitch = pitch;
    return initials;
}

/// What precedes row `row`.
CLSCAN_FUNCTION clscan_prefix clscan_initial_of(clscan_initials initials, ulong row)
{
    clscan_prefix prefix = initials.first;
    if (initials.pitch > 0)
        prefix.value = initials.at[row * initials.pitch];
    return prefix;
}

/// The same from row `row` on.
CLSCAN_FUNCTION clscan_initials clscan_initials_from(clscan_initials initials, ulong row)
{
    initials.first = clscan_initial_of(initials, row);
    initials.at += row * initials.pitch;
    return initials;
}
