/* What a scan means on top of the engine. */
#ifndef CLSCAN_OPS_SCAN_H
#define CLSCAN_OPS_SCAN_H

#include "engine/workspace.h"

/* Enqueue a run whose arguments were checked, on a claimed and bound workspace; `rows` are those of the run, NULL if
 * the plan has none; `in_place` is what the check has found (api/check.h). */
clscan_status clscan__scan_enqueue(clscan_workspace *workspace, cl_command_queue queue, const clscan_run_args *args,
                                   const clscan__run_rows *rows, uint32_t in_place, cl_uint wait_count,
                                   const cl_event *wait_list, cl_event *event, clscan_error *error);

#endif
