// Where the totals of rows go: side by side, or further apart, as behind the outputs of each row.

typedef struct clscan_row_totals {
    __global CLSCAN_A *at; // that of the first row
    ulong pitch;           // from that of a row to that of the next
    ulong first;           // the row that is number 0
} clscan_row_totals;

/// Take them from the arguments of a kernel.
CLSCAN_FUNCTION clscan_row_totals clscan_row_totals_take(const clscan_run *run, __global CLSCAN_A *total_at,
                                                         ulong pitch)
{
    clscan_row_totals totals;
    totals.at = total_at + run->total_offset;
    totals.pitch = pitch;
    totals.first = 0;
    return totals;
}

/// The same from row `row` on. Where there is one work-item, it may walk the rows, and pitches add up. Others multiply
/// where they store a total, which takes fewer registers.
CLSCAN_FUNCTION clscan_row_totals clscan_row_totals_from(clscan_row_totals totals, ulong row)
{
#if CLSCAN_WORK_GROUP_SIZE == 1
    totals.at += row * totals.pitch;
#else
    totals.first += row;
#endif
    return totals;
}

/// Leave the total of row `row`, if they are wanted.
CLSCAN_FUNCTION void clscan_store_row_total(uint flags, clscan_row_totals totals, ulong row, clscan_prefix prefix)
{
    clscan_store_total(flags, totals.at + (totals.first + row) * totals.pitch, prefix);
}
