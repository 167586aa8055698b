/* Work-groups of kernels that are part of no variant. */
#ifndef CLSCAN_PROGRAM_WORK_GROUPS_H
#define CLSCAN_PROGRAM_WORK_GROUPS_H

#include <clscan/device.h>

/* `most`, a power of two, or a smaller one that the device has; 1 on CPUs, and where there are less than 16. */
uint32_t clscan__work_group_size_for(const clscan_device_info *device, uint32_t most);

#endif
