#include "engine/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "common/test_knobs.h"
#include "config/constraints.h"
#include "config/marks.h"
#include "config/repair.h"
#include "config/rows.h"
#include "config/select.h"
#include "config/variant.h"
#include "element/problem.h"
#include "element/repetition.h"
#include "engine/in_place.h"
#include "engine/lengths.h"
#include "engine/rest.h"
#include "engine/rows.h"
#include "engine/stale.h"
#include "program/build.h"
#include "program/repetition.h"

/* Polls before a wait is completed by recomputing. A poll takes about a microsecond on a GPU, where a quarter of a
 * second is long beyond every ordinary wait. On a CPU it takes a nanosecond or two, and a predecessor may lose its core
 * for some milliseconds: after the time that recomputing a tile takes, some ten microseconds, waiting on costs more
 * than recomputing (measured on PoCL on busy cores: scans of 8-byte elements take twice as long with a limit of
 * 2^20). */
#define POLL_LIMIT_GPU (1u << 18)
#define POLL_LIMIT_CPU (1u << 14)

/* Position of `variant` among those to compile; adds it if it is new. */
static clscan_status intern_variant(clscan_plan *plan, const clscan_variant *variant, bool rows, size_t *index,
                                    clscan_error *error)
{
    clscan__compiled *grown;

    for (*index = 0; *index < plan->compiled_count; ++*index)
        if (plan->compiled[*index].rows == rows &&
            memcmp(&plan->compiled[*index].variant, variant, sizeof *variant) == 0)
            return CLSCAN_OK;
    grown = realloc(plan->compiled, (plan->compiled_count + 1) * sizeof *grown);
    if (grown == NULL)
        return clscan__error_set(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a plan's variants");
    plan->compiled = grown;
    plan->compiled[plan->compiled_count++] =
        (clscan__compiled){.variant = *variant,
                           .strategy = rows ? clscan__rows_strategy(variant, plan->reproducible)
                                            : clscan__strategy_of(variant, plan->reproducible),
                           .rows = rows};
    return CLSCAN_OK;
}

static clscan_status add_class_to(clscan_plan *plan, clscan__size_classes *all, bool rows, const clscan_choice *choice,
                                  clscan_error *error)
{
    clscan_status status;
    clscan__size_class added = {.choice = *choice}, *grown;

    CLSCAN__TRY(intern_variant(plan, &choice->variant, rows, &added.compiled, error));
    grown = realloc(all->classes, (all->count + 1) * sizeof *grown);
    CLSCAN__REQUIRE(grown != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a plan's size classes");
    all->classes = grown;
    all->classes[all->count++] = added;

cleanup:
    return status;
}

static clscan_status add_class(clscan_plan *plan, bool in_place, const clscan_choice *choice, clscan_error *error)
{
    return add_class_to(plan, &plan->size_classes[in_place], plan->problem.rows != NULL, choice, error);
}

/* The choice for one count, within what the variant's launch can number. */
static clscan_status choose(const clscan_plan *plan, const clscan__selector *selector, uint64_t count, bool in_place,
                            clscan_choice *choice, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t most;

    clscan__selector_choose(selector, &plan->info, &plan->problem, count, in_place, choice);
    most = clscan__geometry_most_elements(&choice->variant, &plan->info);
    if (count > most) {
        choice->variant = clscan__variant_without_waiting(&choice->variant, &plan->problem, in_place, &plan->info);
        snprintf(choice->reason, sizeof choice->reason,
                 "the entry's carry serves up to %llu elements only; %s takes its place",
                 (unsigned long long)clscan__problem_serves(&plan->problem, most),
                 clscan__axis_value_name(&clscan__axes[CLSCAN__AXIS_CARRY], choice->variant.carry));
        most = clscan__geometry_most_elements(&choice->variant, &plan->info);
    }
    /* Not for want of numbers, which that carry does not need. */
    CLSCAN__REQUIRE(count <= most, CLSCAN_ERROR_DEVICE_LIMIT,
                    "problem->max_count is %llu, but with loops of at most %u turns %s serves %llu elements only",
                    (unsigned long long)clscan__problem_most_elements(&plan->problem),
                    (unsigned)plan->info.max_loop_turns, plan->info.name,
                    (unsigned long long)clscan__problem_serves(&plan->problem, most));
    choice->largest_count = clscan__min_u64(choice->largest_count, most);

cleanup:
    return status;
}

static clscan_status choose_all(clscan_plan *plan, const clscan__selector *selector, bool in_place, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t count = 0;

    while (count < plan->problem.max_count) {
        clscan_choice choice;
        CLSCAN__TRY(choose(plan, selector, count + 1, in_place, &choice, error));
        CLSCAN__TRY(add_class(plan, in_place, &choice, error));
        count = choice.largest_count;
    }

cleanup:
    return status;
}

/* Do long rows have ways of their own? How they are scanned follows from what the host knows of them; totals alone are
 * made another way. */
static bool may_have_long_rows(const clscan_plan *plan)
{
    const clscan_problem *problem = &plan->problem;

    return problem->operation != CLSCAN_REDUCE && clscan__rows_are_long(plan->shape, problem->max_count) &&
           problem->count_bytes == 0 && problem->rows->count_bytes == 0;
}

/* How rows are scanned that are walked as one input: as one scan of all their elements would be. */
static clscan_status choose_for_joined_rows(clscan_plan *plan, const clscan__selector *selector, bool in_place,
                                            clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_choice choice;
    uint64_t all;

    if (!clscan__mul_u64(plan->problem.rows->count, plan->problem.max_count, &all))
        goto cleanup;
    clscan__selector_choose(selector, &plan->info, &plan->problem, all, in_place, &choice);
    choice.largest_count = UINT64_MAX;
    if (clscan__rows_join(&choice.variant, &plan->problem, in_place, &plan->info))
        CLSCAN__TRY(add_class_to(plan, &plan->joined_rows[in_place], true, &choice, error));

cleanup:
    return status;
}

/* How rows are scanned that get a launch each: as one scan of the longest is, if its work-groups wait for each other;
 * other ways are no faster than all rows in one launch. One variant for all counts costs the plan one program. */
static clscan_status choose_for_lone_rows(clscan_plan *plan, const clscan__selector *selector, bool in_place,
                                          clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_choice choice, chained;

    CLSCAN__TRY(choose(plan, selector, plan->problem.max_count, in_place, &choice, error));
    if (!clscan__variant_has_order(&choice.variant))
        goto cleanup;
    choice.largest_count = UINT64_MAX;
    CLSCAN__TRY(add_class_to(plan, &plan->lone_rows[in_place], false, &choice, error));
    /* Entries for rows were measured on many, which are no chains. */
    clscan__choose_by_elements(selector, &plan->info, &plan->problem, plan->problem.max_count, in_place, &chained);
    choice.variant = chained.variant;
    if (clscan__rows_chain(&choice.variant, &plan->problem, in_place, &plan->info))
        CLSCAN__TRY(add_class_to(plan, &plan->chained_rows[in_place], true, &choice, error));

cleanup:
    return status;
}

/* One class for all counts of rows. */
static clscan_status choose_for_rows(clscan_plan *plan, const clscan__selector *selector, bool in_place,
                                     clscan_error *error)
{
    clscan_status status;
    clscan_choice choice;

    clscan__choose_for_rows(selector, &plan->info, &plan->problem, plan->problem.max_count, in_place, &choice);
    clscan__fill_rows(&choice, &plan->problem, plan->problem.max_count, in_place, &plan->info);
    choice.largest_count = UINT64_MAX;
    CLSCAN__REQUIRE(plan->problem.max_count <= clscan__geometry_most_elements(&choice.variant, &plan->info),
                    CLSCAN_ERROR_DEVICE_LIMIT, "problem->max_count is %llu, more than %s serves in a row",
                    (unsigned long long)plan->problem.max_count, plan->info.name);
    CLSCAN__TRY(add_class(plan, in_place, &choice, error));
    if (may_have_long_rows(plan)) {
        CLSCAN__TRY(choose_for_joined_rows(plan, selector, in_place, error));
        CLSCAN__TRY(choose_for_lone_rows(plan, selector, in_place, error));
    }

cleanup:
    return status;
}

/* One class for all counts, by the caller's variant. */
static clscan_status choose_explicit(clscan_plan *plan, const clscan_variant *variant, clscan_error *error)
{
    clscan_status status;
    clscan_choice choice = {.variant = *variant, .largest_count = UINT64_MAX};
    const uint64_t most = clscan__geometry_most_elements(variant, &plan->info);

    snprintf(choice.source, sizeof choice.source, "plan options");
    snprintf(choice.reason, sizeof choice.reason, "the plan's options name the variant");
    CLSCAN__TRY(clscan__variant_check(variant, &plan->problem, 0, &plan->info, error));
    CLSCAN__REQUIRE(plan->problem.rows == NULL || variant->carry == CLSCAN_CARRY_REDUCE_THEN_SCAN,
                    CLSCAN_ERROR_ILLEGAL_VARIANT,
                    "options->variant has the carry %s, but problem->rows is set, whose variants have reduce_then_scan",
                    clscan__axis_value_name(&clscan__axes[CLSCAN__AXIS_CARRY], variant->carry));
    CLSCAN__REQUIRE(plan->problem.max_count <= most, CLSCAN_ERROR_DEVICE_LIMIT,
                    "options->variant serves up to %llu elements on this device, problem->max_count is %llu",
                    (unsigned long long)clscan__problem_serves(&plan->problem, most),
                    (unsigned long long)clscan__problem_most_elements(&plan->problem));
    CLSCAN__TRY(add_class(plan, false, &choice, error));

cleanup:
    return status;
}

static clscan_status choose_variants(clscan_plan *plan, const clscan_plan_options *options, clscan_error *error)
{
    clscan_status status;
    clscan__selector *selector = NULL;
    const clscan_variant *variant = options->variant;

    CLSCAN__TRY(clscan__selector_create(options->config, &selector, error));
    if (variant == NULL && plan->problem.rows != NULL) {
        CLSCAN__TRY(choose_for_rows(plan, selector, false, error));
        CLSCAN__TRY(choose_for_rows(plan, selector, true, error));
    } else if (variant == NULL) {
        CLSCAN__TRY(choose_all(plan, selector, false, error));
        CLSCAN__TRY(choose_all(plan, selector, true, error));
    } else {
        CLSCAN__TRY(choose_explicit(plan, variant, error));
        if (plan->use != CLSCAN__PLAN_FOR_CALLER)
            goto cleanup;
        if (clscan__variant_check(variant, &plan->problem, 1, &plan->info, NULL) == CLSCAN_OK)
            CLSCAN__TRY(add_class(plan, true, &plan->size_classes[0].classes[0].choice, error));
        else
            CLSCAN__TRY(choose_all(plan, selector, true, error));
    }

cleanup:
    clscan__selector_destroy(selector);
    return status;
}

static clscan_status get_programs(clscan_plan *plan, const clscan_plan_options *options, clscan_error *error)
{
    clscan_status status;
    clscan__supply supply = {
        .context = plan->context, .device = plan->device, .blob = options->blob, .blob_bytes = options->blob_bytes};

    CLSCAN__TRY(clscan__supply_prepare(&supply, &plan->info, plan->pool, error));
    if (plan->use == CLSCAN__PLAN_FOR_PROBE) {
        supply.pool = NULL;
        supply.disk = false;
    }
    for (size_t i = 0; i < plan->compiled_count; ++i) {
        clscan__compiled *compiled = &plan->compiled[i];
        const clscan__program_spec spec = {
            .device = &plan->info,
            .type = plan->problem.type,
            .elements = plan->described.elements,
            .op = plan->described.op,
            .form = plan->problem.form,
            .direction = plan->problem.direction,
            .custom = plan->described.op == CLSCAN_CUSTOM ? &plan->described.custom : NULL,
            .variant = compiled->variant,
            .poll_limit = plan->poll_limit,
            .hold_interval = plan->hold_interval,
            .count_events = plan->count_events,
            .probes = plan->use == CLSCAN__PLAN_FOR_PROBE,
            .reproducible = plan->reproducible,
            .rows = compiled->rows,
            .loose_rows =
                compiled->rows && clscan__rows_are_loose(&compiled->variant, &plan->problem, plan->problem.max_count),
            .count_bytes = (uint32_t)plan->problem.count_bytes,
            .row_count_bytes = plan->problem.rows != NULL ? (uint32_t)plan->problem.rows->count_bytes : 0,
            .repetition = plan->described.repetition,
        };
        CLSCAN__TRY(clscan__program_get(&supply, &spec, &compiled->built, error));
    }

cleanup:
    clscan__supply_free(&supply);
    return status;
}

/* The workspace serves every class, and so every count, of the plan. */
static void lay_out(clscan_plan *plan)
{
    uint64_t words_bytes = 0, totals_bytes = 0, marks_bytes = clscan__segments_marks_bytes(&plan->problem);

    if (plan->problem.segments != NULL && clscan__segments_are_counted(plan->described.elements->segmented))
        marks_bytes = CLSCAN__SEGMENTS_TOTAL_BYTES;
    for (size_t i = 0; plan->problem.rows != NULL && i < plan->compiled_count; ++i) {
        const clscan__compiled *compiled = &plan->compiled[i];
        const uint64_t rows = plan->problem.rows->count, count = plan->problem.max_count;
        const uint64_t of_totals = clscan__rows_totals_bytes(&compiled->variant, plan->shape, &plan->info, rows, count);
        const uint64_t of_words =
            compiled->rows && clscan__variant_has_order(&compiled->variant)
                ? clscan__rows_words_bytes(&compiled->variant, plan->shape, &plan->info, rows, count)
                : 0;

        totals_bytes = totals_bytes > of_totals ? totals_bytes : of_totals;
        words_bytes = words_bytes > of_words ? words_bytes : of_words;
    }
    for (int which = 0; which < 4; ++which) {
        const clscan__size_classes *all = which < 2 ? &plan->size_classes[which] : &plan->lone_rows[which - 2];

        for (size_t i = 0; i < all->count; ++i) {
            const clscan_choice *choice = &all->classes[i].choice;
            const clscan__geometry geometry = clscan__plan_geometry(
                plan, &choice->variant, 0, clscan__min_u64(choice->largest_count, plan->problem.max_count));
            words_bytes = words_bytes > geometry.words_bytes ? words_bytes : geometry.words_bytes;
            totals_bytes = totals_bytes > geometry.totals_bytes ? totals_bytes : geometry.totals_bytes;
        }
    }
    plan->layout = clscan__layout_of(words_bytes, totals_bytes,
                                     marks_bytes + clscan__repetition_layout_of(&plan->problem).size_bytes +
                                         clscan__length_marks_bytes(plan) + clscan__rest_bytes(plan),
                                     clscan__in_place_bytes(&plan->problem));
}

static void take_options(clscan_plan *plan, const clscan_plan_options *options)
{
    static const struct clscan__test_knobs no_knobs;
    const struct clscan__test_knobs *knobs = options->test_knobs != NULL ? options->test_knobs : &no_knobs;
    const bool cpu = plan->info.device_class == CLSCAN_DEVICE_CLASS_CPU;

    if (options->mechanism != CLSCAN_MECHANISM_NONE)
        plan->info.mechanism = options->mechanism;
    plan->poll_limit = knobs->poll_limit != 0 ? knobs->poll_limit : cpu ? POLL_LIMIT_CPU : POLL_LIMIT_GPU;
    plan->hold_interval = knobs->hold_interval;
    plan->first_epoch = knobs->first_epoch != 0 ? knobs->first_epoch : 1;
    plan->count_events = options->count_events;
    plan->described.repetition_room.work_group_size = knobs->expand_work_group_size != 0
                                                          ? knobs->expand_work_group_size
                                                          : clscan__expand_work_group_size(&plan->info);
    plan->described.room.segmented.mark_work_group_size = knobs->mark_work_group_size;
}

static void mark_segments(clscan_plan *plan, const clscan_plan_options *options)
{
    const clscan_problem *problem = &plan->copy.room.problem;
    const uint64_t asked = options->test_knobs != NULL ? options->test_knobs->marked_count : 0;
    const bool marks = asked > 0 ? problem->max_count >= asked && clscan__segments_may_be_marked(problem)
                                 : problem->max_count >= clscan__marks_from(problem, &plan->info);

    if (marks)
        plan->copy.room.segments.segments.sums = CLSCAN__SUMS_BY_MARKS;
}

static const clscan_plan_options no_options = {.struct_size = sizeof no_options};

clscan_status clscan__plan_choose(cl_context context, cl_device_id device, const clscan_device_info *info,
                                  const clscan_problem *problem, const clscan_plan_options *options,
                                  clscan__plan_use use, clscan_plan **plan, clscan_error *error)
{
    clscan_status status;
    clscan_plan *made = calloc(1, sizeof *made);

    CLSCAN__REQUIRE(made != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a plan");
    atomic_init(&made->references, 1);
    made->info = *info;
    made->use = use;
    made->reproducible = clscan__problem_is_ordered(problem);
    CLSCAN__TRY_CL(clRetainContext, (context));
    made->context = context;
    CLSCAN__TRY_CL(clRetainDevice, (device));
    made->device = device;
    CLSCAN__TRY(clscan__pool_open(context, &made->pool, error));
    CLSCAN__TRY(clscan__problem_copy_make(problem, &made->copy, error));
    mark_segments(made, options != NULL ? options : &no_options);
    made->problem = made->copy.room.problem;
    made->shape = clscan__problem_shape(&made->problem);
    clscan__describe(&made->problem, &made->described);
    take_options(made, options != NULL ? options : &no_options);
    CLSCAN__TRY(choose_variants(made, options != NULL ? options : &no_options, error));
    *plan = made;
    made = NULL;

cleanup:
    clscan__plan_release(made);
    return status;
}

bool clscan__plan_waits(const clscan_plan *plan)
{
    for (size_t i = 0; i < plan->compiled_count; ++i)
        if (clscan__variant_has_order(&plan->compiled[i].variant))
            return true;
    return false;
}

clscan_status clscan__plan_finish(clscan_plan *plan, const clscan_plan_options *options, clscan_error *error)
{
    clscan_status status;

    CLSCAN__TRY(get_programs(plan, options != NULL ? options : &no_options, error));
    clscan__plan_report_stale_entries(plan);
    lay_out(plan);

cleanup:
    return status;
}

const clscan_plan *clscan__plan_retain(const clscan_plan *plan)
{
    atomic_fetch_add(&((clscan_plan *)plan)->references, 1);
    return plan;
}

void clscan__plan_release(const clscan_plan *shared)
{
    clscan_plan *plan = (clscan_plan *)shared; /* only the count of references ever changes */

    if (plan == NULL || atomic_fetch_sub(&plan->references, 1) > 1)
        return;
    for (size_t i = 0; i < plan->compiled_count; ++i)
        clscan__program_free(&plan->compiled[i].built);
    free(plan->compiled);
    free(plan->size_classes[0].classes);
    free(plan->size_classes[1].classes);
    free(plan->lone_rows[0].classes);
    free(plan->lone_rows[1].classes);
    free(plan->chained_rows[0].classes);
    free(plan->chained_rows[1].classes);
    free(plan->joined_rows[0].classes);
    free(plan->joined_rows[1].classes);
    clscan__problem_copy_free(&plan->copy);
    clscan__pool_close(plan->pool);
    if (plan->device != NULL)
        clReleaseDevice(plan->device);
    if (plan->context != NULL)
        clReleaseContext(plan->context);
    free(plan);
}

const clscan__size_class *clscan__plan_class(const clscan_plan *plan, uint64_t count, bool in_place)
{
    const clscan__size_classes *all = &plan->size_classes[in_place];
    size_t i = 0;

    while (i + 1 < all->count && count > all->classes[i].choice.largest_count)
        ++i;
    return &all->classes[i];
}

const clscan__size_class *clscan__plan_lone_rows(const clscan_plan *plan, uint64_t rows, uint64_t count, bool in_place)
{
    const clscan__size_class *shared = plan->size_classes[in_place].classes;
    const bool may_chain = plan->chained_rows[in_place].count > 0;

    return plan->lone_rows[in_place].count > 0 &&
                   clscan__rows_are_lone(&shared->choice.variant, plan->shape, &plan->info, rows, count, may_chain)
               ? &plan->lone_rows[in_place].classes[0]
               : NULL;
}

const clscan__size_class *clscan__plan_joined_rows(const clscan_plan *plan, const clscan__run *run, bool in_place)
{
    const clscan__size_classes *joined = &plan->joined_rows[in_place];

    return joined->count > 0 && clscan__rows_are_joined(&joined->classes[0].choice.variant, run) ? &joined->classes[0]
                                                                                                 : NULL;
}

const clscan__size_class *clscan__plan_chained_rows(const clscan_plan *plan, uint64_t rows, uint64_t count,
                                                    bool in_place)
{
    const clscan__size_class *shared = plan->size_classes[in_place].classes;

    return plan->chained_rows[in_place].count > 0 &&
                   clscan__rows_are_chained(&shared->choice.variant, plan->shape, &plan->info, rows, count)
               ? &plan->chained_rows[in_place].classes[0]
               : NULL;
}

clscan__geometry clscan__plan_geometry(const clscan_plan *plan, const clscan_variant *variant, uint64_t first,
                                       uint64_t count)
{
    const uint64_t sum_bytes = plan->shape.sum_bytes;

    return plan->reproducible ? clscan__geometry_reproducible(variant, sum_bytes, &plan->info, first, count)
                              : clscan__geometry_of(variant, sum_bytes, &plan->info, count);
}

bool clscan__plan_has_identity(const clscan_plan *plan)
{
    return plan->problem.op != CLSCAN_CUSTOM || plan->problem.custom->identity != NULL;
}
