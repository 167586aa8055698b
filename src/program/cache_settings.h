/* Settings and counters of the program cache: the only state of the process besides the log's destination, the pools of
 * living contexts, the parsed configs and the findings of the start-up probe. */
#ifndef CLSCAN_PROGRAM_CACHE_SETTINGS_H
#define CLSCAN_PROGRAM_CACHE_SETTINGS_H

#include <stdbool.h>

#include <clscan/cache.h>

#include "base/error.h"

typedef struct clscan__cache_settings {
    clscan_cache_mode mode;
    char *folder; /* NULL: none is known */
    uint64_t max_bytes;
} clscan__cache_settings;

/* What is in force now. The caller frees with clscan__cache_settings_free(), also after a failure. */
clscan_status clscan__cache_settings_get(clscan__cache_settings *settings, clscan_error *error);
void clscan__cache_settings_free(clscan__cache_settings *settings);

/* `options` are checked; NULL: back to the environment. */
clscan_status clscan__cache_settings_set(const clscan_cache_options *options, clscan_error *error);

/* Are programs of this device kept on disk in this mode? `reason` is static. */
bool clscan__cache_serves(clscan_cache_mode mode, const clscan_device_info *device, const char **reason);

typedef enum clscan__cache_counter {
#define X(name, meaning) CLSCAN__COUNTER_##name,
    CLSCAN_CACHE_COUNTER_LIST(X)
#undef X
        CLSCAN__COUNTER_COUNT
} clscan__cache_counter;

void clscan__cache_count(clscan__cache_counter counter);
void clscan__cache_counters_read(clscan_cache_counters *counters);

#endif
