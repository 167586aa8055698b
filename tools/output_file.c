#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command_line/failure.h"

/* The temporary file that a signal has to remove. */
static char *volatile doomed;

static void remove_and_die(int number)
{
    char *path = doomed;

    if (path != NULL)
        unlink(path);
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

/* Make the temporary file beside the target, where a rename cannot cross a file system. */
static clscan_status open_temporary(output_file *file, mode_t mode, clscan_error *error)
{
    static const char suffix[] = ".partial-XXXXXX";
    const size_t target_bytes = strlen(file->target);

    file->temporary = malloc(target_bytes + sizeof suffix);
    if (file->temporary == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for its name", file->name);
    memcpy(file->temporary, file->target, target_bytes);
    memcpy(file->temporary + target_bytes, suffix, sizeof suffix);
    file->descriptor = mkstemp(file->temporary);
    if (file->descriptor < 0) {
        const clscan_status status = fail_errno(file, error);

        free(file->temporary);
        file->temporary = NULL;
        return status;
    }
    doomed = file->temporary;
    handle_signals();
    if (fchmod(file->descriptor, mode) != 0)
        return fail_errno(file, error);
    return CLSCAN_OK;
}

clscan_status output_file_open(output_file *file, const char *name, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    struct stat about;
    const bool exists = stat(name, &about) == 0;

    *file = (output_file){.name = name, .descriptor = -1};
    REQUIRE(exists || errno == ENOENT, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));
    REQUIRE(!exists || !S_ISDIR(about.st_mode), CLSCAN_ERROR_FILE, "%s: it is a directory", name);
    if (exists && !S_ISREG(about.st_mode)) {
        handle_signals();
        file->descriptor = open(name, O_WRONLY | O_CLOEXEC);
        REQUIRE(file->descriptor >= 0, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));
        return CLSCAN_OK;
    }
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

clscan_status output_file_probe(const char *name, clscan_error *error)
{
    struct stat about;
    output_file file;

    /* What is written directly may be a pipe, and opening that twice would end it for its reader. */
    if (stat(name, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return CLSCAN_OK;
    if (output_file_open(&file, name, error) != CLSCAN_OK)
        return error->status;
    output_file_discard(&file);
    return CLSCAN_OK;
}

clscan_status output_file_write(output_file *file, const void *data, size_t size_bytes, clscan_error *error)
{
    const char *next = data;

    while (size_bytes > 0) {
        const ssize_t written = write(file->descriptor, next, size_bytes);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail_errno(file, error);
        next += written;
        size_bytes -= (size_t)written;
    }
    return CLSCAN_OK;
}

clscan_status output_file_commit(output_file *file, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    /* Some file systems report a full disk only here. */
    if (file->temporary != NULL)
        REQUIRE(fsync(file->descriptor) == 0, CLSCAN_ERROR_FILE, "%s: %s", file->name, strerror(errno));
    REQUIRE(close(file->descriptor) == 0, CLSCAN_ERROR_FILE, "%s: %s", file->name, strerror(errno));
    file->descriptor = -1;
    if (file->temporary != NULL) {
        REQUIRE(rename(file->temporary, file->target) == 0, CLSCAN_ERROR_FILE, "%s: %s", file->name, strerror(errno));
        doomed = NULL;
        free(file->temporary);
        file->temporary = NULL;
    }

cleanup:
    output_file_discard(file);
    return status;
}

void output_file_discard(output_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    if (file->temporary != NULL) {
        unlink(file->temporary);
        doomed = NULL;
    }
    free(file->temporary);
    free(file->target);
    file->temporary = NULL;
    file->target = NULL;
    file->descriptor = -1;
}

bool output_is_file(const char *name, const struct stat *about)
{
    struct stat output;

    return stat(name, &output) == 0 && output.st_dev == about->st_dev && output.st_ino == about->st_ino;
}
