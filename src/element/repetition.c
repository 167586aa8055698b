#include "element/repetition.h"

#include <string.h>

#include "base/structs.h"
#include "element/described.h"
#include "element/problem.h"
#include "element/types.h"

/* Sums that do not wrap: one too large for any output stays so. */
static const clscan_custom_operator narrow_sums = {
    .struct_size = sizeof narrow_sums,
    .source = "uint add_lengths(uint left, uint right) { return add_sat(left, right); }",
    .function = "add_lengths",
    .identity = "0"};
static const clscan_custom_operator wide_sums = {
    .struct_size = sizeof wide_sums,
    .source = "ulong add_lengths(ulong left, ulong right) { return add_sat(left, right); }",
    .function = "add_lengths",
    .identity = "0"};

/* What makes a length of an offset and the next one, or of a length that is wider than a place. */
static const clscan_map_argument next_narrow = {
    .struct_size = sizeof next_narrow, .name = "next", .type = CLSCAN_UINT32, .is_buffer = 1};
static const clscan_map_argument next_wide = {
    .struct_size = sizeof next_wide, .name = "next", .type = CLSCAN_UINT64, .is_buffer = 1};

#define DIFFERENCE(most, length) "next[index + 1] < element ? " most " : " length
#define OFFSETS(from, argument)                                                                                \
    {                                                                                                          \
        .struct_size = sizeof(clscan_map), .expression = (from), .arguments = &(argument), .argument_count = 1 \
    }

/* [wide offsets][wide places] */
static const clscan_map of_offsets[2][2] = {
    {OFFSETS(DIFFERENCE("UINT_MAX", "next[index + 1] - element"), next_narrow),
     OFFSETS(DIFFERENCE("ULONG_MAX", "(ulong)(next[index + 1] - element)"), next_narrow)},
    {OFFSETS(DIFFERENCE("UINT_MAX", "(uint)min(next[index + 1] - element, (ulong)UINT_MAX)"), next_wide),
     OFFSETS(DIFFERENCE("ULONG_MAX", "next[index + 1] - element"), next_wide)}};
static const clscan_map narrowed = {.struct_size = sizeof narrowed,
                                    .expression = "(uint)min(element, (ulong)UINT_MAX)"};

