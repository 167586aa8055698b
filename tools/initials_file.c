#include "initials_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"

/* Room for all dimensions. */
#define SHAPE_TEXT_BYTES (22 * NPY_MAX_DIMENSIONS + 4)

clscan_status initials_name_check(const char *name, const char *initial, const char *in,
                                  const char *const segments[CLSCAN_SEGMENTS_BY_COUNT], clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (name == NULL)
        return status;
    REQUIRE(name[0] != '\0', CLSCAN_ERROR_INVALID_VALUE, "the file of --initials has no name");
    REQUIRE(initial == NULL, CLSCAN_ERROR_INVALID_VALUE, "give one of --init and --initials");
    REQUIRE(strcmp(name, "-") != 0 || strcmp(in, "-") != 0, CLSCAN_ERROR_INVALID_VALUE,
            "IN and --initials are both standard input");
    for (unsigned by = 0; by < CLSCAN_SEGMENTS_BY_COUNT; ++by)
        REQUIRE(strcmp(name, "-") != 0 || segments[by] == NULL || strcmp(segments[by], "-") != 0,
                CLSCAN_ERROR_INVALID_VALUE, "--initials and the file that has segments are both standard input");

cleanup:
    return status;
}

clscan_status initials_file_open(initials_file *file, const char *name, clscan_type type, const record *of,
                                 clscan_error *error)
{
    clscan_status status;
    const bool is_raw = !is_npy_name(name) && !is_stream_name(name);

    file->has_shape = !is_raw;
    TRY(input_file_open(&file->in, name, is_raw && of == NULL ? type : CLSCAN_TYPE_COUNT, of, error));
    REQUIRE(of != NULL || file->in.type == type, CLSCAN_ERROR_INVALID_VALUE,
            "%s: its elements are %s; these initial values are %s", file->in.name, file->in.type_name,
            clscan_type_name(type));
    REQUIRE(file->in.count != COUNT_UNKNOWN, CLSCAN_ERROR_INVALID_VALUE, "%s has no known length: use a file on disk",
            file->in.name);

cleanup:
    return status;
}

void initials_file_use(const initials_file *file, used_files *files)
{
    used_files_read(files, "--initials", &file->in.about);
}

static const char *order_name(const input_file *file)
{
    return file->fortran ? "Fortran" : "C";
}

clscan_status initials_file_check_rows(const initials_file *file, const input_file *elements, unsigned axis,
                                       bool one_row, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const input_file *in = &file->in;
    uint64_t shape[NPY_MAX_DIMENSIONS], rows = 1;
    const unsigned dimensions = one_row ? 0 : input_file_rows_shape(elements, axis, shape);
    char found[SHAPE_TEXT_BYTES], wanted[SHAPE_TEXT_BYTES];

    for (unsigned d = 0; d < dimensions; ++d)
        rows *= shape[d];
    REQUIRE(in->count == rows, CLSCAN_ERROR_FILE, "%s has %" PRIu64 " initial value%s, %s has %" PRIu64 " row%s",
            in->name, in->count, in->count == 1 ? "" : "s", elements->name, rows, rows == 1 ? "" : "s");
    /* One value may be a scalar, or the only one of an array. */
    if (!file->has_shape || (dimensions == 0 && in->dimensions < 2))
        return status;
    npy_print_shape(in->shape, in->dimensions, in->fortran, found, sizeof found);
    npy_print_shape(shape, dimensions, elements->fortran, wanted, sizeof wanted);
    REQUIRE(in->dimensions == dimensions && strcmp(found, wanted) == 0, CLSCAN_ERROR_FILE,
            "%s has shape %s; the rows of %s have %s", in->name, found, elements->name, wanted);
    REQUIRE(!npy_orders_differ(shape, dimensions) || in->fortran == elements->fortran, CLSCAN_ERROR_FILE,
            "%s is in %s order, and %s in %s order: write them in the same", in->name, order_name(in), elements->name,
            order_name(elements));

cleanup:
    return status;
}

clscan_status initials_file_check_segments(const initials_file *file, const input_file *elements, uint64_t segments,
                                           clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const input_file *in = &file->in;

    TRY(input_file_check_order(in, error));
    REQUIRE(in->count == segments, CLSCAN_ERROR_FILE,
            "%s has %" PRIu64 " initial value%s, %s has %" PRIu64 " segment%s", in->name, in->count,
            in->count == 1 ? "" : "s", elements->name, segments, segments == 1 ? "" : "s");

cleanup:
    return status;
}

clscan_status initials_file_load(initials_file *file, const target *where, clscan_error *error)
{
    clscan_status status;
    input_file *in = &file->in;
    size_t size_bytes, read_bytes = 0;

    TRY(target_units(where, in->count, in->element_bytes, &file->buffer, error));
    size_bytes = (size_t)(in->count * in->element_bytes);
    file->values = malloc(size_bytes + 1);
    REQUIRE(file->values != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the initial values of %s", in->name);
    TRY(input_file_read(in, 0, file->values, size_bytes, &read_bytes, error));
    TRY(input_file_expect_end(in, error));
    if (size_bytes > 0)
        TRY_CL(clEnqueueWriteBuffer, (where->queue, file->buffer, CL_TRUE, 0, size_bytes, file->values, 0, NULL, NULL));

cleanup:
    return status;
}

clscan_memory initials_file_memory(const initials_file *file, uint64_t first, const void *initial)
{
    if (file != NULL)
        return (clscan_memory){.buffer = file->buffer, .offset = first};
    return (clscan_memory){initial != NULL ? CLSCAN_MEMORY_HOST : CLSCAN_MEMORY_BUFFER, .pointer = initial};
}

const void *initials_file_value(const initials_file *file, uint64_t row, const void *initial)
{
    return file != NULL ? file->values + row * file->in.element_bytes : initial;
}

void initials_file_release(initials_file *file)
{
    if (file->buffer != NULL)
        clReleaseMemObject(file->buffer);
    free(file->values);
    input_file_close(&file->in);
    *file = (initials_file){.in = {.descriptor = -1}};
}
