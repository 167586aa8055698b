#include "device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels.h"
#include "threads.h"

#define HOLD_NANOSECONDS 100000u
#define HOLD_MAX_STEPS (1u << 26)

static bool build(bench_device *device, bench_note *note)
{
    const char *sources[] = {bench_kernels_general, bench_kernels_lines};
    char options[64];
    cl_int code;

    device->program = clCreateProgramWithSource(device->context, 2, sources, NULL, &code);
    if (code != CL_SUCCESS)
        return bench_fail_opencl(note, "clCreateProgramWithSource", code);
    snprintf(options, sizeof options, "-cl-std=CL1.2 -DCHUNK=%d", BENCH_LINES_CHUNK);
    code = clBuildProgram(device->program, 1, &device->id, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        char log[768] = "";

        /* A log that does not fit leaves the buffer as it is. */
        (void)clGetProgramBuildInfo(device->program, device->id, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        return bench_fail(note, "the benchmark's kernels: %s: %s", clscan_cl_error_name(code), log);
    }
    return true;
}

static bool create_objects(bench_device *device, bench_note *note)
{
    cl_int code;

    device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return bench_fail_opencl(note, "clCreateContext", code);
    device->queue = clCreateCommandQueue(device->context, device->id, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS)
        return bench_fail_opencl(note, "clCreateCommandQueue", code);
    device->scratch = clCreateBuffer(device->context, CL_MEM_READ_WRITE, 4096, NULL, &code);
    if (code != CL_SUCCESS)
        return bench_fail_opencl(note, "clCreateBuffer", code);
    if (!build(device, note))
        return false;
    device->hold = clCreateKernel(device->program, "hold", &code);
    if (code != CL_SUCCESS)
        return bench_fail_opencl(note, "clCreateKernel", code);
    return true;
}

bool bench_device_hold(bench_device *device, cl_event *event, bench_note *note)
{
    const size_t one = 1;

    BENCH_TRY(note, clSetKernelArg, (device->hold, 0, sizeof device->scratch, &device->scratch));
    BENCH_TRY(note, clSetKernelArg, (device->hold, 1, sizeof device->hold_steps, &device->hold_steps));
    BENCH_TRY(note, clEnqueueNDRangeKernel, (device->queue, device->hold, 1, NULL, &one, &one, 0, NULL, event));
    return true;
}

bool bench_device_hold_longer(bench_device *device)
{
    if (device->hold_steps >= HOLD_MAX_STEPS)
        return false;
    device->hold_steps *= 2;
    return true;
}

/* Find how many steps hold the device for HOLD_NANOSECONDS. */
static bool calibrate_hold(bench_device *device, bench_note *note)
{
    device->hold_steps = 10000;
    for (int round = 0; round < 2; ++round) { /* the first one pays for loading the kernel */
        cl_event event;
        cl_ulong begin = 0, end = 0;
        cl_int code;
        double steps;

        if (!bench_device_hold(device, &event, note))
            return false;
        code = clWaitForEvents(1, &event);
        if (code == CL_SUCCESS)
            code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);
        if (code == CL_SUCCESS)
            code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
        clReleaseEvent(event);
        if (code != CL_SUCCESS)
            return bench_fail(note, "no profiling times (%s); try --clock host", clscan_cl_error_name(code));
        if (end <= begin)
            return bench_fail(note, "profiling times are %" PRIu64 " .. %" PRIu64 "; try --clock host", (uint64_t)begin,
                              (uint64_t)end);
        steps = (double)device->hold_steps * HOLD_NANOSECONDS / (double)(end - begin);
        device->hold_steps = steps < 100.0 ? 100 : steps > HOLD_MAX_STEPS ? HOLD_MAX_STEPS : (uint32_t)steps;
    }
    return true;
}

bool bench_device_open(const char *selector, bench_clock_choice clock, bench_device *device, bench_note *note)
{
    bool is_cpu;
    clscan_error error;

    *device = (bench_device){0};
    if (clscan_device_find(selector, &device->id, &error) != CLSCAN_OK ||
        clscan_device_describe(device->id, &device->info, &error) != CLSCAN_OK)
        return bench_fail(note, "%s", error.message);
    is_cpu = device->info.device_class == CLSCAN_DEVICE_CLASS_CPU;
    device->host_clock = clock == BENCH_CLOCK_BY_HOST || (clock == BENCH_CLOCK_AUTO && is_cpu);
    device->thread_count = device->info.compute_units > 0 ? device->info.compute_units : 1;
    if (!create_objects(device, note))
        goto failed;
    if (!device->host_clock && !calibrate_hold(device, note))
        goto failed;
    if (is_cpu) {
        device->threads = bench_threads_create(device->thread_count);
        if (device->threads == NULL) {
            bench_fail(note, "cannot start %u threads", device->thread_count);
            goto failed;
        }
    }
    return true;

failed:
    bench_device_close(device);
    return false;
}

void bench_device_close(bench_device *device)
{
    bench_threads_destroy(device->threads);
    if (device->hold != NULL)
        clReleaseKernel(device->hold);
    if (device->program != NULL)
        clReleaseProgram(device->program);
    if (device->scratch != NULL)
        clReleaseMemObject(device->scratch);
    if (device->queue != NULL)
        clReleaseCommandQueue(device->queue);
    if (device->context != NULL)
        clReleaseContext(device->context);
    *device = (bench_device){0};
}
