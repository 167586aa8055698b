// Carry `lookahead` in orders that give a work-group one tile: it publishes the tile's total, and nothing else, and
// combines the totals of all tiles before it, a window of as many as it has work-items at once. What that reads grows
// with the square of the tiles, so this is for few; carry_lookahead_persistent.cl is for many. 2N memory traffic, one
// launch, and the same bits in every run.
//
// A work-group waits only for tiles before its own, and has published its own by then. No wait is unbounded: where
// polls are spent, the work-group reduces the missing tile from the input with the code of its owner, and looks on
// behind it.

#define CLSCAN_NONE 0xffffffffu

// What work-items hand each other in local memory, each across a barrier.
typedef struct clscan_decision {
    clscan_turn turn;
    CLSCAN_A window[CLSCAN_SCRATCH];
    CLSCAN_A value; // of the tile that was recomputed
    uint missing;   // the first tile for which a wait was spent
} clscan_decision;

/// Extend *prefix by the totals of the tiles *first .. end - 1, up to the first that is missing, which *first receives.
/// Passes at least one barrier.
///
/// patient   wait for what is missing
/// stand_in  a value that may be combined where none was published
CLSCAN_FUNCTION void clscan_look_ahead(const clscan_chain *chain, __local clscan_decision *decision, bool patient,
                                       uint end, CLSCAN_A stand_in, uint *first, clscan_prefix *prefix)
{
    const uint lid = (uint)get_local_id(0);
    const clscan_word tag = decision->turn.tag;

    for (;;) {
        const uint items = min(end - *first, (uint)CLSCAN_WORK_GROUP_SIZE), tile = *first + lid;
        CLSCAN_A value = stand_in, window;
        uint missing;

        if (lid < items && !(patient ? clscan_await(chain, tile, tag, &value)
                                     : clscan_published(chain->words, tile, tag, &value))) {
            value = stand_in;
            (void)atomic_min(&decision->missing, tile);
        }
        window = clscan_group_total(decision->window, value, max(items, 1u));
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

/// Load the tile `own`, publish its total, and learn what precedes it.
///
/// total    receives the tile's total; has it if the tile is loaded
/// returns  what precedes the tile, to every work-item
CLSCAN_FUNCTION clscan_prefix clscan_settle(const clscan_chain *chain, clscan_tile *tile, __local clscan_zone *zone,
                                            __local clscan_decision *decision, __global const CLSCAN_T *in, ulong count,
                                            uint own, bool loaded, CLSCAN_A *total)
{
    const bool leader = get_local_id(0) == 0;
    clscan_prefix prefix = chain->initial;
    uint first = 0, next = own;

    if (leader)
        decision->missing = CLSCAN_NONE;
    // One pass as a rule. Spent waits add one for each missing tile, and one to load the own tile again.
    for (ulong step = 0; step < (ulong)own + 2; ++step) {
        const CLSCAN_A reduced = step == 0 && loaded ? *total : clscan_range_total(tile, zone, in, count, next);

        if (step > 0 && first == own)
            break;
        if (step == 0) {
            *total = reduced;
            if (leader) {
                clscan_publish_total(chain, own, decision->turn.tag, reduced);
                // In place, nobody may see this tile overwritten and still find it unpublished.
                if (chain->flags & CLSCAN_FLAG_IN_PLACE)
                    clscan_device_fence();
            }
        } else {
            clscan_device_fence();
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            if (leader) {
                decision->value = clscan_look_again(chain, first, decision->turn.tag, reduced);
                decision->missing = CLSCAN_NONE;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            prefix = clscan_extend(prefix, decision->value);
            ++first;
        }
        clscan_look_ahead(chain, decision, step == 0, own, reduced, &first, &prefix);
        if (step == 0 && first == own)
            break;
        next = first;
    }
    return prefix;
}
