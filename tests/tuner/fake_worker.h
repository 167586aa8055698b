/* A worker without a device that behaves as it is told, which is badly. */
#ifndef CLSCAN_TESTS_FAKE_WORKER_H
#define CLSCAN_TESTS_FAKE_WORKER_H

#include <stdint.h>

/*     name             what it does */
/* clang-format off */
#define FAKE_LIST(X)                                                                             \
    X(good,             "right answers: 1 ns per element, a copy as fast, no noise")             \
    X(noisy,            "a spread of 30%")                                                       \
    X(hang,             "never answers, and ignores signals")                                    \
    X(crash,            "raises SIGSEGV")                                                        \
    X(leave,            "exits with code 0 and no answer")                                       \
    X(leave_child,      "the same, and leaves a child that holds its descriptors")               \
    X(wrong,            "says that the output was wrong")                                        \
    X(out_of_memory,    "says that memory ran out")                                              \
    X(zero_time,        "a time of 0")                                                           \
    X(fast_time,        "a time that no copy reaches")                                           \
    X(slow_host,        "a time far below that of the host's clock")                             \
    X(flood,            "100 MB without the end of a line")                                      \
    X(flood_lines,      "100 MB of lines that are no answers")                                   \
    X(flood_errors,     "100 MB on stderr, then the right answer")                               \
    X(garbage,          "a line that is no JSON")                                                \
    X(other_answer,     "the answer to another request")                                         \
    X(no_outcome,       "an answer without an outcome")                                          \
    X(half_line,        "half a line, then silence")                                             \
    X(refuse,           "while compiling: says that the compiler refused")                       \
    X(crash_compiling,  "while compiling: a line on stderr, then SIGABRT")                       \
    X(hang_compiling,   "while compiling: never answers")                                        \
    X(dies_at_times,    "is killed as often as a file says, then good")                          \
    X(stops_at_times,   "is stopped (SIGSTOP) as often as a file says, then good")
/* clang-format on */

typedef enum fake {
#define X(name, meaning) FAKE_##name,
    FAKE_LIST(X)
#undef X
        FAKE_COUNT
} fake;

#define FAKE_REVISION "fedcba9876543210"

/* Files in the folder of a fake worker: a number, how many probes are to fail, and how often those that misbehave `at
 * times` do. They may be missing. */
#define FAKE_PROBES "probes"
#define FAKE_TIMES "times"

/* Play a worker. A candidate's register_pieces choose the behaviour, at counts of at least 100; smaller ones are good.
 * The answers to `measure` have the process id as private_bytes, those to `compile` FAKE_REVISION. */
int fake_worker_run(const char *folder);

#endif
