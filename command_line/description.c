#include "description.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "element_file.h"
#include "failure.h"
#include "values.h"

#define FIELD_TEXT_BYTES 64u

/* Of floating-point fields whose file says nothing. */
#define FLOAT_TOLERANCE 1e-3
#define DOUBLE_TOLERANCE 1e-9

/* ---- Types ---- */

static const struct {
    const char *cl_name;
    clscan_type type;
} cl_types[] = {
#define X(name, text, bytes, cl_type, accumulator) {#cl_type, CLSCAN_##name},
    CLSCAN_TYPE_LIST(X)
#undef X
};
#define TYPE_COUNT (sizeof cl_types / sizeof cl_types[0])

static clscan_type type_of(const char *word, size_t word_bytes)
{
    for (size_t i = 0; i < TYPE_COUNT; ++i)
        if (strlen(cl_types[i].cl_name) == word_bytes && memcmp(cl_types[i].cl_name, word, word_bytes) == 0)
            return cl_types[i].type;
    return CLSCAN_TYPE_COUNT;
}

const char *element_cl_name(clscan_type type)
{
    for (size_t i = 0; i < TYPE_COUNT; ++i)
        if (cl_types[i].type == type)
            return cl_types[i].cl_name;
    return "void";
}

static bool is_floating(clscan_type type)
{
    return type == CLSCAN_FLOAT || type == CLSCAN_DOUBLE;
}

static size_t rounded_up(size_t bytes, size_t multiple)
{
    return (bytes + multiple - 1) / multiple * multiple;
}

static size_t alignment_of(const element_description *description)
{
    size_t most = 1;

    for (unsigned i = 0; i < description->field_count; ++i) {
        const size_t bytes = clscan_type_size_bytes(description->fields[i].type);

        most = bytes > most ? bytes : most;
    }
    return most;
}

void element_add_field(element_description *description, const char *name, clscan_type type)
{
    element_field *field = &description->fields[description->field_count];
    const element_field *front = description->field_count > 0 ? field - 1 : NULL;
    const size_t bytes = clscan_type_size_bytes(type);
    const size_t end = front != NULL ? front->offset_bytes + clscan_type_size_bytes(front->type) : 0;

    *field = (element_field){.type = type,
                             .offset_bytes = rounded_up(end, bytes),
                             .tolerance = type == CLSCAN_FLOAT    ? FLOAT_TOLERANCE
                                          : type == CLSCAN_DOUBLE ? DOUBLE_TOLERANCE
                                                                  : 0};
    snprintf(field->name, sizeof field->name, "%s", name);
    ++description->field_count;
    description->element.align_bytes = alignment_of(description);
    description->size_bytes = rounded_up(field->offset_bytes + bytes, description->element.align_bytes);
    description->element.size_bytes = description->size_bytes;
}

bool element_has_doubles(const element_description *description)
{
    for (unsigned i = 0; i < description->field_count; ++i)
        if (description->fields[i].type == CLSCAN_DOUBLE)
            return true;
    return false;
}

/* ---- Ready-made elements ---- */

/* "float a, b; int c": a type and its names, up to the next semicolon; a scalar is a type alone. */
static void add_fields(element_description *description, const char *at)
{
    while (*at != '\0') {
        const size_t word_bytes = strcspn(at, " ");
        const clscan_type type = type_of(at, word_bytes);

        at += word_bytes;
        if (*at == '\0')
            element_add_field(description, "", type);
        while (*at != '\0' && *at != ';') {
            const char *begin = at + strspn(at, ", ");
            const size_t name_bytes = strcspn(begin, ",;");
            char name[ELEMENT_NAME_BYTES];

            snprintf(name, sizeof name, "%.*s", (int)name_bytes, begin);
            element_add_field(description, name, type);
            at = begin + name_bytes;
        }
        at += strspn(at, "; ");
    }
}

const element_description *element_describe_ready(clscan_ready ready)
{
    static const char *const all_fields[] = {
#define X(name, text, fields, meaning) fields,
        CLSCAN_READY_LIST(X)
#undef X
    };
    static element_description all[CLSCAN_READY_COUNT];
    element_description *description = &all[ready];

    if (description->field_count > 0)
        return description;
    *description = (element_description){.ready = ready};
    snprintf(description->name, sizeof description->name, "%s", clscan_ready_name(ready));
    add_fields(description, all_fields[ready]);
    description->element.struct_size = sizeof description->element;
    description->custom.struct_size = sizeof description->custom;
    clscan_ready_get(ready, &description->element, &description->custom);
    /* What roundings have lost depends on the grouping alone. */
    if (ready == CLSCAN_READY_COMPENSATED_FLOAT || ready == CLSCAN_READY_COMPENSATED_DOUBLE)
        description->fields[1].tolerance = INFINITY;
    return description;
}

bool element_is_file_name(const char *text)
{
    const size_t bytes = strlen(text);

    return strchr(text, '/') != NULL || (bytes > 5 && strcmp(text + bytes - 5, ".json") == 0);
}

