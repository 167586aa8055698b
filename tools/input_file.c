#include "input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "byte_io.h"
#include "command_line/failure.h"
#include "spool.h"

bool is_npy_name(const char *name)
{
    const size_t name_bytes = strlen(name);

    return name_bytes >= 4 && strcmp(name + name_bytes - 4, ".npy") == 0;
}

bool is_stream_name(const char *name)
{
    struct stat about;

    return strcmp(name, "-") == 0 || strncmp(name, "/dev/", 5) == 0 ||
           (stat(name, &about) == 0 && !S_ISREG(about.st_mode));
}

clscan_status input_file_check_type(const char *name, clscan_type raw_type, bool has_type, clscan_error *error)
{
    if (is_npy_name(name) && raw_type != CLSCAN_TYPE_COUNT)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "%s carries its element type: leave out --type", name);
    if (!is_npy_name(name) && !is_stream_name(name) && raw_type == CLSCAN_TYPE_COUNT && !has_type)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "%s is no .npy file: say its element type by --type", name);
    return CLSCAN_OK;
}

static bool host_is_little_endian(void)
{
    const uint16_t one = 1;

    return *(const unsigned char *)&one == 1;
}

/* The functions on headers do not know the file's name. */
static clscan_status add_name(const char *name, clscan_error *error)
{
    const clscan_error reason = *error;

    return fail(error, reason.status, "%s: %s", name, reason.message);
}

/* Of a stream, what comes next, wherever that is in the file. */
static clscan_status read_at(input_file *file, uint64_t at_bytes, void *data, size_t size_bytes, size_t *read_bytes,
                             clscan_error *error)
{
    const size_t ahead_bytes = file->ahead_bytes < size_bytes ? file->ahead_bytes : size_bytes;
    clscan_status status;

    memcpy(data, file->ahead, ahead_bytes);
    file->ahead_bytes -= ahead_bytes;
    memmove(file->ahead, file->ahead + ahead_bytes, file->ahead_bytes);
    status = read_all(file->descriptor, file->name, file->is_stream ? IO_NEXT : at_bytes, (char *)data + ahead_bytes,
                      size_bytes - ahead_bytes, read_bytes, error);
    *read_bytes += ahead_bytes;
    return status;
}

/* Look at the first bytes. */
static clscan_status begins_as_npy(input_file *file, bool *is_npy, clscan_error *error)
{
    clscan_status status;
    char begin[NPY_PREFIX_BYTES];
    size_t read_bytes;

    TRY(read_at(file, file->offset_bytes, begin, sizeof begin, &read_bytes, error));
    *is_npy = npy_begins(begin, read_bytes);
    if (file->is_stream) {
        memcpy(file->ahead, begin, read_bytes);
        file->ahead_bytes = read_bytes;
    }

cleanup:
    return status;
}

/* Read the beginning of the file; in `offset_bytes` is how much of it has been read. */
static clscan_status read_begin(input_file *file, void *data, size_t size_bytes, size_t *read_bytes,
                                clscan_error *error)
{
    const clscan_status status = read_at(file, file->offset_bytes, data, size_bytes, read_bytes, error);

    if (status == CLSCAN_OK)
        file->offset_bytes += *read_bytes;
    return status;
}

static void set_number_type(input_file *file, clscan_type type)
{
    file->type = type;
    file->type_name = clscan_type_name(type);
    file->element_bytes = clscan_type_size_bytes(type);
}

static void set_record(input_file *file, const record *of)
{
    file->type = CLSCAN_TYPE_COUNT;
    file->record = of;
    file->type_name = of->type->name;
    file->element_bytes = of->type->size_bytes;
    memcpy(file->descr, of->descr, sizeof file->descr);
}

static clscan_status parse_header(const input_file *file, const char *text, size_t bytes, npy_header *header,
                                  clscan_error *error)
{
    switch (file->use) {
    case INPUT_MARKS:
        return npy_parse_marks(text, bytes, header, error);
    case INPUT_COMPARED:
        return npy_parse_keys(text, bytes, header, error);
    case INPUT_MOVED:
        return npy_parse_moved(text, bytes, header, error);
    default:
        return (file->record != NULL ? npy_parse_records : npy_parse)(text, bytes, header, error);
    }
}

