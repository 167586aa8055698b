#include <reference.h>

#include "element.h"

uint64_t measure_scan_count(const measure_problem *problem)
{
    return problem->rows.count > 0 ? problem->count / problem->rows.count : problem->count;
}

uint64_t measure_pitch(const measure_problem *problem)
{
    return problem->rows.in_pitch > 0 ? problem->rows.in_pitch : measure_scan_count(problem);
}

uint64_t measure_input_span_bytes(const measure_problem *problem)
{
    const uint64_t gap = measure_pitch(problem) - measure_scan_count(problem);

    return gap > 0 ? problem->bytes + (problem->rows.count - 1) * gap * measure_element_bytes(problem) : problem->bytes;
}

uint64_t measure_output_span_bytes(const measure_problem *problem)
{
    const bool has_gaps = problem->rows.in_pitch > 0 && !problem->reduces;

    return has_gaps || measure_column_count(problem->selects) > 1 ? measure_input_span_bytes(problem)
                                                                  : measure_output_bytes(problem);
}

/* What each selection asks for, and the same in place. */
#define SELECTS(...)                                                         \
    {                                                                        \
        {.struct_size = sizeof(clscan_select), __VA_ARGS__},                 \
        {                                                                    \
            .struct_size = sizeof(clscan_select), __VA_ARGS__, .in_place = 1 \
        }                                                                    \
    }
enum { LENGTH_BYTES = 4 };
static const clscan_select selects[][2] = {
    [MEASURE_SELECTS_BY_BYTES] = SELECTS(.flag_bytes = 1),
    [MEASURE_SELECTS_BY_BITS] = SELECTS(.flag_bits = 1),
    [MEASURE_SELECTS_BY_PREDICATE] = SELECTS(.flag_bytes = 0),
    [MEASURE_SELECTS_UNIQUE] = SELECTS(.flag_bytes = 0),
    [MEASURE_PARTITIONS] = SELECTS(.flag_bytes = 1, .rest = CLSCAN_REST_BEHIND),
    [MEASURE_DIVIDES] = SELECTS(.rest = CLSCAN_REST_THREE_WAY),
    [MEASURE_SELECTS_WHERE] = SELECTS(.flag_bytes = 1),
    [MEASURE_ENCODES] = SELECTS(.length_bytes = LENGTH_BYTES),
    [MEASURE_FINDS_RUNS] = SELECTS(.length_bytes = LENGTH_BYTES, .long_runs = 1),
    [MEASURE_REPEATS] = SELECTS(.length_bytes = LENGTH_BYTES),
};
/* The same of tables, by the bytes of an element. The first column is the input. */
#define MORE_COLUMNS (MEASURE_COLUMNS - 1)
#define COLUMNS_OF(bytes)                                            \
    [bytes] = SELECTS(.flag_bytes = 1, .column_count = MORE_COLUMNS, \
                      .column_bytes = (const uint32_t[MORE_COLUMNS]){bytes, bytes, bytes})
static const clscan_select selects_columns[][2] = {COLUMNS_OF(1), COLUMNS_OF(2), COLUMNS_OF(4), COLUMNS_OF(8)};
static const clscan_map to_index = {.struct_size = sizeof to_index, .expression = "index"};
static const clscan_element index_type = {.struct_size = sizeof index_type, .type = CLSCAN_UINT32};
static const clscan_map odd = {.struct_size = sizeof odd, .expression = "(element & 1) != 0"};
static const clscan_map third = {.struct_size = sizeof third,
                                 .expression = "(element & 1) != 0 ? 1 : (element & 2) != 0 ? 2 : 3"};
static const clscan_map unique = {.struct_size = sizeof unique, .expression = "index == 0 || element != before"};

/* The predicate of those that have one. */
static const clscan_map *const predicates[] = {
    [MEASURE_SELECTS_BY_PREDICATE] = &odd, [MEASURE_SELECTS_UNIQUE] = &unique, [MEASURE_DIVIDES] = &third,
    [MEASURE_ENCODES] = &unique,           [MEASURE_FINDS_RUNS] = &unique,     [MEASURE_REPEATS] = NULL};

