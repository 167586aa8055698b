#include "npy.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "command_line/failure.h"
#include "command_line/values.h"
#include "npy_types.h"

/* A header is a magic word, a version, a length, and the text of a Python dictionary:
 *   {'descr': '<i4', 'fortran_order': False, 'shape': (3,), }
 * The parser below knows just as much of Python as such a text needs. */

typedef struct reader {
    const char *next;
    const char *end;
    bool records;     /* structured and complex types may be read */
    bool booleans;    /* and these */
    bool moved;       /* and all whose size is known */
    const char *verb; /* what is done with the elements */
    clscan_error *error;
} reader;

static clscan_status malformed(clscan_error *error, const char *expected)
{
    return fail(error, CLSCAN_ERROR_FILE, "malformed .npy header: %s", expected);
}

static void skip_blanks(reader *r)
{
    while (r->next < r->end && (*r->next == ' ' || *r->next == '\t' || *r->next == '\n' || *r->next == '\r'))
        ++r->next;
}

/* Step over `character` if it comes next. */
static bool accept(reader *r, char character)
{
    skip_blanks(r);
    if (r->next == r->end || *r->next != character)
        return false;
    ++r->next;
    return true;
}

static bool accept_word(reader *r, const char *word)
{
    const size_t word_bytes = strlen(word);

    skip_blanks(r);
    if ((size_t)(r->end - r->next) < word_bytes || memcmp(r->next, word, word_bytes) != 0)
        return false;
    r->next += word_bytes;
    return true;
}

/* A string in single or double quotes, without escapes: none of the strings that matter has any. */
static clscan_status read_string(reader *r, const char *what, char *text, size_t capacity_bytes)
{
    const char quote = accept(r, '\'') ? '\'' : accept(r, '"') ? '"' : '\0';
    const char *begin = r->next;
    size_t length_bytes;

    if (quote == '\0')
        return fail(r->error, CLSCAN_ERROR_FILE, "malformed .npy header: %s should be a string", what);
    while (r->next < r->end && *r->next != quote)
        ++r->next;
    if (r->next == r->end)
        return fail(r->error, CLSCAN_ERROR_FILE, "malformed .npy header: %s has no closing quote", what);
    length_bytes = (size_t)(r->next - begin);
    ++r->next;
    if (length_bytes >= capacity_bytes || memchr(begin, '\0', length_bytes) != NULL)
        return fail(r->error, CLSCAN_ERROR_FILE, "malformed .npy header: %s is not what NumPy writes", what);
    memcpy(text, begin, length_bytes);
    text[length_bytes] = '\0';
    return CLSCAN_OK;
}

static clscan_status add_field(reader *r, npy_header *header, clscan_type type)
{
    if (header->field_count == NPY_MAX_FIELDS)
        return fail(r->error, CLSCAN_ERROR_FILE, "elements of more than %u fields cannot be %s", NPY_MAX_FIELDS,
                    r->verb);
    header->fields[header->field_count] = type;
    header->offset_bytes[header->field_count++] = header->element_bytes;
    header->element_bytes += clscan_type_size_bytes(type);
    return CLSCAN_OK;
}

static clscan_status fail_type(const reader *r, const char *descr)
{
    const char *kind = descr[1] == 'b'   ? " (bool)"
                       : descr[1] == 'c' ? " (complex)"
                       : descr[1] == 'O' ? " (Python objects)"
                                         : "";

    if (r->moved)
        return fail(r->error, CLSCAN_ERROR_FILE, "element type '%s'%s cannot be %s; there are types of 1 to %u bytes",
                    descr, kind, r->verb, CLSCAN_MOST_ELEMENT_BYTES);
    return fail(r->error, CLSCAN_ERROR_FILE, "element type '%s'%s cannot be %s; there are %s%s%s", descr, kind, r->verb,
                type_names(), r->booleans ? ", bool" : "", r->records ? ", complex numbers and structs of these" : "");
}

