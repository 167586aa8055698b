/* Scans with one mistake each: a serial scan in tiles, as scan libraries do it, that is right but for one step. */
#ifndef CLSCAN_TESTS_MUSEUM_MISTAKES_H
#define CLSCAN_TESTS_MUSEUM_MISTAKES_H

#include <stdint.h>

#include "reference.h"

/* clang-format off */
#define MUSEUM_MISTAKE_LIST(X)                                                                        \
    X(none,                     "none: the scan is right")                                            \
    X(initial_in_every_tile,    "the initial value goes into the prefix of every tile")               \
    X(initial_written_first,    "the first output is written before the first input is read")         \
    X(begins_with_zero,         "the scan begins with 0, whatever the operator")                      \
    X(begins_with_signed_limit, "min begins with the largest signed number")                          \
    X(tile_begins_with_zero,    "each tile's total begins with 0, whatever the operator")             \
    X(operands_swapped,         "the operator gets its operands the wrong way round")                 \
    X(prefix_swapped,           "a tile is combined with its prefix the wrong way round")             \
    X(prefix_added,             "prefixes are added, whatever the operator")                          \
    X(prefix_forgotten,         "a tile gets the total of the tile before it, not of all before")     \
    X(prefix_one_early,         "the last element of a tile gets the prefix of the next tile")        \
    X(half_tile_forgotten,      "the second half of a tile does not get the total of the first")      \
    X(nothing_combined,         "outputs are inputs")                                                 \
    X(tile_end_dropped,         "the last element of a tile is left out of the tile's total")         \
    X(tail_not_scanned,         "elements behind the last whole tile are left out")                   \
    X(tail_reads_on,            "the last tile's total takes in what lies behind the last element")   \
    X(tail_total_dropped,       "a tile that is not whole has no total")                              \
    X(one_element_forgotten,    "a single element is not written")                                    \
    X(one_buffer,               "steps of a scan read what the same step has written")                \
    X(output_shifted_twice,     "exclusive outputs are shifted by two elements")                      \
    X(neighbour_read_late,      "the last input of the tile before is read after it was overwritten") \
    X(last_read_late,           "the last input is read for the total after it was overwritten")      \
    X(shifted_over_itself,      "an output overwrites the next input before that is read")            \
    X(input_overwritten,        "partial results are left in the input")                              \
    X(offset_ignored,           "elements are read from the beginning of the buffer")                 \
    X(total_without_initial,    "the total leaves the initial value out")                             \
    X(total_not_written,        "the total is not written")                                           \
    X(empty_writes,             "a first output is written though there is no element")               \
    X(empty_writes_no_total,    "no total is written where there is no element")                      \
    X(direction_ignored,        "a reversed scan is done forward")                                    \
    X(output_not_reversed,      "outputs of a reversed scan stand in forward order")                  \
    X(by_subtraction,           "reversed outputs are the total less what comes before")              \
    X(first_not_excluded,       "the first output of an exclusive scan has its element in it")        \
    X(nan_dropped,              "min and max take the number where the other operand is a NaN")       \
    X(summed_as_int,            "sums are kept as 32-bit integers")                                   \
    X(totals_as_unsigned,       "totals of tiles are kept as unsigned 32-bit integers")               \
    X(rounded_each_time,        "sums are rounded to the element type after each step")               \
    X(saturated,                "sums stop at the ends of the type's range")                          \
    X(index_wraps,              "elements are counted with too few bits")                             \
    X(stale_totals,             "totals of tiles are read before this run has written them")
/* clang-format on */

typedef enum museum_mistake {
#define X(name, meaning) MISTAKE_##name,
    MUSEUM_MISTAKE_LIST(X)
#undef X
        MUSEUM_MISTAKE_COUNT
} museum_mistake;

enum { MUSEUM_TILES_MAX = 64 };

/** A scan, and where it happens. Elements and outputs lie in whole buffers, as on a device. */
typedef struct museum_scan {
    clscan_reference what;
    unsigned char *in;  /**< a buffer; the first element is number in_offset */
    unsigned char *out; /**< another one, or the same: in place */
    uint64_t in_offset, out_offset, count;
    uint64_t tile;               /**< elements of a tile; at most MUSEUM_TILES_MAX of them */
    unsigned index_bits;         /**< of an index that wraps around */
    const clscan_value *initial; /**< NULL: none */
    clscan_value total;          /**< is written, unless that is the mistake */

    /* The workspace: what it holds stays there until the next run. */
    clscan_value tile_totals[MUSEUM_TILES_MAX];
} museum_scan;

/** What a mistake is, in a few words. Static. */
const char *museum_mistake_meaning(museum_mistake mistake);

/** Scan with that mistake. */
void museum_scan_with(museum_mistake mistake, museum_scan *scan);

#endif
