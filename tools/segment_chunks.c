#include "segment_chunks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "result_file.h"
#include "segment_heads.h"

#define WRITTEN_BYTES (1u << 20) /* at once */

/* A file of results, which come one after another. */
typedef struct results {
    result_file file;
    size_t unit_bytes;
    unsigned char *bytes; /* NULL: the file is not wanted */
    size_t used_bytes;
    uint64_t written_bytes;
} results;

/* One reduction. Zeroed before the first use. */
typedef struct reduction {
    segment_sums *job;
    segment_heads heads;
    clscan_plan *plan, *segment_plan; /* for parts of a segment, for whole ones */
    clscan_workspace *workspace, *segment_workspace;
    cl_mem elements, flags, sums;
    cl_mem values[2]; /* of a segment that goes on, before a part of it and behind it, by turns */
    unsigned latest;  /* the one behind it */
    unsigned char *host_elements, *host_flags, *host_sums;
    bool is_open; /* a segment began at `open_at`, and may go on */
    uint64_t open_at;
    uint64_t next_offset;                           /* by offsets: the next segment that has no sum yet */
    unsigned char empty[CLSCAN_MOST_ELEMENT_BYTES]; /* by offsets: the sum of an empty segment */
    results sums_file, keys_file, offsets_file;
} reduction;

static clscan_status open_results(results *r, const char *name, clscan_type type, const char *descr, size_t unit_bytes,
                                  clscan_error *error)
{
    if (name == NULL)
        return CLSCAN_OK;
    r->unit_bytes = unit_bytes;
    r->file = (result_file){.name = name,
                            .is_npy = is_npy_name(name),
                            .type = type,
                            .descr = descr,
                            .dimensions = 1,
                            .shape = {COUNT_UNKNOWN},
                            .file = OUTPUT_FILE_CLOSED};
    r->bytes = malloc(WRITTEN_BYTES);
    if (r->bytes == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory to write %s", name);
    return result_file_open(&r->file, true, error);
}

static clscan_status flush(results *r, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (r->used_bytes > 0)
        TRY(result_file_write(&r->file, r->written_bytes, r->bytes, r->used_bytes, error));
    r->written_bytes += r->used_bytes;
    r->used_bytes = 0;

cleanup:
    return status;
}

static clscan_status put(results *r, const void *value, size_t bytes, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (r->bytes == NULL)
        return status;
    if (r->used_bytes + bytes > WRITTEN_BYTES)
        TRY(flush(r, error));
    memcpy(r->bytes + r->used_bytes, value, bytes);
    r->used_bytes += bytes;

cleanup:
    return status;
}

static clscan_status commit_results(results *r, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (r->bytes == NULL)
        return status;
    TRY(flush(r, error));
    TRY(result_file_commit(&r->file, r->written_bytes / r->unit_bytes, error));

cleanup:
    return status;
}

static void release_results(results *r)
{
    if (r->bytes != NULL)
        output_file_discard(&r->file.file);
    free(r->bytes);
}

static size_t sum_bytes(const reduction *r)
{
    return input_file_sum_bytes(r->job->in, r->job->maps->out);
}

static bool by_offsets(const reduction *r)
{
    return r->job->segments->segments.by == CLSCAN_BY_OFFSETS;
}

/* Sums of the empty segments in front of the one that begins at `position`. */
static clscan_status put_empty(reduction *r, uint64_t position, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t *bounds = r->heads.bounds;

    for (; r->next_offset + 1 < r->heads.bound_count; ++r->next_offset) {
        const uint64_t begin = bounds[r->next_offset], end = bounds[r->next_offset + 1];

        if (begin < r->heads.count && end != begin && begin >= position)
            break;
        TRY(put(&r->sums_file, r->empty, sum_bytes(r), error));
    }

cleanup:
    return status;
}

/* The sum of the next segment, which begins at `position`. By offsets it may be one that none of them bound. */
static clscan_status put_sum(reduction *r, uint64_t position, const void *value, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (by_offsets(r)) {
        TRY(put_empty(r, position, error));
        if (r->next_offset + 1 >= r->heads.bound_count || r->heads.bounds[r->next_offset] != position)
            return status;
        ++r->next_offset;
    } else {
        ++r->job->number;
    }
    TRY(put(&r->sums_file, value, sum_bytes(r), error));

cleanup:
    return status;
}

/* That of a segment that went on, and has ended. */
static clscan_status close_segment(reduction *r, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    unsigned char value[CLSCAN_MOST_ELEMENT_BYTES];

    TRY_CL(clEnqueueReadBuffer,
           (r->job->where->queue, r->values[r->latest], CL_TRUE, 0, sum_bytes(r), value, 0, NULL, NULL));
    TRY(put_sum(r, r->open_at, value, error));
    r->is_open = false;

cleanup:
    return status;
}

/* Keys and offsets of the segments that begin in a chunk. */
static clscan_status put_heads(reduction *r, uint64_t begin, uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t unit_bytes = r->job->segments->in.element_bytes,
                 index_bytes = clscan_type_size_bytes(r->offsets_file.file.type);

    if (r->keys_file.bytes == NULL && r->offsets_file.bytes == NULL)
        return status;
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t wide = begin + i;
        const uint32_t narrow = (uint32_t)wide;

        if (r->host_flags[i] == 0)
            continue;
        if (r->keys_file.bytes != NULL)
            TRY(put(&r->keys_file, segment_heads_key(&r->heads, i), unit_bytes, error));
        TRY(put(&r->offsets_file, index_bytes == sizeof wide ? (const void *)&wide : &narrow, index_bytes, error));
    }

cleanup:
    return status;
}