clscan_status element_describe(const char *text, const element_description **found, clscan_error *error)
{
    const char *names[CLSCAN_READY_COUNT];
    char known[768];
    clscan_ready ready;

    if (element_is_file_name(text))
        return element_file_read(text, found, error);
    if (clscan_ready_from_name(text, &ready)) {
        *found = element_describe_ready(ready);
        return CLSCAN_OK;
    }
    for (int i = 0; i < CLSCAN_READY_COUNT; ++i)
        names[i] = clscan_ready_name((clscan_ready)i);
    clscan__list_names(known, sizeof known, names, CLSCAN_READY_COUNT);
    return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                "'%s' is no ready-made element, and no file, whose name ends in .json; there are %s", text, known);
}

/* ---- Values ---- */

clscan_status element_parse(const element_description *description, const char *text, void *element,
                            clscan_error *error)
{
    const char *all = text;

    memset(element, 0, description->size_bytes);
    for (unsigned i = 0; i < description->field_count; ++i) {
        const element_field *field = &description->fields[i];
        const size_t field_bytes = strcspn(text, ",");
        const bool is_last = i + 1 == description->field_count;
        char word[FIELD_TEXT_BYTES];

        if (field_bytes >= sizeof word || (text[field_bytes] == '\0') != is_last)
            return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                        "'%s' is not %u numbers with commas between them, one for each field of %s", all,
                        description->field_count, description->name);
        memcpy(word, text, field_bytes);
        word[field_bytes] = '\0';
        if (parse_value(word, field->type, (unsigned char *)element + field->offset_bytes, error) != CLSCAN_OK)
            return error->status;
        text += field_bytes + (is_last ? 0 : 1);
    }
    return CLSCAN_OK;
}

static double real_of(const element_field *field, const void *element)
{
    const unsigned char *at = (const unsigned char *)element + field->offset_bytes;
    double in_double;
    float in_float;

    if (field->type == CLSCAN_DOUBLE) {
        memcpy(&in_double, at, sizeof in_double);
        return in_double;
    }
    memcpy(&in_float, at, sizeof in_float);
    return (double)in_float;
}

void element_widen(const element_description *description, const void *element, element_scale *scale)
{
    for (unsigned i = 0; i < description->field_count; ++i)
        if (is_floating(description->fields[i].type)) {
            const double magnitude = fabs(real_of(&description->fields[i], element));

            scale->fields[i] = magnitude > scale->fields[i] ? magnitude : scale->fields[i];
        }
}

/* Where a scale has become infinite nothing can be said: another grouping may give a NaN. */
static bool is_close(double expected, double got, double tolerance, double scale)
{
    return (isnan(expected) && isnan(got)) || fabs(expected - got) <= tolerance * scale || isinf(scale) ||
           isinf(tolerance);
}

bool element_same(const element_description *description, const void *expected, const void *got,
                  const element_scale *scale)
{
    for (unsigned i = 0; i < description->field_count; ++i) {
        const element_field *field = &description->fields[i];

        if (memcmp((const unsigned char *)expected + field->offset_bytes,
                   (const unsigned char *)got + field->offset_bytes, clscan_type_size_bytes(field->type)) == 0)
            continue;
        if (!is_floating(field->type) ||
            !is_close(real_of(field, expected), real_of(field, got), field->tolerance, scale->fields[i]))
            return false;
    }
    return true;
}

void element_print_integer(clscan_type type, const void *value, char *text, size_t size_bytes)
{
    int64_t wide = 0;
    uint64_t bits = 0;

/* clang-format off */
#define CASE(constant, c_type, to)                      \
    case constant: {                                    \
        c_type narrow;                                  \
        memcpy(&narrow, value, sizeof narrow);          \
        to = narrow;                                    \
        break;                                          \
    }
    switch (type) {
    CASE(CLSCAN_INT8, int8_t, wide)
    CASE(CLSCAN_UINT8, uint8_t, bits)
    CASE(CLSCAN_INT16, int16_t, wide)
    CASE(CLSCAN_UINT16, uint16_t, bits)
    CASE(CLSCAN_INT32, int32_t, wide)
    CASE(CLSCAN_UINT32, uint32_t, bits)
    CASE(CLSCAN_INT64, int64_t, wide)
    CASE(CLSCAN_UINT64, uint64_t, bits)
    default:
        break;
    }
#undef CASE
    /* clang-format on */
    if (wide != 0)
        snprintf(text, size_bytes, "%" PRId64, wide);
    else
        snprintf(text, size_bytes, "%" PRIu64, bits);
}

void element_print(const element_description *description, const void *element, char *text, size_t size_bytes)
{
    size_t used = (size_t)snprintf(text, size_bytes, "{");

    for (unsigned i = 0; i < description->field_count && used < size_bytes; ++i) {
        const element_field *field = &description->fields[i];
        char value[FIELD_TEXT_BYTES];

        if (is_floating(field->type))
            snprintf(value, sizeof value, "%.9g", real_of(field, element));
        else
            element_print_integer(field->type, (const unsigned char *)element + field->offset_bytes, value,
                                  sizeof value);
        used += (size_t)snprintf(text + used, size_bytes - used, "%s%s%s%s", i > 0 ? ", " : "", field->name,
                                 field->name[0] != '\0' ? ": " : "", value);
    }
    if (used < size_bytes)
        snprintf(text + used, size_bytes - used, "}");
}