/* A type that has no fields, "'<i4'"; a complex number is two. */
static clscan_status read_simple_type(reader *r, npy_header *header)
{
    char descr[32];

    if (read_string(r, "'descr'", descr, sizeof descr) != CLSCAN_OK)
        return CLSCAN_ERROR_FILE;
    if (descr[0] == '\0' || strchr("<>|=", descr[0]) == NULL)
        return fail(r->error, CLSCAN_ERROR_FILE, "malformed .npy header: element type '%s'", descr);
    if (r->records && (strcmp(descr, "<c8") == 0 || strcmp(descr, "<c16") == 0)) {
        const clscan_type part = strcmp(descr, "<c8") == 0 ? CLSCAN_FLOAT : CLSCAN_DOUBLE;

        header->type = CLSCAN_TYPE_COUNT;
        return add_field(r, header, part) == CLSCAN_OK ? add_field(r, header, part) : CLSCAN_ERROR_FILE;
    }
    if (r->booleans && strcmp(descr + 1, "b1") == 0) {
        header->type = CLSCAN_UINT8;
        header->is_boolean = true;
        return add_field(r, header, header->type);
    }
    for (size_t i = 0; i < sizeof npy_types / sizeof npy_types[0]; ++i) {
        if (strcmp(descr + 1, npy_types[i].code) != 0)
            continue;
        if (descr[0] == '>' && descr[2] != '1')
            return fail(r->error, CLSCAN_ERROR_FILE, "big-endian elements ('%s') are not supported", descr);
        header->type = npy_types[i].type;
        return add_field(r, header, header->type);
    }
    return fail_type(r, descr);
}

/* "'|V4'" of a field without a name: bytes that nobody uses. */
static bool accept_padding(reader *r, npy_header *header)
{
    const char *before = r->next;
    size_t bytes = 0;

    if (accept(r, '\'') && accept_word(r, "|V")) {
        for (; r->next < r->end && *r->next >= '0' && *r->next <= '9' && bytes <= CLSCAN_MOST_ELEMENT_BYTES; ++r->next)
            bytes = bytes * 10 + (size_t)(*r->next - '0');
        if (bytes > 0 && bytes < CLSCAN_MOST_ELEMENT_BYTES && accept(r, '\'')) {
            header->element_bytes += bytes;
            return true;
        }
    }
    r->next = before;
    return false;
}

/* A field's type, and with it its name. */
static clscan_status read_field_type(reader *r, const char *name, npy_header *header)
{
    const unsigned at = header->field_count;

    if (name[0] == '\0' && accept_padding(r, header))
        return CLSCAN_OK;
    if (read_simple_type(r, header) != CLSCAN_OK)
        return CLSCAN_ERROR_FILE;
    if (header->field_count == at + 1 && strlen(name) < NPY_NAME_BYTES)
        strcpy(header->names[at], name);
    return CLSCAN_OK;
}

/* "[('a', '<f4'), ('b', '<f4')]". */
static clscan_status read_structured_type(reader *r, npy_header *header)
{
    while (!accept(r, ']')) {
        char name[NPY_DESCR_BYTES];

        if (!accept(r, '('))
            return malformed(r->error, "a field should be a tuple");
        if (read_string(r, "a field's name", name, sizeof name) != CLSCAN_OK)
            return CLSCAN_ERROR_FILE;
        if (!accept(r, ','))
            return malformed(r->error, "a field has no type");
        if (read_field_type(r, name, header) != CLSCAN_OK)
            return CLSCAN_ERROR_FILE;
        if (!accept(r, ')'))
            return fail(r->error, CLSCAN_ERROR_FILE, "field '%s' is an array, which cannot be %s", name, r->verb);
        if (!accept(r, ',')) {
            if (!accept(r, ']'))
                return malformed(r->error, "the fields are not closed");
            break;
        }
    }
    header->type = CLSCAN_TYPE_COUNT;
    return header->field_count > 0 ? CLSCAN_OK : malformed(r->error, "there are no fields");
}

/* Sizes are known up to here; larger ones are this. */
#define MOST_MEASURED_BYTES ((size_t)1 << 20)

static size_t times(size_t left, size_t right)
{
    return right != 0 && left > MOST_MEASURED_BYTES / right ? MOST_MEASURED_BYTES : left * right;
}

static bool measure_number(reader *r, size_t *number)
{
    const char *begin = r->next;

    for (*number = 0; r->next < r->end && *r->next >= '0' && *r->next <= '9'; ++r->next)
        *number = times(*number, 10) + (size_t)(*r->next - '0');
    return r->next > begin;
}

/* Are there such numbers, and dates? */
static bool is_size_of(char kind, size_t bytes)
{
    switch (kind) {
    case 'b':
        return bytes == 1;
    case 'i':
    case 'u':
        return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    case 'f':
        return bytes == 2 || bytes == 4 || bytes == 8 || bytes == 12 || bytes == 16;
    case 'c':
        return bytes == 8 || bytes == 16 || bytes == 24 || bytes == 32;
    case 'm':
    case 'M':
        return bytes == 8;
    default:
        return true;
    }
}

