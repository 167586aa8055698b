#include "loops.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/device.h"
#include "words.h"

#define ELEMENT_BYTES 4
/* Elements behind the last one that a copy must leave alone. */
#define CANARY_COUNT 64
#define CANARY_BYTE 0xA5
/* Where nobody knows the sub-groups, neighbours share a line of a cache. */
#define DEFAULT_LANES 16

/* Each begins with its own elements; the last ones, which fill no vector, are copied one by one. */
static const char source[] =
    "#if VECTOR_LENGTH == 1\n"
    "typedef uint vector;\n"
    "#elif VECTOR_LENGTH == 2\n"
    "typedef uint2 vector;\n"
    "#else\n"
    "typedef uint4 vector;\n"
    "#endif\n"
    "\n"
    "void copy_rest(__global const uint *in, __global uint *out, ulong count)\n"
    "{\n"
    "    for (ulong i = count / VECTOR_LENGTH * VECTOR_LENGTH + get_global_id(0); i < count; i += get_global_size(0))\n"
    "        out[i] = in[i];\n"
    "}\n"
    "\n"
    "__kernel void no_loop(__global const vector *in, __global vector *out, ulong count)\n"
    "{\n"
    "    const ulong i = get_global_id(0);\n"
    "    if (i < count / VECTOR_LENGTH)\n"
    "        out[i] = in[i];\n"
    "    copy_rest((__global const uint *)in, (__global uint *)out, count);\n"
    "}\n"
    "\n"
    "__kernel void grid_stride(__global const vector *in, __global vector *out, ulong count)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < count / VECTOR_LENGTH; i += get_global_size(0))\n"
    "        out[i] = in[i];\n"
    "    copy_rest((__global const uint *)in, (__global uint *)out, count);\n"
    "}\n"
    "\n"
    "__kernel void sequences(__global const vector *in, __global vector *out, ulong count)\n"
    "{\n"
    "    const ulong vectors = count / VECTOR_LENGTH;\n"
    "    const ulong sequence_count = get_global_size(0) / LANES;\n"
    "    const ulong length = (vectors + sequence_count - 1) / sequence_count;\n"
    "    const ulong begin = get_global_id(0) / LANES * length;\n"
    "    const ulong end = min(begin + length, vectors);\n"
    "    for (ulong i = begin + get_global_id(0) % LANES; i < end; i += LANES)\n"
    "        out[i] = in[i];\n"
    "    copy_rest((__global const uint *)in, (__global uint *)out, count);\n"
    "}\n";

typedef struct loop {
    char kernel[32];
    size_t vector_length;
    size_t group_size;
    size_t groups; /* 0: as many as there are vectors for */
} loop;

static size_t value_of(const char *word)
{
    return (size_t)strtoul(strchr(word, '=') + 1, NULL, 10);
}

/* Requests are the suites' own. */
static loop read_loop(const char *request)
{
    char words[4][32];
    const size_t count = bench_split(request, ' ', words, 4);
    loop read = {.vector_length = value_of(words[1]), .group_size = value_of(words[2])};

    memcpy(read.kernel, words[0], sizeof read.kernel);
    if (count == 4)
        read.groups = value_of(words[3]);
    return read;
}

static size_t lanes_of(const clscan_device_info *info)
{
    if (info->sub_group_size > 0)
        return info->sub_group_size;
    return info->reported_sub_group_size > 0 ? info->reported_sub_group_size : DEFAULT_LANES;
}

bool bench_loop_check(const char *request, const measure_case *c, measure_note *note)
{
    const loop wanted = read_loop(request);
    const clscan_device_info *info = &c->device->info;

    if (c->problem.bytes % ELEMENT_BYTES != 0)
        return measure_fail(note, "needs whole elements of %d bytes", ELEMENT_BYTES);
    if (wanted.group_size > info->max_work_group_size)
        return measure_fail(note, "needs work-groups of %zu work-items, the device has %zu", wanted.group_size,
                            (size_t)info->max_work_group_size);
    if (wanted.group_size % lanes_of(info) != 0 && strcmp(wanted.kernel, "sequences") == 0)
        return measure_fail(note, "work-groups of %zu work-items are no whole sub-groups of %zu", wanted.group_size,
                            lanes_of(info));
    return true;
}

