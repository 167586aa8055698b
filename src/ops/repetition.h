/* Operation repeat: sums of blocks of lengths, a scan of these to places in the workspace, and a kernel that fills the
 * outputs. */
#ifndef CLSCAN_OPS_REPETITION_H
#define CLSCAN_OPS_REPETITION_H

#include "engine/workspace.h"

/* What `args` of a run become for its scan: sums of blocks in, places of blocks out. */
clscan_run_args clscan__repetition_scan_args(const clscan_workspace *workspace, const clscan_run_args *args);

/* Sum up the lengths of blocks, before the scan. */
clscan_status clscan__repetition_sum(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *scan,
                                     const clscan_run_args *args, clscan_error *error);

/* Fill the outputs, behind the scan. Ends the sequence. */
clscan_status clscan__repetition_fill(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *scan,
                                      const clscan_run_args *args, clscan_error *error);

#endif
