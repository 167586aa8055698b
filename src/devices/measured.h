/* What was measured of groups: the configs in the folder `groups` of the user's. */
#ifndef CLSCAN_DEVICES_MEASURED_H
#define CLSCAN_DEVICES_MEASURED_H

#include <stdbool.h>

#include <clscan/devices.h>

#include "config_file/group.h"

/* The first config of a group with these keys, by the names of files; *found is NULL if there is none, else the caller
 * frees it. A file that cannot be used is logged. */
clscan_status clscan__measured_find(const char *const *keys, size_t count, clscan__group_document **found,
                                    clscan_error *error);

/* The same for devices. */
clscan_status clscan__measured_of(const cl_device_id *devices, size_t count, clscan__group_document **found,
                                  clscan_error *error);

#endif
