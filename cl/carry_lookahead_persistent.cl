// Carry `lookahead` in the order `persistent`: every tile publishes its own total, and nothing else. Each of a bounded
// number of work-groups combines the totals since its previous tile, all work-items at once, so there is no chain from
// tile to tile; and it publishes its next tile's total before it waits for what precedes this one, so that totals are
// there long before anybody needs them. 2N memory traffic, one launch.
//
// A work-group waits only for tiles before its own. Of the tiles that are not published, the first one's owner waits
// for none of them; so all go on as long as work-groups that have started do. No wait is unbounded: when polls are
// spent, the work-group goes through the tiles one by one and reduces those that are missing from the input, in the
// order of memory.

// What work-items hand each other in local memory, each across a barrier.
typedef struct clscan_board {
    clscan_notice notice;
    CLSCAN_A window[CLSCAN_SCRATCH];
} clscan_board;

/// Extend `prefix` by the totals of the tiles first .. end - 1. The value is of no use if a wait was spent, which
/// board->notice.spent tells every work-item. Passes at least one barrier.
///
/// stand_in  a value that may be combined where none was published
CLSCAN_FUNCTION clscan_prefix clscan_look_ahead(const clscan_chain *chain, __local clscan_board *board, clscan_word tag,
                                                uint first, uint end, clscan_prefix prefix, CLSCAN_A stand_in)
{
    const uint lid = (uint)get_local_id(0);

    for (;;) {
        const uint items = min(end - first, (uint)CLSCAN_WORK_GROUP_SIZE);
        CLSCAN_A value = stand_in, window;

        if (lid < items && !clscan_await(chain, first + lid, tag, &value)) {
            value = stand_in;
            board->notice.spent = 1;
        }
        window = clscan_group_total(board->window, value, max(items, 1u));
        if (items > 0)
            prefix = clscan_extend(prefix, window);
        first += items;
        if (first == end)
            return prefix;
        // The next window overwrites what slower work-items still read.
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/// The same, one tile after the other, recomputing what is not there. The tiles that are held stay as they are.
CLSCAN_FUNCTION clscan_prefix clscan_recompute(const clscan_chain *chain, __local clscan_board *board,
                                               __local clscan_zone *zone, clscan_word tag, __global const CLSCAN_T *in,
                                               ulong count, uint head, uint first, uint end, clscan_prefix prefix)
{
    for (uint tile = first; tile < end; ++tile)
        prefix = clscan_extend(prefix, clscan_total_anyway(chain, &board->notice, zone, tag, in, count, head, tile));
    clscan_forgive(&board->notice);
    return prefix;
}

/// Extend `prefix` by the totals of the tiles first .. end - 1, whatever it takes.
///
/// drawn    receives board->notice.drawn, which item 0 wrote before
/// spent    receives whether a wait was
CLSCAN_FUNCTION clscan_prefix clscan_settle(const clscan_chain *chain, __local clscan_board *board,
                                            __local clscan_zone *zone, clscan_word tag, __global const CLSCAN_T *in,
                                            ulong count, uint head, uint first, uint end, clscan_prefix prefix,
                                            CLSCAN_A stand_in, uint *drawn, bool *spent)
{
    const clscan_prefix ahead = clscan_look_ahead(chain, board, tag, first, end, prefix, stand_in);

    *spent = board->notice.spent != 0;
    *drawn = board->notice.drawn;
    if (CLSCAN_MUST_RUN(*spent))
        prefix = clscan_recompute(chain, board, zone, tag, in, count, head, *spent ? first : end, end, prefix);
    return *spent ? prefix : ahead;
}

/// Arguments as for the kernel of chained.cl; one word value per tile.
__kernel
#if CLSCAN_REGISTER_BOUND == 0
__attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
#endif
void clscan_waiting(__global const CLSCAN_T *in, ulong in_offset, __global CLSCAN_T *out, ulong out_offset,
                      ulong count, uint flags, CLSCAN_A initial, __global const CLSCAN_A *initial_at,
                      ulong initial_offset, __global CLSCAN_A *total_at, ulong total_offset, __global uchar *workspace,
                      ulong control_bytes, ulong words_bytes, uint epoch_argument)
{
    __global clscan_word *draw_word = (__global clscan_word *)(workspace + control_bytes);
    __local clscan_zone zone;
    __local clscan_board board;
    const bool leader = get_local_id(0) == 0;
    clscan_chain chain;
    clscan_prefix known; // what precedes the tile `from`; with its head, if that is the first one
    clscan_word tag, drawn = 0;
    CLSCAN_A total;
    uint own, next, after, whole, head, shift, from = 0;

    in += in_offset;
    out += out_offset;
    head = clscan_head_count(in, count);
    count -= head;
#if !CLSCAN_REVERSE
    in += head;
    out += head;
#endif
    clscan_chain_begin(&chain, workspace, control_bytes, words_bytes, (uint)clscan_tiles(count), flags, initial,
                       initial_at + initial_offset);
    known = chain.initial;

    if (leader) {
        const clscan_word first = clscan_draw_begin(draw_word);

        drawn = clscan_draw_begin(draw_word);
        board.notice.tag = clscan_tag((uint)(first >> CLSCAN_TICKET_BITS));
        board.notice.missing = clscan_draw_end(draw_word, first, chain.ranges);
        board.notice.drawn = clscan_draw_end(draw_word, drawn, chain.ranges);
        board.notice.spent = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    own = board.notice.missing;
    next = board.notice.drawn;
    tag = board.notice.tag;

#define CLSCAN_IN_CURSOR(index) CLSCAN_CURSOR(in, count, (ulong)(index) * CLSCAN_TILE)
#define CLSCAN_OUT_CURSOR(index) CLSCAN_CURSOR(out, count, (ulong)(index) * CLSCAN_TILE)
    whole = clscan_aligned(CLSCAN_IN_CURSOR(0)) ? (uint)(count / CLSCAN_TILE) : 0;
    shift = clscan_to_multiple(CLSCAN_OUT_CURSOR(0), sizeof(clscan_vector));

    // Whole tiles, each with the next one on its way.
    if (CLSCAN_MUST_RUN(own < whole)) {
        clscan_tile tile;

        clscan_rows_load_if(own < whole, tile.rows, CLSCAN_IN_CURSOR(own < whole ? own : 0));
#if CLSCAN_LANDING_ZONES > 0
        if (next < whole)
            clscan_landing_begin(&zone, CLSCAN_IN_CURSOR(next));
#endif
        total = clscan_sub_groups_scan(zone.scratch, clscan_rows_scan(true, &tile, &zone, CLSCAN_TILE),
                                       CLSCAN_SUB_GROUPS, &tile.left);
        if (leader && own < whole)
            clscan_publish_total(&chain, own, tag,
                                 own == 0 ? clscan_with_head(CLSCAN_IN_CURSOR(0), head, total) : total);
        if (own == 0)
            known = clscan_head_extend(chain.initial, CLSCAN_IN_CURSOR(0), head);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (leader && own == 0 && head > 0) {
            if (chain.flags & CLSCAN_FLAG_IN_PLACE)
                clscan_device_fence();
            clscan_head_store(CLSCAN_IN_CURSOR(0), CLSCAN_OUT_CURSOR(0), head, chain.initial);
        }
        chain.initial = known;
        while (own < whole) {
            clscan_prefix prefix;
            CLSCAN_A next_total = total, next_left = total;
            bool spent;
#if CLSCAN_LANDING_ZONES == 0
            clscan_tile coming;
#endif

            if (leader)
                drawn = clscan_draw_begin(draw_word);
            if (CLSCAN_MUST_RUN(next < whole)) {
#if CLSCAN_LANDING_ZONES > 0
                next_total = clscan_landing_total(&next_left, &zone);
#else
                clscan_rows_load_if(next < whole, coming.rows, CLSCAN_IN_CURSOR(next < whole ? next : 0));
                next_total =
                    clscan_sub_groups_scan(zone.scratch, clscan_rows_scan(true, &coming, &zone, CLSCAN_TILE),
                                           CLSCAN_SUB_GROUPS, &next_left);
#endif
                if (leader && next < whole)
                    clscan_publish_total(&chain, next, tag, next_total);
            } else {
                // Slower work-items still read the board; elsewhere the sub-groups' barrier keeps them apart.
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            clscan_guard_published(&chain);
            if (leader)
                board.notice.drawn = clscan_draw_end(draw_word, drawn, chain.ranges);
            known.present = from > 0 || chain.initial.present;
            prefix = clscan_settle(&chain, &board, &zone, tag, in, count, head, from, own, known, total, &after, &spent);
            // Nothing of the tile is held while others are recomputed: it would cost registers in every round.
            if (CLSCAN_EXCHANGE == 0 && spent) {
                clscan_rows_load(true, tile.rows, CLSCAN_IN_CURSOR(own), CLSCAN_TILE);
                (void)clscan_rows_scan(true, &tile, &zone, CLSCAN_TILE);
            }
            if (shift == 0)
                clscan_rows_store(true, &tile, CLSCAN_OUT_CURSOR(own), CLSCAN_TILE,
                                  clscan_part_prefix(tile.left, CLSCAN_TILE, prefix));
            else
                clscan_rows_store_shifted(&tile, &zone, CLSCAN_OUT_CURSOR(own), shift,
                                          clscan_part_prefix(tile.left, CLSCAN_TILE, prefix));
            known = clscan_extend(prefix, total);
            if (next < whole) {
#if CLSCAN_LANDING_ZONES > 0
                clscan_landing_take(tile.rows, &zone);
                if (after < whole)
                    clscan_landing_begin(&zone, CLSCAN_IN_CURSOR(after));
                (void)clscan_rows_scan(true, &tile, &zone, CLSCAN_TILE);
#else
                tile = coming;
#endif
                tile.left = next_left;
            }
            total = next_total;
            from = own + 1;
            own = next;
            next = after;
        }
    }

    // The last tile, if elements of it are missing, or the only one, if it is not aligned.
    while (own < chain.ranges) {
        const uint valid = clscan_valid(count, own);
        clscan_tile tile;
        clscan_prefix prefix;
        bool spent;

        if (leader)
            drawn = clscan_draw_begin(draw_word);
        // Slower work-items still read the board and the zone.
        barrier(CLK_LOCAL_MEM_FENCE);
        clscan_rows_load_first(tile.rows, CLSCAN_IN_CURSOR(own), valid);
        total = clscan_sub_groups_scan(zone.scratch, clscan_rows_scan(false, &tile, &zone, valid),
                                       clscan_parts(valid), &tile.left);
        if (leader) {
            clscan_publish_total(&chain, own, tag, total);
            if (chain.flags & CLSCAN_FLAG_IN_PLACE)
                clscan_device_fence();
            board.notice.drawn = clscan_draw_end(draw_word, drawn, chain.ranges);
        }
        known.present = from > 0 || chain.initial.present;
        prefix = clscan_settle(&chain, &board, &zone, tag, in, count, head, from, own, known, total, &after, &spent);
        if (CLSCAN_EXCHANGE == 0 && spent) {
            clscan_rows_load_first(tile.rows, CLSCAN_IN_CURSOR(own), valid);
            (void)clscan_rows_scan(false, &tile, &zone, valid);
        }
        clscan_rows_store(false, &tile, CLSCAN_OUT_CURSOR(own), valid,
                          clscan_part_prefix(tile.left, valid, prefix));
        known = clscan_extend(prefix, total);
        from = own + 1;
        own = next;
        next = after;
    }
    if (leader && from == chain.ranges)
        clscan_store_total(flags, total_at + total_offset, known);
}
