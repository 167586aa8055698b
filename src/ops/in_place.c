#include "ops/in_place.h"

#include <string.h>

#include "base/checked.h"
#include "engine/in_place.h"

static clscan_memory scratch_of(const clscan_workspace *workspace, uint32_t output, const clscan_memory *out)
{
    const clscan_plan *plan = workspace->plan;

    return (clscan_memory){.buffer = workspace->buffer,
                           .offset = clscan__in_place_first(&plan->problem, output,
                                                            workspace->offset_bytes + plan->layout.scratch_bytes,
                                                            out->offset)};
}

void clscan__in_place_args_of(const clscan_workspace *workspace, const clscan_run_args *args, uint32_t outputs,
                              clscan__in_place_args *made)
{
    const uint32_t columns = clscan__problem_column_count(&workspace->plan->problem);

    made->args = *args;
    made->selection = *args->selection;
    made->args.selection = &made->selection;
    if ((outputs & 1u) != 0)
        made->args.out = scratch_of(workspace, 0, &args->out);
    if (columns == 0)
        return;
    memcpy(made->columns, args->selection->columns, columns * sizeof made->columns[0]);
    made->selection.columns = made->columns;
    for (uint32_t i = 0; i < columns; ++i)
        if ((outputs >> (1 + i) & 1u) != 0)
            made->columns[i].out = scratch_of(workspace, 1 + i, &args->selection->columns[i].out);
}

static clscan_status enqueue(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                             uint32_t output, const clscan_memory *from, const clscan_memory *to, clscan_error *error)
{
    /* So many work-items fill a compute unit of a GPU, and such work-groups have each something to do; on a CPU a
     * work-group is one work-item. Loops that end by themselves have as few turns as can be. */
    enum { WORK_GROUP_SIZE = 256, FILLING = 4096, WORKERS = 4, MOST_GROUPS = 1 << 14, GROUP_BYTES = 1 << 14 };
    clscan_status status;
    const clscan_plan *plan = workspace->plan;
    const bool ending = plan->info.max_loop_turns > 0,
               one = plan->info.device_class == CLSCAN_DEVICE_CLASS_CPU && !ending;
    const uint32_t bytes = clscan__in_place_element_bytes(&plan->problem, output);
    const uint64_t size = one ? 1 : clscan__min_u64(WORK_GROUP_SIZE, plan->info.max_work_group_size);
    const uint64_t per_unit = one ? WORKERS : clscan__divide_up(FILLING, size);
    const uint64_t most = ending ? MOST_GROUPS : plan->info.compute_units * per_unit;
    const uint64_t groups = clscan__min_u64(clscan__divide_up(run->capacity * bytes, GROUP_BYTES), most);
    const clscan__run_arguments values = clscan__run_arguments_of(run);
    clscan__arguments arguments = {.kernel = workspace->move_back_kernel};

    clscan__arguments_run(&arguments, &values, run);
    clscan__argument_buffer(&arguments, to->buffer);
    clscan__argument_u64(&arguments, to->offset * bytes);
    clscan__argument_u64(&arguments, from->offset * bytes);
    clscan__argument_u32(&arguments, bytes);
    clscan__argument_u32(&arguments, clscan__problem_rest_is_behind(&plan->problem));
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, workspace->move_back_kernel, groups > 0 ? groups : 1, (uint32_t)size,
                                        true, error));

cleanup:
    return status;
}

clscan_status clscan__in_place_enqueue(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                                       const clscan_run_args *args, const clscan__in_place_args *made, uint32_t outputs,
                                       clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if ((outputs & 1u) != 0)
        CLSCAN__TRY(enqueue(workspace, sequence, run, 0, &made->args.out, &args->out, error));
    for (uint32_t i = 0; i < clscan__problem_column_count(&workspace->plan->problem); ++i)
        if ((outputs >> (1 + i) & 1u) != 0)
            CLSCAN__TRY(enqueue(workspace, sequence, run, 1 + i, &made->columns[i].out,
                                &args->selection->columns[i].out, error));

cleanup:
    return status;
}