/* Does it give indices in place of elements? */
static bool gives_indices(measure_selection selection)
{
    return selection == MEASURE_SELECTS_WHERE || selection == MEASURE_FINDS_RUNS;
}

uint32_t measure_column_count(measure_selection selection)
{
    return selection == MEASURE_SELECTS_COLUMNS ? MEASURE_COLUMNS : 1;
}

/* Points to what stays. */
static const clscan_select *select_of(const measure_problem *problem)
{
    if (measure_column_count(problem->selects) > 1)
        return &selects_columns[measure_element_bytes(problem)][problem->in_place];
    return problem->selects ? &selects[problem->selects][problem->in_place] : NULL;
}

bool measure_gives_lengths(measure_selection selection)
{
    return selection == MEASURE_ENCODES || selection == MEASURE_FINDS_RUNS;
}

bool measure_gives_offsets(const measure_problem *problem)
{
    return problem->maps != NULL && problem->maps->offsets;
}

bool measure_partitions(measure_selection selection)
{
    return selection == MEASURE_PARTITIONS || selection == MEASURE_DIVIDES;
}

bool measure_may_select_in_place(measure_selection selection)
{
    return !gives_indices(selection) && selection != MEASURE_REPEATS;
}

bool measure_scans_in_place(const measure_problem *problem)
{
    return problem->in_place && !problem->selects;
}

static void ask_for_maps(const measure_maps *maps, clscan_problem *asked)
{
    if (maps->accumulator.struct_size != 0)
        asked->accumulator = &maps->accumulator;
    if (maps->custom.struct_size != 0) {
        asked->op = CLSCAN_CUSTOM;
        asked->custom = &maps->custom;
    }
    if (maps->output.struct_size != 0)
        asked->output = &maps->output;
    if (maps->load.struct_size != 0)
        asked->load = &maps->load;
    if (maps->store.struct_size != 0)
        asked->store = &maps->store;
}

clscan_problem measure_clscan_problem(const measure_problem *problem)
{
    const measure_element *element = problem->element;
    const bool repeats = problem->selects == MEASURE_REPEATS, where = gives_indices(problem->selects);
    clscan_problem asked = {.struct_size = sizeof asked,
                            .type = problem->type,
                            .op = problem->op,
                            .operation = problem->reduces   ? CLSCAN_REDUCE
                                         : repeats          ? CLSCAN_REPEAT
                                         : problem->selects ? CLSCAN_SELECT
                                                            : CLSCAN_SCAN,
                            .select = select_of(problem),
                            .load = predicates[problem->selects],
                            .store = where ? &to_index : NULL,
                            .output = where ? &index_type : NULL,
                            .form = problem->form,
                            .direction = problem->direction,
                            .max_count = repeats ? problem->kept_count : measure_scan_count(problem),
                            .reproducible = problem->reproducible,
                            .rows = problem->rows.count > 0 ? &problem->rows : NULL,
                            .segments = problem->segment_length > 0 ? &problem->segments : NULL};

    if (problem->sample != NULL)
        asked.custom = &problem->sample->custom;
    if (problem->maps != NULL)
        ask_for_maps(problem->maps, &asked);
    if (element != NULL) {
        asked.element = &element->element;
        asked.custom = problem->op == CLSCAN_CUSTOM ? &element->custom : NULL;
    }
    return asked;
}

uint64_t measure_element_bytes(const measure_problem *problem)
{
    return problem->element != NULL ? problem->element->size_bytes : clscan_type_size_bytes(problem->type);
}

/* Of a scan. */
static clscan_type written_type(const measure_problem *problem)
{
    const measure_maps *maps = problem->maps;

    return maps != NULL && maps->output.struct_size != 0 ? maps->output.type : problem->type;
}

clscan_type measure_sum_type(const measure_problem *problem)
{
    const measure_maps *maps = problem->maps;

    if (maps != NULL && maps->custom.struct_size != 0)
        return maps->number;
    if (maps != NULL && maps->accumulator.struct_size != 0)
        return maps->accumulator.type;
    return clscan_type_accumulator(written_type(problem));
}

clscan_type measure_output_type(const measure_problem *problem)
{
    return problem->maps != NULL && problem->reduces ? measure_sum_type(problem) : written_type(problem);
}

