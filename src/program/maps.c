#include "program/maps.h"

#include <inttypes.h>

#include "element/selection.h"
#include "program/callers.h"
#include "program/segments.h"

static const clscan__maps no_maps = {.load = NULL};

static const clscan__maps *maps_of(const clscan__elements *elements)
{
    return elements->maps != NULL ? elements->maps : &no_maps;
}

static bool has_columns(const clscan__maps *maps)
{
    return maps->column_count > 0 || maps->index_bytes > 0 || maps->length_bytes > 0;
}

static void define_rest(clscan__text *text, size_t first)
{
    static const char *const names[CLSCAN__REST_ARGUMENTS] = {
        [CLSCAN__REST_OUT] = "out",
        [CLSCAN__REST_CAPACITY] = "capacity",
        [CLSCAN__REST_IS_COUNTED] = "is_counted",
        [CLSCAN__REST_COUNTED] = "counted",
    };

    for (size_t i = 0; i < CLSCAN__REST_ARGUMENTS; ++i)
        clscan__text_append(text, "#define clscan_rest_%s(arguments) ((arguments).at_%zu)\n", names[i], first + i);
}

void clscan__maps_define(clscan__text *text, const clscan__elements *elements)
{
    const clscan__maps *maps = maps_of(elements);

    clscan__text_append(text, "#define CLSCAN_GENERATES %d\n", maps->generates);
    clscan__text_append(text, "#define CLSCAN_KEEPS_PREVIOUS %d\n", maps->keeps_previous);
    clscan__text_append(text, "#define CLSCAN_KEEPS_ELEMENT %d\n", maps->keeps_element);
    clscan__text_append(text, "#define CLSCAN_GIVES_ELEMENT %d\n", maps->gives_element);
    clscan__text_append(text, "#define CLSCAN_LOAD_CONVERTS %d\n", maps->load == NULL);
    clscan__text_append(text, "#define CLSCAN_STORE_CONVERTS %d\n", maps->store == NULL);
    clscan__text_append(text, "#define CLSCAN_SEES_BEFORE %d\n", maps->sees_before);
    clscan__text_append(text, "#define CLSCAN_SELECTS %d\n", maps->selects);
    clscan__text_append(text, "#define CLSCAN_SELECT_COPIES %d\n", maps->copies);
    clscan__text_append(text, "#define CLSCAN_DISCARDS %d\n", maps->discards);
    clscan__text_append(text, "#define CLSCAN_SEGMENTED %d\n", elements->segmented != NULL);
    if (elements->segmented != NULL)
        clscan__segments_define(text, elements);
    if (maps->selects) {
        clscan__text_append(text, "#define CLSCAN_SELECT_RELOADS %d\n", clscan__maps_reload(maps));
        if (clscan__maps_keep_marks(maps))
            clscan__text_append(text, "#define CLSCAN_GATHERED_MOST %" PRIu32 "\n",
                                clscan__elements_gathered_most(elements));
        clscan__text_append(text, "#define CLSCAN_SELECT_REJECTED %d\n", maps->rejected);
        clscan__text_append(text, "#define CLSCAN_SELECT_FLAG_BITS %u\n",
                            maps->flag_bits ? 1 : 8 * (unsigned)maps->flag_bytes);
        clscan__text_append(text, "#define CLSCAN_SELECT_COLUMNS %d\n", has_columns(maps));
        clscan__text_append(text, "#define CLSCAN_SELECT_LENGTHS %d\n", maps->length_bytes > 0);
        clscan__text_append(text, "#define CLSCAN_SELECT_LONG %d\n", maps->long_runs);
        clscan__text_append(text, "#define CLSCAN_SELECT_REST %d\n", maps->rest);
        clscan__text_append(text, "#define CLSCAN_SELECT_MIDDLE %d\n", maps->middle);
    }
    if (maps->long_runs)
        clscan__text_append(text, "#define clscan_run_count(arguments) ((arguments).at_%zu)\n", maps->count_argument);
    if (maps->rest)
        define_rest(text, maps->rest_argument);
    if (maps->length_bytes > 0)
        clscan__text_append(text,
                            "#define CLSCAN_SELECT_LENGTH %s\n#define clscan_lengths(arguments) ((arguments).at_%zu)\n"
                            "#define clscan_length_marks(arguments) ((arguments).at_%zu)\n",
                            clscan__unsigned_cl_name(maps->length_bytes), maps->length_argument,
                            maps->length_argument + 1);
    if (maps->flag_bytes > 0)
        clscan__text_append(text, "#define CLSCAN_SELECT_FLAG %s\n", clscan__unsigned_cl_name(maps->flag_bytes));
    clscan__text_append(text, "#define CLSCAN_MAP_PARAMETERS ");
    for (size_t i = 0; i < maps->argument_count; ++i) {
        if (maps->arguments[i].is_count)
            continue;
        clscan__text_append(text, ", %s clscan_argument_%zu", maps->arguments[i].type, i);
        if (maps->arguments[i].has_offset)
            clscan__text_append(text, ", ulong clscan_offset_%zu", i);
    }
    clscan__text_append(text, "\n#define CLSCAN_MAP_ARGUMENTS clscan_arguments_of(");
    for (size_t i = 0; i < maps->argument_count; ++i) {
        clscan__text_append(text, "%s", i > 0 ? ", " : "");
        if (maps->arguments[i].is_count)
            clscan__text_append(text, "count");
        else
            clscan__text_append(text, "clscan_argument_%zu", i);
        if (maps->arguments[i].has_offset)
            clscan__text_append(text, " + clscan_offset_%zu", i);
    }
    clscan__text_append(text, ")\n");
}

