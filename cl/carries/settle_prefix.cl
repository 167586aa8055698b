// What precedes a tile, in the carry `lookahead`, as one value: a work-group extends what precedes its previous tile by
// the totals of all tiles since, a window of them at once.

// Tiles of a window that each work-item has, as far from each other as there are work-items; what it has of them it
// combines itself. Values of several words would take more registers than there are.
#if CLSCAN_COMMUTATIVE && CLSCAN_WORDS_PER_VALUE == 1
#define CLSCAN_WINDOW_LOOKS CLSCAN_LOOKS
#else
#define CLSCAN_WINDOW_LOOKS 1
#endif

// What a work-item has found at its first look at the totals since the last tile.
typedef struct clscan_peeked {
    clscan_sum values[CLSCAN_WINDOW_LOOKS];
    clscan_word tags[CLSCAN_WINDOW_LOOKS];
} clscan_peeked;

/// Take that look. It comes back from far away; meanwhile there is the next tile's total to combine and to publish.
/// Taken earlier, while that tile is combined, it finds too little, and the second look is late: sums of 2^28 int took
/// 551 us instead of 520 on an H200.
CLSCAN_FUNCTION void clscan_peek(const clscan_walker *walker, clscan_peeked *peeked)
{
#pragma unroll
    for (uint i = 0; i < CLSCAN_WINDOW_LOOKS; ++i) {
        const uint tile = walker->from + i * CLSCAN_WORK_GROUP_SIZE + (uint)get_local_id(0);

        peeked->tags[i] = 0;
        peeked->values[i] = walker->total;
        if (CLSCAN_WORDS_PER_VALUE == 1 && tile < walker->own)
            peeked->tags[i] = clscan_look(walker->chain.words, tile, &peeked->values[i]);
    }
}

/// Extend `prefix` by the totals of the tiles first .. end - 1. Passes at least one barrier.
///
/// stand_in  for a value that nobody has published; combined if the operator takes anything
/// spent     receives whether a wait was; then the value is of no use
CLSCAN_FUNCTION clscan_prefix clscan_look_ahead(const clscan_walker *walker, const clscan_peeked *peeked, uint first,
                                                uint end, clscan_prefix prefix, clscan_sum stand_in, bool *spent)
{
    const uint lid = (uint)get_local_id(0);
    bool found = peeked->tags[0] == walker->tag, peeks = true;
    clscan_sum value = peeked->values[0], window;

    for (;;) {
        const uint items = min(end - first, (uint)CLSCAN_WORK_GROUP_SIZE);
        uint operands = items;

        if (lid >= items) {
            value = stand_in;
        } else if (!found && !clscan_await(&walker->chain, first + lid, walker->tag, &value)) {
            value = stand_in;
            walker->board->notice.spent = 1;
        }
#pragma unroll
        for (uint i = 1; i < CLSCAN_WINDOW_LOOKS; ++i) {
            const uint tile = first + i * CLSCAN_WORK_GROUP_SIZE + lid;
            clscan_sum total = peeked->values[i];

            if (tile >= end)
                continue;
            if ((peeks && peeked->tags[i] == walker->tag) ||
                clscan_await(&walker->chain, tile, walker->tag, &total))
                value = clscan_join(value, total);
            else
                walker->board->notice.spent = 1;
        }
        clscan_operands_meet();
        if (!CLSCAN_TAKES_ANYTHING && walker->board->notice.spent != 0)
            operands = 0;
        window = clscan_group_total(walker->board->window, value, max(operands, 1u));
        *spent = walker->board->notice.spent != 0;
        if (operands > 0)
            prefix = clscan_extend(prefix, window);
        first += min(end - first, (uint)CLSCAN_WINDOW_LOOKS * CLSCAN_WORK_GROUP_SIZE);
        if (first == end)
            return prefix;
        // The next window overwrites what slower work-items still read.
        barrier(CLK_LOCAL_MEM_FENCE);
        found = peeks = false;
    }
}

/// The same, one tile after the other, recomputing what is not there. The tiles that are held stay as they are.
CLSCAN_FUNCTION clscan_prefix clscan_recompute(const clscan_walker *walker, uint first, uint end, clscan_prefix prefix)
{
    for (uint tile = first; CLSCAN_TOGETHER(tile < end); ++tile)
        prefix = clscan_extend(prefix, clscan_total_anyway(walker, tile));
    clscan_forgive(&walker->board->notice);
    return prefix;
}

/// What precedes the tile `own`, whatever it takes. Passes at least one barrier.
///
/// spent  receives whether a wait was
CLSCAN_FUNCTION clscan_prefix clscan_settle(clscan_walker *walker, const clscan_peeked *peeked, bool *spent)
{
    const uint end = walker->own;
    clscan_prefix known = walker->known, ahead;

    known.present = walker->from > CLSCAN_ROW_START(walker) || walker->chain.initial.present;
    ahead = clscan_look_ahead(walker, peeked, walker->from, end, known, walker->total, spent);
    if (CLSCAN_MUST_RUN(*spent))
        known = clscan_recompute(walker, *spent ? walker->from : end, end, known);
    return *spent ? known : ahead;
}

/// The tile `own`, which `prefix` precedes, has been scanned.
CLSCAN_FUNCTION void clscan_pass(clscan_walker *walker, clscan_sum left, uint valid, clscan_prefix prefix)
{
    walker->known = clscan_extend(prefix, walker->total);
    walker->from = walker->own + 1;
}
