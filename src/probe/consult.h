/* What the start-up probe has to say about a plan whose work-groups would wait for each other. */
#ifndef CLSCAN_PROBE_CONSULT_H
#define CLSCAN_PROBE_CONSULT_H

#include <stdbool.h>

#include <clscan/plan.h>

/* Ask for a plan with checked `options`, which may be NULL. If waiting is forbidden, *forbids is true, and `info` has
 * no progress any more and says why. A probe that could not run forbids as well; where options->variant waits, so that
 * nothing can take its place, its error is returned instead. Thread-safe. */
clscan_status clscan__probe_consult(cl_context context, cl_device_id device, const clscan_plan_options *options,
                                    clscan_device_info *info, bool *forbids, clscan_error *error);

#endif
