#include "device/shuffles.h"

#include "device/identity.h"
#include "device/words.h"

/* The functions are of OpenCL C 2.0, which programs are compiled as where C11 atomics are used. */
static bool has_extensions(const clscan_device_info *device)
{
    return device->has_sub_groups && device->mechanism == CLSCAN_MECHANISM_C11 &&
           clscan__has_word(device->extensions, "cl_khr_subgroup_shuffle") &&
           clscan__has_word(device->extensions, "cl_khr_subgroup_shuffle_relative");
}

clscan__shuffles clscan__shuffles_of(const clscan_device_info *device)
{
    if (device->sub_group_size == 0)
        return CLSCAN__SHUFFLES_LOCAL;
    if (device->nv_compute_capability >= 70)
        return CLSCAN__SHUFFLES_PTX;
    return has_extensions(device) ? CLSCAN__SHUFFLES_KHR : CLSCAN__SHUFFLES_LOCAL;
}

/* What is known of other devices that list the extension is no size (identity.c). */
bool clscan__sub_group_size_is_required(const clscan_device_info *device)
{
    return device->sub_group_size != 0 && clscan__has_word(device->extensions, "cl_intel_required_subgroup_size");
}

uint32_t clscan__shuffle_width(const clscan_device_info *device, uint32_t work_group_size)
{
    uint32_t width = 1;

    if (clscan__shuffles_of(device) != CLSCAN__SHUFFLES_LOCAL)
        return device->sub_group_size;
    while (width * width < work_group_size)
        width *= 2;
    return width;
}

/* PTX 8.0 has them, which comes with CUDA 12.0 and its drivers from 525 on. */
bool clscan__ptx_has_pairs(const clscan_device_info *device)
{
    return device->nv_compute_capability >= 90 && clscan__identity_driver(device) >= 525;
}
