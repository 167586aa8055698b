/* How many turns the loops of a kernel take, for drivers that end loops after a number of them
 * (clscan_device_info.max_loop_turns). Pure. */
#ifndef CLSCAN_CONFIG_TURNS_H
#define CLSCAN_CONFIG_TURNS_H

#include <stdint.h>

#include <clscan/variant.h>

/* Turns of all loops over one tile, at most, whatever the compiler unrolls. */
uint64_t clscan__turns_of_tile(const clscan_variant *variant);

/* Turns that the tiles of one work-group may take; the other half is for the totals of ranges before its own. */
uint64_t clscan__turns_for_tiles(const clscan_device_info *device);

/* Tiles that one work-group of a legal variant may take, a power of two; UINT64_MAX where loops end by themselves. */
uint64_t clscan__turns_most_tiles(const clscan_variant *variant, const clscan_device_info *device);

/* Ranges whose totals one work-group may combine; UINT64_MAX where loops end by themselves. */
uint64_t clscan__turns_most_ranges(const clscan_device_info *device);

#endif
