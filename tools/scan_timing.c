#include "scan_timing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "clock.h"
#include "command_line/failure.h"

/* The runtime's own buffer copy is slow on some devices (one thread on PoCL): a kernel competes with it. */
static const char copy_source[] =
    "kernel void copy(global const uint4 *in, global uint4 *out, ulong first, ulong count)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i < count)\n"
    "        out[first + i] = in[i];\n"
    "}\n";

#define VECTOR_BYTES 16u
#define ENOUGH_SECONDS 2.0
#define FEWEST_TURNS 3u
#define MOST_TURNS 21u

typedef struct copier {
    cl_mem in;
    cl_mem out;
    uint64_t out_bytes;   /* where the copy begins in `out` */
    uint64_t size_bytes;  /* of one copy */
    unsigned repetitions; /* copies that make up data_bytes */
    cl_program program;
    cl_kernel kernel;
} copier;

/* What one contender took, by its events and by the host's clock. */
typedef struct timing {
    double device_seconds;
    double host_seconds;
} timing;

typedef struct turn {
    timing scan;
    timing buffer_copy;
    timing kernel_copy; /* 0 without a kernel */
} turn;

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Reorders; `count` is at least 1. */
static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Seconds between two profiling times of two events that have completed. */
static clscan_status elapsed(cl_event from, cl_profiling_info from_what, cl_event to, double *seconds,
                             clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_ulong begin_ns;
    cl_ulong end_ns;

    TRY_CL(clGetEventProfilingInfo, (from, from_what, sizeof begin_ns, &begin_ns, NULL));
    TRY_CL(clGetEventProfilingInfo, (to, CL_PROFILING_COMMAND_END, sizeof end_ns, &end_ns, NULL));
    *seconds = end_ns > begin_ns ? (double)(end_ns - begin_ns) * 1e-9 : 0.0;

cleanup:
    return status;
}

static void release_event(cl_event event)
{
    if (event != NULL)
        clReleaseEvent(event);
}

/* Wait for the queue, and add the time since two moments: on the device since `from_what` of the event `from`,
 * on the host since `host_begin`. */
static clscan_status finish(const scan_timing_setup *setup, cl_event from, cl_profiling_info from_what, cl_event to,
                            double host_begin, timing *sum, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    double device_seconds = 0.0;

    TRY_CL(clFinish, (setup->queue));
    sum->host_seconds += now_seconds() - host_begin;
    TRY(elapsed(from, from_what, to, &device_seconds, error));
    sum->device_seconds += device_seconds;

cleanup:
    return status;
}

static clscan_status time_scan(const scan_timing_setup *setup, timing *sum, clscan_error *error)
{
    clscan_status status;
    const double begin = now_seconds();
    cl_event done = NULL;

    TRY(clscan_run(setup->plan, setup->workspace, setup->queue, setup->args, 0, NULL, &done, error));
    TRY(finish(setup, done, CL_PROFILING_COMMAND_START, done, begin, sum, error));

cleanup:
    release_event(done);
    return status;
}

/* From the end of a small command before the first launch to the end of the last. The small command waits
 * until all is enqueued, so that the host's own time does not count. */
static clscan_status time_launches(const scan_timing_setup *setup, cl_mem small, timing *sum, clscan_error *error)
{
    static const cl_uint zero = 0;
    clscan_status status = CLSCAN_OK;
    clscan_status run_status;
    cl_event gate = NULL;
    cl_event before = NULL;
    cl_event done = NULL;
    cl_int code;
    double begin;

    gate = clCreateUserEvent(setup->context, &code);
    if (gate == NULL)
        return fail_opencl(error, "clCreateUserEvent", code);
    code = clEnqueueFillBuffer(setup->queue, small, &zero, sizeof zero, 0, sizeof zero, 1, &gate, &before);
    run_status = code != CL_SUCCESS
                     ? fail_opencl(error, "clEnqueueFillBuffer", code)
                     : clscan_run(setup->plan, setup->workspace, setup->queue, setup->args, 0, NULL, &done, error);
    begin = now_seconds();
    /* Also after a failure, or the queue would never end. */
    TRY_CL(clSetUserEventStatus, (gate, CL_COMPLETE));
    TRY(run_status);
    TRY(finish(setup, before, CL_PROFILING_COMMAND_END, done, begin, sum, error));

cleanup:
    release_event(done);
    release_event(before);
    release_event(gate);
    return status;
}

static clscan_status time_buffer_copy(const scan_timing_setup *setup, const copier *copy, timing *sum,
                                      clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_event done = NULL;

    for (unsigned i = 0; i < copy->repetitions; ++i) {
        const double begin = now_seconds();

        TRY_CL(clEnqueueCopyBuffer, (setup->queue, copy->in, copy->out, 0, (size_t)copy->out_bytes,
                                     (size_t)copy->size_bytes, 0, NULL, &done));
        TRY(finish(setup, done, CL_PROFILING_COMMAND_START, done, begin, sum, error));
        clReleaseEvent(done);
        done = NULL;
    }

cleanup:
    release_event(done);
    return status;
}

