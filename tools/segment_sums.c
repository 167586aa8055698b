#include "segment_sums.h"

#include <inttypes.h>

#include "chunk_buffers.h"
#include "command_line/failure.h"
#include "result_file.h"
#include "scan_sums.h"
#include "segment_chunks.h"

typedef struct buffers {
    cl_mem elements, sums, keys, offsets, number;
} buffers;

/* `count` results as a file, if one is wanted: of a type, or of records that `descr` describes. */
static clscan_status write_file(const segment_sums *job, const char *name, clscan_type type, const char *descr,
                                size_t unit_bytes, cl_mem from, uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    result_file out = {.name = name,
                       .is_npy = is_npy_name(name),
                       .type = type,
                       .descr = descr,
                       .dimensions = 1,
                       .shape = {count},
                       .file = OUTPUT_FILE_CLOSED};

    TRY(result_file_open(&out, true, error));
    TRY(result_file_download(&out, job->where, from, count * unit_bytes, error));
    TRY(result_file_commit(&out, count, error));

cleanup:
    output_file_discard(&out.file);
    return status;
}

static size_t sum_bytes(const segment_sums *job)
{
    return input_file_sum_bytes(job->in, job->maps->out);
}

static bool by_offsets(const segment_sums *job)
{
    return job->segments->segments.by == CLSCAN_BY_OFFSETS;
}

/* What no run can have more of. */
static uint64_t most_segments(const segment_sums *job)
{
    return by_offsets(job) ? segment_file_bounded(job->segments) : job->in->count;
}

static clscan_status reduce(segment_sums *job, const buffers *b, size_t index_bytes, clscan_error *error)
{
    clscan_status status;
    const uint64_t begin = 0;
    clscan_problem problem = {.struct_size = sizeof problem,
                              .operation = CLSCAN_REDUCE,
                              .type = job->in->type,
                              .op = job->op,
                              .max_count = job->in->count > 0 ? job->in->count : 1,
                              .segments = &job->segments->segments};
    const clscan_segment_sums sums = {.struct_size = sizeof sums,
                                      .sums.buffer = b->sums,
                                      .keys.buffer = b->keys,
                                      .offsets.buffer = b->offsets,
                                      .number.buffer = b->number};
    clscan_memory arguments[SCAN_MAPS_ARGUMENTS];
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = b->elements,
                                  .count = job->in->count,
                                  .initial = initials_file_memory(job->initials, 0, job->initial),
                                  .map_arguments = arguments,
                                  .map_argument_count = scan_maps_arguments(job->maps, &begin, arguments),
                                  .segments.buffer = job->segments->buffer,
                                  .offset_count = job->segments->offset_count,
                                  .segment_sums = &sums};
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;

    if (job->in->record != NULL)
        record_ask(job->in->record, &problem);
    TRY(scan_maps_prepare(job->maps, &problem, error));
    TRY(map_failure(target_plan(job->where, &problem, &plan, &workspace, error),
                    &(plan_culprits){.keys = job->segments->in.name}, error));
    TRY(clscan_run(plan, workspace, job->where->queue, &args, 0, NULL, NULL, error));
    job->number = by_offsets(job) ? most_segments(job) : 0;
    if (b->number != NULL) {
        uint32_t narrow = 0;

        TRY_CL(clEnqueueReadBuffer, (job->where->queue, b->number, CL_TRUE, 0, index_bytes,
                                     index_bytes == sizeof narrow ? (void *)&narrow : &job->number, 0, NULL, NULL));
        if (index_bytes == sizeof narrow)
            job->number = narrow;
    }
    if (job->initials != NULL)
        TRY(initials_file_check_segments(job->initials, job->in, job->number, error));

cleanup:
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    return status;
}

/* As many elements as the user and the device want at once; at least one. */
static uint64_t choose_chunk(const segment_sums *job)
{
    const chunk_limits limits = chunk_limits_alone(job->where, job->in->element_bytes, job->in->count,
                                                   job->chunk_bytes > 0 ? job->chunk_bytes : UINT64_MAX);

    return chunks_plan(&limits).chunk_count;
}

static clscan_status run_in_chunks(segment_sums *job, uint64_t chunk_count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(!job->segments->has_equal, CLSCAN_ERROR_INVALID_VALUE,
            "%s has %" PRIu64 " elements, a chunk at most %" PRIu64 ", and --equal compares keys of one chunk; %s",
            job->in->name, job->in->count, chunk_count,
            job->chunk_bytes > 0 ? "try a larger --chunk-bytes" : "the device has too little memory");
    REQUIRE(job->initials == NULL, CLSCAN_ERROR_INVALID_VALUE,
            "%s has %" PRIu64 " elements, a chunk at most %" PRIu64
            ", and --initials of segments are those of one chunk; %s",
            job->in->name, job->in->count, chunk_count,
            job->chunk_bytes > 0 ? "try a larger --chunk-bytes" : "the device has too little memory");
    TRY(segment_chunks_run(job, chunk_count, error));

cleanup:
    return status;
}

clscan_status segment_sums_run(segment_sums *job, clscan_error *error)
{
    clscan_status status;
    uint64_t chunk_count;
    const bool is_wide = job->in->count > UINT32_MAX;
    const clscan_type index_type = is_wide ? CLSCAN_UINT64 : CLSCAN_UINT32;
    const size_t index_bytes = clscan_type_size_bytes(index_type);
    buffers b = {.elements = NULL};
    cl_mem *const all[] = {&b.elements, &b.sums, &b.keys, &b.offsets, &b.number};

    TRY(segment_file_check(job->segments, job->in, true, error));
    chunk_count = choose_chunk(job);
    if (job->in->count > chunk_count)
        return run_in_chunks(job, chunk_count, error);
    TRY(segment_file_load(job->segments, job->where, error));
    if (job->initials != NULL) {
        if (by_offsets(job))
            TRY(initials_file_check_segments(job->initials, job->in, most_segments(job), error));
        TRY(initials_file_load(job->initials, job->where, error));
        job->segments->segments.initials = 1;
    }
    TRY(target_units(job->where, job->in->count, job->in->element_bytes, &b.elements, error));
    TRY(target_units(job->where, most_segments(job), sum_bytes(job), &b.sums, error));
    if (job->keys != NULL)
        TRY(target_units(job->where, most_segments(job), job->segments->in.element_bytes, &b.keys, error));
    if (job->offsets != NULL)
        TRY(target_units(job->where, most_segments(job) + 1, index_bytes, &b.offsets, error));
    if (!by_offsets(job))
        TRY(target_units(job->where, 1, index_bytes, &b.number, error));
    TRY(input_file_upload(job->in, job->where, b.elements, error));
    TRY(reduce(job, &b, index_bytes, error));
    if (job->sums != NULL)
        TRY(write_file(job, job->sums, clscan_type_accumulator(job->maps->out), input_file_record_descr(job->in),
                       sum_bytes(job), b.sums, job->number, error));
    if (job->keys != NULL)
        TRY(write_file(job, job->keys, job->segments->in.type, segment_file_key_descr(job->segments),
                       job->segments->in.element_bytes, b.keys, job->number, error));
    if (job->offsets != NULL)
        TRY(write_file(job, job->offsets, index_type, NULL, index_bytes, b.offsets, job->number + 1, error));

cleanup:
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        if (*all[i] != NULL)
            clReleaseMemObject(*all[i]);
    return status;
}
