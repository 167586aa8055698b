#ifndef CLSCAN_BENCH_STATISTICS_H
#define CLSCAN_BENCH_STATISTICS_H

#include "bench.h"

/* Sorts `values`, of which there is at least one. A quantile between two values is interpolated. */
bench_statistics bench_summarise(uint64_t *values, size_t count);

#endif
