#include "element/problem.h"

#include "element/operators.h"
#include "element/types.h"

clscan_status clscan__problem_check(const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE((unsigned)problem->operation < CLSCAN_OPERATION_COUNT, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->operation: %d is not an operation", (int)problem->operation);
    CLSCAN__REQUIRE(clscan__type_is_valid(problem->type), CLSCAN_ERROR_INVALID_VALUE,
                    "problem->type: %d is not an element type", (int)problem->type);
    CLSCAN__REQUIRE(clscan__operator_is_valid(problem->op), CLSCAN_ERROR_INVALID_VALUE,
                    "problem->op: %d is not an operator", (int)problem->op);
    CLSCAN__REQUIRE(problem->reproducible == 0 || problem->reproducible == 1, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->reproducible is %d, neither 0 nor 1", problem->reproducible);

cleanup:
    return status;
}

bool clscan__problem_is_ordered(const clscan_problem *problem)
{
    return problem->reproducible && !clscan__operator_is_exact(problem->op, problem->type);
}

clscan_operator_class clscan_operator_class_of(const clscan_problem *problem)
{
    clscan_problem room;

    if (problem != NULL)
        problem = clscan__struct_take(problem, &room, sizeof room, "problem", NULL);
    if (problem == NULL || clscan__problem_check(problem, NULL) != CLSCAN_OK)
        return CLSCAN_OPERATOR_CLASS_COUNT;
    if (problem->op == CLSCAN_CUSTOM)
        return CLSCAN_OPERATOR_CLASS_CUSTOM;
    if (problem->op == CLSCAN_MUL || clscan__type_is_floating(problem->type) ||
        clscan_type_size_bytes(problem->type) > CLSCAN__NATIVE_MAX_BYTES)
        return CLSCAN_OPERATOR_CLASS_BUILTIN;
    return CLSCAN_OPERATOR_CLASS_NATIVE;
}
