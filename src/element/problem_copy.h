/* A problem that outlives what the caller said it with. */
#ifndef CLSCAN_ELEMENT_PROBLEM_COPY_H
#define CLSCAN_ELEMENT_PROBLEM_COPY_H

#include "element/problem.h"

#define CLSCAN__MOST_PROBLEM_TEXTS 40

typedef struct clscan__problem_copy {
    clscan__problem_room room;
    char *texts[CLSCAN__MOST_PROBLEM_TEXTS];
    size_t text_count;
} clscan__problem_copy;

/* Copy a taken problem, with all that it points to: `copy`, which is zeroed and stays where it is, holds it in
 * room.problem. Free it, also after a failure. */
clscan_status clscan__problem_copy_make(const clscan_problem *problem, clscan__problem_copy *copy, clscan_error *error);
void clscan__problem_copy_free(clscan__problem_copy *copy);

#endif
