#include "element_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/names.h"
#include "config_file/json.h"
#include "failure.h"
#include "named_file.h"
#include "values.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define SCHEMA CLSCAN_ERROR_CONFIG_SCHEMA

/* Samples are made as doubles. */
#define MOST_WHOLE 0x1p53

/* clang-format off */
static const clscan__json_key field_keys[] = {
    /* name         kind                 required  begins a line */
    {"name",        CLSCAN__JSON_STRING, true,     true,  NULL},
    {"type",        CLSCAN__JSON_STRING, true,     false, NULL},
    {"least",       CLSCAN__JSON_NUMBER, false,    false, NULL},
    {"greatest",    CLSCAN__JSON_NUMBER, false,    false, NULL},
    {"tolerance",   CLSCAN__JSON_NUMBER, false,    false, NULL},
};
static const clscan__json_keys all_field_keys = {field_keys, COUNT_OF(field_keys)};

static const clscan__json_key element_keys[] = {
    /* name            kind                  required  begins a line */
    {"schema_version", CLSCAN__JSON_INTEGER, true,     true, NULL},
    {"name",           CLSCAN__JSON_STRING,  true,     true, NULL},
    {"fields",         CLSCAN__JSON_ARRAY,   true,     true, &all_field_keys},
    {"size_bytes",     CLSCAN__JSON_INTEGER, false,    true, NULL},
    {"source",         CLSCAN__JSON_ARRAY,   false,    true, NULL},
    {"combine",        CLSCAN__JSON_ARRAY,   true,     true, NULL},
    {"identity",       CLSCAN__JSON_OBJECT,  false,    true, NULL},
    {"lanewise",       CLSCAN__JSON_BOOLEAN, false,    true, NULL},
};
static const clscan__json_keys all_element_keys = {element_keys, COUNT_OF(element_keys)};
/* clang-format on */

/* ---- Text that grows ---- */

typedef struct growing {
    char *text; /* NULL: memory ran out, or nothing was appended */
    size_t bytes;
    bool failed;
} growing;

static void append(growing *to, const char *format, ...) CLSCAN__PRINTF(2, 3);

static void append(growing *to, const char *format, ...)
{
    va_list arguments, again;
    char *grown;
    int more;

    va_start(arguments, format);
    va_copy(again, arguments);
    more = vsnprintf(NULL, 0, format, arguments);
    grown = more < 0 || to->failed ? NULL : realloc(to->text, to->bytes + (size_t)more + 1);
    if (grown == NULL) {
        to->failed = true;
    } else {
        to->text = grown;
        vsnprintf(to->text + to->bytes, (size_t)more + 1, format, again);
        to->bytes += (size_t)more;
    }
    va_end(again);
    va_end(arguments);
}

/* ---- Names ---- */

static clscan_status read_name(const json_t *object, const clscan__json_place *place, char name[ELEMENT_NAME_BYTES],
                               clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *text = clscan__json_text(object, "name");
    const clscan__name whose = clscan__name_of(text, strlen(text));

    CLSCAN__JSON_REQUIRE(whose != CLSCAN__NAME_NONE, place, "name", SCHEMA, "\"%.40s\" is no name in OpenCL C", text);
    CLSCAN__JSON_REQUIRE(strlen(text) < ELEMENT_NAME_BYTES, place, "name", SCHEMA, "longer than %u bytes",
                         ELEMENT_NAME_BYTES - 1);
    CLSCAN__JSON_REQUIRE(whose != CLSCAN__NAME_OURS, place, "name", SCHEMA,
                         "names that begin with clscan are the library's");
    CLSCAN__JSON_REQUIRE(whose == CLSCAN__NAME_FREE, place, "name", SCHEMA, "%s is a %s of OpenCL C", text,
                         whose == CLSCAN__NAME_TYPE ? "type" : "word");
    strcpy(name, text);

cleanup:
    return status;
}

/* ---- Fields ---- */

/* A number of a field's type, from a number or from its text, which may be "inf" or an integer that JSON has not. */
static clscan_status read_value(const json_t *object, const clscan__json_place *place, const char *key,
                                clscan_type type, void *value, clscan_error *error)
{
    const json_t *given = json_object_get(object, key);
    clscan_error why = {0};
    char number[64];
    const char *text = json_is_string(given) ? json_string_value(given) : number;

    if (json_is_integer(given))
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(given));
    else if (json_is_real(given))
        snprintf(number, sizeof number, "%.17g", json_real_value(given));
    else if (!json_is_string(given))
        return clscan__json_fail(place, key, SCHEMA, error, "neither a number nor its text");
    if (strlen(text) >= sizeof number)
        return clscan__json_fail(place, key, SCHEMA, error, "longer than any number");
    if (parse_value(text, type, value, &why) != CLSCAN_OK)
        return clscan__json_fail(place, key, SCHEMA, error, "%s", why.message);
    return CLSCAN_OK;
}

