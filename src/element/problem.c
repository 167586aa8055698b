#include "element/problem.h"

#include <stdio.h>

#include "element/described.h"
#include "element/operators.h"
#include "element/types.h"

/* Operators of our own on vectors are those on their lanes. */
static clscan_status check_operator(const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_element *element = problem->element;
    char name[CLSCAN__ELEMENT_NAME_BYTES];

    CLSCAN__REQUIRE(clscan__operator_is_valid(problem->op), CLSCAN_ERROR_INVALID_VALUE,
                    "problem->op: %d is not an operator", (int)problem->op);
    if (element == NULL && problem->accumulator == NULL)
        goto cleanup;
    clscan__problem_element_name(problem, name);
    CLSCAN__REQUIRE(element == NULL || element->name == NULL || problem->op == CLSCAN_CUSTOM,
                    CLSCAN_ERROR_UNSUPPORTED_TYPE, "operator %s: elements of type %s need CLSCAN_CUSTOM",
                    clscan_operator_name(problem->op), name);
    CLSCAN__REQUIRE(element == NULL || element->name == NULL || !problem->reproducible, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->reproducible is set, but elements of type %s have no reproducible order", name);
    CLSCAN__REQUIRE(!clscan__problem_is_ordered(problem), CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->reproducible is set, but %s of %s has no reproducible order",
                    clscan_operator_name(problem->op), name);

cleanup:
    return status;
}

static bool is_integer(clscan_type type)
{
    return !clscan__type_is_floating(type);
}

/* Scalars that differ: does the one become the other, and lose nothing but by rounding? */
static clscan_status check_conversion(const char *what, clscan_type from, clscan_type to, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(is_integer(from) || !is_integer(to), CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "%s is %s, an integer, which %s does not become", what, clscan_type_name(to),
                    clscan_type_name(from));

cleanup:
    return status;
}

/* Accumulator and output of a problem whose element is taken. */
static clscan_status take_differing(clscan_problem *problem, clscan__problem_room *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_element *accumulator = problem->accumulator, *output = problem->output;
    const clscan_type in = problem->type;
    clscan_type sum, out = in;
    char name[CLSCAN__ELEMENT_NAME_BYTES];

    if (output != NULL)
        CLSCAN__TRY(clscan__element_take(&output, &out, &room->output, "problem->output", error));
    else
        output = problem->element;
    sum = clscan_type_accumulator(out);
    if (accumulator != NULL)
        CLSCAN__TRY(clscan__element_take(&accumulator, &sum, &room->accumulator, "problem->accumulator", error));
    else
        accumulator = output;
    problem->accumulator = problem->output = NULL;
    if (problem->element != NULL || accumulator != NULL || output != NULL) {
        const clscan_element *described = accumulator != NULL ? accumulator : output;

        CLSCAN__REQUIRE(problem->element != NULL && accumulator != NULL && output != NULL &&
                            clscan__element_equal(problem->element, accumulator) &&
                            clscan__element_equal(problem->element, output),
                        CLSCAN_ERROR_UNSUPPORTED_TYPE,
                        "elements of type %s: input, accumulator and output are the same type unless all are scalars",
                        clscan__element_name(problem->element != NULL ? problem->element : described, name));
        return status;
    }
    CLSCAN__REQUIRE(sum != CLSCAN_HALF, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->accumulator is half; half is combined as float");
    CLSCAN__TRY(check_conversion("problem->accumulator", in, sum, error));
    CLSCAN__TRY(check_conversion("problem->output", sum, out, error));
    CLSCAN__REQUIRE(is_integer(in) != is_integer(sum) || clscan_type_size_bytes(sum) >= clscan_type_size_bytes(in),
                    CLSCAN_ERROR_UNSUPPORTED_TYPE, "problem->accumulator is %s, narrower than the element, %s",
                    clscan_type_name(sum), clscan_type_name(in));
    if (out == in && sum == clscan_type_accumulator(in))
        return status;
    CLSCAN__REQUIRE(problem->operation == CLSCAN_SCAN && problem->rows == NULL, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->accumulator or problem->output is set, which only scans without rows have so far");
    room->accumulator = (clscan_element){.struct_size = sizeof room->accumulator, .type = sum};
    room->output = (clscan_element){.struct_size = sizeof room->output, .type = out};
    problem->accumulator = &room->accumulator;
    problem->output = &room->output;

cleanup:
    return status;
}

clscan_status clscan__problem_take(const clscan_problem **problem, clscan__problem_room *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_problem *taken = &room->problem;
    const clscan_problem *known = clscan__struct_take(*problem, taken, sizeof *taken, "problem", error);

    if (known == NULL)
        return CLSCAN_ERROR_STRUCT_SIZE;
    if (known != taken)
        *taken = *known;
    CLSCAN__REQUIRE((unsigned)taken->operation < CLSCAN_OPERATION_COUNT, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->operation: %d is not an operation", (int)taken->operation);
    CLSCAN__REQUIRE(taken->reproducible == 0 || taken->reproducible == 1, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->reproducible is %d, neither 0 nor 1", taken->reproducible);
    if (taken->custom != NULL) {
        taken->custom =
            clscan__struct_take(taken->custom, &room->custom, sizeof room->custom, "problem->custom", error);
        if (taken->custom == NULL)
            return CLSCAN_ERROR_STRUCT_SIZE;
    }
    if (taken->rows != NULL) {
        const clscan_rows *rows = taken->rows;

        rows = clscan__struct_take(rows, &room->rows, sizeof room->rows, "problem->rows", error);
        if (rows == NULL)
            return CLSCAN_ERROR_STRUCT_SIZE;
        room->problem.rows = rows;
    }
    if (taken->element != NULL)
        CLSCAN__TRY(clscan__element_take(&taken->element, &taken->type, &room->element, "problem->element", error));
    CLSCAN__REQUIRE(clscan__type_is_valid(taken->type), CLSCAN_ERROR_INVALID_VALUE,
                    "problem->type: %d is not an element type", (int)taken->type);
    if (taken->accumulator != NULL || taken->output != NULL)
        CLSCAN__TRY(take_differing(taken, room, error));
    CLSCAN__TRY(check_operator(taken, error));
    *problem = taken;

cleanup:
    return status;
}

clscan_type clscan__problem_sum_type(const clscan_problem *problem)
{
    return problem->accumulator != NULL ? problem->accumulator->type : problem->type;
}

bool clscan__problem_is_ordered(const clscan_problem *problem)
{
    return problem->reproducible && !clscan__operator_is_exact(problem->op, clscan__problem_sum_type(problem));
}

clscan__shape clscan__problem_shape(const clscan_problem *problem)
{
    const uint32_t bytes = problem->element != NULL ? (uint32_t)clscan_element_size_bytes(problem->element)
                                                    : (uint32_t)clscan_type_size_bytes(problem->type);
    const uint32_t sum_bytes = problem->element != NULL ? bytes : (uint32_t)clscan__type_sum_bytes(problem->type);

    if (problem->accumulator != NULL) {
        const uint32_t wide_bytes = (uint32_t)clscan_type_size_bytes(problem->accumulator->type);

        return (clscan__shape){bytes, wide_bytes, (uint32_t)clscan_type_size_bytes(problem->output->type), wide_bytes,
                               false};
    }
    return (clscan__shape){bytes, sum_bytes, bytes, bytes, problem->element == NULL};
}

const char *clscan__element_name(const clscan_element *element, char name[CLSCAN__ELEMENT_NAME_BYTES])
{
    if (element->name != NULL)
        snprintf(name, CLSCAN__ELEMENT_NAME_BYTES, "%s", element->name);
    else
        snprintf(name, CLSCAN__ELEMENT_NAME_BYTES, "%s%u", clscan__type_cl_name(element->type),
                 (unsigned)element->lanes);
    return name;
}

const char *clscan__problem_element_name(const clscan_problem *problem, char name[CLSCAN__ELEMENT_NAME_BYTES])
{
    if (problem->element != NULL)
        return clscan__element_name(problem->element, name);
    if (problem->accumulator != NULL)
        snprintf(name, CLSCAN__ELEMENT_NAME_BYTES, "%s (combined as %s)", clscan_type_name(problem->type),
                 clscan_type_name(problem->accumulator->type));
    else
        snprintf(name, CLSCAN__ELEMENT_NAME_BYTES, "%s", clscan_type_name(problem->type));
    return name;
}

clscan_operator_class clscan__problem_class(const clscan_problem *problem)
{
    if (problem->op == CLSCAN_CUSTOM)
        return CLSCAN_OPERATOR_CLASS_CUSTOM;
    if (problem->element != NULL || problem->accumulator != NULL || problem->op == CLSCAN_MUL ||
        clscan__type_is_floating(problem->type) || clscan_type_size_bytes(problem->type) > CLSCAN__NATIVE_MAX_BYTES)
        return CLSCAN_OPERATOR_CLASS_BUILTIN;
    return CLSCAN_OPERATOR_CLASS_NATIVE;
}

clscan_operator_class clscan_operator_class_of(const clscan_problem *problem)
{
    clscan__problem_room room;

    if (problem == NULL || clscan__problem_take(&problem, &room, NULL) != CLSCAN_OK)
        return CLSCAN_OPERATOR_CLASS_COUNT;
    return clscan__problem_class(problem);
}
