/* The statistics of a scan. */
#include <inttypes.h>

#include "command_line/failure.h"
#include "measure/library.h"
#include "scan_job.h"
#include "scan_timing.h"

static void print_problem(const scan_job *job, const clscan_choice *choice, FILE *stream)
{
    const clscan_device_info *info = &job->where->info;
    char variant[512];

    clscan_variant_format(&choice->variant, variant, sizeof variant);
    fprintf(stream, "%-12s%s (%s, %s)\n", "device", info->name, info->key, info->platform_name);
    fprintf(stream, "%-12s%s %s, %s%s%s, %" PRIu64 " elements\n", "scan", job->in->type_name,
            job->in->record != NULL && !record_is_vector(job->in->record) ? "combined" : clscan_operator_name(job->op),
            job->form == CLSCAN_EXCLUSIVE ? "exclusive" : "inclusive",
            job->direction == CLSCAN_REVERSE ? ", reverse" : "", job->stage.cut.in_place ? ", in place" : "",
            job->in->count);
    if (job->stage.batch)
        fprintf(stream, "%-12s%" PRIu64 " of %" PRIu64 " elements\n", "rows",
                job->in->count / (job->stage.rows.row_count / job->stage.columns),
                job->stage.rows.row_count / job->stage.columns);
    else if (job->in->count > job->stage.rows.row_count)
        fprintf(stream, "%-12s%" PRIu64 " of %" PRIu64 " elements\n", "rows",
                job->in->count / job->stage.rows.row_count, job->stage.rows.row_count);
    fprintf(stream, "%-12s%s\n", "entry", variant);
    fprintf(stream, "%-12s%s%s%s (matched %s)\n", "from", choice->source, choice->entry[0] != '\0' ? "#" : "",
            choice->entry, choice->matched[0] != '\0' ? choice->matched : "nothing");
}

static void print_measurement(const scan_job *job, const scan_timing *result, FILE *stream)
{
    const double gigabytes = (double)(job->in->count * (job->stage.element_bytes + job->stage.output_bytes)) * 1e-9;

    if (result->turns == 0) {
        fprintf(stream, "%-12stoo few elements to measure\n", "time");
        return;
    }
    fprintf(stream, "%-12s%.1f us, median of %u%s\n", "time", result->scan_seconds * 1e6, result->turns,
            result->on_host ? ", by the host's clock" : "");
    fprintf(stream, "%-12s%.2f GB/s, read and written\n", "rate", gigabytes / result->scan_seconds);
    fprintf(stream, "%-12s%.1f us, %.2f GB/s by %s of the same bytes\n", "copy", result->copy_seconds * 1e6,
            gigabytes / result->copy_seconds, result->copy_name);
    fprintf(stream, "%-12s%.3g\n", "of copy", result->copy_seconds / result->scan_seconds);
}

/* What kept the others waiting. */
static const char *busiest(const pipeline_times *times)
{
    const struct {
        const char *name;
        double seconds;
    } parts[] = {
        {"reading", times->read_seconds},
        {"the device", times->device_seconds},
        {"the check", times->check_seconds},
        {"writing", times->write_seconds},
    };
    size_t most = 0;

    for (size_t i = 1; i < sizeof parts / sizeof parts[0]; ++i) {
        if (parts[i].seconds > parts[most].seconds)
            most = i;
    }
    return parts[most].name;
}

static void print_way(const scan_job *job, FILE *stream)
{
    const pipeline_times *times = &job->times;
    const double gigabytes = (double)(job->in->count * job->stage.element_bytes) * 1e-9;

    fprintf(stream, "%-12s%" PRIu64 " of at most %" PRIu64 " elements, %" PRIu64 " bytes\n", "chunks", times->chunks,
            job->stage.cut.chunk_count, job->stage.cut.chunk_count * job->stage.element_bytes);
    fprintf(stream, "%-12s%.3f s, %.3g GB/s of input; most of it for %s\n", "end to end", job->total_seconds,
            job->total_seconds > 0.0 ? gigabytes / job->total_seconds : 0.0, busiest(times));
    fprintf(stream, "%-12sread %.3f s, device %.3f s, ", "busy", times->read_seconds, times->device_seconds);
    if (job->check)
        fprintf(stream, "check %.3f s, ", times->check_seconds);
    fprintf(stream, "write %.3f s\n", times->write_seconds);
}

/* Is the whole file one run, whose buffers are still there? */
static bool is_one_run(const scan_job *job)
{
    return job->times.chunks == 1 && !job->stage.batch && job->in->count <= job->stage.rows.row_count;
}

clscan_status scan_job_report(scan_job *job, FILE *stream, clscan_error *error)
{
    clscan_status status;
    slot *s = &job->stage.slots[0];
    const uint64_t most = clscan_plan_max_count(job->plan);
    clscan_run_args args = {.struct_size = sizeof args,
                            .in.buffer = s->in,
                            .out.buffer = s->out,
                            .count = job->in->count < most ? job->in->count : most,
                            .initial = {CLSCAN_MEMORY_HOST, .pointer = job->initial}};
    const uint64_t index = 0;
    clscan_memory arguments[SCAN_MAPS_ARGUMENTS];
    clscan_choice choice = {.struct_size = sizeof choice};
    scan_timing result = {0};

    if (job->segments != NULL) {
        args.segments.buffer = job->segments->buffer;
        args.offset_count = job->segments->offset_count;
        args.segment_sums = job->stage.segment_sums;
    }
    if (job->initials != NULL)
        args.initial = (clscan_memory){.buffer = job->initials->buffer};
    args.map_arguments = arguments;
    args.map_argument_count = scan_maps_arguments(&job->maps, &index, arguments);
    TRY(clscan_plan_explain(job->plan, args.count, s->in == s->out, &choice, error));
    if (is_one_run(job) && job->in->count * job->stage.element_bytes >= SCAN_TIMING_MIN_BYTES) {
        const scan_timing_setup setup = {
            .context = job->where->context,
            .device = job->where->device,
            .queue = job->where->queue,
            .plan = job->plan,
            .workspace = job->stage.workspace,
            .args = &args,
            .data_bytes = job->in->count * job->stage.element_bytes,
            .several_launches =
                !measure_is_one_launch(&choice.variant, job->segments != NULL ? &job->segments->segments : NULL),
        };

        TRY(device_stage_hand_over(&job->stage, s, error));
        TRY(scan_timing_take(&setup, &result, error));
    }
    print_problem(job, &choice, stream);
    if (is_one_run(job) || job->in->count == 0)
        print_measurement(job, &result, stream);
    print_way(job, stream);

cleanup:
    return status;
}
