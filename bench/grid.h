/* A few variants written as one: "strided+... work_group_size=256,512 vector_length=4" stands for two. */
#ifndef CLSCAN_BENCH_GRID_H
#define CLSCAN_BENCH_GRID_H

#include "measure/measure.h"

/* The first `capacity` of the variants of `grid`, as texts; later parameters change first. A text is too long, or has
 * more words than a variant can have: 0. */
size_t bench_grid_expand(const char *grid, char (*variants)[MEASURE_NAME_BYTES], size_t capacity);

#endif
