// Reductions in the reproducible order (reproducible/nodes.cl), as carries/reduce_ranges.cl has them in any: the bits
// are those of the total of a scan. Ranges are 2^k tiles, so the total of each but the last is a node. Of the last one
// the nodes of its whole tiles are left, and a tile that is cut is left to the end, where it is known what precedes it.

typedef struct clscan_room {
    clscan_zone zone;
    clscan_stack stack;
    clscan_window window;
} clscan_room;

/// Leave the node of a range behind the first CLSCAN_MOST_NODES places of `nodes`, or of the last range, in these
/// places, what its whole tiles have. Parameters as in carries/reduce_ranges.cl.
CLSCAN_FUNCTION void clscan_range_reduce(__local clscan_room *room, clscan_source in, ulong count,
                                         ulong tiles_per_range, ulong range, __global clscan_sum *nodes)
{
    const uint ranges = CLSCAN_FILLED_RANGES((uint)get_num_groups(0));
    const ulong first = range * tiles_per_range;
    const ulong end = min(first + tiles_per_range, count / CLSCAN_TILE);
    const bool leader = get_local_id(0) == 0;

    for (ulong tile = first; CLSCAN_TOGETHER(tile < end); ++tile) {
        clscan_tile loaded;
        const clscan_sum total = clscan_tile_total(&loaded, &room->zone,
                                                   CLSCAN_CURSOR(in, count, tile * CLSCAN_TILE), CLSCAN_TILE);
        if (leader)
            clscan_stack_push(&room->stack, clscan_nothing(), tile - first, total);
        // The next tile overwrites the zone that slower work-items still read.
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (leader && range == ranges - 1)
        clscan_stack_store(&room->stack, nodes, end - first);
    else if (leader && range < ranges)
        nodes[CLSCAN_MOST_NODES + range] = room->stack.nodes[0];
}

/// What all elements make of `start`, to every work-item.
CLSCAN_FUNCTION clscan_prefix clscan_ranges_combine(__local clscan_room *room, clscan_source in, ulong count,
                                                    ulong tiles_per_range, uint ranges,
                                                    __global const clscan_sum *nodes, clscan_prefix start)
{
    const ulong before = ranges - 1, whole = count / CLSCAN_TILE;
    const ulong inner = whole - before * tiles_per_range;
    const uint rest = (uint)(count % CLSCAN_TILE);
    clscan_prefix prefix;

    clscan_stack_advance(&room->stack, &room->window, room->zone.scratch, start, 0, before, nodes + CLSCAN_MOST_NODES);
    if (get_local_id(0) == 0) {
        if (inner == tiles_per_range)
            clscan_stack_push(&room->stack, start, before, nodes[0]);
        else
            for (uint i = 0; i < (uint)popcount(inner); ++i)
                clscan_stack_set(&room->stack, start, (uint)popcount(before) + i, nodes[i]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    prefix = clscan_stack_prefix(&room->stack, start, whole);
    if (rest > 0) {
        clscan_tile loaded;
        (void)clscan_tile_total(&loaded, &room->zone, CLSCAN_CURSOR(in, count, whole * CLSCAN_TILE), rest);
        barrier(CLK_LOCAL_MEM_FENCE);
        prefix = clscan_tile_end(&loaded, &room->zone, rest, prefix);
    }
    return prefix;
}
