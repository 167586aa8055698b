/* Loops of the peer `serial` over parts of an array: selections, and sums of segments. */
#ifndef CLSCAN_BENCH_SERIAL_PARTS_H
#define CLSCAN_BENCH_SERIAL_PARTS_H

#include "measure/measure.h"

/* Sets the contender's state, unless there is no loop for the problem; then its note says so. */
measure_outcome bench_serial_parts_prepare(measure_contender *contender, const measure_case *c);

void bench_serial_parts_run(const measure_contender *contender, const measure_problem *problem, const void *in,
                            void *out);

/* Does nothing without a state. */
void bench_serial_parts_release(measure_contender *contender);

#endif
