#include "command/turn.h"

#include "command_line/failure.h"
#include "files/lock.h"

clscan_status tune_turn_take(const tune_settings *settings, const clscan_device_info *device, size_t index, int *lock,
                             clscan_error *error)
{
    clscan_error who = {0};
    bool busy;
    const clscan_status status = tune_lock_take(device->key, index, false, &busy, lock, &who);

    if (status == CLSCAN_OK)
        return CLSCAN_OK;
    if (!busy)
        return fail(error, status, "%s", who.message);
    if (!settings->wait)
        return fail(error, status, "%s; --wait waits for its end", who.message);
    complain("%s; waiting for its end", who.message);
    return tune_lock_take(device->key, index, true, &busy, lock, error);
}
