// Carry `reduce_then_combine`: a bounded number of work-groups reduce ranges of neighbouring tiles, then one work-group
// combines what they left. N memory traffic, two launches, one if there is one range; no work-group ever waits for
// another, and nothing is asked of the device: right on every one.

/// The workspace holds the totals of ranges, from run.totals_bytes on.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_reduce_ranges(CLSCAN_RUN_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_room room;
    ulong count = run.count;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    const ulong tiles_per_range = CLSCAN_TILES_PER_RANGE(count, get_num_groups(0));
#if CLSCAN_COUNT_BYTES > 0
    if (get_group_id(0) >= max(CLSCAN_FILLED_RANGES((uint)get_num_groups(0)), 1u))
        return;
#endif

    clscan_range_reduce(&room, CLSCAN_SOURCE(in, run.in_offset), count, tiles_per_range, get_group_id(0), totals);
    if (get_num_groups(0) == 1) {
        clscan_prefix value;

        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        value = clscan_ranges_combine(&room, CLSCAN_SOURCE(in, run.in_offset), count, tiles_per_range,
                                      CLSCAN_FILLED_RANGES(1), totals,
                                      clscan_initial_prefix(&run, initial_at));
        if (get_local_id(0) == 0)
            clscan_store_total(run.flags, total_at + run.total_offset, value);
    }
}

/// One work-group, behind clscan_reduce_ranges(), which run.ranges work-groups ran.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_reduce_totals(CLSCAN_RUN_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_room room;
    const ulong count = CLSCAN_TAKE_COUNT(run.count);
    const ulong tiles_per_range = CLSCAN_TILES_PER_RANGE(count, run.ranges);
    const clscan_prefix value =
        clscan_ranges_combine(&room, CLSCAN_SOURCE(in, run.in_offset), count, tiles_per_range,
                              CLSCAN_FILLED_RANGES((uint)run.ranges), totals,
                              clscan_initial_prefix(&run, initial_at));

    if (get_local_id(0) == 0)
        clscan_store_total(run.flags, total_at + run.total_offset, value);
}
