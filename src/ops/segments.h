/* What runs with segments have besides. */
#ifndef CLSCAN_OPS_SEGMENTS_H
#define CLSCAN_OPS_SEGMENTS_H

#include "engine/workspace.h"

/* Give `run`, which stays where it is, the arguments of its problem's segments, behind those of its maps. Nothing if it
 * has none. */
void clscan__segments_set(clscan__run *run, const clscan_problem *problem, const clscan_run_args *args);

/* Mark where segments begin, of offsets: a bit for each element. What is empty gets its sum, if sums are wanted. */
clscan_status clscan__segments_enqueue_marks(clscan_workspace *workspace, clscan__sequence *sequence,
                                             const clscan__run *run, const clscan_run_args *args, clscan_error *error);

/* A run of no elements. Ends the sequence. */
clscan_status clscan__segments_enqueue_empty(clscan_workspace *workspace, clscan__sequence *sequence,
                                             const clscan__run *run, const clscan_run_args *args, clscan_error *error);

#endif
