/* One tuner per device: two would measure each other. */
#ifndef CLSCAN_TUNER_LOCK_H
#define CLSCAN_TUNER_LOCK_H

#include <stdbool.h>
#include <stddef.h>

#include <clscan/clscan.h>

/* Take the lock of a device: a file that is named after its key and its position in clscan_device_list(), in
 * $XDG_RUNTIME_DIR, else in $XDG_CACHE_HOME/clscan or ~/.cache/clscan. It is held until it is released or the process
 * ends, however it ends; child processes that this one executes do not hold it.
 *
 * \param wait        Wait for a holder to end; a signal without SA_RESTART ends the waiting.
 * \param busy        Receives whether another process holds it.
 * \param descriptor  Receives the lock, for tune_lock_release().
 * \return CLSCAN_OK, or CLSCAN_ERROR_FILE: who holds it, or why there can be no lock. */
clscan_status tune_lock_take(const char *device_key, size_t device_index, bool wait, bool *busy, int *descriptor,
                             clscan_error *error);
void tune_lock_release(int descriptor);

#endif