static clscan_status time_kernel_copy(const scan_timing_setup *setup, const copier *copy, timing *sum,
                                      clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_event done = NULL;
    const cl_ulong first = copy->out_bytes / VECTOR_BYTES;
    const cl_ulong count = copy->size_bytes / VECTOR_BYTES;
    const size_t global_size = (size_t)((count + 1023) / 1024 * 1024);

    TRY_CL(clSetKernelArg, (copy->kernel, 0, sizeof copy->in, &copy->in));
    TRY_CL(clSetKernelArg, (copy->kernel, 1, sizeof copy->out, &copy->out));
    TRY_CL(clSetKernelArg, (copy->kernel, 2, sizeof first, &first));
    TRY_CL(clSetKernelArg, (copy->kernel, 3, sizeof count, &count));
    for (unsigned i = 0; i < copy->repetitions; ++i) {
        const double begin = now_seconds();

        TRY_CL(clEnqueueNDRangeKernel, (setup->queue, copy->kernel, 1, NULL, &global_size, NULL, 0, NULL, &done));
        TRY(finish(setup, done, CL_PROFILING_COMMAND_START, done, begin, sum, error));
        clReleaseEvent(done);
        done = NULL;
    }

cleanup:
    release_event(done);
    return status;
}

static clscan_status prepare_copies(const scan_timing_setup *setup, copier *copy, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *source = copy_source;
    cl_int code;

    *copy = (copier){.in = setup->args->in, .out = setup->args->out, .size_bytes = setup->data_bytes, .repetitions = 1};
    if (copy->in == copy->out) {
        /* In place there is one buffer: copy its first half over its second half, twice. */
        copy->size_bytes = setup->data_bytes / (2 * VECTOR_BYTES) * VECTOR_BYTES;
        copy->out_bytes = copy->size_bytes;
        copy->repetitions = 2;
    }
    copy->program = clCreateProgramWithSource(setup->context, 1, &source, NULL, &code);
    if (copy->program == NULL)
        return fail_opencl(error, "clCreateProgramWithSource", code);
    TRY_CL(clBuildProgram, (copy->program, 1, &setup->device, "", NULL, NULL));
    copy->kernel = clCreateKernel(copy->program, "copy", &code);
    if (copy->kernel == NULL)
        status = fail_opencl(error, "clCreateKernel", code);

cleanup:
    return status;
}

static void release_copies(copier *copy)
{
    if (copy->kernel != NULL)
        clReleaseKernel(copy->kernel);
    if (copy->program != NULL)
        clReleaseProgram(copy->program);
}

/* One turn: each contender once, so that slow drifts of the machine hit all alike. */
static clscan_status take_turn(const scan_timing_setup *setup, const copier *copy, cl_mem small, turn *t,
                               clscan_error *error)
{
    clscan_status status;

    *t = (turn){0};
    TRY(setup->several_launches ? time_launches(setup, small, &t->scan, error) : time_scan(setup, &t->scan, error));
    TRY(time_buffer_copy(setup, copy, &t->buffer_copy, error));
    if (copy->kernel != NULL)
        TRY(time_kernel_copy(setup, copy, &t->kernel_copy, error));

cleanup:
    return status;
}

/* Median of one timing of all turns, of which `member` picks one. */
static double median_of(const turn *turns, unsigned count, size_t member, bool on_host)
{
    double values[MOST_TURNS];

    for (unsigned i = 0; i < count; ++i) {
        const timing *taken = (const timing *)(const void *)((const char *)&turns[i] + member);

        values[i] = on_host ? taken->host_seconds : taken->device_seconds;
    }
    return median(values, count);
}

static void summarise(const turn *turns, unsigned count, bool has_kernel_copy, scan_timing *result)
{
    const double device_seconds = median_of(turns, count, offsetof(turn, scan), false);
    const double host_seconds = median_of(turns, count, offsetof(turn, scan), true);
    double kernel_copy_seconds;

    /* Mesa 22.3's events tell times of 0 and 1 ns. */
    result->on_host = device_seconds * 1000.0 < host_seconds;
    result->turns = count;
    result->scan_seconds = result->on_host ? host_seconds : device_seconds;
    result->copy_seconds = median_of(turns, count, offsetof(turn, buffer_copy), result->on_host);
    result->copy_name = "buffer copy";
    kernel_copy_seconds = median_of(turns, count, offsetof(turn, kernel_copy), result->on_host);
    if (has_kernel_copy && kernel_copy_seconds < result->copy_seconds) {
        result->copy_seconds = kernel_copy_seconds;
        result->copy_name = "copy kernel";
    }
}

clscan_status scan_timing_take(const scan_timing_setup *setup, scan_timing *result, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    turn turns[MOST_TURNS];
    const double begin = now_seconds();
    unsigned count = 0;
    copier copy = {0};
    cl_mem small = NULL;
    cl_int code;

    small = clCreateBuffer(setup->context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &code);
    if (small == NULL)
        return fail_opencl(error, "clCreateBuffer", code);
    TRY(prepare_copies(setup, &copy, error));
    /* The first use of everything pays for pages and caches. */
    TRY(take_turn(setup, &copy, small, &turns[0], error));
    while (count < MOST_TURNS && (count < FEWEST_TURNS || now_seconds() - begin < ENOUGH_SECONDS)) {
        TRY(take_turn(setup, &copy, small, &turns[count], error));
        ++count;
    }
    summarise(turns, count, copy.kernel != NULL, result);

cleanup:
    release_copies(&copy);
    clReleaseMemObject(small);
    return status;
}
