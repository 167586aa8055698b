#include "length_file.h"

#include <inttypes.h>
#include <stdlib.h>

#include "command_line/failure.h"

#define SUMMED_BYTES ((size_t)1 << 20) /* of lengths at once */

clscan_status length_file_check_counts(const length_file *lengths, const input_file *elements, uint64_t count,
                                       clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const input_file *file = &lengths->in;
    const uint64_t needed = count + lengths->by_offsets;
    const bool is_all = count == elements->count;

    REQUIRE(is_all ? file->count == needed : file->count >= needed, CLSCAN_ERROR_FILE,
            "%s has %" PRIu64 " %s%s; %s has %" PRIu64 "%s element%s and needs %" PRIu64, file->name, file->count,
            lengths->by_offsets ? "offset" : "length", file->count == 1 ? "" : "s", elements->name, count,
            is_all ? "" : " or more", count == 1 && is_all ? "" : "s", needed);

cleanup:
    return status;
}

/* An integer of a file; a negative one as it is to be shown. */
static uint64_t length_at(const void *data, clscan_type type, uint64_t i, bool *negative)
{
    int64_t value = 0;

    *negative = false;
    switch (type) {
    case CLSCAN_UINT8:
        return ((const uint8_t *)data)[i];
    case CLSCAN_UINT16:
        return ((const uint16_t *)data)[i];
    case CLSCAN_UINT32:
        return ((const uint32_t *)data)[i];
    case CLSCAN_UINT64:
        return ((const uint64_t *)data)[i];
    case CLSCAN_INT8:
        value = ((const int8_t *)data)[i];
        break;
    case CLSCAN_INT16:
        value = ((const int16_t *)data)[i];
        break;
    case CLSCAN_INT32:
        value = ((const int32_t *)data)[i];
        break;
    default:
        value = ((const int64_t *)data)[i];
        break;
    }
    *negative = value < 0;
    return (uint64_t)value;
}

clscan_status length_file_begin(length_file *lengths, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    input_file *in = &lengths->in;
    uint64_t first = 0;
    size_t read_bytes = 0;
    bool negative;

    if (!lengths->by_offsets)
        return status;
    REQUIRE(in->count > 0, CLSCAN_ERROR_FILE, "%s has no offsets; n + 1 of them bound n lengths", in->name);
    TRY(input_file_read(in, 0, &first, in->element_bytes, &read_bytes, error));
    lengths->latest = length_at(&first, in->type, 0, &negative);
    REQUIRE(!negative, CLSCAN_ERROR_FILE, "%s: offset 0 is %" PRId64 ", negative", in->name, (int64_t)lengths->latest);

cleanup:
    return status;
}

clscan_status length_file_take(length_file *lengths, uint64_t first, uint64_t count, void *data, uint64_t *sum,
                               uint64_t *left, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    input_file *in = &lengths->in;
    const uint64_t begin = first + lengths->by_offsets;
    size_t read_bytes = 0;

    TRY(input_file_read(in, begin * in->element_bytes, data, (size_t)count * in->element_bytes, &read_bytes, error));
    for (uint64_t i = 0; i < count; ++i) {
        bool negative;
        const uint64_t integer = length_at(data, in->type, i, &negative);
        const uint64_t length = lengths->by_offsets ? integer - lengths->latest : integer;

        REQUIRE(!negative, CLSCAN_ERROR_FILE, "%s: %s %" PRIu64 " is %" PRId64 ", %s", in->name,
                lengths->by_offsets ? "offset" : "element", begin + i, (int64_t)integer,
                lengths->by_offsets ? "negative" : "a negative length");
        REQUIRE(!lengths->by_offsets || integer >= lengths->latest, CLSCAN_ERROR_FILE,
                "%s: offset %" PRIu64 " is %" PRIu64 ", below the one before, %" PRIu64, in->name, begin + i, integer,
                lengths->latest);
        REQUIRE(length <= UINT64_MAX - *sum, CLSCAN_ERROR_FILE,
                "%s: up to element %" PRIu64 ", which is %" PRIu64 ", its lengths are together more than %" PRIu64
                ", 2^64 - 1",
                in->name, begin + i, length, UINT64_MAX);
        lengths->latest = integer;
        *sum += length;
        if (left != NULL)
            left[i] = length;
    }

cleanup:
    return status;
}

clscan_status length_file_sum(length_file *lengths, uint64_t *sum, clscan_error *error)
{
    clscan_status status;
    const input_file *in = &lengths->in;
    const uint64_t most = SUMMED_BYTES / in->element_bytes, all = in->count - lengths->by_offsets;
    void *data = malloc(SUMMED_BYTES);
    uint64_t count;

    *sum = 0;
    REQUIRE(data != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory to read %s", in->name);
    TRY(length_file_begin(lengths, error));
    for (uint64_t first = 0; first < all; first += count) {
        count = all - first < most ? all - first : most;
        TRY(length_file_take(lengths, first, count, data, sum, NULL, error));
    }

cleanup:
    free(data);
    return status;
}
