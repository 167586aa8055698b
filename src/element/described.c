#include "element/described.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "element/map.h"
#include "element/names.h"

static clscan_status check_scalar_or_vector(const clscan_element *element, const char *what, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t size_bytes = (uint64_t)element->lanes * clscan_type_size_bytes(element->type);

    CLSCAN__REQUIRE(clscan__type_is_valid(element->type), CLSCAN_ERROR_INVALID_VALUE,
                    "%s->type: %d is not an element type", what, (int)element->type);
    CLSCAN__REQUIRE(element->lanes <= 16 && (element->lanes == 0 || clscan__is_power_of_two(element->lanes)),
                    CLSCAN_ERROR_INVALID_VALUE, "%s->lanes is %u; vectors have 2, 4, 8 or 16 lanes", what,
                    (unsigned)element->lanes);
    CLSCAN__REQUIRE(element->source == NULL && element->size_bytes == 0 && element->align_bytes == 0,
                    CLSCAN_ERROR_INVALID_VALUE, "%s->%s is set, but %s->name is NULL", what,
                    element->source != NULL    ? "source"
                    : element->size_bytes != 0 ? "size_bytes"
                                               : "align_bytes",
                    what);
    CLSCAN__REQUIRE(element->lanes <= 1 || element->type != CLSCAN_HALF, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "%s: half%u; vectors of half are no elements", what, (unsigned)element->lanes);
    CLSCAN__REQUIRE(size_bytes <= CLSCAN_MOST_ELEMENT_BYTES, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "%s: %s%u has %u bytes; elements have at most %u", what, clscan__type_cl_name(element->type),
                    (unsigned)element->lanes, (unsigned)size_bytes, CLSCAN_MOST_ELEMENT_BYTES);

cleanup:
    return status;
}

static clscan_status check_named(const clscan_element *element, const char *what, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    char part[64];

    snprintf(part, sizeof part, "%s->name", what);
    CLSCAN__TRY(clscan__check_identifier(part, element->name, !clscan__has_source(element), error));
    CLSCAN__REQUIRE(element->type == 0 && element->lanes == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "%s->%s is set, but %s->name says the type", what, element->lanes != 0 ? "lanes" : "type", what);
    CLSCAN__REQUIRE(element->size_bytes >= 1, CLSCAN_ERROR_INVALID_VALUE, "%s->size_bytes of %s is 0", what,
                    element->name);
    CLSCAN__REQUIRE(element->size_bytes <= CLSCAN_MOST_ELEMENT_BYTES, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "%s->size_bytes of %s is %zu; elements have at most %u bytes", what, element->name,
                    element->size_bytes, CLSCAN_MOST_ELEMENT_BYTES);
    CLSCAN__REQUIRE(
        element->align_bytes >= 1 && element->align_bytes <= CLSCAN_MOST_ELEMENT_BYTES &&
            clscan__is_power_of_two(element->align_bytes) && element->size_bytes % element->align_bytes == 0,
        CLSCAN_ERROR_INVALID_VALUE, "%s->align_bytes of %s is %zu; it is a power of two that divides the %zu bytes",
        what, element->name, element->align_bytes, element->size_bytes);
    if (element->source != NULL) {
        snprintf(part, sizeof part, "%s->source", what);
        CLSCAN__TRY(clscan__check_reserved(part, element->source, error));
    }

cleanup:
    return status;
}

clscan_status clscan__element_take(const clscan_element **element, clscan_type *type, clscan_element *room,
                                   const char *what, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_element *taken = clscan__struct_take(*element, room, sizeof *room, what, error);

    if (taken == NULL)
        return CLSCAN_ERROR_STRUCT_SIZE;
    if (taken->name != NULL)
        CLSCAN__TRY(check_named(taken, what, error));
    else
        CLSCAN__TRY(check_scalar_or_vector(taken, what, error));
    *type = taken->name != NULL ? (clscan_type)0 : taken->type;
    *element = taken->name == NULL && taken->lanes <= 1 ? NULL : taken;

cleanup:
    return status;
}

bool clscan__element_equal(const clscan_element *left, const clscan_element *right)
{
    if (left->name == NULL || right->name == NULL)
        return left->name == right->name && left->type == right->type && left->lanes == right->lanes;
    return strcmp(left->name, right->name) == 0 && left->size_bytes == right->size_bytes &&
           left->align_bytes == right->align_bytes;
}

size_t clscan_element_size_bytes(const clscan_element *element)
{
    clscan_element room;
    clscan_type type;

    if (element == NULL || clscan__element_take(&element, &type, &room, "element", NULL) != CLSCAN_OK)
        return 0;
    if (element == NULL)
        return clscan_type_size_bytes(type);
    return element->name != NULL ? element->size_bytes : element->lanes * clscan_type_size_bytes(type);
}

