#include <clscan/plan.h>

#include <stdio.h>
#include <string.h>

#include "api/check.h"
#include "base/structs.h"
#include "config/reproducible.h"
#include "device/switches.h"
#include "engine/inspect.h"
#include "probe/consult.h"
#include "timing/first_use.h"
#include "timing/settings.h"

static void switch_off(const clscan_plan_options *options, clscan_device_info *info)
{
    if (options->no_sub_groups)
        clscan__switch_off_sub_groups(info, "the plan's options");
    if (options->no_waiting)
        clscan__switch_off_waiting(info, "the plan's options");
}

/* The plan before its programs are there. Only where its work-groups would wait for each other does the start-up probe
 * have a say. */
static clscan_status choose_variants(cl_context context, cl_device_id device, clscan_device_info *info,
                                     const clscan_problem *problem, const clscan_plan_options *options,
                                     clscan_plan **plan, clscan_error *error)
{
    clscan_status status;
    bool forbids = false;

    CLSCAN__TRY(clscan__plan_choose(context, device, info, problem, options, CLSCAN__PLAN_FOR_CALLER, plan, error));
    if (clscan__plan_waits(*plan))
        CLSCAN__TRY(clscan__probe_consult(context, device, options, info, &forbids, error));
    if (forbids) {
        clscan__plan_release(*plan);
        *plan = NULL;
        CLSCAN__TRY(clscan__plan_choose(context, device, info, problem, options, CLSCAN__PLAN_FOR_CALLER, plan, error));
    }

cleanup:
    return status;
}

/* Where that is wanted, measure what the plan is to choose, and choose by that. */
static clscan_status choose_measured(cl_context context, cl_device_id device, clscan_device_info *info,
                                     const clscan_problem *problem, const clscan_plan_options *options,
                                     clscan_plan **plan, clscan_error *error)
{
    const bool chosen = options != NULL && (options->variant != NULL || options->config != NULL);
    const uint64_t bound_ns = clscan__measure_bound_ns(options != NULL ? options->measure_ms : 0);
    clscan_plan_options by_measurement = {.struct_size = sizeof by_measurement};
    clscan_config *measured = NULL;
    char outcome[CLSCAN__OUTCOME_BYTES] = "";
    clscan_status status;

    if (options != NULL)
        by_measurement = *options;
    if (bound_ns > 0 && !chosen)
        clscan__measure_first_use(context, device, info, problem, options, bound_ns, &measured, outcome);
    by_measurement.config = measured != NULL ? measured : by_measurement.config;
    status = choose_variants(context, device, info, problem, &by_measurement, plan, error);
    if (status == CLSCAN_OK)
        memcpy((*plan)->measurement, outcome, sizeof outcome);
    clscan_config_destroy(measured);
    return status;
}

static clscan_status check_count(const clscan_plan *plan, uint64_t count, clscan_error *error)
{
    if (count <= clscan_plan_max_count(plan))
        return CLSCAN_OK;
    return clscan__error_set(error, CLSCAN_ERROR_COUNT_TOO_LARGE, "count is %llu, the plan's maximum is %llu",
                             (unsigned long long)count, (unsigned long long)clscan_plan_max_count(plan));
}

/* Does the device have the types that are the language's? */
static clscan_status check_types(const clscan_device_info *info, const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_element *elements[] = {problem->element, problem->accumulator, problem->output};

    if (problem->element == NULL)
        CLSCAN__TRY(clscan_device_check_type(info, problem->type, error));
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; ++i)
        if (elements[i] != NULL && elements[i]->name == NULL)
            CLSCAN__TRY(clscan_device_check_type(info, elements[i]->type, error));
    if (problem->segments != NULL && problem->segments->type != CLSCAN_HALF)
        CLSCAN__TRY(clscan_device_check_type(info, problem->segments->type, error));
    for (uint64_t i = 0; i < clscan__problem_argument_count(problem); ++i)
        CLSCAN__TRY(clscan_device_check_type(info, clscan__problem_argument(problem, i)->type, error));

cleanup:
    return status;
}

