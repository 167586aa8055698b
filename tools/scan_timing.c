#include "scan_timing.h"

#include <stdbool.h>
#include <stddef.h>

#include "command_line/failure.h"
#include "common/clock.h"
#include "measure/statistics.h"

/* The runtime's own buffer copy is slow on some devices (one thread on PoCL): a kernel competes with it. */
static const char copy_source[] =
    "kernel void copy(global const uint4 *in, global uint4 *out, ulong first, ulong count)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i < count)\n"
    "        out[first + i] = in[i];\n"
    "}\n";

#define VECTOR_BYTES 16u
#define ENOUGH_NS UINT64_C(2000000000)
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
    uint64_t device_ns;
    uint64_t host_ns;
} timing;

typedef struct turn {
    timing scan;
    timing buffer_copy;
    timing kernel_copy; /* 0 without a kernel */
} turn;

/* Time between two profiling times of two events that have completed. */
static clscan_status elapsed(cl_event from, cl_profiling_info from_what, cl_event to, uint64_t *time_ns,
                             clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_ulong begin_ns;
    cl_ulong end_ns;

    TRY_CL(clGetEventProfilingInfo, (from, from_what, sizeof begin_ns, &begin_ns, NULL));
    TRY_CL(clGetEventProfilingInfo, (to, CL_PROFILING_COMMAND_END, sizeof end_ns, &end_ns, NULL));
    *time_ns = end_ns > begin_ns ? end_ns - begin_ns : 0;

cleanup:
    return status;
}

static void release_event(cl_event event)
{
    if (event != NULL)
        clReleaseEvent(event);
}

/* Wait for the queue, and add the time since two moments: on the device since `from_what` of the event `from`,
 * on the host since `host_begin_ns`. */
static clscan_status finish(const scan_timing_setup *setup, cl_event from, cl_profiling_info from_what, cl_event to,
                            uint64_t host_begin_ns, timing *sum, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t device_ns = 0;

    TRY_CL(clFinish, (setup->queue));
    sum->host_ns += clscan__now_ns() - host_begin_ns;
    TRY(elapsed(from, from_what, to, &device_ns, error));
    sum->device_ns += device_ns;

cleanup:
    return status;
}

static clscan_status time_scan(const scan_timing_setup *setup, timing *sum, clscan_error *error)
{
    clscan_status status;
    const uint64_t begin_ns = clscan__now_ns();
    cl_event done = NULL;

    TRY(clscan_run(setup->plan, setup->workspace, setup->queue, setup->args, 0, NULL, &done, error));
    TRY(finish(setup, done, CL_PROFILING_COMMAND_START, done, begin_ns, sum, error));

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
    uint64_t begin_ns;

    gate = clCreateUserEvent(setup->context, &code);
    if (gate == NULL)
        return fail_opencl(error, "clCreateUserEvent", code);
    code = clEnqueueFillBuffer(setup->queue, small, &zero, sizeof zero, 0, sizeof zero, 1, &gate, &before);
    run_status = code != CL_SUCCESS
                     ? fail_opencl(error, "clEnqueueFillBuffer", code)
                     : clscan_run(setup->plan, setup->workspace, setup->queue, setup->args, 0, NULL, &done, error);
    begin_ns = clscan__now_ns();
    /* Also after a failure, or the queue would never end. */
    TRY_CL(clSetUserEventStatus, (gate, CL_COMPLETE));
    TRY(run_status);
    TRY(finish(setup, before, CL_PROFILING_COMMAND_END, done, begin_ns, sum, error));

cleanup:
    release_event(done);
    release_event(before);
    release_event(gate);
    return status;
}

typedef clscan_status enqueue_copy(const scan_timing_setup *setup, const copier *copy, cl_event *done,
                                   clscan_error *error);

static clscan_status enqueue_buffer_copy(const scan_timing_setup *setup, const copier *copy, cl_event *done,
                                         clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    TRY_CL(clEnqueueCopyBuffer,
           (setup->queue, copy->in, copy->out, 0, (size_t)copy->out_bytes, (size_t)copy->size_bytes, 0, NULL, done));

cleanup:
    return status;
}

