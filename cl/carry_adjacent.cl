// Carry `adjacent`: a range of tiles waits for the prefix of its predecessor, extends it by its own total and publishes
// it before it scans itself (StreamScan, figures 4 and 5). One launch. A range of one tile, StreamScan's form, stays on
// the chip between total and scan: 2N memory traffic. A longer one makes fewer work-groups wait for each other, and is
// read again for its scan, from a cache where the ranges of all running work-groups fit into one.
//
// No wait is unbounded. When CLSCAN_POLL_LIMIT polls are spent, the work-group goes back to the last published
// prefix and reduces the ranges after it from the input, with the code and so in the order of their owners: the
// bits agree. In place, an owner overwrites its input, but only after it has published and passed a fence; the
// work-group that recomputes fences after reading, looks again, and drops its sum where the owner has published.
//
// Required of the host:
//   CLSCAN_TILES_PER_WORK_GROUP  tiles of a range
//   CLSCAN_POLL_DELAY     steps of an idle loop between two polls
//   CLSCAN_POLL_LIMIT     polls before a wait is spent, at least 1
//   CLSCAN_HOLD_INTERVAL  test mode: every n-th range holds its prefix back until its successor has done without, and
//                         publishes it only if it must (in place); 0 otherwise
//   CLSCAN_HOLD_POLLS     how long it does so at most
//   CLSCAN_COUNT_EVENTS   1 to count waits and recomputations
#if !defined(CLSCAN_POLL_LIMIT) || !defined(CLSCAN_HOLD_INTERVAL) || !defined(CLSCAN_COUNT_EVENTS)
#error "CLSCAN_POLL_LIMIT, CLSCAN_HOLD_INTERVAL and CLSCAN_COUNT_EVENTS must be defined"
#endif

// Where the report begins behind the draw word, and its counters, in the order of clscan_report.
#define CLSCAN_REPORT_BYTES 64
#define CLSCAN_EVENT_FAILURE 0
#define CLSCAN_EVENT_WAIT 1
#define CLSCAN_EVENT_RECOMPUTED 2
#define CLSCAN_EVENT_DISCARDED 3
#if CLSCAN_COUNT_EVENTS
#define clscan_count_event(report, event) ((void)atomic_inc((volatile __global uint *)(report) + (event)))
#else
#define clscan_count_event(report, event)
#endif

// What item 0 decides and all items act on, handed over in local memory across a barrier.
typedef struct clscan_decision {
    clscan_prefix prefix; // what precedes the range `next`
    clscan_word tag;
    uint own;  // this work-group's range
    uint next; // the range to reduce now
    uint done; // 1: `prefix` precedes the own range, which is loaded
} clscan_decision;

CLSCAN_FUNCTION CLSCAN_A clscan_range_total(clscan_tile *tile, __local clscan_zone *zone, __global const CLSCAN_T *in,
                                            ulong count, ulong range)
{
#if CLSCAN_TILES_PER_WORK_GROUP == 1
    return clscan_tile_total(tile, zone, CLSCAN_CURSOR(in, count, range * CLSCAN_TILE), clscan_valid(count, range));
#else
    const ulong first = range * CLSCAN_TILES_PER_WORK_GROUP;
    return clscan_reduce_tiles(zone, in, count, first, min(first + CLSCAN_TILES_PER_WORK_GROUP, clscan_tiles(count)));
#endif
}

// Scan the range whose total was taken last.
CLSCAN_FUNCTION void clscan_range_finish(clscan_tile *tile, __local clscan_zone *zone, __global const CLSCAN_T *in,
                                         __global CLSCAN_T *out, ulong count, ulong range, clscan_prefix prefix,
                                         uint flags)
{
#if CLSCAN_TILES_PER_WORK_GROUP == 1
    clscan_tile_finish(tile, zone, CLSCAN_CURSOR(out, count, range * CLSCAN_TILE), clscan_valid(count, range), prefix,
                       (flags & CLSCAN_FLAG_STREAM) != 0);
#else
    const ulong first = range * CLSCAN_TILES_PER_WORK_GROUP;
    clscan_walk(zone, in, out, count, first, min(first + CLSCAN_TILES_PER_WORK_GROUP, clscan_tiles(count)), prefix,
                flags);
#endif
}

// Leave the memory to those that work.
CLSCAN_FUNCTION void clscan_idle(void)
{
#if CLSCAN_POLL_DELAY > 0
    volatile uint step = 0;
    while (step < CLSCAN_POLL_DELAY)
        ++step;
#endif
}

// Wait for range - 1, within bounds.
CLSCAN_FUNCTION bool clscan_wait(__global clscan_word *words, uint range, clscan_word tag, __global uint *report,
                                 CLSCAN_A *prefix)
{
    if (clscan_published(words, range - 1, tag, prefix))
        return true;
    clscan_count_event(report, CLSCAN_EVENT_WAIT);
    for (uint poll = 1; poll < CLSCAN_POLL_LIMIT; ++poll) {
        clscan_idle();
        if (clscan_published(words, range - 1, tag, prefix))
            return true;
    }
    return false;
}

