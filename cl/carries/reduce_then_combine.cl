// Carry `reduce_then_combine`: a bounded number of work-groups reduce ranges of neighbouring tiles, then one work-group
// combines what they left. N memory traffic, two launches, one if there is one range; no work-group ever waits for
// another, and nothing is asked of the device: right on every one.

/// in           [count]  elements
/// initial               as for clscan_single()
/// total_at              receives the value
/// workspace             holds the totals of ranges from totals_bytes on
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_reduce_ranges(__global const clscan_in *in, ulong in_offset, ulong count, uint flags,
                          clscan_initial initial, __global const CLSCAN_A *initial_at, ulong initial_offset,
                          __global CLSCAN_A *total_at, ulong total_offset, ulong tiles_per_range,
                          __global uchar *workspace, ulong totals_bytes CLSCAN_COUNT_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + totals_bytes);
    __local clscan_room room;
#if CLSCAN_COUNT_BYTES > 0
    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    tiles_per_range = clscan_share_tiles(count, get_num_groups(0));
    if (get_group_id(0) >= max(CLSCAN_FILLED_RANGES((uint)get_num_groups(0)), 1u))
        return;
#endif

    clscan_range_reduce(&room, CLSCAN_SOURCE(in, in_offset), count, tiles_per_range, get_group_id(0), totals);
    if (get_num_groups(0) == 1) {
        clscan_prefix value;

        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        value = clscan_ranges_combine(&room, CLSCAN_SOURCE(in, in_offset), count, tiles_per_range,
                                      CLSCAN_FILLED_RANGES(1), totals,
                                      clscan_initial_prefix(flags, initial, initial_at + initial_offset));
        if (get_local_id(0) == 0)
            clscan_store_total(flags, total_at + total_offset, value);
    }
}

/// One work-group. Arguments as for clscan_reduce_ranges(), which `ranges` work-groups ran.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_reduce_totals(__global const clscan_in *in, ulong in_offset, ulong count, uint flags,
                          clscan_initial initial, __global const CLSCAN_A *initial_at, ulong initial_offset,
                          __global CLSCAN_A *total_at, ulong total_offset, ulong tiles_per_range,
                          __global uchar *workspace, ulong totals_bytes, ulong ranges
                              CLSCAN_COUNT_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + totals_bytes);
    __local clscan_room room;
#if CLSCAN_COUNT_BYTES > 0
    count = CLSCAN_TAKE_COUNT(count);
    tiles_per_range = clscan_share_tiles(count, ranges);
#endif
    const clscan_prefix value =
        clscan_ranges_combine(&room, CLSCAN_SOURCE(in, in_offset), count, tiles_per_range,
                              CLSCAN_FILLED_RANGES((uint)ranges), totals,
                              clscan_initial_prefix(flags, initial, initial_at + initial_offset));

    if (get_local_id(0) == 0)
        clscan_store_total(flags, total_at + total_offset, value);
}
