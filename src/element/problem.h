/* What follows from a problem, for everything that asks about one. */
#ifndef CLSCAN_ELEMENT_PROBLEM_H
#define CLSCAN_ELEMENT_PROBLEM_H

#include <stdbool.h>

#include <clscan/problem.h>

#include "base/structs.h"

/* Is what matters to every question there: a known operation, type and operator, and a flag that is 0 or 1? */
clscan_status clscan__problem_check(const clscan_problem *problem, clscan_error *error);

/* Must its operands be grouped in the reproducible order? Not where every order gives the same bits. */
bool clscan__problem_is_ordered(const clscan_problem *problem);

#endif