static clscan__element describe_part(const clscan_element *element, struct clscan__described_part *part)
{
    const size_t size_bytes = clscan_element_size_bytes(element);

    if (element->name == NULL && element->lanes <= 1)
        return (clscan__element){.type = element->type};
    if (element->name != NULL) {
        part->type = (clscan__custom_type){element->name, element->source != NULL ? element->source : "", size_bytes,
                                           element->align_bytes, 0};
    } else {
        clscan__element_name(element, part->name);
        part->type = (clscan__custom_type){part->name, "", size_bytes, size_bytes, element->lanes};
    }
    return (clscan__element){.custom = &part->type};
}

/* What the library's own maps have, behind the caller's arguments. */
static void describe_segments(const clscan_problem *problem, clscan__described_elements *described)
{
    static const clscan__map_argument arguments[CLSCAN__SEGMENTS_MOST_ARGUMENTS] = {
        [CLSCAN__SEGMENTS_BEGINS] = {.type = "__global const clscan_begin *", .has_offset = true},
        [CLSCAN__SEGMENTS_VALUE] = {.type = NULL},
        [CLSCAN__SEGMENTS_INITIAL] = {.type = "__global const clscan_value *", .has_offset = true},
        [CLSCAN__SEGMENTS_COUNT] = {.type = "ulong"},
        [CLSCAN__SEGMENTS_MODE] = {.type = "uint"},
        [CLSCAN__SEGMENTS_TOTAL] = {.type = "__global const uint *", .has_offset = true},
        [CLSCAN__SEGMENTS_INITIALS] = {.type = "ulong"},
        [CLSCAN__SEGMENTS_SUMS] = {.type = "__global clscan_value *", .has_offset = true},
        [CLSCAN__SEGMENTS_OFFSETS] = {.type = "__global clscan_offset *", .has_offset = true},
        [CLSCAN__SEGMENTS_CAPACITY] = {.type = "ulong"},
        [CLSCAN__SEGMENTS_OFFSET_COUNT] = {.type = "__global const clscan_offset_count *", .has_offset = true},
        [CLSCAN__SEGMENTS_KEYS] = {.type = "__global clscan_key *", .has_offset = true},
        [CLSCAN__SEGMENTS_NUMBER] = {.type = "__global clscan_offset *", .has_offset = true},
        [CLSCAN__SEGMENTS_OVERFLOWS] = {.type = "volatile __global uint *", .has_offset = true},
        [CLSCAN__SEGMENTS_GIVES] = {.type = "uint"},
    };
    const uint32_t words = clscan__segments_value_bytes(clscan__problem_sum_bytes(problem)) / 8;
    clscan__map_argument *own = &described->arguments[described->maps.argument_count];

    described->segmented = (clscan__segmented){.by = problem->segments->by,
                                               .type = problem->segments->type,
                                               .reverse = problem->direction == CLSCAN_REVERSE,
                                               .exclusive = problem->form == CLSCAN_EXCLUSIVE,
                                               .counts_on_device = problem->count_bytes > 0,
                                               .offset_count_bytes = (uint32_t)problem->segments->offset_count_bytes,
                                               .sums = clscan__problem_sums(problem),
                                               .marked = clscan__problem_has_marks(problem),
                                               .initials = clscan__problem_has_initials(problem),
                                               .checks = problem->segments->check != 0};
    if (problem->segments->key != NULL)
        described->segmented.key = describe_part(problem->segments->key, &described->key).custom;
    if (problem->segments->equal != NULL) {
        described->segmented.equal = problem->segments->equal->expression;
        described->segmented.equal_source = problem->segments->equal->source;
    }
    if (described->segmented.initials || clscan__problem_gives_sums(problem))
        described->segmented.index_bytes = (uint32_t)clscan__segments_index_bytes(problem);
    for (unsigned i = 0, next = 0; i < CLSCAN__SEGMENTS_MOST_ARGUMENTS; ++i) {
        if (!clscan__segments_have(&described->segmented, (clscan__segments_argument)i))
            continue;
        own[next] = arguments[i];
        own[next++].side = CLSCAN__OF_SEGMENTS;
    }
    own[CLSCAN__SEGMENTS_COUNT].is_count = problem->count_bytes > 0;
    snprintf(described->value_type, sizeof described->value_type, words > 1 ? "ulong%u" : "ulong", (unsigned)words);
    own[CLSCAN__SEGMENTS_VALUE].type = described->value_type;
    described->maps.argument_count += clscan__segments_argument_count(&described->segmented);
    described->elements.segmented = &described->segmented;
}

