// What precedes a tile, in the carry `lookahead` in the reproducible order, as a stack of nodes: tiles are nodes, and a
// work-group extends the stack of its previous tile by the totals of that tile and all since, a window at a time. Rows
// that are walked as one input have positions of their own: in a new row the stack is empty, whatever it holds.

// The number of a tile in the scan, or in its row.
CLSCAN_FUNCTION ulong clscan_index_of(const clscan_walker *walker, uint tile)
{
    return walker->before + (tile - CLSCAN_ROW_START(walker));
}

// Wait for the total of a thing, if it is in the piece and not there yet. Where the wait is spent, the notice says so.
CLSCAN_FUNCTION void clscan_thing_await(const clscan_walker *walker, const clscan_piece *piece, uint thing,
                                        clscan_word *tag, clscan_sum *value)
{
    if (thing >= piece->first && thing < piece->end && *tag != walker->tag &&
        !clscan_await(&walker->chain, walker->stands + (thing - piece->first), walker->tag, value)) {
        *value = walker->total;
        walker->board->notice.spent = 1;
    }
    *tag = walker->tag;
}

// All items: combine the chunks of the piece from `first` on, CLSCAN_LOOKS for each sub-group. Where a wait is spent,
// a value is combined that may be, or nothing if the operator does not take anything.
CLSCAN_FUNCTION void clscan_chunks_look(const clscan_walker *walker, const clscan_piece *piece, uint first)
{
    __local clscan_board *board = walker->board;
    const uint last = max(piece->end, piece->first + 1) - 1;
    clscan_word tags[CLSCAN_LOOKS];
    clscan_sum values[CLSCAN_LOOKS];
    clscan_piece combined = *piece;

#pragma unroll
    for (uint i = 0; i < CLSCAN_LOOKS; ++i) {
        const uint thing = (first + i * CLSCAN_SUB_GROUPS) * CLSCAN_CHUNK + (uint)get_local_id(0);
        tags[i] = clscan_look(walker->chain.words, walker->stands + (clamp(thing, piece->first, last) - piece->first),
                              &values[i]);
    }
    if (!CLSCAN_TAKES_ANYTHING) {
#pragma unroll
        for (uint i = 0; i < CLSCAN_LOOKS; ++i)
            clscan_thing_await(walker, piece, (first + i * CLSCAN_SUB_GROUPS) * CLSCAN_CHUNK + (uint)get_local_id(0),
                               &tags[i], &values[i]);
        clscan_operands_meet();
        if (board->notice.spent != 0)
            clscan_piece_empty(&combined);
    }
#pragma unroll
    for (uint i = 0; i < CLSCAN_LOOKS; ++i) {
        const uint chunk = first + i * CLSCAN_SUB_GROUPS + clscan_sub_group();

        if (CLSCAN_MUST_RUN(chunk * CLSCAN_CHUNK < piece->end)) {
            clscan_thing_await(walker, piece, chunk * CLSCAN_CHUNK + clscan_lane(), &tags[i], &values[i]);
            clscan_chunk_combine(&board->window, walker->zone->scratch, &board->stack, &combined, chunk, values[i]);
        }
    }
}

// No look before clscan_look_ahead(): the stack may still be on its way to the tile before.
typedef struct clscan_peeked {
    clscan_word tag;
} clscan_peeked;

CLSCAN_FUNCTION void clscan_peek(const clscan_walker *walker, clscan_peeked *peeked)
{
}

/// Bring the stack to the tile `own` by what is published, and return what precedes that. Passes at least one barrier.
///
/// spent  receives whether a wait was; then the stack may stand before `own`, and the value is of no use
CLSCAN_FUNCTION clscan_prefix clscan_look_ahead(clscan_walker *walker, const clscan_peeked *peeked, bool *spent)
{
    __local clscan_board *board = walker->board;
    __local clscan_sum *scratch = walker->zone->scratch;
    const clscan_prefix initial = walker->chain.initial;

    for (;;) {
        clscan_piece piece;
        clscan_prefix prefix;

        clscan_piece_begin(&piece, &board->stack, initial, clscan_index_of(walker, walker->stands),
                           walker->own - walker->stands);
        for (uint chunk = piece.first / CLSCAN_CHUNK; CLSCAN_TOGETHER(chunk * CLSCAN_CHUNK < piece.end);
             chunk += CLSCAN_LOOKS * CLSCAN_SUB_GROUPS)
            clscan_chunks_look(walker, &piece, chunk);
        barrier(CLK_LOCAL_MEM_FENCE);
        *spent = board->notice.spent != 0;
        if (!CLSCAN_TAKES_ANYTHING && *spent)
            clscan_piece_empty(&piece);
        prefix = clscan_piece_end(&board->window, scratch, &board->stack, initial, &piece, !*spent);
        if (!*spent)
            walker->stands += piece.end - piece.first;
        if (*spent || piece.end < CLSCAN_WINDOW)
            return prefix;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/// The same, one tile after the other, recomputing what is not there; of use where a wait was spent.
CLSCAN_FUNCTION clscan_prefix clscan_recompute(clscan_walker *walker, bool spent)
{
    __local clscan_board *board = walker->board;
    const clscan_prefix initial = walker->chain.initial;
    clscan_prefix prefix;

    for (; CLSCAN_TOGETHER(walker->stands < walker->own); ++walker->stands) {
        const clscan_sum total = clscan_total_anyway(walker, walker->stands);
        if (clscan_leads())
            clscan_stack_push(&board->stack, initial, clscan_index_of(walker, walker->stands), total);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    prefix = clscan_stack_prefix(&board->stack, initial, clscan_index_of(walker, walker->own));
    // Its barriers keep the stack from being changed where it is still read.
    clscan_forgive(&board->notice);
    return prefix;
}

/// The tile `own`, which `prefix` precedes, has been scanned. The next look takes up its total.
///
/// left  of the tile
CLSCAN_FUNCTION void clscan_pass(clscan_walker *walker, clscan_sum left, uint valid, clscan_prefix prefix)
{
    if (clscan_leads())
        walker->board->passed = walker->total;
#if CLSCAN_JOINS_ROWS
    if (clscan_leads() && clscan_row_ends(&walker->joined, walker->own + 1))
        walker->known = clscan_stack_prefix_with(&walker->board->stack, walker->chain.initial,
                                                 clscan_index_of(walker, walker->own), walker->total);
#endif
    if (valid < CLSCAN_TILE)
        walker->known = clscan_cut_tile_end(walker->zone->scratch, left, valid, prefix);
    walker->from = walker->own + 1;
}

/// Item 0 of the work-group that has passed the last tile: what follows the input, to which the stack is brought if the
/// tiles are full. Behind no elements the stack stands already.
CLSCAN_FUNCTION clscan_prefix clscan_scan_end(const clscan_walker *walker)
{
    __local clscan_stack *stack = &walker->board->stack;
    const clscan_prefix initial = walker->chain.initial;

    if (walker->count % CLSCAN_TILE > 0)
        return walker->known;
    if (walker->count > 0)
        clscan_stack_push(stack, initial, clscan_index_of(walker, walker->from - 1), walker->board->passed);
    return clscan_stack_prefix(stack, initial, clscan_index_of(walker, walker->from));
}
