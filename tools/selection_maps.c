#include "selection_parts.h"

#include <stdio.h>
#include <string.h>

#include "command_line/failure.h"
#include "scan_maps.h"

/* Expressions count in the file, a run in its chunk. */
static const clscan_map_argument first = {.struct_size = sizeof first, .name = "index_of_first", .type = CLSCAN_UINT64};

static clscan_map map_of(const char *expression, const clscan_map_argument *arguments, uint64_t count)
{
    return (clscan_map){
        .struct_size = sizeof(clscan_map), .expression = expression, .arguments = arguments, .argument_count = count};
}

/* What --where or --unique says. The element in front of a chunk is the last one of the chunk before. */
static clscan_status describe_predicate(selection *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool rows = s->in->type == CLSCAN_TYPE_COUNT;
    const char *where = !s->unique ? s->expression
                        : rows     ? "index == 0 || npy_rows_differ(element, before)"
                                   : "index == 0 || element != before";
    const char *type = rows ? "npy_row" : map_type_name(s->in->type, NULL),
               *verdict = s->middle != NULL ? "long" : "bool";
    char head[128];

    s->sees_before = strstr(where, "before") != NULL;
    s->arguments[0] = first;
    s->arguments[1] = (clscan_map_argument){
        .struct_size = sizeof s->arguments[1], .name = "last", .type = s->in->type, .is_buffer = 1, .count = 1};
    if (rows) {
        s->arguments[1].type = CLSCAN_UINT8;
        s->arguments[1].count = s->in->element_bytes;
    }
    if (s->sees_before) {
        snprintf(head, sizeof head, "%s npy_kept(%s element, %s before, ulong index)", verdict, type, type);
        snprintf(s->keeps, sizeof s->keeps,
                 "npy_kept(element, index > 0 ? before : index_of_first > 0 ? %s : element, index + index_of_first)",
                 rows                         ? "*(__global const npy_row *)last"
                 : s->in->type == CLSCAN_HALF ? "vload_half(0, last)"
                                              : "last[0]");
    } else {
        snprintf(head, sizeof head, "%s npy_kept(%s element, ulong index)", verdict, type);
        snprintf(s->keeps, sizeof s->keeps, "npy_kept(element, index + index_of_first)");
    }
    if (!s->unique)
        TRY(map_check(where, "--where", error));
    TRY(map_source(where, s->unique ? "--unique" : "--where", head, &s->source, error));
    s->load = map_of(s->keeps, s->arguments, s->sees_before ? 2 : 1);
    s->load.source = s->source;

cleanup:
    return status;
}

clscan_status selection_describe(selection *s, clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    *problem = (clscan_problem){
        .struct_size = sizeof *problem, .operation = CLSCAN_SELECT, .type = s->in->type, .max_count = s->chunk_count};
    if (s->in->type == CLSCAN_TYPE_COUNT) {
        const bool looks = s->expression != NULL || s->unique;
        const row_declaration *rows = &s->in->rows;

        REQUIRE(looks || s->flags != NULL, CLSCAN_ERROR_INVALID_VALUE,
                "%s: its elements are %s: give --flags%s to say which are kept", s->in->name, s->in->kind,
                rows->source[0] != '\0' ? ", --where or --unique" : "");
        REQUIRE(!looks || rows->source[0] != '\0', CLSCAN_ERROR_UNSUPPORTED_TYPE,
                "%s: its elements are %s%s, and --%s looks at numbers, bool, complex numbers, and structs of numbers "
                "other than float16: give --flags to say which are kept",
                s->in->name, s->in->kind, rows->field_count > 0 ? " with float16" : "", s->unique ? "unique" : "where");
        s->moved = looks ? record_row(rows) : record_opaque(s->in->element_bytes, s->moved_source);
        problem->type = (clscan_type)0;
        problem->element = &s->moved;
    }
    s->select = (clscan_select){.struct_size = sizeof s->select, .rejected = s->rejected};
    if (s->rest != NULL)
        s->select.rest = s->middle != NULL ? CLSCAN_REST_THREE_WAY : CLSCAN_REST_APART;
    if (s->flags != NULL) {
        s->select.flag_bytes = s->bits ? 0 : (uint32_t)s->flags->element_bytes;
        s->select.flag_bits = s->bits;
    }
    table_columns_describe(s->columns, &s->select);
    problem->select = &s->select;
    if (s->expression != NULL || s->unique) {
        TRY(describe_predicate(s, error));
        problem->load = &s->load;
    }
    s->reads_none = (s->indices || s->coordinates) && problem->load == NULL && s->flags != NULL;
    if (s->coordinates) {
        coordinates_describe(&s->places, s->columns->index_type, s->in);
        problem->store = &s->places.map;
        problem->output = &s->places.place;
    } else if (s->indices) {
        s->store = map_of("index + index_of_first", &first, 1);
        s->output = (clscan_element){.struct_size = sizeof s->output, .type = s->columns->index_type};
        problem->store = &s->store;
        problem->output = &s->output;
    }

cleanup:
    return status;
}

uint64_t selection_arguments(const selection *s, clscan_memory arguments[SELECTION_ARGUMENTS])
{
    const clscan_memory index = {CLSCAN_MEMORY_HOST, .pointer = &s->count};
    uint64_t number = 0;

    if (s->load.expression != NULL)
        arguments[number++] = index;
    if (s->sees_before)
        arguments[number++] = (clscan_memory){.buffer = s->last};
    if (s->indices || s->coordinates)
        arguments[number++] = index;
    if (s->coordinates)
        arguments[number++] = (clscan_memory){CLSCAN_MEMORY_HOST, .pointer = s->places.extents};
    return number;
}
