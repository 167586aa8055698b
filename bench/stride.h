/* Copies whose work-items read and write with a stride (StreamScan, figure 15). */
#ifndef CLSCAN_BENCH_STRIDE_H
#define CLSCAN_BENCH_STRIDE_H

#include "measure/measure.h"

/* A copy, but never the yardstick. Each work-item of 256 copies BENCH_STRIDE_ITEMS elements of 4 bytes: so many
 * neighbouring ones at a time as the contender's request says, "1" to "64", and neighbouring work-items begin so far
 * apart. */
extern const measure_kind bench_stride_copy;

#define BENCH_STRIDE_ITEMS 64
/* Requests for bench_stride_copy. */
#define BENCH_STRIDE_COUNT 7
extern const char *const bench_strides[BENCH_STRIDE_COUNT];

#endif
