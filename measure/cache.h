/* How large the caches are that a run could find its data in. */
#ifndef CLSCAN_MEASURE_CACHE_H
#define CLSCAN_MEASURE_CACHE_H

#include "measure.h"

/* Bytes of the last-level cache. Of a CPU device: what OpenCL or the system says, whichever is more. Of others: what
 * OpenCL says, but no less than MEASURE_LEAST_CACHE_BYTES, since some drivers speak of another cache than the last. */
#define MEASURE_LEAST_CACHE_BYTES (UINT64_C(256) << 20)
uint64_t measure_cache_bytes(cl_device_id device, const clscan_device_info *info);

#endif
