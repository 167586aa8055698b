#include "scan_job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "common/clock.h"
#include "measure/host_memory.h"

/* Also where nothing but the number of segments is wanted, which initial values must be as many as. */
static bool wants_sums(const scan_job *job)
{
    const bool counts =
        job->segments != NULL && job->initials != NULL && job->segments->segments.by != CLSCAN_BY_OFFSETS;

    return job->sums != NULL || counts;
}

static bool has_several_rows(const scan_job *job)
{
    return job->row_count != COUNT_UNKNOWN && (job->row_count < job->in->count || job->columns > 1);
}

/* Bytes of memory for each element of the input. Rows of offsets have more outputs than elements. */
static size_t bytes_per_element(const scan_job *job, size_t output_bytes)
{
    const bool more = job->offsets && has_several_rows(job);
    const size_t out =
        more ? output_bytes + (size_t)((job->columns * output_bytes + job->row_count - 1) / job->row_count)
             : output_bytes;

    return out > job->in->element_bytes ? out : job->in->element_bytes;
}

static void lay_out(scan_job *job)
{
    const clscan_device_info *info = &job->where->info;
    device_stage *stage = &job->stage;
    const size_t output_bytes =
        job->in->record != NULL ? job->in->element_bytes : clscan_type_size_bytes(job->out->type);
    const chunk_limits limits = {
        .element_bytes = bytes_per_element(job, output_bytes),
        .apart = output_bytes != job->in->element_bytes || (job->offsets && has_several_rows(job)),
        .count = job->in->count,
        .wanted_bytes = job->segments != NULL && job->chunk_bytes == 0 ? UINT64_MAX : job->chunk_bytes,
        .max_allocation_bytes = info->max_allocation_bytes,
        .device_bytes = info->global_memory_bytes,
        .host_bytes = measure_host_memory_bytes(),
        .unified = device_is_unified(job->where->device),
        .in_place = job->in_place,
    };

    stage->where = job->where;
    stage->initial = job->initial;
    stage->element_bytes = job->in->element_bytes;
    stage->output_bytes = output_bytes;
    stage->maps = scan_maps_are_needed(&job->maps) ? &job->maps : NULL;
    stage->segments = job->segments;
    stage->unified = limits.unified;
    stage->cut = chunks_plan(&limits);
    stage->rows = (row_layout){
        .count = job->in->count,
        .row_count = job->row_count == COUNT_UNKNOWN && job->in->count > 0 ? job->in->count : job->row_count,
        .reverse = job->direction == CLSCAN_REVERSE,
    };
    /* Whole rows, where one fits. */
    if (stage->rows.row_count <= stage->cut.chunk_count)
        stage->cut.chunk_count -= stage->cut.chunk_count % stage->rows.row_count;
}

static void prepare_check(scan_job *job)
{
    job->checker = (checker){
        .type = job->out->type,
        .op = job->op,
        .form = job->form,
        .rows = job->stage.rows,
        .totals = job->stage.offsets,
        .initial = job->initial,
        .initials = job->stage.initials,
        .structs = {.type = job->in->record != NULL ? job->in->record->type : NULL,
                    .context = job->where->context,
                    .device = job->where->device},
        .maps = {.maps = job->stage.maps, .context = job->where->context, .device = job->where->device},
    };
}

/* Offsets that wrap are no offsets. */
static void watch_offsets(scan_job *job)
{
    const bool maps = job->maps.load != NULL;

    job->checks_lengths =
        job->offsets && job->in->record == NULL && offsets_check_sees(job->in->type, job->out->type, job->op, maps);
    job->lengths = (offsets_checker){.name = job->in->name, .in = job->in->type, .out = job->out->type, .maps = maps};
}

/* Parts of a reproducible scan begin at multiples of a step. */
static clscan_status cut_at_steps(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const row_layout *rows = &job->stage.rows;
    chunking *cut = &job->stage.cut;

    if (!job->reproducible || !clscan_reference_depends_on_grouping(job->in->type, job->op) ||
        rows->row_count <= cut->chunk_count || rows->count == 0)
        return status;
    REQUIRE(cut->chunk_count >= CLSCAN_REPRODUCIBLE_STEP, CLSCAN_ERROR_INVALID_VALUE,
            "chunks of %" PRIu64
            " elements are too small for --reproducible, which needs %u; try a larger --chunk-bytes",
            cut->chunk_count, CLSCAN_REPRODUCIBLE_STEP);
    REQUIRE(rows->row_count >= rows->count || rows->row_count % CLSCAN_REPRODUCIBLE_STEP == 0,
            CLSCAN_ERROR_INVALID_VALUE,
            "rows of %" PRIu64 " elements do not fit into chunks of %" PRIu64
            ", and --reproducible can cut them at multiples of %u only; try a larger --chunk-bytes",
            rows->row_count, cut->chunk_count, CLSCAN_REPRODUCIBLE_STEP);
    cut->chunk_count -= cut->chunk_count % CLSCAN_REPRODUCIBLE_STEP;

cleanup:
    return status;
}