static bool is_floating(clscan_type type)
{
    return type == CLSCAN_FLOAT || type == CLSCAN_DOUBLE;
}

static bool is_unsigned(clscan_type type)
{
    return type == CLSCAN_UINT8 || type == CLSCAN_UINT16 || type == CLSCAN_UINT32 || type == CLSCAN_UINT64;
}

/* One end of the range of samples. */
static clscan_status read_end(const json_t *object, const clscan__json_place *place, const char *key,
                              const element_field *field, double *end, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    unsigned char value[8];

    if (json_object_get(object, key) == NULL)
        return status;
    CLSCAN__TRY(read_value(object, place, key, field->type, value, error));
    *end = json_number_value(json_object_get(object, key));
    CLSCAN__JSON_REQUIRE(fabs(*end) <= MOST_WHOLE, place, key, SCHEMA, "beyond 2^53, up to which samples are made");

cleanup:
    return status;
}

static clscan_status read_samples(const json_t *object, const clscan__json_place *place, element_field *field,
                                  clscan_error *error)
{
    clscan_status status;
    const json_t *tolerance = json_object_get(object, "tolerance");

    field->least = is_unsigned(field->type) ? 0 : -1;
    field->greatest = 1;
    CLSCAN__TRY(read_end(object, place, "least", field, &field->least, error));
    CLSCAN__TRY(read_end(object, place, "greatest", field, &field->greatest, error));
    CLSCAN__JSON_REQUIRE(field->least <= field->greatest, place, "least", SCHEMA, "%g is above greatest, %g",
                         field->least, field->greatest);
    CLSCAN__JSON_REQUIRE(tolerance == NULL || is_floating(field->type), place, "tolerance", SCHEMA,
                         "%s is compared exactly", clscan_type_name(field->type));
    if (tolerance != NULL)
        field->tolerance = json_number_value(tolerance);
    CLSCAN__JSON_REQUIRE(field->tolerance >= 0 && field->tolerance < 1, place, "tolerance", SCHEMA,
                         "%g is not from 0 to less than 1", field->tolerance);

cleanup:
    return status;
}

static const element_field *field_named(const element_description *description, const char *name)
{
    for (unsigned i = 0; i < description->field_count; ++i)
        if (strcmp(description->fields[i].name, name) == 0)
            return &description->fields[i];
    return NULL;
}

static clscan_status read_field(const json_t *object, const clscan__json_place *place, element_description *description,
                                clscan_error *error)
{
    clscan_status status;
    char name[ELEMENT_NAME_BYTES];
    clscan_type type;
    const char *text;

    CLSCAN__TRY(clscan__json_check_object(object, place, &all_field_keys, error));
    CLSCAN__TRY(read_name(object, place, name, error));
    CLSCAN__JSON_REQUIRE(field_named(description, name) == NULL, place, "name", SCHEMA, "%s is there twice", name);
    text = clscan__json_text(object, "type");
    CLSCAN__JSON_REQUIRE(clscan_type_from_name(text, &type), place, "type", SCHEMA, "\"%.40s\" is not one of: %s", text,
                         type_names());
    CLSCAN__JSON_REQUIRE(type != CLSCAN_HALF, place, "type", SCHEMA, "structs have no half");
    element_add_field(description, name, type);
    CLSCAN__JSON_REQUIRE(description->size_bytes <= CLSCAN_MOST_ELEMENT_BYTES, place, NULL, SCHEMA,
                         "with %s an element has %zu bytes; at most %u are possible", name, description->size_bytes,
                         CLSCAN_MOST_ELEMENT_BYTES);
    CLSCAN__TRY(read_samples(object, place, &description->fields[description->field_count - 1], error));

cleanup:
    return status;
}

static clscan_status read_fields(const json_t *root, const clscan__json_place *place, element_description *description,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *list = json_object_get(root, "fields");
    const clscan__json_place fields = clscan__json_at_key(place, "fields");
    const size_t count = json_array_size(list);

    CLSCAN__JSON_REQUIRE(count >= 1 && count <= ELEMENT_MOST_FIELDS, &fields, NULL, SCHEMA,
                         "%zu fields; an element has 1 to %u", count, ELEMENT_MOST_FIELDS);
    for (size_t i = 0; i < count; ++i) {
        const clscan__json_place at = clscan__json_at_index(&fields, i);

        CLSCAN__TRY(read_field(json_array_get(list, i), &at, description, error));
    }

cleanup:
    return status;
}

