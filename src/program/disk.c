#include "program/disk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "program/cache_folder.h"

typedef struct entry_name {
    char text[32];
} entry_name;

static entry_name name_of(const clscan__key *key)
{
    entry_name name;

    snprintf(name.text, sizeof name.text, "%016" PRIx64 ".bin", key->hash);
    return name;
}

/* The folder; -1 after a warning, of which one is enough for a process. */
static int open_folder(const clscan__cache_settings *settings, bool make)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    const char *problem;
    const int folder = clscan__cache_folder_open(settings->folder, make, &problem);

    if (problem != NULL)
        clscan__log(atomic_flag_test_and_set(&warned) ? CLSCAN_LOG_DEBUG : CLSCAN_LOG_WARNING,
                    "compiled programs are not kept in %s: %s",
                    settings->folder != NULL ? settings->folder : "a folder", problem);
    return folder;
}

/* ---- Loading ---- */

/* What is wrong with the entry; NULL if it has the program of the key, which is then in *file. */
static const char *read_entry(int entry, const clscan__key *key, unsigned char **file, clscan__record *record)
{
    const char *why;
    size_t size_bytes = 0;
    unsigned char *bytes = clscan__cache_entry_read(entry, &size_bytes, &why);

    if (bytes == NULL)
        return why;
    why = clscan__record_decode(bytes, size_bytes, record);
    if (why == NULL && record->size_bytes != size_bytes)
        why = "something follows it";
    if (why == NULL &&
        (record->key_bytes != key->length_bytes || memcmp(record->key, key->text, key->length_bytes) != 0))
        why = "it is of another program";
    if (why != NULL) {
        free(bytes);
        return why;
    }
    *file = bytes;
    return NULL;
}

static unsigned char *load(int folder, const clscan__key *key, clscan__record *record)
{
    const entry_name name = name_of(key);
    const int entry = clscan__cache_entry_open(folder, name.text);
    const char *why = NULL;
    unsigned char *file = NULL;

    if (entry < 0 && errno == ENOENT)
        return NULL;
    why = entry < 0 ? strerror(errno) : read_entry(entry, key, &file, record);
    if (why != NULL) {
        clscan__cache_count(CLSCAN__COUNTER_rejected);
        clscan__log(CLSCAN_LOG_INFO, "cached program %s is not used: %s", name.text, why);
    } else {
        futimens(entry, NULL); /* used now; where that is not allowed, it is evicted a little early */
    }
    if (entry >= 0)
        close(entry);
    return file;
}

unsigned char *clscan__disk_load(const clscan__cache_settings *settings, const clscan__key *key, clscan__record *record)
{
    const int folder = open_folder(settings, false);
    unsigned char *file = NULL;

    if (folder >= 0) {
        file = load(folder, key, record);
        close(folder);
    }
    if (file == NULL)
        clscan__cache_count(CLSCAN__COUNTER_disk_misses);
    return file;
}

/* ---- Storing ---- */

/* Beyond this limit writing would end the process by a signal. */
static bool is_allowed(size_t size_bytes)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || size_bytes <= limit.rlim_cur;
}

/* The file gets its name when it is complete and on its way to the disk, so that others see all of it or nothing. */
static bool write_entry(int folder, const clscan__key *key, const unsigned char *binary, size_t binary_bytes)
{
    unsigned char header[CLSCAN__RECORD_HEADER_BYTES];
    const entry_name name = name_of(key);
    char unfinished[CLSCAN__UNFINISHED_NAME_BYTES];
    const int file = clscan__cache_unfinished_create(folder, unfinished);
    bool written;

    if (file < 0)
        return false;
    clscan__record_header(key->text, key->length_bytes, binary, binary_bytes, header);
    written = clscan__write_all(file, header, sizeof header) && clscan__write_all(file, key->text, key->length_bytes) &&
              clscan__write_all(file, binary, binary_bytes) && fsync(file) == 0;
    written = close(file) == 0 && written;
    written = written && renameat(folder, unfinished, folder, name.text) == 0;
    if (!written) {
        const int code = errno;
        unlinkat(folder, unfinished, 0);
        errno = code;
    }
    return written;
}

void clscan__disk_store(const clscan__cache_settings *settings, const clscan__key *key, const unsigned char *binary,
                        size_t binary_bytes)
{
    const size_t size_bytes = clscan__record_size(key->length_bytes, binary_bytes);
    const char *why = NULL;
    int folder = -1;

    if (size_bytes > settings->max_bytes)
        why = "it exceeds the bound on the cache's size";
    else if (!is_allowed(size_bytes))
        why = "it exceeds the process's limit on the size of files";
    else if ((folder = open_folder(settings, true)) < 0)
        why = "the folder cannot be used";
    else if (!write_entry(folder, key, binary, binary_bytes))
        why = strerror(errno);
    clscan__cache_count(why == NULL ? CLSCAN__COUNTER_stored : CLSCAN__COUNTER_store_failures);
    if (why != NULL)
        clscan__log(CLSCAN_LOG_INFO, "a program of %zu bytes is not kept on disk: %s", size_bytes, why);
    else
        clscan__cache_folder_evict(folder, name_of(key).text, settings->max_bytes);
    if (folder >= 0)
        close(folder);
}
