/* The counts that a run measures. */
#ifndef CLSCAN_TUNER_LADDER_H
#define CLSCAN_TUNER_LADDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "trial/trial.h"

#define TUNE_MAX_COUNTS 64
#define TUNE_LADDER_STEP 4 /* from one count to the next, unless sizes are given */

/* The largest count of a target that the device can measure. */
uint64_t tune_ladder_limit(const clscan_device_info *device, const tune_target *target);

/* The largest count that entries of a target serve on the device: plans for more ask for entries of another operation.
 * UINT64_MAX: there is no limit. */
uint64_t tune_ladder_served(const clscan_device_info *device, const tune_target *target);

/* Fill in the counts that are measured unless sizes are given, ascending. Returns how many: 0 if the device has too
 * little memory for any. */
size_t tune_ladder_make(const clscan_device_info *device, const tune_target *target, uint64_t counts[TUNE_MAX_COUNTS]);

/* The smallest and the largest one of those. Returns false if there is none. */
bool tune_ladder_ends(const clscan_device_info *device, const tune_target *target, uint64_t *first, uint64_t *last);

/* Of a ladder, the counts where --quick searches, into `quick`, which has as much room: powers of 16, and the largest,
 * since the largest jobs are those that gain most. Returns how many: at least 1. */
size_t tune_quick_counts(const uint64_t *counts, size_t count, uint64_t *quick);

#endif
