/* From a count and a variant to launches and memory. Pure. */
#ifndef CLSCAN_ENGINE_GEOMETRY_H
#define CLSCAN_ENGINE_GEOMETRY_H

#include <stdint.h>

#include <clscan/variant.h>

typedef struct clscan__geometry {
    uint64_t tiles;           /* of the whole scan; the last one may be partial */
    uint64_t ranges;          /* of neighbouring tiles; 0 for a carry that has none */
    uint64_t work_groups;     /* of a launch over the ranges: one for each, or fewer that take several */
    uint64_t tiles_per_range; /* the last range may have fewer */
    uint64_t words_bytes;     /* published words in the workspace */
    uint64_t totals_bytes;    /* totals of ranges in the workspace */
} clscan__geometry;

clscan__geometry clscan__geometry_of(const clscan_variant *variant, uint64_t sum_bytes,
                                     const clscan_device_info *device, uint64_t count);

/* The same in the reproducible order, for `count` elements behind the first `first` of a scan: ranges are 2^k tiles,
 * and the first and the last one may be cut. One range also if there are no elements. */
clscan__geometry clscan__geometry_reproducible(const clscan_variant *variant, uint64_t sum_bytes,
                                               const clscan_device_info *device, uint64_t first, uint64_t count);

/* Largest count that the variant can serve on the device; UINT64_MAX if nothing but memory limits it. */
uint64_t clscan__geometry_most_elements(const clscan_variant *variant, const clscan_device_info *device);

#endif