/* Does this side see the argument? */
static bool sees(clscan__map_side side, const clscan__map_argument *argument)
{
    return argument->side == CLSCAN__OF_BOTH_MAPS ||
           argument->side == (side == CLSCAN__MAP_LOAD ? CLSCAN__OF_LOAD_MAP : CLSCAN__OF_STORE_MAP);
}

/* What stands in the head of the function before the caller's arguments, and the type of its value. */
static void append_head(clscan__text *text, const clscan__elements *elements, clscan__map_side side)
{
    const clscan__maps *maps = maps_of(elements);
    const char *in = clscan__element_value_name(&elements->in), *sum = clscan__element_value_name(&elements->sum);
    const char *name = elements->segmented != NULL ? "own" : "map"; /* segments have maps around these */

    clscan__text_append(text, "static inline __attribute__((always_inline)) ");
    if (side == CLSCAN__MAP_LOAD) {
        clscan__text_append(text, "%s clscan_%s_load(", sum, name);
        if (!maps->generates)
            clscan__text_append(text, "%s element, ", in);
        if (maps->sees_before)
            clscan__text_append(text, "%s before, ", in);
        clscan__text_append(text, "ulong index, ");
        return;
    }
    clscan__text_append(text, "%s clscan_%s_store(%s sum, ulong index, ", clscan__element_value_name(&elements->out),
                        name, sum);
    if (maps->keeps_previous)
        clscan__text_append(text, "%s previous, ", sum);
    if (maps->keeps_element)
        clscan__text_append(text, "%s element, ", in);
}

/* `what`, or it converted; scalars that are the same are not touched. */
static void append_conversion(clscan__text *text, const char *what, const clscan__element *from,
                              const clscan__element *to)
{
    if (from->custom == NULL && to->custom == NULL && from->type != to->type)
        clscan__text_append(text, "(%s)(%s)", clscan__element_value_name(to), what);
    else
        clscan__text_append(text, "%s", what);
}

static const char *name_of(clscan__map_side side)
{
    return side == CLSCAN__MAP_LOAD ? "load" : "store";
}

