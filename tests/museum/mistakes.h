/* Scans with one mistake each: a serial scan in tiles, as scan libraries do it, that is right but for one step. */
#ifndef CLSCAN_TESTS_MUSEUM_MISTAKES_H
#define CLSCAN_TESTS_MUSEUM_MISTAKES_H

#include <stdint.h>

#include "reference.h"

/* clang-format off */
#define MUSEUM_MISTAKE_LIST(X)                                                                  \
    X(none,                     "none: the scan is right")                                      \
    X(initial_in_every_tile,    "the initial value goes into the prefix of every tile")         \
    X(initial_written_first,    "the first output is written before the first input is read")   \
    X(total_without_initial,    "the total leaves the initial value out")                       \
    X(operands_swapped,         "the operator gets its operands the wrong way round")           \
    X(prefix_swapped,           "a tile is combined with its prefix the wrong way round")       \
    X(prefix_one_early,         "the last element of a tile gets the prefix of the next tile")  \
    X(tile_end_dropped,         "the last element of a tile is left out of the tile's total")   \
    X(neighbour_read_late,      "the last input of the tile before is read after it was overwritten")
/* clang-format on */

typedef enum museum_mistake {
#define X(name, meaning) MISTAKE_##name,
    MUSEUM_MISTAKE_LIST(X)
#undef X
        MUSEUM_MISTAKE_COUNT
} museum_mistake;

/** A scan, and where it happens. Elements and outputs lie in whole buffers, as on a device. */
typedef struct museum_scan {
    clscan_reference what;
    unsigned char *in;  /**< a buffer; the first element is number in_offset */
    unsigned char *out; /**< another one, or the same: in place */
    uint64_t in_offset, out_offset, count;
    uint64_t tile;               /**< elements of a tile; 1 or more */
    const clscan_value *initial; /**< NULL: none */
    clscan_value total;          /**< is written */
} museum_scan;

/** What a mistake is, in a few words. Static. */
const char *museum_mistake_meaning(museum_mistake mistake);

/** Scan with that mistake. */
void museum_scan_with(museum_mistake mistake, museum_scan *scan);

#endif
