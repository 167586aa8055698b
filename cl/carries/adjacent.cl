// Carry `adjacent`: a range of tiles waits for the prefix of its predecessor, extends it by its own total and publishes
// it before it scans itself (StreamScan, figures 4 and 5). One launch.
//
// No wait is unbounded. When CLSCAN_POLL_LIMIT polls are spent, the work-group goes back to the last published
// prefix and reduces the ranges after it from the input, with the code and so in the order of their owners: the
// bits agree. In place, an owner overwrites its input, but only after it has published and passed a fence; the
// work-group that recomputes fences after reading, looks again, and drops its sum where the owner has published.
//
// The limit is for each range that is missing. So where one owner is held up, its successor reduces that one range, and
// those behind wait for it, in place of all reducing the same ranges: on many cores that would cost more than the wait.
//
// Required of the host:
//   CLSCAN_HOLD_INTERVAL  test mode: every n-th range holds its prefix back until its successor has done without, and
//                         publishes it only if it must (in place); 0 otherwise
//   CLSCAN_HOLD_POLLS     how long it does so at most
#if !defined(CLSCAN_HOLD_INTERVAL) || !defined(CLSCAN_HOLD_POLLS)
#error "CLSCAN_HOLD_INTERVAL and CLSCAN_HOLD_POLLS must be defined"
#endif

// What item 0 decides and all items act on, handed over in local memory across a barrier.
typedef struct clscan_decision {
    clscan_turn turn;
    clscan_prefix prefix; // what precedes the range `next`
    uint next;            // the range to reduce now
    uint done;            // 1: `prefix` precedes the own range, which is loaded
} clscan_decision;

CLSCAN_FUNCTION void clscan_publish_prefix(const clscan_chain *chain, uint range, clscan_word tag, clscan_sum value)
{
#if CLSCAN_HOLD_INTERVAL > 0
    if (range % CLSCAN_HOLD_INTERVAL == CLSCAN_HOLD_INTERVAL - 1 && range + 1 < chain->ranges) {
        clscan_sum ignored;
        for (uint poll = 0; poll < CLSCAN_HOLD_POLLS; ++poll)
            if (clscan_published(chain->words, range + 1, tag, &ignored))
                break;
        if ((chain->flags & CLSCAN_FLAG_IN_PLACE) == 0)
            return;
    }
#endif
    clscan_publish(chain->words, range, tag, value);
    // In place, nobody may see this range overwritten and still find it unpublished.
    if (chain->flags & CLSCAN_FLAG_IN_PLACE)
        clscan_device_fence();
}

// Item 0 after the own range was reduced for the first time: wait for the prefix, or prepare to recompute it.
CLSCAN_FUNCTION void clscan_first_decision(__local clscan_decision *decision, const clscan_chain *chain,
                                           clscan_sum own_total)
{
    const uint own = decision->turn.own;
    const clscan_word tag = decision->turn.tag;
    clscan_prefix prefix = chain->initial;

    decision->done = 1;
    if (own > 0) {
        prefix.present = true;
        bool published = clscan_await(chain, own - 1, tag, &prefix.value);
        for (uint waits = 1; !published; ++waits) {
            uint from = own - 1;
            while (from > 0 && !clscan_published(chain->words, from - 1, tag, &prefix.value))
                --from;
            if (own - from <= waits) {
                clscan_count_event(chain->report, CLSCAN_EVENT_RECOMPUTED);
                decision->done = 0;
                decision->next = from;
                decision->prefix = from > 0 ? prefix : chain->initial;
                return;
            }
            published = clscan_poll(chain, own - 1, tag, &prefix.value);
        }
    }
    clscan_publish_prefix(chain, own, tag, clscan_extend(prefix, own_total).value);
    decision->prefix = prefix;
}

// Item 0 after a missing range was reduced: extend the prefix by it, unless its owner has published meanwhile.
CLSCAN_FUNCTION void clscan_next_decision(__local clscan_decision *decision, const clscan_chain *chain,
                                          clscan_sum missing_total, clscan_sum own_total)
{
    clscan_prefix prefix = clscan_extend(decision->prefix, missing_total);
    clscan_sum published;

    clscan_device_fence();
    if (clscan_published(chain->words, decision->next, decision->turn.tag, &published)) {
        clscan_count_event(chain->report, CLSCAN_EVENT_DISCARDED);
        prefix.value = published;
    }
    decision->prefix = prefix;
    if (++decision->next == decision->turn.own)
        clscan_publish_prefix(chain, decision->turn.own, decision->turn.tag, clscan_extend(prefix, own_total).value);
}

/// Load the range `own`, learn what precedes it, and publish the prefix that follows it.
///
/// loaded   the range was loaded already, and *total is its total
/// total    receives the range's total; for item 0
/// returns what precedes the range, to every work-item. The range is loaded. `decision` may be changed after a
/// barrier.
CLSCAN_FUNCTION clscan_prefix clscan_settle(const clscan_chain *chain, clscan_tile *tile, __local clscan_zone *zone,
                                            __local clscan_decision *decision, clscan_source in, ulong count, uint own,
                                            bool loaded, clscan_sum *total)
{
    const bool leader = get_local_id(0) == 0;
    bool done = false;
    uint next = own;

    // One pass as a rule. A spent wait adds one for each missing range and one to load the own one again.
    for (uint step = 0; CLSCAN_TOGETHER(!done && step < own + 2); ++step) {
        const clscan_sum reduced =
            clscan_range_total_unless(step == 0 && loaded, *total, tile, zone, in, count, next);

        if (leader) {
            if (step == 0) {
                *total = reduced;
                clscan_first_decision(decision, chain, reduced);
            } else if (next == own) {
                decision->done = 1;
            } else {
                clscan_next_decision(decision, chain, reduced, *total);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        // The decision is read before item 0 may change it in the next pass: it does so after the barriers of
        // clscan_range_total().
        done = decision->done != 0;
        next = decision->next;
    }
    if (leader && !done)
        (void)atomic_inc((volatile __global uint *)chain->report + CLSCAN_EVENT_FAILURE);
    return decision->prefix;
}
