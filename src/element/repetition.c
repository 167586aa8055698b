#include "element/repetition.h"

#include <string.h>

#include "base/checked.h"
#include "base/structs.h"
#include "element/described.h"
#include "element/problem.h"
#include "element/types.h"

/* Of parts of the workspace, so that the longest vectors are aligned. */
enum { ALIGN_BYTES = 128 };

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

static clscan_status check_lengths(const clscan_select *select, uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint32_t bytes = select != NULL ? select->length_bytes : 0;

    CLSCAN__REQUIRE(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->length_bytes is %u, none of 1, 2, 4 and 8, but operation repeat needs lengths",
                    (unsigned)bytes);
    CLSCAN__REQUIRE(count <= SIZE_MAX / bytes, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->max_count is %llu, more than memory can be addressed for", (unsigned long long)count);
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
    clscan_status status = CLSCAN_OK;

    CLSCAN__TRY(clscan__selection_check_absent(problem, error));
    CLSCAN__TRY(clscan__selection_take_select(problem, room, error));
    CLSCAN__TRY(check_lengths(problem->select, problem->max_count, error));
    CLSCAN__TRY(clscan__selection_take_place(problem, &room->place, error));
    CLSCAN__TRY(take_output(problem, room, error));
    room->place = *problem->accumulator;
    problem->accumulator = problem->output = &room->place;
    problem->type = room->place.type;
    problem->element = NULL;
    problem->op = CLSCAN_CUSTOM;
    problem->custom = problem->type == CLSCAN_UINT64 ? &wide_sums : &narrow_sums;
    problem->form = CLSCAN_EXCLUSIVE;
    problem->store = NULL;
    room->repeated_count = problem->max_count;
    problem->max_count = clscan__divide_up(room->repeated_count, CLSCAN__REPEAT_BLOCK);

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

uint64_t clscan__problem_most_elements(const clscan_problem *problem)
{
    return clscan__problem_repeats(problem) ? clscan__selection_room_of(problem)->repeated_count : problem->max_count;
}

uint64_t clscan__problem_scanned(const clscan_problem *problem, uint64_t elements)
{
    return clscan__problem_repeats(problem) ? clscan__divide_up(elements, CLSCAN__REPEAT_BLOCK) : elements;
}

uint64_t clscan__problem_serves(const clscan_problem *problem, uint64_t scanned)
{
    const uint64_t block = clscan__problem_repeats(problem) ? CLSCAN__REPEAT_BLOCK : 1;

    return scanned > UINT64_MAX / block ? UINT64_MAX : scanned * block;
}

clscan__repetition_layout clscan__repetition_layout_of(const clscan_problem *problem)
{
    clscan__repetition_layout layout = {.size_bytes = 0};

    if (clscan__problem_repeats(problem)) {
        layout.sums_bytes = clscan__align_up(problem->max_count * clscan__problem_sum_bytes(problem), ALIGN_BYTES);
        layout.count_bytes = 2 * layout.sums_bytes;
        layout.size_bytes = layout.count_bytes + sizeof(uint64_t);
    }
    return layout;
}

clscan__repetition clscan__describe_repetition(const clscan_problem *problem)
{
    const uint32_t out_bytes = (uint32_t)clscan__problem_repeated_bytes(problem);
    clscan__repetition made = {
        .run_bytes = clscan__problem_most_elements(problem) > UINT32_MAX ? 8 : 4,
        .length_bytes = problem->select->length_bytes,
        .by_offsets = problem->select->by_offsets != 0,
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
