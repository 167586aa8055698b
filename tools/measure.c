#include "measure.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

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

typedef struct copier {
    cl_mem in;
    cl_mem out;
    uint64_t out_bytes;   /* where the copy begins in `out` */
    uint64_t size_bytes;  /* of one copy */
    unsigned repetitions; /* copies that make up data_bytes */
    cl_program program;
    cl_kernel kernel; /* NULL: too few bytes for it */
} copier;

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;

    return (a > b) - (a < b);
}

double median(double *values, size_t count)
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

static clscan_status time_scan(const measure_setup *setup, double *seconds, clscan_error *error)
{
    clscan_status status;
    cl_event done = NULL;

    TRY(clscan_run(setup->plan, setup->workspace, setup->queue, setup->args, 0, NULL, &done, error));
    TRY_CL(clFinish, (setup->queue));
    TRY(elapsed(done, CL_PROFILING_COMMAND_START, done, seconds, error));

cleanup:
    release_event(done);
    return status;
}

/* From the end of a small command before the first launch to the end of the last. The small command waits
 * until all is enqueued, so that the host's own time does not count. */
static clscan_status time_launches(const measure_setup *setup, cl_mem small, double *seconds,
                                   clscan_error *error)
{
    static const cl_uint zero = 0;
    clscan_status status = CLSCAN_OK;
    clscan_status run_status;
    cl_event gate = NULL;
    cl_event before = NULL;
    cl_event done = NULL;
    cl_int code;

    gate = clCreateUserEvent(setup->context, &code);
    if (gate == NULL)
        return fail_opencl(error, "clCreateUserEvent", code);
    code = clEnqueueFillBuffer(setup->queue, small, &zero, sizeof zero, 0, sizeof zero, 1, &gate, &before);
    run_status = code != CL_SUCCESS ? fail_opencl(error, "clEnqueueFillBuffer", code)
                                    : clscan_run(setup->plan, setup->workspace, setup->queue, setup->args, 0,
                                                 NULL, &done, error);
    TRY_CL(clSetUserEventStatus,
           (gate, CL_COMPLETE)); /* also after a failure, or the queue would never end */
    TRY(run_status);
    TRY_CL(clFinish, (setup->queue));
    TRY(elapsed(before, CL_PROFILING_COMMAND_END, done, seconds, error));

cleanup:
    release_event(done);
    release_event(before);
    release_event(gate);
    return status;
}

static clscan_status time_buffer_copy(const measure_setup *setup, const copier *copy, double *seconds,
                                      clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_event done = NULL;
    double once;

    *seconds = 0.0;
    for (unsigned i = 0; i < copy->repetitions; ++i) {
        TRY_CL(clEnqueueCopyBuffer, (setup->queue, copy->in, copy->out, 0, (size_t)copy->out_bytes,
                                     (size_t)copy->size_bytes, 0, NULL, &done));
        TRY_CL(clFinish, (setup->queue));
        TRY(elapsed(done, CL_PROFILING_COMMAND_START, done, &once, error));
        clReleaseEvent(done);
        done = NULL;
        *seconds += once;
    }

cleanup:
    release_event(done);
    return status;
}

static clscan_status time_kernel_copy(const measure_setup *setup, const copier *copy, double *seconds,
                                      clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_event done = NULL;
    const cl_ulong first = copy->out_bytes / VECTOR_BYTES;
    const cl_ulong count = copy->size_bytes / VECTOR_BYTES;
    const size_t global_size = (size_t)((count + 1023) / 1024 * 1024);
    double once;

    *seconds = 0.0;
    TRY_CL(clSetKernelArg, (copy->kernel, 0, sizeof copy->in, &copy->in));
    TRY_CL(clSetKernelArg, (copy->kernel, 1, sizeof copy->out, &copy->out));
    TRY_CL(clSetKernelArg, (copy->kernel, 2, sizeof first, &first));
    TRY_CL(clSetKernelArg, (copy->kernel, 3, sizeof count, &count));
    for (unsigned i = 0; i < copy->repetitions; ++i) {
        TRY_CL(clEnqueueNDRangeKernel,
               (setup->queue, copy->kernel, 1, NULL, &global_size, NULL, 0, NULL, &done));
        TRY_CL(clFinish, (setup->queue));
        TRY(elapsed(done, CL_PROFILING_COMMAND_START, done, &once, error));
        clReleaseEvent(done);
        done = NULL;
        *seconds += once;
    }

cleanup:
    release_event(done);
    return status;
}

static clscan_status prepare_copies(const measure_setup *setup, copier *copy, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *source = copy_source;
    cl_int code;

    *copy = (copier){
        .in = setup->args->in, .out = setup->args->out, .size_bytes = setup->data_bytes, .repetitions = 1};
    if (copy->in == copy->out && setup->data_bytes >= 2 * VECTOR_BYTES) {
        /* In place there is one buffer: copy its first half over its second half, twice. */
        copy->size_bytes = setup->data_bytes / (2 * VECTOR_BYTES) * VECTOR_BYTES;
        copy->out_bytes = copy->size_bytes;
        copy->repetitions = 2;
    }
    if (copy->size_bytes < VECTOR_BYTES)
        return CLSCAN_OK;
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
static clscan_status take_turn(const measure_setup *setup, const copier *copy, cl_mem small, double *scan,
                               double *buffer_copy, double *kernel_copy, clscan_error *error)
{
    clscan_status status;

    *kernel_copy = 0.0;
    TRY(setup->several_launches ? time_launches(setup, small, scan, error) : time_scan(setup, scan, error));
    TRY(time_buffer_copy(setup, copy, buffer_copy, error));
    if (copy->kernel != NULL)
        TRY(time_kernel_copy(setup, copy, kernel_copy, error));

cleanup:
    return status;
}

clscan_status measure_scan(const measure_setup *setup, measurement *result, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    double scans[MEASURE_TURNS];
    double buffer_copies[MEASURE_TURNS];
    double kernel_copies[MEASURE_TURNS];
    double ignored[3];
    double total_seconds = 0.0;
    double kernel_copy_seconds;
    unsigned turns = 0;
    copier copy = {0};
    cl_mem small = NULL;
    cl_int code;

    small = clCreateBuffer(setup->context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &code);
    if (small == NULL)
        return fail_opencl(error, "clCreateBuffer", code);
    TRY(prepare_copies(setup, &copy, error));
    /* The first use of everything pays for pages and caches. */
    TRY(take_turn(setup, &copy, small, &ignored[0], &ignored[1], &ignored[2], error));
    while (turns < MEASURE_TURNS && (turns < FEWEST_TURNS || total_seconds < ENOUGH_SECONDS)) {
        TRY(take_turn(setup, &copy, small, &scans[turns], &buffer_copies[turns], &kernel_copies[turns],
                      error));
        total_seconds += scans[turns] + buffer_copies[turns] + kernel_copies[turns];
        ++turns;
    }
    result->turns = turns;
    result->scan_seconds = median(scans, turns);
    result->copy_seconds = median(buffer_copies, turns);
    result->copy_name = "buffer copy";
    kernel_copy_seconds = median(kernel_copies, turns);
    if (copy.kernel != NULL && kernel_copy_seconds < result->copy_seconds) {
        result->copy_seconds = kernel_copy_seconds;
        result->copy_name = "copy kernel";
    }

cleanup:
    release_copies(&copy);
    clReleaseMemObject(small);
    return status;
}
