/* Elements that the caller describes: vectors of OpenCL C, and types of the caller's. */
#ifndef CLSCAN_ELEMENT_DESCRIBED_H
#define CLSCAN_ELEMENT_DESCRIBED_H

#include <clscan/problem.h>

#include "element/elementwise.h"
#include "element/problem.h"
#include "element/repetition.h"
#include "element/segments.h"
#include "element/selection.h"
#include "element/types.h"

/* Check an element of the caller's, which is not NULL, and take it: *element becomes NULL where it is a scalar, whose
 * type is *type, or points to what the library knows of it, in `room` or the caller's own; then *type is that of a
 * vector's lanes. `what` names it in messages. */
clscan_status clscan__element_take(const clscan_element **element, clscan_type *type, clscan_element *room,
                                   const char *what, clscan_error *error);

/* Does it say its type by a source? */
static inline bool clscan__has_source(const clscan_element *element)
{
    return element->source != NULL && element->source[0] != '\0';
}

/* Are two taken elements the same type? */
bool clscan__element_equal(const clscan_element *left, const clscan_element *right);

/* Types and maps of a problem that is not plain, as programs take them. */
typedef struct clscan__described_elements {
    struct clscan__described_part {
        char name[CLSCAN__ELEMENT_NAME_BYTES]; /* of a vector */
        clscan__custom_type type;
    } in, sum, out, key;
    clscan__map_argument
        arguments[CLSCAN__MOST_SELECTION_ARGUMENTS + CLSCAN_MOST_MAP_ARGUMENTS + CLSCAN__SEGMENTS_MOST_ARGUMENTS];
    char argument_types[CLSCAN_MOST_MAP_ARGUMENTS][CLSCAN__ELEMENT_NAME_BYTES];
    char column_types[CLSCAN_MOST_COLUMNS][2][CLSCAN__ELEMENT_NAME_BYTES];
    clscan__maps maps;
    char value_type[16]; /* of an initial value's bits */
    clscan__segmented segmented;
    clscan__elements elements; /* points to what stands here */
} clscan__described_elements;

/* Of a taken problem that is not plain, whose strings must outlive `described`, which stays where it is. */
void clscan__describe_elements(const clscan_problem *problem, clscan__described_elements *described);

/* What programs take of a problem. */
typedef struct clscan__described {
    clscan__described_elements room;
    const clscan__elements *elements; /* NULL if the problem is plain */
    clscan__elementwise elementwise;  /* of a vector with an operator of our own */
    clscan_custom_operator custom;    /* points there, or to the caller's strings */
    clscan_operator op;
    clscan__repetition repetition_room;
    const clscan__repetition *repetition; /* NULL unless it is operation repeat */
} clscan__described;

/* The same of any taken problem. The operator may be missing. */
void clscan__describe(const clscan_problem *problem, clscan__described *described);

#endif
