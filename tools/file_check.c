#include "file_check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "byte_io.h"
#include "command_line/failure.h"

#define BLOCK_COUNT (UINT64_C(1) << 20)

static clscan_status open_elements(const file_elements *file, int *descriptor, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    *descriptor = open(file->path, O_RDONLY | O_CLOEXEC);
    REQUIRE(*descriptor >= 0, CLSCAN_ERROR_FILE, "%s: %s", file->name, strerror(errno));

cleanup:
    return status;
}

static clscan_status read_elements(const file_elements *file, int descriptor, uint64_t at_bytes, void *data,
                                   size_t size_bytes, clscan_error *error)
{
    clscan_status status;
    size_t got;

    TRY(read_all(descriptor, file->name, file->offset_bytes + at_bytes, data, size_bytes, &got, error));
    REQUIRE(got == size_bytes, CLSCAN_ERROR_FILE, "%s: it became shorter while it was read", file->name);

cleanup:
    return status;
}

clscan_status file_check(checker *check, const file_elements *in, const file_elements *out, clscan_error *error)
{
    clscan_status status;
    const size_t element_bytes = clscan_type_size_bytes(check->type);
    const uint64_t count = check->rows.count;
    const uint64_t most = count < BLOCK_COUNT ? count : BLOCK_COUNT;
    unsigned char *elements = malloc((size_t)(2 * most + 1) * element_bytes), *got = elements + most * element_bytes;
    int in_file = -1, out_file = -1;

    REQUIRE(elements != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory to check the result");
    TRY(open_elements(in, &in_file, error));
    TRY(open_elements(out, &out_file, error));
    for (uint64_t done = 0; done < count;) {
        const uint64_t block = count - done < most ? count - done : most;
        const uint64_t first = chunk_first_element(&check->rows, done, done + block);

        TRY(read_elements(in, in_file, first * element_bytes, elements, (size_t)block * element_bytes, error));
        TRY(read_elements(out, out_file, first * element_bytes, got, (size_t)block * element_bytes, error));
        TRY(check_chunk(check, elements, got, done, block, error));
        done += block;
    }

cleanup:
    if (in_file >= 0)
        close(in_file);
    if (out_file >= 0)
        close(out_file);
    free(elements);
    return status;
}
