#include "scan_job.h"

#include <inttypes.h>
#include <stdlib.h>

#include "check.h"
#include "command_line/failure.h"
#include "measure.h"

/* Files pass through host memory in pieces of this size. */
#define CHUNK_BYTES ((size_t)32 << 20)

#define MIB (1024.0 * 1024.0)

static clscan_status fits_device(const scan_job *job, uint64_t workspace_bytes, clscan_error *error)
{
    const clscan_device_info *info = &job->where->info;
    const uint64_t data_bytes = job->in->data_bytes;
    const uint64_t buffers = job->in_place ? 1 : 2;

    if (data_bytes > info->max_allocation_bytes)
        return fail(error, CLSCAN_ERROR_DEVICE_LIMIT,
                    "%s: its %.1f MiB of elements do not fit one buffer of %s, at most %.1f MiB", job->in->name,
                    (double)data_bytes / MIB, info->name, (double)info->max_allocation_bytes / MIB);
    if (data_bytes > (UINT64_MAX - workspace_bytes) / buffers ||
        buffers * data_bytes + workspace_bytes > info->global_memory_bytes)
        return fail(error, CLSCAN_ERROR_DEVICE_LIMIT,
                    "%s: its %.1f MiB of elements, %s, do not fit the memory of %s, %.1f MiB%s", job->in->name,
                    (double)data_bytes / MIB, job->in_place ? "once" : "twice for input and output", info->name,
                    (double)info->global_memory_bytes / MIB, job->in_place ? "" : "; --in-place needs half");
    return CLSCAN_OK;
}

static clscan_status create_buffer(const scan_job *job, cl_mem *buffer, clscan_error *error)
{
    const uint64_t data_bytes = job->in->data_bytes;
    cl_int code;

    /* A buffer cannot be empty; a file can. */
    *buffer = clCreateBuffer(job->where->context, CL_MEM_READ_WRITE,
                             data_bytes > 0 ? (size_t)data_bytes : clscan_type_size_bytes(job->in->type), NULL, &code);
    if (*buffer != NULL)
        return CLSCAN_OK;
    fail(error, CLSCAN_ERROR_OPENCL, "%s: no buffer of %.1f MiB on %s: %s (%d)", job->in->name,
         (double)data_bytes / MIB, job->where->info.name, clscan_cl_error_name(code), (int)code);
    error->cl_code = code;
    return CLSCAN_ERROR_OPENCL;
}

static clscan_status allocate_host(const scan_job *job, uint64_t size_bytes, unsigned char **data, clscan_error *error)
{
    *data = size_bytes <= SIZE_MAX ? malloc(size_bytes > 0 ? (size_t)size_bytes : 1) : NULL;
    if (*data == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no host memory for %.1f MiB", job->in->name,
                    (double)size_bytes / MIB);
    return CLSCAN_OK;
}

clscan_status scan_job_prepare(scan_job *job, clscan_error *error)
{
    clscan_status status;
    const clscan_problem problem = {
        .struct_size = sizeof problem,
        .type = job->in->type,
        .op = job->op,
        .form = job->form,
        .direction = job->direction,
        .max_count = job->in->count > 0 ? job->in->count : 1,
    };
    const clscan_plan_options options = {.struct_size = sizeof options, .config = job->where->config};

    TRY(fits_device(job, 0, error)); /* before a long compilation */
    TRY(clscan_plan_create(job->where->context, job->where->device, &problem, &options, &job->plan, error));
    TRY(fits_device(job, clscan_plan_workspace_bytes(job->plan), error));
    TRY(create_buffer(job, &job->in_buffer, error));
    if (job->in_place)
        job->out_buffer = job->in_buffer;
    else
        TRY(create_buffer(job, &job->out_buffer, error));
    TRY(clscan_workspace_create(job->plan, &job->workspace, error));
    TRY(clscan_workspace_bind(job->workspace, job->where->queue, NULL, 0, error));
    if (job->keep) {
        TRY(allocate_host(job, job->in->data_bytes, &job->kept_in, error));
        TRY(allocate_host(job, job->in->data_bytes, &job->kept_out, error));
    } else {
        TRY(allocate_host(job, CHUNK_BYTES, &job->chunk, error));
    }

cleanup:
    return status;
}

static size_t chunk_bytes_at(const scan_job *job, uint64_t at_bytes)
{
    const uint64_t left_bytes = job->in->data_bytes - at_bytes;

    return left_bytes < CHUNK_BYTES ? (size_t)left_bytes : CHUNK_BYTES;
}

static clscan_status upload(const scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint64_t at = 0; at < job->in->data_bytes; at += CHUNK_BYTES) {
        const size_t size_bytes = chunk_bytes_at(job, at);
        unsigned char *data = job->keep ? job->kept_in + at : job->chunk;

        TRY(input_file_read(job->in, at, data, size_bytes, error));
        TRY_CL(clEnqueueWriteBuffer,
               (job->where->queue, job->in_buffer, CL_TRUE, (size_t)at, size_bytes, data, 0, NULL, NULL));
    }