/* Segments of one run: what says where they begin is on the device. In several chunks the host looks for that, and each
 * gets flags of bytes. */
static clscan_status prepare_segments(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (job->in->count <= job->stage.cut.chunk_count)
        return segment_file_load(job->segments, job->where, error);
    REQUIRE(!job->segments->has_equal, CLSCAN_ERROR_INVALID_VALUE,
            "%s has %" PRIu64 " elements, a chunk at most %" PRIu64 ", and --equal compares keys of one chunk; %s",
            job->in->name, job->in->count, job->stage.cut.chunk_count,
            job->chunk_bytes > 0 ? "try a larger --chunk-bytes" : "the device has too little memory");
    REQUIRE(job->sums == NULL && job->initials == NULL, CLSCAN_ERROR_INVALID_VALUE,
            "%s has %" PRIu64 " elements, a chunk at most %" PRIu64 ", and %s of segments are those of one chunk; %s",
            job->in->name, job->in->count, job->stage.cut.chunk_count, job->sums != NULL ? "--sums" : "--initials",
            job->chunk_bytes > 0 ? "try a larger --chunk-bytes" : "the device has too little memory");
    REQUIRE(job->direction == CLSCAN_FORWARD || !job->segments->in.is_stream, CLSCAN_ERROR_INVALID_VALUE,
            "%s is read from its end, in several chunks: use a file on disk", job->segments->in.name);
    job->heads =
        (segment_heads){.file = job->segments, .count = job->in->count, .reverse = job->direction == CLSCAN_REVERSE};
    job->stage.segments = NULL;
    job->stage.heads = &job->heads;

cleanup:
    return status;
}

/* Many scans in one run: where there are several, and chunks hold whole ones. */
static clscan_status choose_batch(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const row_layout *rows = &job->stage.rows;
    const bool fits = rows->row_count <= job->stage.cut.chunk_count;

    job->stage.columns = job->columns;
    job->stage.batch = fits && has_several_rows(job);
    job->stage.offsets = job->offsets && has_several_rows(job);
    job->stage.wants_total = job->offsets && !job->stage.offsets;
    REQUIRE(fits || job->columns == 1, CLSCAN_ERROR_INVALID_VALUE,
            "chunks of %" PRIu64 " elements are too small for %" PRIu64
            " that belong together along the axis; try a larger --chunk-bytes",
            job->stage.cut.chunk_count, rows->row_count);

cleanup:
    return status;
}

/* The number of segments by offsets is known. */
static clscan_status prepare_initials(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (job->initials == NULL)
        return status;
    if (job->segments != NULL && job->segments->segments.by == CLSCAN_BY_OFFSETS)
        TRY(initials_file_check_segments(job->initials, job->in, segment_file_bounded(job->segments), error));
    TRY(initials_file_load(job->initials, job->where, error));
    job->stage.initials = job->initials;

cleanup:
    return status;
}

/* Room for what is given for each row or segment. */
static clscan_status prepare_sums(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    scan_sums *sums = &job->row_sums;
    uint64_t rows = 1;

    if (!wants_sums(job))
        return status;
    *sums =
        (scan_sums){.where = job->where, .file = job->sums, .sum_bytes = input_file_sum_bytes(job->in, job->maps.out)};
    if (job->segments != NULL) {
        TRY(scan_sums_prepare_segments(sums, job->segments, job->in->count, error));
        job->stage.segment_sums = &sums->of_segments;
        return status;
    }
    for (unsigned d = 0; d < job->sums->dimensions; ++d)
        rows *= job->sums->shape[d];
    TRY(scan_sums_prepare_rows(sums, rows, error));
    job->stage.totals = sums->values;

cleanup:
    return status;
}

