#include "stride.h"

#include <stdio.h>

#include "measure/device.h"

#define GROUP 256

const char *const bench_strides[BENCH_STRIDE_COUNT] = {"1", "2", "4", "8", "16", "32", "64"};

/* The last elements, which fill no whole work-group's share, are copied by its work-items in turn. */
static const char source[] = "__kernel void copy_strided(__global const uint *in, __global uint *out, ulong count)\n"
                             "{\n"
                             "    const ulong share = (ulong)get_local_size(0) * ITEMS;\n"
                             "    const ulong first = (ulong)get_group_id(0) * share;\n"
                             "    if (first + share <= count) {\n"
                             "        for (uint j = 0; j < ITEMS; j += STRIDE) {\n"
                             "            const ulong at = first + j * get_local_size(0) + get_local_id(0) * STRIDE;\n"
                             "            for (uint k = 0; k < STRIDE; ++k)\n"
                             "                out[at + k] = in[at + k];\n"
                             "        }\n"
                             "    } else {\n"
                             "        for (ulong i = first + get_local_id(0); i < count; i += get_local_size(0))\n"
                             "            out[i] = in[i];\n"
                             "    }\n"
                             "}\n";

static cl_kernel build(const measure_case *c, const char *stride, measure_note *note)
{
    const char *text = source;
    const cl_ulong count = c->problem.bytes / 4;
    cl_kernel kernel = NULL;
    cl_program program;
    char options[64];
    cl_int code;

    snprintf(options, sizeof options, "-w -cl-std=CL1.2 -DITEMS=%d -DSTRIDE=%s", BENCH_STRIDE_ITEMS, stride);
    if (!measure_device_program(c->device, &text, 1, options, "the strided copy", &program, note))
        return NULL;
    kernel = clCreateKernel(program, "copy_strided", &code);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 2, sizeof count, &count);
    if (code != CL_SUCCESS)
        measure_fail_opencl(note, "the strided copy", code);
    clReleaseProgram(program); /* the kernel keeps it */
    if (code == CL_SUCCESS)
        return kernel;
    if (kernel != NULL)
        clReleaseKernel(kernel);
    return NULL;
}

static measure_outcome prepare(measure_contender *contender, const measure_case *c)
{
    if (c->device->info.max_work_group_size < GROUP || c->problem.bytes % 4 != 0) {
        measure_fail(&contender->note, "needs work-groups of %d work-items, and whole elements of 4 bytes", GROUP);
        return MEASURE_UNAVAILABLE;
    }
    contender->one_command = true;
    contender->state = build(c, contender->request, &contender->note);
    return contender->state != NULL ? MEASURE_OK : MEASURE_FAILED;
}

static bool enqueue(measure_contender *contender, const measure_case *c, cl_event *event)
{
    const cl_kernel kernel = (cl_kernel)contender->state;
    const uint64_t share_bytes = (uint64_t)GROUP * BENCH_STRIDE_ITEMS * 4;
    const size_t local = GROUP;
    const size_t global = (size_t)((c->problem.bytes + share_bytes - 1) / share_bytes) * local;

    MEASURE_TRY(&contender->note, clSetKernelArg, (kernel, 0, sizeof c->source, &c->source));
    MEASURE_TRY(&contender->note, clSetKernelArg, (kernel, 1, sizeof c->target, &c->target));
    MEASURE_TRY(&contender->note, clEnqueueNDRangeKernel,
                (c->device->queue, kernel, 1, NULL, &global, &local, 0, NULL, event));
    return true;
}

static void release(measure_contender *contender)
{
    if (contender->state != NULL)
        clReleaseKernel((cl_kernel)contender->state);
}

const measure_kind bench_stride_copy = {
    .name = "stride", .copies = true, .no_yardstick = true, .prepare = prepare, .enqueue = enqueue, .release = release};
