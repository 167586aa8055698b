/* What a worker's measurements run on: input, expected output, and copies of the same bytes as yardsticks. */
#ifndef CLSCAN_TUNER_LOAD_H
#define CLSCAN_TUNER_LOAD_H

#include "measure/measure.h"
#include "measure/yardsticks.h"
#include "trial/trial.h"

/* Zero it to begin. Smaller counts are prefixes of the largest that was asked for, where there are prefixes. */
typedef struct tune_load {
    tune_target target;
    measure_case all;               /* count 0: nothing is loaded */
    cl_mem expected;                /* the expected output, on the device */
    const measure_kind *copies[64]; /* the fastest copy, by the logarithm of the bytes; NULL: not known yet */
} tune_load;

/* Make sure that `count` elements of `target` are loaded, and the fastest copy of their bytes is known: what a
 * measurement needs that has nothing to do with its candidate. False with the reason in `note`. */
bool tune_load_ensure(tune_load *load, measure_device *device, const tune_target *target, uint64_t count,
                      measure_note *note);
bool tune_load_has(const tune_load *load, const tune_target *target, uint64_t count);
void tune_load_release(tune_load *load);

/* What is loaded as a case of `count` elements, or rows of so many; not to be destroyed. */
measure_case tune_load_case(const tune_load *load, uint64_t count);

/* The fastest copy of the bytes of `c`, which is a prefix of what is loaded; finds it by a short race if it is not
 * known yet. NULL with the reason in `note`. Overwrites the target. */
const measure_kind *tune_load_copy(tune_load *load, const measure_case *c, measure_note *note);

#endif
