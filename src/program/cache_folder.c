#include "program/cache_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checked.h"
#include "program/cache_settings.h"
#include "program/record.h"

/* No real program comes near; a larger file is not worth the memory. */
#define ENTRY_MAX_BYTES ((off_t)1 << 30)

/* A file that was not finished in this time never will be. */
#define UNFINISHED_S 3600

/* ---- The folder ---- */

/* Make the folder and what is missing above it, for this user only. */
static bool make_folders(const char *path)
{
    char *copy = strdup(path);
    bool made = copy != NULL;

    for (char *slash = made ? strchr(copy + 1, '/') : NULL; slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        made = mkdir(copy, S_IRWXU) == 0 || errno == EEXIST;
        *slash = '/';
    }
    if (copy != NULL)
        made = mkdir(copy, S_IRWXU) == 0 || errno == EEXIST;
    free(copy);
    return made;
}

/* Why what others may have put into this folder must not be run; NULL if nobody could. */
static const char *distrust(int folder)
{
    struct stat about;

    if (fstat(folder, &about) != 0)
        return strerror(errno);
    if (about.st_uid != geteuid())
        return "it belongs to another user";
    return (about.st_mode & (S_IWGRP | S_IWOTH)) != 0 ? "other users may write to it" : NULL;
}

int clscan__cache_folder_open(const char *path, bool make, const char **problem)
{
    int folder;

    *problem = path == NULL ? "neither HOME nor XDG_CACHE_HOME is set" : NULL;
    if (path == NULL)
        return -1;
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 && errno == ENOENT && make && make_folders(path))
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        *problem = errno != ENOENT || make ? strerror(errno) : NULL;
        return -1;
    }
    *problem = distrust(folder);
    if (*problem == NULL)
        return folder;
    close(folder);
    return -1;
}

/* ---- Its files ---- */

