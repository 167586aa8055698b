#include "config/check_problem.h"

#include "base/structs.h"
#include "config/constraints.h"
#include "element/operators.h"
#include "element/types.h"

clscan_status clscan__check_kind_of_problem(const clscan_problem *problem, clscan_error *error)
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

clscan_status clscan_variant_check_problem(const clscan_variant *variant, const clscan_problem *problem, int in_place,
                                           const clscan_device_info *device, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_problem problem_room;
    clscan_device_info device_room;
    bool reproducible;

    CLSCAN__REQUIRE(variant != NULL && problem != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "variant or problem is NULL");
    CLSCAN__TAKE(problem, problem_room);
    if (device != NULL)
        CLSCAN__TAKE(device, device_room);
    CLSCAN__TRY(clscan__check_kind_of_problem(problem, error));
    reproducible = problem->reproducible && !clscan__operator_is_exact(problem->op, problem->type);
    CLSCAN__TRY(clscan__variant_check(variant, problem->type, in_place, reproducible, device, error));

cleanup:
    return status;
}
