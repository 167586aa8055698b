/* clscan-tune --verify. */
#ifndef CLSCAN_TUNER_RUN_VERIFY_H
#define CLSCAN_TUNER_RUN_VERIFY_H

#include <signal.h>

#include "command/settings.h"

/* Check all entries of the config settings->verify on the device, print what came out, and put those that fail into
 * quarantine. *failed: how many. */
clscan_status tune_run_verify(const tune_settings *settings, const volatile sig_atomic_t *interrupted, size_t *failed,
                              clscan_error *error);

#endif
