// Operation select: where what is kept stands, for launches behind the selection itself. They read its number where the
// selection has left it, in device memory.

// Places of what is kept: `start` .. `total` - 1, those before `end` in memory.
typedef struct clscan_kept {
    ulong start, end, total;
} clscan_kept;

CLSCAN_FUNCTION clscan_kept clscan_kept_of(const clscan_run *run, __global const CLSCAN_A *initial_at,
                                           __global const CLSCAN_A *total_at)
{
    const clscan_prefix prefix = clscan_initial_prefix(run, initial_at);
    clscan_kept kept;

    kept.start = prefix.present ? prefix.value : 0;
    kept.total = total_at[run->total_offset];
    kept.end = min(kept.total, run->capacity);
    return kept;
}

CLSCAN_FUNCTION ulong clscan_units(ulong elements, ulong unit)
{
    return elements / unit + (elements % unit != 0);
}
