/* Cases, one after the other: what fits is made, measured and told, what does not is skipped. */
#ifndef CLSCAN_BENCH_SESSION_H
#define CLSCAN_BENCH_SESSION_H

#include "lineup.h"
#include "report.h"

/* Everything a case needs, for passing down. */
typedef struct bench_session {
    const bench_options *options;
    measure_device *device;
    bench_report *report;
    bench_lineup *lineup;
    size_t round;
    const measure_maps *maps; /* of all problems of the command line; NULL: none */
} bench_session;

typedef void bench_run_case(const bench_session *session, const measure_case *c, void *user);

/* Run problems that are `problem` but for their counts, each in the wanted states of the caches. */
void bench_session_run_counts(const bench_session *session, const measure_problem *problem, const uint64_t *counts,
                              size_t count, bench_run_case *run, void *user);

/* The same of rows of so many elements: as many whole ones as each count makes, where that is one at least. `gap`:
 * elements between two of them. */
void bench_session_run_rows(const bench_session *session, const measure_problem *problem, uint64_t row_length,
                            uint64_t gap, const uint64_t *counts, size_t count, bench_run_case *run, void *user);

/* The same of tensors along an axis: `shape` has dimensions, an axis and extents, of which the first is as long as each
 * count makes it, where that is 1 at least. */
void bench_session_run_tensors(const bench_session *session, const measure_problem *problem, const clscan_rows *shape,
                               const uint64_t *counts, size_t count, bench_run_case *run, void *user);

/* Measure the lineup of the session, tell the outcome, and release it. */
void bench_session_measure(const bench_session *session, const measure_case *c);

/* All problems of the command line. */
void bench_session_run(bench_session *session);

#endif
