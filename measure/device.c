#include "device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "kernels.h"
#include "sweep.h"
#include "threads.h"

#define HOLD_NANOSECONDS 100000u
#define HOLD_MAX_STEPS (1u << 26)

/* The scheduler wakes both where the last one ran, and moves neither for so short a while. */
const char *measure_device_advice(const clscan_device_info *info)
{
    const char *affinity = getenv("POCL_AFFINITY");
    const bool is_set = affinity != NULL && affinity[0] != '\0' && strcmp(affinity, "0") != 0;

    if (is_set || info->device_class != CLSCAN_DEVICE_CLASS_CPU || info->compute_units < 2 ||
        strcmp(info->platform_name, "Portable Computing Language") != 0)
        return NULL;
    return "threads of PoCL may share a core, and runs of less than some ms then take twice as long; with "
           "POCL_AFFINITY=1 in the environment each has its own";
}

bool measure_device_program(const measure_device *device, const char **sources, cl_uint source_count,
                            const char *options, const char *what, cl_program *program, measure_note *note)
{
    cl_int code;

    *program = clCreateProgramWithSource(device->context, source_count, sources, NULL, &code);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateProgramWithSource", code);
    code = clBuildProgram(*program, 1, &device->id, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        char log[768] = "";

        /* A log that does not fit leaves the buffer as it is. */
        (void)clGetProgramBuildInfo(*program, device->id, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        clReleaseProgram(*program);
        *program = NULL;
        return measure_fail(note, "%s: %s: %s", what, clscan_cl_error_name(code), log);
    }
    return true;
}

static bool build(measure_device *device, measure_note *note)
{
    const char *sources[] = {measure_kernels_general, measure_kernels_lines, measure_kernels_reads};
    char options[64];

    snprintf(options, sizeof options, "-w -cl-std=CL1.2 -DCHUNK=%d -DREAD_VECTORS=%d", MEASURE_LINES_CHUNK,
             MEASURE_READ_VECTORS);
    return measure_device_program(device, sources, 3, options, "the measuring kernels", &device->program, note);
}

bool measure_device_kernel(const measure_device *device, const char *name, cl_kernel *kernel, measure_note *note)
{
    cl_int code;

    *kernel = clCreateKernel(device->program, name, &code);
    return code == CL_SUCCESS || measure_fail_opencl(note, "clCreateKernel", code);
}

static bool create_objects(measure_device *device, measure_note *note)
{
    cl_uint zero = 0;
    cl_int code;

    device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateContext", code);
    device->queue = clCreateCommandQueue(device->context, device->id, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateCommandQueue", code);
    device->scratch = clCreateBuffer(device->context, CL_MEM_READ_WRITE, 4096, NULL, &code);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateBuffer", code);
    device->found =
        clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zero, &zero, &code);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateBuffer", code);
    return build(device, note) && measure_device_kernel(device, "hold", &device->hold, note) &&
           measure_device_kernel(device, "fill", &device->fill, note) &&
           measure_device_kernel(device, "differ", &device->differ, note);
}

bool measure_device_fill(const measure_device *device, cl_mem buffer, cl_uchar byte, uint64_t bytes, measure_note *note)
{
    MEASURE_TRY(note, clSetKernelArg, (device->fill, 0, sizeof buffer, &buffer));
    MEASURE_TRY(note, clSetKernelArg, (device->fill, 1, sizeof byte, &byte));
    return measure_sweep(device, device->fill, 2, bytes, note);
}

bool measure_device_hold(measure_device *device, cl_event *event, measure_note *note)
{
    const size_t one = 1;

    MEASURE_TRY(note, clSetKernelArg, (device->hold, 0, sizeof device->scratch, &device->scratch));
    MEASURE_TRY(note, clSetKernelArg, (device->hold, 1, sizeof device->hold_steps, &device->hold_steps));
    MEASURE_TRY(note, clEnqueueNDRangeKernel, (device->queue, device->hold, 1, NULL, &one, &one, 0, NULL, event));
    return true;
}

bool measure_device_hold_longer(measure_device *device)
{
    if (device->hold_steps >= HOLD_MAX_STEPS)
        return false;
    device->hold_steps *= 2;
    return true;
}

/* Find how many steps hold the device for HOLD_NANOSECONDS. */
static bool calibrate_hold(measure_device *device, measure_note *note)
{
    device->hold_steps = 10000;
    for (int round = 0; round < 2; ++round) { /* the first one pays for loading the kernel */
        cl_event event;
        cl_ulong begin = 0, end = 0;
        cl_int code;
        double steps;

        if (!measure_device_hold(device, &event, note))
            return false;
        code = clWaitForEvents(1, &event);
        if (code == CL_SUCCESS)
            code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);
        if (code == CL_SUCCESS)
            code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
        clReleaseEvent(event);
        if (code != CL_SUCCESS)
            return measure_fail(note, "no profiling times (%s): only the host's clock can be used",
                                clscan_cl_error_name(code));
        if (end <= begin)
            return measure_fail(note,
                                "profiling times are %" PRIu64 " .. %" PRIu64 ": only the host's clock can be used",
                                (uint64_t)begin, (uint64_t)end);
        steps = (double)device->hold_steps * HOLD_NANOSECONDS / (double)(end - begin);
        device->hold_steps = steps < 100.0 ? 100 : steps > HOLD_MAX_STEPS ? HOLD_MAX_STEPS : (uint32_t)steps;
    }
    return true;
}

bool measure_device_open(const char *selector, measure_clock_choice clock, measure_device *device, measure_note *note)
{
    bool is_cpu;
    clscan_error error;

    *device = (measure_device){.info.struct_size = sizeof device->info};
    if (clscan_device_find(selector, &device->id, &error) != CLSCAN_OK ||
        clscan_device_describe(device->id, &device->info, &error) != CLSCAN_OK)
        return measure_fail(note, "%s", error.message);
    is_cpu = device->info.device_class == CLSCAN_DEVICE_CLASS_CPU;
    device->host_clock =
        clock == MEASURE_CLOCK_BY_HOST || ((clock == MEASURE_CLOCK_AUTO || clock == MEASURE_CLOCK_ALIKE) && is_cpu);
    device->queue_clock = clock == MEASURE_CLOCK_BY_QUEUE || clock == MEASURE_CLOCK_ALIKE;
    device->both_clocks = clock == MEASURE_CLOCK_BY_BOTH;
    device->cache_bytes = measure_cache_bytes(device->id, &device->info);
    device->thread_count = device->info.compute_units > 0 ? device->info.compute_units : 1;
    if (!create_objects(device, note))
        goto failed;
    if (!device->host_clock && !calibrate_hold(device, note))
        goto failed;
    if (is_cpu) {
        device->threads = measure_threads_create(device->thread_count);
        if (device->threads == NULL) {
            measure_fail(note, "cannot start %u threads", device->thread_count);
            goto failed;
        }
    }
    return true;

failed:
    measure_device_close(device);
    return false;
}

void measure_device_close(measure_device *device)
{
    measure_threads_destroy(device->threads);
    if (device->hold != NULL)
        clReleaseKernel(device->hold);
    if (device->differ != NULL)
        clReleaseKernel(device->differ);
    if (device->fill != NULL)
        clReleaseKernel(device->fill);
    if (device->program != NULL)
        clReleaseProgram(device->program);
    if (device->scratch != NULL)
        clReleaseMemObject(device->scratch);
    if (device->found != NULL)
        clReleaseMemObject(device->found);
    if (device->queue != NULL)
        clReleaseCommandQueue(device->queue);
    if (device->context != NULL)
        clReleaseContext(device->context);
    *device = (measure_device){0};
}
