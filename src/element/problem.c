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
    if (element == NULL)
        goto cleanup;
    clscan__problem_element_name(problem, name);
    CLSCAN__REQUIRE(element->name == NULL || problem->op == CLSCAN_CUSTOM, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "operator %s: elements of type %s need CLSCAN_CUSTOM", clscan_operator_name(problem->op), name);
    CLSCAN__REQUIRE(element->name == NULL || !problem->reproducible, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->reproducible is set, but elements of type %s have no reproducible order", name);
    CLSCAN__REQUIRE(!clscan__problem_is_ordered(problem), CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->reproducible is set, but %s of %s has no reproducible order",
                    clscan_operator_name(problem->op), name);

cleanup:
    return status;
}

clscan_status clscan__problem_take(const clscan_problem **problem, clscan__problem_room *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_problem *taken = clscan__struct_take(*problem, &room->problem, sizeof room->problem, "problem", error);

    if (taken == NULL)
        return CLSCAN_ERROR_STRUCT_SIZE;
    if (taken != &room->problem)
        room->problem = *taken;
    taken = &room->problem;
    CLSCAN__REQUIRE((unsigned)taken->operation < CLSCAN_OPERATION_COUNT, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->operation: %d is not an operation", (int)taken->operation);
    CLSCAN__REQUIRE(taken->reproducible == 0 || taken->reproducible == 1, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->reproducible is %d, neither 0 nor 1", taken->reproducible);
    if (taken->custom != NULL) {
        const clscan_custom_operator *custom = taken->custom;

        custom = clscan__struct_take(custom, &room->custom, sizeof room->custom, "problem->custom", error);
        if (custom == NULL)
            return CLSCAN_ERROR_STRUCT_SIZE;
        room->problem.custom = custom;
    }
    if (taken->rows != NULL) {
        const clscan_rows *rows = taken->rows;

        rows = clscan__struct_take(rows, &room->rows, sizeof room->rows, "problem->rows", error);
        if (rows == NULL)
            return CLSCAN_ERROR_STRUCT_SIZE;
        room->problem.rows = rows;
    }
    if (taken->element != NULL)
        CLSCAN__TRY(clscan__element_take(&room->problem, &room->element, error));
    CLSCAN__REQUIRE(clscan__type_is_valid(taken->type), CLSCAN_ERROR_INVALID_VALUE,
                    "problem->type: %d is not an element type", (int)taken->type);
    CLSCAN__TRY(check_operator(taken, error));
    *problem = taken;

cleanup:
    return status;
}

bool clscan__problem_is_ordered(const clscan_problem *problem)
{
    return problem->reproducible && !clscan__operator_is_exact(problem->op, problem->type);
}

clscan__shape clscan__problem_shape(const clscan_problem *problem)
{
    const uint32_t described_bytes = (uint32_t)clscan_element_size_bytes(problem->element);

    if (problem->element != NULL)
        return (clscan__shape){described_bytes, described_bytes, false};
    return (clscan__shape){(uint32_t)clscan_type_size_bytes(problem->type),
                           (uint32_t)clscan__type_sum_bytes(problem->type), true};
}

const char *clscan__problem_element_name(const clscan_problem *problem, char name[CLSCAN__ELEMENT_NAME_BYTES])
{
    const clscan_element *element = problem->element;

    if (element == NULL)
        snprintf(name, CLSCAN__ELEMENT_NAME_BYTES, "%s", clscan_type_name(problem->type));
    else if (element->name != NULL)
        snprintf(name, CLSCAN__ELEMENT_NAME_BYTES, "%s", element->name);
    else
        snprintf(name, CLSCAN__ELEMENT_NAME_BYTES, "%s%u", clscan__type_cl_name(element->type),
                 (unsigned)element->lanes);
    return name;
}

clscan_operator_class clscan__problem_class(const clscan_problem *problem)
{
    if (problem->op == CLSCAN_CUSTOM)
        return CLSCAN_OPERATOR_CLASS_CUSTOM;
    if (problem->element != NULL || problem->op == CLSCAN_MUL || clscan__type_is_floating(problem->type) ||
        clscan_type_size_bytes(problem->type) > CLSCAN__NATIVE_MAX_BYTES)
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
