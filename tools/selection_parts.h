/* What the files of a selection have of each other. */
#ifndef CLSCAN_TOOLS_SELECTION_PARTS_H
#define CLSCAN_TOOLS_SELECTION_PARTS_H

#include "selection.h"

/* Say what is kept, and what is written of it. The problem points into the selection. */
clscan_status selection_describe(selection *s, clscan_problem *problem, clscan_error *error);

/* What the maps are given for a chunk, those of the load map first. `arguments` are valid as long as the selection is.
 * Returns how many. */
#define SELECTION_ARGUMENTS 4
uint64_t selection_arguments(const selection *s, clscan_memory arguments[SELECTION_ARGUMENTS]);

/* Write `number` elements that are on the device, `from` on, behind the first `before` of the file. */
clscan_status selection_store(const selection *s, result_file *out, cl_mem buffer, uint64_t from, uint64_t before,
                              uint64_t number, clscan_error *error);

/* What a plan needs that tells whether the first element of a chunk begins a run. */
clscan_status selection_prepare_runs(selection *s, const clscan_problem *problem, clscan_error *error);

/* Does the first element of the chunk begin a run? */
clscan_status selection_begins_run(const selection *s, const clscan_run_args *of_chunk, bool *begins,
                                   clscan_error *error);

/* Write what is kept of a chunk of `count` elements, of whose runs `number` are long if it stands alone. Its first run
 * may go on from the chunk before, and its last one into the next. */
clscan_status selection_store_runs(selection *s, uint64_t count, uint64_t number, bool begins, clscan_error *error);

/* Write the run that was open, if it is long. */
clscan_status selection_close_run(selection *s, clscan_error *error);

#endif
