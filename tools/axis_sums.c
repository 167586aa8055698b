#include "axis_sums.h"

#include <inttypes.h>
#include <stdlib.h>

#include "chunk_buffers.h"
#include "command_line/failure.h"
#include "reference/reference.h"
#include "result_file.h"

/* The array as blocks of rows that lie side by side: a row has `along` elements, a block `beside` rows. */
typedef struct layout {
    uint64_t blocks, along, beside;
    uint64_t chunk_blocks; /* that pass through the device at once, at least 1 */
} layout;

typedef struct buffers {
    cl_mem elements, sums;
    void *in, *out; /* of a chunk, on the host */
} buffers;

static size_t sum_bytes(const axis_sums *job)
{
    return input_file_sum_bytes(job->in, job->maps->out);
}

static clscan_status lay_out(const axis_sums *job, layout *l, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const input_file *in = job->in;
    const size_t element_bytes = in->element_bytes > sum_bytes(job) ? in->element_bytes : sum_bytes(job);
    const chunk_limits limits = chunk_limits_alone(job->where, element_bytes, in->count, job->chunk_bytes);
    const uint64_t most = chunks_plan(&limits).chunk_count;
    uint64_t block;

    *l = (layout){.blocks = 1, .along = 1, .beside = 1};
    for (unsigned d = 0; d < in->dimensions; ++d)
        *(d < job->axis ? &l->blocks : d > job->axis ? &l->beside : &l->along) *= in->shape[d];
    block = l->along * l->beside;
    if (in->count == 0) {
        l->chunk_blocks = l->blocks; /* of no elements any number fits */
        return status;
    }
    REQUIRE(block <= most, CLSCAN_ERROR_INVALID_VALUE,
            "chunks of %" PRIu64 " elements are too small for %" PRIu64
            " that belong together along the axis; try a larger --chunk-bytes",
            most, block);
    l->chunk_blocks = most / block;
    if (l->chunk_blocks > l->blocks)
        l->chunk_blocks = l->blocks;

cleanup:
    return status;
}

/* Rows of so many blocks. What has no elements has no strides to tell. */
static clscan_rows rows_of(const layout *l, uint64_t blocks)
{
    if (l->beside == 1 || l->along == 0)
        return (clscan_rows){.struct_size = sizeof(clscan_rows), .count = blocks * l->beside};
    return (clscan_rows){
        .struct_size = sizeof(clscan_rows), .dimensions = 3, .axis = 1, .extents = {blocks, l->along, l->beside}};
}

static clscan_status create(const axis_sums *job, const layout *l, buffers *b, clscan_plan **plan,
                            clscan_workspace **workspace, clscan_error *error)
{
    clscan_status status;
    const clscan_rows rows = rows_of(l, l->chunk_blocks);
    const uint64_t in_bytes = l->chunk_blocks * l->beside * l->along * job->in->element_bytes;
    const uint64_t out_bytes = l->chunk_blocks * l->beside * sum_bytes(job);
    clscan_problem problem = {.struct_size = sizeof problem,
                              .operation = CLSCAN_REDUCE,
                              .type = job->in->type,
                              .op = job->op,
                              .reproducible = job->reproducible,
                              .max_count = l->along > 0 ? l->along : 1,
                              .rows = &rows};

    if (job->in->record != NULL)
        record_ask(job->in->record, &problem);
    TRY(scan_maps_prepare(job->maps, &problem, error));
    TRY(map_failure(target_plan(job->where, &problem, plan, workspace, error), &(plan_culprits){0}, error));
    b->in = malloc((size_t)in_bytes + 1);
    b->out = malloc((size_t)out_bytes + 1);
    REQUIRE(b->in != NULL && b->out != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
            "%s: no memory for %" PRIu64 " bytes of elements and %" PRIu64 " of the sums of their rows", job->in->name,
            in_bytes, out_bytes);
    TRY(target_buffer(job->where, in_bytes + 1, &b->elements, error));
    TRY(target_buffer(job->where, out_bytes, &b->sums, error));

cleanup:
    return status;
}

/* The values of blocks from `first` on. */
static clscan_status run_chunk(const axis_sums *job, const layout *l, const buffers *b, const clscan_plan *plan,
                               clscan_workspace *workspace, uint64_t first, uint64_t blocks, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t begin = 0; /* each row counts from its own */
    const size_t block_bytes = (size_t)(l->along * l->beside) * job->in->element_bytes;
    clscan_rows rows = rows_of(l, blocks);
    clscan_memory arguments[SCAN_MAPS_ARGUMENTS];
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = b->elements,
                                  .total.buffer = b->sums,
                                  .count = l->along,
                                  .rows = &rows,
                                  .initial = initials_file_memory(job->initials, first * l->beside, job->initial),
                                  .map_arguments = arguments,
                                  .map_argument_count = scan_maps_arguments(job->maps, &begin, arguments)};
    size_t read_bytes;

    rows.initial_pitch = job->initials != NULL ? 1 : 0;
    TRY(input_file_read(job->in, first * block_bytes, b->in, (size_t)blocks * block_bytes, &read_bytes, error));
    if (read_bytes > 0)
        TRY_CL(clEnqueueWriteBuffer, (job->where->queue, b->elements, CL_TRUE, 0, read_bytes, b->in, 0, NULL, NULL));
    TRY(clscan_run(plan, workspace, job->where->queue, &args, 0, NULL, NULL, error));
    TRY_CL(clEnqueueReadBuffer, (job->where->queue, b->sums, CL_TRUE, 0, (size_t)(blocks * l->beside) * sum_bytes(job),
                                 b->out, 0, NULL, NULL));

cleanup:
    return status;
}

/* The array's shape without the axis. */
static result_file result_of(const axis_sums *job)
{
    result_file out = {.name = job->sums,
                       .is_npy = is_npy_name(job->sums),
                       .type = clscan_type_accumulator(job->maps->out),
                       .descr = input_file_record_descr(job->in),
                       .fortran = job->in->fortran,
                       .file = OUTPUT_FILE_CLOSED};

    out.dimensions = input_file_rows_shape(job->in, job->axis, out.shape);
    return out;
}

clscan_status axis_sums_run(axis_sums *job, clscan_error *error)
{
    clscan_status status;
    result_file out = result_of(job);
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    buffers b = {.elements = NULL};
    layout l;

    TRY(lay_out(job, &l, error));
    job->number = l.blocks * l.beside;
    if (job->initials != NULL)
        TRY(initials_file_load(job->initials, job->where, error));
    if (job->number > 0)
        TRY(create(job, &l, &b, &plan, &workspace, error));
    TRY(result_file_open(&out, true, error));
    for (uint64_t first = 0; job->number > 0 && first < l.blocks; first += l.chunk_blocks) {
        const uint64_t left = l.blocks - first, blocks = left < l.chunk_blocks ? left : l.chunk_blocks;

        TRY(run_chunk(job, &l, &b, plan, workspace, first, blocks, error));
        TRY(result_file_write(&out, first * l.beside * sum_bytes(job), b.out,
                              (size_t)(blocks * l.beside) * sum_bytes(job), error));
    }
    TRY(input_file_expect_end(job->in, error));
    TRY(result_file_commit(&out, job->number, error));

cleanup:
    output_file_discard(&out.file);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    if (b.elements != NULL)
        clReleaseMemObject(b.elements);
    if (b.sums != NULL)
        clReleaseMemObject(b.sums);
    free(b.in);
    free(b.out);
    return status;
}