/* What makes 0 or 1 of the predicate of operation select. */
static const char *verdict(const clscan__maps *maps, clscan__map_side side)
{
    return maps->selects && !maps->middle && side == CLSCAN__MAP_LOAD ? " != 0" : "";
}

/* What stands in front of the expression: with a middle, a function makes of the predicate the sum that
 * cl/elements/cursors.cl says. */
static const char *wrapper(const clscan__maps *maps, clscan__map_side side)
{
    if (side != CLSCAN__MAP_LOAD)
        return "";
    return maps->middle ? "clscan_sum_of_part" : maps->rejected ? "!" : "";
}

static void append_map(clscan__text *text, const clscan__elements *elements, clscan__map_side side)
{
    const clscan__maps *maps = maps_of(elements);
    const char *expression = side == CLSCAN__MAP_LOAD ? maps->load : maps->store;

    append_head(text, elements, side);
    clscan__text_append(text, "clscan_arguments clscan_all)\n{\n");
    for (size_t i = 0; i < maps->argument_count; ++i)
        if (sees(side, &maps->arguments[i]))
            clscan__text_append(text, "    %s %s = clscan_all.at_%zu;\n", maps->arguments[i].type,
                                maps->arguments[i].name, i);
    clscan__text_append(text, "    return %s((\n#line 1 \"%s\"\n", wrapper(maps, side), name_of(side));
    if (expression != NULL)
        clscan__text_append(text, "%s", expression);
    else if (side == CLSCAN__MAP_LOAD)
        append_conversion(text, "element", &elements->in, &elements->sum);
    else
        append_conversion(text, "sum", &elements->sum, &elements->out);
    clscan__text_append(text, "\n)%s", verdict(maps, side));
    clscan__text_append(text, ");\n}\n");
}

/* The elements of a selection's columns, whose pointers are among the arguments. */
static void append_column_types(clscan__text *text, const clscan__maps *maps)
{
    for (uint32_t i = 0; i < maps->column_count; ++i)
        clscan__text_append(text, "typedef struct clscan_column_%u {\n    %s words[%u];\n} clscan_column_%u;\n",
                            (unsigned)i, clscan__unsigned_cl_name(maps->columns[i].word_bytes),
                            (unsigned)maps->columns[i].words, (unsigned)i);
}

/* What moves one row of the columns. */
static void append_columns(clscan__text *text, const clscan__maps *maps)
{
    if (!has_columns(maps))
        return;
    clscan__text_append(text, "static inline __attribute__((always_inline)) void clscan_move_columns("
                              "clscan_arguments all, ulong from, ulong to)\n{\n");
    for (uint32_t i = 0; i < maps->column_count; ++i)
        clscan__text_append(text, "    all.at_%zu[to] = all.at_%zu[from];\n", maps->columns[i].argument + 1,
                            maps->columns[i].argument);
    if (maps->index_bytes > 0)
        clscan__text_append(text, "    all.at_%zu[to] = (%s)from;\n", maps->index_argument,
                            clscan__unsigned_cl_name(maps->index_bytes));
    clscan__text_append(text, "}\n");
}

/* What the caller's arguments travel in; a struct has a member. */
static void append_arguments(clscan__text *text, const clscan__maps *maps)
{
    clscan__text_append(text, "#line 1 \"arguments of maps\"\ntypedef struct clscan_arguments {\n");
    for (size_t i = 0; i < maps->argument_count; ++i)
        clscan__text_append(text, "    %s at_%zu;\n", maps->arguments[i].type, i);
    clscan__text_append(text, "%s} clscan_arguments;\n", maps->argument_count == 0 ? "    ulong none;\n" : "");
    clscan__text_append(text, "static inline __attribute__((always_inline)) clscan_arguments clscan_arguments_of(");
    for (size_t i = 0; i < maps->argument_count; ++i)
        clscan__text_append(text, "%s%s at_%zu", i > 0 ? ", " : "", maps->arguments[i].type, i);
    clscan__text_append(text, "%s)\n{\n    clscan_arguments all;\n", maps->argument_count == 0 ? "void" : "");
    for (size_t i = 0; i < maps->argument_count; ++i)
        clscan__text_append(text, "    all.at_%zu = at_%zu;\n", i, i);
    clscan__text_append(text, "%s    return all;\n}\n", maps->argument_count == 0 ? "    all.none = 0;\n" : "");
}