CLSCAN_FUNCTION void clscan_publish_prefix(__global clscan_word *words, uint range, clscan_word tag, CLSCAN_A value,
                                           uint flags)
{
#if CLSCAN_HOLD_INTERVAL > 0
    if (range % CLSCAN_HOLD_INTERVAL == CLSCAN_HOLD_INTERVAL - 1 && range + 1 < get_num_groups(0)) {
        CLSCAN_A ignored;
        for (uint poll = 0; poll < CLSCAN_HOLD_POLLS; ++poll)
            if (clscan_published(words, range + 1, tag, &ignored))
                break;
        if ((flags & CLSCAN_FLAG_IN_PLACE) == 0)
            return;
    }
#endif
    clscan_publish(words, range, tag, value);
    // In place, nobody may see this range overwritten and still find it unpublished.
    if (flags & CLSCAN_FLAG_IN_PLACE)
        clscan_device_fence();
}

// Item 0 after the own range was reduced for the first time: wait for the prefix, or prepare to recompute it.
CLSCAN_FUNCTION void clscan_first_decision(__local clscan_decision *decision, __global clscan_word *words,
                                           __global uint *report, clscan_prefix initial, CLSCAN_A own_total,
                                           uint flags)
{
    const uint own = decision->own;
    const clscan_word tag = decision->tag;
    clscan_prefix prefix = initial;

    decision->done = 1;
    if (own > 0) {
        prefix.present = true;
        if (!clscan_wait(words, own, tag, report, &prefix.value)) {
            uint from = own - 1;
            clscan_count_event(report, CLSCAN_EVENT_RECOMPUTED);
            while (from > 0 && !clscan_published(words, from - 1, tag, &prefix.value))
                --from;
            decision->done = 0;
            decision->next = from;
            decision->prefix = from > 0 ? prefix : initial;
            return;
        }
    }
    clscan_publish_prefix(words, own, tag, clscan_extend(prefix, own_total).value, flags);
    decision->prefix = prefix;
}

// Item 0 after a missing range was reduced: extend the prefix by it, unless its owner has published meanwhile.
CLSCAN_FUNCTION void clscan_next_decision(__local clscan_decision *decision, __global clscan_word *words,
                                          __global uint *report, CLSCAN_A missing_total, CLSCAN_A own_total,
                                          uint flags)
{
    clscan_prefix prefix = clscan_extend(decision->prefix, missing_total);
    CLSCAN_A published;

    clscan_device_fence();
    if (clscan_published(words, decision->next, decision->tag, &published)) {
        clscan_count_event(report, CLSCAN_EVENT_DISCARDED);
        prefix.value = published;
    }
    decision->prefix = prefix;
    if (++decision->next == decision->own)
        clscan_publish_prefix(words, decision->own, decision->tag, clscan_extend(prefix, own_total).value, flags);
}

/// First arguments as for clscan_single().
///
/// workspace       its parts begin at these offsets in bytes (src/engine/layout.h):
/// control_bytes     the draw word (epoch and next ticket), then the report's counters
/// words_bytes       CLSCAN_WORDS_PER_VALUE words per range
/// epoch_argument  this run's epoch, for orders that do not draw it
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_adjacent(__global const CLSCAN_T *in, ulong in_offset, __global CLSCAN_T *out, ulong out_offset, ulong count,
                     uint flags, CLSCAN_A initial, __global const CLSCAN_A *initial_at, ulong initial_offset,
                     __global CLSCAN_A *total_at, ulong total_offset, __global uchar *workspace, ulong control_bytes,
                     ulong words_bytes, uint epoch_argument)
{
    __global clscan_word *draw_word = (__global clscan_word *)(workspace + control_bytes);
    __global uint *report = (__global uint *)(workspace + control_bytes + CLSCAN_REPORT_BYTES);
    __global clscan_word *words = (__global clscan_word *)(workspace + words_bytes);
    __local clscan_zone zone;
    __local clscan_decision decision;
    const bool leader = get_local_id(0) == 0;
    clscan_tile tile;
    CLSCAN_A total = (CLSCAN_A)0;
    uint own, next;

    if (leader) {
        uint drawn, epoch;
        clscan_draw(draw_word, epoch_argument, &drawn, &epoch);
        decision.own = drawn;
        decision.next = drawn;
        decision.tag = clscan_tag(epoch);
        decision.done = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    own = decision.own;
    next = own;

    // One pass as a rule. A spent wait adds one for each missing range and one to load the own one again.
    for (uint step = 0; step < own + 2; ++step) {
        const CLSCAN_A reduced = clscan_range_total(&tile, &zone, in + in_offset, count, next);
        bool done;
        if (leader) {
            if (step == 0) {
                total = reduced;
                clscan_first_decision(&decision, words, report,
                                      clscan_initial_prefix(flags, initial, initial_at + initial_offset), total,
                                      flags);
            } else if (next == own) {
                decision.done = 1;
            } else {
                clscan_next_decision(&decision, words, report, reduced, total, flags);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        done = decision.done != 0;
        next = decision.next;
        // The decision is read before item 0 may change it in the next pass: it does so after the barriers of
        // clscan_range_total().
        if (done)
            break;
    }
    if (leader && decision.done == 0)
        (void)atomic_inc((volatile __global uint *)report + CLSCAN_EVENT_FAILURE);

    clscan_range_finish(&tile, &zone, in + in_offset, out + out_offset, count, own, decision.prefix, flags);
    if (leader && own == get_num_groups(0) - 1)
        clscan_store_total(flags, total_at + total_offset, clscan_extend(decision.prefix, total));
}
