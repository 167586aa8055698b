#include "timing/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <clscan/version.h>

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "common/clock.h"
#include "program/cache_folder.h"

#define LOOK_NS 5000000L

/* Locks of files are the process's: they do not keep its own threads apart. */
static pthread_mutex_t threads = PTHREAD_MUTEX_INITIALIZER;

/* ---- The file ---- */

static bool make_folders(const char *folder)
{
    char *path = strdup(folder);
    bool made = path != NULL;

    for (char *at = path; made && (at = strchr(at + 1, '/')) != NULL; *at = '/') {
        *at = '\0';
        made = mkdir(path, 0777) == 0 || errno == EEXIST;
    }
    made = made && (mkdir(path, 0777) == 0 || errno == EEXIST);
    free(path);
    return made;
}

/* Take the lock if nobody has it. Returns whether to go on waiting. */
static bool try_lock(int file, bool *mine)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    *mine = fcntl(file, F_SETLK, &whole) == 0;
    return !*mine && (errno == EACCES || errno == EAGAIN || errno == EINTR);
}

static bool open_lock(clscan__measured_file *file, const char *folder, const clscan_device_info *info)
{
    clscan__text path = {0}, lock = {0};

    clscan__text_append(&path, "%s/%s.measured.json", folder, info->key);
    clscan__text_append(&lock, "%s/.%s.measured.lock", folder, info->key);
    if (!path.failed && !lock.failed && make_folders(folder))
        file->lock = open(lock.data, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file->lock >= 0)
        clscan__text_take(&path, &file->path, NULL);
    clscan__text_free(&path);
    clscan__text_free(&lock);
    return file->path != NULL;
}

void clscan__measured_open(clscan__measured_file *file, const clscan_device_info *info, uint64_t wait_ns, bool *mine)
{
    const uint64_t begin_ns = clscan__now_ns();
    const struct timespec look = {.tv_nsec = LOOK_NS};
    char *folder = NULL;

    *file = (clscan__measured_file){.lock = -1};
    *mine = false;
    while (pthread_mutex_trylock(&threads) != 0) {
        if (clscan__now_ns() - begin_ns > wait_ns)
            return;
        nanosleep(&look, NULL);
    }
    if (clscan__user_config_folder(&folder, NULL) == CLSCAN_OK && folder != NULL && open_lock(file, folder, info)) {
        while (try_lock(file->lock, mine) && clscan__now_ns() - begin_ns <= wait_ns)
            nanosleep(&look, NULL);
    } else {
        *mine = true;
    }
    free(folder);
    if (!*mine) {
        clscan__measured_close(file);
        file->lock = -1;
    }
}

void clscan__measured_close(clscan__measured_file *file)
{
    if (file->lock >= 0)
        close(file->lock);
    free(file->path);
    *file = (clscan__measured_file){.lock = -1};
    pthread_mutex_unlock(&threads);
}

/* Returns false, with errno, if `path` is as it was. */
static bool replace_file(const char *path, const char *text, size_t size_bytes)
{
    clscan__text temporary = {0};
    int file = -1, code;
    bool written;

    clscan__text_append(&temporary, "%s.XXXXXX", path); /* does not end in .json */
    if (!temporary.failed)
        file = mkstemp(temporary.data);
    written = file >= 0 && clscan__write_all(file, text, size_bytes) && fchmod(file, 0644) == 0 && fsync(file) == 0;
    written = file >= 0 && close(file) == 0 && written && rename(temporary.data, path) == 0;
    code = errno;
    if (file >= 0 && !written)
        unlink(temporary.data);
    clscan__text_free(&temporary);
    errno = code;
    return written;
}

/* ---- What is in it ---- */

static bool is_same(const char *recorded, const char *present)
{
    return recorded != NULL && strcmp(recorded, present) == 0;
}

