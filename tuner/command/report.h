/* What the tuner tells about a run, beside its progress. */
#ifndef CLSCAN_TUNER_REPORT_H
#define CLSCAN_TUNER_REPORT_H

#include <stdio.h>

#include "command/settings.h"
#include "record/header.h"
#include "search/decide.h"
#include "search/search.h"

/* Strategies and spaces. */
void tune_report_lists(FILE *stream);

/* The devices; `chosen` is the one that would be tuned. */
void tune_report_devices(FILE *stream, const clscan_device_info *devices, size_t count, size_t chosen);

/* What a run will do: device, targets, sizes, strategy, time, files. journal: NULL if there will be none. */
void tune_report_plan(FILE *stream, const tune_settings *settings, const tune_header *header, const char *output,
                      const char *journal);

/* How many points the space of a target has, and which rules forbid how many of them. */
void tune_report_space(FILE *stream, const tune_target *target, const tune_census *census);

/* What was chosen at each of the counts, beside the default. */
void tune_report_decision(FILE *stream, const tune_decision *decision, const uint64_t *counts);

/* What tuning has brought. Zero it to begin. */
typedef struct tune_gains {
    size_t sizes;  /* with a choice, over all targets */
    size_t faster; /* of them, with one that is faster than the default, or right where that was not */
    double best;   /* the largest ratio of times; 0: none */
    tune_target best_target;
    uint64_t best_count;
} tune_gains;

void tune_gains_add(tune_gains *gains, const tune_decision *decision);
void tune_report_gains(FILE *stream, const tune_gains *gains);

/* The best point of each body and each carry at the largest count: StreamScan's table 4. */
void tune_report_bests(FILE *stream, const tune_search *search);

/* How trials ended, over all targets, and at which step those did that passed a deadline. */
void tune_report_outcomes(FILE *stream, const tune_memo *trials);

#endif
