#include "ops/scan.h"

#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "config/variant.h"
#include "element/repetition.h"
#include "ops/in_place.h"
#include "ops/lengths.h"
#include "ops/repetition.h"
#include "ops/rest.h"
#include "ops/segments.h"

/* The buffer of what may be given. Kernels do not touch a buffer whose flag is not set; any valid one will do: that of
 * the results, an output or a reduction's total, or the workspace where there are sums of segments alone. */
static cl_mem buffer_of(const clscan_memory *memory, bool given, const clscan_run_args *args, cl_mem workspace)
{
    if (given)
        return memory->buffer;
    return args->out.buffer != NULL ? args->out.buffer : args->total.buffer != NULL ? args->total.buffer : workspace;
}

/* They point to what the caller gave, which is there during the call. */
static void set_map_arguments(clscan__run *run, const clscan_plan *plan, const clscan_run_args *args)
{
    for (uint64_t i = 0; i < args->map_argument_count; ++i) {
        const clscan_map_argument *argument = clscan__problem_argument(&plan->problem, i);
        const clscan_memory *given = &args->map_arguments[i];
        const size_t bytes = clscan__map_argument_bytes(argument);

        run->map_arguments[run->map_argument_count].size_bytes = argument->is_buffer ? sizeof given->buffer : bytes;
        run->map_arguments[run->map_argument_count++].value =
            argument->is_buffer ? (const void *)&given->buffer
                                : (const unsigned char *)given->pointer + given->offset * bytes;
        if (!argument->is_buffer)
            continue;
        run->map_arguments[run->map_argument_count].size_bytes = sizeof given->offset;
        run->map_arguments[run->map_argument_count++].value = &given->offset;
    }
}

static void add_column(clscan__run *run, const clscan_memory *memory)
{
    run->columns_of_selection[run->columns_of_selection_count].buffer = memory->buffer;
    run->columns_of_selection[run->columns_of_selection_count++].offset = memory->offset;
}

static void set_selection(clscan__run *run, const clscan_problem *problem, const clscan_run_args *args)
{
    const clscan_selection *selection = args->selection;

    run->capacity = selection->capacity;
    run->flags_buffer = selection->flags.buffer;
    run->flags_offset = selection->flags.offset;
    for (uint32_t i = 0; i < clscan__problem_column_count(problem); ++i) {
        add_column(run, &selection->columns[i].in);
        add_column(run, &selection->columns[i].out);
    }
    if (clscan__problem_index_bytes(problem) > 0)
        add_column(run, &selection->indices);
    if (clscan__problem_length_bytes(problem) > 0) {
        const clscan_memory marks = clscan__lengths_marks(run);

        add_column(run, &selection->lengths);
        add_column(run, &marks);
    }
    clscan__rest_set(run, problem, args);
}

static clscan__run prepare(const clscan_workspace *workspace, const clscan_run_args *args, const clscan__run_rows *rows,
                           bool in_place)
{
    const clscan_plan *plan = workspace->plan;
    const size_t sum_bytes = clscan__problem_sum_bytes(&plan->problem);
    const bool initial = clscan__memory_is_given(&args->initial), total = clscan__memory_is_given(&args->total),
               state = clscan__memory_is_given(&args->state),
               initial_value = initial && args->initial.kind == CLSCAN_MEMORY_HOST,
               initial_buffer = initial && !initial_value;
    clscan__run run = {
        .in = args->in.buffer,
        .out = buffer_of(&args->out, false, args, workspace->buffer),
        .initial_buffer = buffer_of(&args->initial, initial_buffer, args, workspace->buffer),
        .total_buffer = buffer_of(&args->total, total, args, workspace->buffer),
        .state_buffer = buffer_of(&args->state, state, args, workspace->buffer),
        .in_offset = args->in.offset,
        .out_offset = args->out.offset,
        .initial_offset = initial_buffer ? args->initial.offset : 0,
        .total_offset = total ? args->total.offset : 0,
        .state_offset = state ? args->state.offset : 0,
        .count = args->count,
        .count_buffer = clscan__memory_is_given(&args->device_count) ? args->device_count.buffer : NULL,
        .count_offset = args->device_count.offset,
        .first = args->first,
        .selects = clscan__problem_selects(&plan->problem),
        .plain = plan->shape.plain,
        .workspace = workspace->buffer,
        .workspace_offset_bytes = workspace->offset_bytes,
        .layout = plan->layout,
        .shape = plan->shape,
        .device = &plan->info,
    };

    if (args->selection != NULL)
        set_selection(&run, &plan->problem, args);
    if (rows != NULL) {
        run.rows = rows->rows;
        run.columns = rows->columns;
        run.row_count_buffer = clscan__memory_is_given(&args->device_row_count) ? args->device_row_count.buffer : NULL;
        run.row_count_offset = args->device_row_count.offset;
        run.totals_only = !clscan__memory_is_given(&args->out);
        run.flags |= run.totals_only ? CLSCAN__FLAG_NO_OUTPUT : 0;
    }
    if (!clscan__memory_is_given(&args->in))
        run.in = run.total_buffer; /* as above */
    set_map_arguments(&run, plan, args);
    if (initial_value) {
        memcpy(run.initial, (const unsigned char *)args->initial.pointer + args->initial.offset * sum_bytes, sum_bytes);
        run.flags |= CLSCAN__FLAG_INITIAL_VALUE;
    }
    if (initial_buffer)
        run.flags |= CLSCAN__FLAG_INITIAL_BUFFER;
    if (total)
        run.flags |= CLSCAN__FLAG_TOTAL;
    if (state)
        run.flags |= CLSCAN__FLAG_STACK;
    if (in_place)
        run.flags |= CLSCAN__FLAG_IN_PLACE;
    return run;
}

