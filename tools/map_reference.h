/* What the expressions of --load and --store make of elements and sums, one by one: the serial reference's maps. */
#ifndef CLSCAN_TOOLS_MAP_REFERENCE_H
#define CLSCAN_TOOLS_MAP_REFERENCE_H

#include <clscan/clscan.h>

#include "measure/map_each.h"
#include "reference/case.h"
#include "scan_maps.h"
#include "target.h"

/* What prepared maps make of one element, and of one sum; context, device and queue are still to be set. */
measure_map_each map_reference_each(const scan_maps *maps);

typedef struct map_reference {
    measure_map_each each;
    uint64_t index_of_first; /* 0: runs are whole */
    clscan_memory arguments[SCAN_MAPS_ARGUMENTS];
    clscan_case_maps maps; /* for case fixtures */
} map_reference;

/* Compile prepared maps for the device, a work-item for each element. Release always; zero it before. */
clscan_status map_reference_create(map_reference *r, const target *where, const scan_maps *maps, clscan_error *error);

void map_reference_release(map_reference *r);

#endif
