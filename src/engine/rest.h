/* The rest of a selection, what it does not keep: where that begins is counted by cl/selection/rest.cl where it must
 * be, and stands in the workspace. */
#ifndef CLSCAN_ENGINE_REST_H
#define CLSCAN_ENGINE_REST_H

#include "engine/plan.h"

#define CLSCAN__COUNT_KEPT_KERNEL "clscan_count_kept"
#define CLSCAN__PLACE_REST_KERNEL "clscan_place_rest"

/* Whose program has the kernels: that of the largest counts, which loads most at once. */
const clscan__compiled *clscan__rest_compiled(const clscan_plan *plan);

/* Work-groups of its size that count what a run of so many elements keeps, at least 1. */
uint64_t clscan__rest_groups(const clscan_plan *plan, uint64_t count);

/* What is left in the workspace: the place, that of a middle, and a number of each work-group. 0 where there is no
 * rest. */
uint64_t clscan__rest_bytes(const clscan_plan *plan);

#endif