/* Columns, indices and lengths of a selection, from argument `next` on. Returns the next one behind them. */
static size_t describe_columns(const clscan_problem *problem, clscan__described_elements *described, size_t next)
{
    clscan__maps *maps = &described->maps;
    clscan__map_argument *arguments = described->arguments;

    maps->column_count = clscan__problem_column_count(problem);
    for (uint32_t i = 0; i < maps->column_count; ++i) {
        const uint32_t bytes = problem->select->column_bytes[i];
        const uint32_t word_bytes = (uint32_t)clscan__word_bytes(bytes);

        maps->columns[i] = (struct clscan__column_words){word_bytes, bytes / word_bytes, next};
        for (uint32_t out = 0; out < 2; ++out) {
            snprintf(described->column_types[i][out], sizeof described->column_types[i][out],
                     "__global %sclscan_column_%u *", out ? "" : "const ", (unsigned)i);
            arguments[next++] = (clscan__map_argument){
                .type = described->column_types[i][out], .has_offset = true, .side = CLSCAN__OF_SELECTION};
        }
    }
    maps->index_bytes = clscan__problem_index_bytes(problem);
    maps->index_argument = next;
    if (maps->index_bytes > 0)
        arguments[next++] =
            (clscan__map_argument){.type = maps->index_bytes == 4 ? "__global uint *" : "__global ulong *",
                                   .has_offset = true,
                                   .side = CLSCAN__OF_SELECTION};
    maps->length_bytes = clscan__problem_length_bytes(problem);
    maps->length_argument = next;
    if (maps->length_bytes > 0) {
        arguments[next++] =
            (clscan__map_argument){.type = maps->length_bytes == 4 ? "__global uint *" : "__global ulong *",
                                   .has_offset = true,
                                   .side = CLSCAN__OF_SELECTION};
        arguments[next++] =
            (clscan__map_argument){.type = "__global ulong *", .has_offset = true, .side = CLSCAN__OF_SELECTION};
    }
    return next;
}

/* The same of what runs of two and more elements ask for. */
static size_t describe_long_runs(const clscan_problem *problem, clscan__described_elements *described, size_t next)
{
    described->maps.long_runs = clscan__problem_selects_long_runs(problem);
    described->maps.count_argument = next;
    if (described->maps.long_runs)
        described->arguments[next++] =
            (clscan__map_argument){.type = "ulong", .is_count = true, .side = CLSCAN__OF_SELECTION};
    return next;
}

/* The same of the rest. */
static size_t describe_rest(const clscan_problem *problem, clscan__described_elements *described, size_t next)
{
    static const clscan__map_argument arguments[CLSCAN__REST_ARGUMENTS] = {
        [CLSCAN__REST_OUT] = {.type = "__global CLSCAN_OUT *", .has_offset = true, .side = CLSCAN__OF_SELECTION},
        [CLSCAN__REST_CAPACITY] = {.type = "ulong", .side = CLSCAN__OF_SELECTION},
        [CLSCAN__REST_IS_COUNTED] = {.type = "uint", .side = CLSCAN__OF_SELECTION},
        [CLSCAN__REST_COUNTED] = {.type = "__global ulong *", .has_offset = true, .side = CLSCAN__OF_SELECTION},
    };

    described->maps.rest = clscan__problem_rest(problem) != CLSCAN_REST_DROPPED;
    described->maps.middle = clscan__problem_has_middle(problem);
    described->maps.rest_argument = next;
    for (size_t i = 0; described->maps.rest && i < CLSCAN__REST_ARGUMENTS; ++i)
        described->arguments[next++] = arguments[i];
    return next;
}

/* Returns how many arguments it has. */
static size_t describe_selection(const clscan_problem *problem, clscan__described_elements *described)
{
    clscan__map_argument *arguments = described->arguments;
    static const char *const flags[] = {[0] = "__global const uchar *", /* bits */
                                        [1] = "__global const uchar *",
                                        [2] = "__global const ushort *",
                                        [4] = "__global const uint *",
                                        [8] = "__global const ulong *"};
    const uint32_t flag_bytes = clscan__problem_flag_bytes(problem);
    size_t next;

    if (!clscan__problem_selects(problem))
        return 0;
    arguments[CLSCAN__SELECTION_CAPACITY] = (clscan__map_argument){.type = "ulong", .side = CLSCAN__OF_SELECTION};
    arguments[CLSCAN__SELECTION_OVERFLOWS] =
        (clscan__map_argument){.type = "volatile __global uint *", .has_offset = true, .side = CLSCAN__OF_SELECTION};
    arguments[CLSCAN__SELECTION_FLAGS] =
        (clscan__map_argument){.type = flags[flag_bytes], .has_offset = true, .side = CLSCAN__OF_SELECTION};
    next = clscan__problem_has_flags(problem) ? CLSCAN__SELECTION_FLAGS + 1 : CLSCAN__SELECTION_FLAGS;
    next = describe_columns(problem, described, next);
    next = describe_long_runs(problem, described, next);
    return describe_rest(problem, described, next);
}

