/* Elements that the caller describes: vectors of OpenCL C, and types of the caller's. */
#ifndef CLSCAN_ELEMENT_DESCRIBED_H
#define CLSCAN_ELEMENT_DESCRIBED_H

#include <clscan/problem.h>

#include "element/elementwise.h"
#include "element/problem.h"
#include "element/types.h"

/* Check the element of a problem that has one, and take it into the problem: a scalar as its type, others as a pointer
 * to what the library knows of it, in `room` or the caller's own. The problem's type is that of a vector's lanes. */
clscan_status clscan__element_take(clscan_problem *problem, clscan_element *room, clscan_error *error);

/* A described element as programs take it. */
typedef struct clscan__described {
    char name[CLSCAN__ELEMENT_NAME_BYTES]; /* of a vector */
    clscan__custom_type type;
    clscan__elementwise elementwise; /* of a vector with an operator of our own */
    clscan_custom_operator op;       /* points there, or to the caller's strings */
} clscan__described;

/* From a taken problem, whose strings must outlive it, as must `described` stay where it is. The operator may be
 * missing. */
void clscan__describe(const clscan_problem *problem, clscan__described *described);

#endif
