#include "ops/items.h"

#include "base/checked.h"

uint32_t clscan__items_work_group_size(const clscan_plan *plan)
{
    enum { WORK_GROUP_SIZE = 64 };

    return plan->info.max_work_group_size < WORK_GROUP_SIZE ? 1 : WORK_GROUP_SIZE;
}

clscan_status clscan__items_enqueue(clscan__sequence *sequence, const clscan_plan *plan, cl_kernel kernel,
                                    uint32_t work_group_size, uint64_t items, bool known, bool final,
                                    clscan_error *error)
{
    enum { MOST_WORK_GROUPS = 1 << 14, MOST_PER_UNIT = 32 };
    const uint64_t filling = (uint64_t)plan->info.compute_units * MOST_PER_UNIT;
    const uint64_t most = known || plan->info.max_loop_turns > 0 ? MOST_WORK_GROUPS : filling;

    return clscan__sequence_kernel(sequence, kernel, clscan__min_u64(clscan__divide_up(items, work_group_size), most),
                                   work_group_size, final, error);
}
