#include "input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command_line/failure.h"
#include "npy.h"

bool is_npy_name(const char *name)
{
    const size_t name_bytes = strlen(name);

    return name_bytes >= 4 && strcmp(name + name_bytes - 4, ".npy") == 0;
}

static bool host_is_little_endian(void)
{
    const uint16_t one = 1;

    return *(const unsigned char *)&one == 1;
}

/* Read at a place of the file until `size_bytes` are there or the file ends. */
static clscan_status read_at(const input_file *file, uint64_t offset_bytes, void *data, size_t size_bytes,
                             size_t *read_bytes, clscan_error *error)
{
    *read_bytes = 0;
    while (*read_bytes < size_bytes) {
        const ssize_t got = pread(file->descriptor, (char *)data + *read_bytes, size_bytes - *read_bytes,
                                  (off_t)(offset_bytes + *read_bytes));

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(error, CLSCAN_ERROR_FILE, "%s: %s", file->name, strerror(errno));
        if (got == 0)
            break;
        *read_bytes += (size_t)got;
    }
    return CLSCAN_OK;
}

/* The functions on headers do not know the file's name. */
static clscan_status add_name(const char *name, clscan_error *error)
{
    const clscan_error reason = *error;

    return fail(error, reason.status, "%s: %s", name, reason.message);
}

static clscan_status read_npy_header(input_file *file, uint64_t file_bytes, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char prefix[NPY_PREFIX_BYTES];
    char *text = NULL;
    size_t read_bytes;
    size_t header_bytes;
    npy_header header;

    REQUIRE(host_is_little_endian(), CLSCAN_ERROR_FILE, "%s: .npy files need a little-endian host", file->name);
    TRY(read_at(file, 0, prefix, sizeof prefix, &read_bytes, error));
    if (npy_header_bytes(prefix, read_bytes, &header_bytes, error) != CLSCAN_OK) {
        status = add_name(file->name, error);
        goto cleanup;
    }
    text = malloc(header_bytes);
    REQUIRE(text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for its header", file->name);
    TRY(read_at(file, 0, text, header_bytes, &read_bytes, error));
    if (npy_parse(text, read_bytes, &header, error) != CLSCAN_OK) {
        status = add_name(file->name, error);
        goto cleanup;
    }
    file->type = header.type;
    file->count = header.count;
    file->data_bytes = header.count * clscan_type_size_bytes(header.type);
    file->offset_bytes = header.header_bytes;
    REQUIRE(file_bytes - header.header_bytes >= file->data_bytes, CLSCAN_ERROR_FILE,
            "%s: truncated: %" PRIu64 " elements of %s need %" PRIu64 " bytes, it holds %" PRIu64, file->name,
            file->count, clscan_type_name(file->type), file->data_bytes, file_bytes - header.header_bytes);
    REQUIRE(file_bytes - header.header_bytes == file->data_bytes, CLSCAN_ERROR_FILE,
            "%s: %" PRIu64 " bytes too many after its %" PRIu64 " elements", file->name,
            file_bytes - header.header_bytes - file->data_bytes, file->count);

cleanup:
    free(text);
    return status;
}

clscan_status input_file_open(input_file *file, const char *name, clscan_type raw_type, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t file_bytes;

    *file = (input_file){.name = name, .type = raw_type};
    file->descriptor = open(name, O_RDONLY | O_CLOEXEC);
    REQUIRE(file->descriptor >= 0, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));
    REQUIRE(fstat(file->descriptor, &file->about) == 0, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));
    REQUIRE(S_ISREG(file->about.st_mode), CLSCAN_ERROR_FILE, "%s: not a regular file", name);
    file_bytes = (uint64_t)file->about.st_size;
    if (raw_type == CLSCAN_TYPE_COUNT) {
        TRY(read_npy_header(file, file_bytes, error));
    } else {
        const size_t size_bytes = clscan_type_size_bytes(raw_type);

        REQUIRE(file_bytes % size_bytes == 0, CLSCAN_ERROR_FILE,
                "%s: its %" PRIu64 " bytes are no whole number of %s elements (%zu bytes each)", name, file_bytes,
                clscan_type_name(raw_type), size_bytes);
        file->count = file_bytes / size_bytes;
        file->data_bytes = file_bytes;
    }

cleanup:
    if (status != CLSCAN_OK)
        input_file_close(file);
    return status;
}

clscan_status input_file_read(const input_file *file, uint64_t at_bytes, void *data, size_t size_bytes,
                              clscan_error *error)
{
    size_t read_bytes;
    const clscan_status status = read_at(file, file->offset_bytes + at_bytes, data, size_bytes, &read_bytes, error);

    if (status != CLSCAN_OK)
        return status;
    if (read_bytes < size_bytes)
        return fail(error, CLSCAN_ERROR_FILE, "%s: it became shorter while it was read", file->name);
    return CLSCAN_OK;
}

void input_file_close(input_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    file->descriptor = -1;
}
