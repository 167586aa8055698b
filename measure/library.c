#include "library.h"

#include <stdio.h>
#include <stdlib.h>

#include "config_file/axes.h"
#include "rows.h"

typedef struct library_state {
    clscan_plan *plan;
    clscan_workspace *workspace;
    measure_run run;
    clscan_choice choice;
    cl_mem count;  /* of elements; NULL: the host says it */
    uint64_t most; /* elements that there may be */
} library_state;

/* What a status of clscan_plan_create() means for a measurement. */
static measure_outcome outcome_of(clscan_status status)
{
    switch (status) {
    case CLSCAN_OK:
        return MEASURE_OK;
    case CLSCAN_ERROR_ILLEGAL_VARIANT:
    case CLSCAN_ERROR_DEVICE_LIMIT:
        return MEASURE_ILLEGAL;
    case CLSCAN_ERROR_UNSUPPORTED_TYPE:
        return MEASURE_UNAVAILABLE;
    default:
        return MEASURE_FAILED;
    }
}

/* Elements of a run: those of a scan, or the runs that are decoded. */
static uint64_t run_count(const measure_problem *problem)
{
    return problem->selects == MEASURE_REPEATS ? problem->kept_count : measure_scan_count(problem);
}

/* Are there buffers besides input and output, or rows, whose size says how many elements there are? */
static bool has_room_for_no_more(const measure_problem *problem)
{
    return problem->rows.count > 0 || problem->segment_length > 0 || problem->selects != MEASURE_SELECTS_NOTHING;
}

/* Put the count into device memory. Returns how many elements there may be: as many as input and output have room for,
 * or else the count; 0 with a note if that fails. */
static uint64_t count_on_device(const measure_case *c, library_state *state, measure_note *note)
{
    const measure_problem *problem = &c->problem;
    uint64_t count = run_count(problem), in_count, out_count;
    size_t in_bytes = 0, out_bytes = 0;
    cl_int code = clGetMemObjectInfo(c->in, CL_MEM_SIZE, sizeof in_bytes, &in_bytes, NULL);

    if (code == CL_SUCCESS)
        code = clGetMemObjectInfo(c->target, CL_MEM_SIZE, sizeof out_bytes, &out_bytes, NULL);
    if (code == CL_SUCCESS)
        state->count =
            clCreateBuffer(c->device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof count, &count, &code);
    if (code != CL_SUCCESS) {
        measure_fail_opencl(note, "count on the device", code);
        return 0;
    }
    if (has_room_for_no_more(problem))
        return count;
    in_count = in_bytes / measure_element_bytes(problem) - problem->in_offset;
    if (problem->reduces)
        return in_count;
    out_count = out_bytes / measure_output_element_bytes(problem) - problem->out_offset;
    return in_count < out_count ? in_count : out_count;
}

static clscan_status create_plan(measure_contender *contender, const measure_case *c, clscan_plan **plan,
                                 clscan_error *error)
{
    const measure_problem *problem = &c->problem;
    clscan_problem what = measure_clscan_problem(problem);
    const library_state *state = contender->state;
    clscan_plan_options options = {.struct_size = sizeof options};
    clscan_variant variant = {0};
    clscan_status status;

    if (state->count != NULL) {
        what.max_count = state->most;
        what.count_bytes = sizeof(uint64_t);
    }
    if (contender->request != NULL) {
        status = clscan_variant_parse(contender->request, &variant, error);
        if (status == CLSCAN_OK) {
            clscan_variant_format(&variant, contender->variant, sizeof contender->variant);
            status = clscan_variant_check(&variant, &what, measure_scans_in_place(problem), &c->device->info, error);
        }
        if (status != CLSCAN_OK)
            return status;
        options.variant = &variant;
    }
    return clscan_plan_create(c->device->context, c->device->id, &what, &options, plan, error);
}

/* Carries whose runs are one launch. A carry that is not listed is timed as if it were several, which costs
 * it the gap between two launches. */
bool measure_is_one_launch(const clscan_variant *variant, const clscan_segments *segments)
{
    if (segments != NULL && segments->by == CLSCAN_BY_OFFSETS)
        return false;
    return variant->carry == CLSCAN_CARRY_SINGLE || variant->carry == CLSCAN_CARRY_LAST_COMBINES ||
           clscan__variant_has_order(variant);
}

/* Where sums of segments go, of reductions. */
static void set_sums(const measure_case *c, measure_run *run)
{
    run->sums = (clscan_segment_sums){.struct_size = sizeof run->sums,
                                      .sums.buffer = c->target,
                                      .keys.buffer = c->keys,
                                      .number.buffer = c->number,
                                      .capacity = c->number != NULL ? c->problem.segment_count : 0};
    run->args.segment_sums = &run->sums;
}

static void set_selection(const measure_case *c, measure_run *run)
{
    run->selection = (clscan_selection){.struct_size = sizeof run->selection};
    if (c->problem.selects == MEASURE_REPEATS) {
        run->selection.lengths.buffer = c->flags;
        run->selection.capacity = c->problem.count;
    } else if (measure_gives_lengths(c->problem.selects)) {
        run->selection.lengths.buffer = c->keys;
        run->selection.capacity = c->problem.kept_count > 0 ? c->problem.kept_count : 1;
    } else {
        run->selection.flags.buffer = c->flags;
    }
    if (measure_column_count(c->problem.selects) > 1) {
        for (uint64_t i = 1; i < MEASURE_COLUMNS; ++i)
            run->columns[i - 1] = (clscan_column){{.buffer = c->in, .offset = i * c->problem.count},
                                                  {.buffer = c->target, .offset = i * c->problem.count}};
        run->selection.columns = run->columns;
    }
    if (c->problem.selects == MEASURE_SELECTS_WHERE)
        run->args.in = (clscan_memory){.buffer = NULL};
    run->args.selection = &run->selection;
    run->args.total.buffer = c->number;
}