static clscan_status enqueue_kernel_copy(const scan_timing_setup *setup, const copier *copy, cl_event *done,
                                         clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const cl_ulong first = copy->out_bytes / VECTOR_BYTES;
    const cl_ulong count = copy->size_bytes / VECTOR_BYTES;
    const size_t global_size = (size_t)((count + 1023) / 1024 * 1024);

    TRY_CL(clSetKernelArg, (copy->kernel, 0, sizeof copy->in, &copy->in));
    TRY_CL(clSetKernelArg, (copy->kernel, 1, sizeof copy->out, &copy->out));
    TRY_CL(clSetKernelArg, (copy->kernel, 2, sizeof first, &first));
    TRY_CL(clSetKernelArg, (copy->kernel, 3, sizeof count, &count));
    TRY_CL(clEnqueueNDRangeKernel, (setup->queue, copy->kernel, 1, NULL, &global_size, NULL, 0, NULL, done));

cleanup:
    return status;
}

static clscan_status time_copy(const scan_timing_setup *setup, const copier *copy, enqueue_copy *enqueue, timing *sum,
                               clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_event done = NULL;

    for (unsigned i = 0; i < copy->repetitions; ++i) {
        const uint64_t begin_ns = clscan__now_ns();

        TRY(enqueue(setup, copy, &done, error));
        TRY(finish(setup, done, CL_PROFILING_COMMAND_START, done, begin_ns, sum, error));
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

    *copy = (copier){.in = setup->args->in.buffer,
                     .out = setup->args->out.buffer,
                     .size_bytes = setup->data_bytes,
                     .repetitions = 1};
    if (copy->in == copy->out) {
        /* In place there is one buffer: copy its first half over its second half, twice. */
        copy->size_bytes = setup->data_bytes / (2 * VECTOR_BYTES) * VECTOR_BYTES;
        copy->out_bytes = copy->size_bytes;
        copy->repetitions = 2;
    }
    copy->program = clCreateProgramWithSource(setup->context, 1, &source, NULL, &code);
    if (copy->program == NULL)
        return fail_opencl(error, "clCreateProgramWithSource", code);
    TRY_CL(clBuildProgram, (copy->program, 1, &setup->device, "-w", NULL, NULL));
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
    TRY(time_copy(setup, copy, enqueue_buffer_copy, &t->buffer_copy, error));
    if (copy->kernel != NULL)
        TRY(time_copy(setup, copy, enqueue_kernel_copy, &t->kernel_copy, error));

cleanup:
    return status;
}

/* Median of one timing of all turns, of which `member` picks one. */
static double median_ns(const turn *turns, unsigned count, size_t member, bool on_host)
{
    uint64_t values[MOST_TURNS];

    for (unsigned i = 0; i < count; ++i) {
        const timing *taken = (const timing *)(const void *)((const char *)&turns[i] + member);

        values[i] = on_host ? taken->host_ns : taken->device_ns;
    }
    return measure_summarise(values, count).median;
}

static void summarise(const turn *turns, unsigned count, bool has_kernel_copy, scan_timing *result)
{
    const double device_ns = median_ns(turns, count, offsetof(turn, scan), false);
    const double host_ns = median_ns(turns, count, offsetof(turn, scan), true);
    double kernel_copy_ns;
    double copy_ns;

    /* Mesa 22.3's events tell times of 0 and 1 ns. */
    result->on_host = device_ns * 1000.0 < host_ns;
    result->turns = count;
    result->scan_seconds = (result->on_host ? host_ns : device_ns) * 1e-9;
    result->copy_name = "buffer copy";
    copy_ns = median_ns(turns, count, offsetof(turn, buffer_copy), result->on_host);
    kernel_copy_ns = median_ns(turns, count, offsetof(turn, kernel_copy), result->on_host);
    if (has_kernel_copy && kernel_copy_ns < copy_ns) {
        copy_ns = kernel_copy_ns;
        result->copy_name = "copy kernel";
    }
    result->copy_seconds = copy_ns * 1e-9;
}

clscan_status scan_timing_take(const scan_timing_setup *setup, scan_timing *result, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    turn turns[MOST_TURNS];
    const uint64_t begin_ns = clscan__now_ns();
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
    while (count < MOST_TURNS && (count < FEWEST_TURNS || clscan__now_ns() - begin_ns < ENOUGH_NS)) {
        TRY(take_turn(setup, &copy, small, &turns[count], error));
        ++count;
    }
    summarise(turns, count, copy.kernel != NULL, result);

cleanup:
    release_copies(&copy);
    clReleaseMemObject(small);
    return status;
}
