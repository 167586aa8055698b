#include "check.h"

#include <string.h>

#include "difference.h"
#include "sweep.h"

static bool compare(const measure_case *c, bool *same, measure_note *note)
{
    return measure_check_enqueue(c->device, c->source, c->target, c->problem.bytes, note) &&
           measure_check_read(c->device, same, note);
}

/* Compare source and target, element by element. */
static bool compare_elements(const measure_case *c, bool *same, measure_note *note)
{
    return measure_difference_enqueue(c->device, c->differ_elements, c->source, c->target, c->problem.count, note) &&
           measure_check_read(c->device, same, note);
}

/* A field of the last element that is another integer, or a NaN, must be seen: each field by itself. */
static bool prove_elements(const measure_case *c, bool *proven, measure_note *note)
{
    const cl_command_queue queue = c->device->queue;
    const element_description *described = c->problem.element->described;
    const uint64_t last = c->problem.bytes - described->size_bytes;
    unsigned char element[CLSCAN_MOST_ELEMENT_BYTES] = {0}, changed[CLSCAN_MOST_ELEMENT_BYTES];
    bool same;

    MEASURE_TRY(note, clEnqueueCopyBuffer, (queue, c->source, c->target, 0, 0, c->problem.bytes, 0, NULL, NULL));
    if (!compare_elements(c, proven, note))
        return false;
    MEASURE_TRY(note, clEnqueueReadBuffer,
                (queue, c->source, CL_TRUE, last, described->size_bytes, element, 0, NULL, NULL));
    for (unsigned i = 0; i < described->field_count; ++i) {
        const element_field *field = &described->fields[i];
        const bool is_floating = field->type == CLSCAN_FLOAT || field->type == CLSCAN_DOUBLE;

        memcpy(changed, element, sizeof changed);
        for (size_t at = 0; at < clscan_type_size_bytes(field->type); ++at)
            changed[field->offset_bytes + at] = is_floating ? 0xff : (unsigned char)~changed[field->offset_bytes + at];
        MEASURE_TRY(note, clEnqueueWriteBuffer,
                    (queue, c->target, CL_TRUE, last, described->size_bytes, changed, 0, NULL, NULL));
        if (!compare_elements(c, &same, note))
            return false;
        *proven = *proven && !same;
    }
    return true;
}

/* One byte that is wrong, at the end where partial vectors are, must be seen; and nothing where all is right. */
bool measure_check_prove(const measure_case *c, bool *proven, measure_note *note)
{
    const cl_command_queue queue = c->device->queue;
    const uint64_t last = c->problem.bytes - 1;
    cl_uchar byte = 0;
    bool same_while_right = false, same_while_wrong = true;

    MEASURE_TRY(note, clEnqueueCopyBuffer, (queue, c->source, c->target, 0, 0, c->problem.bytes, 0, NULL, NULL));
    if (!compare(c, &same_while_right, note))
        return false;
    MEASURE_TRY(note, clEnqueueReadBuffer, (queue, c->source, CL_TRUE, last, sizeof byte, &byte, 0, NULL, NULL));
    byte = (cl_uchar)~byte;
    MEASURE_TRY(note, clEnqueueWriteBuffer, (queue, c->target, CL_TRUE, last, sizeof byte, &byte, 0, NULL, NULL));
    if (!compare(c, &same_while_wrong, note))
        return false;
    *proven = same_while_right && !same_while_wrong;
    if (*proven && c->differ_elements != NULL && !prove_elements(c, proven, note))
        return false;
    if (!*proven)
        measure_fail(note, "the kernel that compares outputs is wrong on this device");
    return true;
}

bool measure_check_enqueue(const measure_device *device, cl_mem a, cl_mem b, uint64_t bytes, measure_note *note)
{
    MEASURE_TRY(note, clSetKernelArg, (device->differ, 0, sizeof a, &a));
    MEASURE_TRY(note, clSetKernelArg, (device->differ, 1, sizeof b, &b));
    MEASURE_TRY(note, clSetKernelArg, (device->differ, 2, sizeof device->found, &device->found));
    return measure_sweep(device, device->differ, 3, bytes, note);
}

bool measure_check_outputs(const measure_case *c, cl_mem expected, measure_note *note)
{
    const uint64_t bytes = measure_output_span_bytes(&c->problem);

    return c->differ_elements == NULL ? measure_check_enqueue(c->device, c->target, expected, bytes, note)
                                      : measure_difference_enqueue(c->device, c->differ_elements, expected, c->target,
                                                                   bytes / c->problem.element->size_bytes, note);
}

bool measure_check_read(const measure_device *device, bool *same, measure_note *note)
{
    const cl_uint zero = 0;
    cl_uint found = 1;

    MEASURE_TRY(note, clEnqueueReadBuffer,
                (device->queue, device->found, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL));
    MEASURE_TRY(note, clEnqueueFillBuffer,
                (device->queue, device->found, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL));
    *same = found == 0;
    return true;
}
