/* What the tuner tells about a run, beside its progress. */
#ifndef CLSCAN_TUNER_REPORT_H
#define CLSCAN_TUNER_REPORT_H

#include <stdio.h>

#include "decide.h"
#include "header.h"
#include "search.h"
#include "settings.h"

/* Strategies and spaces. */
void tune_report_lists(FILE *stream);

/* The devices; `chosen` is the one that would be tuned. */
void tune_report_devices(FILE *stream, const clscan_device_info *devices, size_t count, size_t chosen);

/* What a run will do: device, targets, sizes, space, strategy, time, files. Paths may be NULL: none. */
clscan_status tune_report_plan(FILE *stream, const tune_settings *settings, const tune_header *header,
                               const char *output, const char *journal, clscan_error *error);

/* What was chosen at each count, beside the default. */
void tune_report_decision(FILE *stream, const tune_decision *decision);

/* The best point of each body and each carry at the largest count: StreamScan's table 4. */
void tune_report_bests(FILE *stream, const tune_search *search);

/* How trials ended, over all targets. */
void tune_report_outcomes(FILE *stream, const uint64_t outcomes[TUNE_OUTCOME_COUNT]);

#endif
