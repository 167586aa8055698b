#include "difference.h"

#include <stdio.h>
#include <string.h>

#include "device.h"
#include "sweep.h"

/* Of a field the longest line below, with two names. */
#define FIELD_BYTES 192u

static const char begin[] =
    "\n#define CLOSE(e, g, tolerance, scale) \\\n"
    "    ((e) == (g) || (isnan(e) && isnan(g)) || isinf(e) || fabs((e) - (g)) <= (tolerance) * fmax(fabs(e), scale))\n"
    "kernel void differ_elements(global const ELEMENT *expected, global const ELEMENT *got, global uint *found,\n"
    "                            ulong count, ulong share, ulong step, ulong next)\n"
    "{\n"
    "    bool same = true;\n"
    "    for (ulong i = (ulong)get_global_id(0) * next, n = 0; n < share && i < count; ++n, i += step) {\n"
    "        const ELEMENT e = expected[i], g = got[i];\n";
static const char end[] = "    }\n"
                          "    if (!same)\n"
                          "        found[0] = 1;\n"
                          "}\n";

static void write_field(const element_field *field, double scale, char line[FIELD_BYTES])
{
    const char *suffix = field->type == CLSCAN_FLOAT ? "f" : "";

    if (field->type == CLSCAN_FLOAT || field->type == CLSCAN_DOUBLE)
        snprintf(line, FIELD_BYTES, "        same = same && CLOSE(e.%s, g.%s, %a%s, %a%s);\n", field->name, field->name,
                 field->tolerance, suffix, scale, suffix);
    else
        snprintf(line, FIELD_BYTES, "        same = same && e.%s == g.%s;\n", field->name, field->name);
}

bool measure_difference_create(const measure_device *device, const measure_element *element, const element_scale *scale,
                               cl_kernel *kernel, measure_note *note)
{
    const element_description *described = element->described;
    char fields[ELEMENT_MOST_FIELDS * FIELD_BYTES] = "", options[64];
    const char *sources[] = {described->element.source, begin, fields, end};
    cl_program program;
    cl_int code;

    for (unsigned i = 0; i < described->field_count; ++i)
        write_field(&described->fields[i], scale->fields[i], fields + strlen(fields));
    snprintf(options, sizeof options, "-w -cl-std=CL1.2 -DELEMENT=%s", described->name);
    if (!measure_device_program(device, sources, 4, options, "the comparison of elements", &program, note))
        return false;
    *kernel = clCreateKernel(program, "differ_elements", &code);
    clReleaseProgram(program); /* which the kernel keeps */
    return code == CL_SUCCESS || measure_fail_opencl(note, "clCreateKernel", code);
}

bool measure_difference_enqueue(const measure_device *device, cl_kernel kernel, cl_mem expected, cl_mem got,
                                uint64_t count, measure_note *note)
{
    MEASURE_TRY(note, clSetKernelArg, (kernel, 0, sizeof expected, &expected));
    MEASURE_TRY(note, clSetKernelArg, (kernel, 1, sizeof got, &got));
    MEASURE_TRY(note, clSetKernelArg, (kernel, 2, sizeof device->found, &device->found));
    return measure_sweep_units(device, kernel, 3, count, count, note);
}
