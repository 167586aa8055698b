#include "segment_heads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"

static int compare_offsets(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

static clscan_status read_offsets(segment_heads *heads, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    input_file *in = &heads->file->in;
    const uint64_t count = in->count;
    unsigned char *all = NULL;
    size_t read_bytes = 0;

    REQUIRE(count < SIZE_MAX / sizeof *heads->offsets, CLSCAN_ERROR_OUT_OF_MEMORY, "%s is too large for memory",
            in->name);
    all = malloc((size_t)count * in->element_bytes + 1);
    heads->offsets = malloc((size_t)count * sizeof *heads->offsets + 1);
    heads->bounds = malloc((size_t)count * sizeof *heads->bounds + 1);
    REQUIRE(all != NULL && heads->offsets != NULL && heads->bounds != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
            "no memory for the offsets of %s", in->name);
    TRY(input_file_read(in, 0, all, (size_t)count * in->element_bytes, &read_bytes, error));
    TRY(input_file_expect_end(in, error));
    TRY(segment_file_check_offsets(heads->file, all, count, error));
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t at = segment_file_offset(heads->file, all, i);

        heads->bounds[heads->bound_count++] = at;
        if (at < heads->count)
            heads->offsets[heads->offset_count++] = at;
    }
    qsort(heads->offsets, (size_t)heads->offset_count, sizeof *heads->offsets, compare_offsets);

cleanup:
    free(all);
    return status;
}

clscan_status segment_heads_prepare(segment_heads *heads, uint64_t chunk_count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t unit_bytes = heads->file->in.element_bytes;
    /* Also for the bits behind the last element, and those of other chunks. */
    const uint64_t unit_count =
        heads->file->segments.by == CLSCAN_BY_BITS ? chunk_count / 8 / unit_bytes + 2 : chunk_count;

    if (heads->file->segments.by == CLSCAN_BY_OFFSETS)
        return read_offsets(heads, error);
    REQUIRE(unit_count < SIZE_MAX / unit_bytes, CLSCAN_ERROR_OUT_OF_MEMORY, "a chunk is too large for memory");
    heads->units = calloc((size_t)unit_count + 1, unit_bytes);
    REQUIRE(heads->units != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a chunk of %s", heads->file->in.name);

cleanup:
    return status;
}

static void mark_offsets(const segment_heads *heads, uint64_t begin, uint64_t count, unsigned char *begins)
{
    uint64_t low = 0, high = heads->offset_count;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (heads->offsets[middle] < begin)
            low = middle + 1;
        else
            high = middle;
    }
    memset(begins, 0, (size_t)count);
    for (; low < heads->offset_count && heads->offsets[low] < begin + count; ++low)
        begins[heads->offsets[low] - begin] = 1;
}

/* As `==` says in OpenCL C: zeros of both signs are equal, and a NaN equals nothing. */
static bool same_number(clscan_type type, const unsigned char *left, const unsigned char *right)
{
    uint16_t halves[2];
    float floats[2];
    double doubles[2];

    switch (type) {
    case CLSCAN_HALF:
        memcpy(&halves[0], left, sizeof halves[0]);
        memcpy(&halves[1], right, sizeof halves[1]);
        if ((halves[0] & 0x7fffu) > 0x7c00u || (halves[1] & 0x7fffu) > 0x7c00u)
            return false;
        return halves[0] == halves[1] || ((halves[0] | halves[1]) & 0x7fffu) == 0;
    case CLSCAN_FLOAT:
        memcpy(&floats[0], left, sizeof floats[0]);
        memcpy(&floats[1], right, sizeof floats[1]);
        return floats[0] == floats[1];
    case CLSCAN_DOUBLE:
        memcpy(&doubles[0], left, sizeof doubles[0]);
        memcpy(&doubles[1], right, sizeof doubles[1]);
        return doubles[0] == doubles[1];
    default:
        return memcmp(left, right, clscan_type_size_bytes(type)) == 0;
    }
}

static bool same_key(const input_file *in, const unsigned char *left, const unsigned char *right)
{
    const row_declaration *rows = &in->rows;

    if (in->type != CLSCAN_TYPE_COUNT)
        return same_number(in->type, left, right);
    for (unsigned i = 0; i < rows->field_count; ++i)
        if (!same_number(rows->fields[i], left + rows->offset_bytes[i], right + rows->offset_bytes[i]))
            return false;
    return true;
}

static bool is_zero(const unsigned char *unit, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i)
        if (unit[i] != 0)
            return false;
    return true;
}

/* A byte in which the chunk before ended is kept, or is read again. */
static clscan_status read_bits(segment_heads *heads, uint64_t begin, uint64_t count, unsigned char *begins,
                               clscan_error *error)
{
    clscan_status status;
    input_file *in = &heads->file->in;
    const uint64_t end = begin + count, begun = begin % 8 != 0 ? 1 : 0, again = heads->reverse ? begun : 0;
    const uint64_t from = begin / 8 + begun - again;
    const uint64_t to = end == heads->count ? in->count * in->element_bytes : end / 8 + (end % 8 != 0);
    unsigned char *own = heads->units + 1;
    size_t read_bytes = 0;

    TRY(input_file_read(in, from, own - again, (size_t)(to - from), &read_bytes, error));
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t bit = begin % 8 + i;

        begins[i] = heads->units[bit / 8 + 1 - begun] >> bit % 8 & 1;
    }
    if (read_bytes > again)
        heads->units[0] = own[read_bytes - again - 1];

cleanup:
    return status;
}

clscan_status segment_heads_read(segment_heads *heads, uint64_t begin, uint64_t count, unsigned char *begins,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    input_file *in = &heads->file->in;
    const size_t bytes = in->element_bytes;
    const bool by_keys = heads->file->segments.by == CLSCAN_BY_KEYS;
    /* The key before is that of the chunk before, or is read again. */
    const uint64_t again = by_keys && heads->reverse && begin > 0 ? 1 : 0;
    unsigned char *own = heads->units + bytes;
    size_t read_bytes = 0;

    if (heads->file->segments.by == CLSCAN_BY_OFFSETS) {
        mark_offsets(heads, begin, count, begins);
    } else if (heads->file->segments.by == CLSCAN_BY_BITS) {
        TRY(read_bits(heads, begin, count, begins, error));
    } else {
        TRY(input_file_read(in, (begin - again) * bytes, own - again * bytes, (size_t)(count + again) * bytes,
                            &read_bytes, error));
        for (uint64_t i = 0; i < count; ++i)
            begins[i] =
                by_keys ? !same_key(in, own + i * bytes - bytes, own + i * bytes) : !is_zero(own + i * bytes, bytes);
        memcpy(heads->units, own + (count - 1) * bytes, bytes);
    }
    if (heads->file->segments.by != CLSCAN_BY_OFFSETS && !heads->reverse && begin + count == heads->count)
        TRY(input_file_expect_end(in, error));
    begins[0] |= begin == 0;

cleanup:
    return status;
}

const unsigned char *segment_heads_key(const segment_heads *heads, uint64_t i)
{
    return heads->units + (i + 1) * heads->file->in.element_bytes;
}

void segment_heads_release(segment_heads *heads)
{
    free(heads->units);
    free(heads->offsets);
    free(heads->bounds);
    *heads = (segment_heads){0};
}
