#include "partial_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "failure.h"

/* ".clscan-", 16 digits that no other process chooses, '-', 16 digits that follow from them and the machine. */
#define PREFIX ".clscan-"
#define DIGITS 16u
#define NAME_LENGTH (sizeof PREFIX - 1 + 2 * DIGITS + 1)

#define ATTEMPTS 100u

/* Entries of a folder that are looked at; the rest may keep what was left there. */
#define MAX_ENTRIES 65536u

/* FNV-1a. */
static uint64_t hash(uint64_t value, const void *data, size_t size_bytes)
{
    const unsigned char *bytes = data;

    for (size_t i = 0; i < size_bytes; ++i)
        value = (value ^ bytes[i]) * UINT64_C(0x100000001b3);
    return value;
}

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* A name with these first digits. Locks may not reach other machines that share the folder, so each has names of its
 * own. */
static void write_name(const char digits[DIGITS], char name[NAME_LENGTH + 1])
{
    struct utsname machine;
    uint64_t mark = hash(HASH_START, digits, DIGITS);

    if (uname(&machine) >= 0)
        mark = hash(mark, machine.nodename, strlen(machine.nodename));
    snprintf(name, NAME_LENGTH + 1, PREFIX "%.*s-%016" PRIx64, (int)DIGITS, digits, mark);
}

static bool is_name(const char *name)
{
    char made[NAME_LENGTH + 1];

    if (strlen(name) != NAME_LENGTH || strncmp(name, PREFIX, sizeof PREFIX - 1) != 0)
        return false;
    write_name(name + sizeof PREFIX - 1, made);
    return strcmp(name, made) == 0;
}

static void choose_name(unsigned attempt, char name[NAME_LENGTH + 1])
{
    const pid_t process = getpid();
    char digits[DIGITS + 1];
    struct timespec now;
    uint64_t unique;

    clock_gettime(CLOCK_REALTIME, &now);
    unique = hash(hash(HASH_START, &now.tv_sec, sizeof now.tv_sec), &now.tv_nsec, sizeof now.tv_nsec);
    unique = hash(hash(unique, &process, sizeof process), &attempt, sizeof attempt);
    snprintf(digits, sizeof digits, "%016" PRIx64, unique);
    write_name(digits, name);
}

/* Is the open file still the one of that name? */
static bool has_name(int descriptor, int folder, const char *name)
{
    struct stat of_file;
    struct stat of_name;

    return fstat(descriptor, &of_file) == 0 && fstatat(folder, name, &of_name, AT_SYMLINK_NOFOLLOW) == 0 &&
           of_file.st_dev == of_name.st_dev && of_file.st_ino == of_name.st_ino;
}

/* Remove a file of ours that no living process writes: whoever writes one holds its lock. */
static void remove_if_left(int folder, const char *name)
{
    const int descriptor = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;

    if (descriptor < 0)
        return;
    if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() && about.st_nlink == 1 &&
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 && has_name(descriptor, folder, name))
        unlinkat(folder, name, 0);
    close(descriptor);
}

static void remove_what_was_left(const char *folder)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;

    if (directory == NULL)
        return;
    for (unsigned i = 0; i < MAX_ENTRIES && (entry = readdir(directory)) != NULL; ++i)
        if (is_name(entry->d_name))
            remove_if_left(dirfd(directory), entry->d_name);
    closedir(directory);
}

/* Another process may take a new file for one that was left, until it is locked. False: that happened. */
static bool lock(int descriptor)
{
    struct stat about;

    /* Where a file system has no locks, nobody takes the file for one that was left. */
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(descriptor, &about) == 0 && about.st_nlink > 0;
}

/* Tell the signal handler what to remove. */
static void doom(const partial_file *file, char *path)
{
    if (file->doomed != NULL)
        *file->doomed = path;
}

/* Make a file with a name of its own behind the first `folder_bytes` of the path, and lock it. */
static clscan_status open_and_lock(partial_file *file, size_t folder_bytes, const char *name, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (unsigned attempt = 0; attempt < ATTEMPTS; ++attempt) {
        choose_name(attempt, file->path + folder_bytes);
        doom(file, file->path); /* before there is a file that a signal would leave */
        file->descriptor = open(file->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file->descriptor >= 0 && lock(file->descriptor))
            return CLSCAN_OK;
        doom(file, NULL);
        REQUIRE(file->descriptor >= 0 || errno == EEXIST, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));
        if (file->descriptor >= 0)
            close(file->descriptor);
        file->descriptor = -1;
    }
    status = fail(error, CLSCAN_ERROR_FILE, "%s: other processes remove its temporary file", name);

cleanup:
    return status;
}

clscan_status partial_file_create(partial_file *file, const char *target, const char *name, char *volatile *doomed,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *slash = strrchr(target, '/');
    const size_t folder_bytes = slash != NULL ? (size_t)(slash - target) + 1 : 0;

    *file = (partial_file){.descriptor = -1, .lock = -1, .doomed = doomed};
    file->path = calloc(1, folder_bytes + NAME_LENGTH + 1);
    REQUIRE(file->path != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for its name", name);
    memcpy(file->path, target, folder_bytes);
    remove_what_was_left(folder_bytes > 0 ? file->path : ".");
    TRY(open_and_lock(file, folder_bytes, name, error));
    file->lock = fcntl(file->descriptor, F_DUPFD_CLOEXEC, 0);
    REQUIRE(file->lock >= 0, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));

cleanup:
    if (status != CLSCAN_OK)
        partial_file_discard(file);
    return status;
}

clscan_status partial_file_join(partial_file *file, const char *path, const char *name, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    *file = (partial_file){.descriptor = -1, .lock = -1, .joined = true};
    file->path = strdup(path);
    REQUIRE(file->path != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for its name", name);
    file->descriptor = open(path, O_WRONLY | O_CLOEXEC);
    REQUIRE(file->descriptor >= 0, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));

cleanup:
    if (status != CLSCAN_OK)
        partial_file_discard(file);
    return status;
}

/* Close and forget it. */
static void release(partial_file *file)
{
    doom(file, NULL);
    if (file->descriptor >= 0)
        close(file->descriptor);
    if (file->lock >= 0)
        close(file->lock);
    free(file->path);
    file->path = NULL;
}

clscan_status partial_file_commit(partial_file *file, const char *target, const char *name, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const int descriptor = file->descriptor;

    /* Some file systems report a full disk only here. */
    REQUIRE(fsync(descriptor) == 0, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));
    file->descriptor = -1;
    REQUIRE(close(descriptor) == 0, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));
    REQUIRE(file->joined || rename(file->path, target) == 0, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));
    release(file);

cleanup:
    return status;
}

void partial_file_discard(partial_file *file)
{
    if (file->path == NULL)
        return;
    if (!file->joined && (file->descriptor >= 0 || file->lock >= 0))
        unlink(file->path);
    release(file);
}
