/* Checks of arguments that come from outside. Nothing below this layer checks them again. */
#ifndef CLSCAN_API_CHECK_H
#define CLSCAN_API_CHECK_H

#include "api/ranges.h"
#include "engine/workspace.h"

/* A taken problem (element/problem.h). */
clscan_status clscan__check_problem(const clscan_problem *problem, clscan_error *error);

clscan_status clscan__check_options(const clscan_plan_options *options, clscan_error *error);

/* `info` is that of the device. */
clscan_status clscan__check_mechanism_on_device(clscan_mechanism mechanism, const clscan_device_info *info,
                                                clscan_error *error);
/* Does the device compute as a reproducible problem needs it? */
clscan_status clscan__check_arithmetic(const clscan_problem *problem, cl_device_id device,
                                       const clscan_device_info *info, clscan_error *error);
/* Does the device run the loops of operation repeat? */
clscan_status clscan__check_repetition(const clscan_problem *problem, const clscan_device_info *info,
                                       clscan_error *error);
clscan_status clscan__check_device_in_context(cl_context context, cl_device_id device, clscan_error *error);

/* Is `queue` one of the plan's context and device? */
clscan_status clscan__check_queue(const clscan_plan *plan, cl_command_queue queue, clscan_error *error);

/* Memory that shall hold the workspace. */
clscan_status clscan__check_workspace_memory(const clscan_plan *plan, const clscan_memory *memory, clscan_error *error);

/* A number that kernels find in device memory, where the problem asks for it. */
typedef struct clscan__device_number {
    const char *name, *setting; /* members of clscan_run_args, and of the problem that asks for it */
    const char *most_name;      /* the host's, which is the largest that it may be */
    const char *meaning;        /* of that */
    bool is_wanted;             /* by the plan's problem */
    const clscan_memory *memory;
    uint64_t most;
} clscan__device_number;

/* Is the number where the plan's kernels look for it? */
clscan_status clscan__check_device_number(const clscan__device_number *number, clscan_error *error);

/* The rows of a run: *rows is `room`, taken apart, or NULL if the plan is for one scan. */
clscan_status clscan__check_rows(const clscan_plan *plan, const clscan_run_args *args, clscan__run_rows *room,
                                 const clscan__run_rows **rows, clscan_error *error);

/* Of a plan with operation select: let (*args)->selection be there, in `room`, with a capacity; *args becomes a copy in
 * `args_room`, unless it is that already. */
clscan_status clscan__check_selection(const clscan_plan *plan, const clscan_run_args **args, clscan_run_args *args_room,
                                      clscan_selection *room, clscan_error *error);

/* Of any plan: let (*args)->segment_sums, if it is there, be in `room`, with a capacity; *args as above. */
clscan_status clscan__check_segment_sums(const clscan_plan *plan, const clscan_run_args **args,
                                         clscan_run_args *args_room, clscan_segment_sums *room, clscan_error *error);

/* What says where segments begin, if the plan has some, and where their sums go: put behind the *count ranges. */
clscan_status clscan__locate_segments(const clscan_plan *plan, const clscan_run_args *args, clscan__byte_range *ranges,
                                      size_t *count, clscan_error *error);
clscan_status clscan__locate_segment_sums(const clscan_plan *plan, const clscan_run_args *args,
                                          clscan__byte_range *ranges, size_t *count, clscan_error *error);

/* All arguments of a run except queue and events. *in_place tells which outputs are where their inputs are: bit 0
 * args->out, bit 1 + i column i of a selection. */
clscan_status clscan__check_run_args(const clscan_workspace *workspace, const clscan_run_args *args,
                                     const clscan__run_rows *rows, uint32_t *in_place, clscan_error *error);

#endif
