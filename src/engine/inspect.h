/* What a plan's programs are: their binaries, and what the compiler made of their kernels. */
#ifndef CLSCAN_ENGINE_INSPECT_H
#define CLSCAN_ENGINE_INSPECT_H

#include "engine/plan.h"

/* Arguments are those of clscan_plan_save(), checked. */
clscan_status clscan__plan_save(const clscan_plan *plan, void *blob, size_t capacity_bytes, size_t *size_bytes,
                                clscan_error *error);

/* About the variant at position `compiled` of the plan. */
clscan_status clscan__plan_kernel_info(const clscan_plan *plan, size_t compiled, clscan_kernel_info *info,
                                       clscan_error *error);

#endif
