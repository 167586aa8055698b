#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "byte_io.h"
#include "command_line/failure.h"

/* The temporary files that a signal has to remove; NULL: no file. */
static char *volatile doomed[OUTPUT_FILES_MOST];

static void remove_and_die(int number)
{
    for (size_t i = 0; i < OUTPUT_FILES_MOST; ++i) {
        char *path = doomed[i];

        if (path != NULL)
            unlink(path);
    }
    signal(number, SIG_DFL);
    raise(number);
}

/* Ending signals remove the temporary file; a closed pipe and a file size limit become errors of write(). */
static void handle_signals(void)
{
    static const int ending[] = {SIGHUP, SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = SIG_IGN};

    sigemptyset(&action.sa_mask);
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
    action.sa_handler = remove_and_die;
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; ++i) {
        struct sigaction before;

        /* Under nohup a hang-up is ignored, and stays so. */
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    }
}

static clscan_status fail_errno(const output_file *file, clscan_error *error)
{
    return fail(error, CLSCAN_ERROR_FILE, "%s: %s", file->name, strerror(errno));
}

/* Permissions that open() would have given a new file. */
static mode_t new_file_mode(void)
{
    const mode_t mask = umask(0);

    umask(mask);
    return (mode_t)(0666 & ~mask);
}

static clscan_status open_temporary(output_file *file, mode_t mode, clscan_error *error)
{
    size_t free_place = 0;

    handle_signals();
    while (free_place + 1 < OUTPUT_FILES_MOST && doomed[free_place] != NULL)
        ++free_place;
    if (partial_file_create(&file->temporary, file->target, file->name, &doomed[free_place], error) != CLSCAN_OK)
        return error->status;
    return fchmod(file->temporary.descriptor, mode) == 0 ? CLSCAN_OK : fail_errno(file, error);
}

/* Open what is no regular file. The open of a pipe waits for its reader. */
static clscan_status open_direct(output_file *file, const char *path, bool in_order, uint64_t size_bytes,
                                 clscan_error *error)
{
    handle_signals();
    file->descriptor =
        strcmp(path, "-") == 0 ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_CLOEXEC);
    if (file->descriptor < 0)
        return fail_errno(file, error);
    return in_order ? CLSCAN_OK : spool_open(&file->copy, size_bytes, error);
}

bool output_stat(const char *name, struct stat *about)
{
    return strcmp(name, "-") == 0 ? fstat(STDOUT_FILENO, about) == 0 : stat(name, about) == 0;
}

/* Is `name` written directly? */
static bool is_direct(const char *name, bool exists, const struct stat *about)
{
    return strcmp(name, "-") == 0 || (exists && !S_ISREG(about->st_mode) && !S_ISDIR(about->st_mode));
}

clscan_status output_file_open(output_file *file, const char *name, bool in_order, uint64_t size_bytes,
                               clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    struct stat about;
    const bool exists = stat(name, &about) == 0;
    const int reason = errno;

    *file = (output_file){.name = name, .descriptor = -1, .copy = {.descriptor = -1}};
    if (is_direct(name, exists, &about)) {
        if (strcmp(name, "-") == 0)
            file->name = "standard output";
        TRY(open_direct(file, name, in_order, size_bytes, error));
        return CLSCAN_OK;
    }
    REQUIRE(exists || reason == ENOENT, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(reason));
    REQUIRE(!exists || !S_ISDIR(about.st_mode), CLSCAN_ERROR_FILE, "%s: it is a directory", name);
    /* A rename needs no permission on the file that it replaces, so ask for it: a read-only file is meant to
     * stay. */
    REQUIRE(!exists || access(name, W_OK) == 0, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));
    file->target = exists ? realpath(name, NULL) : strdup(name);
    REQUIRE(file->target != NULL, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));
    REQUIRE(exists || lstat(name, &about) != 0, CLSCAN_ERROR_FILE, "%s: a symbolic link that points nowhere", name);
    TRY(open_temporary(file, exists ? about.st_mode & 07777 : new_file_mode(), error));

cleanup:
    if (status != CLSCAN_OK)
        output_file_discard(file);
    return status;
}

clscan_status output_file_join(output_file *file, const char *name, const char *path, clscan_error *error)
{
    *file = (output_file){.name = name, .descriptor = -1, .copy = {.descriptor = -1}};
    handle_signals();
    return partial_file_join(&file->temporary, path, name, error);
}

clscan_status output_file_probe(const char *name, clscan_error *error)
{
    struct stat about;
    output_file file;

    /* What is written directly may be a pipe, and opening that twice would end it for its reader. */
    if (is_direct(name, stat(name, &about) == 0, &about))
        return CLSCAN_OK;
    if (output_file_open(&file, name, true, 0, error) != CLSCAN_OK)
        return error->status;
    output_file_discard(&file);
    return CLSCAN_OK;
}

uint64_t output_file_room_bytes(const char *name)
{
    struct stat about;
    const bool exists = stat(name, &about) == 0;
    const char *slash = strrchr(name, '/');
    char *folder;
    uint64_t room_bytes;

    if (is_direct(name, exists, &about))
        return UINT64_MAX;
    folder = strdup(exists ? name : slash != NULL ? name : ".");
    if (folder == NULL)
        return UINT64_MAX;
    if (!exists && slash != NULL)
        folder[slash - name + 1] = '\0';
    room_bytes = folder_room_bytes(folder);
    free(folder);
    return room_bytes;
}

clscan_status output_file_write(output_file *file, uint64_t at_bytes, const void *data, size_t size_bytes,
                                clscan_error *error)
{
    if (file->copy.descriptor >= 0)
        return write_all(file->copy.descriptor, file->copy.name, at_bytes, data, size_bytes, error);
    if (file->temporary.path == NULL)
        return write_all(file->descriptor, file->name, IO_NEXT, data, size_bytes, error);
    if (write_all(file->temporary.descriptor, file->name, at_bytes, data, size_bytes, error) != CLSCAN_OK)
        return error->status;
    /* Makes Linux write to the disk at once, and not only when the commit waits for it. */
    posix_fadvise(file->temporary.descriptor, (off_t)at_bytes, (off_t)size_bytes, POSIX_FADV_DONTNEED);
    return CLSCAN_OK;
}

clscan_status output_file_commit(output_file *file, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (file->copy.descriptor >= 0) {
        uint64_t copied_bytes;

        TRY(copy_rest(file->copy.descriptor, file->copy.name, 0, file->descriptor, file->name, NULL, &copied_bytes,
                      error));
    }
    if (file->temporary.path != NULL) {
        TRY(partial_file_commit(&file->temporary, file->target, file->name, error));
    } else {
        const int descriptor = file->descriptor;

        file->descriptor = -1;
        REQUIRE(close(descriptor) == 0, CLSCAN_ERROR_FILE, "%s: %s", file->name, strerror(errno));
    }

cleanup:
    output_file_discard(file);
    return status;
}

void output_file_discard(output_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    if (file->copy.descriptor >= 0)
        close(file->copy.descriptor);
    partial_file_discard(&file->temporary);
    free(file->target);
    file->target = NULL;
    file->descriptor = -1;
    file->copy.descriptor = -1;
}