int clscan__cache_entry_open(int folder, const char *name)
{
    return openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

static bool read_all(int entry, unsigned char *bytes, size_t size_bytes)
{
    for (size_t done = 0; done < size_bytes;) {
        const ssize_t got = read(entry, bytes + done, size_bytes - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

/* 16 digits and ".bin" */
#define ENTRY_NAME_LENGTH 20u

static bool is_entry(const char *name)
{
    return strspn(name, "0123456789abcdef") == 16 && strcmp(name + 16, ".bin") == 0;
}

#define UNFINISHED "clscan-unfinished-"

/* The prefix, digits of a process, '-', and digits of a file. */
static bool is_unfinished(const char *name)
{
    static const char digits[] = "0123456789";
    const char *process = name + strlen(UNFINISHED), *file;

    if (strncmp(name, UNFINISHED, strlen(UNFINISHED)) != 0 || strspn(process, digits) == 0)
        return false;
    file = process + strspn(process, digits) + 1;
    return file[-1] == '-' && strspn(file, digits) > 0 && file[strspn(file, digits)] == '\0';
}

int clscan__cache_unfinished_create(int folder, char name[CLSCAN__UNFINISHED_NAME_BYTES])
{
    static atomic_uint serial;
    int file = -1;

    for (unsigned tries = 0; file < 0 && tries < 100; ++tries) {
        snprintf(name, CLSCAN__UNFINISHED_NAME_BYTES, UNFINISHED "%ld-%u", (long)getpid(),
                 atomic_fetch_add(&serial, 1));
        file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
        if (file < 0 && errno != EEXIST)
            break;
    }
    return file;
}

/* Is this a regular file of at least so many bytes whose first ones are a record's? */
static bool holds_record(int folder, const char *name, size_t least_bytes, struct stat *about)
{
    unsigned char begin[CLSCAN__RECORD_MAGIC_BYTES];
    const int file = clscan__cache_entry_open(folder, name);
    bool holds = file >= 0 && fstat(file, about) == 0 && S_ISREG(about->st_mode);

    if (holds) {
        const size_t begin_bytes = (size_t)clscan__min_u64((uint64_t)about->st_size, sizeof begin);
        holds = begin_bytes >= least_bytes && read_all(file, begin, begin_bytes) &&
                clscan__record_begins(begin, begin_bytes);
    }
    if (file >= 0)
        close(file);
    return holds;
}

/* Opens the folder anew, since the position in it belongs to the descriptor. */
static DIR *list_folder(int folder)
{
    const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = copy >= 0 ? fdopendir(copy) : NULL;

    if (directory == NULL && copy >= 0)
        close(copy);
    return directory;
}

static int by_use(const void *left, const void *right)
{
    const struct timespec *l = &((const clscan__cache_item *)left)->used;
    const struct timespec *r = &((const clscan__cache_item *)right)->used;

    if (l->tv_sec != r->tv_sec)
        return l->tv_sec < r->tv_sec ? 1 : -1;
    return (l->tv_nsec < r->tv_nsec) - (l->tv_nsec > r->tv_nsec);
}

static bool add_item(clscan__cache_item **items, size_t *count, const char *name, const struct stat *about)
{
    /* Doubles when it is full: at powers of two. */
    if ((*count & (*count - 1)) == 0) {
        clscan__cache_item *grown = realloc(*items, (*count > 0 ? 2 * *count : 1) * sizeof **items);
        if (grown == NULL)
            return false;
        *items = grown;
    }
    (*items)[*count] = (clscan__cache_item){.size_bytes = (uint64_t)about->st_size, .used = about->st_mtim};
    memcpy((*items)[(*count)++].name, name, ENTRY_NAME_LENGTH);
    return true;
}

bool clscan__cache_folder_items(int folder, clscan__cache_item **items, size_t *count)
{
    DIR *directory = list_folder(folder);
    struct dirent *file;
    bool complete = directory != NULL;

    *items = NULL;
    *count = 0;
    while (complete && (file = readdir(directory)) != NULL) {
        struct stat about;
        if (is_entry(file->d_name) && holds_record(folder, file->d_name, CLSCAN__RECORD_MAGIC_BYTES, &about))
            complete = add_item(items, count, file->d_name, &about);
    }
    if (directory != NULL)
        closedir(directory);
    if (!complete) {
        free(*items);
        *items = NULL;
        *count = 0;
    } else if (*count > 0) {
        qsort(*items, *count, sizeof **items, by_use);
    }
    return complete;
}

void clscan__cache_folder_tidy(int folder)
{
    const time_t now = time(NULL);
    DIR *directory = list_folder(folder);
    struct dirent *file;

    while (directory != NULL && (file = readdir(directory)) != NULL) {
        struct stat about;
        if (is_unfinished(file->d_name) && holds_record(folder, file->d_name, 0, &about) &&
            about.st_mtime < now - UNFINISHED_S)
            unlinkat(folder, file->d_name, 0);
    }
    if (directory != NULL)
        closedir(directory);
}

void clscan__cache_folder_evict(int folder, const char *fresh, uint64_t max_bytes)
{
    clscan__cache_item *items = NULL;
    size_t count = 0;
    uint64_t kept_bytes = 0;

    clscan__cache_folder_tidy(folder);
    if (!clscan__cache_folder_items(folder, &items, &count))
        return;
    for (size_t i = 0; i < count; ++i)
        if (strcmp(items[i].name, fresh) == 0 && items[i].size_bytes <= max_bytes)
            kept_bytes = items[i].size_bytes;
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(items[i].name, fresh) == 0)
            continue;
        if (items[i].size_bytes <= max_bytes - kept_bytes)
            kept_bytes += items[i].size_bytes;
        else if (unlinkat(folder, items[i].name, 0) == 0)
            clscan__cache_count(CLSCAN__COUNTER_evicted);
    }
    free(items);
}

/* ---- One entry ---- */

unsigned char *clscan__cache_entry_read(int entry, size_t *size_bytes, const char **why)
{
    struct stat about;
    unsigned char *bytes = NULL;

    *why = NULL;
    if (fstat(entry, &about) != 0 || !S_ISREG(about.st_mode))
        *why = "it is no regular file";
    else if (about.st_uid != geteuid())
        *why = "it belongs to another user";
    else if ((about.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        *why = "other users may write to it";
    else if (about.st_size > ENTRY_MAX_BYTES)
        *why = "it is larger than any program";
    else if ((bytes = malloc((size_t)about.st_size + 1)) == NULL)
        *why = "there is no memory for it";
    else if (!read_all(entry, bytes, (size_t)about.st_size))
        *why = "it cannot be read";
    if (*why != NULL) {
        free(bytes);
        return NULL;
    }
    *size_bytes = (size_t)about.st_size;
    return bytes;
}

bool clscan__write_all(int file, const void *data, size_t data_bytes)
{
    for (size_t done = 0; done < data_bytes;) {
        const ssize_t put = write(file, (const char *)data + done, data_bytes - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        done += (size_t)put;
    }
    return true;
}
