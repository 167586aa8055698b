#include "serial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/description.h"

/* Elements of a work-item. */
#define BLOCK 1024u

/* The name of the type, the operator's, and what an exclusive scan has first are macros. */
static const char kernels[] =
    "\n#line 1 \"serial scan\"\n"
    "#define AT(k) (reverse ? first + count - 1 - (k) : first + (k))\n"
    "#define OUT_AT(k) (reverse ? count - 1 - (k) : (k))\n"
    "#define JOIN(before, next) (reverse ? COMBINE(next, before) : COMBINE(before, next))\n"
    "kernel void sum(global const ELEMENT *in, ulong first, ulong count, uint reverse, global ELEMENT *sums)\n"
    "{\n"
    "    const ulong begin = (ulong)get_global_id(0) * BLOCK;\n"
    "    const ulong end = min(count, begin + BLOCK);\n"
    "    ELEMENT all;\n"
    "    if (begin >= count)\n"
    "        return;\n"
    "    all = in[AT(begin)];\n"
    "    for (ulong k = begin + 1; k < end; ++k) {\n"
    "        const ELEMENT next = in[AT(k)];\n"
    "        all = JOIN(all, next);\n"
    "    }\n"
    "    sums[get_global_id(0)] = all;\n"
    "}\n"
    "kernel void carry_on(global ELEMENT *sums, ulong blocks, uint reverse, uint has_carry, global ELEMENT *carry)\n"
    "{\n"
    "    ELEMENT before = carry[0];\n"
    "    for (ulong i = 0; i < blocks; ++i) {\n"
    "        const ELEMENT next = sums[i];\n"
    "        sums[i] = before;\n"
    "        before = i > 0 || has_carry ? JOIN(before, next) : next;\n"
    "    }\n"
    "    carry[0] = before;\n"
    "}\n"
    "kernel void scan(global const ELEMENT *in, ulong first, ulong count, uint reverse, global const ELEMENT *sums,\n"
    "                 uint has_carry, uint exclusive, global ELEMENT *out)\n"
    "{\n"
    "    const ulong begin = (ulong)get_global_id(0) * BLOCK;\n"
    "    const ulong end = min(count, begin + BLOCK);\n"
    "    ELEMENT before;\n"
    "    if (begin >= count)\n"
    "        return;\n"
    "    before = sums[get_global_id(0)];\n"
    "    for (ulong k = begin; k < end; ++k) {\n"
    "        const ELEMENT next = in[AT(k)];\n"
    "        const ELEMENT after = k > 0 || has_carry ? JOIN(before, next) : next;\n"
    "        out[OUT_AT(k)] = !exclusive ? after : k > 0 || has_carry ? before : FIRST;\n"
    "        before = after;\n"
    "    }\n"
    "}\n"
    "kernel void loop(global const ELEMENT *in, ulong count, global ELEMENT *out)\n"
    "{\n"
    "    const ulong first = 0;\n"
    "    const uint reverse = REVERSED;\n"
    "    ELEMENT before = in[AT(0)];\n"
    "    {\n"
    "        const ELEMENT next = before;\n"
    "        out[AT(0)] = EXCLUSIVE ? FIRST : next;\n"
    "    }\n"
    "    for (ulong k = 1; k < count; ++k) {\n"
    "        const ELEMENT next = in[AT(k)];\n"
    "        const ELEMENT after = JOIN(before, next);\n"
    "        out[AT(k)] = EXCLUSIVE ? before : after;\n"
    "        before = after;\n"
    "    }\n"
    "}\n";

/* As OpenCL C calls it: scalars have no name of the caller's. */
static const char *name_of(const clscan_element *element)
{
    return element->name != NULL ? element->name : element_cl_name(element->type);
}

static size_t bytes_of(const clscan_element *element)
{
    return element->name != NULL ? element->size_bytes : clscan_type_size_bytes(element->type);
}