/* "'<U3'", "'<M8[ns]'". The characters of a string have 4 bytes. */
static bool measure_simple_type(reader *r, size_t *bytes)
{
    const char quote = accept(r, '\'') ? '\'' : accept(r, '"') ? '"' : '\0';
    char kind;

    if (quote == '\0' || r->end - r->next < 2 || strchr("<>|=", r->next[0]) == NULL ||
        strchr("biufcSUVmM", r->next[1]) == NULL || r->next[0] == '\0' || r->next[1] == '\0')
        return false;
    kind = r->next[1];
    r->next += 2;
    if (!measure_number(r, bytes) || !is_size_of(kind, *bytes))
        return false;
    *bytes = times(*bytes, kind == 'U' ? 4 : 1);
    if ((kind == 'm' || kind == 'M') && accept(r, '[')) {
        while (r->next < r->end && *r->next != quote && *r->next != ']')
            ++r->next;
        if (!accept(r, ']'))
            return false;
    }
    return accept(r, quote);
}

/* "(2, 3)", of a field that is an array. */
static bool measure_array(reader *r, size_t *elements)
{
    size_t dimension;

    for (*elements = 1; !accept(r, ')'); *elements = times(*elements, dimension)) {
        skip_blanks(r);
        if (!measure_number(r, &dimension) || (!accept(r, ',') && (r->next == r->end || *r->next != ')')))
            return false;
    }
    return true;
}

static bool measure_type(reader *r, unsigned depth, size_t *bytes);

/* "('a', '<f4')", "(('title', 'a'), '<f4', (3,))", behind the first parenthesis. */
static bool measure_field(reader *r, unsigned depth, size_t *bytes)
{
    const bool has_title = accept(r, '(');
    char name[NPY_DESCR_BYTES];
    size_t elements = 1;

    if (read_string(r, "a field's name", name, sizeof name) != CLSCAN_OK || !accept(r, ','))
        return false;
    if (has_title &&
        (read_string(r, "a field's name", name, sizeof name) != CLSCAN_OK || !accept(r, ')') || !accept(r, ',')))
        return false;
    if (!measure_type(r, depth + 1, bytes))
        return false;
    if (accept(r, ',') && accept(r, '(')) {
        if (!measure_array(r, &elements))
            return false;
        *bytes = times(*bytes, elements);
        accept(r, ',');
    }
    return accept(r, ')');
}

/* How many bytes has an element of any type, as far as there is a fixed number of them? */
static bool measure_type(reader *r, unsigned depth, size_t *bytes)
{
    if (!accept(r, '['))
        return measure_simple_type(r, bytes);
    for (*bytes = 0; !accept(r, ']');) {
        size_t field_bytes;

        if (depth > NPY_MAX_FIELDS || !accept(r, '(') || !measure_field(r, depth, &field_bytes))
            return false;
        *bytes = *bytes + field_bytes < MOST_MEASURED_BYTES ? *bytes + field_bytes : MOST_MEASURED_BYTES;
        if (!accept(r, ','))
            return accept(r, ']');
    }
    return true;
}

static clscan_status read_any_type(reader *r, npy_header *header)
{
    const npy_header before = *header;
    const char *begin = r->next;
    clscan_status status = accept(r, '[') ? read_structured_type(r, header) : read_simple_type(r, header);
    clscan_error reason;
    size_t bytes;

    if (status == CLSCAN_OK || !r->moved)
        return status;
    reason = *r->error;
    r->next = begin;
    if (!measure_type(r, 0, &bytes) || bytes == 0) {
        *r->error = reason;
        return status;
    }
    *header = before;
    header->type = CLSCAN_TYPE_COUNT;
    header->element_bytes = bytes;
    return CLSCAN_OK;
}

static clscan_status read_descr(reader *r, npy_header *header)
{
    const char *begin;
    size_t descr_bytes;
    clscan_status status;

    skip_blanks(r);
    begin = r->next;
    if (!r->records && begin < r->end && *begin == '[')
        return r->booleans ? fail(r->error, CLSCAN_ERROR_FILE, "structs cannot be %s", r->verb)
                           : fail(r->error, CLSCAN_ERROR_FILE,
                                  "structured element types need an operator, as --struct of 'clscan scan' names one");
    status = read_any_type(r, header);
    if (status != CLSCAN_OK)
        return status;
    descr_bytes = (size_t)(r->next - begin);
    /* Units of time may be any text, and what is kept ends with a zero. */
    if (memchr(begin, '\0', descr_bytes) != NULL)
        return malformed(r->error, "'descr' is not what NumPy writes");
    if (descr_bytes >= sizeof header->descr)
        return fail(r->error, CLSCAN_ERROR_FILE,
                    "the element type's description is %zu bytes long; at most %d are read", descr_bytes,
                    NPY_DESCR_BYTES - 1);
    memcpy(header->descr, begin, descr_bytes);
    header->descr[descr_bytes] = '\0';
    return CLSCAN_OK;
}

