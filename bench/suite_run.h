/* Runs the experiments of a suite. */
#ifndef CLSCAN_BENCH_SUITE_RUN_H
#define CLSCAN_BENCH_SUITE_RUN_H

#include "session.h"

/* Those that the options name, at the options' sizes and types where these are given. False with the reason in
 * `note`. */
bool bench_suite_run(bench_session *session, measure_note *note);

#endif
