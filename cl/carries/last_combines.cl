// Carry `last_combines`: a bounded number of work-groups reduce ranges of neighbouring tiles, and draw a ticket each
// behind that. Who draws the last one comes after all others, and combines what they left, in order. N memory traffic,
// one launch. No work-group waits for another, so nothing is asked of the device but a fence at device scope: the
// totals that a work-group left are there for whoever draws a later ticket.
#if !CLSCAN_HAS_DEVICE_FENCE
#error "carry last_combines needs a fence at device scope"
#endif

/// As clscan_reduce_ranges() of carry `reduce_then_combine`; the workspace holds the draw word, too, which the last
/// work-group leaves as the next run needs it.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_reduce(CLSCAN_RUN_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_room room;
    __local uint drawn[1]; // handed over by item 0 across a barrier
    ulong count = run.count;
    uint ranges = (uint)get_num_groups(0);

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    const ulong tiles_per_range = CLSCAN_TILES_PER_RANGE(count, ranges);
#if CLSCAN_COUNT_BYTES > 0
    // Those without elements leave, but for one that says what no elements make.
    ranges = max(CLSCAN_FILLED_RANGES(ranges), 1u);
    if (get_group_id(0) >= ranges)
        return;
#endif

    clscan_range_reduce(&room, CLSCAN_SOURCE(in, run.in_offset), count, tiles_per_range, get_group_id(0), totals);
    // The item that wrote what is left.
    if (get_local_id(0) == 0) {
        uint ticket = 0, epoch;

        // One alone has nobody to come after: drawing takes as long as reading a small input.
        if (ranges > 1) {
            clscan_device_fence();
            clscan_draw((__global clscan_word *)(workspace + run.control_bytes), 0, ranges, &ticket, &epoch);
            clscan_device_fence();
        }
        drawn[0] = ticket;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (drawn[0] == ranges - 1) {
        const clscan_prefix value =
            clscan_ranges_combine(&room, CLSCAN_SOURCE(in, run.in_offset), count, tiles_per_range,
                                  CLSCAN_FILLED_RANGES(ranges), totals,
                                  clscan_initial_prefix(&run, initial_at));
        if (get_local_id(0) == 0)
            clscan_store_total(run.flags, total_at + run.total_offset, value);
    }
}
