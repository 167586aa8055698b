/* What of a problem must be right before anything is chosen or checked for it. */
#ifndef CLSCAN_CONFIG_CHECK_PROBLEM_H
#define CLSCAN_CONFIG_CHECK_PROBLEM_H

#include <clscan/plan.h>

/* Its size, its type and its operator. */
clscan_status clscan__check_kind_of_problem(const clscan_problem *problem, clscan_error *error);

#endif