void measure_run_make(const measure_case *c, measure_run *run)
{
    const measure_problem *problem = &c->problem;
    clscan_run_args *args = &run->args;

    *run = (measure_run){.args = {.struct_size = sizeof *args,
                                  .in = {.buffer = c->in, .offset = problem->in_offset},
                                  .segments.buffer = c->segments,
                                  .offset_count = c->offset_count,
                                  .count = run_count(problem)}};
    if (problem->rows.count > 0) {
        run->rows = problem->rows;
        args->rows = &run->rows;
    }
    if (problem->reduces && problem->segment_length > 0) {
        set_sums(c, run);
        return;
    }
    if (problem->reduces)
        args->total.buffer = c->target;
    else
        args->out = (clscan_memory){.buffer = c->target, .offset = problem->out_offset};
    if (problem->selects)
        set_selection(c, run);
    if (measure_gives_offsets(problem))
        args->total = (clscan_memory){.buffer = c->target,
                                      .offset = problem->out_offset +
                                                measure_rows_total_offset(&problem->rows, measure_scan_count(problem))};
}

static void make_run(const library_state *state, const measure_case *c, measure_run *run)
{
    measure_run_make(c, run);
    run->args.count = state->most;
    run->args.device_count.buffer = state->count;
}

static measure_outcome library_prepare(measure_contender *contender, const measure_case *c)
{
    const measure_problem *problem = &c->problem;
    const bool segmented = problem->segment_length > 0;
    library_state *state = calloc(1, sizeof *state);
    clscan_error error = {0};
    clscan_status status;

    if (state == NULL) {
        measure_fail(&contender->note, "no host memory");
        return MEASURE_FAILED;
    }
    contender->state = state;
    state->choice.struct_size = sizeof state->choice;
    state->most = run_count(problem);
    if (contender->kind == &measure_library_counted) {
        state->most = count_on_device(c, state, &contender->note);
        if (state->most == 0)
            return MEASURE_FAILED;
    }
    status = create_plan(contender, c, &state->plan, &error);
    if (status == CLSCAN_OK)
        status = clscan_plan_explain(state->plan, state->most, measure_scans_in_place(problem), &state->choice, &error);
    if (status == CLSCAN_OK)
        status = clscan_workspace_create(state->plan, &state->workspace, &error);
    if (status == CLSCAN_OK)
        status = clscan_workspace_bind(state->workspace, c->device->queue, NULL, &error);
    if (status != CLSCAN_OK) {
        measure_fail(&contender->note, "%s", error.message);
        if (error.build_log[0] != '\0')
            fprintf(stderr, "%s\n", error.build_log);
        return outcome_of(status);
    }
    clscan_variant_format(&state->choice.variant, contender->variant, sizeof contender->variant);
    if (contender->request == NULL)
        measure_fail(&contender->note, "%s", state->choice.source);
    contender->one_command = measure_is_one_launch(&state->choice.variant, segmented ? &problem->segments : NULL) &&
                             !(segmented && problem->reduces && problem->direction == CLSCAN_REVERSE) &&
                             !(problem->selects && problem->in_place) && !measure_partitions(problem->selects) &&
                             problem->selects != MEASURE_REPEATS && !measure_gives_lengths(problem->selects);
    make_run(state, c, &state->run);
    return MEASURE_OK;
}

static bool library_enqueue(measure_contender *contender, const measure_case *c, cl_event *event)
{
    library_state *state = contender->state;
    clscan_error error = {0};
    measure_run run;

    make_run(state, c, &run);
    if (clscan_run(state->plan, state->workspace, c->device->queue, &run.args, 0, NULL, event, &error) == CLSCAN_OK)
        return true;
    return measure_fail(&contender->note, "%s", error.message);
}

clscan_variant measure_library_variant(const measure_contender *contender)
{
    const library_state *state = contender->state;

    return state->choice.variant;
}

clscan_status measure_library_call(const measure_contender *contender, const measure_case *c)
{
    const library_state *state = contender->state;

    return clscan_run(state->plan, state->workspace, c->device->queue, &state->run.args, 0, NULL, NULL, NULL);
}

static void library_release(measure_contender *contender)
{
    library_state *state = contender->state;

    if (state == NULL)
        return;
    clscan_workspace_destroy(state->workspace);
    clscan_plan_destroy(state->plan);
    if (state->count != NULL)
        clReleaseMemObject(state->count);
    free(state);
}

const measure_kind measure_library = {.name = "clscan",
                                      .scans = true,
                                      .rows = true,
                                      .columns = true,
                                      .reduces = true,
                                      .segments = true,
                                      .selects = true,
                                      .maps = true,
                                      .prepare = library_prepare,
                                      .enqueue = library_enqueue,
                                      .release = library_release};

const measure_kind measure_library_counted = {.name = "clscan (device count)",
                                              .scans = true,
                                              .rows = true,
                                              .columns = true,
                                              .reduces = true,
                                              .segments = true,
                                              .selects = true,
                                              .maps = true,
                                              .prepare = library_prepare,
                                              .enqueue = library_enqueue,
                                              .release = library_release};