/* The size that the file says, if it does, is that of the fields. */
static clscan_status check_size(const json_t *root, const clscan__json_place *place,
                                const element_description *description, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *given = json_object_get(root, "size_bytes");
    const element_field *last = &description->fields[description->field_count - 1];

    CLSCAN__JSON_REQUIRE(given == NULL || json_integer_value(given) == (json_int_t)description->size_bytes, place,
                         "size_bytes", SCHEMA,
                         "%" JSON_INTEGER_FORMAT
                         ", but as C lays out the fields, aligned to %zu, they have %zu: the last one, %s, begins at "
                         "%zu",
                         json_integer_value(given), description->element.align_bytes, description->size_bytes,
                         last->name, last->offset_bytes);

cleanup:
    return status;
}

/* ---- Sources ---- */

/* The lines of an array, each with its end. */
static clscan_status append_lines(const json_t *root, const clscan__json_place *place, const char *key, growing *to,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *list = json_object_get(root, key);
    const clscan__json_place lines = clscan__json_at_key(place, key);

    for (size_t i = 0; i < json_array_size(list); ++i) {
        const clscan__json_place at = clscan__json_at_index(&lines, i);
        const char *line = json_string_value(json_array_get(list, i));

        CLSCAN__JSON_REQUIRE(line != NULL, &at, NULL, SCHEMA, "not a string, which is a line of OpenCL C");
        append(to, "%s\n", line);
    }

cleanup:
    return status;
}

static void append_value(growing *to, clscan_type type, const void *value)
{
    char integer[32];
    double real = 0;
    float single;

    if (!is_floating(type)) {
        element_print_integer(type, value, integer, sizeof integer);
        append(to, "(%s)%sUL", element_cl_name(type), integer); /* of the least long there is no constant of its own */
        return;
    }
    if (type == CLSCAN_DOUBLE) {
        memcpy(&real, value, sizeof real);
    } else {
        memcpy(&single, value, sizeof single);
        real = (double)single;
    }
    if (isnan(real))
        append(to, "NAN");
    else if (isinf(real))
        append(to, "%sINFINITY", real < 0 ? "-" : "");
    else
        append(to, "%a%s", real, type == CLSCAN_FLOAT ? "f" : "");
}

static clscan_status read_identity(const json_t *root, const clscan__json_place *place,
                                   const element_description *description, growing *to, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *identity = json_object_get(root, "identity");
    const clscan__json_place at = clscan__json_at_key(place, "identity");
    const char *name;
    json_t *member;

    if (identity == NULL)
        return status;
    json_object_foreach((json_t *)identity, name, member)
    {
        CLSCAN__JSON_REQUIRE(field_named(description, name) != NULL, &at, name, SCHEMA, "there is no such field");
    }
    for (unsigned i = 0; i < description->field_count; ++i) {
        const element_field *field = &description->fields[i];
        unsigned char value[8];

        CLSCAN__JSON_REQUIRE(json_object_get(identity, field->name) != NULL, &at, field->name, SCHEMA, "missing");
        CLSCAN__TRY(read_value(identity, &at, field->name, field->type, value, error));
        append(to, i == 0 ? "((%s){" : ", ", description->name);
        append_value(to, field->type, value);
    }
    append(to, "})");

cleanup:
    return status;
}

