#ifndef CLSCAN_MEASURE_STATISTICS_H
#define CLSCAN_MEASURE_STATISTICS_H

#include "measure.h"

/* Sorts `values`, of which there is at least one. A quantile between two values is interpolated. */
measure_statistics measure_summarise(uint64_t *values, size_t count);

#endif
