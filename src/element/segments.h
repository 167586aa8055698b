/* Segments of a problem: what they are, as the library takes them, and as programs see them. */
#ifndef CLSCAN_ELEMENT_SEGMENTS_H
#define CLSCAN_ELEMENT_SEGMENTS_H

#include <stdbool.h>

#include <clscan/problem.h>

#include "base/error.h"

/* Check the segments of a problem, which are not NULL, and let *segments point to a copy in `room`. */
clscan_status clscan__segments_take(const clscan_segments **segments, clscan_segments *room, clscan_error *error);

/* Is there what segments need of the rest of a taken problem with segments? */
clscan_status clscan__segments_check(const clscan_problem *problem, clscan_error *error);

/* What says where segments of `count` elements begin: so many, each of so many bytes. */
uint64_t clscan__segments_count(const clscan_segments *segments, uint64_t count, uint64_t offset_count);
size_t clscan__segments_unit_bytes(const clscan_segments *segments);

/* What kernels have besides the caller's arguments of maps, in this order, behind them. */
enum {
    CLSCAN__SEGMENTS_BEGINS,  /* what says where they begin; a buffer */
    CLSCAN__SEGMENTS_VALUE,   /* the bits of an initial value */
    CLSCAN__SEGMENTS_INITIAL, /* a buffer that has one */
    CLSCAN__SEGMENTS_COUNT,   /* elements of the run */
    CLSCAN__SEGMENTS_MODE,    /* which of the two initial values there is */
    CLSCAN__SEGMENTS_ARGUMENTS
};

/* The mode. */
enum { CLSCAN__SEGMENTS_NO_INITIAL, CLSCAN__SEGMENTS_INITIAL_VALUE, CLSCAN__SEGMENTS_INITIAL_BUFFER };

/* As programs see segments. What travels is a pair: a sum of the problem's and whether a segment begins in it (ends, in
 * reverse), as wide as the sum is aligned, so that there is no padding. */
typedef struct clscan__segmented {
    clscan_segments_by by;
    clscan_type type;
    bool reverse, exclusive;
    const char *function; /* of the problem's operator */
    const char *identity; /* its own; NULL: none */
    const char *neutral;  /* the same to the bit: of sums of floating-point numbers -0.0 */
} clscan__segmented;

/* Marks are a bit for each element, in words of 32, which the library sets where an offset is. */
uint64_t clscan__segments_marks_bytes(const clscan_problem *problem);

/* Bytes of a pair whose sums have so many, and of the integers that the value's bits are given in. */
size_t clscan__pair_bytes(size_t sum_bytes, size_t align_bytes);
uint32_t clscan__segments_value_bytes(size_t sum_bytes);

#endif
