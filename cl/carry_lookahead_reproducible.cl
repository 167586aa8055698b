// Carry `lookahead` in the reproducible order (blocks.cl): as in carry_lookahead_persistent.cl every tile publishes its own total,
// here a node, a tile ahead of its scan. What precedes a tile is a stack of nodes, and all totals since the
// work-group's previous tile go into it a window at a time: a window begins at a multiple of its size, so the nodes
// inside are those of the tree, whoever takes which tile. Waits are bounded and completed as there; a recomputed
// total has the same bits.

// The blocks of this tile, of the next one, and of the one before, which slower work-items still read.
#define CLSCAN_NODE_SETS 3

// What work-items hand each other in local memory, each across a barrier.
typedef struct clscan_board {
    clscan_notice notice;
    clscan_stack stack; // of the tiles before the first that was not looked at
    CLSCAN_A window[CLSCAN_WORK_GROUP_SIZE];
    CLSCAN_A nodes[CLSCAN_NODE_SETS][CLSCAN_TILE_BLOCKS];
} clscan_board;

/// Go on from tile `from` to `own` by what is published. Passes at least one barrier.
///
/// before    tiles of the whole scan before the first of the input
/// stand_in  a value that may be combined where none was published
/// returns   the tile at which the stack stands: `own`, unless a wait was spent
CLSCAN_FUNCTION uint clscan_look_ahead(const clscan_chain *chain, __local clscan_board *board, clscan_word tag,
                                       ulong before, uint from, uint own, CLSCAN_A stand_in)
{
    const uint lid = (uint)get_local_id(0);
    bool spent = false;

    barrier(CLK_LOCAL_MEM_FENCE);
    while (from < own && !spent) {
        const ulong at = before + from;
        const uint inside = (uint)at % CLSCAN_WORK_GROUP_SIZE;
        const uint end = inside + min(own - from, CLSCAN_WORK_GROUP_SIZE - inside);

        if (lid == 0)
            clscan_window_fill(board->window, &board->stack, at);
        if (lid >= inside && lid < end) {
            CLSCAN_A value;
            if (!clscan_await(chain, from + lid - inside, tag, &value)) {
                value = stand_in;
                board->notice.spent = 1;
            }
            board->window[lid] = value;
        }
        clscan_nodes_sweep(board->window, CLSCAN_WORK_GROUP_SIZE, inside, end);
        spent = board->notice.spent != 0;
        if (lid == 0 && !spent)
            clscan_window_leave(board->window, &board->stack, chain->initial, at - inside, end);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!spent)
            from += end - inside;
    }
    return from;
}

/// The same, one tile after the other, recomputing what is not there. The nodes of the board stay as they are.
CLSCAN_FUNCTION void clscan_recompute(const clscan_chain *chain, __local clscan_board *board,
                                      __local clscan_zone *zone, clscan_word tag, __global const CLSCAN_T *in,
                                      ulong count, ulong before, uint from, uint own)
{
    const bool leader = get_local_id(0) == 0;

    for (uint tile = from; tile < own; ++tile) {
        const CLSCAN_A total = clscan_total_anyway(chain, &board->notice, zone, tag, in, count, 0, tile);
        if (leader)
            clscan_stack_push(&board->stack, chain->initial, before + tile, total);
    }
    clscan_forgive(&board->notice);
}

/// Bring the stack from tile `from` to `own`, whatever it takes, and return what precedes `own`.
///
/// drawn  receives board->notice.drawn, which item 0 wrote before
CLSCAN_FUNCTION clscan_prefix clscan_settle(const clscan_chain *chain, __local clscan_board *board,
                                            __local clscan_zone *zone, clscan_word tag, __global const CLSCAN_T *in,
                                            ulong count, ulong before, uint from, uint own, CLSCAN_A stand_in,
                                            uint *drawn)
{
    from = clscan_look_ahead(chain, board, tag, before, from, own, stand_in);
    *drawn = board->notice.drawn;
    if (CLSCAN_MUST_RUN(from < own))
        clscan_recompute(chain, board, zone, tag, in, count, before, from, own);
    return clscan_stack_prefix(&board->stack, chain->initial, before + own);
}

