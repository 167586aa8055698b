/* From the command line and the device to targets and their ladders of counts. */
#ifndef CLSCAN_TUNER_TARGETS_H
#define CLSCAN_TUNER_TARGETS_H

#include "command/settings.h"
#include "record/header.h"

/* Fill the targets of `header`, whose device is set: for each, the counts to measure and what the runtime chooses
 * there today. Release them with tune_header_free(), also after a failure.
 * CLSCAN_ERROR_INVALID_VALUE: types and classes that give no target, or two that share their entries;
 * CLSCAN_ERROR_UNSUPPORTED_TYPE; CLSCAN_ERROR_DEVICE_LIMIT: no size fits the device; errors of
 * clscan_config_explain(). */
clscan_status tune_targets_make(const tune_settings *settings, tune_header *header, clscan_error *error);

/* The smallest and the largest count that a run measures on the device unless sizes are given. Returns false if it has
 * too little memory for any. */
bool tune_ladder_ends(const clscan_device_info *device, uint32_t size_bytes, uint64_t *first, uint64_t *last);

#define TUNE_LADDER_STEP 4 /* from one of these counts to the next */

/* Of a ladder, the counts that --quick measures, into `quick`, which has as much room. Returns how many. */
size_t tune_quick_counts(const uint64_t *counts, size_t count, uint64_t *quick);

#endif
