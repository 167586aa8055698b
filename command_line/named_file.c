#include "named_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"

clscan_status named_file_open(const char *path, int *descriptor, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    struct stat about;
    /* Without O_NONBLOCK a FIFO would wait for the one who writes. */
    const int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    REQUIRE(opened >= 0, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(errno));
    REQUIRE(fstat(opened, &about) == 0, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(errno));
    REQUIRE(S_ISREG(about.st_mode), CLSCAN_ERROR_FILE, "%s: not a regular file", path);
    *descriptor = opened;

cleanup:
    if (status != CLSCAN_OK && opened >= 0)
        close(opened);
    return status;
}

clscan_status named_file_text(const char *path, size_t most_bytes, char **text, size_t *size_bytes, clscan_error *error)
{
    clscan_status status;
    char *read_text = NULL;
    size_t at = 0;
    ssize_t got = 1;
    int descriptor = -1;

    TRY(named_file_open(path, &descriptor, error));
    read_text = malloc(most_bytes + 1);
    REQUIRE(read_text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory to read it", path);
    while (got > 0 && at < most_bytes) {
        got = read(descriptor, read_text + at, most_bytes - at);
        REQUIRE(got >= 0 || errno == EINTR, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(errno));
        at += got > 0 ? (size_t)got : 0;
        got = got < 0 ? 1 : got;
    }
    read_text[at] = '\0';
    *text = read_text;
    *size_bytes = at;
    read_text = NULL;

cleanup:
    free(read_text);
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

clscan_status named_file_json(const char *path, json_t **document, clscan_error *error)
{
    clscan_status status;
    json_error_t place;
    int descriptor = -1;

    TRY(named_file_open(path, &descriptor, error));
    *document = json_loadfd(descriptor, 0, &place);
    REQUIRE(*document != NULL, CLSCAN_ERROR_FILE, "%s: line %d: %s", path, place.line, place.text);

cleanup:
    if (descriptor >= 0)
        close(descriptor);
    return status;
}
