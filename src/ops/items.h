/* Launches over items: segments, elements, units. */
#ifndef CLSCAN_OPS_ITEMS_H
#define CLSCAN_OPS_ITEMS_H

#include "engine/workspace.h"

/* Work-items of a work-group that takes items one by one. */
uint32_t clscan__items_work_group_size(const clscan_plan *plan);

/* A launch whose work-items take an item each, or several where there are many: as many as keep a device busy. Where
 * nobody knows how many items there are, work-groups without any cost time, so there are no more than fill the device;
 * but where loops end by themselves, items have as few turns as can be. */
clscan_status clscan__items_enqueue(clscan__sequence *sequence, const clscan_plan *plan, cl_kernel kernel,
                                    uint32_t work_group_size, uint64_t items, bool known, bool final,
                                    clscan_error *error);

#endif
