// What the work-groups of one launch share when they wait for each other, and how waiting is counted.
//
// Required of the host:
//   CLSCAN_POLL_DELAY    steps of an idle loop between two polls
//   CLSCAN_POLL_LIMIT    polls before a wait is spent, at least 1
//   CLSCAN_COUNT_EVENTS  1 to count waits and recomputations
//   CLSCAN_REPORT_BYTES  where the report begins behind the draw word
//   CLSCAN_EVENT_...     the numbers of its counters (src/base/shared.h)
#if !defined(CLSCAN_POLL_DELAY) || !defined(CLSCAN_POLL_LIMIT) || !defined(CLSCAN_COUNT_EVENTS) || \
    !defined(CLSCAN_REPORT_BYTES) || !defined(CLSCAN_EVENT_FAILURE)
#error "CLSCAN_POLL_..., CLSCAN_COUNT_EVENTS, CLSCAN_REPORT_BYTES and CLSCAN_EVENT_... must be defined"
#endif

#if CLSCAN_COUNT_EVENTS
#define clscan_count_event(report, event) ((void)atomic_inc((volatile __global uint *)(report) + (event)))
#else
#define clscan_count_event(report, event)
#endif

typedef struct clscan_chain {
    __global clscan_published_word *words; // CLSCAN_WORDS_OF(ranges)
    __global uint *report;
    clscan_prefix initial; // what precedes the first range
    uint ranges;
    uint flags;
} clscan_chain;

/// Set up a chain from the arguments of a kernel.
CLSCAN_FUNCTION void clscan_chain_begin(clscan_chain *chain, const clscan_run *run,
                                        __global const CLSCAN_A *initial_at, __global uchar *workspace, uint ranges)
{
    chain->words = (__global clscan_published_word *)(workspace + run->words_bytes);
    chain->report = (__global uint *)(workspace + run->control_bytes + CLSCAN_REPORT_BYTES);
    chain->initial = clscan_initial_prefix(run, initial_at);
    chain->ranges = ranges;
    chain->flags = run->flags;
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

// Poll for what a range has published, within bounds.
CLSCAN_FUNCTION bool clscan_poll(const clscan_chain *chain, uint range, clscan_word tag, clscan_sum *value)
{
    for (uint poll = 1; poll < CLSCAN_POLL_LIMIT; ++poll) {
        clscan_idle();
        if (clscan_published(chain->words, range, tag, value))
            return true;
    }
    return false;
}

// The same, where it may have been published before, which is no wait.
CLSCAN_FUNCTION bool clscan_await(const clscan_chain *chain, uint range, clscan_word tag, clscan_sum *value)
{
    if (clscan_published(chain->words, range, tag, value))
        return true;
    clscan_count_event(chain->report, CLSCAN_EVENT_WAIT);
    return clscan_poll(chain, range, tag, value);
}
