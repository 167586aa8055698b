#include "files/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command_line/failure.h"

#define HOLDER_BYTES 128

/* An absolute path from the environment, or NULL. */
static const char *absolute(const char *name)
{
    const char *value = getenv(name);

    return value != NULL && value[0] == '/' ? value : NULL;
}

static bool make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

static bool find_folder(char *path, size_t size_bytes)
{
    const char *runtime = absolute("XDG_RUNTIME_DIR");
    const char *cache = absolute("XDG_CACHE_HOME");
    const char *home = absolute("HOME");
    int used;

    if (runtime != NULL)
        return snprintf(path, size_bytes, "%s", runtime) < (int)size_bytes;
    if (cache == NULL && home == NULL)
        return false;
    used = cache != NULL ? snprintf(path, size_bytes, "%s", cache) : snprintf(path, size_bytes, "%s/.cache", home);
    if (used < 0 || (size_t)used >= size_bytes || !make_folder(path))
        return false;
    used = snprintf(path + used, size_bytes - (size_t)used, "/clscan");
    return used == 7 && make_folder(path);
}

/* The holder has written who it is; if it was not that far yet, that does not matter. */
static void read_holder(int descriptor, char *holder)
{
    const ssize_t got = pread(descriptor, holder, HOLDER_BYTES - 1, 0);

    holder[got > 0 ? got : 0] = '\0';
    holder[strcspn(holder, "\n")] = '\0';
}

static void write_holder(int descriptor)
{
    const time_t now = time(NULL);
    char text[HOLDER_BYTES], date[32];
    struct tm utc;
    int bytes;

    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    bytes = snprintf(text, sizeof text, "process %ld, since %s\n", (long)getpid(), date);
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, text, (size_t)bytes, 0) != bytes)
        return; /* only the message of a second one is poorer for it */
}

clscan_status tune_lock_take(const char *device_key, size_t device_index, bool wait, bool *busy, int *descriptor,
                             clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char folder[PATH_MAX - 128], path[PATH_MAX], holder[HOLDER_BYTES];
    int file = -1;

    *busy = false;
    REQUIRE(find_folder(folder, sizeof folder), CLSCAN_ERROR_FILE,
            "no folder for the lock of a device: none of XDG_RUNTIME_DIR, XDG_CACHE_HOME and HOME can be used");
    snprintf(path, sizeof path, "%s/clscan-tune-%.64s-%zu.lock", folder, device_key, device_index);
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    REQUIRE(file >= 0, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(errno));
    if (flock(file, wait ? LOCK_EX : LOCK_EX | LOCK_NB) != 0) {
        const int code = errno;

        *busy = code == EWOULDBLOCK || code == EINTR;
        read_holder(file, holder);
        REQUIRE(!*busy, CLSCAN_ERROR_FILE, "another clscan-tune is at device %zu (%s): %s", device_index, device_key,
                holder[0] != '\0' ? holder : "it has just started");
        REQUIRE(false, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(code));
    }
    write_holder(file);
    *descriptor = file;
    file = -1; /* now the caller's */

cleanup:
    if (file >= 0)
        close(file);
    return status;
}

void tune_lock_release(int descriptor)
{
    close(descriptor);
}
