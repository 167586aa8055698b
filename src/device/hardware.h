/* Facts about hardware that OpenCL has no query for. */
#ifndef CLSCAN_DEVICE_HARDWARE_H
#define CLSCAN_DEVICE_HARDWARE_H

#include "device/raw.h"

/* Set lanes_per_unit, local_memory_banks, register_file_bytes and bandwidth_gb_per_s; what is not known stays 0.
 * Comes after the identity. */
void clscan__hardware_fill(const clscan__device_raw *raw, clscan_device_info *info);

#endif
