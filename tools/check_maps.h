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
    bool *known;                                /* can anything be said of the output? */
    unsigned char *outputs[CHECK_MAPS_OUTPUTS]; /* the first are those of `sums` and `previous`, and always there */
} map_checker;

/* Compile, and make room for `count` of each. Indices count in rows of `row_count`. Again does nothing. */
clscan_status check_maps_prepare(map_checker *c, uint64_t count, uint64_t row_count, clscan_error *error);

/* Values of elements, of which the first is number `first` of all rows. */
clscan_status check_maps_load(map_checker *c, const void *elements, uint64_t first, uint64_t count,
                              clscan_error *error);

/* With a store map: outputs of `sums` and `previous`, and with `bounds` all others, of those near them. */
clscan_status check_maps_store(map_checker *c, const void *elements, uint64_t first, uint64_t count, bool bounds,
                               clscan_error *error);

/* Without one: outputs of `count` sums from number `at` on. */
clscan_status check_maps_convert(map_checker *c, uint64_t at, uint64_t count, clscan_error *error);

void check_maps_release(map_checker *c);

#endif
