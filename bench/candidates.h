/* Variants of a file, among which suites look for the best: one a line, or a journal of clscan-tune. */
#ifndef CLSCAN_BENCH_CANDIDATES_H
#define CLSCAN_BENCH_CANDIDATES_H

#include "measure/measure.h"

#define BENCH_MAX_CANDIDATES 48

typedef struct bench_candidate {
    char variant[MEASURE_NAME_BYTES];
    double ns_per_element; /* of the best trial; 0 in a list of variants */
} bench_candidate;

typedef struct bench_candidates {
    bench_candidate *all; /* of a journal the fastest first */
    size_t count;
} bench_candidates;

/* False with the culprit in `note`. */
bool bench_candidates_read(const char *path, bench_candidates *candidates, measure_note *note);
void bench_candidates_free(bench_candidates *candidates);

/* Those with the axes of `grid`, and without register pieces if it has none; the first `capacity`. */
size_t bench_candidates_like(const bench_candidates *candidates, const char *grid, char (*variants)[MEASURE_NAME_BYTES],
                             size_t capacity);

#endif
