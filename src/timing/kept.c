#include "timing/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <clscan/version.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/text.h"
#include "common/clock.h"
#include "config/sources.h"
#include "config/unkept.h"
#include "program/cache_folder.h"

#define LOOK_NS 5000000L

/* Of what is put aside, so many bytes of the names of device and driver. */
#define MOST_NAME_BYTES 64

/* Locks of files are the process's: they do not keep its own threads apart. */
static pthread_mutex_t threads = PTHREAD_MUTEX_INITIALIZER;

/* ---- The file ---- */

/* All texts up to NULL, one after the other, on the heap; NULL if there is no memory. */
static char *join(const char *const *texts)
{
    clscan__text joined = {0};
    char *string = NULL;

    for (; *texts != NULL; ++texts)
        clscan__text_append(&joined, "%s", *texts);
    clscan__text_take(&joined, &string, NULL);
    return string;
}
#define JOIN(...) join((const char *const[]){__VA_ARGS__, NULL})

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

typedef enum lock_state { LOCK_MINE, LOCK_TAKEN, LOCK_IMPOSSIBLE } lock_state;

static lock_state try_lock(int file)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    if (fcntl(file, F_SETLK, &whole) == 0)
        return LOCK_MINE;
    return errno == EACCES || errno == EAGAIN || errno == EINTR ? LOCK_TAKEN : LOCK_IMPOSSIBLE;
}

static lock_state wait_for_lock(int file, uint64_t wait_ns)
{
    const uint64_t begin_ns = clscan__now_ns();
    const struct timespec look = {.tv_nsec = LOOK_NS};
    lock_state state;

    while ((state = try_lock(file)) == LOCK_TAKEN && clscan__now_ns() - begin_ns <= wait_ns)
        nanosleep(&look, NULL);
    return state;
}

/* Lock the device's file. False, with errno: that cannot be done, or (EBUSY) another process has it. */
static bool lock_file(clscan__measured_file *file, const clscan_device_info *info, uint64_t wait_ns)
{
    char *name = JOIN(file->folder, "/.", info->key, ".measured.lock");
    lock_state state = LOCK_IMPOSSIBLE;
    int code;

    errno = file->folder[0] == '\0' ? ENOENT : ENOMEM;
    if (name != NULL && file->folder[0] != '\0' && make_folders(file->folder))
        file->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file->lock >= 0)
        state = wait_for_lock(file->lock, wait_ns);
    code = state == LOCK_TAKEN ? EBUSY : errno;
    free(name);
    errno = code;
    return state == LOCK_MINE;
}

/* ---- What is put aside ---- */

static bool is_same(const char *recorded, const char *present)
{
    return recorded != NULL && strcmp(recorded, present) == 0;
}

static bool is_of(const clscan__document *document, const clscan_device_info *info)
{
    return is_same(document->provenance.device, info->name) &&
           is_same(document->provenance.driver, info->driver_version);
}

static void add_name(clscan__text *path, const char *name)
{
    clscan__text_append(path, ".");
    for (size_t i = 0; i < MOST_NAME_BYTES && name[i] != '\0'; ++i) {
        const bool plain = (name[i] >= '0' && name[i] <= '9') || (name[i] >= 'a' && name[i] <= 'z') ||
                           (name[i] >= 'A' && name[i] <= 'Z') || name[i] == '.' || name[i] == '_';

        clscan__text_append_bytes(path, plain ? &name[i] : "-", 1);
    }
}

/* Where entries of a device and driver stand while others have the file. Its name does not end in .json. A hash tells
 * names apart that look the same when they are cut and plain. */
static char *aside_of(const char *path, const char *device, const char *driver)
{
    const char *names[] = {device != NULL ? device : "unknown", driver != NULL ? driver : "unknown"};
    uint64_t hash = CLSCAN__HASH_START;
    clscan__text aside = {0};
    char *string = NULL;

    clscan__text_append(&aside, "%s", path);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        add_name(&aside, names[i]);
        hash = clscan__hash(hash, names[i], strlen(names[i]) + 1);
    }
    clscan__text_append(&aside, ".%08" PRIx32 ".old", (uint32_t)hash);
    clscan__text_take(&aside, &string, NULL);
    return string;
}

