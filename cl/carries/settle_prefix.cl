// What precedes a tile, in the carry `lookahead`, as one value: a work-group extends what precedes its previous tile by
// the totals of all tiles since, a window of them at once.

// A work-item asks early for totals of one word.
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

// Does the identity stand for totals that a window lacks, so that nobody asks how many it has? For integers: floats
// would not all stay as they are. Indices of one in ten of 2^28 elements took 107 us instead of 114 on an H200,
// run-length encoding of int32 539 instead of 560.
#define CLSCAN_FILLS_WINDOWS \
    (CLSCAN_COMMUTATIVE && CLSCAN_PEEKS && CLSCAN_A_SCALAR && !CLSCAN_FLOATING && CLSCAN_EXCHANGE == 0)

// How many of them it is for so many tiles, at least 1.
CLSCAN_FUNCTION uint clscan_window_depth(uint tiles)
{
    if (CLSCAN_WINDOW_LOOKS == 1 || CLSCAN_FILLS_WINDOWS)
        return CLSCAN_WINDOW_LOOKS;
    return max((min(tiles, CLSCAN_WINDOW) + CLSCAN_WORK_GROUP_SIZE - 1) / CLSCAN_WORK_GROUP_SIZE, 1u);
}

// The place in the window of the one with number `i`, below `depth`.
CLSCAN_FUNCTION uint clscan_window_place(uint depth, uint i)
{
    const uint lid = (uint)get_local_id(0);
    return CLSCAN_COMMUTATIVE ? i * CLSCAN_WORK_GROUP_SIZE + lid : lid * depth + i;
}

// What a work-item has found at its first look at a window, with the tag of the run where there is nothing to find.
typedef struct clscan_peeked {
    clscan_sum values[CLSCAN_WINDOW_LOOKS];
    clscan_word tags[CLSCAN_WINDOW_LOOKS];
} clscan_peeked;

// Take that look at the window of the tiles first .. own - 1.
CLSCAN_FUNCTION void clscan_window_peek(const clscan_walker *walker, uint first, clscan_peeked *peeked)
{
    const uint depth = clscan_window_depth(walker->own - first);

#pragma unroll
    for (uint i = 0; i < CLSCAN_WINDOW_LOOKS; ++i) {
        const uint tile = first + clscan_window_place(depth, i);
        const bool has = i < depth && tile < walker->own;

        peeked->tags[i] = has ? 0 : walker->tag;
#if CLSCAN_FILLS_WINDOWS
        peeked->values[i] = CLSCAN_IDENTITY_VALUE;
#else
        // Combined if the operator takes anything.
        peeked->values[i] = clscan_stand_in(walker);
#endif
        if (CLSCAN_PEEKS && has)
            peeked->tags[i] = clscan_look(walker->chain.words, tile, &peeked->values[i]);
    }
}

// Look at totals of several words, at all that a work-item has, in front of the branch that waits for those that are
// missing. Inside of it, one after the other, 2^26 sums of 16 bytes, of which each work-item has one, took 549 us
// instead of 528 on an H200, 2^24 of 32 bytes, of which it has two, 310 instead of 290 (2026-12-01). Asked for early,
// as those of one word, they take registers that a tile needs: 385 us.
CLSCAN_FUNCTION void clscan_window_look(const clscan_walker *walker, uint first, uint depth, clscan_peeked *found)
{
#pragma unroll
    for (uint i = 0; i < CLSCAN_WINDOW_LOOKS; ++i)
        if (found->tags[i] != walker->tag)
            found->tags[i] = clscan_look(walker->chain.words, first + clscan_window_place(depth, i), &found->values[i]);
}

/// Take it at the totals since the last tile. It comes back from far away; meanwhile there is the next tile's total to
/// combine and to publish. Taken earlier, while that tile is combined, it finds too little, and the second look is
/// late: sums of 2^28 int took 551 us instead of 520 on an H200.
CLSCAN_FUNCTION void clscan_peek(const clscan_walker *walker, clscan_peeked *peeked)
{
    clscan_window_peek(walker, walker->from, peeked);
}

