#include "selection_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "command_line/failure.h"
#include "index_type.h"
#include "scan_maps.h"

/* Does what is not kept go to a buffer of its own? */
static bool goes_apart(const selection *s)
{
    return s->rest != NULL && s->middle == NULL;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* How many elements of the file of flags `count` elements have. */
static uint64_t flags_of(bool bits, uint64_t count)
{
    return bits ? count / 8 + (count % 8 != 0) : count;
}

clscan_status selection_prepare(selection *s, clscan_error *error)
{
    clscan_status status;
    const size_t flag_bytes = s->flags != NULL ? s->flags->element_bytes : 0;
    chunk_buffers buffers = {0};
    clscan_problem problem;

    chunk_buffers_add(&buffers, s->in->element_bytes);
    chunk_buffers_add(&buffers, s->out_bytes);
    if (goes_apart(s))
        chunk_buffers_add(&buffers, s->out_bytes);
    chunk_buffers_add(&buffers, flag_bytes);
    table_columns_count_buffers(s->columns, &buffers);
    s->chunk_count = chunk_buffers_plan(&buffers, s->where, s->in->count, s->chunk_bytes);
    if (s->chunk_count > UINT32_MAX)
        s->chunk_count = UINT32_MAX; /* numbers kept are read as uint32 */
    if (s->bits)
        s->chunk_count = larger(s->chunk_count / 8, 1) * 8; /* chunks begin with a byte */
    TRY(selection_describe(s, &problem, error));
    TRY(map_failure(target_plan(s->where, &problem, &s->plan, &s->workspace, error),
                    &(plan_culprits){.load = s->unique ? "--unique" : "--where", .in = s->in->name}, error));
    s->host = malloc((size_t)s->chunk_count * buffers.widest_bytes);
    REQUIRE(s->host != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a chunk of %" PRIu64 " elements",
            s->chunk_count);
    TRY(target_buffer(s->where, s->chunk_count * s->in->element_bytes, &s->elements, error));
    /* The first element of a chunk is written there as it is, to see whether it begins a run. */
    TRY(target_buffer(s->where, larger(s->chunk_count * s->out_bytes, s->in->element_bytes), &s->kept, error));
    if (goes_apart(s))
        TRY(target_buffer(s->where, s->chunk_count * s->out_bytes, &s->not_kept, error));
    if (s->flags != NULL)
        TRY(target_buffer(s->where, s->chunk_count * flag_bytes, &s->flag_buffer, error));
    if (s->sees_before)
        TRY(target_buffer(s->where, s->in->element_bytes, &s->last, error));
    TRY(table_columns_create(s->columns, s->where, s->chunk_count, error));
    if (s->long_runs)
        TRY(selection_prepare_runs(s, &problem, error));
    TRY(target_buffer(s->where, 2 * sizeof(uint32_t), &s->number, error));

cleanup:
    return status;
}

clscan_status selection_check_counts(const selection *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const input_file *in = s->in, *flags = s->flags;

    REQUIRE(flags->count == COUNT_UNKNOWN || in->count == COUNT_UNKNOWN || flags->count == flags_of(s->bits, in->count),
            CLSCAN_ERROR_FILE, "%s has %" PRIu64 " %s, %s has %" PRIu64 " elements%s", flags->name, flags->count,
            s->bits ? "bytes of flags" : "flags", in->name, in->count, s->bits ? ", 8 to a byte" : "");

cleanup:
    return status;
}

clscan_status selection_check_indices(const selection *s, uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_type type = s->columns->index_type;

    if (s->coordinates)
        TRY(coordinates_check(type, s->in, error));
    if (!s->coordinates || s->in->dimensions == 1 || s->columns->has_indices)
        TRY(index_type_check(type, s->in, count, error));

cleanup:
    return status;
}

/* The elements of a file from `first_element` on, to the device. */
static clscan_status pass(const selection *s, input_file *file, uint64_t first_element, cl_mem buffer, uint64_t wanted,
                          uint64_t *count, clscan_error *error)
{
    clscan_status status;
    size_t read_bytes = 0;

    TRY(input_file_read(file, first_element * file->element_bytes, s->host, (size_t)(wanted * file->element_bytes),
                        &read_bytes, error));
    *count = read_bytes / file->element_bytes;
    if (*count > 0)
        TRY_CL(clEnqueueWriteBuffer,
               (s->where->queue, buffer, CL_TRUE, 0, (size_t)(*count * file->element_bytes), s->host, 0, NULL, NULL));

cleanup:
    return status;
}

clscan_status selection_store(const selection *s, result_file *out, cl_mem buffer, uint64_t from, uint64_t before,
                              uint64_t number, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t bytes = (size_t)number * s->out_bytes;

    if (number > 0)
        TRY_CL(clEnqueueReadBuffer,
               (s->where->queue, buffer, CL_TRUE, (size_t)from * s->out_bytes, bytes, s->host, 0, NULL, NULL));
    TRY(result_file_write(out, before * s->out_bytes, s->host, bytes, error));

cleanup:
    return status;
}

/* What is kept of a chunk, of which the first `count` elements are there, and the other parts. */
static clscan_status store_parts(const selection *s, uint64_t count, uint64_t kept, uint64_t middle,
                                 clscan_error *error)
{
    clscan_status status;
    const uint64_t rest_count = s->count - s->kept_count - s->middle_count, rest = count - kept - middle;

    TRY(selection_store(s, s->out, s->kept, 0, s->kept_count, kept, error));
    if (s->middle != NULL) {
        TRY(selection_store(s, s->middle, s->kept, kept, s->middle_count, middle, error));
        TRY(selection_store(s, s->rest, s->kept, kept + middle, rest_count, rest, error));
    } else if (s->rest != NULL) {
        TRY(selection_store(s, s->rest, s->not_kept, 0, rest_count, rest, error));
    }

cleanup:
    return status;
}

static clscan_status select_chunk(selection *s, uint64_t wanted, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t count = 0, flag_count = 0;
    bool begins = true;
    uint32_t numbers[2] = {0}; /* of what is kept, and of the middle */
    const size_t number_bytes = (s->middle != NULL ? 2 : 1) * sizeof numbers[0];
    clscan_memory arguments[SELECTION_ARGUMENTS];
    clscan_column columns[CLSCAN_MOST_COLUMNS];
    clscan_selection with = {
        .struct_size = sizeof with, .flags = {.buffer = s->flag_buffer}, .rest = {.buffer = s->not_kept}};
    clscan_run_args args = {.struct_size = sizeof args,
                            .in = {.buffer = s->reads_none ? NULL : s->elements},
                            .out = {.buffer = s->kept},
                            .total = {.buffer = s->number},
                            .map_arguments = arguments,
                            .map_argument_count = selection_arguments(s, arguments),
                            .selection = &with};

    TRY(pass(s, s->in, s->count, s->elements, wanted, &count, error));
    TRY(selection_check_indices(s, s->count + count, error));
    if (s->flags != NULL) {
        const uint64_t first_flags = flags_of(s->bits, s->count);

        TRY(pass(s, s->flags, first_flags, s->flag_buffer, flags_of(s->bits, count), &flag_count, error));
        REQUIRE(flag_count == flags_of(s->bits, count), CLSCAN_ERROR_FILE,
                "%s has %" PRIu64 " %s, %s has more elements%s", s->flags->name, first_flags + flag_count,
                s->bits ? "bytes of flags" : "flags", s->in->name, s->bits ? ", 8 to a byte" : "");
    }
    TRY(table_columns_load(s->columns, s->where, s->count, count, s->host, error));
    table_columns_bind(s->columns, 0, columns, &with);
    args.count = count;
    if (s->first_plan != NULL && count > 0)
        TRY(selection_begins_run(s, &args, &begins, error));
    TRY(clscan_run(s->plan, s->workspace, s->where->queue, &args, 0, NULL, NULL, error));
    TRY_CL(clEnqueueReadBuffer, (s->where->queue, s->number, CL_TRUE, 0, number_bytes, numbers, 0, NULL, NULL));
    if (s->sees_before && count > 0)
        TRY_CL(clEnqueueCopyBuffer, (s->where->queue, s->elements, s->last, (size_t)(count - 1) * s->in->element_bytes,
                                     0, s->in->element_bytes, 0, NULL, NULL));
    if (s->first_plan != NULL) {
        if (count > 0)
            TRY(selection_store_runs(s, count, numbers[0], begins, error));
    } else {
        TRY(store_parts(s, count, numbers[0], numbers[1], error));
        TRY(table_columns_store(s->columns, s->where, s->count, count, s->kept_count, numbers[0], s->host, error));
        s->kept_count += numbers[0];
        s->middle_count += numbers[1];
    }
    s->count += count;
    if (count < wanted)
        s->in->count = s->count; /* the end of a stream of unknown length */

cleanup:
    return status;
}

clscan_status selection_run(selection *s, clscan_error *error)
{
    clscan_status status;

    TRY(result_file_open(s->out, true, error));
    if (s->rest != NULL)
        TRY(result_file_open(s->rest, true, error));
    if (s->middle != NULL)
        TRY(result_file_open(s->middle, true, error));
    TRY(table_columns_open_outputs(s->columns, error));
    while (s->count < s->in->count) {
        const uint64_t left = s->in->count - s->count; /* of a stream of unknown length more than any chunk */

        TRY(select_chunk(s, left < s->chunk_count ? left : s->chunk_count, error));
    }
    TRY(input_file_expect_end(s->in, error));
    if (s->flags != NULL) {
        TRY(selection_check_counts(s, error));
        TRY(input_file_expect_end(s->flags, error));
    }
    TRY(table_columns_expect_end(s->columns, s->in->name, s->count, error));
    TRY(selection_close_run(s, error));
    TRY(result_file_commit(s->out, s->kept_count, error));
    if (s->rest != NULL)
        TRY(result_file_commit(s->rest, s->count - s->kept_count - s->middle_count, error));
    if (s->middle != NULL)
        TRY(result_file_commit(s->middle, s->middle_count, error));
    TRY(table_columns_commit(s->columns, s->kept_count, error));

cleanup:
    return status;
}

void selection_release(selection *s)
{
    const cl_mem buffers[] = {s->elements, s->flag_buffer, s->kept, s->not_kept, s->number, s->last};

    clscan_workspace_destroy(s->workspace);
    clscan_plan_destroy(s->plan);
    clscan_workspace_destroy(s->first_workspace);
    clscan_plan_destroy(s->first_plan);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    free(s->host);
    free(s->begins);
    free(s->lengths);
    free(s->source);
    output_file_discard(&s->out->file);
    if (s->rest != NULL)
        output_file_discard(&s->rest->file);
    if (s->middle != NULL)
        output_file_discard(&s->middle->file);
    table_columns_release(s->columns);
}
