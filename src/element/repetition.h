/* Operation repeat: what it is to the rest of the library, which scans the sums of blocks of lengths. Kernels of its
 * own make these sums (cl/repetition/lengths.cl), and fill the outputs (cl/repetition/expand.cl). */
#ifndef CLSCAN_ELEMENT_REPETITION_H
#define CLSCAN_ELEMENT_REPETITION_H

#include <stdbool.h>

#include <clscan/problem.h>

#include "base/error.h"
#include "element/selection.h"

/* Elements of a block. */
enum { CLSCAN__REPEAT_BLOCK = 256 };

/* Complete a problem with operation repeat, whose element is taken: afterwards it is an exclusive sum of the lengths of
 * blocks, which are its elements, to the places where blocks begin, which are its outputs. What its elements were, and
 * how many, is asked for by the functions below. */
clscan_status clscan__repetition_take(clscan_problem *problem, clscan__selection_room *room, clscan_error *error);

/* The following take any taken problem. */
bool clscan__problem_repeats(const clscan_problem *problem);
uint64_t clscan__problem_most_elements(const clscan_problem *problem); /* max_count as the caller gave it */
/* How many are scanned for so many elements of the caller's, and for how many of these so many are scanned at most;
 * UINT64_MAX: any. */
uint64_t clscan__problem_scanned(const clscan_problem *problem, uint64_t elements);
uint64_t clscan__problem_serves(const clscan_problem *problem, uint64_t scanned);
size_t clscan__problem_repeated_bytes(const clscan_problem *problem); /* of an element of the output; of others 0 */
bool clscan__problem_repeats_indices(const clscan_problem *problem);  /* the output has indices: there is no input */

/* What a run leaves in its workspace, in bytes from the beginning of that. */
typedef struct clscan__repetition_layout {
    uint64_t sums_bytes;  /* of the lengths of each block; the places of blocks stand before them */
    uint64_t count_bytes; /* how many blocks there are, where device memory says how many elements; 8 bytes */
    uint64_t size_bytes;  /* of all; 0 where nothing is repeated */
} clscan__repetition_layout;

clscan__repetition_layout clscan__repetition_layout_of(const clscan_problem *problem);

/* What fills the outputs, as programs see it: columns of bytes, the output first, unless that has indices. */
typedef struct clscan__repetition {
    uint32_t bytes[1 + CLSCAN_MOST_COLUMNS]; /* of an element of each column */
    uint32_t column_count;
    uint32_t index_bytes[2]; /* of the outputs that have indices; 0: there are no more */
    uint32_t run_bytes;      /* of the number of an element */
    uint32_t length_bytes;   /* of a length, or an offset */
    bool by_offsets;
    uint32_t work_group_size;
} clscan__repetition;

/* Only of a problem that repeats. */
clscan__repetition clscan__describe_repetition(const clscan_problem *problem);

#endif
