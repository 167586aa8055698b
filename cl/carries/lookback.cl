// Carry `lookback`: a range of tiles publishes its total, looks back over what the ranges before it have published,
// until it meets a prefix, and then publishes its own prefix in the place of the total (Merrill and Garland's
// decoupled look-back). One launch. A window of as many ranges as the work-group has work-items is looked at at once;
// what is found is combined in the order of memory. Unlike in `adjacent`, a range that is late stops nobody who has
// published a total.
//
// No wait is unbounded. When CLSCAN_POLL_LIMIT looks at a window are spent, the work-group reduces the last range
// that has published nothing from the input, with the code of its owner, and looks on from there. In place, an owner
// overwrites its input, but only after it has published its prefix and passed a fence; who recomputes fences after
// reading, looks again, and takes what was published meanwhile.
//
// Required of the host:
//   CLSCAN_HOLD_INTERVAL  test mode: every n-th range publishes nothing (out of place), or only after its successor has
//                         published a prefix without it (in place); 0 otherwise
//   CLSCAN_HOLD_POLLS     how long it waits for that at most
#if !defined(CLSCAN_HOLD_INTERVAL) || !defined(CLSCAN_HOLD_POLLS)
#error "CLSCAN_HOLD_INTERVAL and CLSCAN_HOLD_POLLS must be defined"
#endif

// What work-items hand each other in local memory, each across a barrier.
typedef struct clscan_decision {
    clscan_turn turn;
    clscan_sum values[CLSCAN_WORK_GROUP_SIZE]; // what the ranges of a window have published,
    uchar states[CLSCAN_WORK_GROUP_SIZE];    // and as what
    // Places in the window, counted from 1, of the last range with a prefix and of the last one with nothing; 0: none.
    // Two sets by turns, since a slower work-item may still read the one before.
    uint prefixes[2];
    uint missing[2];
} clscan_decision;

CLSCAN_FUNCTION bool clscan_is_held(const clscan_chain *chain, uint range)
{
#if CLSCAN_HOLD_INTERVAL > 0
    return range % CLSCAN_HOLD_INTERVAL == CLSCAN_HOLD_INTERVAL - 1 && range + 1 < chain->ranges;
#else
    return false;
#endif
}

CLSCAN_FUNCTION void clscan_publish_prefix(const clscan_chain *chain, uint range, clscan_word tag, clscan_sum value)
{
    if (clscan_is_held(chain, range)) {
        clscan_sum ignored;
        for (uint poll = 0; poll < CLSCAN_HOLD_POLLS; ++poll)
            if (clscan_published(chain->words, range + 1, tag, &ignored))
                break;
        if ((chain->flags & CLSCAN_FLAG_IN_PLACE) == 0)
            return;
    }
    clscan_publish(chain->words, range, tag, value);
    // In place, nobody may see this range overwritten and still find it unpublished.
    if (chain->flags & CLSCAN_FLAG_IN_PLACE)
        clscan_device_fence();
}

