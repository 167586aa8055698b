/* What a device needs for its share of a scan in parts: plans that are ready to run, room for values that travel. */
#ifndef CLSCAN_DEVICES_BOUND_H
#define CLSCAN_DEVICES_BOUND_H

#include <stddef.h>

#include <clscan/plan.h>

/* A plan and its only workspace. */
typedef struct clscan__bound_plan {
    clscan_plan *plan; /* NULL: there is none */
    clscan_workspace *workspace;
} clscan__bound_plan;

/* Fill a zeroed one; the queue binds the workspace. Destroy it, also after a failure. */
clscan_status clscan__bound_plan_create(cl_context context, cl_device_id device, cl_command_queue queue,
                                        const clscan_problem *problem, const clscan_plan_options *options,
                                        clscan__bound_plan *made, clscan_error *error);
void clscan__bound_plan_destroy(clscan__bound_plan *bound);

/* The caller's options (may be NULL) for plans that reduce. */
clscan_plan_options clscan__options_for_sums(const clscan_plan_options *options);

/* A buffer; NULL after a failure. */
clscan_status clscan__values_create(cl_context context, size_t size_bytes, cl_mem *made, clscan_error *error);

#endif