/// First arguments as for the kernel of chained.cl; one word value per tile.
///
/// before       tiles of the whole scan before the first of the input
/// stack_bytes  where the workspace has the nodes of the stack of `before`
/// stack_at     [stack_offset] with CLSCAN_FLAG_STACK receives those of what follows
__kernel
#if CLSCAN_REGISTER_BOUND == 0
__attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
#endif
void clscan_waiting(__global const CLSCAN_T *in, ulong in_offset, __global CLSCAN_T *out, ulong out_offset,
                      ulong count, uint flags, CLSCAN_A initial, __global const CLSCAN_A *initial_at,
                      ulong initial_offset, __global CLSCAN_A *total_at, ulong total_offset, __global uchar *workspace,
                      ulong control_bytes, ulong words_bytes, uint epoch_argument, ulong before, ulong stack_bytes,
                      __global CLSCAN_A *stack_at, ulong stack_offset)
{
    __global clscan_word *draw_word = (__global clscan_word *)(workspace + control_bytes);
    __local clscan_zone zone;
    __local clscan_board board;
    const bool leader = get_local_id(0) == 0;
    clscan_chain chain;
    clscan_prefix prefix;
    clscan_word tag, drawn = 0;
    CLSCAN_A total;
    uint own, next, after, whole, from = 0, set = 0, valid = CLSCAN_TILE;

    clscan_chain_begin(&chain, workspace, control_bytes, words_bytes, (uint)clscan_tiles(count), flags, initial,
                       initial_at + initial_offset);
    prefix = chain.initial;
    in += in_offset;
    out += out_offset;

    if (leader) {
        const clscan_word first = clscan_draw_begin(draw_word);

        drawn = clscan_draw_begin(draw_word);
        board.notice.tag = clscan_tag((uint)(first >> CLSCAN_TICKET_BITS));
        board.notice.missing = clscan_draw_end(draw_word, first, chain.ranges);
        board.notice.drawn = clscan_draw_end(draw_word, drawn, chain.ranges);
        board.notice.spent = 0;
        clscan_stack_load(&board.stack, chain.initial, (__global const CLSCAN_A *)(workspace + stack_bytes),
                          (uint)popcount(before));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    own = board.notice.missing;
    next = board.notice.drawn;
    tag = board.notice.tag;

#define CLSCAN_IN_CURSOR(index) CLSCAN_CURSOR(in, count, (ulong)(index) * CLSCAN_TILE)
#define CLSCAN_OUT_CURSOR(index) CLSCAN_CURSOR(out, count, (ulong)(index) * CLSCAN_TILE)
    if (!clscan_aligned(CLSCAN_IN_CURSOR(0)) || !clscan_aligned(CLSCAN_OUT_CURSOR(0)))
        whole = 0;
    else
        whole = (uint)(count / CLSCAN_TILE);

    // Whole tiles, each with the next one on its way.
    if (CLSCAN_MUST_RUN(own < whole)) {
        clscan_tile tile;

        clscan_rows_load_if(own < whole, tile.rows, CLSCAN_IN_CURSOR(own < whole ? own : 0));
        total = clscan_blocks_combine(board.nodes[set], clscan_rows_scan(true, &tile, &zone, CLSCAN_TILE), CLSCAN_TILE);
        if (leader && own < whole)
            clscan_publish_total(&chain, own, tag, total);
        barrier(CLK_LOCAL_MEM_FENCE);
        while (own < whole) {
            const uint next_set = set + 1 < CLSCAN_NODE_SETS ? set + 1 : 0;
            CLSCAN_A next_total = total;
            clscan_tile coming;

            if (leader)
                drawn = clscan_draw_begin(draw_word);
            if (CLSCAN_MUST_RUN(next < whole)) {
                clscan_rows_load_if(next < whole, coming.rows, CLSCAN_IN_CURSOR(next < whole ? next : 0));
                next_total = clscan_blocks_combine(board.nodes[next_set],
                                                   clscan_rows_scan(true, &coming, &zone, CLSCAN_TILE), CLSCAN_TILE);
                if (leader && next < whole)
                    clscan_publish_total(&chain, next, tag, next_total);
            } else {
                // Slower work-items still read the board; elsewhere the barriers of the nodes keep them apart.
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            clscan_guard_published(&chain);
            if (leader)
                board.notice.drawn = clscan_draw_end(draw_word, drawn, chain.ranges);
            prefix = clscan_settle(&chain, &board, &zone, tag, in, count, before, from, own, total, &after);
            clscan_rows_store(true, &tile, CLSCAN_OUT_CURSOR(own), CLSCAN_TILE,
                              clscan_block_prefix(board.nodes[set], CLSCAN_TILE, prefix));
            // Slower work-items still read the stack. The next to read it pass the barrier at the begin of the next
            // look.
            barrier(CLK_LOCAL_MEM_FENCE);
            if (leader)
                clscan_stack_push(&board.stack, chain.initial, before + own, total);
            if (next < whole)
                tile = coming;
            total = next_total;
            set = next_set;
            from = own + 1;
            own = next;
            next = after;
        }
    }

    // The last tile, if elements of it are missing, or all tiles, if they are not aligned.
    while (own < chain.ranges) {
        if (leader)
            drawn = clscan_draw_begin(draw_word);
        barrier(CLK_LOCAL_MEM_FENCE);
        valid = clscan_valid(count, own);
        total = clscan_tile_reduce_blocks(board.nodes[set], &zone, CLSCAN_IN_CURSOR(own), valid);
        if (leader) {
            clscan_publish_total(&chain, own, tag, total);
            if (chain.flags & CLSCAN_FLAG_IN_PLACE)
                clscan_device_fence();
            board.notice.drawn = clscan_draw_end(draw_word, drawn, chain.ranges);
        }
        prefix = clscan_settle(&chain, &board, &zone, tag, in, count, before, from, own, total, &after);
        clscan_tile_rescan_blocks(board.nodes[set], &zone, CLSCAN_IN_CURSOR(own), CLSCAN_OUT_CURSOR(own), valid, prefix);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (leader && valid == CLSCAN_TILE)
            clscan_stack_push(&board.stack, chain.initial, before + own, total);
        from = own + 1;
        own = next;
        next = after;
    }
    if (leader && from == chain.ranges) {
        prefix = valid == CLSCAN_TILE ? clscan_stack_prefix(&board.stack, chain.initial, before + from)
                                      : clscan_tile_end(board.nodes[set], valid, prefix);
        clscan_store_total(flags, total_at + total_offset, prefix);
        for (uint i = 0; (flags & CLSCAN_FLAG_STACK) && i < (uint)popcount(before + from); ++i)
            stack_at[stack_offset + i] = board.stack.nodes[i];
    }
}
