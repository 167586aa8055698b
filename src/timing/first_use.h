/* Measuring at first use: which of the known winners is fastest here. */
#ifndef CLSCAN_TIMING_FIRST_USE_H
#define CLSCAN_TIMING_FIRST_USE_H

#include "engine/plan.h"

/* For a plan with checked arguments and without a variant or config of its caller: if nothing was measured for its
 * largest count on this device, time the variants that configs name, and keep the winner. It ends after `bound_ns`, and
 * what is at hand then. *config: one entry, for the plan to choose by, which the caller destroys; NULL: nothing was
 * measured. What goes wrong is logged, and nothing is measured. `outcome` tells in words. `info` is the device as the
 * plan uses it; where the start-up probe forbids waiting, it says so afterwards. */
void clscan__measure_first_use(cl_context context, cl_device_id device, clscan_device_info *info,
                               const clscan_problem *problem, const clscan_plan_options *options, uint64_t bound_ns,
                               clscan_config **config, char outcome[CLSCAN__OUTCOME_BYTES]);

#endif
