#include "config/repair.h"

#include "config/select.h"
#include "config/variant.h"

/* As the last resorts have. */
#define WORK_GROUPS_PER_UNIT 4u

/* Halve what a work-item takes. False where there is nothing left to halve. */
static bool halve(clscan_variant *variant)
{
    uint32_t *const sizes[] = {&variant->cached_pieces, &variant->vector_length, &variant->register_pieces,
                               &variant->local_pieces};
    const bool cached = clscan__variant_is_cached(variant), transposed = clscan__variant_is_transposed(variant);

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        /* A vector is the width of a load where rows are transposed, and of a row where they are cached. */
        if (*sizes[i] <= 1 || (sizes[i] == &variant->vector_length && (cached || transposed)))
            continue;
        *sizes[i] /= 2;
        return true;
    }
    return false;
}

bool clscan__variant_fit(clscan_variant *variant, uint32_t measured_bytes, const clscan_problem *problem, int in_place,
                         const clscan_device_info *device, clscan__violation *violation)
{
    const clscan__shape shape = clscan__problem_shape(problem);
    clscan__violation unused;

    if (shape.plain)
        return clscan__variant_is_legal(variant, problem, in_place, device, violation);
    variant->landing_zones = 0;
    variant->streaming_stores = 0;
    for (uint64_t bytes = measured_bytes; bytes < shape.sum_bytes && halve(variant);)
        bytes *= 2;
    if (clscan__variant_is_legal(variant, problem, in_place, device, violation))
        return true;
    while (halve(variant))
        if (clscan__variant_is_legal(variant, problem, in_place, device, &unused))
            return true;
    return false;
}

clscan_variant clscan__variant_without_waiting(const clscan_variant *variant, const clscan_problem *problem,
                                               int in_place, const clscan_device_info *device)
{
    clscan_variant repaired = *variant;
    clscan__violation unused;

    repaired.carry =
        problem->operation == CLSCAN_REDUCE ? CLSCAN_CARRY_REDUCE_THEN_COMBINE : CLSCAN_CARRY_REDUCE_THEN_SCAN;
    repaired.order = CLSCAN_ORDER_NONE;
    repaired.work_groups_per_unit = WORK_GROUPS_PER_UNIT;
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (!clscan__param_needed(&repaired, &clscan__params[i]))
            clscan__param_set(&clscan__params[i], &repaired, 0);
    return clscan__variant_is_legal(&repaired, problem, in_place, device, &unused)
               ? repaired
               : clscan__selector_last_resort(problem);
}
