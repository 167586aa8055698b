#include "config/reproducible.h"

#include "config/variant.h"

clscan__shuffles clscan__reproducible_shuffles_of(const clscan_device_info *device)
{
    return device->sub_group_size >= CLSCAN__ROW_RUNS ? clscan__shuffles_of(device) : CLSCAN__SHUFFLES_LOCAL;
}

/* A stack with the prefix of each node, a window's 32 chunks with the nodes of 5 digits behind them, and the total of
 * the last tile; in cached_rows the nodes of a tile. */
uint64_t clscan__reproducible_local_bytes(const clscan_variant *variant, clscan__shape shape)
{
    const uint64_t blocks = clscan_variant_tile_count(variant) / CLSCAN__BLOCK_COUNT;
    const uint64_t others = clscan__variant_is_cached(variant) ? blocks + 1 : 32 + 5 + 1;

    return (2 * CLSCAN__MOST_NODES + others) * (uint64_t)shape.sum_bytes;
}
