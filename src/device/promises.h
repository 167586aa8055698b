/* What a driver promises, as words for people: atomics, extensions, features. */
#ifndef CLSCAN_DEVICE_PROMISES_H
#define CLSCAN_DEVICE_PROMISES_H

#include "device/raw.h"

/* Set atomic_orders, atomic_scopes, extensions and features. */
void clscan__promises_list(const clscan__device_raw *raw, clscan_device_info *info);

#endif
