/* Order statistics of few numbers. */
#ifndef CLSCAN_TUNER_MEDIAN_H
#define CLSCAN_TUNER_MEDIAN_H

#include <stddef.h>

/* Both sort the values, of which there is at least one. */

/* Of an even count, the upper one. */
double tune_median(double *values, size_t count);
/* The distance of the quartiles, as a part of the median. */
double tune_spread(double *values, size_t count);

#endif
