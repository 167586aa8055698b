/* How the work-items of a sub-group can exchange values. */
#ifndef CLSCAN_DEVICE_SHUFFLES_H
#define CLSCAN_DEVICE_SHUFFLES_H

#include <clscan/device.h>

typedef enum clscan__shuffles {
    CLSCAN__SHUFFLES_NONE, /* or the size of a sub-group is unknown */
    CLSCAN__SHUFFLES_PTX,
    CLSCAN__SHUFFLES_KHR
} clscan__shuffles;

clscan__shuffles clscan__shuffles_of(const clscan_device_info *device);

/* "ptx", "khr"; as the files in cl/ are called. Static. */
const char *clscan__shuffles_name(clscan__shuffles shuffles);

#endif
