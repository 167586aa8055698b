/* What follows from a problem, for everything that asks about one. */
#ifndef CLSCAN_ELEMENT_PROBLEM_H
#define CLSCAN_ELEMENT_PROBLEM_H

#include <stdbool.h>

#include <clscan/problem.h>

#include "base/structs.h"
#include "element/map.h"
#include "element/segments.h"
#include "element/selection.h"

/* A caller's problem as the library takes it, with what it points to. */
typedef struct clscan__problem_room {
    clscan_problem problem;
    clscan_element element, accumulator, output;
    clscan_custom_operator custom;
    clscan_rows rows;
    clscan__segments_room segments;
    clscan__map_room load, store;
    clscan__selection_room selection;
} clscan__problem_room;

/* Do the elements of each row lie side by side? Else they are columns, or what a tensor's strides make of them. */
bool clscan__rows_are_in_order(const clscan_rows *rows);

/* Let *problem, which is not NULL and comes from outside, point to what the library knows of it: a copy in `room`
 * whose element is NULL if it is a scalar, and whose accumulator and output are NULL where all three are the ordinary
 * ones and there are no maps, else both there. What matters to every question is checked: a known operation, a type, an
 * operator that it has, and a flag that is 0 or 1. */
clscan_status clscan__problem_take(const clscan_problem **problem, clscan__problem_room *room, clscan_error *error);

/* Everything below takes such a problem. */

/* Are its elements scalars that are stored and accumulated as they are (cl/elements/types.cl)? */
bool clscan__problem_is_plain(const clscan_problem *problem);

/* "scan". */
const char *clscan__problem_operation_name(const clscan_problem *problem);

/* Is one value made of all elements? Rows that are reduced are to variants and kernels scans without outputs. */
bool clscan__problem_reduces_all(const clscan_problem *problem);

/* Its element, also if that is a scalar. */
clscan_element clscan__problem_input(const clscan_problem *problem);

/* What its operator combines, also if that is a scalar. */
clscan_element clscan__problem_sum(const clscan_problem *problem);
size_t clscan__problem_sum_bytes(const clscan_problem *problem);

/* Must its operands be grouped in the reproducible order? Not where every order gives the same bits. */
bool clscan__problem_is_ordered(const clscan_problem *problem);

/* What variants ask about elements. */
typedef struct clscan__shape {
    uint32_t element_bytes;  /* in memory */
    uint32_t sum_bytes;      /* of what travels between work-items; in segments a pair */
    uint32_t output_bytes;   /* in memory */
    uint32_t held_bytes;     /* of what a work-item keeps of each element */
    uint32_t marked_bytes;   /* the same in body subgroup_rows, beside a mark (cl/bodies/marked_rows.cl); 0: no mark */
    uint32_t walked_bytes;   /* clscan__elements_walked_bytes() */
    uint32_t passed_bytes;   /* clscan__elements_passed_bytes() */
    uint32_t gathered_bytes; /* of what that gathers of each in local memory; 0: nothing */
    uint32_t gathered_most;  /* and of how many of a work-item's at once */
    uint32_t landing_bytes;  /* of each in a landing zone; 0: it cannot be copied there */
    bool reloads;            /* clscan__maps_reload() */
    bool stays;              /* held bit by bit as it is in memory, on both sides */
    bool plain;              /* clscan__problem_is_plain() */
    bool ordered;            /* clscan__problem_is_ordered() */
    bool has_lanes;          /* not plain, but clscan__elements_have_lanes() */
    bool fills_lines;        /* clscan__elements_fill_lines(), or clscan__elements_go_abreast() */
} clscan__shape;

clscan__shape clscan__problem_shape(const clscan_problem *problem);

/* In which its operator combines scalars, or lanes of vectors. */
clscan_type clscan__problem_sum_type(const clscan_problem *problem);

clscan_operator_class clscan__problem_class(const clscan_problem *problem);

#define CLSCAN__ELEMENT_NAME_BYTES 48

/* What messages call a taken element, "int32", "float4" or "affine". Returns `name`. */
const char *clscan__element_name(const clscan_element *element, char name[CLSCAN__ELEMENT_NAME_BYTES]);

/* The same in OpenCL C: "int" for a scalar. */
const char *clscan__element_cl_name(const clscan_element *element, char name[CLSCAN__ELEMENT_NAME_BYTES]);

/* What messages call its elements, "int32", "float4" or "affine", cut at the end of `name`. Returns `name`. */
const char *clscan__problem_element_name(const clscan_problem *problem, char name[CLSCAN__ELEMENT_NAME_BYTES]);

#endif