/* What the file has of this device and driver; nothing if there is no such file, or it is no config. */
static void read_old(const char *path, const clscan_device_info *info, clscan__document *old)
{
    char *text = NULL;
    size_t size_bytes;
    clscan_error why = {0};

    if (access(path, F_OK) != 0)
        return;
    if (clscan__file_read(path, CLSCAN_CONFIG_MAX_BYTES, CLSCAN_ERROR_CONFIG_SIZE, &text, &size_bytes, &why) !=
            CLSCAN_OK ||
        clscan__document_read(text, size_bytes, path, old, &why) != CLSCAN_OK)
        clscan__log(CLSCAN_LOG_WARNING, "what was measured before is put aside, to %s.old: %s", path, why.message);
    free(text);
    if (old->entry_count > 0 && is_same(old->provenance.device, info->name) &&
        is_same(old->provenance.driver, info->driver_version))
        return;
    if (old->entry_count > 0)
        clscan__log(CLSCAN_LOG_INFO, "what was measured on %s with driver %s is put aside, to %s.old: the driver is %s",
                    old->provenance.device != NULL ? old->provenance.device : "an unknown device",
                    old->provenance.driver != NULL ? old->provenance.driver : "unknown", path, info->driver_version);
    clscan__document_free(old);
    {
        clscan__text aside = {0};

        clscan__text_append(&aside, "%s.old", path);
        if (!aside.failed)
            rename(path, aside.data);
        clscan__text_free(&aside);
    }
}

/* Where it overlaps what was measured now, an older entry keeps the larger one of its two ends. */
static bool make_room(clscan__config_entry *old, const clscan__config_entry *entry)
{
    const bool below = old->smallest_count < entry->smallest_count;

    if (!clscan__config_key_equal(&old->key, &entry->key) || old->largest_count < entry->smallest_count ||
        old->smallest_count > entry->largest_count)
        return true;
    if (below)
        old->largest_count = entry->smallest_count - 1;
    else if (old->largest_count > entry->largest_count)
        old->smallest_count = entry->largest_count + 1;
    else
        return false;
    return true;
}

static clscan_status compose(const clscan__document *old, const clscan_device_info *info,
                             const clscan__config_entry *entry, clscan__document *made, clscan_error *error)
{
    clscan_status status;
    clscan__provenance *provenance = &made->provenance;
    const time_t now = time(NULL);
    struct tm utc;

    snprintf(made->match, sizeof made->match, "%s", info->key);
    provenance->origin = CLSCAN__ORIGIN_MEASURED;
    strftime(provenance->date, sizeof provenance->date, "%Y-%m-%d", gmtime_r(&now, &utc));
    CLSCAN__TRY(clscan__document_keep(made, info->name, &provenance->device, error));
    CLSCAN__TRY(clscan__document_keep(made, info->driver_version, &provenance->driver, error));
    CLSCAN__TRY(clscan__document_keep(made, info->platform_name, &provenance->platform, error));
    CLSCAN__TRY(clscan__document_keep(made, CLSCAN_VERSION_TEXT, &provenance->clscan_version, error));
    for (size_t i = 0; old != NULL && i < old->entry_count; ++i) {
        clscan__config_entry kept = old->entries[i];

        if (make_room(&kept, entry))
            CLSCAN__TRY(clscan__document_add(made, &kept, error));
    }
    CLSCAN__TRY(clscan__document_add(made, entry, error));
    clscan__document_sort(made);

cleanup:
    return status;
}

clscan_status clscan__measured_keep(const clscan__measured_file *file, const clscan_device_info *info,
                                    const clscan__config_entry *entry, clscan_config **config, clscan_error *error)
{
    clscan_status status;
    clscan__document old = {.match = ""}, all = {.match = ""}, alone = {.match = ""};
    char *text = NULL;
    size_t size_bytes;

    CLSCAN__TRY(compose(NULL, info, entry, &alone, error));
    text = clscan__document_write(&alone, &size_bytes);
    CLSCAN__REQUIRE(text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for what was measured");
    CLSCAN__TRY(clscan_config_parse(text, size_bytes, file->path != NULL ? file->path : "measured now", config, error));
    if (file->path == NULL)
        goto cleanup;
    read_old(file->path, info, &old);
    CLSCAN__TRY(compose(&old, info, entry, &all, error));
    free(text);
    text = clscan__document_write(&all, &size_bytes);
    if (text == NULL || !replace_file(file->path, text, size_bytes))
        clscan__log(CLSCAN_LOG_INFO, "what was measured is not kept: %s: %s", file->path, strerror(errno));

cleanup:
    free(text);
    clscan__document_free(&old);
    clscan__document_free(&all);
    clscan__document_free(&alone);
    return status;
}
