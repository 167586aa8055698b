#include "ops/repetition.h"

#include "base/checked.h"
#include "element/problem.h"
#include "element/repetition.h"
#include "program/repetition.h"

void clscan__repetition_scan_args(const clscan_workspace *workspace, const clscan_run_args *args,
                                  clscan__repetition_args *made)
{
    const clscan_plan *plan = workspace->plan;
    const size_t place_bytes = clscan__problem_sum_bytes(&plan->problem);

    *made = (clscan__repetition_args){.args = *args, .next = args->selection->lengths};
    made->args.in = made->next;
    made->args.out = (clscan_memory){
        .buffer = workspace->buffer,
        .offset = (workspace->offset_bytes + plan->layout.marks_bytes) / place_bytes,
    };
    made->args.selection = NULL;
    made->args.map_argument_count = clscan__problem_argument_count(&plan->problem);
    made->args.map_arguments = &made->next;
}

static void set_memory(clscan__arguments *arguments, const clscan_memory *memory)
{
    clscan__argument_buffer(arguments, memory->buffer);
    clscan__argument_u64(arguments, memory->offset);
}

/* Columns in and out, then indices, as src/program/repetition.c has them. */
static void set_columns(clscan__arguments *arguments, const clscan_problem *problem, const clscan_run_args *args)
{
    const clscan_selection *selection = args->selection;

    if (!clscan__problem_repeats_indices(problem)) {
        set_memory(arguments, &args->in);
        set_memory(arguments, &args->out);
    }
    for (uint32_t i = 0; i < clscan__problem_column_count(problem); ++i) {
        set_memory(arguments, &selection->columns[i].in);
        set_memory(arguments, &selection->columns[i].out);
    }
    if (clscan__problem_repeats_indices(problem))
        set_memory(arguments, &args->out);
    if (clscan__problem_index_bytes(problem) > 0)
        set_memory(arguments, &selection->indices);
}

clscan_status clscan__repetition_enqueue(clscan_workspace *workspace, clscan__sequence *sequence,
                                         const clscan__run *scan, const clscan_run_args *args, clscan_error *error)
{
    clscan_status status;
    const clscan_plan *plan = workspace->plan;
    const uint64_t capacity = args->selection->capacity;
    const uint32_t work_group_size = plan->described.repetition->work_group_size;
    clscan__run_arguments values = clscan__run_arguments_of(scan);
    clscan__arguments arguments = {.kernel = workspace->expand_kernel};

    values.capacity = capacity;
    clscan__arguments_run(&arguments, &values, scan);
    set_columns(&arguments, &plan->problem, args);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, workspace->expand_kernel,
                                        clscan__expand_work_groups(&plan->info, work_group_size, capacity, scan->count),
                                        work_group_size, true, error));

cleanup:
    return status;
}
