#include "config/repair.h"

#include "config/constraints.h"
#include "config/select.h"
#include "config/variant.h"

/* As the last resorts have. */
#define WORK_GROUPS_PER_UNIT 4u

clscan_variant clscan__variant_without_waiting(const clscan_variant *variant, const clscan_problem *problem,
                                               int in_place, const clscan_device_info *device)
{
    clscan_variant repaired = *variant;
    clscan__violation unused;

    repaired.carry = CLSCAN_CARRY_REDUCE_THEN_SCAN;
    repaired.order = CLSCAN_ORDER_NONE;
    repaired.work_groups_per_unit = WORK_GROUPS_PER_UNIT;
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (!clscan__param_needed(&repaired, &clscan__params[i]))
            clscan__param_set(&clscan__params[i], &repaired, 0);
    return clscan__variant_is_legal(&repaired, problem, in_place, device, &unused)
               ? repaired
               : *clscan__selector_last_resort(problem);
}
