#include "element/selection.h"

#include <string.h>

#include "base/structs.h"
#include "element/problem.h"
#include "element/types.h"

clscan_status clscan__selection_check_absent(const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(problem->op == CLSCAN_ADD && problem->custom == NULL, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->%s is set, but operation %s combines nothing", problem->custom != NULL ? "custom" : "op",
                    clscan__problem_operation_name(problem));
    CLSCAN__REQUIRE(problem->form == CLSCAN_INCLUSIVE, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->form is %d, but operation %s has no form: 0", (int)problem->form,
                    clscan__problem_operation_name(problem));
    CLSCAN__REQUIRE(problem->direction == CLSCAN_FORWARD, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->direction is %d, but operation %s goes forward only", (int)problem->direction,
                    clscan__problem_operation_name(problem));
    CLSCAN__REQUIRE(problem->rows == NULL && problem->segments == NULL, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->%s is set; this version of clscan %ss from one array only",
                    problem->rows != NULL ? "rows" : "segments", clscan__problem_operation_name(problem));
    CLSCAN__REQUIRE(!problem->reproducible, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->reproducible is set, but operation %s gives the same on every device anyway",
                    clscan__problem_operation_name(problem));

cleanup:
    return status;
}

static clscan_status check_columns(const clscan_select *select, uint64_t max_count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(select->index_bytes == 0 || select->index_bytes == 4 || select->index_bytes == 8,
                    CLSCAN_ERROR_INVALID_VALUE, "problem->select->index_bytes is %u, none of 0, 4 and 8",
                    (unsigned)select->index_bytes);
    CLSCAN__REQUIRE(select->index_bytes != 4 || max_count <= (uint64_t)UINT32_MAX + 1, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->index_bytes is 4, too few for problem->max_count, %llu",
                    (unsigned long long)max_count);
    CLSCAN__REQUIRE(select->column_count <= CLSCAN_MOST_COLUMNS, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->column_count is %u, the most is %u", (unsigned)select->column_count,
                    CLSCAN_MOST_COLUMNS);
    CLSCAN__REQUIRE((select->column_count == 0) == (select->column_bytes == NULL), CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->column_count is %u, column_bytes is %sNULL", (unsigned)select->column_count,
                    select->column_bytes == NULL ? "" : "not ");
    for (uint32_t i = 0; i < select->column_count; ++i)
        CLSCAN__REQUIRE(select->column_bytes[i] >= 1 && select->column_bytes[i] <= CLSCAN_MOST_ELEMENT_BYTES,
                        CLSCAN_ERROR_INVALID_VALUE, "problem->select->column_bytes[%u] is %u, none of 1 to %u",
                        (unsigned)i, (unsigned)select->column_bytes[i], CLSCAN_MOST_ELEMENT_BYTES);

cleanup:
    return status;
}

/* Let the problem point to the select in `room`, and that to a copy of its columns. */
static void settle(clscan_problem *problem, clscan__selection_room *room)
{
    clscan_select *select = &room->select;

    problem->select = select;
    if (select->column_bytes == NULL || select->column_count > CLSCAN_MOST_COLUMNS)
        return; /* is refused */
    memcpy(room->column_bytes, select->column_bytes, select->column_count * sizeof room->column_bytes[0]);
    select->column_bytes = room->column_bytes;
}

const clscan__selection_room *clscan__selection_room_of(const clscan_problem *problem)
{
    return (const clscan__selection_room *)problem->select;
}

void clscan__selection_copy(clscan_problem *problem, clscan__selection_room *room)
{
    *room = *clscan__selection_room_of(problem);
    settle(problem, room);
}

