#include "index_type.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "command_line/failure.h"
#include "command_line/values.h"
#include "reference/reference.h"

clscan_status read_index_type(const char *text, void *target, clscan_error *error)
{
    clscan_status status;
    clscan_type type = CLSCAN_TYPE_COUNT;

    TRY(read_type(text, &type, error));
    REQUIRE(!clscan_reference_is_floating(type), CLSCAN_ERROR_INVALID_VALUE, "indices are integers, and %s is none",
            text);
    *(clscan_type *)target = type;

cleanup:
    return status;
}

clscan_status index_type_check(clscan_type type, const input_file *in, uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(count == 0 || count - 1 <= integer_largest(type), CLSCAN_ERROR_INVALID_VALUE,
            "%s has %" PRIu64 "%s elements, and the largest index of --index-type %s is %" PRIu64, in->name, count,
            count == in->count ? "" : " or more", clscan_type_name(type), integer_largest(type));

cleanup:
    return status;
}

clscan_status index_type_check_extent(clscan_type type, const input_file *in, unsigned d, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(in->shape[d] == 0 || in->shape[d] - 1 <= integer_largest(type), CLSCAN_ERROR_INVALID_VALUE,
            "%s has %" PRIu64 " elements along dimension %u, and the largest index of --index-type %s is %" PRIu64,
            in->name, in->shape[d], d, clscan_type_name(type), integer_largest(type));

cleanup:
    return status;
}

void index_type_write(clscan_type type, const uint64_t *indices, uint64_t number, uint64_t first, void *to)
{
    const size_t bytes = clscan_type_size_bytes(type);

    /* The lowest bytes come first, as in the files that they go to. */
    for (uint64_t i = 0; i < number; ++i) {
        const uint64_t index = indices[i] + first;

        memcpy((unsigned char *)to + i * bytes, &index, bytes);
    }
}
