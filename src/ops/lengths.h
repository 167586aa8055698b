/* Lengths of a selection: the launches that complete them. */
#ifndef CLSCAN_OPS_LENGTHS_H
#define CLSCAN_OPS_LENGTHS_H

#include "engine/workspace.h"

/* Where a selection leaves by what they are completed, in words of 8 bytes. */
clscan_memory clscan__lengths_marks(const clscan__run *run);

/* Behind the selection itself. */
clscan_status clscan__lengths_enqueue(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                                      const clscan_run_args *args, clscan_error *error);

#endif
