// Carry `lookahead`, in the order `persistent`: every tile publishes its own total, and nothing else. Each of a bounded
// number of work-groups combines the totals since its previous tile, all work-items at once, so there is no chain from
// tile to tile; and it publishes its next tile's total before it waits for what precedes this one, so that totals are
// there long before anybody needs them. 2N memory traffic, one launch. How totals are looked for, and recomputed, is in
// carries/settle_prefix.cl or, in the reproducible order, in reproducible/settle_nodes.cl; the kernels are in
// carries/lookahead_kernels.cl and, for rows, in rows/joined.cl.
//
// A work-group waits only for tiles before its own. Of the tiles that are not published, the first one's owner waits
// for none of them; so all go on as long as work-groups that have started do. No wait is unbounded: when polls are
// spent, the work-group goes through the tiles one by one and reduces those that are missing from the input, in the
// order of memory.

#ifndef CLSCAN_FETCHES
#define CLSCAN_FETCHES 0
#endif
#ifndef CLSCAN_GATHERS_EARLY
#define CLSCAN_GATHERS_EARLY 0
#define CLSCAN_GATHERS_AHEAD 0
#endif

#define CLSCAN_IN_CURSOR(walker, index) CLSCAN_CURSOR((walker)->in, (walker)->count, (ulong)(index) * CLSCAN_TILE)
#define CLSCAN_OUT_CURSOR(walker, index) CLSCAN_CURSOR((walker)->out, (walker)->count, (ulong)(index) * CLSCAN_TILE)

// Item 0: the tile of the draw that has begun.
CLSCAN_FUNCTION uint clscan_drawn(const clscan_walker *walker)
{
    return clscan_draw_again_end(walker->draw_word, walker->drawn, walker->chain.ranges);
}

