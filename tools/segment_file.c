#include "segment_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "command_line/values.h"
#include "reference/reference.h"
#include "scan_maps.h"

#define UPLOADED_BYTES (UINT64_C(16) << 20) /* at once */

clscan_segments_by segment_names_find(const char *const names[CLSCAN_SEGMENTS_BY_COUNT])
{
    unsigned by = 0;

    while (by < CLSCAN_SEGMENTS_BY_COUNT && names[by] == NULL)
        ++by;
    return (clscan_segments_by)by;
}

clscan_status segment_names_check(const char *const names[CLSCAN_SEGMENTS_BY_COUNT], const char *equal, const char *in,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    unsigned files = 0;

    for (unsigned by = 0; by < CLSCAN_SEGMENTS_BY_COUNT; ++by) {
        const char *name = names[by];

        files += name != NULL;
        REQUIRE(name == NULL || name[0] != '\0', CLSCAN_ERROR_INVALID_VALUE, "the file that has segments has no name");
        REQUIRE(name == NULL || strcmp(name, "-") != 0 || strcmp(in, "-") != 0, CLSCAN_ERROR_INVALID_VALUE,
                "IN and the file that has segments are both standard input");
    }
    REQUIRE(files < 2, CLSCAN_ERROR_INVALID_VALUE, "give one of " SEGMENT_OPTION_NAMES);
    REQUIRE(equal == NULL || names[CLSCAN_BY_KEYS] != NULL, CLSCAN_ERROR_INVALID_VALUE,
            "--equal says when keys are equal, and there is no --keys");

cleanup:
    return status;
}

/* Structs are equal where all fields are, if nothing else says it. */
static clscan_status describe_structs(segment_file *file, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const row_declaration *rows = &file->in.rows;

    REQUIRE(rows->source[0] != '\0', CLSCAN_ERROR_UNSUPPORTED_TYPE,
            "%s: its structs have float16, and structs with that are no keys", file->in.name);
    file->key = record_row(rows);
    file->equal = (clscan_map){.struct_size = sizeof file->equal, .expression = "!npy_rows_differ(left, right)"};
    file->segments.key = &file->key;
    file->segments.equal = &file->equal;

cleanup:
    return status;
}

const char *segment_file_key_descr(const segment_file *file)
{
    return input_file_descr(&file->in);
}

clscan_status segment_file_open(segment_file *file, clscan_segments_by by, const char *name, const char *equal,
                                clscan_error *error)
{
    clscan_status status;
    const bool is_raw = (by == CLSCAN_BY_FLAGS || by == CLSCAN_BY_BITS) && !is_npy_name(name);
    const clscan_type raw_type = is_raw ? CLSCAN_UINT8 : CLSCAN_TYPE_COUNT;
    const input_file *in = &file->in;

    TRY(by == CLSCAN_BY_KEYS ? input_file_open_keys(&file->in, name, error)
                             : input_file_open_marks(&file->in, name, raw_type, error));
    REQUIRE(by == CLSCAN_BY_KEYS || !clscan_reference_is_floating(in->type), CLSCAN_ERROR_INVALID_VALUE,
            "%s: its elements are %s; %s are integers", in->name, in->type_name, clscan_segments_by_name(by));
    REQUIRE(by != CLSCAN_BY_OFFSETS || in->element_bytes >= 4, CLSCAN_ERROR_INVALID_VALUE,
            "%s: its elements are %s; offsets have 4 or 8 bytes", in->name, in->type_name);
    file->segments = (clscan_segments){.struct_size = sizeof file->segments, .by = by};
    if (in->type == CLSCAN_TYPE_COUNT)
        TRY(describe_structs(file, error));
    else if (by != CLSCAN_BY_BITS)
        file->segments.type = in->type;
    file->has_equal = equal != NULL;
    if (equal != NULL) {
        TRY(map_check(equal, "--equal", error));
        file->equal = (clscan_map){.struct_size = sizeof file->equal, .expression = equal};
        file->segments.equal = &file->equal;
    }

cleanup:
    return status;
}

void segment_file_use(const segment_file *file, used_files *files)
{
    static const char *const roles[CLSCAN_SEGMENTS_BY_COUNT] = {[CLSCAN_BY_FLAGS] = "--segment-flags",
                                                                [CLSCAN_BY_BITS] = "--segment-bits",
                                                                [CLSCAN_BY_OFFSETS] = "--segment-offsets",
                                                                [CLSCAN_BY_KEYS] = "--keys"};

    used_files_read(files, roles[file->segments.by], &file->in.about);
}

/* The last integer may have bits that are nobody's. */
static uint64_t integers_of_bits(const input_file *in, uint64_t count)
{
    const uint64_t bits = 8 * (uint64_t)in->element_bytes;

    return count / bits + (count % bits != 0);
}