static clscan_run_args args_of(const reduction *r, const piece *p, const uint64_t *index, clscan_memory *arguments)
{
    return (clscan_run_args){.struct_size = sizeof(clscan_run_args),
                             .in = {.buffer = r->elements, .offset = p->offset},
                             .count = p->count,
                             .initial = {CLSCAN_MEMORY_HOST, .pointer = r->job->initial},
                             .map_arguments = arguments,
                             .map_argument_count = scan_maps_arguments(r->job->maps, index, arguments)};
}

/* A part of one segment, onto what it has so far. */
static clscan_status reduce_part(reduction *r, const piece *p, clscan_error *error)
{
    clscan_status status;
    clscan_memory arguments[SCAN_MAPS_ARGUMENTS];
    clscan_run_args args = args_of(r, p, &p->in_row, arguments);

    if (p->begins_row) {
        r->is_open = true;
        r->open_at = p->in_row;
    } else {
        args.initial = (clscan_memory){.buffer = r->values[r->latest]};
    }
    r->latest = 1 - r->latest;
    args.total.buffer = r->values[r->latest];
    TRY(clscan_run(r->plan, r->workspace, r->job->where->queue, &args, 0, NULL, NULL, error));
    if (p->ends_row)
        TRY(close_segment(r, error));

cleanup:
    return status;
}

/* Learn what the sum of an empty segment is. */
static clscan_status reduce_none(reduction *r, clscan_error *error)
{
    clscan_status status;
    static const piece none = {.begins_row = true};
    clscan_memory arguments[SCAN_MAPS_ARGUMENTS];
    clscan_run_args args = args_of(r, &none, &none.in_row, arguments);

    args.total.buffer = r->values[0];
    TRY(clscan_run(r->plan, r->workspace, r->job->where->queue, &args, 0, NULL, NULL, error));
    TRY_CL(clEnqueueReadBuffer,
           (r->job->where->queue, r->values[0], CL_TRUE, 0, sum_bytes(r), r->empty, 0, NULL, NULL));

cleanup:
    return status;
}

static clscan_status reduce_whole(reduction *r, const piece *p, clscan_error *error)
{
    clscan_status status;
    clscan_memory arguments[SCAN_MAPS_ARGUMENTS];
    const clscan_segment_sums sums = {.struct_size = sizeof sums, .sums.buffer = r->sums};
    clscan_run_args args = args_of(r, p, &p->in_row, arguments);
    uint64_t number = 0;

    args.segments = (clscan_memory){.buffer = r->flags, .offset = p->offset};
    args.segment_sums = &sums;
    for (uint64_t i = 0; i < p->count; ++i)
        number += r->host_flags[p->offset + i] != 0;
    TRY(clscan_run(r->segment_plan, r->segment_workspace, r->job->where->queue, &args, 0, NULL, NULL, error));
    TRY_CL(clEnqueueReadBuffer,
           (r->job->where->queue, r->sums, CL_TRUE, 0, (size_t)number * sum_bytes(r), r->host_sums, 0, NULL, NULL));
    for (uint64_t i = 0, next = 0; i < p->count; ++i)
        if (r->host_flags[p->offset + i] != 0)
            TRY(put_sum(r, p->in_row + i, r->host_sums + next++ * sum_bytes(r), error));

cleanup:
    return status;
}

static clscan_status reduce_chunk(reduction *r, uint64_t begin, uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    input_file *in = r->job->in;
    const cl_command_queue queue = r->job->where->queue;
    const row_layout rows = {.count = in->count, .row_count = in->count};
    segment_piece pieces[SEGMENT_PIECES];
    size_t read_bytes = 0;
    unsigned piece_count;

    TRY(input_file_read(in, begin * in->element_bytes, r->host_elements, (size_t)count * in->element_bytes, &read_bytes,
                        error));
    TRY(segment_heads_read(&r->heads, begin, count, r->host_flags, error));
    TRY_CL(clEnqueueWriteBuffer, (queue, r->elements, CL_TRUE, 0, read_bytes, r->host_elements, 0, NULL, NULL));
    TRY_CL(clEnqueueWriteBuffer, (queue, r->flags, CL_TRUE, 0, (size_t)count, r->host_flags, 0, NULL, NULL));
    TRY(put_heads(r, begin, count, error));
    if (r->is_open && r->host_flags[0] != 0)
        TRY(close_segment(r, error));
    piece_count = segment_pieces(&rows, begin, begin + count, r->host_flags, false, pieces);
    for (unsigned i = 0; i < piece_count; ++i)
        TRY(pieces[i].whole ? reduce_whole(r, &pieces[i].part, error) : reduce_part(r, &pieces[i].part, error));

cleanup:
    return status;
}

