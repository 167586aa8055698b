/* What is known to be fast elsewhere: variants that configs name, for any device, and winners of other targets. */
#ifndef CLSCAN_TUNER_HINTS_H
#define CLSCAN_TUNER_HINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "space/space.h"
#include "trial/trial.h"

/* A variant, and the counts that it served. */
typedef struct tune_hint {
    clscan_variant variant;
    uint64_t smallest_count, largest_count;
    bool close; /* it served operators like the target's; others are tried later */
} tune_hint;

/* Zero it to begin. */
typedef struct tune_hints {
    tune_hint *items;
    size_t count;
    size_t left_out; /* known ones that were not to be used */
} tune_hints;

/* Add a copy, unless it is there. CLSCAN_ERROR_OUT_OF_MEMORY. */
clscan_status tune_hints_add(tune_hints *hints, const tune_hint *hint, clscan_error *error);

/* Add the variants of all configs that are legal for the target on the device, but those of configs for `without`, a
 * device's key or class; NULL: of all. */
clscan_status tune_hints_add_known(tune_hints *hints, const clscan_device_info *device, const tune_target *target,
                                   const char *without, clscan_error *error);

/* Of a target with rows, add what short ones may run with beside the default, at each count where they are short. */
clscan_status tune_hints_add_rows(tune_hints *hints, const tune_space *space, const uint64_t *counts,
                                  const clscan_variant *defaults, size_t count_count, clscan_error *error);

/* Add all of `more`. */
clscan_status tune_hints_add_all(tune_hints *hints, const tune_hints *more, clscan_error *error);

void tune_hints_free(tune_hints *hints);

#endif