uint64_t measure_output_element_bytes(const measure_problem *problem)
{
    return problem->maps != NULL ? clscan_type_size_bytes(measure_output_type(problem))
                                 : measure_element_bytes(problem);
}

uint64_t measure_output_count(const measure_problem *problem)
{
    const uint64_t scans = problem->rows.count > 0 ? problem->rows.count : 1;

    if (problem->reduces && problem->segment_length > 0)
        return problem->segment_count;
    if (problem->reduces)
        return scans;
    return problem->count + (measure_gives_offsets(problem) ? scans : 0);
}

uint64_t measure_input_bytes(const measure_problem *problem)
{
    if (problem->selects == MEASURE_SELECTS_WHERE)
        return 0;
    return problem->selects == MEASURE_REPEATS ? problem->kept_count * measure_element_bytes(problem) : problem->bytes;
}

uint64_t measure_output_bytes(const measure_problem *problem)
{
    if (measure_partitions(problem->selects) || problem->selects == MEASURE_REPEATS)
        return problem->bytes;
    if (problem->selects)
        return problem->kept_count * measure_element_bytes(problem) * measure_column_count(problem->selects);
    return measure_output_count(problem) * measure_output_element_bytes(problem);
}

uint64_t measure_key_bytes(const measure_problem *problem)
{
    if (measure_gives_lengths(problem->selects))
        return problem->kept_count * LENGTH_BYTES;
    return problem->reduces && problem->segment_length > 0 && problem->segments.by == CLSCAN_BY_KEYS
               ? problem->segment_count * clscan_type_size_bytes(problem->segments.type)
               : 0;
}

uint64_t measure_flag_bytes(const measure_problem *problem)
{
    if (problem->selects == MEASURE_REPEATS)
        return problem->kept_count * LENGTH_BYTES;
    if (problem->selects == MEASURE_SELECTS_BY_BYTES || problem->selects == MEASURE_SELECTS_WHERE ||
        problem->selects == MEASURE_SELECTS_COLUMNS || problem->selects == MEASURE_PARTITIONS)
        return problem->count;
    return problem->selects == MEASURE_SELECTS_BY_BITS ? (problem->count + 7) / 8 : 0;
}

const char *measure_form_name(const measure_problem *problem)
{
    static const char *const selections[] = {[MEASURE_SELECTS_BY_BYTES] = "select",
                                             [MEASURE_SELECTS_BY_BITS] = "select_bits",
                                             [MEASURE_SELECTS_BY_PREDICATE] = "select_predicate",
                                             [MEASURE_SELECTS_UNIQUE] = "select_unique",
                                             [MEASURE_SELECTS_WHERE] = "select_where",
                                             [MEASURE_SELECTS_COLUMNS] = "select_columns",
                                             [MEASURE_PARTITIONS] = "partition",
                                             [MEASURE_DIVIDES] = "three_way",
                                             [MEASURE_ENCODES] = "encode",
                                             [MEASURE_FINDS_RUNS] = "long_runs",
                                             [MEASURE_REPEATS] = "repeat"};

    if (problem->reduces)
        return "reduce";
    if (problem->selects)
        return selections[problem->selects];
    if (measure_gives_offsets(problem))
        return "offsets";
    return problem->form == CLSCAN_INCLUSIVE ? "inclusive" : "exclusive";
}

const char *measure_type_name(const measure_problem *problem)
{
    return problem->element != NULL ? problem->element->name : clscan_type_name(problem->type);
}

const char *measure_accumulator_name(const measure_problem *problem)
{
    return problem->maps != NULL && problem->maps->custom.struct_size != 0
               ? problem->maps->name
               : clscan_type_name(measure_sum_type(problem));
}

/* A struct's own maps are no user's. */
static const char *text_of(const measure_maps *maps, const clscan_map *map)
{
    return map->struct_size != 0 && maps->custom.struct_size == 0 ? map->expression : "";
}

const char *measure_load_text(const measure_problem *problem)
{
    return problem->maps != NULL ? text_of(problem->maps, &problem->maps->load) : "";
}

const char *measure_store_text(const measure_problem *problem)
{
    return problem->maps != NULL ? text_of(problem->maps, &problem->maps->store) : "";
}
