#include <clscan/plan.h>

#include "base/structs.h"
#include "config/check_problem.h"
#include "config/select.h"
#include "element/operators.h"

clscan_status clscan_config_explain_problem(const clscan_config *config, const clscan_device_info *device,
                                            const clscan_problem *problem, uint64_t count, int in_place,
                                            clscan_choice *choice, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__selector *selector = NULL;
    clscan_device_info device_room;
    clscan_problem problem_room;
    clscan_choice found;
    bool reproducible;

    CLSCAN__REQUIRE(device != NULL && problem != NULL && choice != NULL, CLSCAN_ERROR_NULL_ARGUMENT,
                    "device, problem or choice is NULL");
    CLSCAN__TAKE(device, device_room);
    CLSCAN__TAKE(problem, problem_room);
    CLSCAN__TRY(clscan__struct_check(choice, "choice", error));
    CLSCAN__TRY(clscan__check_kind_of_problem(problem, error));
    reproducible = problem->reproducible && !clscan__operator_is_exact(problem->op, problem->type);
    CLSCAN__TRY(clscan__selector_create(config, &selector, error));
    clscan__selector_choose(selector, device, problem->type, problem->op, reproducible, count, in_place, &found);
    clscan__struct_give(choice, &found, sizeof found);

cleanup:
    clscan__selector_destroy(selector);
    return status;
}

clscan_status clscan_config_explain(const clscan_config *config, const clscan_device_info *device, clscan_type type,
                                    clscan_operator op, uint64_t count, int in_place, clscan_choice *choice,
                                    clscan_error *error)
{
    const clscan_problem problem = {.struct_size = sizeof problem, .type = type, .op = op};

    return clscan_config_explain_problem(config, device, &problem, count, in_place, choice, error);
}
