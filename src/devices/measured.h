/* What was measured of groups: the configs in the folder `groups` of the user's. */
#ifndef CLSCAN_DEVICES_MEASURED_H
#define CLSCAN_DEVICES_MEASURED_H

#include <stdbool.h>

#include <clscan/devices.h>

#include "config_file/group.h"

/* The config of a group of these devices, which have these keys; *found is NULL if there is none, else the caller frees
 * it. Its devices are in the order of the group's. That of the same devices goes before one of the same models, which
 * comes without links; of several, the first by the names of files. A file that cannot be used is logged. */
clscan_status clscan__measured_find(const cl_device_id *devices, const char *const *keys, size_t count,
                                    clscan__group_document **found, clscan_error *error);

/* The same where the keys are not at hand. */
clscan_status clscan__measured_of(const cl_device_id *devices, size_t count, clscan__group_document **found,
                                  clscan_error *error);

#endif
