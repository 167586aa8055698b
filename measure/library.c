#include "library.h"

#include <stdio.h>
#include <stdlib.h>

#include "config_file/axes.h"

typedef struct library_state {
    clscan_plan *plan;
    clscan_workspace *workspace;
    clscan_plan *rest_plan; /* of a partition: the second selection; else NULL */
    clscan_workspace *rest_workspace;
    clscan_run_args args;
    clscan_selection selection;
    clscan_segment_sums sums;
    clscan_choice choice;
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

/* `rejected`: of a partition's second selection. */
static clscan_status create_plan(measure_contender *contender, const measure_case *c, bool rejected, clscan_plan **plan,
                                 clscan_error *error)
{
    const measure_problem *problem = &c->problem;
    clscan_problem what = measure_clscan_problem(problem);
    clscan_select select;
    clscan_plan_options options = {.struct_size = sizeof options};
    clscan_variant variant = {0};
    clscan_status status;

    if (rejected) {
        select = *what.select;
        select.rejected = 1;
        what.select = &select;
    }
    if (contender->request != NULL) {
        status = clscan_variant_parse(contender->request, &variant, error);
        if (status == CLSCAN_OK) {
            clscan_variant_format(&variant, contender->variant, sizeof contender->variant);
            status = clscan_variant_check(&variant, &what, problem->in_place, &c->device->info, error);
        }
        if (status != CLSCAN_OK)
            return status;
        options.variant = &variant;
    }
    return clscan_plan_create(c->device->context, c->device->id, &what, &options, plan, error);
}

/* Carries whose runs are one launch. A carry that is not listed is timed as if it were several, which costs
 * it the gap between two launches. */
bool measure_is_one_launch(const clscan_variant *variant)
{
    return variant->carry == CLSCAN_CARRY_SINGLE || variant->carry == CLSCAN_CARRY_LAST_COMBINES ||
           clscan__variant_has_order(variant);
}

static void bind(library_state *state, clscan_run_args *args, const measure_case *c)
{
    args->in.buffer = c->in;
    args->segments.buffer = c->segments;
    args->offset_count = c->offset_count;
    if (c->problem.reduces && c->problem.segment_length > 0) {
        state->sums = (clscan_segment_sums){.struct_size = sizeof state->sums,
                                            .sums.buffer = c->target,
                                            .keys.buffer = c->keys,
                                            .number.buffer = c->number,
                                            .capacity = c->number != NULL ? c->problem.segment_count : 0};
        args->segment_sums = &state->sums;
    } else if (c->problem.selects == MEASURE_ENCODES) {
        state->sums = (clscan_segment_sums){.struct_size = sizeof state->sums,
                                            .sums.buffer = c->keys,
                                            .keys.buffer = c->target,
                                            .number.buffer = c->number,
                                            .capacity = c->problem.kept_count};
        args->in.buffer = NULL;
        args->segments.buffer = c->in;
        args->segment_sums = &state->sums;
    } else if (c->problem.reduces)
        args->total.buffer = c->target;
    else
        args->out.buffer = c->target;
}

/* Elements of a run: those of a scan, or the runs that are decoded. */
static uint64_t run_count(const measure_problem *problem)
{
    return problem->selects == MEASURE_REPEATS ? problem->kept_count : measure_scan_count(problem);
}

static measure_outcome library_prepare(measure_contender *contender, const measure_case *c)
{
    const measure_problem *problem = &c->problem;
    const bool partitions = problem->selects == MEASURE_PARTITIONS;
    library_state *state = calloc(1, sizeof *state);
    clscan_error error = {0};
    clscan_status status;

    if (state == NULL) {
        measure_fail(&contender->note, "no host memory");
        return MEASURE_FAILED;
    }
    contender->state = state;
    state->choice.struct_size = sizeof state->choice;
    status = create_plan(contender, c, false, &state->plan, &error);
    if (status == CLSCAN_OK)
        status = clscan_plan_explain(state->plan, run_count(problem), problem->in_place, &state->choice, &error);
    if (status == CLSCAN_OK)
        status = clscan_workspace_create(state->plan, &state->workspace, &error);
    if (status == CLSCAN_OK)
        status = clscan_workspace_bind(state->workspace, c->device->queue, NULL, &error);
    if (status == CLSCAN_OK && partitions)
        status = create_plan(contender, c, true, &state->rest_plan, &error);
    if (status == CLSCAN_OK && partitions)
        status = clscan_workspace_create(state->rest_plan, &state->rest_workspace, &error);
    if (status == CLSCAN_OK && partitions)
        status = clscan_workspace_bind(state->rest_workspace, c->device->queue, NULL, &error);
    if (status != CLSCAN_OK) {
        measure_fail(&contender->note, "%s", error.message);
        if (error.build_log[0] != '\0')
            fprintf(stderr, "%s\n", error.build_log);
        return outcome_of(status);
    }
    clscan_variant_format(&state->choice.variant, contender->variant, sizeof contender->variant);
    if (contender->request == NULL)
        measure_fail(&contender->note, "%s", state->choice.source);
    contender->one_command =
        measure_is_one_launch(&state->choice.variant) && !partitions && problem->selects != MEASURE_REPEATS;
    state->args.struct_size = sizeof state->args;
    bind(state, &state->args, c);
    state->args.in.offset = problem->in_offset;
    state->args.out.offset = problem->out_offset;
    state->args.count = run_count(problem);
    if (problem->selects && problem->selects != MEASURE_ENCODES) {
        state->selection = (clscan_selection){.struct_size = sizeof state->selection};
        if (problem->selects == MEASURE_REPEATS) {
            state->selection.lengths.buffer = c->flags;
            state->selection.capacity = problem->count;
        } else {
            state->selection.flags.buffer = c->flags;
        }
        state->args.selection = &state->selection;
        state->args.total.buffer = c->number;
    }
    return MEASURE_OK;
}

/* What is kept, and from the place on that this ends at, the rest. */
static clscan_status enqueue_partition(const library_state *state, const measure_case *c, clscan_run_args args,
                                       cl_event *event, clscan_error *error)
{
    clscan_status status = clscan_run(state->plan, state->workspace, c->device->queue, &args, 0, NULL, NULL, error);

    args.initial.buffer = c->number;
    args.total.offset = 1;
    if (status == CLSCAN_OK)
        status = clscan_run(state->rest_plan, state->rest_workspace, c->device->queue, &args, 0, NULL, event, error);
    return status;
}

static bool library_enqueue(measure_contender *contender, const measure_case *c, cl_event *event)
{
    library_state *state = contender->state;
    clscan_run_args args = state->args;
    clscan_error error = {0};

    bind(state, &args, c);
    if (state->rest_plan == NULL &&
        clscan_run(state->plan, state->workspace, c->device->queue, &args, 0, NULL, event, &error) == CLSCAN_OK)
        return true;
    if (state->rest_plan != NULL && enqueue_partition(state, c, args, event, &error) == CLSCAN_OK)
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

    return clscan_run(state->plan, state->workspace, c->device->queue, &state->args, 0, NULL, NULL, NULL);
}

static void library_release(measure_contender *contender)
{
    library_state *state = contender->state;

    if (state == NULL)
        return;
    clscan_workspace_destroy(state->workspace);
    clscan_plan_destroy(state->plan);
    clscan_workspace_destroy(state->rest_workspace);
    clscan_plan_destroy(state->rest_plan);
    free(state);
}

const measure_kind measure_library = {.name = "clscan",
                                      .scans = true,
                                      .rows = true,
                                      .reduces = true,
                                      .segments = true,
                                      .selects = true,
                                      .prepare = library_prepare,
                                      .enqueue = library_enqueue,
                                      .release = library_release};