clscan_status scan_job_prepare(scan_job *job, clscan_error *error)
{
    clscan_status status;
    const clscan_plan_options options = {
        .struct_size = sizeof options, .config = job->where->config, .measure_ms = (int64_t)job->measure_ms};
    clscan_rows rows = {.struct_size = sizeof rows};
    clscan_problem problem = {
        .struct_size = sizeof problem,
        .type = job->in->type,
        .op = job->op,
        .form = job->form,
        .direction = job->direction,
        .reproducible = job->reproducible,
    };

    if (job->in->record != NULL)
        record_ask(job->in->record, &problem);
    TRY(scan_maps_prepare(&job->maps, &problem, error));
    lay_out(job);
    watch_offsets(job);
    TRY(cut_at_steps(job, error));
    if (job->segments != NULL) {
        TRY(prepare_segments(job, error));
        job->segments->segments.sums = wants_sums(job);
        job->segments->segments.initials = job->initials != NULL;
        problem.segments = job->stage.heads == NULL ? &job->segments->segments : NULL;
    }
    TRY(choose_batch(job, error));
    problem.max_count =
        job->stage.cut.chunk_count < job->stage.rows.row_count ? job->stage.cut.chunk_count : job->stage.rows.row_count;
    if (job->stage.batch) {
        problem.max_count = job->stage.rows.row_count / job->columns;
        rows.count = job->stage.cut.chunk_count / problem.max_count;
        rows.out_pitch = job->offsets && job->columns == 1 ? problem.max_count + 1 : 0;
        problem.rows = &rows;
    }
    TRY(map_failure(clscan_plan_create(job->where->context, job->where->device, &problem, &options, &job->plan, error),
                    &(plan_culprits){.keys = job->segments != NULL ? job->segments->in.name : NULL}, error));
    job->stage.plan = job->plan;
    if (job->stage.heads != NULL) {
        static const clscan_segments by_bytes = {
            .struct_size = sizeof by_bytes, .by = CLSCAN_BY_FLAGS, .type = CLSCAN_UINT8};

        problem.segments = &by_bytes;
        TRY(clscan_plan_create(job->where->context, job->where->device, &problem, &options, &job->segment_plan, error));
        job->stage.segment_plan = job->segment_plan;
    }
    TRY(prepare_initials(job, error));
    prepare_check(job);
    TRY(prepare_sums(job, error));
    TRY(device_stage_prepare(&job->stage, error));

cleanup:
    return status;
}

static clscan_status expect_no_failures_of(const scan_job *job, clscan_workspace *workspace, clscan_error *error)
{
    clscan_report report = {.struct_size = sizeof report};

    if (clscan_workspace_report(workspace, job->where->queue, &report, error) != CLSCAN_OK)
        return error->status;
    if (report.failures > 0)
        return fail(error, CLSCAN_ERROR_OPENCL,
                    "%s: %" PRIu32 " work-groups could not finish on %s; the result would be wrong", job->in->name,
                    report.failures, job->where->info.name);
    return CLSCAN_OK;
}

static clscan_status expect_no_failures(const scan_job *job, clscan_error *error)
{
    clscan_status status;

    TRY(expect_no_failures_of(job, job->stage.workspace, error));
    if (job->stage.segment_workspace != NULL)
        TRY(expect_no_failures_of(job, job->stage.segment_workspace, error));

cleanup:
    return status;
}

/* Totals of rows that have no elements, which are all outputs. */
static uint64_t lone_totals(const scan_job *job)
{
    uint64_t count = 1;

    for (unsigned d = 0; d < job->out->dimensions; ++d)
        count *= job->out->shape[d] != COUNT_UNKNOWN ? job->out->shape[d] : 1;
    return count;
}

static clscan_status write_lone_totals(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_reference what = {.type = job->out->type, .op = job->op};
    const size_t bytes = job->stage.output_bytes;
    const uint64_t count = lone_totals(job);
    clscan_value total = {.bits = 0};

    clscan_reference_identity(&what, &total);
    if (job->initial != NULL)
        memcpy(&total, job->initial, bytes);
    for (uint64_t row = 0; row < count; ++row)
        TRY(result_file_write(job->out, row * bytes,
                              job->initials != NULL ? job->initials->values + row * bytes : (const void *)&total, bytes,
                              error));

cleanup:
    return status;
}

/* The total of one row, behind the outputs. */
static clscan_status append_total(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_value total = {.bits = 0};

    if (job->times.chunks == 0)
        return write_lone_totals(job, error);
    TRY(device_stage_total(&job->stage, &total, job->stage.output_bytes, error));
    if (job->checks_lengths)
        TRY(offsets_check_total(&job->lengths, &total, error));
    if (job->check)
        TRY(check_total(&job->checker, &total, 0, error));
    TRY(result_file_write(job->out, job->in->count * job->stage.output_bytes, &total, job->stage.output_bytes, error));

cleanup:
    return status;
}

