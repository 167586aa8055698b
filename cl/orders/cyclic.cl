// Tile order `cyclic`: of the G work-groups that take part, number g takes the ranges g, g + G, g + 2 G, ...
// (LightScan, algorithm 1), without a ticket for each. Nobody tells the host how many work-groups can run at once,
// and a range must not belong to one that does not; so G is found by the kernel. Work-groups register when they
// start, and scan the range of their number. The first one that needs G to go on ends the registration. Who starts
// later leaves at once. All that registered have started, so waiting for a predecessor is as legal as with tickets.
//
// One word holds how many have started, whether registration has ended, and G. Whoever starts last, registered or not,
// leaves it as the next launch needs it: with nobody there, and G for those that still ask. So a launch that leaves
// somebody out, and one in which a single work-group runs from its start to its end (on a CPU), give right results.
// The draw word is used as in the order `dynamic`, for the epoch only, with a ticket for each work-group.
//
// Required of the host:
//   CLSCAN_JOIN_POLLS      looks without a new arrival after which registration is ended
//   CLSCAN_REGISTER_BYTES  where the word stands behind the draw word (src/base/shared.h)
#if !defined(CLSCAN_JOIN_POLLS) || !defined(CLSCAN_REGISTER_BYTES)
#error "CLSCAN_JOIN_POLLS and CLSCAN_REGISTER_BYTES must be defined"
#endif

// Fields of the word.
#define CLSCAN_REGISTER_BITS 15
#define CLSCAN_REGISTER_MASK ((1u << CLSCAN_REGISTER_BITS) - 1)
#define CLSCAN_REGISTER_ENDED ((clscan_word)1 << (2 * CLSCAN_REGISTER_BITS))
#define clscan_started(word) ((uint)(word)&CLSCAN_REGISTER_MASK)
#define clscan_registered(word) ((uint)((word) >> CLSCAN_REGISTER_BITS) & CLSCAN_REGISTER_MASK)
#define clscan_register_of(registered) ((clscan_word)(registered) << CLSCAN_REGISTER_BITS)

// Work-groups go from range to range.
#define CLSCAN_DRAWS_NEXT 1

CLSCAN_FUNCTION __global clscan_word *clscan_register(__global clscan_word *draw_word)
{
    return draw_word + CLSCAN_REGISTER_BYTES / sizeof(clscan_word);
}

/// The first range of a work-group; `ranges` if it takes none. Called by one work-item of each work-group, once.
CLSCAN_FUNCTION void clscan_draw(__global clscan_word *draw_word, uint epoch_argument, uint ranges, uint *range,
                                 uint *epoch)
{
    const uint groups = CLSCAN_WORKERS(ranges);
    const clscan_word drawn = clscan_word_add(draw_word, 1);
    const clscan_word word = clscan_word_add(clscan_register(draw_word), 1);
    const bool ended = (word & CLSCAN_REGISTER_ENDED) != 0;

    *range = ended ? ranges : clscan_started(word);
    *epoch = (uint)(drawn >> CLSCAN_TICKET_BITS);
    if ((uint)(drawn & ((((clscan_word)1) << CLSCAN_TICKET_BITS) - 1)) == groups - 1)
        clscan_word_add(draw_word, (((clscan_word)1) << CLSCAN_TICKET_BITS) - groups);
    // Nobody else changes the word any more: all have started, and who finds all there does not end the registration.
    if (clscan_started(word) == groups - 1)
        clscan_word_store(clscan_register(draw_word), clscan_register_of(ended ? clscan_registered(word) : groups));
}

// G, for a work-group that has registered. Waits a little for others before it ends the registration: those that are
// left out leave a part of the device idle. Each turn sees a new arrival, or is one of CLSCAN_JOIN_POLLS + 1.
CLSCAN_FUNCTION uint clscan_end_registration(__global clscan_word *at, uint groups)
{
    clscan_word word = clscan_word_load(at);
    uint quiet = 0;

    while ((word & CLSCAN_REGISTER_ENDED) == 0 && clscan_started(word) > 0 && clscan_started(word) < groups) {
        clscan_word found;
        if (quiet++ < CLSCAN_JOIN_POLLS) {
            found = clscan_word_load(at);
        } else {
            const clscan_word started = clscan_started(word);
            const clscan_word ended = CLSCAN_REGISTER_ENDED | clscan_register_of(started) | started;
            found = clscan_word_replace(at, word, ended);
            found = found == word ? ended : found;
        }
        if (clscan_started(found) != clscan_started(word))
            quiet = 0;
        word = found;
    }
    return (word & CLSCAN_REGISTER_ENDED) == 0 && clscan_started(word) == groups ? groups : clscan_registered(word);
}

/// The range after *range; `ranges` or more if there is none.
///
/// stride  0 at the first call, and kept from call to call
CLSCAN_FUNCTION void clscan_draw_next(__global clscan_word *draw_word, uint ranges, uint *range, uint *stride)
{
    if (*stride == 0)
        *stride = clscan_end_registration(clscan_register(draw_word), CLSCAN_WORKERS(ranges));
    *range += *stride;
}