/// Look once at the `items` ranges from `first` on. Passes two barriers.
///
/// turn     0 and 1 by turns
/// prefix   receives the place, counted from 1, of the last range that has published its prefix; 0 if there is none
/// missing  the same of the last range that has published nothing
CLSCAN_FUNCTION void clscan_look_at_window(const clscan_chain *chain, __local clscan_decision *decision, uint turn,
                                           uint first, uint items, uint *prefix, uint *missing)
{
    const uint lid = (uint)get_local_id(0);
    const clscan_word tag = decision->turn.tag;
    uint state = CLSCAN_STATE_PUBLISHED;

    if (lid < items) {
        clscan_sum value;
        const clscan_word found = clscan_look(chain->words, first + lid, &value);
        if (found != tag)
            state = found == clscan_total_tag(tag) ? CLSCAN_STATE_TOTAL : 0;
        decision->values[lid] = value;
        decision->states[lid] = (uchar)state;
    }
    if (lid == 0) {
        decision->prefixes[turn] = 0;
        decision->missing[turn] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // Ranges of one state lie side by side as a rule, so that only the last one of them has something to say.
    if (lid < items && state != CLSCAN_STATE_TOTAL && (lid + 1 == items || decision->states[lid + 1] != state))
        (void)atomic_max(state == 0 ? &decision->missing[turn] : &decision->prefixes[turn], lid + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    *prefix = decision->prefixes[turn];
    *missing = decision->missing[turn];
}

/// Extend `behind`, the combination of the ranges behind `end`, by those before it, until a prefix is met or the first
/// range is passed: then it precedes the own range. Ends sooner if a wait is spent: the range before `end` is missing
/// then.
///
/// recomputed  `total` is that of the range before `end`, in case it is still missing
/// total       a value that may be combined in any case
/// returns     whether no wait was spent, the same for all work-items
CLSCAN_FUNCTION bool clscan_look_back(const clscan_chain *chain, __local clscan_zone *zone,
                                      __local clscan_decision *decision, bool recomputed, clscan_sum total, uint *end,
                                      clscan_prefix *behind)
{
    const uint lid = (uint)get_local_id(0);
    bool met = false, waited = false, spent = false;
    uint turn = 0;

    while (CLSCAN_TOGETHER(*end > 0 && !met && !spent)) {
        const uint items = min(*end, (uint)CLSCAN_WORK_GROUP_SIZE);
        uint prefix, missing, from, usable, poll = 0;
        bool waits, stands_in;
        clscan_sum left, window;

        do {
            if (poll > 0)
                clscan_idle();
            clscan_look_at_window(chain, decision, turn, *end - items, items, &prefix, &missing);
            turn ^= 1;
            stands_in = recomputed && missing == items;
            waits = missing > prefix && !stands_in;
            waited = waited || waits;
        } while (waits && ++poll < CLSCAN_POLL_LIMIT);

        met = prefix > missing;
        spent = waits;
        from = met ? prefix - 1 : missing;
        usable = items - from;
        window = clscan_group_scan(zone->scratch, lid < usable ? decision->values[from + lid] : total, max(usable, 1u),
                                   &left);
        if (usable > 0 || stands_in) {
            behind->value = behind->present ? clscan_join(window, behind->value) : window;
            behind->present = true;
        }
        *end = *end - items + from - (stands_in ? 1 : 0);
        if (lid == 0 && recomputed && !stands_in)
            clscan_count_event(chain->report, CLSCAN_EVENT_DISCARDED);
        recomputed = false;
    }
    if (!met && !spent && chain->initial.present) {
        behind->value = behind->present ? clscan_join(chain->initial.value, behind->value) : chain->initial.value;
        behind->present = true;
    }
    if (lid == 0 && waited)
        clscan_count_event(chain->report, CLSCAN_EVENT_WAIT);
    if (lid == 0 && spent)
        clscan_count_event(chain->report, CLSCAN_EVENT_RECOMPUTED);
    return !spent;
}

/// Load the range `own`, learn what precedes it, and publish the prefix that follows it. As in carries/adjacent.cl.
CLSCAN_FUNCTION clscan_prefix clscan_settle(const clscan_chain *chain, clscan_tile *tile, __local clscan_zone *zone,
                                            __local clscan_decision *decision, clscan_source in, ulong count, uint own,
                                            bool loaded, clscan_sum *total)
{
    const bool leader = get_local_id(0) == 0;
    clscan_prefix behind;
    uint end = own, next = own, held = own;
    bool done = false;

    behind.value = CLSCAN_NO_SUM;
    behind.present = false;
    // One pass as a rule. Spent waits add one for each missing range, which can be missing no more than twice (while
    // its total is replaced by its prefix), and one to load the own range again.
    for (ulong step = 0; CLSCAN_TOGETHER((!done || held != own) && step < 2 * (ulong)own + 2); ++step) {
        const clscan_sum reduced =
            clscan_range_total_unless(step == 0 && loaded, *total, tile, zone, in, count, next);
        const bool again = done; // what precedes the own range is known, which is only loaded again

        held = next;
        if (CLSCAN_ANYWAY(!again)) {
            clscan_prefix found = behind;
            uint before = again ? 0 : end;

            if (step == 0) {
                *total = reduced;
                if (leader && own > 0 && !clscan_is_held(chain, own))
                    clscan_publish(chain->words, own, clscan_total_tag(decision->turn.tag), reduced);
            } else {
                clscan_device_fence();
            }
            // Also: slower work-items still read the zone.
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            done = clscan_look_back(chain, zone, decision, step > 0, reduced, &before, &found);
            if (!again) {
                end = before;
                behind = found;
            }
            if (leader && done && !again)
                clscan_publish_prefix(chain, own, decision->turn.tag, clscan_extend(behind, *total).value);
            // Also: in place, nobody stores before the prefix is published.
            barrier(CLK_LOCAL_MEM_FENCE);
            next = done ? own : end - 1;
        }
    }
    if (leader && !done)
        (void)atomic_inc((volatile __global uint *)chain->report + CLSCAN_EVENT_FAILURE);
    return behind;
}