cleanup:
    return status;
}

static clscan_run_args run_args(const scan_job *job)
{
    return (clscan_run_args){.struct_size = sizeof(clscan_run_args),
                             .in = job->in_buffer,
                             .out = job->out_buffer,
                             .count = job->in->count,
                             .initial = job->initial};
}

clscan_status scan_job_run(const scan_job *job, clscan_error *error)
{
    clscan_status status;
    const clscan_run_args args = run_args(job);
    clscan_report report;

    TRY(upload(job, error));
    TRY(clscan_run(job->plan, job->workspace, job->where->queue, &args, 0, NULL, NULL, error));
    TRY_CL(clFinish, (job->where->queue));
    TRY(clscan_workspace_report(job->workspace, job->where->queue, &report, error));
    REQUIRE(report.failures == 0, CLSCAN_ERROR_OPENCL,
            "%s: %" PRIu32 " work-groups could not finish on %s; the result would be wrong", job->in->name,
            report.failures, job->where->info.name);

cleanup:
    return status;
}

clscan_status scan_job_write(const scan_job *job, output_file *out, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint64_t at = 0; at < job->in->data_bytes; at += CHUNK_BYTES) {
        const size_t size_bytes = chunk_bytes_at(job, at);
        unsigned char *data = job->keep ? job->kept_out + at : job->chunk;

        TRY_CL(clEnqueueReadBuffer,
               (job->where->queue, job->out_buffer, CL_TRUE, (size_t)at, size_bytes, data, 0, NULL, NULL));
        TRY(output_file_write(out, data, size_bytes, error));
    }

cleanup:
    return status;
}

clscan_status scan_job_check(const scan_job *job, uint64_t *compared, clscan_error *error)
{
    const check_job check = {
        .type = job->in->type,
        .op = job->op,
        .form = job->form,
        .direction = job->direction,
        .initial = job->initial,
        .in = job->kept_in,
        .got = job->kept_out,
        .count = job->in->count,
    };

    return check_result(&check, compared, error);
}

/* Does the event of a run cover only the last launch of several? */
static bool takes_several_launches(clscan_carry carry)
{
    return carry == CLSCAN_CARRY_REDUCE_THEN_SCAN || carry == CLSCAN_CARRY_SCAN_THEN_ADD;
}

static void print_measurement(const scan_job *job, const clscan_choice *choice, const measurement *result, FILE *stream)
{
    const clscan_device_info *info = &job->where->info;
    const double gigabytes = 2.0 * (double)job->in->data_bytes * 1e-9;
    char variant[512];

    clscan_variant_format(&choice->variant, variant, sizeof variant);
    fprintf(stream, "%-12s%s (%s, %s)\n", "device", info->name, info->key, info->platform_name);
    fprintf(stream, "%-12s%s %s, %s%s%s, %" PRIu64 " elements\n", "scan", clscan_type_name(job->in->type),
            clscan_operator_name(job->op), job->form == CLSCAN_EXCLUSIVE ? "exclusive" : "inclusive",
            job->direction == CLSCAN_REVERSE ? ", reverse" : "", job->in_place ? ", in place" : "", job->in->count);
    fprintf(stream, "%-12s%s\n", "entry", variant);
    fprintf(stream, "%-12s%s%s%s (matched %s)\n", "from", choice->source, choice->entry[0] != '\0' ? "#" : "",
            choice->entry, choice->matched[0] != '\0' ? choice->matched : "nothing");
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

clscan_status scan_job_measure(const scan_job *job, FILE *stream, clscan_error *error)
{
    clscan_status status;
    const clscan_run_args args = run_args(job);
    clscan_choice choice;
    measurement result = {0};

    TRY(clscan_plan_explain(job->plan, job->in->count, job->in_place, &choice, error));
    if (job->in->data_bytes >= MEASURE_MIN_BYTES) {
        const measure_setup setup = {
            .context = job->where->context,
            .device = job->where->device,
            .queue = job->where->queue,
            .plan = job->plan,
            .workspace = job->workspace,
            .args = &args,
            .data_bytes = job->in->data_bytes,
            .several_launches = takes_several_launches((clscan_carry)choice.variant.carry),
        };

        TRY(measure_scan(&setup, &result, error));
    }
    print_measurement(job, &choice, &result, stream);

cleanup:
    return status;
}

void scan_job_release(scan_job *job)
{
    clscan_workspace_destroy(job->workspace);
    clscan_plan_destroy(job->plan);
    if (job->out_buffer != NULL && job->out_buffer != job->in_buffer)
        clReleaseMemObject(job->out_buffer);
    if (job->in_buffer != NULL)
        clReleaseMemObject(job->in_buffer);
    free(job->chunk);
    free(job->kept_in);
    free(job->kept_out);
    *job = (scan_job){0};
}
