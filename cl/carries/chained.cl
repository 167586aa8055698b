// The kernel of the carries `adjacent` and `lookback`, whose files give clscan_decision and clscan_settle().

/// The workspace holds, from run.control_bytes on, the draw word (epoch and next ticket), then the report's counters;
/// from run.words_bytes on, CLSCAN_WORDS_OF(ranges) words.
#ifndef CLSCAN_DRAWS_NEXT
// For orders that give a work-group one range.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_waiting(CLSCAN_RUN_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_word *draw_word = (__global clscan_word *)(workspace + run.control_bytes);
    __local clscan_zone zone;
    __local clscan_decision decision;
    const bool leader = get_local_id(0) == 0;
    clscan_chain chain;
    clscan_tile tile;
    clscan_sum total = CLSCAN_NO_SUM;
    clscan_prefix prefix;
    ulong count = run.count;
    uint own;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    const clscan_source source = CLSCAN_SOURCE(in, run.in_offset);
    const clscan_sink sink = CLSCAN_SINK(out, run.out_offset);
    clscan_chain_begin(&chain, &run, initial_at, workspace, CLSCAN_LAUNCHED_RANGES(count));

#if CLSCAN_COUNT_BYTES > 0
    // As many draw as there are ranges. Of no elements one does, so that the next run has another epoch.
    if (get_group_id(0) >= chain.ranges) {
        if (get_global_id(0) == 0) {
            clscan_take_range(&decision.turn, draw_word, run.epoch, 1);
            clscan_store_total(run.flags, total_at + run.total_offset, chain.initial);
        }
        return;
    }
#endif
    if (leader)
        clscan_take_range(&decision.turn, draw_word, run.epoch, chain.ranges);
    barrier(CLK_LOCAL_MEM_FENCE);
    own = decision.turn.own;
    prefix = clscan_settle(&chain, &tile, &zone, &decision, source, count, own, false, &total);
    clscan_range_finish(&tile, &zone, source, sink, count, own, prefix, run.flags);
    if (leader && own == chain.ranges - 1)
        clscan_store_total(run.flags, total_at + run.total_offset, clscan_extend(prefix, total));
}
#else
// For orders whose work-groups are few and go from range to range, so that what a work-group costs to start is paid
// once. Each range is published before the next one is drawn. Where the tile body can, the next range is drawn before
// this one is scanned, and loaded meanwhile (CLSCAN_LOADS_EARLY).

// Item 0: the next range; see clscan_draw_next() of the orders.
CLSCAN_FUNCTION void clscan_take_next(__local clscan_turn *turn, __global clscan_word *draw_word, uint ranges,
                                      uint *stride)
{
    uint own = turn->own;

    clscan_draw_next(draw_word, ranges, &own, stride);
    turn->own = own;
}

__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_waiting(CLSCAN_RUN_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_word *draw_word = (__global clscan_word *)(workspace + run.control_bytes);
    __local clscan_zone zone;
    __local clscan_decision decision;
    const bool leader = get_local_id(0) == 0;
    clscan_chain chain;
    clscan_tile tile;
    clscan_sum total = CLSCAN_NO_SUM;
    bool loaded = false;
    ulong count = run.count;
    uint own, stride = 0;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    const clscan_source source = CLSCAN_SOURCE(in, run.in_offset);
    const clscan_sink sink = CLSCAN_SINK(out, run.out_offset);
    clscan_chain_begin(&chain, &run, initial_at, workspace, clscan_ranges(count));

#if CLSCAN_COUNT_BYTES > 0
    if (get_group_id(0) >= CLSCAN_WORKERS(chain.ranges))
        return;
#endif
    if (leader)
        clscan_take_range(&decision.turn, draw_word, run.epoch, chain.ranges);
    barrier(CLK_LOCAL_MEM_FENCE);
    own = decision.turn.own;
#if CLSCAN_COUNT_BYTES > 0
    if (count == 0 && get_global_id(0) == 0)
        clscan_store_total(run.flags, total_at + run.total_offset, chain.initial);
#endif
    while (CLSCAN_TOGETHER(own < chain.ranges)) {
        const clscan_prefix prefix =
            clscan_settle(&chain, &tile, &zone, &decision, source, count, own, loaded, &total);
        uint next;

        if (leader && own == chain.ranges - 1)
            clscan_store_total(run.flags, total_at + run.total_offset, clscan_extend(prefix, total));
#if !CLSCAN_LOADS_EARLY
        clscan_range_finish(&tile, &zone, source, sink, count, own, prefix, run.flags);
#endif
        // Slower work-items still read the decision and the zone.
        barrier(CLK_LOCAL_MEM_FENCE);
        if (leader)
            clscan_take_next(&decision.turn, draw_word, chain.ranges, &stride);
        barrier(CLK_LOCAL_MEM_FENCE);
        next = decision.turn.own;
#if CLSCAN_LOADS_EARLY
        loaded = next < chain.ranges;
        if (loaded)
            total = clscan_tile_finish_and_total(
                &tile, &zone, CLSCAN_CURSOR(sink, count, (ulong)own * CLSCAN_TILE), prefix, CLSCAN_STREAMS(run.flags),
                CLSCAN_CURSOR(source, count, (ulong)next * CLSCAN_TILE), clscan_valid(count, next));
        else
            clscan_range_finish(&tile, &zone, source, sink, count, own, prefix, run.flags);
#endif
        own = next;
    }
}
#endif