/* Read the file. False: there is none. What is no config has no entries. */
static bool read_document(const char *path, clscan__document *document)
{
    char *text = NULL;
    size_t size_bytes;
    clscan_error why = {0};

    if (access(path, F_OK) != 0)
        return false;
    if (clscan__file_read(path, CLSCAN_CONFIG_MAX_BYTES, CLSCAN_ERROR_CONFIG_SIZE, &text, &size_bytes, &why) !=
            CLSCAN_OK ||
        clscan__document_read(text, size_bytes, path, document, &why) != CLSCAN_OK)
        clscan__log(CLSCAN_LOG_WARNING, "what was measured before is put aside: %s", why.message);
    free(text);
    return true;
}

/* Returns false, with errno, if it stands where it stood. */
static bool put_aside(const char *path, const clscan__document *document)
{
    const clscan__provenance *made = &document->provenance;
    char *aside = document->entry_count > 0 ? aside_of(path, made->device, made->driver) : JOIN(path, ".old");
    bool done;

    errno = ENOMEM;
    done = aside != NULL && rename(path, aside) == 0;
    if (done)
        clscan__log(CLSCAN_LOG_INFO, "what was measured on %s with driver %s is put aside, to %s",
                    made->device != NULL ? made->device : "an unknown device",
                    made->driver != NULL ? made->driver : "unknown", aside);
    free(aside);
    return done;
}

/* A driver that is there again finds what was measured with it. */
static void bring_back(const char *path, const clscan_device_info *info)
{
    char *aside = aside_of(path, info->name, info->driver_version);
    clscan__document present = {.match = ""};
    bool away = true;

    if (aside != NULL && access(aside, F_OK) == 0) {
        if (read_document(path, &present))
            away = !is_of(&present, info) && put_aside(path, &present);
        if (away && rename(aside, path) == 0)
            clscan__log(CLSCAN_LOG_INFO, "what was measured on %s with driver %s is back, from %s", info->name,
                        info->driver_version, aside);
    }
    clscan__document_free(&present);
    free(aside);
}

/* ---- Opening ---- */

void clscan__measured_open(clscan__measured_file *file, const clscan_device_info *info, uint64_t wait_ns, bool *mine)
{
    *file = (clscan__measured_file){.lock = -1};
    *mine = true;
    pthread_mutex_lock(&threads);
    if (clscan__user_config_folder(&file->folder, NULL) != CLSCAN_OK || file->folder == NULL)
        file->folder = strdup("");
    if (file->folder != NULL && lock_file(file, info, wait_ns)) {
        file->path = JOIN(file->folder, "/", info->key, ".measured.json");
        if (file->path != NULL)
            bring_back(file->path, info);
    } else if (file->lock >= 0 && errno == EBUSY) {
        *mine = false;
    } else if (file->folder != NULL) {
        file->why = file->folder[0] != '\0' ? JOIN(strerror(errno), ": ", file->folder) : strdup("no folder is known");
    }
    /* Who had it may have measured what is asked for. */
    clscan__config_sources_changed();
    if (!*mine)
        clscan__measured_close(file);
}

