#include "engine/rest.h"

#include "base/checked.h"
#include "element/selection.h"

const clscan__compiled *clscan__rest_compiled(const clscan_plan *plan)
{
    return &plan->compiled[clscan__plan_class(plan, plan->problem.max_count, false)->compiled];
}

uint64_t clscan__rest_groups(const clscan_plan *plan, uint64_t count)
{
    /* So many work-items keep a compute unit of a GPU busy, though not all at once; on a CPU a work-group is one. Loops
     * that end by themselves have as few turns as can be. */
    enum { FILLING = 8192, WORKERS = 4, MOST_GROUPS = 1 << 14, LEAST_VECTORS = 8 };
    const clscan_variant *variant = &clscan__rest_compiled(plan)->variant;
    const bool cpu = plan->info.device_class == CLSCAN_DEVICE_CLASS_CPU;
    const uint64_t size = variant->work_group_size, per_unit = cpu ? WORKERS : clscan__divide_up(FILLING, size),
                   wanted = clscan__divide_up(count, size * variant->vector_length * LEAST_VECTORS),
                   most = clscan__min_u64(
                       MOST_GROUPS, plan->info.max_loop_turns > 0 ? MOST_GROUPS : plan->info.compute_units * per_unit);

    return clscan__min_u64(wanted > 0 ? wanted : 1, most > 0 ? most : 1);
}

uint64_t clscan__rest_bytes(const clscan_plan *plan)
{
    return clscan__problem_rest(&plan->problem) == CLSCAN_REST_DROPPED
               ? 0
               : (2 + clscan__rest_groups(plan, plan->problem.max_count)) * sizeof(cl_ulong);
}
