/* The cases of a command line, one after the other. */
#ifndef CLSCAN_BENCH_SESSION_H
#define CLSCAN_BENCH_SESSION_H

#include "measure/yardsticks.h"
#include "options.h"
#include "report.h"

/* Everything a case needs, for passing down. */
typedef struct bench_session {
    const bench_options *options;
    measure_device *device;
    bench_report *report;
    measure_contender *contenders; /* room for BENCH_MAX_CONTENDERS */
    size_t round;
} bench_session;

#define BENCH_MAX_CONTENDERS (MEASURE_MAX_YARDSTICKS + 1 + BENCH_MAX_STRATEGIES + BENCH_MAX_VARIANTS + BENCH_MAX_PEERS)

void bench_session_run(bench_session *session);

#endif
