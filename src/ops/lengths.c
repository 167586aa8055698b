#include "ops/lengths.h"

#include "engine/lengths.h"
#include "ops/items.h"

clscan_memory clscan__lengths_marks(const clscan__run *run)
{
    return (clscan_memory){.buffer = run->workspace,
                           .offset = (run->workspace_offset_bytes + run->layout.marks_bytes) / sizeof(cl_ulong)};
}

static clscan_status enqueue(clscan_workspace *workspace, clscan__sequence *sequence, cl_kernel kernel,
                             const clscan__run *run, const clscan_run_args *args, const clscan__length_units *units,
                             bool final, clscan_error *error)
{
    clscan_status status;
    const clscan_memory marks = clscan__lengths_marks(run);
    const clscan__run_arguments values = clscan__run_arguments_of(run);
    clscan__arguments arguments = {.kernel = kernel};

    clscan__arguments_run(&arguments, &values, run);
    clscan__argument_memory(&arguments, &args->selection->lengths);
    clscan__argument_memory(&arguments, &marks);
    clscan__argument_u64(&arguments, units->elements);
    clscan__argument_u32(&arguments, units->by_parts);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__items_enqueue(sequence, workspace->plan, kernel, clscan__items_work_group_size(workspace->plan),
                                      units->count, true, final, error));

cleanup:
    return status;
}

clscan_status clscan__lengths_enqueue(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                                      const clscan_run_args *args, clscan_error *error)
{
    clscan_status status;
    const clscan_plan *plan = workspace->plan;
    const clscan__compiled *compiled = &plan->compiled[clscan__plan_class(plan, run->count, false)->compiled];
    const clscan__length_units units = clscan__length_units_of(plan, &compiled->variant, run->count);
    const bool mends = units.by_parts || !clscan__problem_selects_long_runs(&plan->problem);

    if (!units.by_parts)
        CLSCAN__TRY(enqueue(workspace, sequence, workspace->walk_kernel, run, args, &units, !mends, error));
    if (mends)
        CLSCAN__TRY(enqueue(workspace, sequence, workspace->mend_kernel, run, args, &units, true, error));

cleanup:
    return status;
}
