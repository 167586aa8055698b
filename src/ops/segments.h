/* What runs with segments have besides. */
#ifndef CLSCAN_OPS_SEGMENTS_H
#define CLSCAN_OPS_SEGMENTS_H

#include "engine/workspace.h"

/* Give `run`, which stays where it is, the arguments of its plan's segments, behind those of its maps. Nothing if it
 * has none. */
void clscan__segments_set(clscan__run *run, const clscan_plan *plan, const clscan_run_args *args);

/* How many initial values a run looks at, if each segment has its own: by offsets as many as these bound, otherwise
 * those in args->initial, but no more than there can be segments. 0 where that is no buffer. */
uint64_t clscan__segments_initials(const clscan_plan *plan, const clscan_run_args *args);

/* What comes before the scan: offsets become marks, a bit for each element, and empty segments get their sums, if these
 * are wanted, as far as the scan does not see to both itself; or segments are counted. */
clscan_status clscan__segments_enqueue_before(clscan_workspace *workspace, clscan__sequence *sequence,
                                              const clscan__run *run, const clscan_run_args *args, clscan_error *error);

/* A run of no elements. Ends the sequence. */
clscan_status clscan__segments_enqueue_empty(clscan_workspace *workspace, clscan__sequence *sequence,
                                             const clscan__run *run, const clscan_run_args *args, clscan_error *error);

#endif
