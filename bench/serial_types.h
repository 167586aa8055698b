/* The serial loops of sums whose types differ from those of their elements or outputs. */
#ifndef CLSCAN_BENCH_SERIAL_TYPES_H
#define CLSCAN_BENCH_SERIAL_TYPES_H

#include "measure/measure.h"

/* Sums from `in` to `out`, exclusive or not, with the total behind them or not. */
typedef void bench_serial_sums(const void *in, void *out, uint64_t count, bool exclusive, bool with_total);

/* The loop for a problem with maps; NULL with a note: there is none. */
bench_serial_sums *bench_serial_types_find(const measure_problem *problem, measure_note *note);

#endif
