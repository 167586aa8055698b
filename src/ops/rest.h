/* The rest of a selection: the launches that say where it begins. */
#ifndef CLSCAN_OPS_REST_H
#define CLSCAN_OPS_REST_H

#include "engine/workspace.h"

/* What kernels need to know of it, of a run whose flags and initial value are set. */
void clscan__rest_set(clscan__run *run, const clscan_problem *problem, const clscan_run_args *args);

/* In front of the selection itself. Nothing where the place is known. */
clscan_status clscan__rest_enqueue(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                                   clscan_error *error);

#endif