/// Draw the first tile, and begin to draw the second.
CLSCAN_FUNCTION void clscan_set_out(clscan_walker *walker)
{
    __local clscan_notice *notice = &walker->board->notice;

    if (clscan_leads()) {
        notice->tag = 0;
        notice->missing = 0;
        notice->spent = 0;
        if (!CLSCAN_IS_ALONE(walker->chain.ranges)) {
            const clscan_word first = clscan_draw_begin(walker->draw_word);

            notice->tag = clscan_tag((uint)(first >> CLSCAN_TICKET_BITS));
            notice->missing = clscan_draw_end(walker->draw_word, first, walker->chain.ranges);
        }
        walker->drawn = clscan_draw_again_begin(walker->draw_word, walker->chain.ranges);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    walker->from = 0;
    walker->own = notice->missing;
    walker->tag = notice->tag;
}

/// Learn which tile is the second. It was drawn behind the first and not beside it: so the tiles before a work-group's
/// first are first tiles too, whose totals are there soon, and hardly ever second ones, which are published late.
CLSCAN_FUNCTION void clscan_take_second(clscan_walker *walker)
{
    if (clscan_leads())
        walker->board->notice.drawn = clscan_drawn(walker);
    barrier(CLK_LOCAL_MEM_FENCE);
    walker->next = walker->board->notice.drawn;
}

/// What precedes the tile `own`, whatever it takes. Passes at least one barrier.
///
/// spent  whether a wait was before; receives whether one was
CLSCAN_FUNCTION clscan_prefix clscan_settle(clscan_walker *walker, const clscan_peeked *peeked, bool *spent)
{
    clscan_prefix prefix = walker->chain.initial, known;

    if (CLSCAN_MUST_RUN(!*spent))
        prefix = clscan_look_ahead(walker, peeked, spent);
    if (CLSCAN_MUST_RUN(*spent)) {
        known = clscan_recompute(walker, *spent);
        if (*spent)
            prefix = known;
    }
    return prefix;
}

/// Load the first tile, if it is whole, and publish its total. Learn which tile is the second.
CLSCAN_FUNCTION void clscan_first_tile(clscan_walker *walker, clscan_ahead_tile *tile)
{
    const bool present = walker->own < walker->whole, with_head = walker->own == 0 && walker->head > 0;
    clscan_source behind = CLSCAN_IN_CURSOR(walker, 0);
    clscan_sum part, total;

#if CLSCAN_LANES_IN_TURN
    clscan_turn_load(tile, CLSCAN_IN_CURSOR(walker, walker->own));
#else
    clscan_rows_load_if(present, tile->rows, CLSCAN_IN_CURSOR(walker, present ? walker->own : 0));
#endif
    clscan_take_second(walker);
#if CLSCAN_LANDING_ZONES > 0
    if (walker->next < walker->whole)
        clscan_ahead_begin(tile, walker->zone, CLSCAN_IN_CURSOR(walker, walker->next));
#endif
#if CLSCAN_LANES_IN_TURN
    part = clscan_turn_part(tile, walker->zone, CLSCAN_IN_CURSOR(walker, walker->own));
#else
    part = clscan_rows_scan_if(present, tile, walker->zone);
#endif
    total = clscan_parts_combine(walker->zone->scratch, part, clscan_tile_or_none(present), &tile->left);
    clscan_park(walker->total, total);
    if (clscan_leads() && present)
        clscan_publish_total(&walker->chain, walker->own, walker->tag,
                             with_head ? clscan_with_head(behind, walker->head, total) : total);
    if (with_head)
        clscan_know(walker, clscan_head_extend(walker->chain.initial, behind, walker->head));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (clscan_leads() && with_head) {
        if (walker->chain.flags & CLSCAN_FLAG_IN_PLACE)
            clscan_device_fence();
        clscan_head_store(behind, CLSCAN_OUT_CURSOR(walker, 0), walker->head, walker->chain.initial);
    }
    walker->chain.initial = clscan_known(walker);
}

/// Whole tiles, each with the next one on its way: a work-group publishes the next tile's total, learns what precedes
/// its own one, and scans that.
///
/// Returns whether a wait was spent. Then the tile `own` and the next one are published, and the one after that is
/// drawn; what recomputes totals is not here, where it would cost registers in every round. Where shuffles pass
/// barriers it is, since the loop must not be left between them, and false is returned.
///
/// shifted  a constant: the output's vectors begin elsewhere than the input's
CLSCAN_FUNCTION bool clscan_whole_tiles(bool shifted, clscan_walker *walker, clscan_ahead_tile *tile)
{
    __local clscan_sum *scratch = walker->zone->scratch, *parts = clscan_sub_group_values(scratch);
    const uint whole = walker->whole;
    clscan_parked left, next_left, next_total;

    clscan_parked_begin(left, walker->board, CLSCAN_PARKED_LEFT);
    clscan_parked_begin(next_left, walker->board, CLSCAN_PARKED_NEXT_LEFT);
    clscan_parked_begin(next_total, walker->board, CLSCAN_PARKED_NEXT_TOTAL);
    clscan_park(left, tile->left);
    while (CLSCAN_TOGETHER(walker->own < whole)) {
        const uint own = walker->own, next = walker->next;
        clscan_sum part = clscan_stand_in(walker), sum, before;
        clscan_peeked peeked;
        clscan_prefix prefix;
        uint after;
        bool spent = false;
#if CLSCAN_LANDING_ZONES == 0
        // Taken below also where none comes and nobody looks at it: NVIDIA's compiler would choose for each register.
        // By a pointer: other compilers would say that it may not be set.
        clscan_tile room, *coming = &room;
#elif CLSCAN_LANES_IN_TURN
        clscan_sum base = CLSCAN_NO_SUM;
#endif

        clscan_enter_row(walker);
        if (clscan_leads())
            walker->drawn = clscan_draw_again_begin(walker->draw_word, walker->chain.ranges);
#if CLSCAN_GATHERS_AHEAD
        // What the tile holds makes room for the next one while that is on its way.
        clscan_requested requested;

        if (CLSCAN_MUST_RUN(next < whole))
            clscan_rows_request(&requested, CLSCAN_IN_CURSOR(walker, next < whole ? next : 0));
        clscan_rows_gather(tile, walker->zone, CLSCAN_OUT_CURSOR(walker, own));
#endif
        if (CLSCAN_MUST_RUN(next < whole)) {
#if CLSCAN_LANES_IN_TURN
            part = clscan_turn_landed(tile, walker->zone, CLSCAN_IN_CURSOR(walker, next), &base);
#elif CLSCAN_LANDING_ZONES > 0
            part = clscan_landed_part(walker->zone);
#elif CLSCAN_GATHERS_AHEAD
            clscan_rows_receive(coming->rows, &requested, CLSCAN_IN_CURSOR(walker, next < whole ? next : 0));
            part = clscan_rows_scan_if(next < whole, coming, walker->zone);
#else
            clscan_rows_load_if(next < whole, coming->rows, CLSCAN_IN_CURSOR(walker, next < whole ? next : 0));
            part = clscan_rows_scan_if(next < whole, coming, walker->zone);
#endif
        }
        clscan_sub_group_put(parts, part, clscan_end_lane(CLSCAN_SUB_GROUP_SIZE));
        if (clscan_leads())
            walker->board->notice.drawn = clscan_drawn(walker);
        barrier(CLK_LOCAL_MEM_FENCE);
        clscan_peek(walker, &peeked);
        sum = clscan_parts_scan(scratch, parts, clscan_tile_or_none(next < whole), &before);
        clscan_park(next_total, sum);
        clscan_park(next_left, before);
        if (clscan_leads() && next < whole)
            clscan_publish_total(&walker->chain, next, walker->tag, sum);
        clscan_guard_published(&walker->chain);
        after = walker->board->notice.drawn;
#if CLSCAN_FETCHES
        if (after < whole)
            clscan_tile_fetch(CLSCAN_IN_CURSOR(walker, after));
#endif
#if CLSCAN_GATHERS_EARLY && !CLSCAN_GATHERS_AHEAD
        clscan_rows_gather(tile, walker->zone, CLSCAN_OUT_CURSOR(walker, own));
#endif
#if CLSCAN_EXCHANGE > 0
        prefix = clscan_settle(walker, &peeked, &spent);
#else
        prefix = clscan_look_ahead(walker, &peeked, &spent);
        if (spent)
            return true;
#endif
#if CLSCAN_CAN_SHIFT && CLSCAN_LANES_IN_TURN
        if (shifted)
            clscan_turn_store_shifted(tile, walker->zone, CLSCAN_OUT_CURSOR(walker, own), walker->shift,
                                      clscan_part_prefix(scratch, clscan_parked_sum(left), CLSCAN_TILE, prefix),
                                      next < whole);
        else
#elif CLSCAN_CAN_SHIFT
        if (shifted)
            clscan_rows_store_shifted(tile, walker->zone, CLSCAN_OUT_CURSOR(walker, own), walker->shift,
                                      clscan_part_prefix(scratch, clscan_parked_sum(left), CLSCAN_TILE, prefix));
        else
#endif
#if CLSCAN_LANES_IN_TURN
            clscan_turn_store(false, tile, walker->zone, CLSCAN_OUT_CURSOR(walker, own),
                              clscan_part_prefix(scratch, clscan_parked_sum(left), CLSCAN_TILE, prefix), next < whole);
#elif CLSCAN_GATHERS_EARLY
            clscan_rows_leave(tile, walker->zone, CLSCAN_OUT_CURSOR(walker, own),
                              clscan_part_prefix(scratch, clscan_parked_sum(left), CLSCAN_TILE, prefix));
#else
            clscan_rows_store(true, tile, walker->zone, CLSCAN_OUT_CURSOR(walker, own), CLSCAN_TILE,
                              clscan_part_prefix(scratch, clscan_parked_sum(left), CLSCAN_TILE, prefix));
#endif
        clscan_pass(walker, clscan_parked_sum(left), CLSCAN_TILE, prefix);
        clscan_leave_row(walker);
#if CLSCAN_LANES_IN_TURN
        if (next < whole) {
            if (after < whole)
                clscan_ahead_begin(tile, walker->zone, CLSCAN_IN_CURSOR(walker, after));
            tile->bases[0] = base;
        }
#elif CLSCAN_LANDING_ZONES > 0
        if (next < whole) {
            clscan_landing_take(tile->rows, walker->zone);
            if (after < whole)
                clscan_ahead_begin(tile, walker->zone, CLSCAN_IN_CURSOR(walker, after));
            (void)clscan_rows_scan(true, tile, walker->zone, CLSCAN_TILE);
        }
#else
        *tile = *coming;
#endif
        clscan_park(left, clscan_parked_sum(next_left));
        clscan_park(walker->total, clscan_parked_sum(next_total));
        walker->own = next;
        walker->next = after;
    }
    return false;
}

/// The last tile, if elements of it are missing, or the only one, if it is not aligned; or all that are left where a
/// wait was spent, which clscan_whole_tiles() says.
CLSCAN_FUNCTION void clscan_last_tiles(clscan_walker *walker, bool spent)
{
    __local clscan_zone *zone = walker->zone;
    uint published = spent ? 2 : 0; // tiles, the next ones

    while (CLSCAN_TOGETHER(walker->own < walker->chain.ranges)) {
        const uint own = walker->own, valid = clscan_valid(walker->count, own);
        clscan_tile tile;
        clscan_peeked peeked;
        clscan_prefix prefix;
        clscan_sum total;
        uint after;

        clscan_enter_row(walker);
        if (clscan_leads() && !spent)
            walker->drawn = clscan_draw_again_begin(walker->draw_word, walker->chain.ranges);
        // Slower work-items still read the board and the zone.
        barrier(CLK_LOCAL_MEM_FENCE);
        total = clscan_any_tile_total(&tile, zone, CLSCAN_IN_CURSOR(walker, own), valid);
        clscan_park(walker->total, total);
        if (clscan_leads()) {
            if (published == 0)
                clscan_publish_total(&walker->chain, own, walker->tag, total);
            if (walker->chain.flags & CLSCAN_FLAG_IN_PLACE)
                clscan_device_fence();
            if (!spent)
                walker->board->notice.drawn = clscan_drawn(walker);
        }
        clscan_peek(walker, &peeked);
        prefix = clscan_settle(walker, &peeked, &spent);
        after = walker->board->notice.drawn;
#if CLSCAN_EXCHANGE == 0 && !CLSCAN_REREADS
        // Nothing of the tile is held while others are recomputed, which takes registers.
        if (spent) {
            clscan_rows_load_first(tile.rows, CLSCAN_IN_CURSOR(walker, own), valid);
            (void)clscan_rows_scan(false, &tile, zone, valid);
        }
#endif
        clscan_any_tile_finish(&tile, zone, CLSCAN_OUT_CURSOR(walker, own), valid, prefix);
        clscan_pass(walker, tile.left, valid, prefix);
        clscan_leave_row(walker);
        published = max(published, 1u) - 1;
        spent = false;
        walker->own = walker->next;
        walker->next = after;
    }
}

/// Set out to scan. Arguments as for the kernels below, `in` and `out` with their offsets, `count` as it was taken;
/// `shifted` as for clscan_whole_tiles().
CLSCAN_FUNCTION void clscan_walker_begin(clscan_walker *walker, bool shifted, __local clscan_zone *zone,
                                         __local clscan_board *board, clscan_source in, clscan_sink out, ulong count,
                                         const clscan_run *run, __global const CLSCAN_A *initial_at,
                                         __global uchar *workspace)
{
    bool fits;

    walker->board = board;
    walker->zone = zone;
    walker->draw_word = (__global clscan_word *)(workspace + run->control_bytes);
    // In the reproducible order tiles begin with the input, and so they do with rows.
    walker->head = CLSCAN_REPRODUCIBLE || CLSCAN_JOINS_ROWS ? 0 : clscan_head_count(in, count);
    walker->shift = clscan_to_multiple(CLSCAN_CURSOR(out, count, walker->head), sizeof(clscan_vector));
    fits = (CLSCAN_CAN_SHIFT || !shifted) && (walker->shift > 0) == shifted &&
           clscan_source_aligned(CLSCAN_CURSOR(in, count, walker->head));
#if !CLSCAN_PLAIN
    fits = fits && CLSCAN_AHEAD_ALIGNED(CLSCAN_CURSOR(out, count, 0));
#endif
    if (!fits)
        walker->head = 0;
    walker->count = count - walker->head;
#if CLSCAN_PLAIN
    walker->in = CLSCAN_REVERSE ? in : in + walker->head;
    walker->out = CLSCAN_REVERSE ? out : out + walker->head;
#else
    walker->in = in;
    walker->out = out;
#endif
    walker->whole = fits ? (uint)(walker->count / CLSCAN_TILE) : 0;
    clscan_chain_begin(&walker->chain, run, initial_at, workspace, (uint)clscan_tiles(walker->count));
    clscan_parked_begin(walker->total, board, CLSCAN_PARKED_TOTAL);
    clscan_parked_begin(walker->known_sum, board, CLSCAN_PARKED_KNOWN);
    clscan_know(walker, walker->chain.initial);
}

// Is a count in device memory so small that its one tile goes straight through? Most of what comes before and behind a
// tile is then left out: 2^12 int32 of at most 2^30 took 8.4 us on an H200, and take 7.3 (2026-11-29). Not where
// shuffles pass barriers, which must not stand under a condition.
#if CLSCAN_COUNT_BYTES > 0 && CLSCAN_EXCHANGE == 0 && !CLSCAN_REPRODUCIBLE && !CLSCAN_JOINS_ROWS
#define CLSCAN_IS_ONE_TILE(walker) ((walker)->chain.ranges == 1 && (walker)->head == 0)
#else
#define CLSCAN_IS_ONE_TILE(walker) false
#endif

/// The only tile. Nobody draws, publishes or waits.
CLSCAN_FUNCTION void clscan_one_tile(clscan_walker *walker)
{
    const clscan_prefix prefix = walker->chain.initial;
    const uint valid = clscan_valid(walker->count, 0);
    clscan_tile tile;

    clscan_park(walker->total, clscan_any_tile_total(&tile, walker->zone, CLSCAN_IN_CURSOR(walker, 0), valid));
    barrier(CLK_LOCAL_MEM_FENCE);
    clscan_any_tile_finish(&tile, walker->zone, CLSCAN_OUT_CURSOR(walker, 0), valid, prefix);
    walker->own = 0;
    clscan_pass(walker, tile.left, valid, prefix);
}

/// Take tiles until there are no more; `shifted` as for clscan_whole_tiles(). What depends on it must not decide about
/// barriers: for a compiler that does not optimize it is a variable.
CLSCAN_FUNCTION void clscan_march(bool shifted, clscan_walker *walker)
{
    bool spent = false;

    if (CLSCAN_IS_ONE_TILE(walker)) {
        clscan_one_tile(walker);
        return;
    }
    clscan_set_out(walker);
    if (CLSCAN_MUST_RUN(walker->own < walker->whole)) {
        clscan_ahead_tile tile;

        clscan_first_tile(walker, &tile);
        spent = clscan_whole_tiles(shifted, walker, &tile);
    } else {
        clscan_take_second(walker);
    }
    clscan_last_tiles(walker, spent);
}

/// The same where clscan_walker_begin() finds no whole tiles.
CLSCAN_FUNCTION void clscan_march_slowly(clscan_walker *walker)
{
    if (CLSCAN_IS_ONE_TILE(walker)) {
        clscan_one_tile(walker);
        return;
    }
    clscan_set_out(walker);
    clscan_take_second(walker);
    clscan_last_tiles(walker, false);
}
