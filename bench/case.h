/* The memory of a case: input, output, and the right answer. */
#ifndef CLSCAN_BENCH_CASE_H
#define CLSCAN_BENCH_CASE_H

#include "bench.h"

/* A sentence why the device or this machine cannot hold `problem`, or NULL. Static, or in `note`. */
const char *bench_case_obstacle(const bench_device *device, const bench_problem *problem, bench_note *note);

bool bench_case_create(bench_device *device, const bench_problem *problem, bench_case *c, bench_note *note);
void bench_case_destroy(bench_case *c);

/* Enqueue a copy from source to target. */
bool bench_case_reset(const bench_case *c, bench_note *note);

/* Reset or poison the target, run `contender` once, and compare all of the target with what it must be. A
 * wrong answer and a failure are left in its outcome and note. */
void bench_case_validate(const bench_case *c, bench_contender *contender);

/* For contenders on the host: a run on mapped memory, with the host's clock around it. */
bool bench_case_run_on_host(const bench_case *c, bench_contender *contender, uint64_t *nanoseconds);

#endif