static void describe_maps(const clscan_problem *problem, clscan__described_elements *described)
{
    const uint64_t of_load = problem->load != NULL ? problem->load->argument_count : 0;
    const uint64_t count = clscan__problem_argument_count(problem);
    size_t own;

    described->maps = (clscan__maps){
        .load_source = problem->load != NULL ? problem->load->source : NULL,
        .store_source = problem->store != NULL ? problem->store->source : NULL,
        .load = problem->load != NULL ? problem->load->expression : NULL,
        .store = problem->store != NULL ? problem->store->expression : NULL,
        .keeps_previous = clscan__problem_keeps_previous(problem),
        .keeps_element = clscan__problem_keeps_element(problem),
        .gives_element = clscan__problem_gives_element(problem),
        .sees_before = clscan__problem_sees_before(problem),
        .generates = clscan__problem_generates(problem),
        .selects = clscan__problem_selects(problem),
        .copies = clscan__problem_copies(problem),
        .in_place = clscan__problem_selects_in_place(problem),
        .discards = (clscan__problem_sums(problem) & CLSCAN__SUMS_ONLY) != 0,
        .flag_bytes = clscan__problem_flag_bytes(problem),
        .flag_bits = clscan__problem_flag_bits(problem),
        .rejected = clscan__problem_selects_rejected(problem),
        .arguments = described->arguments,
    };
    own = describe_selection(problem, described);
    described->maps.argument_count = own + count;
    for (uint64_t i = 0; i < count; ++i) {
        const clscan_map_argument *argument = clscan__problem_argument(problem, i);
        const clscan_element element = {.type = argument->type, .lanes = argument->lanes};
        char name[CLSCAN__ELEMENT_NAME_BYTES];

        snprintf(described->argument_types[i], sizeof described->argument_types[i],
                 argument->is_buffer ? "__global const %.20s *" : "%.20s", clscan__element_cl_name(&element, name));
        described->arguments[own + i] =
            (clscan__map_argument){.name = argument->name,
                                   .type = described->argument_types[i],
                                   .has_offset = argument->is_buffer != 0,
                                   .side = i < of_load ? CLSCAN__OF_LOAD_MAP : CLSCAN__OF_STORE_MAP};
    }
    described->elements.maps = &described->maps;
}

void clscan__describe_elements(const clscan_problem *problem, clscan__described_elements *described)
{
    const clscan_element in = clscan__problem_input(problem);

    described->elements = (clscan__elements){.in = describe_part(&in, &described->in)};
    described->elements.sum = described->elements.out = described->elements.in;
    if (problem->accumulator != NULL) {
        described->elements.sum = describe_part(problem->accumulator, &described->sum);
        described->elements.out = describe_part(problem->output, &described->out);
    }
    if (problem->load != NULL || problem->store != NULL || problem->segments != NULL)
        describe_maps(problem, described);
    if (problem->segments != NULL)
        describe_segments(problem, described);
}

void clscan__describe(const clscan_problem *problem, clscan__described *described)
{
    const clscan_element *sum = problem->accumulator != NULL ? problem->accumulator : problem->element;
    const bool is_scalar = sum == NULL || (sum->name == NULL && sum->lanes <= 1);

    *described = (clscan__described){.op = is_scalar ? problem->op : CLSCAN_CUSTOM};
    if (!clscan__problem_is_plain(problem)) {
        clscan__describe_elements(problem, &described->room);
        described->elements = &described->room.elements;
    }
    if (clscan__problem_repeats(problem)) {
        described->repetition_room = clscan__describe_repetition(problem);
        described->repetition = &described->repetition_room;
    }
    if (problem->segments != NULL)
        described->op = CLSCAN_CUSTOM;
    if (problem->op != CLSCAN_CUSTOM && described->op == CLSCAN_CUSTOM)
        described->custom = clscan__elementwise_write(&described->elementwise, "clscan_elementwise", problem->op,
                                                      sum->type, sum->lanes);
    else if (problem->custom != NULL)
        described->custom = *problem->custom;
    if (problem->segments != NULL) {
        const bool sums = problem->op == CLSCAN_ADD && is_scalar && clscan__type_is_floating(sum->type);

        described->room.segmented.op = problem->op;
        described->room.segmented.neutral = sums ? "-0.0f" : described->custom.identity;
    }
}
