/* Recorded device descriptions, tests/fixtures/devices/NAME.json, for tests without the hardware.
 */
#ifndef CLSCAN_TESTS_DEVICE_FIXTURE_H
#define CLSCAN_TESTS_DEVICE_FIXTURE_H

#include <stdbool.h>

#include "device/raw.h"

/* clscan__device_raw_load(); says on stderr what is wrong and returns false. */
bool device_fixture_load(const char *path, clscan__device_raw *raw);

#endif