/* The totals of rows that have no elements are their initial values, or all the same. */
static clscan_status repeat_total(const scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const scan_sums *sums = &job->row_sums;
    const cl_command_queue queue = job->where->queue;
    const size_t bytes = sums->sum_bytes, all_bytes = (size_t)sums->count * bytes;
    unsigned char *all = NULL;

    if (sums->count < 2)
        return status;
    if (job->initials != NULL) {
        TRY_CL(clEnqueueCopyBuffer, (queue, job->initials->buffer, sums->values, 0, 0, all_bytes, 0, NULL, NULL));
        return status;
    }
    all = malloc(all_bytes);
    REQUIRE(all != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the sums of %" PRIu64 " rows", sums->count);
    TRY_CL(clEnqueueReadBuffer, (queue, sums->values, CL_TRUE, 0, bytes, all, 0, NULL, NULL));
    for (size_t at = bytes; at < all_bytes; ++at)
        all[at] = all[at - bytes];
    TRY_CL(clEnqueueWriteBuffer, (queue, sums->values, CL_TRUE, 0, all_bytes, all, 0, NULL, NULL));

cleanup:
    free(all);
    return status;
}

/* Of a stream that may always go on, each run's total is what the next one begins with. */
static clscan_status take_latest_total(scan_job *job, clscan_error *error)
{
    clscan_status status;
    unsigned char total[CLSCAN_MOST_ELEMENT_BYTES];

    TRY(device_stage_total(&job->stage, total, job->row_sums.sum_bytes, error));
    TRY_CL(clEnqueueWriteBuffer,
           (job->where->queue, job->row_sums.values, CL_TRUE, 0, job->row_sums.sum_bytes, total, 0, NULL, NULL));

cleanup:
    return status;
}

static clscan_status finish_sums(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool is_endless = job->stage.rows.row_count == COUNT_UNKNOWN && job->stage.state_bytes == 0;

    if (!wants_sums(job))
        return status;
    if (job->times.chunks == 0) {
        TRY(device_stage_run_none(&job->stage, error));
        if (job->segments == NULL)
            TRY(repeat_total(job, error));
    } else if (job->segments == NULL && is_endless) {
        TRY(take_latest_total(job, error));
    }
    TRY(scan_sums_count(&job->row_sums, error));
    if (job->segments != NULL && job->initials != NULL)
        TRY(initials_file_check_segments(job->initials, job->in, job->row_sums.count, error));
    TRY(scan_sums_write(&job->row_sums, error));

cleanup:
    return status;
}

/* Disks may take their time to complete a file, which counts as writing. */
static clscan_status commit(scan_job *job, clscan_error *error)
{
    const double begin = clscan__now_seconds();
    const uint64_t outputs = device_stage_outputs(&job->stage, job->in->count);
    clscan_status status = result_file_commit(job->out,
                                              !job->stage.wants_total  ? outputs
                                              : job->times.chunks == 0 ? lone_totals(job)
                                                                       : outputs + 1,
                                              error);

    if (status == CLSCAN_OK && job->sums != NULL)
        status = result_file_commit(job->sums, job->row_sums.count, error);
    job->times.write_seconds += clscan__now_seconds() - begin;
    return status;
}

clscan_status scan_job_run(scan_job *job, clscan_error *error)
{
    clscan_status status;
    progress shown;
    const pipeline_parts parts = {
        .in = job->in,
        .stage = &job->stage,
        .out = job->out,
        .check = job->check ? &job->checker : NULL,
        .offsets = job->checks_lengths ? &job->lengths : NULL,
        .progress = &shown,
    };
    const double begin = clscan__now_seconds();

    progress_begin(&shown, "clscan", job->progress,
                   job->in->count == COUNT_UNKNOWN ? COUNT_UNKNOWN : job->in->count * job->stage.element_bytes);
    TRY(pipeline_run(&parts, &job->times, error));
    TRY(expect_no_failures(job, error));
    TRY(finish_sums(job, error));
    if (job->stage.wants_total)
        TRY(append_total(job, error));
    TRY(commit(job, error));
    job->total_seconds = clscan__now_seconds() - begin;

cleanup:
    progress_end(&shown, status == CLSCAN_OK);
    output_file_discard(&job->out->file);
    if (job->sums != NULL)
        output_file_discard(&job->sums->file);
    return status;
}

void scan_job_release(scan_job *job)
{
    check_release(&job->checker);
    device_stage_release(&job->stage);
    scan_sums_release(&job->row_sums);
    clscan_plan_destroy(job->plan);
    clscan_plan_destroy(job->segment_plan);
    segment_heads_release(&job->heads);
    scan_maps_release(&job->maps);
    *job = (scan_job){0};
}
