// Carry `scan_then_add`: a bounded number of work-groups scan ranges of neighbouring tiles on their own; a second
// launch adds to each range what precedes it (StreamScan figure 1). 4N memory traffic: the textbook baseline.
// Partial results stand in the output meanwhile, so an element type narrower than its accumulator is refused.
#if !CLSCAN_PLAIN
#error "scan_then_add is for plain problems"
#endif

/// The workspace is that of reduce_then_scan. Range 0 has the initial value; totals[g] includes it.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_ranges(CLSCAN_RUN_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_zone zone;
    ulong count = run.count;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    const ulong tiles_per_range = CLSCAN_TILES_PER_RANGE(count, get_num_groups(0));
    const uint range = (uint)get_group_id(0);
    const ulong tiles = clscan_tiles(count);
    const ulong first = range * tiles_per_range;
    clscan_prefix prefix = range == 0 ? clscan_initial_prefix(&run, initial_at) : clscan_nothing();

#if CLSCAN_COUNT_BYTES > 0
    if (first >= tiles) {
        if (get_global_id(0) == 0)
            clscan_store_total(run.flags, total_at + run.total_offset, prefix);
        return;
    }
#endif
    prefix = clscan_walk(&zone, in + run.in_offset, out + run.out_offset, count, first,
                         min(first + tiles_per_range, tiles), prefix, run.flags);
    if (get_local_id(0) == 0) {
        totals[range] = prefix.value;
#if CLSCAN_COUNT_BYTES > 0
        if (tiles <= tiles_per_range)
#else
        if (get_num_groups(0) == 1)
#endif
            clscan_store_total(run.flags, total_at + run.total_offset, prefix);
    }
}

/// Work-group g adds to range g + 1, in place.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_add_ranges(CLSCAN_RUN_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_zone zone;
    const ulong count = CLSCAN_TAKE_COUNT(run.count);
    // Range 0 has no work-group here.
    const ulong tiles_per_range = CLSCAN_TILES_PER_RANGE(count, get_num_groups(0) + 1);
    const uint range = (uint)get_group_id(0) + 1;
    const ulong first = range * tiles_per_range * CLSCAN_TILE;
    // With a count on the device there may be none. It does not return here: PoCL 3.1 made code that faults of that.
    const bool exists = first < count;
    const ulong end = exists ? min(first + tiles_per_range * CLSCAN_TILE, count) : first;
    clscan_sink cursor = CLSCAN_CURSOR(out + run.out_offset, count, first);
    clscan_prefix prefix;

    prefix.value = clscan_combine_totals(&zone, totals, exists ? range : 1);
    prefix.present = true;
    for (ulong k = get_local_id(0); k < end - first; k += CLSCAN_WORK_GROUP_SIZE) {
        clscan_sink at = CLSCAN_AT(cursor, k);
#if CLSCAN_INCLUSIVE
        *at = clscan_join(prefix.value, *at);
#else
        *at = k == 0 ? prefix.value : clscan_join(prefix.value, *at);
#endif
    }
#if CLSCAN_COUNT_BYTES > 0
    if (exists && end == count && get_local_id(0) == 0)
#else
    if (get_group_id(0) == get_num_groups(0) - 1 && get_local_id(0) == 0)
#endif
        clscan_store_total(run.flags, total_at + run.total_offset, clscan_extend(prefix, totals[range]));
}
