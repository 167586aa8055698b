/* How the work-items of a sub-group exchange values. */
#ifndef CLSCAN_DEVICE_SHUFFLES_H
#define CLSCAN_DEVICE_SHUFFLES_H

#include <stdbool.h>

#include <clscan/device.h>

typedef enum clscan__shuffles {
    CLSCAN__SHUFFLES_PTX,
    CLSCAN__SHUFFLES_KHR,
    CLSCAN__SHUFFLES_LOCAL /* through local memory, in sub-groups that are none of the device's */
} clscan__shuffles;

clscan__shuffles clscan__shuffles_of(const clscan_device_info *device);

/* Does sub_group_size hold only for kernels that require it? */
bool clscan__sub_group_size_is_required(const clscan_device_info *device);

/* Work-items that exchange values in a work-group of so many, at least 1: a power of two. Of the device's, if it has
 * shuffles; else no more than it takes for one value per sub-group to fit into a sub-group. */
uint32_t clscan__shuffle_width(const clscan_device_info *device, uint32_t work_group_size);

/* Does PTX have the lesser and the greater of two integers of 16 bits, two pairs at once? */
bool clscan__ptx_has_pairs(const clscan_device_info *device);

#endif
