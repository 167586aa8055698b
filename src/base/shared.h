/* Numbers that the host and its kernels must have alike, in one list. The host has them as CLSCAN__NAME; every program
 * defines them as CLSCAN_NAME, so that no kernel file writes one down. */
#ifndef CLSCAN_BASE_SHARED_H
#define CLSCAN_BASE_SHARED_H

/*    name             number   meaning */
/* clang-format off */
#define CLSCAN__SHARED_LIST(X)                                                                   \
    /* flags of a launch */                                                                      \
    X(FLAG_INITIAL_VALUE,  1,   "the initial value is a kernel argument")                        \
    X(FLAG_INITIAL_BUFFER, 2,   "it stands in a buffer")                                         \
    X(FLAG_TOTAL,          4,   "the total is wanted")                                           \
    X(FLAG_IN_PLACE,       8,   "input and output are the same memory")                          \
    X(FLAG_STACK,          16,  "the stack of what follows is wanted (cl/reproducible/nodes.cl)") \
    X(FLAG_NO_OUTPUT,      32,  "of rows there are totals alone")                                \
    /* where parts of the workspace stand behind the draw word */                                \
    X(REPORT_BYTES,        64,  "the report")                                                    \
    X(REGISTER_BYTES,      128, "who takes part (cl/orders/cyclic.cl)")                          \
    /* counters of the report, by number */                                                      \
    X(EVENT_FAILURE,       0,   "a work-group could not finish")                                 \
    X(EVENT_WAIT,          1,   "a predecessor had not published at the first poll")             \
    X(EVENT_RECOMPUTED,    2,   "a spent wait was completed by reducing a missing tile")         \
    X(EVENT_DISCARDED,     3,   "a tile was recomputed that had been published meanwhile")       \
    X(EVENT_REFUSED_COUNT, 4,   "a count on the device was too large")                           \
    X(EVENT_OVERFLOW,      5,   "an output had too little room")                                 \
    X(EVENT_BAD_OFFSET,    6,   "an offset of segments is wrong")                                \
    /* of what work-groups publish (cl/comm/publish.cl) */                                       \
    X(WIDE_BYTES,          17,  "sums of so many bytes and more have their words together")      \
    X(TILES_TOGETHER,      32,  "with those of so many tiles")                                   \
    /* of a vector whose elements are combined as a whole */                                     \
    X(LEAST_LANES,         4,   "elements that it has at least; fewer are combined one by one")  \
    /* of body cached_rows */                                                                    \
    X(CACHE_LINE_BYTES,    64,  "of a CPU's line, as outputs leave")                             \
    X(ABREAST_BYTES,       32,  "of a vector that holds a member of each row abreast")
/* clang-format on */

enum {
#define X(name, number, meaning) CLSCAN__##name = number,
    CLSCAN__SHARED_LIST(X)
#undef X
        CLSCAN__EVENT_COUNT = CLSCAN__EVENT_BAD_OFFSET + 1
};

#endif
