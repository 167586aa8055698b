// Carry `reduce_then_scan`: a bounded number of work-groups reduce ranges of neighbouring tiles; then each combines
// the totals before its own range and scans it (StreamScan figure 2, with the bounded grid of Breitbart, Euro-Par
// 2010 Workshops). 3N memory traffic, two launches, no work-group ever waits for another: right on every device.

/// The workspace holds, from run.totals_bytes on, one total per range; the last range needs none and gets no
/// work-group.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_reduce_ranges(CLSCAN_RUN_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_zone zone;
    const ulong count = CLSCAN_TAKE_COUNT(run.count);
    // The last range has no work-group here.
    const ulong tiles_per_range = CLSCAN_TILES_PER_RANGE(count, get_num_groups(0) + 1);
    const ulong first = get_group_id(0) * tiles_per_range;
#if CLSCAN_COUNT_BYTES > 0
    // Nobody asks for the total of the last range.
    if (first + tiles_per_range >= clscan_tiles(count))
        return;
#endif
    const clscan_sum total =
        clscan_reduce_tiles(&zone, CLSCAN_SOURCE(in, run.in_offset), count, first, first + tiles_per_range);

    if (get_local_id(0) == 0)
        totals[get_group_id(0)] = total;
}

/// The workspace is that of clscan_reduce_ranges().
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_ranges(CLSCAN_RUN_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_zone zone;
    ulong count = run.count;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    const ulong tiles_per_range = CLSCAN_TILES_PER_RANGE(count, get_num_groups(0));
    const uint range = (uint)get_group_id(0);
    const ulong tiles = clscan_tiles(count);
    const ulong first = range * tiles_per_range;
    clscan_prefix prefix = clscan_initial_prefix(&run, initial_at);

#if CLSCAN_COUNT_BYTES > 0
    if (first >= tiles) {
        if (get_global_id(0) == 0)
            clscan_store_total(run.flags, total_at + run.total_offset, prefix);
        return;
    }
#endif
    if (CLSCAN_ANYWAY(range > 0)) {
        const clscan_sum before = clscan_combine_totals(&zone, totals, range);

        if (range > 0)
            prefix = clscan_extend(prefix, before);
    }
    prefix = clscan_walk(&zone, CLSCAN_SOURCE(in, run.in_offset), CLSCAN_SINK(out, run.out_offset), count, first,
                         min(first + tiles_per_range, tiles), prefix, run.flags);
#if CLSCAN_COUNT_BYTES > 0
    const bool last = first + tiles_per_range >= tiles;
    if (last && get_local_id(0) == 0)
#else
    if (range == get_num_groups(0) - 1 && get_local_id(0) == 0)
#endif
        clscan_store_total(run.flags, total_at + run.total_offset, prefix);
}