static bool build(measure_serial *serial, measure_note *note)
{
    const char *name = name_of(serial->element), *sources[4];
    char options[128], *macros;
    const char *identity = serial->custom->identity != NULL ? serial->custom->identity : "next";
    const size_t macro_bytes = strlen(identity) + strlen(serial->custom->function) + strlen(name) + 96;
    cl_int code;

    macros = malloc(macro_bytes);
    if (macros == NULL)
        return measure_fail(note, "no host memory for the kernels of a serial scan");
    snprintf(macros, macro_bytes, "\n#define ELEMENT %s\n#define COMBINE %s\n#define FIRST %s\n", name,
             serial->custom->function, identity);
    sources[0] = serial->element->source != NULL ? serial->element->source : "";
    sources[1] = serial->custom->source;
    sources[2] = macros;
    sources[3] = kernels;
    snprintf(options, sizeof options, "-w -cl-std=CL1.2 -DBLOCK=%u -DREVERSED=%d -DEXCLUSIVE=%d", BLOCK,
             serial->direction == CLSCAN_REVERSE, serial->form == CLSCAN_EXCLUSIVE);
    serial->program = clCreateProgramWithSource(serial->context, 4, sources, NULL, &code);
    free(macros);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateProgramWithSource", code);
    code = clBuildProgram(serial->program, 1, &serial->device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        char log[768] = "";

        /* A log that does not fit leaves the buffer as it is. */
        (void)clGetProgramBuildInfo(serial->program, serial->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        return measure_fail(note, "the serial scan of %s: %s: %s", name, clscan_cl_error_name(code), log);
    }
    return true;
}

static bool make_kernel(measure_serial *serial, const char *name, cl_kernel *kernel, measure_note *note)
{
    cl_int code;

    *kernel = clCreateKernel(serial->program, name, &code);
    return code == CL_SUCCESS || measure_fail_opencl(note, "clCreateKernel", code);
}

bool measure_serial_prepare(measure_serial *serial, measure_note *note)
{
    cl_int code;

    if (!build(serial, note) || !make_kernel(serial, "sum", &serial->sum, note) ||
        !make_kernel(serial, "carry_on", &serial->carry_on, note) ||
        !make_kernel(serial, "scan", &serial->scan, note) || !make_kernel(serial, "loop", &serial->loop, note))
        return false;
    serial->carry = clCreateBuffer(serial->context, CL_MEM_READ_WRITE, bytes_of(serial->element), NULL, &code);
    return code == CL_SUCCESS || measure_fail_opencl(note, "clCreateBuffer", code);
}

bool measure_serial_begin(measure_serial *serial, const void *initial, measure_note *note)
{
    serial->has_carry = initial != NULL;
    if (initial != NULL)
        MEASURE_TRY(note, clEnqueueWriteBuffer,
                    (serial->queue, serial->carry, CL_TRUE, 0, bytes_of(serial->element), initial, 0, NULL, NULL));
    return true;
}

/* Of work-groups that fill sub-groups; work-items behind the last block do nothing. */
#define ITEMS 64u

static bool enqueue(measure_serial *serial, cl_kernel kernel, size_t items, measure_note *note)
{
    MEASURE_TRY(note, clEnqueueNDRangeKernel, (serial->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    return true;
}

static bool run(measure_serial *serial, cl_mem in, cl_ulong first, cl_ulong count, cl_mem sums, cl_mem out,
                measure_note *note)
{
    const cl_uint reverse = serial->direction == CLSCAN_REVERSE, exclusive = serial->form == CLSCAN_EXCLUSIVE;
    const cl_uint has_carry = serial->has_carry;
    const cl_ulong blocks = (count + BLOCK - 1) / BLOCK;
    const size_t items = ((size_t)blocks + ITEMS - 1) / ITEMS * ITEMS;

    MEASURE_TRY(note, clSetKernelArg, (serial->sum, 0, sizeof in, &in));
    MEASURE_TRY(note, clSetKernelArg, (serial->sum, 1, sizeof first, &first));
    MEASURE_TRY(note, clSetKernelArg, (serial->sum, 2, sizeof count, &count));
    MEASURE_TRY(note, clSetKernelArg, (serial->sum, 3, sizeof reverse, &reverse));
    MEASURE_TRY(note, clSetKernelArg, (serial->sum, 4, sizeof sums, &sums));
    MEASURE_TRY(note, clSetKernelArg, (serial->carry_on, 0, sizeof sums, &sums));
    MEASURE_TRY(note, clSetKernelArg, (serial->carry_on, 1, sizeof blocks, &blocks));
    MEASURE_TRY(note, clSetKernelArg, (serial->carry_on, 2, sizeof reverse, &reverse));
    MEASURE_TRY(note, clSetKernelArg, (serial->carry_on, 3, sizeof has_carry, &has_carry));
    MEASURE_TRY(note, clSetKernelArg, (serial->carry_on, 4, sizeof serial->carry, &serial->carry));
    MEASURE_TRY(note, clSetKernelArg, (serial->scan, 0, sizeof in, &in));
    MEASURE_TRY(note, clSetKernelArg, (serial->scan, 1, sizeof first, &first));
    MEASURE_TRY(note, clSetKernelArg, (serial->scan, 2, sizeof count, &count));
    MEASURE_TRY(note, clSetKernelArg, (serial->scan, 3, sizeof reverse, &reverse));
    MEASURE_TRY(note, clSetKernelArg, (serial->scan, 4, sizeof sums, &sums));
    MEASURE_TRY(note, clSetKernelArg, (serial->scan, 5, sizeof has_carry, &has_carry));
    MEASURE_TRY(note, clSetKernelArg, (serial->scan, 6, sizeof exclusive, &exclusive));
    MEASURE_TRY(note, clSetKernelArg, (serial->scan, 7, sizeof out, &out));
    serial->has_carry = true;
    return enqueue(serial, serial->sum, items, note) && enqueue(serial, serial->carry_on, 1, note) &&
           enqueue(serial, serial->scan, items, note);
}

static bool make_room(measure_serial *serial, uint64_t blocks, measure_note *note)
{
    cl_int code;

    if (blocks <= serial->most_blocks)
        return true;
    if (serial->sums != NULL)
        clReleaseMemObject(serial->sums); /* which enqueued kernels keep */
    serial->most_blocks = 0;
    serial->sums =
        clCreateBuffer(serial->context, CL_MEM_READ_WRITE, (size_t)blocks * bytes_of(serial->element), NULL, &code);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateBuffer", code);
    serial->most_blocks = blocks;
    return true;
}

bool measure_serial_next(measure_serial *serial, cl_mem in, uint64_t first, uint64_t count, cl_mem out,
                         measure_note *note)
{
    return count == 0 || (make_room(serial, (count + BLOCK - 1) / BLOCK, note) &&
                          run(serial, in, first, count, serial->sums, out, note));
}

bool measure_serial_loop(measure_serial *serial, cl_mem in, uint64_t count, cl_mem out, cl_event *event,
                         measure_note *note)
{
    const cl_ulong elements = count;
    const size_t one = 1;

    MEASURE_TRY(note, clSetKernelArg, (serial->loop, 0, sizeof in, &in));
    MEASURE_TRY(note, clSetKernelArg, (serial->loop, 1, sizeof elements, &elements));
    MEASURE_TRY(note, clSetKernelArg, (serial->loop, 2, sizeof out, &out));
    MEASURE_TRY(note, clEnqueueNDRangeKernel, (serial->queue, serial->loop, 1, NULL, &one, &one, 0, NULL, event));
    return true;
}

void measure_serial_release(measure_serial *serial)
{
    if (serial->loop != NULL)
        clReleaseKernel(serial->loop);
    if (serial->sums != NULL)
        clReleaseMemObject(serial->sums);
    if (serial->carry != NULL)
        clReleaseMemObject(serial->carry);
    if (serial->scan != NULL)
        clReleaseKernel(serial->scan);
    if (serial->carry_on != NULL)
        clReleaseKernel(serial->carry_on);
    if (serial->sum != NULL)
        clReleaseKernel(serial->sum);
    if (serial->program != NULL)
        clReleaseProgram(serial->program);
    serial->carry = serial->sums = NULL;
    serial->most_blocks = 0;
    serial->loop = serial->scan = serial->carry_on = serial->sum = NULL;
    serial->program = NULL;
}
