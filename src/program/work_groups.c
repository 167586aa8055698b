#include "program/work_groups.h"

uint32_t clscan__work_group_size_for(const clscan_device_info *device, uint32_t most)
{
    enum { SMALLEST = 16 };

    if (device->device_class == CLSCAN_DEVICE_CLASS_CPU || device->max_work_group_size < SMALLEST)
        return 1;
    while (most > device->max_work_group_size)
        most /= 2;
    return most;
}
