/* Selections in place: their outputs go to the workspace, and then to their inputs. In `outputs`, bit k is set if
 * output k (engine/in_place.h) is where its input is. */
#ifndef CLSCAN_OPS_IN_PLACE_H
#define CLSCAN_OPS_IN_PLACE_H

#include "engine/workspace.h"

typedef struct clscan__in_place_args {
    clscan_run_args args;
    clscan_selection selection;
    clscan_column columns[CLSCAN_MOST_COLUMNS];
} clscan__in_place_args;

/* The arguments of a selection that is not in place, with the same results; they point into *made. */
void clscan__in_place_args_of(const clscan_workspace *workspace, const clscan_run_args *args, uint32_t outputs,
                              clscan__in_place_args *made);

/* Behind that selection, which is `run`. */
clscan_status clscan__in_place_enqueue(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                                       const clscan_run_args *args, const clscan__in_place_args *made, uint32_t outputs,
                                       clscan_error *error);

#endif
