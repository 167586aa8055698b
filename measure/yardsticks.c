#include "yardsticks.h"

#include <string.h>

#include "device.h"
#include "kernels.h"
#include "threads.h"

/* Less than this per thread is copied faster by fewer threads. */
#define MEMCPY_PART_BYTES (UINT64_C(128) << 10)

static bool enqueue_buffer_copy(measure_contender *contender, const measure_case *c, cl_event *event)
{
    MEASURE_TRY(&contender->note, clEnqueueCopyBuffer,
                (c->device->queue, c->source, c->target, 0, 0, c->problem.bytes, 0, NULL, event));
    return true;
}

/* Kernels keep no state but themselves. */
static void release_kernel(measure_contender *contender)
{
    if (contender->state != NULL)
        clReleaseKernel((cl_kernel)contender->state);
}

static measure_outcome create_kernel(measure_contender *contender, const measure_case *c, const char *name)
{
    cl_kernel kernel;
    const bool created = measure_device_kernel(c->device, name, &kernel, &contender->note);

    contender->one_command = true;
    contender->state = kernel;
    return created ? MEASURE_OK : MEASURE_FAILED;
}

/* The second argument is the target of a copy, and what a read writes to if it writes. */
static measure_outcome prepare_copy_kernel(measure_contender *contender, const measure_case *c, const char *name)
{
    const cl_ulong bytes = c->problem.bytes;
    const measure_outcome outcome = create_kernel(contender, c, name);
    cl_int code;

    if (outcome != MEASURE_OK)
        return outcome;
    code = clSetKernelArg((cl_kernel)contender->state, 2, sizeof bytes, &bytes);
    if (code == CL_SUCCESS)
        return MEASURE_OK;
    measure_fail_opencl(&contender->note, "clSetKernelArg", code);
    return MEASURE_FAILED;
}

static measure_outcome prepare_buffer_copy(measure_contender *contender, const measure_case *c)
{
    (void)c;
    contender->one_command = true;
    return MEASURE_OK;
}

static measure_outcome prepare_rows(measure_contender *contender, const measure_case *c)
{
    if (c->device->info.max_work_group_size < MEASURE_ROWS_GROUP) {
        measure_fail(&contender->note, "needs work-groups of %d work-items", MEASURE_ROWS_GROUP);
        return MEASURE_UNAVAILABLE;
    }
    return prepare_copy_kernel(contender, c, "copy_rows");
}

static measure_outcome prepare_lines(measure_contender *contender, const measure_case *c)
{
    return prepare_copy_kernel(contender, c, "copy_lines");
}

static measure_outcome prepare_stream(measure_contender *contender, const measure_case *c)
{
    return prepare_copy_kernel(contender, c, "stream_lines");
}

/* Work-groups of `local` work-items, each copying `share` bytes; at least one for the last bytes. */
static bool enqueue_kernel(measure_contender *contender, const measure_case *c, size_t local, uint64_t share,
                           cl_event *event)
{
    const uint64_t groups = (c->problem.bytes + share - 1) / share;
    const size_t global = (size_t)groups * local;

    MEASURE_TRY(&contender->note, clEnqueueNDRangeKernel,
                (c->device->queue, (cl_kernel)contender->state, 1, NULL, &global, &local, 0, NULL, event));
    return true;
}

/* Buffers may be others in every run. */
static bool enqueue_copy(measure_contender *contender, const measure_case *c, size_t local, uint64_t share,
                         cl_event *event)
{
    const cl_kernel kernel = (cl_kernel)contender->state;

    MEASURE_TRY(&contender->note, clSetKernelArg, (kernel, 0, sizeof c->source, &c->source));
    MEASURE_TRY(&contender->note, clSetKernelArg, (kernel, 1, sizeof c->target, &c->target));
    return enqueue_kernel(contender, c, local, share, event);
}

static bool enqueue_rows(measure_contender *contender, const measure_case *c, cl_event *event)
{
    return enqueue_copy(contender, c, MEASURE_ROWS_GROUP, MEASURE_ROWS_GROUP * 4 * 16, event);
}

static bool enqueue_lines(measure_contender *contender, const measure_case *c, cl_event *event)
{
    return enqueue_copy(contender, c, 1, MEASURE_LINES_CHUNK * 64, event);
}

static measure_outcome prepare_read(measure_contender *contender, const measure_case *c)
{
    if (c->device->threads != NULL)
        return prepare_copy_kernel(contender, c, "read_lines");
    if (c->device->info.max_work_group_size < MEASURE_ROWS_GROUP) {
        measure_fail(&contender->note, "needs work-groups of %d work-items", MEASURE_ROWS_GROUP);
        return MEASURE_UNAVAILABLE;
    }
    return prepare_copy_kernel(contender, c, "read_rows");
}

