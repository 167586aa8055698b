#include "program/cache_settings.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/unload.h"
#include "device/binaries.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what the application set */
static bool is_set;
static clscan__cache_settings set_settings; /* folder NULL: the user's */

static atomic_ullong counters[CLSCAN__COUNTER_COUNT];

void clscan__cache_count(clscan__cache_counter counter)
{
    atomic_fetch_add(&counters[counter], 1);
}

void clscan__cache_counters_read(clscan_cache_counters *read)
{
#define X(name, meaning) read->name = atomic_load(&counters[CLSCAN__COUNTER_##name]);
    CLSCAN_CACHE_COUNTER_LIST(X)
#undef X
}

static clscan_status copy_folder(const char *folder, char **copy, clscan_error *error)
{
    clscan__text text = {0};

    if (folder == NULL)
        return CLSCAN_OK;
    clscan__text_append(&text, "%s", folder);
    return clscan__text_take(&text, copy, error);
}

static bool find_mode(const char *word, clscan_cache_mode *mode)
{
#define X(name, text, meaning)       \
    if (strcmp(word, #text) == 0) {  \
        *mode = CLSCAN_CACHE_##name; \
        return true;                 \
    }
    CLSCAN_CACHE_MODE_LIST(X)
#undef X
    return false;
}

static uint64_t read_max_bytes(void)
{
    const char *text = clscan__environment("CLSCAN_CACHE_MAX_BYTES");
    unsigned long long value;
    char *end;

    if (text == NULL || text[0] == '\0')
        return CLSCAN_CACHE_DEFAULT_MAX_BYTES;
    errno = 0;
    value = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0)
        return value;
    clscan__log(CLSCAN_LOG_WARNING, "CLSCAN_CACHE_MAX_BYTES is '%s', not a number of bytes; it is ignored", text);
    return CLSCAN_CACHE_DEFAULT_MAX_BYTES;
}

static clscan_status read_environment(clscan__cache_settings *settings, clscan_error *error)
{
    const char *word = clscan__environment("CLSCAN_CACHE");

    settings->max_bytes = read_max_bytes();
    if (word == NULL || word[0] == '\0' || find_mode(word, &settings->mode))
        return CLSCAN_OK;
    if (word[0] == '/')
        return copy_folder(word, &settings->folder, error);
    clscan__log(CLSCAN_LOG_WARNING,
                "CLSCAN_CACHE is '%s', neither auto, off, memory, on nor an absolute path; no program is kept on disk",
                word);
    settings->mode = CLSCAN_CACHE_MEMORY;
    return CLSCAN_OK;
}

/* Copy what the application set; false if it set nothing. */
static bool read_set(clscan__cache_settings *settings, clscan_status *status, clscan_error *error)
{
    const char *word = clscan__environment("CLSCAN_CACHE");
    bool found;

    pthread_mutex_lock(&lock);
    found = is_set;
    if (found) {
        settings->mode = set_settings.mode;
        settings->max_bytes = set_settings.max_bytes;
        *status = copy_folder(set_settings.folder, &settings->folder, error);
    }
    pthread_mutex_unlock(&lock);
    if (found && word != NULL && strcmp(word, "off") == 0)
        settings->mode = CLSCAN_CACHE_OFF;
    return found;
}

clscan_status clscan__cache_settings_get(clscan__cache_settings *settings, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    *settings = (clscan__cache_settings){.mode = CLSCAN_CACHE_AUTO};
    if (!read_set(settings, &status, error))
        status = read_environment(settings, error);
    if (status == CLSCAN_OK && settings->folder == NULL)
        status = clscan__user_cache_folder(&settings->folder, error);
    return status;
}

void clscan__cache_settings_free(clscan__cache_settings *settings)
{
    free(settings->folder);
    settings->folder = NULL;
}

clscan_status clscan__cache_settings_set(const clscan_cache_options *options, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char *folder = NULL, *old;

    if (options != NULL)
        CLSCAN__TRY(copy_folder(options->folder, &folder, error));
    pthread_mutex_lock(&lock);
    old = set_settings.folder;
    set_settings = (clscan__cache_settings){.folder = folder};
    is_set = options != NULL;
    if (options != NULL) {
        set_settings.mode = options->mode;
        set_settings.max_bytes = options->max_bytes != 0 ? options->max_bytes : CLSCAN_CACHE_DEFAULT_MAX_BYTES;
    }
    pthread_mutex_unlock(&lock);
    free(old);

cleanup:
    return status;
}

CLSCAN__AT_UNLOAD static void forget(void)
{
    clscan__cache_settings_set(NULL, NULL);
}

bool clscan__cache_serves(clscan_cache_mode mode, const clscan_device_info *device, const char **reason)
{
    const bool help = clscan__binaries_help(device, reason);

    if (mode == CLSCAN_CACHE_AUTO)
        return help;
    *reason = mode == CLSCAN_CACHE_ON    ? "switched on for every device"
              : mode == CLSCAN_CACHE_OFF ? "switched off"
                                         : "switched to memory only";
    return mode == CLSCAN_CACHE_ON;
}