static clscan_status prepare_memory(reduction *r, uint64_t chunk_count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t count = (size_t)chunk_count, element_bytes = r->job->in->element_bytes;
    const struct {
        cl_mem *buffer;
        size_t bytes;
    } all[] = {{&r->elements, count * element_bytes},
               {&r->flags, count},
               {&r->sums, count * sum_bytes(r)},
               {&r->values[0], CLSCAN_MOST_ELEMENT_BYTES},
               {&r->values[1], CLSCAN_MOST_ELEMENT_BYTES}};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        TRY(target_buffer(r->job->where, all[i].bytes, all[i].buffer, error));
    r->host_elements = malloc(count * element_bytes);
    r->host_flags = malloc(count);
    r->host_sums = malloc(count * sum_bytes(r));
    REQUIRE(r->host_elements != NULL && r->host_flags != NULL && r->host_sums != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
            "no memory for a chunk of %" PRIu64 " elements", chunk_count);

cleanup:
    return status;
}

static clscan_status prepare_plans(reduction *r, uint64_t chunk_count, clscan_error *error)
{
    static const clscan_segments by_bytes = {
        .struct_size = sizeof by_bytes, .by = CLSCAN_BY_FLAGS, .type = CLSCAN_UINT8};
    clscan_status status;
    clscan_problem problem = {.struct_size = sizeof problem,
                              .operation = CLSCAN_REDUCE,
                              .type = r->job->in->type,
                              .op = r->job->op,
                              .max_count = chunk_count};

    if (r->job->in->record != NULL)
        record_ask(r->job->in->record, &problem);
    TRY(scan_maps_prepare(r->job->maps, &problem, error));
    TRY(map_failure(target_plan(r->job->where, &problem, &r->plan, &r->workspace, error), &(plan_culprits){0}, error));
    problem.segments = &by_bytes;
    TRY(target_plan(r->job->where, &problem, &r->segment_plan, &r->segment_workspace, error));

cleanup:
    return status;
}

static void release(reduction *r)
{
    cl_mem const buffers[] = {r->elements, r->flags, r->sums, r->values[0], r->values[1]};

    clscan_workspace_destroy(r->workspace);
    clscan_workspace_destroy(r->segment_workspace);
    clscan_plan_destroy(r->plan);
    clscan_plan_destroy(r->segment_plan);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    free(r->host_elements);
    free(r->host_flags);
    free(r->host_sums);
    release_results(&r->sums_file);
    release_results(&r->keys_file);
    release_results(&r->offsets_file);
    segment_heads_release(&r->heads);
}

/* What follows the last element. */
static clscan_status finish(reduction *r, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t wide = r->job->in->count;
    const uint32_t narrow = (uint32_t)wide;
    const size_t index_bytes = clscan_type_size_bytes(r->offsets_file.file.type);

    if (r->is_open)
        TRY(close_segment(r, error));
    if (by_offsets(r)) {
        TRY(put_empty(r, UINT64_MAX, error));
        r->job->number = r->heads.bound_count > 0 ? r->heads.bound_count - 1 : 0;
    }
    TRY(put(&r->offsets_file, index_bytes == sizeof wide ? (const void *)&wide : &narrow, index_bytes, error));
    TRY(commit_results(&r->sums_file, error));
    TRY(commit_results(&r->keys_file, error));
    TRY(commit_results(&r->offsets_file, error));

cleanup:
    return status;
}

clscan_status segment_chunks_run(segment_sums *job, uint64_t chunk_count, clscan_error *error)
{
    clscan_status status;
    const uint64_t count = job->in->count;
    const clscan_type index_type = count > UINT32_MAX ? CLSCAN_UINT64 : CLSCAN_UINT32;
    reduction r = {.job = job, .heads = {.file = job->segments, .count = count}};

    TRY(segment_heads_prepare(&r.heads, chunk_count, error));
    TRY(prepare_memory(&r, chunk_count, error));
    TRY(prepare_plans(&r, chunk_count, error));
    if (by_offsets(&r))
        TRY(reduce_none(&r, error));
    TRY(open_results(&r.sums_file, job->sums, clscan_type_accumulator(job->maps->out), input_file_record_descr(job->in),
                     sum_bytes(&r), error));
    TRY(open_results(&r.keys_file, job->keys, job->segments->in.type, segment_file_key_descr(job->segments),
                     job->segments->in.element_bytes, error));
    TRY(open_results(&r.offsets_file, job->offsets, index_type, NULL, clscan_type_size_bytes(index_type), error));
    for (uint64_t begin = 0; begin < count; begin += chunk_count)
        TRY(reduce_chunk(&r, begin, count - begin < chunk_count ? count - begin : chunk_count, error));
    TRY(input_file_expect_end(job->in, error));
    TRY(finish(&r, error));

cleanup:
    release(&r);
    return status;
}
