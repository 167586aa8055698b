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

// A work-group on its way through the tiles.
typedef struct clscan_walker {
    clscan_chain chain;
    __local clscan_board *board;
    __local clscan_zone *zone;
    __global clscan_word *draw_word;
    __global const CLSCAN_T *in; // behind the head, as is `out`
    __global CLSCAN_T *out;
    ulong count; // behind the head
    uint head;
    uint whole; // tiles, of which the last one may be missing
    uint shift; // of the output's vectors against the input's, in elements
    clscan_word tag;
    clscan_word drawn;   // item 0: by the draw that has begun
    clscan_prefix known; // what precedes the tile `from`; with its head, if that is the first one
    CLSCAN_A total;      // of the tile `own`
    uint from, own, next;
} clscan_walker;

#define CLSCAN_IN_CURSOR(walker, index) CLSCAN_CURSOR((walker)->in, (walker)->count, (ulong)(index) * CLSCAN_TILE)
#define CLSCAN_OUT_CURSOR(walker, index) CLSCAN_CURSOR((walker)->out, (walker)->count, (ulong)(index) * CLSCAN_TILE)

CLSCAN_FUNCTION bool clscan_leads(void)
{
    return get_local_id(0) == 0;
}

/// Extend `prefix` by the totals of the tiles first .. end - 1. Passes at least one barrier.
///
/// stand_in  a value that may be combined where none was published
/// drawn     receives board->notice.drawn, which item 0 wrote before
/// spent     receives whether a wait was; then the value is of no use
CLSCAN_FUNCTION clscan_prefix clscan_look_ahead(const clscan_walker *walker, uint first, uint end, clscan_prefix prefix,
                                                CLSCAN_A stand_in, uint *drawn, bool *spent)
{
    const uint lid = (uint)get_local_id(0);

    for (;;) {
        const uint items = min(end - first, (uint)CLSCAN_WORK_GROUP_SIZE);
        CLSCAN_A value = stand_in, window;

        if (lid < items && !clscan_await(&walker->chain, first + lid, walker->tag, &value)) {
            value = stand_in;
            walker->board->notice.spent = 1;
        }
        window = clscan_group_total(walker->board->window, value, max(items, 1u));
        // In the loop, where they are read while the window is combined.
        *spent = walker->board->notice.spent != 0;
        *drawn = walker->board->notice.drawn;
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
CLSCAN_FUNCTION clscan_prefix clscan_recompute(const clscan_walker *walker, uint first, uint end, clscan_prefix prefix)
{
    for (uint tile = first; tile < end; ++tile)
        prefix = clscan_extend(prefix, clscan_total_anyway(&walker->chain, &walker->board->notice, walker->zone,
                                                           walker->tag, walker->in, walker->count, walker->head, tile));
    clscan_forgive(&walker->board->notice);
    return prefix;
}

/// What precedes the tile `own`, whatever it takes.
///
/// drawn    receives board->notice.drawn, which item 0 wrote before
/// spent    receives whether a wait was
CLSCAN_FUNCTION clscan_prefix clscan_settle(clscan_walker *walker, uint *drawn, bool *spent)
{
    const uint end = walker->own;
    clscan_prefix known = walker->known, ahead;

    known.present = walker->from > 0 || walker->chain.initial.present;
    ahead = clscan_look_ahead(walker, walker->from, end, known, walker->total, drawn, spent);
    if (CLSCAN_MUST_RUN(*spent))
        known = clscan_recompute(walker, *spent ? walker->from : end, end, known);
    return *spent ? known : ahead;
}

// Item 0: end the draw that has begun, and tell the others.
CLSCAN_FUNCTION void clscan_tell_drawn(clscan_walker *walker)
{
    walker->board->notice.drawn = clscan_draw_end(walker->draw_word, walker->drawn, walker->chain.ranges);
}

/// Draw two tiles.
CLSCAN_FUNCTION void clscan_set_out(clscan_walker *walker)
{
    __local clscan_notice *notice = &walker->board->notice;

    if (clscan_leads()) {
        const clscan_word first = clscan_draw_begin(walker->draw_word);

        walker->drawn = clscan_draw_begin(walker->draw_word);
        notice->tag = clscan_tag((uint)(first >> CLSCAN_TICKET_BITS));
        notice->missing = clscan_draw_end(walker->draw_word, first, walker->chain.ranges);
        clscan_tell_drawn(walker);
        notice->spent = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    walker->from = 0;
    walker->own = notice->missing;
    walker->next = notice->drawn;
    walker->tag = notice->tag;
}

/// Load the first tile, if it is whole, and publish its total.
CLSCAN_FUNCTION void clscan_first_tile(clscan_walker *walker, clscan_tile *tile)
{
    const bool present = walker->own < walker->whole, with_head = walker->own == 0 && walker->head > 0;
    __global const CLSCAN_T *behind = CLSCAN_IN_CURSOR(walker, 0);

    clscan_rows_load_if(present, tile->rows, CLSCAN_IN_CURSOR(walker, present ? walker->own : 0));
#if CLSCAN_LANDING_ZONES > 0
    if (walker->next < walker->whole)
        clscan_landing_begin(walker->zone, CLSCAN_IN_CURSOR(walker, walker->next));
#endif
    walker->total = clscan_sub_groups_scan(walker->zone->scratch,
                                           clscan_rows_scan(true, tile, walker->zone, CLSCAN_TILE), CLSCAN_SUB_GROUPS,
                                           &tile->left);
    if (clscan_leads() && present)
        clscan_publish_total(&walker->chain, walker->own, walker->tag,
                             with_head ? clscan_with_head(behind, walker->head, walker->total) : walker->total);
    if (with_head)
        walker->known = clscan_head_extend(walker->chain.initial, behind, walker->head);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (clscan_leads() && with_head) {
        if (walker->chain.flags & CLSCAN_FLAG_IN_PLACE)
            clscan_device_fence();
        clscan_head_store(behind, CLSCAN_OUT_CURSOR(walker, 0), walker->head, walker->chain.initial);
    }
    walker->chain.initial = walker->known;
}

/// Whole tiles, each with the next one on its way.
///
/// shifted  a constant: the output's vectors begin elsewhere than the input's
CLSCAN_FUNCTION void clscan_whole_tiles(bool shifted, clscan_walker *walker, clscan_tile *tile)
{
    const uint whole = walker->whole;

    while (walker->own < whole) {
        const uint own = walker->own, next = walker->next;
        CLSCAN_A next_total = walker->total, next_left = walker->total;
        clscan_prefix prefix;
        uint after;
        bool spent;
#if CLSCAN_LANDING_ZONES == 0
        clscan_tile coming;
#endif

        if (clscan_leads())
            walker->drawn = clscan_draw_begin(walker->draw_word);
        if (CLSCAN_MUST_RUN(next < whole)) {
#if CLSCAN_LANDING_ZONES > 0
            next_total = clscan_landing_total(&next_left, walker->zone);
#else
            clscan_rows_load_if(next < whole, coming.rows, CLSCAN_IN_CURSOR(walker, next < whole ? next : 0));
            next_total = clscan_sub_groups_scan(walker->zone->scratch,
                                                clscan_rows_scan(true, &coming, walker->zone, CLSCAN_TILE),
                                                CLSCAN_SUB_GROUPS, &next_left);
#endif
            if (clscan_leads() && next < whole)
                clscan_publish_total(&walker->chain, next, walker->tag, next_total);
        } else {
            // Slower work-items still read the board; elsewhere the sub-groups' barrier keeps them apart.
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        clscan_guard_published(&walker->chain);
        if (clscan_leads())
            clscan_tell_drawn(walker);
        prefix = clscan_settle(walker, &after, &spent);
        // Nothing of the tile is held while others are recomputed: it would cost registers in every round.
        if (CLSCAN_EXCHANGE == 0 && spent) {
            clscan_rows_load(true, tile->rows, CLSCAN_IN_CURSOR(walker, own), CLSCAN_TILE);
            (void)clscan_rows_scan(true, tile, walker->zone, CLSCAN_TILE);
        }
#if CLSCAN_CAN_SHIFT
        if (shifted)
            clscan_rows_store_shifted(tile, walker->zone, CLSCAN_OUT_CURSOR(walker, own), walker->shift,
                                      clscan_part_prefix(tile->left, CLSCAN_TILE, prefix));
        else
#endif
            clscan_rows_store(true, tile, CLSCAN_OUT_CURSOR(walker, own), CLSCAN_TILE,
                              clscan_part_prefix(tile->left, CLSCAN_TILE, prefix));
        walker->known = clscan_extend(prefix, walker->total);
        if (next < whole) {
#if CLSCAN_LANDING_ZONES > 0
            clscan_landing_take(tile->rows, walker->zone);
            if (after < whole)
                clscan_landing_begin(walker->zone, CLSCAN_IN_CURSOR(walker, after));
            (void)clscan_rows_scan(true, tile, walker->zone, CLSCAN_TILE);
#else
            *tile = coming;
#endif
            tile->left = next_left;
        }
        walker->total = next_total;
        walker->from = own + 1;
        walker->own = next;
        walker->next = after;
    }
}

/// The last tile, if elements of it are missing, or the only one, if it is not aligned.
CLSCAN_FUNCTION void clscan_last_tiles(clscan_walker *walker)
{
    __local clscan_zone *zone = walker->zone;

    while (walker->own < walker->chain.ranges) {
        const uint own = walker->own, valid = clscan_valid(walker->count, own);
        clscan_tile tile;
        clscan_prefix prefix;
        uint after;
        bool spent;

        if (clscan_leads())
            walker->drawn = clscan_draw_begin(walker->draw_word);
        // Slower work-items still read the board and the zone.
        barrier(CLK_LOCAL_MEM_FENCE);
        clscan_rows_load_first(tile.rows, CLSCAN_IN_CURSOR(walker, own), valid);
        walker->total = clscan_sub_groups_scan(zone->scratch, clscan_rows_scan(false, &tile, zone, valid),
                                               clscan_parts(valid), &tile.left);
        if (clscan_leads()) {
            clscan_publish_total(&walker->chain, own, walker->tag, walker->total);
            if (walker->chain.flags & CLSCAN_FLAG_IN_PLACE)
                clscan_device_fence();
            clscan_tell_drawn(walker);
        }
        prefix = clscan_settle(walker, &after, &spent);
        if (CLSCAN_EXCHANGE == 0 && spent) {
            clscan_rows_load_first(tile.rows, CLSCAN_IN_CURSOR(walker, own), valid);
            (void)clscan_rows_scan(false, &tile, zone, valid);
        }
        clscan_rows_store(false, &tile, CLSCAN_OUT_CURSOR(walker, own), valid,
                          clscan_part_prefix(tile.left, valid, prefix));
        walker->known = clscan_extend(prefix, walker->total);
        walker->from = own + 1;
        walker->own = walker->next;
        walker->next = after;
    }
}

/// Take part in a scan; `shifted` as for clscan_whole_tiles().
CLSCAN_FUNCTION void clscan_march(bool shifted, __local clscan_zone *zone, __local clscan_board *board,
                                  __global const CLSCAN_T *in, __global CLSCAN_T *out, ulong count, uint flags,
                                  CLSCAN_A initial, __global const CLSCAN_A *initial_at, __global CLSCAN_A *total_at,
                                  __global uchar *workspace, ulong control_bytes, ulong words_bytes)
{
    const bool possible = CLSCAN_CAN_SHIFT ? true : !shifted;
    bool fits;
    clscan_walker walker;

    walker.board = board;
    walker.zone = zone;
    walker.draw_word = (__global clscan_word *)(workspace + control_bytes);
    walker.head = clscan_head_count(in, count);
    walker.shift = clscan_to_multiple(CLSCAN_CURSOR(out, count, walker.head), sizeof(clscan_vector));
    fits = possible && (walker.shift > 0) == shifted && clscan_aligned(CLSCAN_CURSOR(in, count, walker.head));
    if (!fits)
        walker.head = 0;
    walker.count = count - walker.head;
    walker.in = CLSCAN_REVERSE ? in : in + walker.head;
    walker.out = CLSCAN_REVERSE ? out : out + walker.head;
    walker.whole = fits ? (uint)(walker.count / CLSCAN_TILE) : 0;
    clscan_chain_begin(&walker.chain, workspace, control_bytes, words_bytes, (uint)clscan_tiles(walker.count), flags,
                       initial, initial_at);
    walker.known = walker.chain.initial;

    clscan_set_out(&walker);
    if (possible && CLSCAN_MUST_RUN(walker.own < walker.whole)) {
        clscan_tile tile;

        clscan_first_tile(&walker, &tile);
        clscan_whole_tiles(shifted, &walker, &tile);
    }
    clscan_last_tiles(&walker);
    if (clscan_leads() && walker.from == walker.chain.ranges)
        clscan_store_total(flags, total_at, walker.known);
}

// Two kernels: registers that storing shifted vectors takes would not be there for all the other work.
#if CLSCAN_REGISTER_BOUND == 0
#define CLSCAN_KERNEL __kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
#else
#define CLSCAN_KERNEL __kernel
#endif

/// Arguments as for the kernel of chained.cl; one word value per tile. For runs in which the vectors of input and output
/// begin alike; right for others, but then element by element.
CLSCAN_KERNEL
void clscan_waiting(__global const CLSCAN_T *in, ulong in_offset, __global CLSCAN_T *out, ulong out_offset, ulong count,
                    uint flags, CLSCAN_A initial, __global const CLSCAN_A *initial_at, ulong initial_offset,
                    __global CLSCAN_A *total_at, ulong total_offset, __global uchar *workspace, ulong control_bytes,
                    ulong words_bytes, uint epoch_argument)
{
    __local clscan_zone zone;
    __local clscan_board board;

    clscan_march(false, &zone, &board, in + in_offset, out + out_offset, count, flags, initial,
                 initial_at + initial_offset, total_at + total_offset, workspace, control_bytes, words_bytes);
}

/// The same for runs in which they do not.
CLSCAN_KERNEL
void clscan_waiting_shifted(__global const CLSCAN_T *in, ulong in_offset, __global CLSCAN_T *out, ulong out_offset,
                            ulong count, uint flags, CLSCAN_A initial, __global const CLSCAN_A *initial_at,
                            ulong initial_offset, __global CLSCAN_A *total_at, ulong total_offset,
                            __global uchar *workspace, ulong control_bytes, ulong words_bytes, uint epoch_argument)
{
    __local clscan_zone zone;
    __local clscan_board board;

    clscan_march(true, &zone, &board, in + in_offset, out + out_offset, count, flags, initial,
                 initial_at + initial_offset, total_at + total_offset, workspace, control_bytes, words_bytes);
}
