#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "byte_io.h"
#include "command_line/failure.h"

uint64_t folder_room_bytes(const char *path)
{
    struct statvfs disk;

    /* Some file systems know no size: all of theirs are 0. */
    if (statvfs(path, &disk) != 0 || disk.f_blocks == 0 || disk.f_frsize == 0 ||
        disk.f_bavail > UINT64_MAX / disk.f_frsize)
        return UINT64_MAX;
    return (uint64_t)disk.f_bavail * disk.f_frsize;
}

clscan_status spool_open(spool *s, uint64_t needed_bytes, clscan_error *error)
{
    static const char suffix[] = "/clscan-XXXXXX";
    const char *folder = getenv("TMPDIR");
    uint64_t room_bytes;
    char *path;

    if (folder == NULL || folder[0] == '\0')
        folder = "/tmp";
    s->descriptor = -1;
    snprintf(s->name, sizeof s->name, "%s (temporary file)", folder);
    room_bytes = folder_room_bytes(folder);
    if (needed_bytes > room_bytes)
        return fail(error, CLSCAN_ERROR_FILE, "%s: there is room for %" PRIu64 " bytes, and %" PRIu64 " are needed",
                    s->name, room_bytes, needed_bytes);
    path = malloc(strlen(folder) + sizeof suffix);
    if (path == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for its name", s->name);
    strcpy(path, folder);
    strcat(path, suffix);
    s->descriptor = mkstemp(path);
    if (s->descriptor < 0) {
        free(path);
        return fail(error, CLSCAN_ERROR_FILE, "%s: %s", s->name, strerror(errno));
    }
    unlink(path);
    free(path);
    fcntl(s->descriptor, F_SETFD, FD_CLOEXEC);
    return CLSCAN_OK;
}

clscan_status copy_rest(int from, const char *from_name, uint64_t from_bytes, int to, const char *to_name,
                        progress *shown, uint64_t *copied_bytes, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    size_t read_bytes = IO_BYTES;
    void *data = malloc(IO_BYTES);

    *copied_bytes = 0;
    REQUIRE(data != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory to copy it", from_name);
    while (read_bytes == IO_BYTES) {
        TRY(read_all(from, from_name, from_bytes == IO_NEXT ? IO_NEXT : from_bytes + *copied_bytes, data, IO_BYTES,
                     &read_bytes, error));
        TRY(write_all(to, to_name, IO_NEXT, data, read_bytes, error));
        *copied_bytes += read_bytes;
        if (shown != NULL)
            progress_add(shown, read_bytes, read_bytes);
    }

cleanup:
    free(data);
    return status;
}
