#include "check.h"

#include "sweep.h"

static bool compare(const measure_case *c, bool *same, measure_note *note)
{
    return measure_check_enqueue(c->device, c->source, c->target, c->problem.bytes, note) &&
           measure_check_read(c->device, same, note);
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
