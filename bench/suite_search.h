/* Which variants a rung of an experiment stands for in a case. */
#ifndef CLSCAN_BENCH_SUITE_SEARCH_H
#define CLSCAN_BENCH_SUITE_SEARCH_H

#include "candidates.h"
#include "session.h"
#include "suites.h"
#include "summary.h"

#define BENCH_MAX_RUNGS 16

/* What a rung stands for in the present case. */
typedef struct bench_rung_state {
    char variants[BENCH_MAX_CANDIDATES][MEASURE_NAME_BYTES];
    size_t count;        /* of the legal ones */
    measure_note reason; /* why there is none */
    bool searched;
    clscan_type type; /* what the best was searched for */
    uint64_t elements;
    char best[MEASURE_NAME_BYTES]; /* "" if no candidate could run */
} bench_rung_state;

typedef struct bench_suite_state {
    const bench_experiment *experiment;
    const bench_candidates *candidates; /* NULL: those of the rungs */
    bench_summary summary;
    bench_rung_state rungs[BENCH_MAX_RUNGS];
} bench_suite_state;

/* List the candidates of all rungs, and find the best of those rungs that want one. Uses the lineup. */
void bench_suite_find(const bench_session *session, bench_suite_state *suite, const measure_case *c);

#endif
