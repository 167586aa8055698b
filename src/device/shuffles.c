#include "device/shuffles.h"

#include "device/words.h"

clscan__shuffles clscan__shuffles_of(const clscan_device_info *device)
{
    if (device->sub_group_size == 0)
        return CLSCAN__SHUFFLES_NONE;
    if (device->nv_compute_capability >= 70)
        return CLSCAN__SHUFFLES_PTX;
    return clscan__has_word(device->extensions, "cl_khr_subgroup_shuffle") &&
                   clscan__has_word(device->extensions, "cl_khr_subgroup_shuffle_relative")
               ? CLSCAN__SHUFFLES_KHR
               : CLSCAN__SHUFFLES_NONE;
}

const char *clscan__shuffles_name(clscan__shuffles shuffles)
{
    return shuffles == CLSCAN__SHUFFLES_PTX ? "ptx" : shuffles == CLSCAN__SHUFFLES_KHR ? "khr" : "none";
}
