/* One name for one device, whatever its driver's spelling: what configs and tables refer to. */
#ifndef CLSCAN_DEVICE_IDENTITY_H
#define CLSCAN_DEVICE_IDENTITY_H

#include <stdbool.h>

#include "device/raw.h"

/* Set device_class, key, architecture, family, generic, sub_group_size and its reason. */
void clscan__identity_fill(const clscan__device_raw *raw, clscan_device_info *info);

/* Is `pattern` the device's key, architecture or family? A pattern may end in '*'; "*" is any
 * device. How the tables of progress.c, mechanism.c and quirks.c name devices. */
bool clscan__identity_matches(const clscan_device_info *info, const char *pattern);

/* The first number of an NVIDIA driver's version, which says what PTX it takes; 0 if there is none. */
unsigned long clscan__identity_driver(const clscan_device_info *info);

#endif
