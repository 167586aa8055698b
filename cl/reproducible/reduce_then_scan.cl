// Carry `reduce_then_scan` in the reproducible order (reproducible/nodes.cl): ranges are 2^k tiles whose first one has
// a multiple of 2^k as its index, so the total of a range is a node. Indices count from the first element of the whole
// scan, of which the input may be a part: `before` tiles precede it. Its first range may then lack tiles at its begin,
// which are in the stack of the part before, and its last range some at its end.

// The first tile of a range, and the one behind its last.
CLSCAN_FUNCTION ulong clscan_range_begin(ulong range, ulong tiles_per_range, ulong before)
{
    return max(range * tiles_per_range, before);
}

CLSCAN_FUNCTION ulong clscan_range_end(ulong range, ulong tiles_per_range, ulong end)
{
    return min((range + 1) * tiles_per_range, end);
}

#if CLSCAN_COUNT_BYTES > 0
/// Tiles of a range where at most `most` work-groups share the tiles of `count` elements behind the first `before`; as
/// in src/engine/geometry.c, for no more elements than there are enough work-groups.
///
/// ranges  receives how many there are, at least 1
CLSCAN_FUNCTION ulong clscan_share_ranges(ulong count, ulong before, ulong most, ulong *ranges)
{
    const ulong tiles = clscan_tiles(count);
    ulong tiles_per_range = clscan_share_tiles(count, most);

    // What is cut off at the begin of the first range may take one range more.
    while (before % tiles_per_range + tiles > most * tiles_per_range)
        tiles_per_range *= 2;
    *ranges = max((before % tiles_per_range + tiles + tiles_per_range - 1) / tiles_per_range, 1ul);
    return tiles_per_range;
}
#endif

/// run.tiles_per_range is a power of two. The workspace holds, from run.totals_bytes on, a copy of what is in stack_at,
/// CLSCAN_MOST_NODES sums, and the total of every range but the last, which gets no work-group.
///
/// stack_at  [run.stack_offset] the nodes of the stack of run.before
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_reduce_ranges(CLSCAN_RUN_PARAMETERS, __global clscan_sum *stack_at)
{
    __global clscan_sum *copy = (__global clscan_sum *)(workspace + run.totals_bytes);
    __global clscan_sum *totals = copy + CLSCAN_MOST_NODES;
    __local clscan_zone zone;
    __local clscan_stack stack;
    const ulong before = run.before;
    ulong count = run.count, tiles_per_range = run.tiles_per_range;

    count = CLSCAN_TAKE_COUNT(count);
#if CLSCAN_COUNT_BYTES > 0
    ulong ranges;

    tiles_per_range = clscan_share_ranges(count, before, get_num_groups(0) + 1, &ranges);
    // Nobody asks for the total of the last range.
    if (get_group_id(0) + 1 >= ranges)
        return;
#endif
    const ulong range = before / tiles_per_range + get_group_id(0);
    const ulong begin = clscan_range_begin(range, tiles_per_range, before);
    const ulong end = (range + 1) * tiles_per_range;
    const uint depth = (uint)popcount(before), outside = (uint)popcount(before / tiles_per_range);
    const bool leader = get_local_id(0) == 0;

    if (leader && get_group_id(0) == 0) {
        for (uint i = 0; i < depth; ++i)
            copy[i] = stack_at[run.stack_offset + i];
        clscan_stack_load(&stack, clscan_nothing(), stack_at + run.stack_offset + outside, depth - outside);
    }
    for (ulong tile = begin; CLSCAN_TOGETHER(tile < end); ++tile) {
        clscan_tile loaded;
        const clscan_sum total =
            clscan_tile_total(&loaded, &zone, CLSCAN_CURSOR(in + run.in_offset, count, (tile - before) * CLSCAN_TILE),
                              CLSCAN_TILE);
        if (leader)
            clscan_stack_push(&stack, clscan_nothing(), tile % tiles_per_range, total);
        // The next tile overwrites the zone that slower work-items still read.
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (leader)
        totals[get_group_id(0)] = stack.nodes[0];
}

/// As for clscan_reduce_ranges(), except:
/// stack_at  read if there was no launch before, whose copy is read otherwise; with CLSCAN_FLAG_STACK written
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_ranges(CLSCAN_RUN_PARAMETERS, __global clscan_sum *stack_at)
{
    __global clscan_sum *copy = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_zone zone;
    __local clscan_stack stack;
    __local clscan_window window;
    const ulong before = run.before;
    ulong count = run.count, tiles_per_range = run.tiles_per_range, ranges = get_num_groups(0);

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
#if CLSCAN_COUNT_BYTES > 0
    tiles_per_range = clscan_share_ranges(count, before, ranges, &ranges);
    if (get_group_id(0) >= ranges)
        return;
#endif
    const ulong end = before + clscan_tiles(count), first_range = before / tiles_per_range;
    const ulong range = first_range + get_group_id(0);
    const ulong range_begin = clscan_range_begin(range, tiles_per_range, before);
    const ulong range_end = clscan_range_end(range, tiles_per_range, end);
    const clscan_prefix start = clscan_initial_prefix(&run, initial_at);
    const bool leader = get_local_id(0) == 0, last = get_group_id(0) == ranges - 1;
    clscan_prefix prefix;
    clscan_tile loaded;
    uint valid = 0;

    if (leader)
        // The nodes inside the first range are in its own total, for all but the first work-group.
        clscan_stack_load(&stack, start, ranges > 1 ? copy : stack_at + run.stack_offset,
                          (uint)popcount(get_group_id(0) == 0 ? before : first_range));
    clscan_stack_advance(&stack, &window, zone.scratch, start, first_range, range, copy + CLSCAN_MOST_NODES);
    for (ulong tile = range_begin; CLSCAN_TOGETHER(tile < range_end); ++tile) {
        const ulong k = (tile - before) * CLSCAN_TILE;
        clscan_sum total;

        valid = clscan_valid(count, tile - before);
        prefix = clscan_stack_prefix(&stack, start, tile);
        total = clscan_tile_total(&loaded, &zone, CLSCAN_CURSOR(in + run.in_offset, count, k), valid);
        clscan_tile_finish(&loaded, &zone, CLSCAN_CURSOR(out + run.out_offset, count, k), valid, prefix,
                           CLSCAN_STREAMS(run.flags));
        // Slower work-items still read the stack and the zone.
        barrier(CLK_LOCAL_MEM_FENCE);
        if (leader && valid == CLSCAN_TILE)
            clscan_stack_push(&stack, start, tile, total);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (last) {
        prefix = clscan_stack_prefix(&stack, start, end);
        if (valid % CLSCAN_TILE > 0)
            prefix = clscan_tile_end(&loaded, &zone, valid, clscan_stack_prefix(&stack, start, end - 1));
        if (leader)
            clscan_store_total(run.flags, total_at + run.total_offset, prefix);
        if (leader && (run.flags & CLSCAN_FLAG_STACK))
            clscan_stack_store(&stack, stack_at + run.stack_offset, end);
    }
}
