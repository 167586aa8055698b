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

#endif
