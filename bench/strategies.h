/* A shape to try for each carry. Samples for `--strategies`, not tuned choices: those are in configs. */
#ifndef CLSCAN_BENCH_STRATEGIES_H
#define CLSCAN_BENCH_STRATEGIES_H

#include "measure/measure.h"

typedef struct bench_strategy {
    const char *name;    /* of the carry */
    const char *for_gpu; /* variants as clscan_variant_parse() reads them */
    const char *for_cpu;
} bench_strategy;

extern const bench_strategy bench_strategies[]; /* ends with a NULL name */

/* NULL if there is none of that name. */
const bench_strategy *bench_strategy_find(const char *name);

/* The strategy's shape for a device and a problem: its work-groups, or the rows of cached_rows, are halved until what
 * they need is there, such as local memory. A shape that no size makes legal stays as it is. Returns `variant`. */
const char *bench_strategy_shape(const bench_strategy *strategy, const clscan_device_info *device,
                                 const measure_problem *problem, char variant[MEASURE_NAME_BYTES]);

#endif
