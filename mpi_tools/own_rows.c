#include "own_rows.h"

#include "command_line/failure.h"

clscan_status own_rows_create(own_rows *rows, const target *where, const clscan_problem *problem, uint64_t most_rows,
                              const void *initial, clscan_error *error)
{
    clscan_status status;
    const clscan_rows most = {.struct_size = sizeof most, .count = most_rows};
    const clscan_plan_options options = {.struct_size = sizeof options, .config = where->config};
    clscan_problem of_rows = *problem;

    of_rows.rows = &most;
    rows->where = where;
    rows->row_count = problem->max_count;
    rows->initial = initial;
    TRY(clscan_plan_create(where->context, where->device, &of_rows, &options, &rows->plan, error));
    TRY(clscan_workspace_create(rows->plan, &rows->workspace, error));
    TRY(clscan_workspace_bind(rows->workspace, where->queue, NULL, error));

cleanup:
    return status;
}

clscan_status own_rows_run(const own_rows *rows, const slot *s, clscan_error *error)
{
    const clscan_rows there = {.struct_size = sizeof there, .count = s->count / rows->row_count};
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = s->in,
                                  .out.buffer = s->out,
                                  .count = rows->row_count,
                                  .rows = &there,
                                  .initial = {.kind = CLSCAN_MEMORY_HOST, .pointer = rows->initial}};

    return clscan_run(rows->plan, rows->workspace, rows->where->queue, &args, 0, NULL, NULL, error);
}

void own_rows_release(own_rows *rows)
{
    clscan_workspace_destroy(rows->workspace);
    clscan_plan_destroy(rows->plan);
    *rows = (own_rows){.plan = NULL};
}
