#include "record.h"

#include <stdio.h>
#include <string.h>

#include "command_line/failure.h"
#include "command_line/values.h"

#define FIELD_TEXT_BYTES 64

/* The fields of ready-made elements, "float value; int index". */
#define X(name, text, fields, meaning) fields,
static const char *const all_fields[] = {CLSCAN_READY_LIST(X)};
#undef X

static const struct {
    const char *cl_name;
    clscan_type type;
} field_types[] = {
#define X(name, text, bytes, cl_type, accumulator) {#cl_type, CLSCAN_##name},
    CLSCAN_TYPE_LIST(X)
#undef X
};

static clscan_type type_of(const char *word, size_t word_bytes)
{
    for (size_t i = 0; i < sizeof field_types / sizeof field_types[0]; ++i)
        if (strlen(field_types[i].cl_name) == word_bytes && memcmp(field_types[i].cl_name, word, word_bytes) == 0)
            return field_types[i].type;
    return CLSCAN_TYPE_COUNT;
}

static void append(char *text, size_t capacity_bytes, const char *format, const char *what, int what_bytes)
{
    const size_t used_bytes = strlen(text);

    snprintf(text + used_bytes, capacity_bytes - used_bytes, format, what_bytes, what);
}

static void add_field(record *r, clscan_type type, const char *name, size_t name_bytes)
{
    char code[8];

    npy_code(type, code);
    append(r->descr, sizeof r->descr, r->field_count > 0 ? ", ('%.*s', " : "('%.*s', ", name, (int)name_bytes);
    append(r->descr, sizeof r->descr, "'%.*s')", code, (int)strlen(code));
    r->fields[r->field_count++] = type;
    r->size_bytes += clscan_type_size_bytes(type);
}

/* "float a, b; int c": a type and its names, up to the next semicolon. */
static void add_fields(record *r, const char *at)
{
    while (*at != '\0') {
        const size_t word_bytes = strcspn(at, " ");
        const clscan_type type = type_of(at, word_bytes);

        for (at += word_bytes; *at != '\0' && *at != ';';) {
            const char *name = at + strspn(at, ", ");
            const size_t name_bytes = strcspn(name, ",;");

            add_field(r, type, name, name_bytes);
            at = name + name_bytes;
        }
        at += strspn(at, "; ");
    }
}

clscan_status read_record(const char *text, void *value, clscan_error *error)
{
    record *r = value;
    char names[768] = "";

    for (int i = 0; i < CLSCAN_READY_COUNT; ++i)
        append(names, sizeof names, i > 0 ? ", %.*s" : "%.*s", clscan_ready_name((clscan_ready)i),
               (int)strlen(clscan_ready_name((clscan_ready)i)));
    *r = (record){0};
    if (!clscan_ready_from_name(text, &r->ready))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no ready-made element; there are %s", text, names);
    if (strchr(all_fields[r->ready], ' ') == NULL) {
        r->fields[r->field_count++] = type_of(all_fields[r->ready], strlen(all_fields[r->ready]));
        r->size_bytes = clscan_type_size_bytes(r->fields[0]);
        strcpy(r->descr, "'");
        npy_code(r->fields[0], r->descr + 1);
        strcat(r->descr, "'");
        return CLSCAN_OK;
    }
    strcpy(r->descr, "[");
    add_fields(r, all_fields[r->ready]);
    strcat(r->descr, "]");
    return CLSCAN_OK;
}

/* "<i4" and "<u4" hold the same bits. */
static bool is_same(clscan_type left, clscan_type right)
{
    const bool floating = left >= CLSCAN_HALF || right >= CLSCAN_HALF;

    return left == right || (!floating && clscan_type_size_bytes(left) == clscan_type_size_bytes(right));
}

bool record_has(const record *r, const npy_header *header)
{
    bool same = r->field_count == header->field_count;

    for (unsigned i = 0; same && i < r->field_count; ++i)
        same = is_same(r->fields[i], header->fields[i]);
    return same;
}

clscan_status record_parse_value(const record *r, const char *text, void *value, clscan_error *error)
{
    unsigned char *at = value;

    for (unsigned i = 0; i < r->field_count; ++i) {
        const size_t field_bytes = strcspn(text, ",");
        const bool is_last = i + 1 == r->field_count;
        char field[FIELD_TEXT_BYTES];

        if (field_bytes >= sizeof field || (text[field_bytes] == '\0') != is_last)
            return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is not %u numbers with commas between them", text,
                        r->field_count - i);
        memcpy(field, text, field_bytes);
        field[field_bytes] = '\0';
        if (parse_value(field, r->fields[i], at, error) != CLSCAN_OK)
            return error->status;
        at += clscan_type_size_bytes(r->fields[i]);
        text += field_bytes + (is_last ? 0 : 1);
    }
    return CLSCAN_OK;
}
