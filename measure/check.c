#include "check.h"

/* Work-items per compute unit; each looks at its share. */
#define GPU_ITEMS_PER_UNIT 2048u
#define CPU_ITEMS_PER_UNIT 4u

static bool create_objects(const measure_case *c, measure_check *check, measure_note *note)
{
    const cl_context context = c->device->context;
    const cl_uint zero = 0;
    cl_int code;

    check->kernel = clCreateKernel(c->device->program, "differ", &code);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateKernel", code);
    check->expected = clCreateBuffer(context, CL_MEM_READ_WRITE, c->problem.bytes, NULL, &code);
    if (code == CL_SUCCESS)
        check->found = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof zero, NULL, &code);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateBuffer", code);
    MEASURE_TRY(note, clEnqueueWriteBuffer,
                (c->device->queue, check->expected, CL_TRUE, 0, c->problem.bytes, c->expected, 0, NULL, NULL));
    MEASURE_TRY(note, clEnqueueWriteBuffer,
                (c->device->queue, check->found, CL_TRUE, 0, sizeof zero, &zero, 0, NULL, NULL));
    return true;
}

/* One byte that is wrong, at the end where partial vectors are, must be seen; and nothing where all is right. */
static bool prove(const measure_check *check, const measure_case *c, measure_note *note)
{
    const cl_uchar wrong = (cl_uchar) ~((const unsigned char *)c->expected)[c->problem.bytes - 1];
    bool same_while_right = false, same_while_wrong = true;

    MEASURE_TRY(note, clEnqueueCopyBuffer,
                (c->device->queue, check->expected, c->target, 0, 0, c->problem.bytes, 0, NULL, NULL));
    if (!measure_check_enqueue(check, c, note) || !measure_check_read(check, c, &same_while_right, note))
        return false;
    MEASURE_TRY(note, clEnqueueFillBuffer,
                (c->device->queue, c->target, &wrong, sizeof wrong, c->problem.bytes - 1, sizeof wrong, 0, NULL, NULL));
    if (!measure_check_enqueue(check, c, note) || !measure_check_read(check, c, &same_while_wrong, note))
        return false;
    if (!same_while_right || same_while_wrong)
        return measure_fail(note, "the kernel that compares outputs is wrong on this device");
    return true;
}

bool measure_check_create(const measure_case *c, measure_check *check, measure_note *note)
{
    *check = (measure_check){0};
    if (create_objects(c, check, note) && prove(check, c, note))
        return true;
    measure_check_destroy(check);
    return false;
}

void measure_check_destroy(measure_check *check)
{
    if (check->kernel != NULL)
        clReleaseKernel(check->kernel);
    if (check->expected != NULL)
        clReleaseMemObject(check->expected);
    if (check->found != NULL)
        clReleaseMemObject(check->found);
    *check = (measure_check){0};
}

bool measure_check_enqueue(const measure_check *check, const measure_case *c, measure_note *note)
{
    const clscan_device_info *info = &c->device->info;
    const bool is_cpu = info->device_class == CLSCAN_DEVICE_CLASS_CPU;
    const cl_ulong bytes = c->problem.bytes;
    const size_t items = (size_t)(is_cpu ? CPU_ITEMS_PER_UNIT : GPU_ITEMS_PER_UNIT) *
                         (info->compute_units > 0 ? info->compute_units : 1);
    const cl_ulong share = bytes / 16 / items + 1;
    const cl_ulong step = is_cpu ? 1 : items;
    const cl_ulong next = is_cpu ? share : 1;
    const size_t one = 1;

    MEASURE_TRY(note, clSetKernelArg, (check->kernel, 0, sizeof c->target, &c->target));
    MEASURE_TRY(note, clSetKernelArg, (check->kernel, 1, sizeof check->expected, &check->expected));
    MEASURE_TRY(note, clSetKernelArg, (check->kernel, 2, sizeof bytes, &bytes));
    MEASURE_TRY(note, clSetKernelArg, (check->kernel, 3, sizeof check->found, &check->found));
    MEASURE_TRY(note, clSetKernelArg, (check->kernel, 4, sizeof share, &share));
    MEASURE_TRY(note, clSetKernelArg, (check->kernel, 5, sizeof step, &step));
    MEASURE_TRY(note, clSetKernelArg, (check->kernel, 6, sizeof next, &next));
    MEASURE_TRY(note, clEnqueueNDRangeKernel,
                (c->device->queue, check->kernel, 1, NULL, &items, is_cpu ? &one : NULL, 0, NULL, NULL));
    return true;
}

bool measure_check_read(const measure_check *check, const measure_case *c, bool *same, measure_note *note)
{
    const cl_uint zero = 0;
    cl_uint found = 1;

    MEASURE_TRY(note, clEnqueueReadBuffer,
                (c->device->queue, check->found, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL));
    MEASURE_TRY(note, clEnqueueFillBuffer,
                (c->device->queue, check->found, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL));
    *same = found == 0;
    return true;
}
