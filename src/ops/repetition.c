#include "ops/repetition.h"

#include "base/checked.h"
#include "element/problem.h"
#include "element/repetition.h"
#include "program/repetition.h"

/* In bytes from the beginning of the workspace's buffer. */
static uint64_t places_bytes(const clscan_workspace *workspace)
{
    return workspace->offset_bytes + workspace->plan->layout.marks_bytes;
}

clscan_run_args clscan__repetition_scan_args(const clscan_workspace *workspace, const clscan_run_args *args)
{
    const clscan_problem *problem = &workspace->plan->problem;
    const clscan__repetition_layout layout = clscan__repetition_layout_of(problem);
    const uint64_t places = places_bytes(workspace), place_bytes = clscan__problem_sum_bytes(problem);
    clscan_run_args made = *args;

    made.in = (clscan_memory){.buffer = workspace->buffer, .offset = (places + layout.sums_bytes) / place_bytes};
    made.out = (clscan_memory){.buffer = workspace->buffer, .offset = places / place_bytes};
    made.count = clscan__problem_scanned(problem, args->count);
    if (problem->count_bytes > 0)
        made.device_count = (clscan_memory){.buffer = workspace->buffer,
                                            .offset = (places + layout.count_bytes) / problem->count_bytes};
    made.selection = NULL;
    return made;
}

/* Columns in and out, then indices, as src/program/repetition.c has them. */
static void set_columns(clscan__arguments *arguments, const clscan_problem *problem, const clscan_run_args *args)
{
    const clscan_selection *selection = args->selection;

    if (!clscan__problem_repeats_indices(problem)) {
        clscan__argument_memory(arguments, &args->in);
        clscan__argument_memory(arguments, &args->out);
    }
    for (uint32_t i = 0; i < clscan__problem_column_count(problem); ++i) {
        clscan__argument_memory(arguments, &selection->columns[i].in);
        clscan__argument_memory(arguments, &selection->columns[i].out);
    }
    if (clscan__problem_repeats_indices(problem))
        clscan__argument_memory(arguments, &args->out);
    if (clscan__problem_index_bytes(problem) > 0)
        clscan__argument_memory(arguments, &selection->indices);
}

/* Of a kernel that takes elements one by one, as the scan does not. */
static void set_run(clscan__arguments *arguments, const clscan__run *scan, const clscan_run_args *args)
{
    clscan__run run = *scan;
    clscan__run_arguments values;

    run.count = args->count;
    if (run.count_buffer != NULL) {
        run.count_buffer = args->device_count.buffer;
        run.count_offset = args->device_count.offset;
    }
    values = clscan__run_arguments_of(&run);
    values.capacity = args->selection->capacity;
    clscan__arguments_run(arguments, &values, &run);
    clscan__argument_memory(arguments, &args->selection->lengths);
}

clscan_status clscan__repetition_sum(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *scan,
                                     const clscan_run_args *args, clscan_error *error)
{
    clscan_status status;
    const clscan_plan *plan = workspace->plan;
    const clscan__repetition_layout layout = clscan__repetition_layout_of(&plan->problem);
    const uint32_t work_group_size = plan->described.repetition->work_group_size;
    clscan__arguments arguments = {.kernel = workspace->sum_lengths_kernel};

    set_run(&arguments, scan, args);
    clscan__argument_u64(&arguments, places_bytes(workspace) + layout.sums_bytes);
    clscan__argument_u64(&arguments, places_bytes(workspace) + layout.count_bytes);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, workspace->sum_lengths_kernel,
                                        clscan__divide_up(scan->count, clscan__repeat_group_blocks(work_group_size)),
                                        work_group_size, false, error));

cleanup:
    return status;
}

clscan_status clscan__repetition_fill(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *scan,
                                      const clscan_run_args *args, clscan_error *error)
{
    clscan_status status;
    const clscan_plan *plan = workspace->plan;
    const uint64_t capacity = args->selection->capacity;
    const uint32_t work_group_size = plan->described.repetition->work_group_size;
    clscan__arguments arguments = {.kernel = workspace->expand_kernel};

    set_run(&arguments, scan, args);
    set_columns(&arguments, &plan->problem, args);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, workspace->expand_kernel,
                                        clscan__expand_work_groups(&plan->info, work_group_size, capacity, args->count),
                                        work_group_size, true, error));

cleanup:
    return status;
}
