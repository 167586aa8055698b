// Totals of tiles that work-groups publish for each other, in the carries `lookahead` and `all_totals`, and
// what becomes of those that nobody has published.
//
// Required of the host:
//   CLSCAN_HOLD_INTERVAL  test mode: the total of every n-th tile is not published (out of place), or only after
//                         somebody did without (in place); 0 otherwise
//   CLSCAN_HOLD_POLLS     how long it is held at most
#if !defined(CLSCAN_HOLD_INTERVAL) || !defined(CLSCAN_HOLD_POLLS)
#error "CLSCAN_HOLD_INTERVAL and CLSCAN_HOLD_POLLS must be defined"
#endif

// Nobody waits for the last one.
CLSCAN_FUNCTION void clscan_publish_total(const clscan_chain *chain, uint tile, clscan_word tag, clscan_sum total)
{
    if (tile + 1 == chain->ranges)
        return;
#if CLSCAN_HOLD_INTERVAL > 0
    if (tile % CLSCAN_HOLD_INTERVAL == CLSCAN_HOLD_INTERVAL - 1 && tile + 1 < chain->ranges) {
        volatile __global uint *recomputed = (volatile __global uint *)chain->report + CLSCAN_EVENT_RECOMPUTED;
        const uint before = *recomputed;
        if ((chain->flags & CLSCAN_FLAG_IN_PLACE) == 0)
            return;
        for (uint poll = 0; poll < CLSCAN_HOLD_POLLS && atomic_add(recomputed, 0) == before; ++poll)
            ;
    }
#endif
    clscan_publish(chain->words, tile, tag, total);
}

// Between waiting for totals and combining them, where one that is missing must not be stood in for: all work-items
// learn then whether one is.
#if CLSCAN_TAKES_ANYTHING
#define clscan_operands_meet()
#else
#define clscan_operands_meet() barrier(CLK_LOCAL_MEM_FENCE)
#endif

/// The total of a tile that nobody had published when its input was read: `recomputed`, or what was published
/// meanwhile. Called by one work-item, behind a fence at device scope and a barrier: in place, the owner overwrites the
/// tile, but only after it has published and passed a fence.
CLSCAN_FUNCTION clscan_sum clscan_look_again(const clscan_chain *chain, uint tile, clscan_word tag,
                                             clscan_sum recomputed)
{
    clscan_sum published;

    clscan_count_event(chain->report, CLSCAN_EVENT_RECOMPUTED);
    if (!clscan_published(chain->words, tile, tag, &published))
        return recomputed;
    clscan_count_event(chain->report, CLSCAN_EVENT_DISCARDED);
    return published;
}