clscan_status clscan_plan_create(cl_context context, cl_device_id device, const clscan_problem *problem,
                                 const clscan_plan_options *options, clscan_plan **plan, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_plan *made = NULL;
    clscan_device_info info = {.struct_size = sizeof info};
    clscan__problem_room problem_room;
    clscan_plan_options options_room;

    CLSCAN__REQUIRE(context != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "context is NULL");
    CLSCAN__REQUIRE(device != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "device is NULL");
    CLSCAN__REQUIRE(problem != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "problem is NULL");
    CLSCAN__REQUIRE(plan != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "plan is NULL");
    CLSCAN__TRY(clscan__problem_take(&problem, &problem_room, error));
    CLSCAN__TRY(clscan__check_problem(problem, error));
    if (options != NULL) {
        CLSCAN__TAKE(options, options_room);
        CLSCAN__TRY(clscan__check_options(options, error));
    }
    CLSCAN__TRY(clscan__check_device_in_context(context, device, error));
    CLSCAN__TRY(clscan_device_describe(device, &info, error));
    CLSCAN__TRY(check_types(&info, problem, error));
    CLSCAN__TRY(clscan__check_arithmetic(problem, device, &info, error));
    CLSCAN__TRY(clscan__check_repetition(problem, &info, error));
    if (options != NULL) {
        CLSCAN__TRY(clscan__check_mechanism_on_device(options->mechanism, &info, error));
        switch_off(options, &info);
    }
    CLSCAN__TRY(choose_measured(context, device, &info, problem, options, &made, error));
    CLSCAN__TRY(clscan__plan_finish(made, options, error));
    *plan = made;
    made = NULL;

cleanup:
    clscan__plan_release(made);
    return status;
}

void clscan_plan_destroy(clscan_plan *plan)
{
    clscan__plan_release(plan);
}

uint64_t clscan_plan_workspace_bytes(const clscan_plan *plan)
{
    return plan != NULL ? plan->layout.size_bytes : 0;
}

uint64_t clscan_plan_max_count(const clscan_plan *plan)
{
    return plan != NULL ? clscan__problem_most_elements(&plan->problem) : 0;
}

uint64_t clscan_plan_state_bytes(const clscan_plan *plan)
{
    return plan != NULL && plan->reproducible && plan->problem.operation == CLSCAN_SCAN && plan->problem.rows == NULL
               ? (uint64_t)CLSCAN__MOST_NODES * plan->shape.sum_bytes
               : 0;
}

/* The class that serves a checked count of the caller's elements. */
static const clscan__size_class *class_of(const clscan_plan *plan, uint64_t count, int in_place)
{
    return clscan__plan_class(plan, clscan__problem_scanned(&plan->problem, count), in_place != 0);
}

/* The measurement was one of the largest count. */
static void add_measurement(const clscan_plan *plan, clscan_choice *choice)
{
    const size_t used = strlen(choice->reason);

    if (plan->measurement[0] != '\0')
        snprintf(choice->reason + used, sizeof choice->reason - used, "; %s", plan->measurement);
}

clscan_status clscan_plan_explain(const clscan_plan *plan, uint64_t count, int in_place, clscan_choice *choice,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan__size_class *class;
    clscan_choice found;

    CLSCAN__REQUIRE(plan != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "plan is NULL");
    CLSCAN__REQUIRE(choice != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "choice is NULL");
    CLSCAN__TRY(clscan__struct_check(choice, "choice", error));
    CLSCAN__TRY(check_count(plan, count, error));
    class = class_of(plan, count, in_place);
    found = class->choice;
    found.largest_count = clscan__problem_serves(&plan->problem, found.largest_count);
    if (class == class_of(plan, clscan_plan_max_count(plan), in_place))
        add_measurement(plan, &found);
    clscan__struct_give(choice, &found, sizeof found);

cleanup:
    return status;
}

clscan_status clscan_plan_save(const clscan_plan *plan, void *blob, size_t capacity_bytes, size_t *size_bytes,
                               clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(plan != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "plan is NULL");
    CLSCAN__REQUIRE(size_bytes != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "size_bytes is NULL");
    CLSCAN__REQUIRE(blob != NULL || capacity_bytes == 0, CLSCAN_ERROR_NULL_ARGUMENT,
                    "blob is NULL, capacity_bytes is %zu", capacity_bytes);
    CLSCAN__TRY(clscan__plan_save(plan, blob, capacity_bytes, size_bytes, error));

cleanup:
    return status;
}

clscan_status clscan_plan_kernel_info(const clscan_plan *plan, uint64_t count, int in_place, clscan_kernel_info *info,
                                      clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_kernel_info found;

    CLSCAN__REQUIRE(plan != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "plan is NULL");
    CLSCAN__REQUIRE(info != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "info is NULL");
    CLSCAN__TRY(clscan__struct_check(info, "info", error));
    CLSCAN__TRY(check_count(plan, count, error));
    CLSCAN__TRY(clscan__plan_kernel_info(plan, class_of(plan, count, in_place)->compiled, &found, error));
    clscan__struct_give(info, &found, sizeof found);

cleanup:
    return status;
}
