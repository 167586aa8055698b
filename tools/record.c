#include "record.h"

#include <stdio.h>
#include <string.h>

static void append(record *r, const char *format, const char *name, const char *code)
{
    const size_t used_bytes = strlen(r->descr);

    snprintf(r->descr + used_bytes, sizeof r->descr - used_bytes, format, name, code);
}

/* NumPy has padding as fields without names. */
static void append_padding(record *r, size_t bytes)
{
    char code[24];

    snprintf(code, sizeof code, "|V%zu", bytes);
    if (bytes > 0)
        append(r, ", ('%s', '%s')", "", code);
}

static void describe(record *r)
{
    const element_description *type = r->type;
    size_t end = 0;
    char code[8];

    if (type->fields[0].name[0] == '\0') {
        npy_code(type->fields[0].type, code);
        append(r, "%s'%s'", "", code);
        return;
    }
    for (unsigned i = 0; i < type->field_count; ++i) {
        const element_field *field = &type->fields[i];

        npy_code(field->type, code);
        append_padding(r, field->offset_bytes - end);
        append(r, i == 0 ? "[('%s', '%s')" : ", ('%s', '%s')", field->name, code);
        end = field->offset_bytes + clscan_type_size_bytes(field->type);
    }
    append_padding(r, type->size_bytes - end);
    append(r, "%s%s", "]", "");
}

clscan_status read_record(const char *text, void *value, clscan_error *error)
{
    record *r = value;

    *r = (record){0};
    if (element_describe(text, &r->type, error) != CLSCAN_OK)
        return error->status;
    r->text = text;
    describe(r);
    return CLSCAN_OK;
}

/* "<i4" and "<u4" hold the same bits. */
static bool has_same_bits(clscan_type left, clscan_type right)
{
    const bool floating = left >= CLSCAN_HALF || right >= CLSCAN_HALF;

    return left == right || (!floating && clscan_type_size_bytes(left) == clscan_type_size_bytes(right));
}

bool record_has(const record *r, const npy_header *header)
{
    const element_description *type = r->type;
    const bool is_named = type->document != NULL;
    bool same = type->field_count == header->field_count && type->size_bytes == header->element_bytes;

    for (unsigned i = 0; same && i < type->field_count; ++i) {
        const element_field *field = &type->fields[i];

        same = field->offset_bytes == header->offset_bytes[i] &&
               (is_named ? field->type == header->fields[i] && strcmp(field->name, header->names[i]) == 0
                         : has_same_bits(field->type, header->fields[i]));
    }
    return same;
}

clscan_element record_opaque(size_t bytes, char source[OPAQUE_SOURCE_BYTES])
{
    const size_t word = bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;

    snprintf(source, OPAQUE_SOURCE_BYTES, "typedef struct moved { %s words[%zu]; } moved;",
             word == 4   ? "uint"
             : word == 2 ? "ushort"
                         : "uchar",
             bytes / word);
    return (clscan_element){.struct_size = sizeof(clscan_element),
                            .name = "moved",
                            .source = source,
                            .size_bytes = (uint32_t)bytes,
                            .align_bytes = (uint32_t)word};
}

void record_ask(const record *r, clscan_problem *problem)
{
    problem->type = (clscan_type)0;
    problem->op = CLSCAN_CUSTOM;
    problem->element = &r->type->element;
    problem->custom = &r->type->custom;
}
