#include "config/turns.h"

/* Loading, reducing and scanning a row, element by element; and the group scan, with what is done once. That is read
 * off cl/, not measured: a driver does not tell its turns. What tests/hazards/test_long_loops.c scans as far as this
 * bound lets it, by every body and every carry that does not wait, was right on llvmpipe. */
#define TURNS_PER_ELEMENT 3u
#define TURNS_PER_TILE 64u

/* One in memory order; up to three more on average where totals are nodes of a tree. */
#define TURNS_PER_RANGE 4u

uint64_t clscan__turns_of_tile(const clscan_variant *variant)
{
    return TURNS_PER_ELEMENT * (clscan_variant_tile_count(variant) / variant->work_group_size) + TURNS_PER_TILE;
}

uint64_t clscan__turns_for_tiles(const clscan_device_info *device)
{
    return device->max_loop_turns > 0 ? device->max_loop_turns / 2 : UINT64_MAX;
}

uint64_t clscan__turns_most_tiles(const clscan_variant *variant, const clscan_device_info *device)
{
    uint64_t most = 1;

    if (device->max_loop_turns == 0)
        return UINT64_MAX;
    while (2 * most * clscan__turns_of_tile(variant) <= clscan__turns_for_tiles(device))
        most *= 2;
    return most;
}

uint64_t clscan__turns_most_ranges(const clscan_device_info *device)
{
    return device->max_loop_turns > 0 ? device->max_loop_turns / 2 / TURNS_PER_RANGE : UINT64_MAX;
}
