/* How work-groups of one launch can talk to each other on a device. */
#ifndef CLSCAN_DEVICE_MECHANISM_H
#define CLSCAN_DEVICE_MECHANISM_H

#include <stdbool.h>
#include <stdint.h>

#include "device/raw.h"

/* Set has_device_scope, mechanism and mechanism_reason. Needs identity, versions, has_int64_atomics
 * and progress in `info`. */
void clscan__mechanism_decide(const clscan__device_raw *raw, clscan_device_info *info);

/* Are sums of so many bytes published in words of 16 bytes, by the mechanism in `info`? */
bool clscan__words_are_wide(const clscan_device_info *info, uint64_t sum_bytes);

#endif
