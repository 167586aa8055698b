/* A tuning run, from the device to the config that is written; and the same on a recorded log. */
#ifndef CLSCAN_TUNER_RUN_H
#define CLSCAN_TUNER_RUN_H

#include <signal.h>

#include "command/settings.h"

/* Tune, or go on with a journal (settings->resume), or say what would be done (settings->dry_run). `interrupted` ends
 * the run early: what is known by then is written. */
clscan_status tune_run(const tune_settings *settings, const volatile sig_atomic_t *interrupted, clscan_error *error);

/* Search in the log settings->replay, and compare what the strategy picks with the best of the log. */
clscan_status tune_run_replay(const tune_settings *settings, const volatile sig_atomic_t *interrupted,
                              clscan_error *error);

#endif