// The total of a window of `tiles` tiles, from each work-item's `value`. Passes a barrier.
CLSCAN_FUNCTION clscan_sum clscan_window_total(const clscan_walker *walker, clscan_sum value, uint tiles, uint depth)
{
    __local clscan_sum *window = walker->board->window;

#if CLSCAN_FILLS_WINDOWS
    value = clscan_sub_group_end(window, value, CLSCAN_SUB_GROUP_SIZE);
    clscan_sub_group_put(clscan_sub_group_values(window), value, clscan_end_lane(CLSCAN_SUB_GROUP_SIZE));
    barrier(CLK_LOCAL_MEM_FENCE);
    return clscan_sub_groups_total(window, clscan_sub_group_values(window), CLSCAN_SUB_GROUPS);
#else
    // Work-items that have some.
    const uint items = CLSCAN_COMMUTATIVE ? min(tiles, (uint)CLSCAN_WORK_GROUP_SIZE) : (tiles + depth - 1) / depth;

    return clscan_group_total(window, value, max(items, 1u));
#endif
}

// What precedes the tile `from`.
CLSCAN_FUNCTION clscan_prefix clscan_known_now(const clscan_walker *walker)
{
    clscan_prefix known = clscan_known(walker);

    known.present = walker->from > CLSCAN_ROW_START(walker) || walker->chain.initial.present;
    return known;
}

/// What precedes the tile `own`, by what is published. Passes at least one barrier.
///
/// spent  receives whether a wait was; then the value is of no use
CLSCAN_FUNCTION clscan_prefix clscan_look_ahead(clscan_walker *walker, const clscan_peeked *peeked, bool *spent)
{
    const uint end = walker->own;
    clscan_prefix prefix = clscan_known_now(walker);
    clscan_peeked found = *peeked;
    uint first = walker->from;

    for (;;) {
        const uint tiles = min(end - first, CLSCAN_WINDOW), depth = clscan_window_depth(tiles);
        uint operands = tiles;
        clscan_sum value = found.values[0], window;
        bool missed = false;

        if (!CLSCAN_PEEKS)
            clscan_window_look(walker, first, depth, &found);
#pragma unroll
        for (uint i = 0; i < CLSCAN_WINDOW_LOOKS; ++i) {
            const uint place = clscan_window_place(depth, i);

            if (found.tags[i] != walker->tag &&
                !clscan_await(&walker->chain, first + place, walker->tag, &found.values[i])) {
                missed = true;
                walker->board->notice.spent = 1;
            }
            if (i == 0)
                value = found.values[0];
            else if (CLSCAN_FILLS_WINDOWS || (i < depth && place < tiles))
                value = CLSCAN_TAKES_ANYTHING || !missed ? clscan_join(value, found.values[i]) : value;
        }
        clscan_operands_meet();
        if (!CLSCAN_TAKES_ANYTHING && walker->board->notice.spent != 0)
            operands = 0;
        window = clscan_window_total(walker, value, operands, depth);
        *spent = walker->board->notice.spent != 0;
        if (operands > 0)
            prefix = clscan_extend(prefix, window);
        first += tiles;
        if (first == end)
            return prefix;
        // The next window overwrites what slower work-items still read.
        barrier(CLK_LOCAL_MEM_FENCE);
        clscan_window_peek(walker, first, &found);
    }
}

/// The same, one tile after the other, recomputing what is not there; of use where a wait was spent. The tiles that are
/// held stay as they are.
CLSCAN_FUNCTION clscan_prefix clscan_recompute(clscan_walker *walker, bool spent)
{
    const uint end = walker->own;
    clscan_prefix prefix = clscan_known_now(walker);

    for (uint tile = spent ? walker->from : end; CLSCAN_TOGETHER(tile < end); ++tile)
        prefix = clscan_extend(prefix, clscan_total_anyway(walker, tile));
    clscan_forgive(&walker->board->notice);
    return prefix;
}

/// The tile `own`, which `prefix` precedes, has been scanned.
CLSCAN_FUNCTION void clscan_pass(clscan_walker *walker, clscan_sum left, uint valid, clscan_prefix prefix)
{
    clscan_know(walker, clscan_extend(prefix, clscan_parked_sum(walker->total)));
    walker->from = walker->own + 1;
}
