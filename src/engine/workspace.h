/* What one run at a time needs: a buffer, kernels of its own, an epoch, and the order among its runs. */
#ifndef CLSCAN_ENGINE_WORKSPACE_H
#define CLSCAN_ENGINE_WORKSPACE_H

#include <stdatomic.h>

#include "engine/order.h"
#include "engine/plan.h"

typedef cl_kernel clscan__kernels[CLSCAN__KERNELS_PER_STRATEGY];

struct clscan_workspace {
    const clscan_plan *plan;
    clscan__kernels *kernels;     /* of each of the plan's compiled variants; arguments are per workspace */
    cl_kernel empty_kernel;       /* of the first variant: for counts of 0 */
    cl_kernel mark_kernel;        /* of the first variant: for segments by offsets; else NULL */
    cl_kernel clear_kernel;       /* the same, where their elements are counted in device memory */
    cl_kernel count_kernel;       /* of the first variant: for segments that are counted first; else NULL */
    cl_kernel no_segments_kernel; /* the same, for sums of segments by other ways than offsets */
    cl_kernel sum_lengths_kernel; /* the same, for operation repeat */
    cl_kernel expand_kernel;
    cl_kernel walk_kernel; /* the same, for lengths of a selection */
    cl_kernel mend_kernel;
    cl_kernel count_kept_kernel; /* of the variant of engine/rest.h, for the rest of a selection */
    cl_kernel place_rest_kernel;
    cl_kernel move_back_kernel; /* of the first variant: for selections in place; else NULL */
    atomic_flag busy;           /* a thread is inside a call */
    cl_mem buffer;              /* NULL: unbound */
    uint64_t offset_bytes;
    uint32_t epoch; /* of the next run that publishes */
    bool needs_initialisation;
    clscan__order order;
};

clscan_status clscan__workspace_create(const clscan_plan *plan, clscan_workspace **workspace, clscan_error *error);
void clscan__workspace_destroy(clscan_workspace *workspace);

/* Claim the workspace for one call; CLSCAN_ERROR_WORKSPACE_BUSY if another thread is in one. */
clscan_status clscan__workspace_claim(clscan_workspace *workspace, clscan_error *error);
void clscan__workspace_disclaim(clscan_workspace *workspace);

/* The rest is for a thread that has claimed it. */

/* Take over a checked buffer, or allocate one if it is NULL, and initialise it on `queue`. */
clscan_status clscan__workspace_bind(clscan_workspace *workspace, cl_command_queue queue, cl_mem buffer,
                                     uint64_t offset_bytes, clscan_error *error);
void clscan__workspace_unbind(clscan_workspace *workspace);

/* Begin commands on `queue`, after the caller's events and after all that uses the workspace already. */
clscan_status clscan__workspace_begin(clscan_workspace *workspace, clscan__sequence *sequence, cl_command_queue queue,
                                      cl_uint wait_count, const cl_event *wait_list, clscan_error *error);

/* End them. Remembers the last command for those that come; after a failure the next run initialises again. */
void clscan__workspace_end(clscan_workspace *workspace, clscan__sequence *sequence, clscan_status status);

/* Enqueue the initialisation if it is due, for a run that publishes words; *epoch is the run's. */
clscan_status clscan__workspace_next_epoch(clscan_workspace *workspace, clscan__sequence *sequence, uint32_t *epoch,
                                           clscan_error *error);

/* Read the report of a bound workspace, behind all of its runs. Blocks. */
clscan_status clscan__workspace_report(clscan_workspace *workspace, cl_command_queue queue, clscan_report *report,
                                       clscan_error *error);

#endif
