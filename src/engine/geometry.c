#include "engine/geometry.h"

#include "base/checked.h"
#include "config/variant.h"
#include "engine/words.h"

/* No runtime has been seen to take a launch of more work-groups in one dimension. */
#define MOST_WORK_GROUPS ((UINT64_C(1) << 31) - 1)

clscan__geometry clscan__geometry_of(const clscan_variant *variant, clscan_type type, const clscan_device_info *device,
                                     uint64_t count)
{
    const uint64_t accumulator_bytes = clscan_type_size_bytes(clscan_type_accumulator(type));
    clscan__geometry geometry = {.tiles = clscan__divide_up(count, clscan_variant_tile_count(variant))};

    if (clscan__variant_is_bounded(variant) && count > 0) {
        const uint64_t most =
            clscan__min_u64((uint64_t)device->compute_units * variant->work_groups_per_unit, geometry.tiles);
        geometry.tiles_per_range = clscan__divide_up(geometry.tiles, most);
        geometry.ranges = clscan__divide_up(geometry.tiles, geometry.tiles_per_range);
        /* Not of `ranges`: rounding can make fewer of them for more tiles, and the memory for a count must do for
         * all smaller ones. */
        geometry.totals_bytes = most * accumulator_bytes;
    }
    if (clscan__variant_has_order(variant) && count > 0) {
        geometry.tiles_per_range = variant->tiles_per_work_group;
        geometry.ranges = clscan__divide_up(geometry.tiles, geometry.tiles_per_range);
        geometry.words_bytes = geometry.ranges * clscan__published_bytes(device->mechanism, accumulator_bytes);
    }
    return geometry;
}

uint64_t clscan__geometry_most_elements(const clscan_variant *variant, const clscan_device_info *device)
{
    uint64_t elements;

    if (!clscan__variant_has_order(variant))
        return UINT64_MAX;
    if (!clscan__mul_u64(clscan_variant_tile_count(variant), variant->tiles_per_work_group, &elements) ||
        !clscan__mul_u64(elements, clscan__min_u64(clscan__most_tickets(device->mechanism), MOST_WORK_GROUPS),
                         &elements))
        return UINT64_MAX;
    return elements;
}
