/* Measuring a group of devices: the speed of each, and from how many elements on how many of them are the fastest. */
#ifndef CLSCAN_TUNER_RUN_DEVICES_H
#define CLSCAN_TUNER_RUN_DEVICES_H

#include <signal.h>

#include "command/settings.h"

/* Measure settings->devices and write a config of the group. Nothing is written after an interruption or a wrong
 * result. CLSCAN_ERROR_INVALID_VALUE: the devices or sizes that were named cannot be. */
clscan_status tune_run_devices(const tune_settings *settings, const volatile sig_atomic_t *interrupted,
                               clscan_error *error);

#endif
