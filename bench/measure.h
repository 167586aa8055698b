/* One case: every contender in turn, run by run. */
#ifndef CLSCAN_BENCH_MEASURE_H
#define CLSCAN_BENCH_MEASURE_H

#include "bench.h"

/* Prepare, validate, run `runs` timed rounds of all contenders in turn, validate again, summarise. What
 * happened is in each contender's outcome and note. */
void bench_measure(const bench_case *c, bench_contender *contenders, size_t count, size_t runs);

/* Prepare one contender. */
void bench_prepare(const bench_case *c, bench_contender *contender);

/* Free what bench_prepare() and bench_measure() made. */
void bench_release(bench_contender *contenders, size_t count);

/* The fastest copy, or NULL if none could be timed. */
const bench_contender *bench_fastest_copy(const bench_contender *contenders, size_t count);

#endif
