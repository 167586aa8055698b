/* Operation repeat: a scan of lengths to places in the workspace, and a kernel that fills the outputs between them. */
#ifndef CLSCAN_OPS_REPETITION_H
#define CLSCAN_OPS_REPETITION_H

#include "engine/workspace.h"

/* What `args` of a run become for its scan: lengths in, places out. */
typedef struct clscan__repetition_args {
    clscan_run_args args;
    clscan_memory next; /* a map's argument */
} clscan__repetition_args;

/* Of a plan that repeats; `made` stays where it is while the run is prepared. */
void clscan__repetition_scan_args(const clscan_workspace *workspace, const clscan_run_args *args,
                                  clscan__repetition_args *made);

/* Fill the outputs, behind the scan. Ends the sequence. */
clscan_status clscan__repetition_enqueue(clscan_workspace *workspace, clscan__sequence *sequence,
                                         const clscan__run *scan, const clscan_run_args *args, clscan_error *error);

#endif
