/* Whether programs are kept as binaries on disk. */
#ifndef CLSCAN_DEVICE_BINARIES_H
#define CLSCAN_DEVICE_BINARIES_H

#include <stdbool.h>

#include <clscan/device.h>

/* Is a program of this device loaded faster from clscan's own file than by its driver from source? `reason` receives
 * one clause in static storage. */
bool clscan__binaries_help(const clscan_device_info *info, const char **reason);

#endif
