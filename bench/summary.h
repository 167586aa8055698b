/* Billions of elements per second of an experiment, as LightScan's tables 2 and 3: by type and number of elements, and
 * their mean and maximum. */
#ifndef CLSCAN_BENCH_SUMMARY_H
#define CLSCAN_BENCH_SUMMARY_H

#include "lineup.h"

typedef struct bench_figure {
    char name[MEASURE_NAME_BYTES];
    clscan_type type;
    uint64_t count;
    double geps;
} bench_figure;

typedef struct bench_summary {
    bench_figure *all;
    size_t count;
} bench_summary;

/* Note what the contenders that scan have reached. False without memory. */
bool bench_summary_add(bench_summary *summary, const measure_case *c, const bench_lineup *lineup);
void bench_summary_print(const bench_summary *summary);
void bench_summary_free(bench_summary *summary);

#endif
