/* One's turn at a device, with a word to a user who has to wait. */
#ifndef CLSCAN_TUNER_TURN_H
#define CLSCAN_TUNER_TURN_H

#include <stddef.h>

#include "command/settings.h"

/* Take the lock (lock.h) of the device at `index` of clscan_device_list(). If another tuner has it: with
 * settings->wait say so and wait, else CLSCAN_ERROR_FILE says who, and that one can wait. *lock is for
 * tune_lock_release(). */
clscan_status tune_turn_take(const tune_settings *settings, const clscan_device_info *device, size_t index, int *lock,
                             clscan_error *error);

#endif