static clscan_status enqueue_empty(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                                   clscan_error *error)
{
    clscan_status status;
    const clscan__run_arguments values = clscan__run_arguments_of(run);
    clscan__arguments arguments = {.kernel = workspace->empty_kernel};

    if ((run->flags & CLSCAN__FLAG_TOTAL) == 0)
        return clscan__sequence_marker(sequence, error);
    clscan__arguments_run(&arguments, &values, run);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, workspace->empty_kernel, 1, 1, true, error));

cleanup:
    return status;
}

static clscan_status enqueue_class(clscan_workspace *workspace, clscan__sequence *sequence, clscan__run *run,
                                   size_t index, clscan_error *error)
{
    clscan_status status;
    const clscan_plan *plan = workspace->plan;
    const clscan__compiled *compiled = &plan->compiled[index];
    const clscan__geometry geometry = clscan__plan_geometry(plan, &compiled->variant, run->first, run->count);

    if (clscan__variant_draws(&compiled->variant))
        CLSCAN__TRY(clscan__workspace_next_epoch(workspace, sequence, &run->epoch, error));
    CLSCAN__TRY(
        compiled->strategy->enqueue(sequence, workspace->kernels[index], &compiled->variant, &geometry, run, error));

cleanup:
    return status;
}

/* A launch for each row. */
static clscan_status enqueue_lone_rows(clscan_workspace *workspace, clscan__sequence *sequence, clscan__run *run,
                                       size_t index, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint64_t row = 0; row < run->rows.count; ++row) {
        clscan__run one = *run;

        one.in_offset += row * run->rows.in_pitch;
        one.out_offset += row * run->rows.out_pitch;
        one.initial_offset += row * run->rows.initial_pitch;
        one.total_offset += row * run->rows.total_pitch;
        CLSCAN__TRY(enqueue_class(workspace, sequence, &one, index, error));
    }

cleanup:
    return status;
}

static clscan_status enqueue_scan(clscan_workspace *workspace, clscan__sequence *sequence, clscan__run *run,
                                  bool in_place, clscan_error *error)
{
    const clscan_plan *plan = workspace->plan;
    const clscan__size_class *lone = NULL, *shared = NULL;
    const bool many_ways = !run->columns.needed && !run->totals_only;

    if (many_ways)
        shared = clscan__plan_joined_rows(plan, run, in_place);
    if (many_ways && shared == NULL)
        lone = clscan__plan_lone_rows(plan, run->rows.count, run->count, in_place);
    if (lone != NULL)
        return enqueue_lone_rows(workspace, sequence, run, lone->compiled, error);
    if (many_ways && shared == NULL)
        shared = clscan__plan_chained_rows(plan, run->rows.count, run->count, in_place);
    if (shared == NULL)
        shared = clscan__plan_class(plan, run->count, in_place);
    return enqueue_class(workspace, sequence, run, shared->compiled, error);
}

clscan_status clscan__scan_enqueue(clscan_workspace *workspace, cl_command_queue queue, const clscan_run_args *args,
                                   const clscan__run_rows *rows, uint32_t in_place, cl_uint wait_count,
                                   const cl_event *wait_list, cl_event *event, clscan_error *error)
{
    clscan_status status;
    /* A selection in place is one that is not, and a move. */
    const uint32_t moved = clscan__problem_selects(&workspace->plan->problem) ? in_place : 0;
    const bool scans_in_place = in_place != 0 && moved == 0;
    clscan__in_place_args apart;
    const clscan_run_args *scan = args;
    const bool repeats = clscan__problem_repeats(&workspace->plan->problem);
    clscan_run_args of_blocks;
    clscan__sequence sequence = {.want_last = event != NULL};
    clscan__run run;

    if (repeats) {
        of_blocks = clscan__repetition_scan_args(workspace, args);
        scan = &of_blocks;
    }
    if (moved != 0) {
        clscan__in_place_args_of(workspace, args, moved, &apart);
        scan = &apart.args;
    }
    run = prepare(workspace, scan, rows, scans_in_place);

    clscan__segments_set(&run, workspace->plan, args);
    CLSCAN__TRY(clscan__workspace_begin(workspace, &sequence, queue, wait_count, wait_list, error));
    if (rows != NULL && rows->rows.count == 0) {
        status = clscan__sequence_marker(&sequence, error);
    } else if (rows == NULL && args->count == 0 && args->first == 0) {
        status = workspace->plan->problem.segments != NULL
                     ? clscan__segments_enqueue_empty(workspace, &sequence, &run, args, error)
                     : enqueue_empty(workspace, &sequence, &run, error);
    } else {
        status = clscan__segments_enqueue_before(workspace, &sequence, &run, args, error);
        if (status == CLSCAN_OK && run.rest.present)
            status = clscan__rest_enqueue(workspace, &sequence, &run, error);
        if (status == CLSCAN_OK && repeats)
            status = clscan__repetition_sum(workspace, &sequence, &run, args, error);
        if (status == CLSCAN_OK)
            status = enqueue_scan(workspace, &sequence, &run, scans_in_place, error);
        if (status == CLSCAN_OK && clscan__problem_length_bytes(&workspace->plan->problem) > 0)
            status = clscan__lengths_enqueue(workspace, &sequence, &run, args, error);
        if (status == CLSCAN_OK && moved != 0)
            status = clscan__in_place_enqueue(workspace, &sequence, &run, args, &apart, moved, error);
        if (status == CLSCAN_OK && repeats)
            status = clscan__repetition_fill(workspace, &sequence, &run, args, error);
    }
    if (status == CLSCAN_OK && event != NULL)
        status = clscan__sequence_event(&sequence, event, error);
    clscan__workspace_end(workspace, &sequence, status);

cleanup:
    return status;
}
