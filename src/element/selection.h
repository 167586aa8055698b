/* Operation select: what it is to the rest of the library, which runs it as an exclusive sum over what is kept. */
#ifndef CLSCAN_ELEMENT_SELECTION_H
#define CLSCAN_ELEMENT_SELECTION_H

#include <stdbool.h>

#include <clscan/problem.h>

#include "base/error.h"

/* What the sum of a selection may be, and the maps that it has where the caller gives none. */
typedef struct clscan__selection_room {
    clscan_select select; /* the first member: clscan__selection_room_of() */
    uint32_t column_bytes[CLSCAN_MOST_COLUMNS];
    uint64_t repeated_count; /* these three of operation repeat (element/repetition.h) */
    uint32_t repeated_bytes;
    bool repeats_indices;
    clscan_map keep, give;
    clscan_element place;
} clscan__selection_room;

/* Complete a problem with operation select whose element is taken, and whose maps and types are not: afterwards it has
 * both maps and an accumulator for places. */
clscan_status clscan__selection_take(clscan_problem *problem, clscan__selection_room *room, clscan_error *error);

/* Parts of that, for operation repeat too: nothing of a scan's is there; the caller's struct, if there is one; whether
 * places are counted in 32 bits. */
clscan_status clscan__selection_check_absent(const clscan_problem *problem, clscan_error *error);
clscan_status clscan__selection_take_select(clscan_problem *problem, clscan__selection_room *room, clscan_error *error);
clscan_status clscan__selection_take_place(clscan_problem *problem, clscan_element *room, clscan_error *error);

/* Has the output, where its store map gives indices, room for all of them? */
clscan_status clscan__selection_check_indices(const clscan_problem *problem, const clscan_element *output,
                                              clscan_error *error);

/* These take any taken problem. */
bool clscan__problem_selects(const clscan_problem *problem);
uint32_t clscan__problem_flag_bytes(const clscan_problem *problem); /* of each flag; 0: there are none, or bits */
bool clscan__problem_flag_bits(const clscan_problem *problem);
bool clscan__problem_selects_rejected(const clscan_problem *problem); /* flags and predicate mean the opposite */
bool clscan__problem_has_flags(const clscan_problem *problem);        /* of bytes or bits */
uint32_t clscan__problem_column_count(const clscan_problem *problem);
uint32_t clscan__problem_index_bytes(const clscan_problem *problem);   /* beside what is kept; 0: there are none */
uint32_t clscan__problem_length_bytes(const clscan_problem *problem);  /* that a selection writes; 0: it does not */
bool clscan__problem_selects_long_runs(const clscan_problem *problem); /* of two and more elements */
clscan_rest clscan__problem_rest(const clscan_problem *problem);       /* what becomes of what is not kept */
bool clscan__problem_rest_is_behind(const clscan_problem *problem);    /* in the same output */
bool clscan__problem_has_middle(const clscan_problem *problem);        /* in two parts; a sum is two numbers then */
bool clscan__problem_selects_in_place(const clscan_problem *problem);  /* outputs may be where their inputs are */
bool clscan__problem_has_columns(const clscan_problem *problem);       /* columns, indices or lengths */

/* Where the select of a taken problem, which is not NULL, stands. */
const clscan__selection_room *clscan__selection_room_of(const clscan_problem *problem);

/* Let the select of a taken problem, and the columns that it points to, be copies in `room`. */
void clscan__selection_copy(clscan_problem *problem, clscan__selection_room *room);

/* Does a selection give elements or indices as they are, and nothing else? Then its store map does no harm where it is
 * evaluated for what is not kept: another one may divide by zero there, or read behind the end of a buffer. */
bool clscan__problem_copies(const clscan_problem *problem);

/* What kernels know of the rest, from argument `rest_argument` of clscan__maps on. */
typedef enum clscan__rest_argument {
    CLSCAN__REST_OUT,
    CLSCAN__REST_CAPACITY,
    CLSCAN__REST_IS_COUNTED, /* 1: it begins where device memory says; 0: at place 0 */
    CLSCAN__REST_COUNTED,    /* that memory (engine/rest.h) */
    CLSCAN__REST_ARGUMENTS
} clscan__rest_argument;

/* Kernels' own arguments of a selection, in front of those of its maps, each as clscan__map_argument has it. Those that
 * there are not, flags for instance, leave no gap. */
enum {
    CLSCAN__SELECTION_CAPACITY,
    CLSCAN__SELECTION_OVERFLOWS,
    CLSCAN__SELECTION_FLAGS,
    CLSCAN__SELECTION_COLUMNS, /* the first of an input and an output for each */
    CLSCAN__SELECTION_INDICES = CLSCAN__SELECTION_COLUMNS + 2 * CLSCAN_MOST_COLUMNS,
    CLSCAN__SELECTION_LENGTHS, /* and in the workspace, what cl/selection/lengths.cl mends them by */
    CLSCAN__SELECTION_COUNT = CLSCAN__SELECTION_LENGTHS + 2, /* elements of the input, of runs of two and more */
    CLSCAN__SELECTION_REST,                                  /* the first of clscan__rest_argument */
    CLSCAN__MOST_SELECTION_ARGUMENTS = CLSCAN__SELECTION_REST + CLSCAN__REST_ARGUMENTS
};

#endif
