// Rows whose totals are wanted and nothing else: each element is read once. Where rows are too few to fill the device,
// the totals of their ranges come first, by clscan_reduce_long_rows(). No work-group ever waits for another.

/// Arguments as for clscan_scan_long_rows(), where they have the same names; count may be 0.
/// ranges  1, or those of each row that were reduced: all
/// A work-group takes a row, or several where there are fewer work-groups than rows.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_total_rows(__global const clscan_in *in, ulong in_offset, ulong count, uint flags, clscan_initial initial,
                       __global const CLSCAN_A *initial_at, ulong initial_offset, __global CLSCAN_A *total_at,
                       ulong total_offset, ulong rows, ulong in_pitch, ulong initial_pitch, ulong ranges,
                       __global uchar *workspace, ulong totals_bytes CLSCAN_COUNT_PARAMETERS CLSCAN_ROW_COUNT_PARAMETERS
                           CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + totals_bytes);
    __local clscan_zone zone;
#if CLSCAN_COUNT_BYTES > 0
    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    const ulong filled = clscan_shared_ranges(count, clscan_share_tiles(count, ranges));
#else
    const ulong filled = ranges;
#endif
    rows = CLSCAN_TAKE_AND_REPORT_ROWS(rows);
    const clscan_initials initials =
        clscan_initials_take(flags, initial, initial_at + initial_offset, initial_pitch);

    for (ulong row = get_group_id(0); row < rows; row += get_num_groups(0)) {
        clscan_prefix prefix = clscan_initial_of(initials, row);

        if (ranges > 1 && filled > 0)
            prefix = clscan_extend(prefix, clscan_combine_totals(&zone, totals + row * ranges, (uint)filled));
        else if (count > 0)
            prefix = clscan_extend(prefix, clscan_reduce_tiles(&zone, CLSCAN_SOURCE(in, in_offset + row * in_pitch),
                                                               count, 0, clscan_tiles(count)));
        if (get_local_id(0) == 0)
            clscan_store_total(flags, total_at + total_offset + row, prefix);
    }
}