static clscan_status read_fortran_order(reader *r, npy_header *header)
{
    if (accept_word(r, "False"))
        return CLSCAN_OK;
    header->fortran = accept_word(r, "True");
    if (header->fortran)
        return CLSCAN_OK;
    return malformed(r->error, "'fortran_order' should be True or False");
}

/* One dimension. NumPy under Python 2 wrote a trailing L. */
static clscan_status read_dimension(reader *r, uint64_t *value)
{
    *value = 0;
    if (accept(r, '-'))
        return fail(r->error, CLSCAN_ERROR_FILE, "negative shape");
    skip_blanks(r);
    if (r->next == r->end || *r->next < '0' || *r->next > '9')
        return malformed(r->error, "'shape' should be a tuple of numbers");
    for (; r->next < r->end && *r->next >= '0' && *r->next <= '9'; ++r->next) {
        const uint64_t digit = (uint64_t)(*r->next - '0');

        if (*value > (UINT64_MAX - digit) / 10)
            return fail(r->error, CLSCAN_ERROR_FILE, "the shape is larger than any file");
        *value = *value * 10 + digit;
    }
    if (r->next < r->end && *r->next == 'L')
        ++r->next;
    return CLSCAN_OK;
}

static clscan_status read_shape(reader *r, npy_header *header)
{
    if (!accept(r, '('))
        return malformed(r->error, "'shape' should be a tuple");
    while (!accept(r, ')')) {
        if (header->dimensions == NPY_MAX_DIMENSIONS)
            return fail(r->error, CLSCAN_ERROR_FILE, "the array has more than %u dimensions", NPY_MAX_DIMENSIONS);
        if (read_dimension(r, &header->shape[header->dimensions++]) != CLSCAN_OK)
            return CLSCAN_ERROR_FILE;
        if (!accept(r, ',')) {
            if (!accept(r, ')'))
                return malformed(r->error, "'shape' is not closed");
            break;
        }
    }
    return CLSCAN_OK;
}

/* The count, if the array's bytes can be numbered; as with NumPy, a dimension of 0 does not excuse the others. */
static clscan_status count_elements(npy_header *header, clscan_error *error)
{
    uint64_t limit = (uint64_t)INT64_MAX / header->element_bytes;
    bool is_empty = false;

    header->count = 1;
    for (unsigned i = 0; i < header->dimensions; ++i) {
        const uint64_t dimension = header->shape[i];

        if (dimension > limit)
            return fail(error, CLSCAN_ERROR_FILE, "the shape is larger than any file");
        if (dimension == 0) {
            is_empty = true;
            continue;
        }
        limit /= dimension;
        header->count *= dimension;
    }
    if (is_empty)
        header->count = 0;
    return CLSCAN_OK;
}

/* An array in Fortran order lies in memory as one in C order of the reversed shape. */
static void lay_in_memory(npy_header *header)
{
    header->fortran = header->fortran && npy_orders_differ(header->shape, header->dimensions);
    for (unsigned d = 0; header->fortran && d < header->dimensions / 2; ++d) {
        uint64_t *const ends[] = {&header->shape[d], &header->shape[header->dimensions - 1 - d]};
        const uint64_t first = *ends[0];

        *ends[0] = *ends[1];
        *ends[1] = first;
    }
}

static clscan_status read_dictionary(reader *r, npy_header *header)
{
    enum { DESCR = 1, FORTRAN_ORDER = 2, SHAPE = 4 };
    unsigned seen = 0;

    if (!accept(r, '{'))
        return malformed(r->error, "it should be a Python dictionary");
    while (!accept(r, '}')) {
        char key[32];
        unsigned which;
        clscan_status status;

        if (read_string(r, "a key", key, sizeof key) != CLSCAN_OK)
            return CLSCAN_ERROR_FILE;
        which = strcmp(key, "descr") == 0           ? DESCR
                : strcmp(key, "fortran_order") == 0 ? FORTRAN_ORDER
                : strcmp(key, "shape") == 0         ? SHAPE
                                                    : 0;
        if (which == 0 || (seen & which) != 0)
            return fail(r->error, CLSCAN_ERROR_FILE, "malformed .npy header: %s key '%s'",
                        which == 0 ? "unknown" : "repeated", key);
        seen |= which;
        if (!accept(r, ':'))
            return malformed(r->error, "a key has no value");
        status = which == DESCR           ? read_descr(r, header)
                 : which == FORTRAN_ORDER ? read_fortran_order(r, header)
                                          : read_shape(r, header);
        if (status != CLSCAN_OK)
            return status;
        if (!accept(r, ',')) {
            if (!accept(r, '}'))
                return malformed(r->error, "the dictionary is not closed");
            break;
        }
    }
    if (seen != (DESCR | FORTRAN_ORDER | SHAPE))
        return malformed(r->error, "'descr', 'fortran_order' or 'shape' is missing");
    skip_blanks(r);
    return r->next == r->end ? CLSCAN_OK : malformed(r->error, "text follows the dictionary");
}