clscan_status segment_file_check(segment_file *file, const input_file *elements, bool in_order, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const input_file *in = &file->in;

    REQUIRE(elements->count != COUNT_UNKNOWN, CLSCAN_ERROR_INVALID_VALUE,
            "%s has no known length, which segments need: use a .npy file, or a file on disk", elements->name);
    REQUIRE(in->count != COUNT_UNKNOWN, CLSCAN_ERROR_INVALID_VALUE, "%s has no known length: use a file on disk",
            in->name);
    REQUIRE(file->segments.by != CLSCAN_BY_BITS || in->count == integers_of_bits(in, elements->count),
            CLSCAN_ERROR_FILE,
            "%s has %" PRIu64 " elements of %s; the bits of the %" PRIu64 " elements of %s are %" PRIu64, in->name,
            in->count, in->type_name, elements->count, elements->name, integers_of_bits(in, elements->count));
    REQUIRE(file->segments.by == CLSCAN_BY_OFFSETS || file->segments.by == CLSCAN_BY_BITS ||
                in->count == elements->count,
            CLSCAN_ERROR_FILE, "%s has %" PRIu64 " %s, %s has %" PRIu64 " elements", in->name, in->count,
            clscan_segments_by_name(file->segments.by), elements->name, elements->count);
    file->elements = elements;
    file->in_order = in_order;

cleanup:
    return status;
}

uint64_t segment_file_offset(const segment_file *file, const void *offsets, uint64_t i)
{
    const unsigned char *from = (const unsigned char *)offsets + i * file->in.element_bytes;
    int32_t narrow;
    uint32_t narrow_unsigned;
    uint64_t wide;

    switch (file->in.type) {
    case CLSCAN_INT32:
        memcpy(&narrow, from, sizeof narrow);
        return (uint64_t)(int64_t)narrow;
    case CLSCAN_UINT32:
        memcpy(&narrow_unsigned, from, sizeof narrow_unsigned);
        return narrow_unsigned;
    default:
        memcpy(&wide, from, sizeof wide);
        return wide;
    }
}

clscan_status segment_file_check_offsets(segment_file *file, const void *offsets, uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *name = file->in.name;
    const bool is_signed = integer_is_signed(file->in.type);

    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t at = segment_file_offset(file, offsets, i), number = file->offsets_checked;

        REQUIRE(!is_signed || at <= INT64_MAX, CLSCAN_ERROR_FILE, "%s: offset %" PRIu64 " is %" PRId64 ", negative",
                name, number, (int64_t)at);
        REQUIRE(at <= file->elements->count, CLSCAN_ERROR_FILE,
                "%s: offset %" PRIu64 " is %" PRIu64 ", beyond the %" PRIu64 " elements of %s", name, number, at,
                file->elements->count, file->elements->name);
        REQUIRE(!file->in_order || at >= file->latest_offset, CLSCAN_ERROR_FILE,
                "%s: offset %" PRIu64 " is %" PRIu64 ", below the one before, %" PRIu64
                ": offsets of sums must be in order",
                name, number, at, file->latest_offset);
        file->latest_offset = at;
        ++file->offsets_checked;
    }

cleanup:
    return status;
}

/* With offsets of segments on their way. */
static clscan_status upload(input_file *in, segment_file *offsets, const target *where, cl_mem buffer,
                            clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t all_bytes = in->count * in->element_bytes;
    unsigned char *chunk = malloc((size_t)UPLOADED_BYTES);

    REQUIRE(chunk != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory to read %s", in->name);
    for (uint64_t at = 0; at < all_bytes; at += UPLOADED_BYTES) {
        const uint64_t left = all_bytes - at;
        size_t read_bytes = 0;

        TRY(input_file_read(in, at, chunk, (size_t)(left < UPLOADED_BYTES ? left : UPLOADED_BYTES), &read_bytes,
                            error));
        if (offsets != NULL)
            TRY(segment_file_check_offsets(offsets, chunk, read_bytes / in->element_bytes, error));
        TRY_CL(clEnqueueWriteBuffer, (where->queue, buffer, CL_TRUE, (size_t)at, read_bytes, chunk, 0, NULL, NULL));
    }
    TRY(input_file_expect_end(in, error));

cleanup:
    free(chunk);
    return status;
}

clscan_status input_file_upload(input_file *in, const target *where, cl_mem buffer, clscan_error *error)
{
    return upload(in, NULL, where, buffer, error);
}

clscan_status segment_file_load(segment_file *file, const target *where, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t size_bytes = file->in.count * file->in.element_bytes;
    cl_int code;

    if (size_bytes == 0)
        goto cleanup;
    REQUIRE(size_bytes <= where->info.max_allocation_bytes && size_bytes <= SIZE_MAX, CLSCAN_ERROR_OUT_OF_MEMORY,
            "%s has %" PRIu64 " bytes, a buffer of %s at most %" PRIu64, file->in.name, size_bytes, where->info.name,
            where->info.max_allocation_bytes);
    file->buffer = clCreateBuffer(where->context, CL_MEM_READ_ONLY, (size_t)size_bytes, NULL, &code);
    if (file->buffer == NULL) {
        status = fail_opencl(error, "clCreateBuffer", code);
        goto cleanup;
    }
    TRY(upload(&file->in, file->segments.by == CLSCAN_BY_OFFSETS ? file : NULL, where, file->buffer, error));
    file->offset_count = file->segments.by == CLSCAN_BY_OFFSETS ? file->in.count : 0;

cleanup:
    return status;
}

uint64_t segment_file_bounded(const segment_file *file)
{
    return file->offset_count > 0 ? file->offset_count - 1 : 0;
}

void segment_file_release(segment_file *file)
{
    if (file->buffer != NULL)
        clReleaseMemObject(file->buffer);
    input_file_close(&file->in);
    *file = (segment_file){.in = {.descriptor = -1}};
}
