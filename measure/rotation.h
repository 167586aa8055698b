/* Cold caches: every timed run has its own input and output, and they are used again only when much more than a cache
 * has been read and written since. */
#ifndef CLSCAN_MEASURE_ROTATION_H
#define CLSCAN_MEASURE_ROTATION_H

#include "measure.h"

/* Inputs and outputs together have so many times the size of the last-level cache. */
#define MEASURE_ROTATION_CACHES 4

typedef struct measure_rotation measure_rotation;

/* Inputs, and outputs, that take turns for `problem`. */
uint64_t measure_rotation_pairs(const measure_device *device, const measure_problem *problem);

/* Bytes of device memory that a rotation takes, half of it in one buffer for all inputs, half in one for all
 * outputs. */
uint64_t measure_rotation_bytes(const measure_device *device, const measure_problem *problem);

/* Copies the source of `c` into all inputs, and for scans in place into all outputs. NULL with the reason in `note`. */
measure_rotation *measure_rotation_create(const measure_case *c, measure_note *note);
void measure_rotation_destroy(measure_rotation *rotation);

/* Let `c` have the next input and output. What it had before is gone. The queue is idle afterwards. */
bool measure_rotation_next(measure_rotation *rotation, measure_case *c, measure_note *note);

#endif
