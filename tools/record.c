#include "record.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command_line/failure.h"
#include "common/error.h"
#include "common/names.h"
#include "reference/reference.h"

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

bool record_is_vector(const record *r)
{
    return r->vector.lanes > 0;
}

/* The vector that is described, and how a serial scan is told of it: there is one --struct. */
static element_description described;
static char combine_source[256], first_text[96];

static bool find_vector(const char *name, record *r)
{
    for (int i = 0; i < CLSCAN_TYPE_COUNT; ++i)
        for (uint32_t lanes = 2; lanes <= 16; lanes *= 2) {
            const clscan_element vector = {.struct_size = sizeof vector, .type = (clscan_type)i, .lanes = lanes};
            const size_t bytes = clscan_element_size_bytes(&vector);
            char known[ELEMENT_NAME_BYTES];

            snprintf(known, sizeof known, "%s%u", element_cl_name(vector.type), (unsigned)lanes);
            if (strcmp(known, name) != 0)
                continue;
            if (vector.type == CLSCAN_HALF || bytes == 0 || bytes > CLSCAN_MOST_ELEMENT_BYTES)
                return false;
            r->vector = vector;
            return true;
        }
    return false;
}

/* As a description has it: a type that the language has, with a field for each lane. */
static const element_description *describe_vector(const char *name, const clscan_element *vector)
{
    described = (element_description){.ready = CLSCAN_READY_COUNT};
    snprintf(described.name, sizeof described.name, "%s", name);
    for (uint32_t lane = 0; lane < vector->lanes; ++lane) {
        char field[ELEMENT_NAME_BYTES];

        snprintf(field, sizeof field, "s%x", (unsigned)lane);
        element_add_field(&described, field, vector->type);
    }
    described.element = (clscan_element){.struct_size = sizeof described.element,
                                         .name = described.name,
                                         .size_bytes = described.size_bytes,
                                         .align_bytes = described.size_bytes};
    described.custom = (clscan_custom_operator){
        .struct_size = sizeof described.custom, .source = combine_source, .function = "combined_lanes"};
    return &described;
}

/* An identity in OpenCL C. */
static void print_first(const record *r, clscan_value identity)
{
    const char *vector = described.name, *lane = element_cl_name(r->vector.type);

    if (clscan_reference_is_floating(r->vector.type))
        snprintf(first_text, sizeof first_text, "((%s)(%s))", vector,
                 r->op == CLSCAN_MIN   ? "INFINITY"
                 : r->op == CLSCAN_MAX ? "-INFINITY"
                 : r->op == CLSCAN_MUL ? "1"
                                       : "0");
    else
        snprintf(first_text, sizeof first_text, "((%s)((%s)0x%" PRIx64 "UL))", vector, lane, identity.bits);
}

clscan_status record_set_operator(record *r, clscan_operator op, clscan_error *error)
{
    static const struct {
        clscan_operator op;
        const char *expression;
    } all[] = {{CLSCAN_ADD, "left + right"},     {CLSCAN_MUL, "left * right"}, {CLSCAN_MIN, "min(left, right)"},
               {CLSCAN_MAX, "max(left, right)"}, {CLSCAN_AND, "left & right"}, {CLSCAN_OR, "left | right"},
               {CLSCAN_XOR, "left ^ right"}};
    const clscan_reference what = {.type = r->vector.type, .op = op};
    clscan_value identity;

    if (!clscan_reference_identity(&what, &identity) || clscan_reference_operator(&what) == NULL)
        return fail(error, CLSCAN_ERROR_UNSUPPORTED_TYPE, "--op %s needs integers, and the lanes of %s are none",
                    clscan_operator_name(op), described.name);
    r->op = op;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        if (all[i].op == op)
            snprintf(combine_source, sizeof combine_source, "%s combined_lanes(%s left, %s right)\n{ return %s; }\n",
                     described.name, described.name, described.name, all[i].expression);
    print_first(r, identity);
    described.custom.identity = first_text;
    return CLSCAN_OK;
}

clscan_status read_record(const char *text, void *value, clscan_error *error)
{
    record *r = value;

    *r = (record){0};
    if (find_vector(text, r)) {
        r->type = describe_vector(text, &r->vector);
        r->text = text;
        describe(r);
        return record_set_operator(r, CLSCAN_ADD, error);
    }
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

/* Can a field be called so, if it is no macro? Compilers have more words than the list of the language: most begin with
 * an underscore. */
static bool may_be_field(const char *name)
{
    static const char *const words[] = {"true", "false", "vec_step", "asm", "typeof"};
    const size_t length = strlen(name);

    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strcmp(words[i], name) == 0)
            return false;
    if (strncmp(name, "image", 5) == 0 && strcmp(name + length - 2, "_t") == 0)
        return false;
    return clscan__name_of(name, length) == CLSCAN__NAME_FREE && name[0] != '_' && strncmp(name, "npy_", 4) != 0;
}

