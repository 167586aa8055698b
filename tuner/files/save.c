#include "files/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command_line/failure.h"
#include "command_line/partial_file.h"

static clscan_status fail_errno(const char *path, clscan_error *error)
{
    return fail(error, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(errno));
}

/* Permissions that open() would have given a new file. */
static mode_t new_file_mode(void)
{
    const mode_t mask = umask(0);

    umask(mask);
    return (mode_t)(0666 & ~mask);
}

/* Make the folders of `path` that are missing. */
static clscan_status make_folders(const char *path, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char *folder = strdup(path);

    REQUIRE(folder != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for its name", path);
    for (char *slash = strchr(folder + (folder[0] == '/'), '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        REQUIRE(mkdir(folder, 0777) == 0 || errno == EEXIST, CLSCAN_ERROR_FILE, "%s: %s", folder, strerror(errno));
        *slash = '/';
    }

cleanup:
    free(folder);
    return status;
}

static clscan_status write_all(int descriptor, const char *path, const char *text, size_t size_bytes,
                               clscan_error *error)
{
    while (size_bytes > 0) {
        const ssize_t written = write(descriptor, text, size_bytes);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail_errno(path, error);
        text += written;
        size_bytes -= (size_t)written;
    }
    return CLSCAN_OK;
}

void tune_sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    const int descriptor = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (descriptor >= 0) {
        fsync(descriptor); /* some file systems refuse it, and need none */
        close(descriptor);
    }
    free(folder);
}

/* Fill the temporary file, and have it checked. */
static clscan_status fill(int descriptor, const char *temporary, const char *path, mode_t mode, const char *text,
                          size_t size_bytes, tune_save_check *check, clscan_error *error)
{
    clscan_status status;

    TRY(write_all(descriptor, path, text, size_bytes, error));
    if (fchmod(descriptor, mode) != 0)
        TRY(fail_errno(path, error));
    if (check != NULL)
        TRY(check(temporary, error));

cleanup:
    return status;
}

clscan_status tune_save(const char *path, const char *text, size_t size_bytes, tune_save_check *check,
                        clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    struct stat about;
    const bool exists = stat(path, &about) == 0;
    char *target = exists ? realpath(path, NULL) : strdup(path); /* what a symbolic link points to is replaced */
    partial_file temporary = {0};

    REQUIRE(target != NULL, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(errno));
    REQUIRE(!exists || S_ISREG(about.st_mode), CLSCAN_ERROR_FILE, "%s: not a regular file", path);
    /* A rename needs no permission on what it replaces, so ask for it: a read-only file is meant to stay. */
    REQUIRE(!exists || access(path, W_OK) == 0, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(errno));
    TRY(make_folders(target, error));
    TRY(partial_file_create(&temporary, target, path, NULL, error));
    TRY(fill(temporary.descriptor, temporary.path, path, exists ? about.st_mode & 07777 : new_file_mode(), text,
             size_bytes, check, error));
    TRY(partial_file_commit(&temporary, target, path, error));
    tune_sync_folder(target);

cleanup:
    partial_file_discard(&temporary);
    free(target);
    return status;
}

static clscan_status stop_here(const char *path, clscan_error *error)
{
    (void)path;
    return fail(error, CLSCAN_ERROR_INVALID_VALUE, "it could be written");
}

clscan_status tune_save_try(const char *path, const char *option, clscan_error *error)
{
    static const char text[1 << 16];
    clscan_error why = {0};
    const clscan_status status = tune_save(path, text, sizeof text, stop_here, &why);

    if (status == CLSCAN_ERROR_INVALID_VALUE)
        return CLSCAN_OK;
    return fail(error, status, "%s; name another place with %s", why.message, option);
}
