#include "engine/geometry.h"

#include "base/checked.h"
#include "config/reproducible.h"
#include "config/turns.h"
#include "config/variant.h"
#include "engine/words.h"

/* No runtime has been seen to take a launch of more work-groups in one dimension. */
#define MOST_WORK_GROUPS ((UINT64_C(1) << 31) - 1)

static uint64_t tiles_per_range(const clscan_variant *variant)
{
    return variant->tiles_per_work_group > 0 ? variant->tiles_per_work_group : 1;
}

/* Work-groups that go from range to range: no more than the device is given, and than the order can register. */
static uint64_t most_persistent(const clscan_variant *variant, const clscan_device_info *device)
{
    const uint64_t bound = (uint64_t)device->compute_units * variant->work_groups_per_unit;

    return variant->order == CLSCAN_ORDER_CYCLIC ? clscan__min_u64(bound, CLSCAN__MOST_REGISTERED) : bound;
}

/* Work-groups of a bounded launch: as many as the variant asks for, or more where one may take only so many tiles. */
static uint64_t most_bounded(const clscan_variant *variant, const clscan_device_info *device, uint64_t tiles)
{
    const uint64_t asked = clscan__min_u64((uint64_t)device->compute_units * variant->work_groups_per_unit,
                                           clscan__turns_most_ranges(device));
    const uint64_t needed = clscan__divide_up(tiles, clscan__turns_most_tiles(variant, device));

    return clscan__min_u64(asked > needed ? asked : needed, tiles);
}

clscan__geometry clscan__geometry_of(const clscan_variant *variant, uint64_t sum_bytes,
                                     const clscan_device_info *device, uint64_t count)
{
    clscan__geometry geometry = {.tiles = clscan__divide_up(count, clscan_variant_tile_count(variant))};

    if (clscan__variant_is_bounded(variant) && count > 0) {
        const uint64_t most = most_bounded(variant, device, geometry.tiles);
        geometry.tiles_per_range = clscan__divide_up(geometry.tiles, most);
        geometry.ranges = clscan__divide_up(geometry.tiles, geometry.tiles_per_range);
        geometry.work_groups = geometry.ranges;
        /* Not of `ranges`: rounding can make fewer of them for more tiles, and the memory for a count must do for
         * all smaller ones. */
        geometry.totals_bytes = most * sum_bytes;
    }
    if (clscan__variant_has_order(variant) && count > 0) {
        geometry.tiles_per_range = tiles_per_range(variant);
        geometry.ranges = clscan__divide_up(geometry.tiles, geometry.tiles_per_range);
        geometry.work_groups = clscan__variant_is_persistent(variant)
                                   ? clscan__min_u64(most_persistent(variant, device), geometry.ranges)
                                   : geometry.ranges;
        geometry.words_bytes = clscan__published_bytes(device, geometry.ranges, sum_bytes);
    }
    return geometry;
}

static uint64_t power_of_two_from(uint64_t value)
{
    uint64_t power = 1;

    while (power < value)
        power *= 2;
    return power;
}

clscan__geometry clscan__geometry_reproducible(const clscan_variant *variant, uint64_t sum_bytes,
                                               const clscan_device_info *device, uint64_t first, uint64_t count)
{
    const uint64_t tile_count = clscan_variant_tile_count(variant);
    const uint64_t state_bytes = CLSCAN__MOST_NODES * sum_bytes;
    clscan__geometry geometry = {.tiles = clscan__divide_up(count, tile_count)};
    uint64_t most;

    if (clscan__variant_has_order(variant)) {
        geometry = clscan__geometry_of(variant, sum_bytes, device, count > 0 ? count : 1);
        geometry.totals_bytes = state_bytes;
        return geometry;
    }
    most = geometry.tiles == 0 ? 1 : most_bounded(variant, device, geometry.tiles);
    geometry.tiles_per_range = power_of_two_from(clscan__divide_up(geometry.tiles, most));
    geometry.ranges =
        clscan__divide_up(first / tile_count % geometry.tiles_per_range + geometry.tiles, geometry.tiles_per_range);
    if (geometry.ranges == 0)
        geometry.ranges = 1;
    geometry.work_groups = geometry.ranges;
    /* A range that is cut at both ends makes one more than `most`, but the last one has no total. */
    geometry.totals_bytes = state_bytes + most * sum_bytes;
    return geometry;
}

/* Ranges that one launch can number. Persistent work-groups number ranges beyond the last one too: each draws more
 * tickets than it takes ranges, or, in the order cyclic, counts on in 32 bits. The others are limited in number. */
static uint64_t most_ranges(const clscan_variant *variant, const clscan_device_info *device)
{
    const uint64_t tickets = clscan__most_tickets(device->mechanism);
    const uint64_t vain = most_persistent(variant, device) * clscan__variant_vain_draws(variant);

    if (variant->order == CLSCAN_ORDER_CYCLIC)
        return UINT32_MAX - most_persistent(variant, device);
    if (clscan__variant_is_persistent(variant))
        return tickets - clscan__min_u64(vain, tickets);
    return clscan__min_u64(tickets, MOST_WORK_GROUPS);
}

uint64_t clscan__geometry_most_elements(const clscan_variant *variant, const clscan_device_info *device)
{
    const uint64_t ranges = clscan__variant_is_bounded(variant) ? clscan__turns_most_ranges(device) : 1;
    uint64_t elements;

    if (!clscan__variant_has_order(variant))
        return clscan__mul_u64(clscan_variant_tile_count(variant), clscan__turns_most_tiles(variant, device),
                               &elements) &&
                       clscan__mul_u64(elements, ranges, &elements)
                   ? elements
                   : UINT64_MAX;
    if (!clscan__mul_u64(clscan_variant_tile_count(variant), tiles_per_range(variant), &elements) ||
        !clscan__mul_u64(elements, most_ranges(variant, device), &elements))
        return UINT64_MAX;
    return elements;
}