void clscan__maps_append(clscan__text *text, const clscan__elements *elements)
{
    const clscan__maps *maps = maps_of(elements);

    clscan__callers_append(text, elements, NULL, CLSCAN__LOAD_TEXT, CLSCAN__STORE_TEXT, true);
    append_column_types(text, maps);
    append_arguments(text, maps);
    append_columns(text, maps);
    if (maps->middle)
        clscan__text_append(text, "static inline __attribute__((always_inline)) ulong clscan_sum_of_part(long part)\n"
                                  "{\n    return part == 1 ? 1ul : part == 2 ? 1ul << 32 : 0ul;\n}\n");
    append_map(text, elements, CLSCAN__MAP_LOAD);
    append_map(text, elements, CLSCAN__MAP_STORE);
    if (elements->segmented != NULL)
        clscan__segments_append_maps(text, elements);
}

/* A kernel that calls the map: without one, NVIDIA's compiler drops the map, and a function that it calls and that is
 * not there is never missed. */
static void append_use(clscan__text *text, const clscan__elements *elements, clscan__map_side side)
{
    const clscan__maps *maps = maps_of(elements);
    const bool loads = side == CLSCAN__MAP_LOAD, takes_element = loads ? !maps->generates : maps->keeps_element;
    const char *sum = clscan__element_value_name(&elements->sum), *out = clscan__element_value_name(&elements->out);

    clscan__text_append(
        text,
        "#line 1 \"use of %s\"\n__kernel void clscan_use(__global %s *clscan_in, __global %s *clscan_sum, "
        "__global %s *clscan_out",
        name_of(side), clscan__element_value_name(&elements->in), sum, loads ? sum : out);
    for (size_t i = 0; i < maps->argument_count; ++i)
        if (sees(side, &maps->arguments[i]))
            clscan__text_append(text, ", %s clscan_%zu", maps->arguments[i].type, i);
    clscan__text_append(
        text, ")\n{\n    clscan_out[0] = clscan_%s_%s(%s%s%s0, %s%s", elements->segmented != NULL ? "own" : "map",
        name_of(side), loads && takes_element ? "clscan_in[0], " : "",
        loads && maps->sees_before ? "clscan_in[1], " : "", loads ? "" : "clscan_sum[0], ",
        !loads && maps->keeps_previous ? "clscan_sum[1], " : "", !loads && takes_element ? "clscan_in[0], " : "");
    for (size_t i = 0; i < maps->argument_count; ++i)
        if (sees(side, &maps->arguments[i]))
            clscan__text_append(text, "clscan_%zu, ", i);
    clscan__text_append(text, "0);\n}\n");
}

void clscan__maps_append_one(clscan__text *text, const clscan__elements *elements, clscan__map_side side, bool named)
{
    const clscan__maps *maps = maps_of(elements);

    clscan__callers_append(text, elements, NULL, CLSCAN__LOAD_TEXT,
                           side == CLSCAN__MAP_STORE ? CLSCAN__STORE_TEXT : CLSCAN__LOAD_TEXT, named);
    append_head(text, elements, side);
    for (size_t i = 0; i < maps->argument_count; ++i)
        if (sees(side, &maps->arguments[i]))
            clscan__text_append(text, "%s %s, ", maps->arguments[i].type, maps->arguments[i].name);
    clscan__text_append(text, "uint clscan_end) { return ");
    clscan__callers_append_expression(text, side == CLSCAN__MAP_LOAD ? maps->load : maps->store, name_of(side), named);
    clscan__text_append(text, "%s; }\n", verdict(maps, side));
    append_use(text, elements, side);
}
