// Rows whose totals are wanted and nothing else: each element is read once. Where rows are too few to fill the device,
// the totals of their ranges come first, by clscan_reduce_long_rows(). No work-group ever waits for another.

/// Rows may have no elements. run.ranges is 1, or all ranges of each row were reduced. A work-group takes a row, or
/// several where there are fewer work-groups than rows.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_total_rows(CLSCAN_RUN_PARAMETERS CLSCAN_ROWS_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_zone zone;
    const ulong ranges = run.ranges;
    ulong count = run.count;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
#if CLSCAN_COUNT_BYTES > 0
    const ulong filled = clscan_shared_ranges(count, clscan_share_tiles(count, ranges));
#else
    const ulong filled = ranges;
#endif
    const ulong row_count = CLSCAN_TAKE_AND_REPORT_ROWS(rows.count);
    const clscan_initials initials = clscan_initials_take(&run, initial_at, rows.initial_pitch);

    for (ulong row = get_group_id(0); row < row_count; row += get_num_groups(0)) {
        clscan_prefix prefix = clscan_initial_of(initials, row);

        if (ranges > 1 && filled > 0)
            prefix = clscan_extend(prefix, clscan_combine_totals(&zone, totals + row * ranges, (uint)filled));
        else if (count > 0)
            prefix = clscan_extend(prefix,
                                   clscan_reduce_tiles(&zone, CLSCAN_SOURCE(in, run.in_offset + row * rows.in_pitch),
                                                       count, 0, clscan_tiles(count)));
        if (get_local_id(0) == 0)
            clscan_store_row_total(run.flags, clscan_row_totals_take(&run, total_at, rows.total_pitch), row, prefix);
    }
}