/* Directives say in compilers' messages which part of the file a line is of. */
static clscan_status make_sources(const json_t *root, const clscan__json_place *place, element_description *description,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *name = description->name;
    const bool lanewise = json_is_true(json_object_get(root, "lanewise"));
    growing type = {0}, source = {0}, function = {0}, identity = {0};

    append(&type, "typedef struct %s {\n", name);
    for (unsigned i = 0; i < description->field_count; ++i)
        append(&type, "    %s %s;\n", element_cl_name(description->fields[i].type), description->fields[i].name);
    append(&type, "} %s;\n", name);
    append(&function, "%s_combine", name);
    CLSCAN__JSON_REQUIRE(!lanewise || json_array_size(json_object_get(root, "source")) == 0, place, "lanewise", SCHEMA,
                         "true, but there is a source, whose functions would be there twice");
    append(&source, "#line 1 \"source\"\n");
    CLSCAN__TRY(append_lines(root, place, "source", &source, error));
    append(&source, "%s %s_combine(%s left, %s right)\n{\n#line 1 \"combine\"\n", name, name, name, name);
    CLSCAN__JSON_REQUIRE(json_array_size(json_object_get(root, "combine")) > 0, place, "combine", SCHEMA,
                         "no lines; it is the body of a function of left and right");
    CLSCAN__TRY(append_lines(root, place, "combine", &source, error));
    append(&source, "}\n");
    CLSCAN__TRY(read_identity(root, place, description, &identity, error));
    CLSCAN__JSON_REQUIRE(!type.failed && !source.failed && !function.failed && !identity.failed, place, NULL,
                         CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for its sources");
    description->element.struct_size = sizeof description->element;
    description->element.name = name;
    description->element.source = type.text;
    description->custom = (clscan_custom_operator){.struct_size = sizeof description->custom,
                                                   .source = source.text,
                                                   .function = function.text,
                                                   .identity = identity.text,
                                                   .lanewise = lanewise};
    return status;

cleanup:
    free(type.text);
    free(source.text);
    free(function.text);
    free(identity.text);
    return status;
}

/* ---- The whole ---- */

static clscan_status read_document(const json_t *root, const char *source, element_description *description,
                                   clscan_error *error)
{
    clscan_status status;
    const clscan__json_place place = {source, ""};
    const json_t *version = json_object_get(root, "schema_version");
    clscan_ready ready;

    CLSCAN__JSON_REQUIRE(!json_is_integer(version) || json_integer_value(version) == ELEMENT_FILE_VERSION, &place,
                         "schema_version", CLSCAN_ERROR_CONFIG_VERSION,
                         "%" JSON_INTEGER_FORMAT "; this program reads version %d", json_integer_value(version),
                         ELEMENT_FILE_VERSION);
    CLSCAN__TRY(clscan__json_check_object(root, &place, &all_element_keys, error));
    CLSCAN__TRY(read_name(root, &place, description->name, error));
    CLSCAN__JSON_REQUIRE(!clscan_ready_from_name(description->name, &ready), &place, "name", SCHEMA,
                         "%s is a ready-made element", description->name);
    CLSCAN__TRY(read_fields(root, &place, description, error));
    CLSCAN__TRY(check_size(root, &place, description, error));
    CLSCAN__TRY(make_sources(root, &place, description, error));

cleanup:
    return status;
}

static void forget(element_description *description)
{
    free((char *)description->element.source);
    free((char *)description->custom.source);
    free((char *)description->custom.function);
    free((char *)description->custom.identity);
    json_decref(description->document);
    free(description);
}

clscan_status element_file_from_json(const json_t *document, const char *source, const element_description **found,
                                     clscan_error *error)
{
    static element_description *all[ELEMENT_MOST_FILES];
    static size_t count;
    clscan_status status = CLSCAN_OK;
    const clscan__json_place place = {source, ""};
    element_description *made = NULL;

    for (size_t i = 0; i < count; ++i)
        if (json_equal(all[i]->document, document)) {
            *found = all[i];
            return CLSCAN_OK;
        }
    made = calloc(1, sizeof *made);
    CLSCAN__JSON_REQUIRE(made != NULL, &place, NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for it");
    made->ready = CLSCAN_READY_COUNT;
    CLSCAN__TRY(read_document(document, source, made, error));
    CLSCAN__JSON_REQUIRE(count < ELEMENT_MOST_FILES, &place, NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
                         "more than %u descriptions of elements", ELEMENT_MOST_FILES);
    made->document = json_deep_copy(document);
    CLSCAN__JSON_REQUIRE(made->document != NULL, &place, NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for it");
    all[count++] = made;
    *found = made;
    return CLSCAN_OK;

cleanup:
    if (made != NULL)
        forget(made);
    return status;
}

clscan_status element_file_parse(const char *text, size_t text_bytes, const char *source,
                                 const element_description **found, clscan_error *error)
{
    clscan_status status;
    json_t *root = NULL;

    CLSCAN__TRY(clscan__json_load(text, text_bytes, source, &root, error));
    CLSCAN__TRY(element_file_from_json(root, source, found, error));

cleanup:
    json_decref(root);
    return status;
}

clscan_status element_file_read(const char *path, const element_description **found, clscan_error *error)
{
    clscan_status status;
    char *text = NULL;
    size_t text_bytes;

    TRY(named_file_text(path, ELEMENT_FILE_MOST_BYTES + 1, &text, &text_bytes, error));
    REQUIRE(text_bytes <= ELEMENT_FILE_MOST_BYTES, CLSCAN_ERROR_CONFIG_SYNTAX, "%s: longer than %u bytes", path,
            ELEMENT_FILE_MOST_BYTES);
    TRY(element_file_parse(text, text_bytes, path, found, error));

cleanup:
    free(text);
    return status;
}
