#include "ops/rest.h"

#include "base/memory.h"
#include "element/selection.h"
#include "engine/rest.h"

void clscan__rest_set(clscan__run *run, const clscan_problem *problem, const clscan_run_args *args)
{
    const bool behind = clscan__problem_rest_is_behind(problem);
    const clscan_memory *to = behind ? &args->out : &args->selection->rest;

    if (clscan__problem_rest(problem) == CLSCAN_REST_DROPPED)
        return;
    run->rest.present = true;
    run->rest.out = to->buffer;
    run->rest.out_offset = to->offset;
    run->rest.capacity = behind ? args->selection->capacity : args->selection->rest_capacity;
    run->rest.is_counted = behind || clscan__memory_is_given(&args->initial);
    run->rest.counted_offset = (run->workspace_offset_bytes + run->layout.marks_bytes) / sizeof(cl_ulong);
}

static clscan_status enqueue(const clscan_plan *plan, clscan__sequence *sequence, cl_kernel kernel,
                             const clscan__run *run, uint64_t counting, uint64_t launched, clscan_error *error)
{
    clscan_status status;
    const clscan__run_arguments values = clscan__run_arguments_of(run);
    clscan__arguments arguments = {.kernel = kernel};

    clscan__arguments_run(&arguments, &values, run);
    clscan__argument_u64(&arguments, run->rest.counted_offset);
    clscan__argument_u32(&arguments, (uint32_t)counting);
    clscan__argument_u32(&arguments, clscan__problem_rest_is_behind(&plan->problem));
    clscan__arguments_maps(&arguments, run);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, kernel, launched,
                                        clscan__rest_compiled(plan)->variant.work_group_size, false, error));

cleanup:
    return status;
}

clscan_status clscan__rest_enqueue(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                                   clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_plan *plan = workspace->plan;
    const uint64_t groups = clscan__problem_rest_is_behind(&plan->problem) ? clscan__rest_groups(plan, run->count) : 0;

    if (!run->rest.is_counted)
        return status;
    if (groups > 0)
        CLSCAN__TRY(enqueue(plan, sequence, workspace->count_kept_kernel, run, groups, groups, error));
    if (groups != 1)
        CLSCAN__TRY(enqueue(plan, sequence, workspace->place_rest_kernel, run, groups, 1, error));

cleanup:
    return status;
}