static clscan_status check_lengths(const clscan_select *select, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint32_t bytes = select != NULL ? select->length_bytes : 0;

    CLSCAN__REQUIRE(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->length_bytes is %u, none of 1, 2, 4 and 8, but operation repeat needs lengths",
                    (unsigned)bytes);
    CLSCAN__REQUIRE(select->by_offsets <= 1, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->by_offsets is %u, neither 0 nor 1", (unsigned)select->by_offsets);
    CLSCAN__REQUIRE(select->by_offsets == 0 || bytes >= 4, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->length_bytes is %u; offsets have 4 or 8 bytes", (unsigned)bytes);
    CLSCAN__REQUIRE(select->in_place == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->in_place is 1, but operation repeat is never in place: there are more outputs "
                    "than elements");
    CLSCAN__REQUIRE(select->flag_bytes == 0 && select->flag_bits == 0 && select->rejected == 0 &&
                        select->long_runs == 0 && select->rest == 0,
                    CLSCAN_ERROR_INVALID_VALUE, "problem->select->%s is set, but operation repeat has lengths only",
                    select->flag_bytes != 0  ? "flag_bytes"
                    : select->flag_bits != 0 ? "flag_bits"
                    : select->rejected != 0  ? "rejected"
                    : select->long_runs != 0 ? "long_runs"
                                             : "rest");

cleanup:
    return status;
}

/* The one store map that there is calls nothing, and has nothing besides. */
static clscan_status check_store(const clscan_map *store, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_map room;

    store = clscan__struct_take(store, &room, sizeof room, "problem->store", error);
    if (store == NULL)
        return CLSCAN_ERROR_STRUCT_SIZE;
    CLSCAN__REQUIRE(store->expression != NULL && strcmp(store->expression, "index") == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->store is set, but the only store map of operation repeat is \"index\"");
    CLSCAN__REQUIRE(store->source == NULL && store->argument_count == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->store->%s is set, but the store map of operation repeat, \"index\", has no use for it",
                    store->source != NULL ? "source" : "argument_count");

cleanup:
    return status;
}

/* What is written: elements, or by the store map where they stand. */
static clscan_status take_output(clscan_problem *problem, clscan__selection_room *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_element in = clscan__problem_input(problem);
    const clscan_element *out = problem->output;

    room->repeats_indices = false;
    CLSCAN__REQUIRE(problem->load == NULL, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->load is set, but operation repeat has no load map");
    if (problem->store == NULL) {
        CLSCAN__REQUIRE(out == NULL, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                        "problem->output is set, but operation repeat gives the elements as they are");
        room->repeated_bytes = (uint32_t)clscan_element_size_bytes(&in);
        return status;
    }
    CLSCAN__TRY(check_store(problem->store, error));
    CLSCAN__REQUIRE(out != NULL && out->name == NULL && out->lanes <= 1 &&
                        (out->type == CLSCAN_UINT32 || out->type == CLSCAN_UINT64),
                    CLSCAN_ERROR_UNSUPPORTED_TYPE, "problem->output: an index is uint32 or uint64");
    CLSCAN__TRY(clscan__selection_check_indices(problem, out, error));
    room->repeated_bytes = (uint32_t)clscan_type_size_bytes(out->type);
    room->repeats_indices = true;

cleanup:
    return status;
}

clscan_status clscan__repetition_take(clscan_problem *problem, clscan__selection_room *room, clscan_error *error)
{
    static const clscan_type types[] = {
        [1] = CLSCAN_UINT8, [2] = CLSCAN_UINT16, [4] = CLSCAN_UINT32, [8] = CLSCAN_UINT64};
    clscan_status status = CLSCAN_OK;
    const clscan_select *select = &room->select;
    bool wide;

    CLSCAN__TRY(clscan__selection_check_absent(problem, error));
    CLSCAN__TRY(clscan__selection_take_select(problem, room, error));
    CLSCAN__TRY(check_lengths(problem->select, error));
    CLSCAN__TRY(clscan__selection_take_place(problem, &room->place, error));
    CLSCAN__TRY(take_output(problem, room, error));
    room->place = *problem->accumulator;
    problem->accumulator = problem->output = &room->place;
    wide = room->place.type == CLSCAN_UINT64;
    problem->type = types[select->length_bytes];
    problem->element = NULL;
    problem->op = CLSCAN_CUSTOM;
    problem->custom = wide ? &wide_sums : &narrow_sums;
    problem->form = CLSCAN_EXCLUSIVE;
    problem->store = NULL;
    problem->load = select->by_offsets != 0                   ? &of_offsets[select->length_bytes == 8][wide]
                    : select->length_bytes > (wide ? 8u : 4u) ? &narrowed
                                                              : NULL;

cleanup:
    return status;
}

bool clscan__problem_repeats(const clscan_problem *problem)
{
    return problem->operation == CLSCAN_REPEAT;
}

size_t clscan__problem_repeated_bytes(const clscan_problem *problem)
{
    return clscan__problem_repeats(problem) ? clscan__selection_room_of(problem)->repeated_bytes : 0;
}

bool clscan__problem_repeats_indices(const clscan_problem *problem)
{
    return clscan__problem_repeats(problem) && clscan__selection_room_of(problem)->repeats_indices;
}

uint64_t clscan__repetition_places_bytes(const clscan_problem *problem)
{
    return clscan__problem_repeats(problem) ? problem->max_count * clscan__problem_sum_bytes(problem) : 0;
}

clscan__repetition clscan__describe_repetition(const clscan_problem *problem)
{
    const uint32_t out_bytes = (uint32_t)clscan__problem_repeated_bytes(problem);
    clscan__repetition made = {
        .run_bytes = problem->max_count > UINT32_MAX ? 8 : 4,
        .has_plain_lengths =
            problem->load == NULL && problem->select->length_bytes == clscan__problem_sum_bytes(problem),
    };
    size_t indices = 0;

    if (clscan__problem_repeats_indices(problem))
        made.index_bytes[indices++] = out_bytes;
    else
        made.bytes[made.column_count++] = out_bytes;
    for (uint32_t i = 0; i < problem->select->column_count; ++i)
        made.bytes[made.column_count++] = problem->select->column_bytes[i];
    made.index_bytes[indices] = problem->select->index_bytes;
    return made;
}
