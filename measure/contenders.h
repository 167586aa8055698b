/* One case: every contender in turn, run by run. */
#ifndef CLSCAN_MEASURE_CONTENDERS_H
#define CLSCAN_MEASURE_CONTENDERS_H

#include "measure.h"

/* Prepare, validate, run `runs` timed rounds of all contenders in turn, validate again, summarise. What
 * happened is in each contender's outcome and note. */
void measure_contenders(const measure_case *c, measure_contender *contenders, size_t count, size_t runs);

/* Prepare one contender. */
void measure_prepare(const measure_case *c, measure_contender *contender);

/* Free what measure_prepare() and measure_contenders() made. */
void measure_release(measure_contender *contenders, size_t count);

/* The fastest copy, or NULL if none could be timed. */
const measure_contender *measure_fastest_copy(const measure_contender *contenders, size_t count);

/* The fastest that only reads, or NULL. */
const measure_contender *measure_fastest_read(const measure_contender *contenders, size_t count);

/* The fastest copy by the host's clock, on a device with both clocks. */
const measure_contender *measure_fastest_copy_by_host(const measure_contender *contenders, size_t count);

#endif
