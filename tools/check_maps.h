/* The maps of a scan that is checked, of each element and each sum alone, by kernels that know nothing of scans
 * (measure/map_each.h). */
#ifndef CLSCAN_TOOLS_CHECK_MAPS_H
#define CLSCAN_TOOLS_CHECK_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/map_each.h"
#include "scan_maps.h"

/* Outputs that bound those of sums which are rounded: of the sums themselves, and where each of sum and previous one is
 * as small or as large as it may be. */
enum { CHECK_MAPS_OUTPUTS = 5 };

/* Set the first part, zero the rest. */
typedef struct map_checker {
    const scan_maps *maps; /* prepared; NULL: there are none, and nothing below is used */
    cl_context context;
    cl_device_id device;

    bool is_ready;
    measure_map_each each;
    /* As many of each as are checked at once. */
    unsigned char *values;                      /* that are combined */
    unsigned char *sums, *previous;             /* the latter for a store map; else NULL, as are the next */
    unsigned char *near[2][2];                  /* both, below and above */
    unsigned char *outputs[CHECK_MAPS_OUTPUTS]; /* the first are those of `sums` and `previous`, and always there */
} map_checker;

/* Compile, and make room for `count` of each. Again does nothing. */
clscan_status check_maps_prepare(map_checker *c, uint64_t count, clscan_error *error);

/* Values of elements, of which the first has the index `index` in its row. */
clscan_status check_maps_load(map_checker *c, const void *elements, uint64_t index, uint64_t count,
                              clscan_error *error);

/* Outputs of `sums` and `previous`, and with `bounds` all others, of those near them. */
clscan_status check_maps_store(map_checker *c, const void *elements, uint64_t index, uint64_t count, bool bounds,
                               clscan_error *error);

void check_maps_release(map_checker *c);

#endif