bool npy_begins(const void *data, size_t data_bytes)
{
    return data_bytes >= NPY_MAGIC_BYTES && memcmp(data, NPY_MAGIC, NPY_MAGIC_BYTES) == 0;
}

clscan_status npy_header_bytes(const void *data, size_t data_bytes, size_t *header_bytes, clscan_error *error)
{
    const unsigned char *bytes = data;
    const size_t magic_bytes = data_bytes < NPY_MAGIC_BYTES ? data_bytes : NPY_MAGIC_BYTES;
    size_t prefix_bytes;
    uint32_t length_bytes;

    if (memcmp(bytes, NPY_MAGIC, magic_bytes) != 0)
        return fail(error, CLSCAN_ERROR_FILE, "no .npy file: it does not begin with NumPy's magic word");
    if (data_bytes < NPY_MAGIC_BYTES + 2)
        return fail(error, CLSCAN_ERROR_FILE, "truncated .npy header");
    if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
        return fail(error, CLSCAN_ERROR_FILE, ".npy version %d.%d is unknown; 1.0, 2.0 and 3.0 are known", bytes[6],
                    bytes[7]);
    prefix_bytes = bytes[6] == 1 ? 10 : 12;
    if (data_bytes < prefix_bytes)
        return fail(error, CLSCAN_ERROR_FILE, "truncated .npy header");
    length_bytes = (uint32_t)bytes[8] | (uint32_t)bytes[9] << 8;
    if (bytes[6] > 1)
        length_bytes |= (uint32_t)bytes[10] << 16 | (uint32_t)bytes[11] << 24;
    if (length_bytes > NPY_MAX_HEADER_BYTES - prefix_bytes)
        return fail(error, CLSCAN_ERROR_FILE, "the .npy header is %" PRIu32 " bytes long; at most %u are read",
                    length_bytes, NPY_MAX_HEADER_BYTES);
    *header_bytes = prefix_bytes + length_bytes;
    return CLSCAN_OK;
}

/* Of `r` what may be read is set. */
static clscan_status parse(const void *data, size_t data_bytes, reader r, npy_header *header, clscan_error *error)
{
    const char *text = data;
    npy_header result = {0};
    size_t header_bytes = 0;
    clscan_status status = npy_header_bytes(data, data_bytes, &header_bytes, error);

    if (status != CLSCAN_OK)
        return status;
    if (data_bytes < header_bytes)
        return fail(error, CLSCAN_ERROR_FILE, "truncated .npy header");
    r.next = text + (text[6] == 1 ? 10 : 12);
    r.end = text + header_bytes;
    r.error = error;
    status = read_dictionary(&r, &result);
    if (status != CLSCAN_OK)
        return status;
    status = count_elements(&result, error);
    if (status != CLSCAN_OK)
        return status;
    lay_in_memory(&result);
    result.header_bytes = header_bytes;
    *header = result;
    return CLSCAN_OK;
}

clscan_status npy_parse(const void *data, size_t data_bytes, npy_header *header, clscan_error *error)
{
    return parse(data, data_bytes, (reader){.verb = "scanned or reduced"}, header, error);
}

clscan_status npy_parse_marks(const void *data, size_t data_bytes, npy_header *header, clscan_error *error)
{
    return parse(data, data_bytes, (reader){.booleans = true, .verb = "read as integers"}, header, error);
}

clscan_status npy_parse_records(const void *data, size_t data_bytes, npy_header *header, clscan_error *error)
{
    return parse(data, data_bytes, (reader){.records = true, .verb = "scanned or reduced"}, header, error);
}

clscan_status npy_parse_keys(const void *data, size_t data_bytes, npy_header *header, clscan_error *error)
{
    return parse(data, data_bytes, (reader){.records = true, .booleans = true, .verb = "compared"}, header, error);
}

clscan_status npy_parse_moved(const void *data, size_t data_bytes, npy_header *header, clscan_error *error)
{
    return parse(data, data_bytes, (reader){.records = true, .booleans = true, .moved = true, .verb = "moved"}, header,
                 error);
}