void clscan__measured_close(clscan__measured_file *file)
{
    if (file->lock >= 0)
        close(file->lock);
    free(file->folder);
    free(file->path);
    free(file->why);
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

/* What the file has of this device and driver. False, with errno: what it has of others cannot be put aside. */
static bool read_old(const char *path, const clscan_device_info *info, clscan__document *old)
{
    bool done = true;

    if (!read_document(path, old))
        return true;
    if (!is_of(old, info)) {
        int code;

        done = put_aside(path, old);
        code = errno;
        clscan__document_free(old);
        errno = code;
    }
    return done;
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

static clscan_status put_entry(clscan__document *document, const clscan__config_entry *entry, clscan_error *error)
{
    size_t kept = 0;

    for (size_t i = 0; i < document->entry_count; ++i)
        if (make_room(&document->entries[i], entry))
            document->entries[kept++] = document->entries[i];
    document->entry_count = kept;
    return clscan__document_add(document, entry, error);
}

/* The text of a config of these entries, measured here and now. */
static clscan_status write_text(clscan__document *document, const clscan_device_info *info, char **text,
                                size_t *size_bytes, clscan_error *error)
{
    clscan_status status;
    clscan__provenance *provenance = &document->provenance;
    const time_t now = time(NULL);
    struct tm utc;

    snprintf(document->match, sizeof document->match, "%s", info->key);
    *provenance = (clscan__provenance){.origin = CLSCAN__ORIGIN_MEASURED};
    strftime(provenance->date, sizeof provenance->date, "%Y-%m-%d", gmtime_r(&now, &utc));
    CLSCAN__TRY(clscan__document_keep(document, info->name, &provenance->device, error));
    CLSCAN__TRY(clscan__document_keep(document, info->driver_version, &provenance->driver, error));
    CLSCAN__TRY(clscan__document_keep(document, info->platform_name, &provenance->platform, error));
    CLSCAN__TRY(clscan__document_keep(document, CLSCAN_VERSION_TEXT, &provenance->clscan_version, error));
    clscan__document_sort(document);
    *text = clscan__document_write(document, size_bytes);
    CLSCAN__REQUIRE(*text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for what was measured");

cleanup:
    return status;
}

/* What the process has kept so far, and the entry. */
static clscan_status read_unkept(const char *folder, const clscan_device_info *info, const clscan__config_entry *entry,
                                 clscan__document *document, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__unkept unkept;

    for (size_t i = 0; clscan__unkept_get(folder, i, &unkept); ++i) {
        clscan__document_free(document);
        if (strcmp(unkept.name, info->key) == 0)
            status = clscan__document_read(unkept.text, unkept.text_bytes, unkept.source, document, error);
        clscan__unkept_free(&unkept);
        CLSCAN__TRY(status);
        if (document->entry_count > 0)
            break;
    }
    CLSCAN__TRY(put_entry(document, entry, error));

cleanup:
    return status;
}

/* Write the entries beside those that the file has. *why: on the heap, if that cannot be done. */
static clscan_status write_file(const clscan__measured_file *file, const clscan_device_info *info,
                                const clscan__document *entries, char **why, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__document all = {.match = ""};
    char *text = NULL;
    size_t size_bytes;

    if (file->path == NULL) {
        *why = strdup(file->why != NULL ? file->why : "no memory");
    } else if (!read_old(file->path, info, &all)) {
        *why = JOIN(strerror(errno), ": ", file->path);
    } else {
        for (size_t i = 0; i < entries->entry_count; ++i)
            CLSCAN__TRY(put_entry(&all, &entries->entries[i], error));
        CLSCAN__TRY(write_text(&all, info, &text, &size_bytes, error));
        if (replace_file(file->path, text, size_bytes))
            goto cleanup;
        *why = JOIN(strerror(errno), ": ", file->path);
    }
    CLSCAN__REQUIRE(*why != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for what was measured");

cleanup:
    free(text);
    clscan__document_free(&all);
    return status;
}

clscan_status clscan__measured_keep(const clscan__measured_file *file, const clscan_device_info *info,
                                    const clscan__config_entry *entry, clscan_config **config, clscan_error *error)
{
    clscan_status status;
    clscan__document alone = {.match = ""}, unkept = {.match = ""};
    const char *folder = file->folder != NULL ? file->folder : "";
    char *text = NULL, *unkept_text = NULL, *why = NULL, *source = NULL;
    size_t size_bytes, unkept_bytes;

    CLSCAN__TRY(put_entry(&alone, entry, error));
    CLSCAN__TRY(write_text(&alone, info, &text, &size_bytes, error));
    CLSCAN__TRY(read_unkept(folder, info, entry, &unkept, error));
    CLSCAN__TRY(write_file(file, info, &unkept, &why, error));
    source = why != NULL ? JOIN("measured now, not kept: ", why) : JOIN(file->path);
    CLSCAN__REQUIRE(source != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for what was measured");
    if (why != NULL) {
        clscan__log(CLSCAN_LOG_INFO, "what was measured is kept for this process only: %s", why);
        CLSCAN__TRY(write_text(&unkept, info, &unkept_text, &unkept_bytes, error));
        CLSCAN__TRY(clscan__unkept_put(folder, info->key, source, unkept_text, unkept_bytes, error));
    } else {
        clscan__unkept_remove(folder, info->key);
    }
    clscan__config_sources_changed();
    CLSCAN__TRY(clscan_config_parse(text, size_bytes, source, config, error));

cleanup:
    free(text);
    free(unkept_text);
    free(why);
    free(source);
    clscan__document_free(&alone);
    clscan__document_free(&unkept);
    return status;
}