clscan_status clscan__selection_take_select(clscan_problem *problem, clscan__selection_room *whole, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_select *room = &whole->select;
    const clscan_select *select = problem->select;

    if (select == NULL)
        return status;
    select = clscan__struct_take(select, room, sizeof *room, "problem->select", error);
    if (select == NULL)
        return CLSCAN_ERROR_STRUCT_SIZE;
    if (select != room)
        *room = *select;
    settle(problem, whole);
    CLSCAN__REQUIRE(room->flag_bytes == 0 || room->flag_bytes == 1 || room->flag_bytes == 2 || room->flag_bytes == 4 ||
                        room->flag_bytes == 8,
                    CLSCAN_ERROR_INVALID_VALUE, "problem->select->flag_bytes is %u, none of 0, 1, 2, 4 and 8",
                    (unsigned)room->flag_bytes);
    CLSCAN__REQUIRE(room->flag_bits <= 1, CLSCAN_ERROR_INVALID_VALUE, "problem->select->flag_bits is %u, not 0 or 1",
                    (unsigned)room->flag_bits);
    CLSCAN__REQUIRE(room->rejected <= 1, CLSCAN_ERROR_INVALID_VALUE, "problem->select->rejected is %u, not 0 or 1",
                    (unsigned)room->rejected);
    CLSCAN__REQUIRE(room->long_runs <= 1, CLSCAN_ERROR_INVALID_VALUE, "problem->select->long_runs is %u, not 0 or 1",
                    (unsigned)room->long_runs);
    CLSCAN__REQUIRE((unsigned)room->rest <= CLSCAN_REST_THREE_WAY, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->rest is %u, none of clscan_rest", (unsigned)room->rest);
    CLSCAN__REQUIRE(room->in_place <= 1, CLSCAN_ERROR_INVALID_VALUE, "problem->select->in_place is %u, not 0 or 1",
                    (unsigned)room->in_place);
    CLSCAN__REQUIRE(room->flag_bits == 0 || room->flag_bytes == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->flag_bits is set, and flag_bytes is %u: flags are bits or integers",
                    (unsigned)room->flag_bytes);
    CLSCAN__TRY(check_columns(room, problem->max_count, error));

cleanup:
    return status;
}

/* Places are counted in 32 bits where these hold them all. */
clscan_status clscan__selection_take_place(clscan_problem *problem, clscan_element *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_element *given = problem->accumulator;
    const bool fits = problem->max_count <= UINT32_MAX;

    if (given == NULL) {
        *room = (clscan_element){.struct_size = sizeof *room, .type = fits ? CLSCAN_UINT32 : CLSCAN_UINT64};
        problem->accumulator = room;
        return status;
    }
    CLSCAN__REQUIRE(given->name == NULL && given->lanes <= 1 &&
                        (given->type == CLSCAN_UINT64 || given->type == CLSCAN_UINT32),
                    CLSCAN_ERROR_UNSUPPORTED_TYPE, "problem->accumulator: operation %s counts in uint32 or uint64 only",
                    clscan__problem_operation_name(problem));
    CLSCAN__REQUIRE(given->type == CLSCAN_UINT64 || fits, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->accumulator is uint32, too narrow for problem->max_count, %llu",
                    (unsigned long long)problem->max_count);

cleanup:
    return status;
}

clscan_status clscan__selection_check_indices(const clscan_problem *problem, const clscan_element *output,
                                              clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool is_integer = output->name == NULL && output->lanes <= 1 && !clscan__type_is_floating(output->type);
    const size_t bits = 8 * clscan_type_size_bytes(output->type) - (clscan__type_is_signed(output->type) ? 1 : 0);

    CLSCAN__REQUIRE(!is_integer || bits >= 64 || problem->max_count <= UINT64_C(1) << bits,
                    CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->output is %s, too narrow for the indices of problem->max_count, %llu",
                    clscan_type_name(output->type), (unsigned long long)problem->max_count);

cleanup:
    return status;
}

static clscan_status check_lengths(const clscan_select *select, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(select->length_bytes == 0 || select->length_bytes == 4 || select->length_bytes == 8,
                    CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->length_bytes is %u, none of 0, 4 and 8, which operation select writes",
                    (unsigned)select->length_bytes);
    CLSCAN__REQUIRE(select->by_offsets == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->by_offsets is %u, but operation select writes lengths; index_bytes asks for "
                    "offsets",
                    (unsigned)select->by_offsets);

cleanup:
    return status;
}

static clscan_status check_rest(const clscan_select *select, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(select->rest == CLSCAN_REST_DROPPED || select->length_bytes == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->rest is set, and length_bytes is %u, but lengths are those of what is kept alone",
                    (unsigned)select->length_bytes);
    CLSCAN__REQUIRE(select->rest == CLSCAN_REST_DROPPED || select->long_runs == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->rest is set, and long_runs too, but what is in no long run is dropped");
    CLSCAN__REQUIRE(select->rest != CLSCAN_REST_APART || (select->column_count == 0 && select->index_bytes == 0),
                    CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->rest is CLSCAN_REST_APART, and %s is %u, but what goes apart has neither columns "
                    "nor indices; what goes behind has",
                    select->column_count > 0 ? "column_count" : "index_bytes",
                    (unsigned)(select->column_count > 0 ? select->column_count : select->index_bytes));

cleanup:
    return status;
}

/* Two numbers of 32 bits are one sum. */
static clscan_status check_three_way(const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_select *select = problem->select;

    CLSCAN__REQUIRE(select->flag_bytes == 0 && select->flag_bits == 0 && select->rejected == 0,
                    CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->rest is CLSCAN_REST_THREE_WAY, and %s is set, but problem->load says which part "
                    "an element belongs to",
                    select->flag_bytes != 0  ? "flag_bytes"
                    : select->flag_bits != 0 ? "flag_bits"
                                             : "rejected");
    CLSCAN__REQUIRE(problem->load != NULL, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select->rest is CLSCAN_REST_THREE_WAY, and problem->load is missing, which says the part "
                    "of each element");
    CLSCAN__REQUIRE(problem->max_count <= UINT32_MAX, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->max_count is %llu, but CLSCAN_REST_THREE_WAY counts in uint32",
                    (unsigned long long)problem->max_count);
    CLSCAN__REQUIRE(problem->accumulator == NULL || problem->accumulator->type == CLSCAN_UINT64,
                    CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->accumulator is not uint64, in which CLSCAN_REST_THREE_WAY has two numbers of uint32");

cleanup:
    return status;
}

clscan_status clscan__selection_take(clscan_problem *problem, clscan__selection_room *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    CLSCAN__TRY(clscan__selection_check_absent(problem, error));
    CLSCAN__TRY(clscan__selection_take_select(problem, room, error));
    if (problem->select != NULL) {
        CLSCAN__TRY(check_lengths(problem->select, error));
        CLSCAN__TRY(check_rest(problem->select, error));
    }
    if (clscan__problem_has_middle(problem)) {
        CLSCAN__TRY(check_three_way(problem, error));
        room->place = (clscan_element){.struct_size = sizeof room->place, .type = CLSCAN_UINT64};
        problem->accumulator = &room->place;
    }
    CLSCAN__TRY(clscan__selection_take_place(problem, &room->place, error));
    if (problem->load == NULL) {
        const bool has_flags = clscan__problem_has_flags(problem);

        CLSCAN__REQUIRE(has_flags || problem->element == NULL, CLSCAN_ERROR_INVALID_VALUE,
                        "problem->load is missing: what is kept of elements that are no scalars, flags "
                        "(problem->select) or a map must say");
        room->keep = (clscan_map){.struct_size = sizeof room->keep, .expression = has_flags ? "1" : "element"};
        problem->load = &room->keep;
    }
    if (problem->store == NULL) {
        room->give = (clscan_map){.struct_size = sizeof room->give, .expression = "element"};
        problem->store = &room->give;
    }

cleanup:
    return status;
}

bool clscan__problem_selects(const clscan_problem *problem)
{
    return problem->operation == CLSCAN_SELECT;
}

uint32_t clscan__problem_flag_bytes(const clscan_problem *problem)
{
    return problem->select != NULL ? problem->select->flag_bytes : 0;
}

bool clscan__problem_flag_bits(const clscan_problem *problem)
{
    return problem->select != NULL && problem->select->flag_bits != 0;
}

bool clscan__problem_selects_rejected(const clscan_problem *problem)
{
    return problem->select != NULL && problem->select->rejected != 0;
}

bool clscan__problem_has_flags(const clscan_problem *problem)
{
    return clscan__problem_flag_bytes(problem) > 0 || clscan__problem_flag_bits(problem);
}

uint32_t clscan__problem_column_count(const clscan_problem *problem)
{
    return problem->select != NULL ? problem->select->column_count : 0;
}

uint32_t clscan__problem_index_bytes(const clscan_problem *problem)
{
    return problem->select != NULL ? problem->select->index_bytes : 0;
}

uint32_t clscan__problem_length_bytes(const clscan_problem *problem)
{
    return clscan__problem_selects(problem) && problem->select != NULL ? problem->select->length_bytes : 0;
}

bool clscan__problem_selects_long_runs(const clscan_problem *problem)
{
    return clscan__problem_selects(problem) && problem->select != NULL && problem->select->long_runs != 0;
}

clscan_rest clscan__problem_rest(const clscan_problem *problem)
{
    return clscan__problem_selects(problem) && problem->select != NULL ? problem->select->rest : CLSCAN_REST_DROPPED;
}

bool clscan__problem_has_middle(const clscan_problem *problem)
{
    return clscan__problem_rest(problem) == CLSCAN_REST_THREE_WAY;
}

bool clscan__problem_rest_is_behind(const clscan_problem *problem)
{
    return clscan__problem_rest(problem) == CLSCAN_REST_BEHIND || clscan__problem_has_middle(problem);
}

bool clscan__problem_selects_in_place(const clscan_problem *problem)
{
    return clscan__problem_selects(problem) && problem->select != NULL && problem->select->in_place != 0;
}

bool clscan__problem_has_columns(const clscan_problem *problem)
{
    return clscan__problem_column_count(problem) > 0 || clscan__problem_index_bytes(problem) > 0 ||
           clscan__problem_length_bytes(problem) > 0;
}

bool clscan__problem_copies(const clscan_problem *problem)
{
    return clscan__problem_selects(problem) && !clscan__problem_has_columns(problem) &&
           !clscan__problem_selects_long_runs(problem) &&
           (clscan__problem_gives_element(problem) || clscan__problem_gives_index(problem));
}
