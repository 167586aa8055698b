/* The contenders of a case. */
#ifndef CLSCAN_BENCH_LINEUP_H
#define CLSCAN_BENCH_LINEUP_H

#include "candidates.h"
#include "measure/yardsticks.h"
#include "options.h"

/* Those of the library twice: the count may stand on the device. */
#define BENCH_MAX_CONTENDERS \
    (MEASURE_MAX_YARDSTICKS + 1 + 2 * (1 + BENCH_MAX_STRATEGIES + BENCH_MAX_VARIANTS) + BENCH_MAX_PEERS)

typedef struct bench_lineup {
    measure_contender all[BENCH_MAX_CONTENDERS];
    size_t count;
    char shapes[BENCH_MAX_STRATEGIES][MEASURE_NAME_BYTES]; /* requests of the sample strategies */
} bench_lineup;

/* `request` as in measure_contender; it must live as long as the lineup is used. */
measure_contender *bench_lineup_add(bench_lineup *lineup, const measure_kind *kind, const char *name,
                                    const char *request);

/* The copies; with an empty kernel where launches are timed, and a kernel that reads where problems reduce. */
void bench_lineup_add_yardsticks(bench_lineup *lineup, const bench_options *options, const measure_case *c);

/* What the options want of the library: the configured choice, sample strategies, variants. */
void bench_lineup_add_library(bench_lineup *lineup, const bench_options *options, const measure_case *c);

/* Of elements that are no scalars, only a plain loop. */
void bench_lineup_add_peers(bench_lineup *lineup, const bench_options *options, const measure_case *c);

#endif
