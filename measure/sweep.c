#include "sweep.h"

/* Work-items per compute unit; each has its share. */
#define GPU_ITEMS_PER_UNIT 2048u
#define CPU_ITEMS_PER_UNIT 4u

/* A work-item takes `share` units, `step` apart, and the next one begins `next` vectors later: on GPUs
 * neighbours stand side by side, on CPUs each has a part of its own. */
bool measure_sweep_units(const measure_device *device, cl_kernel kernel, cl_uint arguments, uint64_t whole,
                         uint64_t units, measure_note *note)
{
    const clscan_device_info *info = &device->info;
    const bool is_cpu = info->device_class == CLSCAN_DEVICE_CLASS_CPU;
    const size_t items = (size_t)(is_cpu ? CPU_ITEMS_PER_UNIT : GPU_ITEMS_PER_UNIT) *
                         (info->compute_units > 0 ? info->compute_units : 1);
    const cl_ulong share = units / items + 1;
    const cl_ulong values[] = {whole, share, is_cpu ? 1 : items, is_cpu ? share : 1};
    const size_t one = 1;

    for (cl_uint i = 0; i < sizeof values / sizeof values[0]; ++i)
        MEASURE_TRY(note, clSetKernelArg, (kernel, arguments + i, sizeof values[i], &values[i]));
    MEASURE_TRY(note, clEnqueueNDRangeKernel,
                (device->queue, kernel, 1, NULL, &items, is_cpu ? &one : NULL, 0, NULL, NULL));
    return true;
}

/* Units are vectors of 16 bytes. */
bool measure_sweep(const measure_device *device, cl_kernel kernel, cl_uint arguments, uint64_t bytes,
                   measure_note *note)
{
    return measure_sweep_units(device, kernel, arguments, bytes, bytes / 16, note);
}
