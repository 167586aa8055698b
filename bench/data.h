/* Inputs whose scans are exact, so that every grouping of the operands gives the same bits. */
#ifndef CLSCAN_BENCH_DATA_H
#define CLSCAN_BENCH_DATA_H

#include "bench.h"

/* Make the whole input of `problem` in `elements`. */
void bench_data_generate(const bench_problem *problem, void *elements);

#endif
