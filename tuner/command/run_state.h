/* A tuning run from the inside. Shared by run.c and run_target.c. */
#ifndef CLSCAN_TUNER_RUN_STATE_H
#define CLSCAN_TUNER_RUN_STATE_H

#include "command/busy.h"
#include "command/progress.h"
#include "command/report.h"
#include "command/run.h"
#include "output/places.h"
#include "output/results.h"
#include "work/live.h"

typedef struct tune_run_state {
    const tune_settings *settings;
    const volatile sig_atomic_t *interrupted;
    size_t device_index;
    tune_header header;
    const tune_strategy *strategy;
    tune_live *live;
    tune_evaluator evaluator;
    int lock; /* -1: not held */
    tune_journal *journal;
    char journal_path[TUNE_PATH_BYTES];
    tune_results results;
    tune_gains gains;
    tune_busy busy;     /* when the first target began; `cores` 0: unknown */
    tune_hints winners; /* of the targets so far, which are tried early in the next one */
    tune_progress progress;
    double resumed_s; /* of the run when this process took it over */
    double elapsed_s; /* the same now */
} tune_run_state;

/* Search, settle, report, and write what came out. */
clscan_status tune_run_target(tune_run_state *r, size_t index, clscan_error *error);

#endif