static bool enqueue_read(measure_contender *contender, const measure_case *c, cl_event *event)
{
    const bool is_cpu = c->device->threads != NULL;
    const cl_kernel kernel = (cl_kernel)contender->state;
    const size_t local = is_cpu ? 1 : MEASURE_ROWS_GROUP;
    const uint64_t share = is_cpu ? MEASURE_LINES_CHUNK * 64 : MEASURE_ROWS_GROUP * MEASURE_READ_VECTORS * 16;

    MEASURE_TRY(&contender->note, clSetKernelArg, (kernel, 0, sizeof c->source, &c->source));
    MEASURE_TRY(&contender->note, clSetKernelArg, (kernel, 1, sizeof c->device->scratch, &c->device->scratch));
    return enqueue_kernel(contender, c, local, share, event);
}

typedef struct copy_job {
    const char *in;
    char *out;
    uint64_t bytes;
} copy_job;

/* Parts begin on whole lines, so that no two threads write to one. */
static void copy_part(void *user, unsigned part, unsigned parts)
{
    const copy_job *job = user;
    const uint64_t lines = job->bytes / 64;
    const uint64_t begin = lines * part / parts * 64;
    const uint64_t end = part + 1 == parts ? job->bytes : lines * (part + 1) / parts * 64;

    memcpy(job->out + begin, job->in + begin, (size_t)(end - begin));
}

static bool run_memcpy(measure_contender *contender, const measure_case *c, const void *in, void *out)
{
    copy_job job = {.in = in, .out = out, .bytes = c->problem.bytes};
    const uint64_t useful = job.bytes / MEMCPY_PART_BYTES + 1;
    const unsigned parts = useful < c->device->thread_count ? (unsigned)useful : c->device->thread_count;

    (void)contender;
    measure_threads_run(c->device->threads, parts, copy_part, &job);
    return true;
}

static measure_outcome prepare_empty(measure_contender *contender, const measure_case *c)
{
    const cl_uint zero = 0;
    const measure_outcome outcome = create_kernel(contender, c, "nothing");
    cl_int code;

    if (outcome != MEASURE_OK)
        return outcome;
    code = clSetKernelArg((cl_kernel)contender->state, 0, sizeof c->device->scratch, &c->device->scratch);
    if (code == CL_SUCCESS)
        code = clSetKernelArg((cl_kernel)contender->state, 1, sizeof zero, &zero);
    if (code == CL_SUCCESS)
        return MEASURE_OK;
    measure_fail_opencl(&contender->note, "clSetKernelArg", code);
    return MEASURE_FAILED;
}

static bool enqueue_empty(measure_contender *contender, const measure_case *c, cl_event *event)
{
    const size_t one = 1;

    MEASURE_TRY(&contender->note, clEnqueueNDRangeKernel,
                (c->device->queue, (cl_kernel)contender->state, 1, NULL, &one, &one, 0, NULL, event));
    return true;
}

static const measure_kind buffer_copy = {
    .name = "copy buffer", .copies = true, .prepare = prepare_buffer_copy, .enqueue = enqueue_buffer_copy};
static const measure_kind rows = {
    .name = "copy kernel", .copies = true, .prepare = prepare_rows, .enqueue = enqueue_rows, .release = release_kernel};
static const measure_kind lines = {.name = "copy kernel",
                                   .copies = true,
                                   .prepare = prepare_lines,
                                   .enqueue = enqueue_lines,
                                   .release = release_kernel};
static const measure_kind stream = {.name = "copy kernel, streaming",
                                    .copies = true,
                                    .prepare = prepare_stream,
                                    .enqueue = enqueue_lines,
                                    .release = release_kernel};
static const measure_kind all_threads = {.name = "copy memcpy", .copies = true, .on_host = true, .run = run_memcpy};
static const measure_kind empty = {.name = "empty kernel",
                                   .idle = true,
                                   .prepare = prepare_empty,
                                   .enqueue = enqueue_empty,
                                   .release = release_kernel};

const measure_kind measure_read_kernel = {
    .name = "read kernel", .reads = true, .prepare = prepare_read, .enqueue = enqueue_read, .release = release_kernel};

size_t measure_yardsticks(const measure_device *device, bool with_empty, const measure_kind **kinds)
{
    size_t count = 0;

    if (with_empty)
        kinds[count++] = &empty;
    kinds[count++] = &buffer_copy;
    if (device->threads == NULL) {
        kinds[count++] = &rows;
    } else {
        kinds[count++] = &lines;
        kinds[count++] = &stream;
        kinds[count++] = &all_threads;
    }
    return count;
}
