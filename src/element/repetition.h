/* Operation repeat: what it is to the rest of the library, which sums up its lengths, and then lets a kernel of its own
 * (cl/repetition/expand.cl) fill the outputs between these sums. */
#ifndef CLSCAN_ELEMENT_REPETITION_H
#define CLSCAN_ELEMENT_REPETITION_H

#include <stdbool.h>

#include <clscan/problem.h>

#include "base/error.h"
#include "element/selection.h"

/* Complete a problem with operation repeat, whose element is taken: afterwards it is an exclusive sum of lengths, which
 * are its elements, to places, which are its outputs. What its elements were is asked for by the functions below. */
clscan_status clscan__repetition_take(clscan_problem *problem, clscan__selection_room *room, clscan_error *error);

/* The following take any taken problem. */
bool clscan__problem_repeats(const clscan_problem *problem);
size_t clscan__problem_repeated_bytes(const clscan_problem *problem); /* of an element of the output; of others 0 */
bool clscan__problem_repeats_indices(const clscan_problem *problem);  /* the output has indices: there is no input */
/* Of the places of all elements. */
uint64_t clscan__repetition_places_bytes(const clscan_problem *problem);

/* What fills the outputs, as programs see it: columns of bytes, the output first, unless that has indices. */
typedef struct clscan__repetition {
    uint32_t bytes[1 + CLSCAN_MOST_COLUMNS]; /* of an element of each column */
    uint32_t column_count;
    uint32_t index_bytes[2]; /* of the outputs that have indices; 0: there are no more */
    uint32_t run_bytes;      /* of the number of an element */
    bool has_plain_lengths;  /* they are of the type of places */
    uint32_t work_group_size;
} clscan__repetition;

/* Only of a problem that repeats. */
clscan__repetition clscan__describe_repetition(const clscan_problem *problem);

#endif
