#include "config/reproducible.h"

clscan__shuffles clscan__reproducible_shuffles_of(const clscan_device_info *device)
{
    return device->sub_group_size >= CLSCAN__ROW_RUNS ? clscan__shuffles_of(device) : CLSCAN__SHUFFLES_LOCAL;
}

/* The nodes of tiles, which lookahead has three of besides, a stack with the prefix of each node, and a window of
 * totals. */
uint64_t clscan__reproducible_local_bytes(const clscan_variant *variant, clscan_type type)
{
    const uint64_t value_bytes = clscan_type_size_bytes(clscan_type_accumulator(type));
    const uint64_t blocks = clscan_variant_tile_count(variant) / CLSCAN__BLOCK_COUNT;

    const uint64_t sets = variant->carry == CLSCAN_CARRY_LOOKAHEAD ? 4 : 1;

    return (sets * blocks + 2 * CLSCAN__MOST_NODES + variant->work_group_size) * value_bytes;
}