static bool has_field(const npy_header *header, const char *name)
{
    for (unsigned i = 0; i < header->field_count; ++i)
        if (strcmp(header->names[i], name) == 0)
            return true;
    return false;
}

/* "f0", or "f0_" where that is the name of another field. */
static void number_field(const npy_header *header, unsigned i, char name[NPY_NAME_BYTES])
{
    snprintf(name, NPY_NAME_BYTES, "f%u", i);
    while (has_field(header, name))
        strcat(name, "_"); /* at most once for each field */
}

static void add(row_declaration *rows, const char *format, ...) CLSCAN__PRINTF(2, 3);

static void add(row_declaration *rows, const char *format, ...)
{
    const size_t used_bytes = strlen(rows->source);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(rows->source + used_bytes, sizeof rows->source - used_bytes, format, arguments);
    va_end(arguments);
}

/* Only the compiler knows which names are macros. In the declaration the field is npy_0, npy_1, ... */
static void add_name(row_declaration *rows, const npy_header *header, unsigned i)
{
    char number[NPY_NAME_BYTES];

    if (header->descr[0] != '[') { /* of a complex number */
        add(rows, "#define npy_%u %s\n", i, i == 0 ? "real" : "imag");
        return;
    }
    number_field(header, i, number);
    if (may_be_field(header->names[i]))
        add(rows, "#ifdef %s\n#define npy_%u %s\n#else\n#define npy_%u %s\n#endif\n", header->names[i], i, number, i,
            header->names[i]);
    else
        add(rows, "#define npy_%u %s\n", i, number);
}

static size_t align_rows(const npy_header *header)
{
    size_t align_bytes = 1;

    for (unsigned i = 0; i < header->field_count; ++i) {
        const size_t bytes = clscan_type_size_bytes(header->fields[i]);

        if (header->offset_bytes[i] % bytes != 0)
            return 1;
        align_bytes = bytes > align_bytes ? bytes : align_bytes;
    }
    return header->element_bytes % align_bytes == 0 ? align_bytes : 1;
}

/* What stands between fields, and behind the last one. */
static void add_gap(row_declaration *rows, unsigned i, size_t bytes)
{
    if (bytes > 0)
        add(rows, " uchar npy_gap_%u[%zu];", i, bytes);
}

void record_declare_rows(const npy_header *header, row_declaration *rows)
{
    const unsigned count = header->field_count;
    size_t end = 0;

    memcpy(rows->fields, header->fields, sizeof rows->fields);
    memcpy(rows->offset_bytes, header->offset_bytes, sizeof rows->offset_bytes);
    rows->field_count = count;
    rows->size_bytes = header->element_bytes;
    rows->align_bytes = align_rows(header);
    rows->source[0] = '\0';
    if (count == 0)
        return;
    for (unsigned i = 0; i < count; ++i)
        if (header->fields[i] == CLSCAN_HALF)
            return;
    for (unsigned i = 0; i < count; ++i)
        add_name(rows, header, i);
    add(rows, "typedef struct%s {", rows->align_bytes > 1 ? "" : " __attribute__((packed))");
    for (unsigned i = 0; i < count; ++i) {
        add_gap(rows, i, header->offset_bytes[i] - end);
        add(rows, " %s npy_%u;", element_cl_name(header->fields[i]), i);
        end = header->offset_bytes[i] + clscan_type_size_bytes(header->fields[i]);
    }
    add_gap(rows, count, header->element_bytes - end);
    add(rows, " } npy_row;\nbool npy_rows_differ(npy_row l, npy_row r)\n{\n    return ");
    for (unsigned i = 0; i < count; ++i)
        add(rows, "%sl.npy_%u != r.npy_%u", i > 0 ? " || " : "", i, i);
    add(rows, ";\n}\n");
    for (unsigned i = 0; i < count; ++i)
        add(rows, "#undef npy_%u\n", i);
}

clscan_element record_row(const row_declaration *rows)
{
    return (clscan_element){.struct_size = sizeof(clscan_element),
                            .name = "npy_row",
                            .source = rows->source,
                            .size_bytes = rows->size_bytes,
                            .align_bytes = rows->align_bytes};
}

void record_ask(const record *r, clscan_problem *problem)
{
    problem->type = (clscan_type)0;
    if (record_is_vector(r)) {
        problem->op = r->op;
        problem->element = &r->vector;
        return;
    }
    problem->op = CLSCAN_CUSTOM;
    problem->element = &r->type->element;
    problem->custom = &r->type->custom;
}

void record_use(const record *r, used_files *files)
{
    if (r->type != NULL && element_is_file_name(r->text))
        used_files_read_name(files, "--struct", r->text);
}
