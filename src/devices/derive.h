/* The problems behind a scan in parts, on several devices or ranks: the sum of a part, and the sums of sums. */
#ifndef CLSCAN_DEVICES_DERIVE_H
#define CLSCAN_DEVICES_DERIVE_H

#include "element/problem.h"

/* Refuse, with the reason, what is not done in parts. All here take a taken problem (element/problem.h). */
clscan_status clscan__check_shared_problem(const clscan_problem *problem, clscan_error *error);

/* The value of a part that the parts behind it are to know. */
clscan_problem clscan__sum_problem(const clscan_problem *problem);

/* A problem that is no longer there than what it was made of; `source` is its own. */
typedef struct clscan__sums_problem {
    clscan_problem problem;
    clscan_element element;
    clscan_custom_operator custom;
    char *source;
} clscan__sums_problem;

/* The scan of up to `most` such values. Free it, also after a failure; `made` is zeroed, and stays where it is. */
clscan_status clscan__sums_problem_make(const clscan_problem *problem, uint64_t most, clscan__sums_problem *made,
                                        clscan_error *error);
void clscan__sums_problem_free(clscan__sums_problem *made);

#endif
