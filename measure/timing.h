/* One timed run. */
#ifndef CLSCAN_MEASURE_TIMING_H
#define CLSCAN_MEASURE_TIMING_H

#include "measure.h"

/* Run a prepared contender once, by its clock, on a target that is the source again if the case is in place, or on the
 * next pair of a rotation. False with the reason in its note. */
bool measure_time(const measure_case *c, measure_contender *contender, uint64_t *nanoseconds);

/* The same by the host's clock, whatever the contender's is. */
bool measure_time_by_host(const measure_case *c, measure_contender *contender, uint64_t *nanoseconds);

#endif
