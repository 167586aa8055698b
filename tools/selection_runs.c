#include "selection_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "command_line/failure.h"
#include "index_type.h"

clscan_status selection_prepare_runs(selection *s, const clscan_problem *problem, clscan_error *error)
{
    clscan_status status;
    const uint64_t most = s->chunk_count / 2 + 1;
    clscan_select select = s->select;
    clscan_problem one = *problem;

    select.long_runs = select.column_count = select.index_bytes = select.length_bytes = 0;
    select.column_bytes = NULL;
    one.select = &select;
    one.store = NULL;
    one.output = NULL;
    one.max_count = 1;
    TRY(target_plan(s->where, &one, &s->first_plan, &s->first_workspace, error));
    s->begins = malloc((size_t)most * sizeof *s->begins);
    s->lengths = malloc((size_t)most * sizeof *s->lengths);
    REQUIRE(s->begins != NULL && s->lengths != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
            "no memory for the runs of a chunk of %" PRIu64 " elements", s->chunk_count);

cleanup:
    return status;
}

clscan_status selection_close_run(selection *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (s->open_length < 2)
        return status;
    TRY(result_file_write(s->out, s->kept_count * s->out_bytes, s->open, s->out_bytes, error));
    TRY(table_columns_put(s->columns, s->kept_count, s->open_length, error));
    ++s->kept_count;

cleanup:
    return status;
}

/* The run that begins at `at` of this chunk reaches its end. */
static clscan_status open_run(selection *s, uint64_t at, uint64_t length, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t index = s->count + at;

    s->open_length = length;
    if (s->coordinates)
        coordinates_write(&s->places, index, s->open);
    else if (s->indices)
        index_type_write(s->columns->index_type, &index, 1, 0, s->open);
    else
        TRY_CL(clEnqueueReadBuffer, (s->where->queue, s->elements, CL_TRUE, (size_t)at * s->in->element_bytes,
                                     s->in->element_bytes, s->open, 0, NULL, NULL));
    TRY(table_columns_take(s->columns, s->where, s->count, at, error));

cleanup:
    return status;
}

clscan_status selection_begins_run(const selection *s, const clscan_run_args *of_chunk, bool *begins,
                                   clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_selection with = {.struct_size = sizeof with, .flags = of_chunk->selection->flags};
    clscan_run_args args = *of_chunk;
    uint32_t number = 1;

    args.in.buffer = s->elements;
    args.count = 1;
    args.selection = &with;
    args.map_argument_count = s->load.expression != NULL ? s->load.argument_count : 0;
    if (s->count > 0) {
        TRY(clscan_run(s->first_plan, s->first_workspace, s->where->queue, &args, 0, NULL, NULL, error));
        TRY_CL(clEnqueueReadBuffer, (s->where->queue, s->number, CL_TRUE, 0, sizeof number, &number, 0, NULL, NULL));
    }
    *begins = number != 0;

cleanup:
    return status;
}

clscan_status selection_store_runs(selection *s, uint64_t count, uint64_t number, bool begins, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t bytes = (size_t)number * sizeof *s->begins;
    const table_columns *columns = s->columns;
    uint64_t from = 0, to = number, first_length = 1, last = count - 1;

    if (number > 0) {
        TRY_CL(clEnqueueReadBuffer,
               (s->where->queue, columns->kept_indices, CL_TRUE, 0, bytes, s->begins, 0, NULL, NULL));
        TRY_CL(clEnqueueReadBuffer,
               (s->where->queue, columns->kept_lengths, CL_TRUE, 0, bytes, s->lengths, 0, NULL, NULL));
        if (s->begins[0] == 0)
            first_length = s->lengths[0];
        if (s->begins[number - 1] + s->lengths[number - 1] == count)
            last = s->begins[--to];
    }
    if (!begins) {
        s->open_length += first_length;
        if (first_length == count)
            return status;
        from = first_length > 1;
    }
    TRY(selection_close_run(s, error));
    TRY(selection_store(s, s->out, s->kept, from, s->kept_count, to - from, error));
    TRY(table_columns_store_rows(s->columns, s->where, s->count, from, s->kept_count, to - from, s->host, error));
    TRY(table_columns_put_lengths(s->columns, s->kept_count, s->lengths + from, to - from, error));
    s->kept_count += to - from;
    TRY(open_run(s, last, count - last, error));

cleanup:
    return status;
}
