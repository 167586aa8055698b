/* Elements that the caller describes: vectors of OpenCL C, and types of the caller's. */
#ifndef CLSCAN_ELEMENT_DESCRIBED_H
#define CLSCAN_ELEMENT_DESCRIBED_H

#include <clscan/problem.h>

#include "element/elementwise.h"
#include "element/problem.h"
#include "element/types.h"

/* Check an element of the caller's, which is not NULL, and take it: *element becomes NULL where it is a scalar, whose
 * type is *type, or points to what the library knows of it, in `room` or the caller's own; then *type is that of a
 * vector's lanes. `what` names it in messages. */
clscan_status clscan__element_take(const clscan_element **element, clscan_type *type, clscan_element *room,
                                   const char *what, clscan_error *error);

/* Are two taken elements the same type? */
bool clscan__element_equal(const clscan_element *left, const clscan_element *right);

/* An element as programs take it. */
typedef struct clscan__described_part {
    char name[CLSCAN__ELEMENT_NAME_BYTES]; /* of a vector */
    clscan__custom_type type;
} clscan__described_part;

/* What programs take of a problem that is not plain. */
typedef struct clscan__described {
    clscan__described_part in;
    clscan__elements room;
    const clscan__elements *elements; /* NULL if the problem is plain */
    clscan__elementwise elementwise;  /* of a vector with an operator of our own */
    clscan_custom_operator custom;    /* points there, or to the caller's strings */
    clscan_operator op;
} clscan__described;

/* From a taken problem, whose strings must outlive it, as must `described` stay where it is. The operator may be
 * missing. */
void clscan__describe(const clscan_problem *problem, clscan__described *described);

#endif
