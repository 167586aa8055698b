#include "values.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

const char *type_names(void)
{
#define X(name, text, bytes, cl_type, accumulator) ", " #text
    return &(CLSCAN_TYPE_LIST(X))[2];
#undef X
}

clscan_status read_text(const char *text, void *target, clscan_error *error)
{
    if (text[0] == '\0')
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "the value is empty");
    *(const char **)target = text;
    return CLSCAN_OK;
}

clscan_status read_type(const char *text, void *target, clscan_error *error)
{
    static const struct {
        const char *numpy;
        clscan_type type;
    } others[] = {{"float16", CLSCAN_HALF}, {"float32", CLSCAN_FLOAT}, {"float64", CLSCAN_DOUBLE}};
    clscan_type *type = target;

    if (clscan_type_from_name(text, type))
        return CLSCAN_OK;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        if (strcmp(text, others[i].numpy) == 0) {
            *type = others[i].type;
            return CLSCAN_OK;
        }
    }
    return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no element type; there are %s", text, type_names());
}

clscan_status read_type_list(const char *text, void *target, clscan_error *error)
{
    bool *selected = target;
    char name[32];

    for (const char *word = text;; ++word) {
        const size_t word_bytes = strcspn(word, ",");
        clscan_type type;

        if (word_bytes >= sizeof name)
            return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no list of element types", text);
        memcpy(name, word, word_bytes);
        name[word_bytes] = '\0';
        if (read_type(name, &type, error) != CLSCAN_OK)
            return CLSCAN_ERROR_INVALID_VALUE;
        selected[type] = true;
        word += word_bytes;
        if (*word == '\0')
            return CLSCAN_OK;
    }
}

/* The first `count` are right. */
static clscan_status refuse_operator(const char *text, const char *reason, int count, clscan_error *error)
{
    char names[128] = "";
    size_t length = 0;

    for (int op = 0; op < count && length < sizeof names; ++op)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", op > 0 ? ", " : "",
                                   clscan_operator_name((clscan_operator)op));
    return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' %s; there are %s", text, reason, names);
}

clscan_status read_operator_class(const char *text, void *target, clscan_error *error)
{
    if (clscan_operator_from_name(text, target))
        return CLSCAN_OK;
    return refuse_operator(text, "is no operator", CLSCAN_OPERATOR_COUNT, error);
}

clscan_status read_operator(const char *text, void *target, clscan_error *error)
{
    clscan_operator op;

    if (!clscan_operator_from_name(text, &op))
        return refuse_operator(text, "is no operator", CLSCAN_CUSTOM, error);
    if (op == CLSCAN_CUSTOM)
        return refuse_operator(text, "is for programs, which give the library an operator's source", CLSCAN_CUSTOM,
                               error);
    *(clscan_operator *)target = op;
    return CLSCAN_OK;
}

/* Read a text that is one number from its first character to its last, decimal or 0x hexadecimal. A number
 * that does not fit sets `too_large` and is still a number. */
static bool read_digits(const char *text, uintmax_t *value, bool *too_large)
{
    const bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && text[2] != '\0';
    char *end;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *value = strtoumax(text, &end, hexadecimal ? 16 : 10);
    *too_large = errno == ERANGE;
    return *end == '\0';
}

clscan_status read_count(const char *text, void *target, clscan_error *error)
{
    uint64_t *count = target;
    uintmax_t value;
    bool too_large;

    if (strncmp(text, "2^", 2) == 0 && read_digits(text + 2, &value, &too_large) && value < 64) {
        *count = UINT64_C(1) << value;
        return CLSCAN_OK;
    }
    if (!read_digits(text, &value, &too_large) || too_large)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no number of elements; write 1000000 or 2^20", text);
    *count = (uint64_t)value;
    return CLSCAN_OK;
}

/* Units as dd and others read them: K, M, G and T are powers of 1024, and so are KiB ..., but KB ... of 1000. */
static bool read_unit(const char *unit, uint64_t *factor)
{
    static const char letters[] = "KMGT";
    const char *letter = strchr(letters, unit[0] == 'k' ? 'K' : unit[0]);
    uint64_t base;

    if (unit[0] == '\0' || letter == NULL)
        return false;
    if (unit[1] == '\0' || strcmp(unit + 1, "iB") == 0)
        base = 1024;
    else if (strcmp(unit + 1, "B") == 0)
        base = 1000;
    else
        return false;
    *factor = 1;
    for (const char *l = letters; l <= letter; ++l)
        *factor *= base;
    return true;
}

