// What precedes a tile, in the carry `lookahead`, as one value: a work-group extends what precedes its previous tile by
// the totals of all tiles since, a window of them at once.

// A work-item asks early for totals of one word. Longer ones would take more registers than there are.
#define CLSCAN_PEEKS (CLSCAN_WORDS_PER_VALUE == 1)

// Totals of a window that each work-item has, and combines itself: those as far from each other as there are
// work-items, where operands may be reordered, else neighbours. Across the lanes wide sums go word by word, so there it
// is also for them.
#if (CLSCAN_COMMUTATIVE && CLSCAN_PEEKS) || CLSCAN_A_BYTES >= CLSCAN_WIDE_BYTES
#define CLSCAN_WINDOW_LOOKS CLSCAN_LOOKS
#else
#define CLSCAN_WINDOW_LOOKS 1
#endif
#define CLSCAN_WINDOW ((uint)CLSCAN_WINDOW_LOOKS * CLSCAN_WORK_GROUP_SIZE)

// How many of them it is for so many tiles, at least 1.
CLSCAN_FUNCTION uint clscan_window_depth(uint tiles)
{
    if (CLSCAN_WINDOW_LOOKS == 1)
        return 1;
    return max((min(tiles, CLSCAN_WINDOW) + CLSCAN_WORK_GROUP_SIZE - 1) / CLSCAN_WORK_GROUP_SIZE, 1u);
}

// The place in the window of the one with number `i`, below `depth`.
CLSCAN_FUNCTION uint clscan_window_place(uint depth, uint i)
{
    const uint lid = (uint)get_local_id(0);
    return CLSCAN_COMMUTATIVE ? i * CLSCAN_WORK_GROUP_SIZE + lid : lid * depth + i;
}

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
    const uint depth = clscan_window_depth(walker->own - walker->from);

#pragma unroll
    for (uint i = 0; i < CLSCAN_WINDOW_LOOKS; ++i) {
        const uint tile = walker->from + clscan_window_place(depth, i);

        peeked->tags[i] = 0;
        peeked->values[i] = clscan_stand_in(walker);
        if (CLSCAN_PEEKS && i < depth && tile < walker->own)
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
        const uint tiles = min(end - first, CLSCAN_WINDOW), depth = clscan_window_depth(tiles);
        // Work-items that have some.
        const uint items = CLSCAN_COMMUTATIVE ? min(tiles, (uint)CLSCAN_WORK_GROUP_SIZE) : (tiles + depth - 1) / depth;
        uint operands = items;
        bool missed = false;

        if (lid >= items) {
            value = stand_in;
        } else if (!found &&
                   !clscan_await(&walker->chain, first + clscan_window_place(depth, 0), walker->tag, &value)) {
            value = stand_in;
            missed = true;
            walker->board->notice.spent = 1;
        }
#pragma unroll
        for (uint i = 1; i < CLSCAN_WINDOW_LOOKS; ++i) {
            const uint place = clscan_window_place(depth, i);
            clscan_sum total = peeked->values[i];

            if (i >= depth || place >= tiles)
                continue;
            if ((peeks && peeked->tags[i] == walker->tag) ||
                clscan_await(&walker->chain, first + place, walker->tag, &total)) {
                if (CLSCAN_TAKES_ANYTHING || !missed)
                    value = clscan_join(value, total);
            } else {
                missed = true;
                walker->board->notice.spent = 1;
            }
        }
        clscan_operands_meet();
        if (!CLSCAN_TAKES_ANYTHING && walker->board->notice.spent != 0)
            operands = 0;
        window = clscan_group_total(walker->board->window, value, max(operands, 1u));
        *spent = walker->board->notice.spent != 0;
        if (operands > 0)
            prefix = clscan_extend(prefix, window);
        first += tiles;
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
    clscan_prefix known = clscan_known(walker), ahead;

    known.present = walker->from > CLSCAN_ROW_START(walker) || walker->chain.initial.present;
    ahead = clscan_look_ahead(walker, peeked, walker->from, end, known, clscan_stand_in(walker), spent);
    if (CLSCAN_MUST_RUN(*spent))
        known = clscan_recompute(walker, *spent ? walker->from : end, end, known);
    return *spent ? known : ahead;
}

/// The tile `own`, which `prefix` precedes, has been scanned.
CLSCAN_FUNCTION void clscan_pass(clscan_walker *walker, clscan_sum left, uint valid, clscan_prefix prefix)
{
    clscan_know(walker, clscan_extend(prefix, clscan_parked_sum(walker->total)));
    walker->from = walker->own + 1;
}
