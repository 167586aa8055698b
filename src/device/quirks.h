/* Known driver bugs that change what clscan does. */
#ifndef CLSCAN_DEVICE_QUIRKS_H
#define CLSCAN_DEVICE_QUIRKS_H

#include <clscan/device.h>

/* List the quirks of a device in info->quirks and take away what they forbid. Comes after progress
 * and mechanism have been decided. */
void clscan__quirks_apply(clscan_device_info *info);

#endif