static cl_kernel build(const measure_case *c, const loop *wanted, measure_note *note)
{
    const char *text = source;
    cl_kernel kernel = NULL;
    cl_program program;
    char options[96];
    cl_int code;

    snprintf(options, sizeof options, "-w -cl-std=CL1.2 -DVECTOR_LENGTH=%zu -DLANES=%zu", wanted->vector_length,
             lanes_of(&c->device->info));
    if (!measure_device_program(c->device, &text, 1, options, "the copy with loops", &program, note))
        return NULL;
    kernel = clCreateKernel(program, wanted->kernel, &code);
    if (code != CL_SUCCESS)
        measure_fail_opencl(note, "clCreateKernel", code);
    clReleaseProgram(program); /* the kernel keeps it */
    return kernel;
}

static bool enqueue_count(measure_contender *contender, const measure_case *c, uint64_t count, cl_event *event)
{
    const cl_kernel kernel = (cl_kernel)contender->state;
    const loop wanted = read_loop(contender->request);
    const uint64_t share = wanted.vector_length * wanted.group_size;
    const uint64_t groups = wanted.groups > 0 ? wanted.groups : (count + share - 1) / share;
    const size_t global = (size_t)groups * wanted.group_size;
    const cl_ulong elements = count;

    MEASURE_TRY(&contender->note, clSetKernelArg, (kernel, 0, sizeof c->source, &c->source));
    MEASURE_TRY(&contender->note, clSetKernelArg, (kernel, 1, sizeof c->target, &c->target));
    MEASURE_TRY(&contender->note, clSetKernelArg, (kernel, 2, sizeof elements, &elements));
    MEASURE_TRY(&contender->note, clEnqueueNDRangeKernel,
                (c->device->queue, kernel, 1, NULL, &global, &wanted.group_size, 0, NULL, event));
    return true;
}

/* Copy all but the last elements of the case, and see that the target still has there what it had. */
static bool check_canary(measure_contender *contender, const measure_case *c, bool *untouched)
{
    const uint64_t all = c->problem.bytes / ELEMENT_BYTES;
    const uint64_t canary_count = all / 2 < CANARY_COUNT ? all / 2 : CANARY_COUNT;
    const size_t begin = (size_t)(all - canary_count) * ELEMENT_BYTES;
    const size_t bytes = (size_t)canary_count * ELEMENT_BYTES;
    unsigned char canary[CANARY_COUNT * ELEMENT_BYTES];

    *untouched = true;
    if (canary_count == 0)
        return true;
    memset(canary, CANARY_BYTE, bytes);
    MEASURE_TRY(&contender->note, clEnqueueWriteBuffer,
                (c->device->queue, c->target, CL_TRUE, begin, bytes, canary, 0, NULL, NULL));
    if (!enqueue_count(contender, c, all - canary_count, NULL))
        return false;
    MEASURE_TRY(&contender->note, clEnqueueReadBuffer,
                (c->device->queue, c->target, CL_TRUE, begin, bytes, canary, 0, NULL, NULL));
    for (size_t i = 0; i < bytes && *untouched; ++i) {
        *untouched = canary[i] == CANARY_BYTE;
        if (!*untouched)
            measure_fail(&contender->note, "byte %zu behind the last one is not what it was", i);
    }
    return true;
}

static measure_outcome prepare(measure_contender *contender, const measure_case *c)
{
    const loop wanted = read_loop(contender->request);
    bool untouched = false;

    if (!bench_loop_check(contender->request, c, &contender->note))
        return MEASURE_UNAVAILABLE;
    contender->one_command = true;
    snprintf(contender->variant, sizeof contender->variant, "%s", contender->request);
    contender->state = build(c, &wanted, &contender->note);
    if (contender->state == NULL || !check_canary(contender, c, &untouched))
        return MEASURE_FAILED;
    return untouched ? MEASURE_OK : MEASURE_WRONG;
}

static bool enqueue(measure_contender *contender, const measure_case *c, cl_event *event)
{
    return enqueue_count(contender, c, c->problem.bytes / ELEMENT_BYTES, event);
}

static void release(measure_contender *contender)
{
    if (contender->state != NULL)
        clReleaseKernel((cl_kernel)contender->state);
}

const measure_kind bench_loop_copy = {
    .name = "loop", .copies = true, .no_yardstick = true, .prepare = prepare, .enqueue = enqueue, .release = release};
