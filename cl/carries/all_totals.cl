// Carry `all_totals`: a work-group has one tile. It publishes the tile's total, and nothing else, and
// combines the totals of all tiles before it, a window of as many as it has work-items at once. What that reads grows
// with the square of the tiles, so this is for few; carries/lookahead.cl is for many. 2N memory traffic, one
// launch, and the same bits in every run.
//
// A work-group waits only for tiles before its own, and has published its own by then. No wait is unbounded: where
// polls are spent, the work-group reduces the missing tile from the input with the code of its owner, and looks on
// behind it.

#define CLSCAN_NONE 0xffffffffu

// What work-items hand each other in local memory, each across a barrier.
typedef struct clscan_decision {
    clscan_turn turn;
    clscan_sum window[CLSCAN_SCRATCH];
    clscan_sum value; // of the tile that was recomputed
    uint missing;   // the first tile for which a wait was spent
} clscan_decision;

/// Extend *prefix by the totals of the tiles *first .. end - 1, up to the first that is missing, which *first receives.
/// Passes at least one barrier.
///
/// patient   wait for what is missing
/// stand_in  for a value that nobody has published; combined if the operator takes anything
CLSCAN_FUNCTION void clscan_look_ahead(const clscan_chain *chain, __local clscan_decision *decision, bool patient,
                                       uint end, clscan_sum stand_in, uint *first, clscan_prefix *prefix)
{
    const uint lid = (uint)get_local_id(0);
    const clscan_word tag = decision->turn.tag;

    for (;;) {
        const uint items = min(end - *first, (uint)CLSCAN_WORK_GROUP_SIZE), tile = *first + lid;
        clscan_sum value = stand_in, window;
        uint operands = items, missing;

        if (lid < items && !(patient ? clscan_await(chain, tile, tag, &value)
                                     : clscan_published(chain->words, tile, tag, &value))) {
            value = stand_in;
            (void)atomic_min(&decision->missing, tile);
        }
        clscan_operands_meet();
        if (!CLSCAN_TAKES_ANYTHING && decision->missing < *first + items)
            operands = 0;
        window = clscan_group_total(decision->window, value, max(operands, 1u));
        missing = decision->missing;
        if (missing < *first + items) {
            end = missing;
        } else {
            if (items > 0)
                *prefix = clscan_extend(*prefix, window);
            *first += items;
            if (*first == end)
                return;
        }
        // The next window overwrites what slower work-items still read.
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// Item 0: publish the own tile's total.
CLSCAN_FUNCTION void clscan_publish_own(const clscan_chain *chain, __local const clscan_decision *decision, uint own,
                                        clscan_sum total)
{
    clscan_publish_total(chain, own, decision->turn.tag, total);
    // In place, nobody may see this tile overwritten and still find it unpublished.
    if (chain->flags & CLSCAN_FLAG_IN_PLACE)
        clscan_device_fence();
}

// Load a tile as its owner does, and return its total.
CLSCAN_FUNCTION clscan_sum clscan_owner_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in,
                                              clscan_sink out, ulong count, ulong index)
{
#if CLSCAN_TILE_HAS_WHOLE
    clscan_source cursor = CLSCAN_CURSOR(in, count, index * CLSCAN_TILE);

    if (clscan_whole_fits(cursor, CLSCAN_CURSOR(out, count, index * CLSCAN_TILE), clscan_valid(count, index))) {
        const clscan_sum total = clscan_whole_total(tile, zone, cursor);
        clscan_whole_scan(tile, zone);
        return total;
    }
#endif
    return clscan_range_total(tile, zone, in, count, index);
}

/// Load the tile `own`, publish its total, and learn what precedes it.
///
/// published  that is done, as far as no wait was spent: *prefix precedes the tile `first`, which is missing
/// total      receives the tile's total, unless it is published
/// prefix     what precedes the first tile; receives what precedes the own one, the same for all work-items
CLSCAN_FUNCTION void clscan_settle(const clscan_chain *chain, clscan_tile *tile, __local clscan_zone *zone,
                                   __local clscan_decision *decision, clscan_source in, clscan_sink out, ulong count,
                                   uint own, bool published, uint first, clscan_sum *total, clscan_prefix *prefix)
{
    const bool leader = get_local_id(0) == 0;
    uint next = published ? first : own, held = CLSCAN_NONE;

    // One pass as a rule. Spent waits add one for each missing tile, and one to load the own tile again.
    for (ulong step = 0; CLSCAN_TOGETHER((first != own || held != own) && step < (ulong)own + 2); ++step) {
        const bool patient = !published;
        const clscan_sum reduced = clscan_owner_total(tile, zone, in, out, count, next);

        held = next;
        if (!published) {
            *total = reduced;
            if (leader)
                clscan_publish_own(chain, decision, own, reduced);
            published = true;
        } else if (first != own) {
            clscan_device_fence();
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            if (leader) {
                decision->value = clscan_look_again(chain, first, decision->turn.tag, reduced);
                decision->missing = CLSCAN_NONE;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            *prefix = clscan_extend(*prefix, decision->value);
            ++first;
        }
        if (first != own || patient)
            clscan_look_ahead(chain, decision, patient, own, reduced, &first, prefix);
        next = first;
    }
}

/// The workspace is that of the kernel of carries/chained.cl.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_waiting(CLSCAN_RUN_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_word *draw_word = (__global clscan_word *)(workspace + run.control_bytes);
    __local clscan_zone zone;
    __local clscan_decision decision;
    const bool leader = get_local_id(0) == 0;
    clscan_source source;
    clscan_sink sink;
    clscan_chain chain;
    clscan_sum total = CLSCAN_NO_SUM;
    clscan_prefix prefix;
    bool published = false, finished = false;
    ulong count = run.count;
    uint own, first = 0;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    clscan_chain_begin(&chain, &run, initial_at, workspace, CLSCAN_LAUNCHED_RANGES(count));
    prefix = chain.initial;
    source = CLSCAN_SOURCE(in, run.in_offset);
    sink = CLSCAN_SINK(out, run.out_offset);

#if CLSCAN_COUNT_BYTES > 0
    // As many draw as there are ranges.
    if (get_group_id(0) >= chain.ranges) {
        if (get_global_id(0) == 0)
            clscan_store_total(run.flags, total_at + run.total_offset, chain.initial);
        return;
    }
#endif
    if (leader) {
        decision.turn.own = 0;
        if (!CLSCAN_IS_ALONE(chain.ranges))
            clscan_take_range(&decision.turn, draw_word, run.epoch, chain.ranges);
        decision.missing = CLSCAN_NONE;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    own = decision.turn.own;

#if CLSCAN_TILE_HAS_WHOLE
    // As a rule it ends here. What this shared with the general way below would take registers, and its
    // instructions would not follow each other: each is fetched for a single use.
    {
        clscan_source from = CLSCAN_CURSOR(source, count, (ulong)own * CLSCAN_TILE);
        clscan_sink to = CLSCAN_CURSOR(sink, count, (ulong)own * CLSCAN_TILE);

        if (clscan_whole_fits(from, to, clscan_valid(count, own))) {
            clscan_tile tile;

            total = clscan_whole_total(&tile, &zone, from);
            if (leader)
                clscan_publish_own(&chain, &decision, own, total);
            published = true;
            clscan_whole_scan(&tile, &zone);
            clscan_look_ahead(&chain, &decision, true, own, total, &first, &prefix);
            finished = first == own;
            if (finished)
                clscan_whole_finish(&tile, &zone, to, prefix);
        }
    }
#endif
    if (!finished) {
        clscan_tile tile;

        clscan_settle(&chain, &tile, &zone, &decision, source, sink, count, own, published, first, &total, &prefix);
        clscan_range_finish(&tile, &zone, source, sink, count, own, prefix, run.flags);
    }
    if (leader && own == chain.ranges - 1)
        clscan_store_total(run.flags, total_at + run.total_offset, clscan_extend(prefix, total));
}
