/* How work-groups of one launch can talk to each other on a device. */
#ifndef CLSCAN_DEVICE_MECHANISM_H
#define CLSCAN_DEVICE_MECHANISM_H

#include "device/raw.h"

/* Set has_device_scope, mechanism and mechanism_reason. Needs identity, versions, has_int64_atomics
 * and progress in `info`. */
void clscan__mechanism_decide(const clscan__device_raw *raw, clscan_device_info *info);

#endif