/* Of no number. */
static void set_kind(input_file *file, const npy_header *header)
{
    const bool is_struct = header->descr[0] == '[', is_complex = !is_struct && header->field_count > 0;

    file->type = CLSCAN_TYPE_COUNT;
    file->element_bytes = header->element_bytes;
    snprintf(file->code, sizeof file->code, "%.*s", (int)strcspn(header->descr + 1, "'\""), header->descr + 1);
    file->type_name = is_struct ? "struct" : is_complex ? "complex" : file->code;
    file->kind = is_struct ? "structs" : is_complex ? "complex numbers" : file->code;
    record_declare_rows(header, &file->rows);
}

static clscan_status read_npy_header(input_file *file, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char prefix[NPY_PREFIX_BYTES];
    char *text = NULL;
    size_t read_bytes;
    size_t more_bytes = 0;
    size_t header_bytes;
    npy_header header;

    REQUIRE(host_is_little_endian(), CLSCAN_ERROR_FILE, "%s: .npy files need a little-endian host", file->name);
    TRY(read_begin(file, prefix, sizeof prefix, &read_bytes, error));
    if (npy_header_bytes(prefix, read_bytes, &header_bytes, error) != CLSCAN_OK) {
        status = add_name(file->name, error);
        goto cleanup;
    }
    text = malloc(header_bytes + sizeof prefix);
    REQUIRE(text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for its header", file->name);
    memcpy(text, prefix, read_bytes);
    if (header_bytes > read_bytes)
        TRY(read_begin(file, text + read_bytes, header_bytes - read_bytes, &more_bytes, error));
    if (parse_header(file, text, read_bytes + more_bytes, &header, error) != CLSCAN_OK) {
        status = add_name(file->name, error);
        goto cleanup;
    }
    REQUIRE(file->record == NULL || record_has(file->record, &header), CLSCAN_ERROR_FILE,
            "%s: its elements are %s, but %s has %s", file->name, header.descr, file->type_name, file->record->descr);
    if (file->record != NULL || header.type == CLSCAN_TYPE_COUNT || (file->use >= INPUT_COMPARED && header.is_boolean))
        memcpy(file->descr, header.descr, sizeof file->descr);
    if (file->record == NULL && header.type == CLSCAN_TYPE_COUNT) {
        REQUIRE(header.element_bytes <= CLSCAN_MOST_ELEMENT_BYTES, CLSCAN_ERROR_FILE,
                "%s: its elements, of type %s, have more than %u bytes, which is the most that are moved", file->name,
                header.descr, CLSCAN_MOST_ELEMENT_BYTES);
        set_kind(file, &header);
    } else if (file->record == NULL) {
        set_number_type(file, header.type);
        if (file->descr[0] != '\0')
            file->type_name = "bool";
    }
    file->dimensions = header.dimensions;
    memcpy(file->shape, header.shape, sizeof file->shape);
    file->fortran = header.fortran;
    if (file->use != INPUT_SCANNED)
        TRY(input_file_check_order(file, error));
    file->count = header.count;

cleanup:
    free(text);
    return status;
}

static clscan_status fail_truncated(const input_file *file, uint64_t held_bytes, clscan_error *error)
{
    return fail(error, CLSCAN_ERROR_FILE,
                "%s: truncated: %" PRIu64 " elements of %s need %" PRIu64 " bytes, it holds %" PRIu64, file->name,
                file->count, file->type_name, file->count * file->element_bytes, held_bytes);
}

/* What is no whole number of elements is damaged, or of another type. */
static clscan_status set_raw_count(input_file *file, uint64_t data_bytes, clscan_error *error)
{
    const size_t element_bytes = file->element_bytes;

    if (data_bytes % element_bytes != 0)
        return fail(error, CLSCAN_ERROR_FILE,
                    "%s: its %" PRIu64 " bytes are no whole number of %s elements (%zu bytes each)", file->name,
                    data_bytes, file->type_name, element_bytes);
    file->count = data_bytes / element_bytes;
    file->shape[0] = file->count;
    return CLSCAN_OK;
}

/* Does what the header says agree with the length of the file? */
static clscan_status check_length(const input_file *file, uint64_t held_bytes, clscan_error *error)
{
    const uint64_t data_bytes = file->count * file->element_bytes;

    if (held_bytes < data_bytes)
        return fail_truncated(file, held_bytes, error);
    if (held_bytes > data_bytes)
        return fail(error, CLSCAN_ERROR_FILE, "%s: %" PRIu64 " bytes too many after its %" PRIu64 " elements",
                    file->name, held_bytes - data_bytes, file->count);
    return CLSCAN_OK;
}

/* Has a file more than its size says? Files of procfs have, whose size reads 0. */
static bool holds_more_than_its_size(const input_file *file)
{
    char byte;

    return file->about.st_size == 0 && pread(file->descriptor, &byte, sizeof byte, (off_t)file->offset_bytes) != 0;
}

static clscan_status open_descriptor(input_file *file, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (strcmp(file->name, "-") == 0) {
        off_t position = lseek(STDIN_FILENO, 0, SEEK_CUR);

        file->name = "standard input";
        file->descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
        /* A redirected file may have been read in part by who ran before. */
        file->offset_bytes = position > 0 ? (uint64_t)position : 0;
    } else {
        file->descriptor = open(file->name, O_RDONLY | O_CLOEXEC);
    }
    REQUIRE(file->descriptor >= 0, CLSCAN_ERROR_FILE, "%s: %s", file->name, strerror(errno));
    REQUIRE(fstat(file->descriptor, &file->about) == 0, CLSCAN_ERROR_FILE, "%s: %s", file->name, strerror(errno));
    REQUIRE(!S_ISDIR(file->about.st_mode), CLSCAN_ERROR_FILE, "%s: it is a directory", file->name);
    file->is_stream = !S_ISREG(file->about.st_mode) || holds_more_than_its_size(file);

cleanup:
    return status;
}

static clscan_status open_as(input_file *file, input_use use, const char *name, clscan_type raw_type, const record *of,
                             clscan_error *error)
{
    clscan_status status;
    bool is_npy = raw_type == CLSCAN_TYPE_COUNT && (of == NULL || is_npy_name(name) || is_stream_name(name));
    bool begins = false; /* as .npy files do */
    uint64_t size_bytes;

    *file = (input_file){.name = name, .use = use, .dimensions = 1, .count = COUNT_UNKNOWN, .descriptor = -1};
    set_number_type(file, raw_type);
    if (of != NULL)
        set_record(file, of);
    TRY(open_descriptor(file, error));
    if (!is_npy)
        TRY(begins_as_npy(file, &begins, error));
    is_npy = is_npy || (begins && use == INPUT_MARKS && is_stream_name(name));
    REQUIRE(is_npy || !begins, CLSCAN_ERROR_FILE, "%s: it is a .npy file, which carries its element type: %s",
            file->name, is_stream_name(name) ? "leave out --type" : "give it a name that ends in .npy");
    if (is_npy)
        TRY(read_npy_header(file, error));
    if (file->is_stream)
        return CLSCAN_OK;
    size_bytes = (uint64_t)file->about.st_size;
    size_bytes -= size_bytes < file->offset_bytes ? size_bytes : file->offset_bytes;
    TRY(is_npy ? check_length(file, size_bytes, error) : set_raw_count(file, size_bytes, error));

cleanup:
    if (status != CLSCAN_OK)
        input_file_close(file);
    return status;
}

clscan_status input_file_open(input_file *file, const char *name, clscan_type raw_type, const record *of,
                              clscan_error *error)
{
    return open_as(file, INPUT_SCANNED, name, raw_type, of, error);
}

clscan_status input_file_open_marks(input_file *file, const char *name, clscan_type raw_type, clscan_error *error)
{
    return open_as(file, INPUT_MARKS, name, raw_type, NULL, error);
}

clscan_status input_file_open_moved(input_file *file, const char *name, clscan_type raw_type, clscan_error *error)
{
    return open_as(file, INPUT_MOVED, name, raw_type, NULL, error);
}

clscan_status input_file_open_keys(input_file *file, const char *name, clscan_error *error)
{
    return open_as(file, INPUT_COMPARED, name, CLSCAN_TYPE_COUNT, NULL, error);
}

clscan_status input_file_spool(input_file *file, progress *shown, clscan_error *error)
{
    clscan_status status;
    spool copy = {.descriptor = -1};
    uint64_t size_bytes;

    TRY(spool_open(&copy, file->count != COUNT_UNKNOWN ? file->count * file->element_bytes : 0, error));
    TRY(write_all(copy.descriptor, copy.name, IO_NEXT, file->ahead, file->ahead_bytes, error));
    TRY(copy_rest(file->descriptor, file->name, IO_NEXT, copy.descriptor, copy.name, shown, &size_bytes, error));
    size_bytes += file->ahead_bytes;
    file->ahead_bytes = 0;
    TRY(file->count == COUNT_UNKNOWN ? set_raw_count(file, size_bytes, error) : check_length(file, size_bytes, error));
    close(file->descriptor);
    file->descriptor = copy.descriptor;
    file->is_stream = false;
    file->offset_bytes = 0;
    copy.descriptor = -1;

cleanup:
    if (copy.descriptor >= 0)
        close(copy.descriptor);
    return status;
}

clscan_status input_file_read(input_file *file, uint64_t at_bytes, void *data, size_t size_bytes, size_t *read_bytes,
                              clscan_error *error)
{
    clscan_status status = read_at(file, file->offset_bytes + at_bytes, data, size_bytes, read_bytes, error);

    if (status != CLSCAN_OK)
        return status;
    if (file->is_stream)
        file->taken_bytes += *read_bytes;
    if (*read_bytes == size_bytes)
        return CLSCAN_OK;
    if (!file->is_stream)
        return fail(error, CLSCAN_ERROR_FILE, "%s: it became shorter while it was read", file->name);
    if (file->count != COUNT_UNKNOWN)
        return fail_truncated(file, file->taken_bytes, error);
    return set_raw_count(file, file->taken_bytes, error);
}

clscan_status input_file_expect_end(input_file *file, clscan_error *error)
{
    char byte;
    size_t read_bytes = 0;

    if (!file->is_stream)
        return CLSCAN_OK;
    if (read_at(file, IO_NEXT, &byte, sizeof byte, &read_bytes, error) != CLSCAN_OK)
        return error->status;
    if (read_bytes > 0 && file->count == COUNT_UNKNOWN)
        return fail(error, CLSCAN_ERROR_FILE, "%s: more bytes follow the %" PRIu64 " that are needed", file->name,
                    file->taken_bytes);
    if (read_bytes > 0)
        return fail(error, CLSCAN_ERROR_FILE, "%s: more bytes follow its %" PRIu64 " elements", file->name,
                    file->count);
    return CLSCAN_OK;
}

void input_file_close(input_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    file->descriptor = -1;
}

clscan_status input_file_check_order(const input_file *file, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(!file->fortran, CLSCAN_ERROR_FILE,
            "%s: its %u dimensions are in Fortran order: write it in C order, as numpy.ascontiguousarray() does",
            file->name, file->dimensions);

cleanup:
    return status;
}

clscan_status input_file_axis(const input_file *file, const char *text, unsigned *axis, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const long dimensions = file->dimensions > 0 ? (long)file->dimensions : 1;
    char *end = NULL;
    long number = -1;

    if (text != NULL) {
        number = strtol(text, &end, 10);
        REQUIRE(end != text && *end == '\0', CLSCAN_ERROR_INVALID_VALUE, "'%s' is no number of an axis", text);
        REQUIRE(number >= -dimensions && number < dimensions, CLSCAN_ERROR_INVALID_VALUE,
                "%s has %ld dimension%s: there is no axis %s", file->name, dimensions, dimensions == 1 ? "" : "s",
                text);
    }
    if (number < 0)
        number += dimensions;
    *axis = (unsigned)(file->fortran ? dimensions - 1 - number : number);

cleanup:
    return status;
}

size_t input_file_sum_bytes(const input_file *file, clscan_type out)
{
    return file->record != NULL ? file->element_bytes : clscan_type_size_bytes(clscan_type_accumulator(out));
}

const char *input_file_record_descr(const input_file *file)
{
    return file->record != NULL ? file->descr : NULL;
}

const char *input_file_descr(const input_file *file)
{
    return file->descr[0] != '\0' ? file->descr : NULL;
}

unsigned input_file_rows_shape(const input_file *file, unsigned axis, uint64_t shape[NPY_MAX_DIMENSIONS])
{
    unsigned dimensions = 0;

    for (unsigned d = 0; d < file->dimensions; ++d)
        if (d != axis)
            shape[dimensions++] = file->shape[d];
    return dimensions;
}