clscan_status read_milliseconds(const char *text, void *target, clscan_error *error)
{
    const size_t digits = strspn(text, "0123456789");
    const uint64_t number = digits > 0 && digits < 12 ? strtoull(text, NULL, 10) : 0;
    const uint64_t factor = strcmp(text + digits, "s") == 0 ? 1000 : strcmp(text + digits, "ms") == 0 ? 1 : 0;

    if (number * factor == 0 || number * factor > UINT64_C(86400000))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no time; write 5s or 500ms, a day at most", text);
    *(uint64_t *)target = number * factor;
    return CLSCAN_OK;
}

clscan_status read_bytes(const char *text, void *target, clscan_error *error)
{
    uint64_t *bytes = target;
    const size_t number_bytes = strspn(text, "0123456789");
    char number[24];
    uint64_t factor = 1;
    uint64_t value = 0;
    bool is_right;

    if (number_bytes > 0 && number_bytes < sizeof number && read_unit(text + number_bytes, &factor)) {
        memcpy(number, text, number_bytes);
        number[number_bytes] = '\0';
        is_right = read_count(number, &value, error) == CLSCAN_OK;
    } else {
        is_right = read_count(text, &value, error) == CLSCAN_OK;
    }
    if (!is_right || value == 0 || value > UINT64_MAX / factor)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "'%s' is no number of bytes from 1; write 1000000, 2^20, 64M, 64MiB or 1GB", text);
    *bytes = value * factor;
    return CLSCAN_OK;
}

static void store_integer(uint64_t number, size_t size_bytes, void *value)
{
    const uint8_t in_8 = (uint8_t)number;
    const uint16_t in_16 = (uint16_t)number;
    const uint32_t in_32 = (uint32_t)number;

    switch (size_bytes) {
    case 1:
        memcpy(value, &in_8, sizeof in_8);
        break;
    case 2:
        memcpy(value, &in_16, sizeof in_16);
        break;
    case 4:
        memcpy(value, &in_32, sizeof in_32);
        break;
    default:
        memcpy(value, &number, sizeof number);
    }
}

bool integer_is_signed(clscan_type type)
{
    return type == CLSCAN_INT8 || type == CLSCAN_INT16 || type == CLSCAN_INT32 || type == CLSCAN_INT64;
}

uint64_t integer_largest(clscan_type type)
{
    return UINT64_MAX >> (64 - 8 * clscan_type_size_bytes(type) + (integer_is_signed(type) ? 1 : 0));
}

static clscan_status parse_integer(const char *text, clscan_type type, void *value, clscan_error *error)
{
    const size_t size_bytes = clscan_type_size_bytes(type);
    const bool negative = text[0] == '-';
    const uint64_t largest = integer_largest(type);
    const uint64_t limit = !negative ? largest : integer_is_signed(type) ? largest + 1 : 0;
    uintmax_t magnitude;
    bool too_large;

    if (!read_digits(text + (negative ? 1 : 0), &magnitude, &too_large))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no %s", text, clscan_type_name(type));
    if (too_large || magnitude > limit)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "%s does not fit %s", text, clscan_type_name(type));
    store_integer(negative ? 0 - (uint64_t)magnitude : (uint64_t)magnitude, size_bytes, value);
    return CLSCAN_OK;
}

clscan_status parse_value(const char *text, clscan_type type, void *value, clscan_error *error)
{
    char *end = NULL;
    double in_double = 0.0;
    float in_float = 0.0f;

    if (type != CLSCAN_FLOAT && type != CLSCAN_DOUBLE)
        return parse_integer(text, type, value, error);
    errno = 0;
    if (type == CLSCAN_FLOAT)
        in_float = strtof(text, &end);
    else
        in_double = strtod(text, &end);
    if (end == text || *end != '\0')
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no %s", text, clscan_type_name(type));
    /* ERANGE also says that a number was too close to 0, and then the nearest value is a fair reading. */
    if (errno == ERANGE && (fabsf(in_float) > 1.0f || fabs(in_double) > 1.0))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "%s does not fit %s", text, clscan_type_name(type));
    if (type == CLSCAN_FLOAT)
        memcpy(value, &in_float, sizeof in_float);
    else
        memcpy(value, &in_double, sizeof in_double);
    return CLSCAN_OK;
}

size_t next_word(const char **list, char *word, size_t size_bytes)
{
    const size_t length = strcspn(*list, ",");

    snprintf(word, size_bytes, "%.*s", (int)length, *list);
    *list = (*list)[length] == ',' ? *list + length + 1 : NULL;
    return length;
}
