/* Peers that live in processes of their own, so that clscan-bench needs nothing of theirs. What is said over the pipes
 * stands in docs/benchmarking.md. */
#ifndef CLSCAN_BENCH_PEER_PROCESS_H
#define CLSCAN_BENCH_PEER_PROCESS_H

#include "child.h"

typedef struct bench_process {
    const char *program;
    const char *remedy; /* what to do where the program is not there */
    bool tried;
    measure_note reason; /* why it does not run */
    char about[BENCH_CHILD_LINE_BYTES];
    char way[MEASURE_NAME_BYTES]; /* how it does the case of `problem`, if it says so */
    bench_child child;
    bool loaded; /* it has the case of `problem` */
    bool cold;
    measure_problem problem;
} bench_process;

/* Start the process if it was never started, and give it the case if it has another one. `note` says what runs, or why
 * it does not. */
measure_outcome bench_process_load(bench_process *process, const measure_case *c, measure_note *note);

/* Let it run once, and hear how long that took. `command` is "run" or "copy". */
bool bench_process_begin(bench_process *process, const char *command, measure_clock clock, measure_note *note);
bool bench_process_end(bench_process *process, uint64_t *nanoseconds, measure_note *note);

/* What the last run has made goes into the case's target. */
bool bench_process_fetch(bench_process *process, const measure_case *c, measure_note *note);

/* Let it free the memory of its case. */
void bench_process_unload(bench_process *process);

#endif
