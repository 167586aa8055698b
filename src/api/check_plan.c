#include "api/check.h"

#include <stdlib.h>

#include "common/test_knobs.h"
#include "element/names.h"
#include "element/operators.h"
#include "element/problem.h"
#include "element/repetition.h"
#include "element/segments.h"
#include "engine/in_place.h"
#include "engine/words.h"
#include "timing/settings.h"

static clscan_status check_custom(const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_custom_operator *custom = problem->custom;

    if (problem->op != CLSCAN_CUSTOM) {
        CLSCAN__REQUIRE(custom == NULL, CLSCAN_ERROR_INVALID_VALUE,
                        "problem->custom is set, but problem->op is not CLSCAN_CUSTOM");
        return status;
    }
    CLSCAN__REQUIRE(custom != NULL, CLSCAN_ERROR_NULL_ARGUMENT,
                    "problem->op is CLSCAN_CUSTOM, problem->custom is NULL");
    CLSCAN__REQUIRE(custom->source != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "problem->custom->source is NULL");
    CLSCAN__REQUIRE(custom->function != NULL && custom->function[0] != '\0', CLSCAN_ERROR_INVALID_VALUE,
                    "problem->custom->function is missing");
    CLSCAN__TRY(clscan__check_identifier("problem->custom->function", custom->function, false, error));
    CLSCAN__TRY(clscan__check_reserved("problem->custom->source", custom->source, error));
    CLSCAN__REQUIRE(custom->lanewise == 0 || custom->lanewise == 1, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->custom->lanewise is %d; it is 0 or 1", custom->lanewise);
    CLSCAN__REQUIRE(custom->reserved == 0, CLSCAN_ERROR_INVALID_VALUE, "problem->custom->reserved is %u; it is 0",
                    (unsigned)custom->reserved);
    if (custom->identity != NULL)
        CLSCAN__TRY(clscan__check_expression("problem->custom->identity", custom->identity, error));

cleanup:
    return status;
}

static clscan_status check_in_place(const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t bytes = clscan__in_place_bytes(problem);

    CLSCAN__REQUIRE(!clscan__problem_selects_in_place(problem) || bytes > 0, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->in_place is 1, but nothing can be in place: there is no column, and %s",
                    clscan__problem_generates(problem)
                        ? "no input"
                        : "the elements of the output have not as many bytes as those of the input");
    CLSCAN__REQUIRE(bytes < SIZE_MAX, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->max_count is %llu, more than memory can be addressed for by a selection in place",
                    (unsigned long long)problem->max_count);

cleanup:
    return status;
}

static clscan_status check_count(const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(problem->count_bytes == 0 || problem->count_bytes == 4 || problem->count_bytes == 8,
                    CLSCAN_ERROR_INVALID_VALUE, "problem->count_bytes is %llu, none of 0, 4 and 8",
                    (unsigned long long)problem->count_bytes);

cleanup:
    return status;
}

clscan_status clscan__check_problem(const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char element[CLSCAN__ELEMENT_NAME_BYTES];

    CLSCAN__REQUIRE(problem->form == CLSCAN_INCLUSIVE || problem->form == CLSCAN_EXCLUSIVE, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->form: %d is neither inclusive nor exclusive", (int)problem->form);
    CLSCAN__REQUIRE(problem->operation != CLSCAN_REDUCE || problem->form == CLSCAN_INCLUSIVE,
                    CLSCAN_ERROR_INVALID_VALUE,
                    "problem->form is exclusive, but operation reduce combines all elements");
    CLSCAN__REQUIRE(problem->direction == CLSCAN_FORWARD || problem->direction == CLSCAN_REVERSE,
                    CLSCAN_ERROR_INVALID_VALUE, "problem->direction: %d is neither forward nor reverse",
                    (int)problem->direction);
    CLSCAN__REQUIRE(problem->max_count > 0, CLSCAN_ERROR_INVALID_VALUE, "problem->max_count is 0");
    CLSCAN__REQUIRE(problem->max_count <= SIZE_MAX / clscan__problem_shape(problem).element_bytes,
                    CLSCAN_ERROR_INVALID_VALUE, "problem->max_count is %llu, more than memory can be addressed for",
                    (unsigned long long)problem->max_count);
    if (problem->rows != NULL) {
        const clscan_rows *rows = problem->rows;
        clscan__run_rows taken;
        const uint64_t most = SIZE_MAX / clscan__problem_shape(problem).element_bytes;

        CLSCAN__REQUIRE(rows->count_bytes == 0 || rows->count_bytes == 4 || rows->count_bytes == 8,
                        CLSCAN_ERROR_INVALID_VALUE, "problem->rows->count_bytes is %llu, none of 0, 4 and 8",
                        (unsigned long long)rows->count_bytes);
        CLSCAN__REQUIRE(rows->count_bytes == 0 || rows->dimensions == 0, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                        "problem->rows->count_bytes and problem->rows->dimensions are set; how many scans a tensor has "
                        "comes from the host only");
        CLSCAN__TRY(clscan__rows_take_apart(rows, rows->dimensions > 0 ? problem->max_count : 0, "problem->rows",
                                            &taken, error));
        CLSCAN__REQUIRE(rows->count > 0, CLSCAN_ERROR_INVALID_VALUE, "problem->rows->%s 0",
                        rows->dimensions > 0 ? "extents besides the axis make" : "count is");
        CLSCAN__REQUIRE(rows->count <= most / problem->max_count, CLSCAN_ERROR_INVALID_VALUE,
                        "%llu rows (problem->rows->%s) of %llu elements are more than memory can be addressed for",
                        (unsigned long long)rows->count, rows->dimensions > 0 ? "extents" : "count",
                        (unsigned long long)problem->max_count);
        CLSCAN__REQUIRE(problem->operation == CLSCAN_SCAN || problem->operation == CLSCAN_REDUCE,
                        CLSCAN_ERROR_INVALID_VALUE,
                        "problem->rows is set, but problem->operation is %s; this version of clscan scans and reduces "
                        "rows only",
                        clscan__problem_operation_name(problem));
    }
    if (problem->segments != NULL)
        CLSCAN__TRY(clscan__segments_check(problem, error));
    CLSCAN__TRY(check_count(problem, error));
    CLSCAN__TRY(check_in_place(problem, error));
    CLSCAN__REQUIRE(clscan__operator_supports(problem->op, clscan__problem_sum_type(problem)),
                    CLSCAN_ERROR_UNSUPPORTED_TYPE, "problem->op is %s, which needs integers; the type is %s",
                    clscan_operator_name(problem->op), clscan__problem_element_name(problem, element));
    CLSCAN__TRY(check_custom(problem, error));

cleanup:
    return status;
}

clscan_status clscan__check_options(const clscan_plan_options *options, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE((unsigned)options->mechanism < CLSCAN_MECHANISM_COUNT, CLSCAN_ERROR_INVALID_VALUE,
                    "options->mechanism: %d is not a mechanism", (int)options->mechanism);
    CLSCAN__REQUIRE(options->test_knobs == NULL ||
                        options->test_knobs->first_epoch <= clscan__words_of(options->mechanism).last_epoch,
                    CLSCAN_ERROR_INVALID_VALUE, "options->test_knobs->first_epoch is %u, the last epoch is %u",
                    options->test_knobs->first_epoch, clscan__words_of(options->mechanism).last_epoch);
    CLSCAN__REQUIRE(options->reserved == 0, CLSCAN_ERROR_INVALID_VALUE, "options->reserved is %u",
                    (unsigned)options->reserved);
    CLSCAN__REQUIRE((unsigned)options->probe < CLSCAN_PROBE_MODE_COUNT, CLSCAN_ERROR_INVALID_VALUE,
                    "options->probe: %d is not a mode of the probe", (int)options->probe);
    CLSCAN__REQUIRE(options->no_sub_groups == 0 || options->no_sub_groups == 1, CLSCAN_ERROR_INVALID_VALUE,
                    "options->no_sub_groups is %d, neither 0 nor 1", options->no_sub_groups);
    CLSCAN__REQUIRE(options->no_waiting == 0 || options->no_waiting == 1, CLSCAN_ERROR_INVALID_VALUE,
                    "options->no_waiting is %d, neither 0 nor 1", options->no_waiting);
    CLSCAN__REQUIRE(options->blob != NULL || options->blob_bytes == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "options->blob is NULL, options->blob_bytes is %zu", options->blob_bytes);
    CLSCAN__REQUIRE(options->measure_ms >= 0 && options->measure_ms <= CLSCAN__MEASURE_MOST_MS,
                    CLSCAN_ERROR_INVALID_VALUE, "options->measure_ms is %lld, not between 0 and %d, a day",
                    (long long)options->measure_ms, CLSCAN__MEASURE_MOST_MS);

cleanup:
    return status;
}

clscan_status clscan__check_mechanism_on_device(clscan_mechanism mechanism, const clscan_device_info *info,
                                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool possible = mechanism == CLSCAN_MECHANISM_PTX        ? info->nv_compute_capability >= 70
                          : mechanism == CLSCAN_MECHANISM_C11      ? info->has_device_scope && info->has_int64_atomics
                          : mechanism == CLSCAN_MECHANISM_ATOMIC64 ? info->has_int64_atomics != 0
                                                                   : true;

    CLSCAN__REQUIRE(possible, CLSCAN_ERROR_DEVICE_LIMIT, "options->mechanism is %s, which %s does not have",
                    clscan_mechanism_name(mechanism), info->name);

cleanup:
    return status;
}

clscan_status clscan__check_arithmetic(const clscan_problem *problem, cl_device_id device,
                                       const clscan_device_info *info, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const cl_device_fp_config needed = CL_FP_DENORM | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
    const bool wide = clscan_type_accumulator(problem->type) == CLSCAN_DOUBLE;
    cl_device_fp_config has = 0;

    if (!clscan__problem_is_ordered(problem))
        return status;
    CLSCAN__TRY_CL(clGetDeviceInfo,
                   (device, wide ? CL_DEVICE_DOUBLE_FP_CONFIG : CL_DEVICE_SINGLE_FP_CONFIG, sizeof has, &has, NULL));
    CLSCAN__REQUIRE((has & needed) == needed, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->reproducible is set, but %s %s in %s", info->name,
                    (has & CL_FP_DENORM) == 0 ? "does not keep subnormal numbers" : "does not round as IEEE 754 says",
                    wide ? "double" : "float");

cleanup:
    return status;
}

/* Its loops have no known bound: one element may be repeated any number of times. */
clscan_status clscan__check_repetition(const clscan_problem *problem, const clscan_device_info *info,
                                       clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(!clscan__problem_repeats(problem) || info->max_loop_turns == 0, CLSCAN_ERROR_DEVICE_LIMIT,
                    "problem->operation is repeat, but %s ends loops after %u turns", info->name,
                    (unsigned)info->max_loop_turns);

cleanup:
    return status;
}

clscan_status clscan__check_device_in_context(cl_context context, cl_device_id device, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_device_id *devices = NULL, parent = NULL;
    size_t size_bytes = 0;
    bool found = false;

    CLSCAN__TRY_CL(clGetDeviceInfo, (device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL));
    CLSCAN__TRY_CL(clGetContextInfo, (context, CL_CONTEXT_DEVICES, 0, NULL, &size_bytes));
    devices = malloc(size_bytes + 1);
    CLSCAN__REQUIRE(devices != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory to list the context's devices");
    CLSCAN__TRY_CL(clGetContextInfo, (context, CL_CONTEXT_DEVICES, size_bytes, devices, NULL));
    /* PoCL (3.1) names the whole device for a context that was made of its sub-devices. */
    for (size_t i = 0; i < size_bytes / sizeof *devices; ++i)
        found = found || devices[i] == device || devices[i] == parent;
    CLSCAN__REQUIRE(found, CLSCAN_ERROR_WRONG_CONTEXT, "the device is not one of the context's");

cleanup:
    free(devices);
    return status;
}
