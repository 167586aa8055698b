#include "api/check.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "config/reproducible.h"
#include "element/repetition.h"
#include "engine/in_place.h"
#include "ops/segments.h"

clscan_status clscan__check_device_number(const clscan__device_number *number, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool given = clscan__memory_is_given(number->memory);

    CLSCAN__REQUIRE(number->is_wanted || !given, CLSCAN_ERROR_INVALID_VALUE,
                    "args->%s is set, but problem->%s of the plan is 0", number->name, number->setting);
    CLSCAN__REQUIRE(!number->is_wanted || given, CLSCAN_ERROR_NULL_ARGUMENT,
                    "args->%s is missing, which a plan with problem->%s needs", number->name, number->setting);
    CLSCAN__REQUIRE(!number->is_wanted || number->most > 0, CLSCAN_ERROR_INVALID_VALUE,
                    "args->%s is 0; with args->%s it is the %s", number->most_name, number->name, number->meaning);

cleanup:
    return status;
}

static clscan_status check_device_numbers(const clscan_plan *plan, const clscan_run_args *args,
                                          const clscan__run_rows *rows, clscan_error *error)
{
    clscan_status status;
    const clscan__device_number count = {.name = "device_count",
                                         .setting = "count_bytes",
                                         .most_name = "count",
                                         .meaning = "largest count that may be there",
                                         .is_wanted = plan->problem.count_bytes > 0,
                                         .memory = &args->device_count,
                                         .most = args->count};
    const clscan__device_number row_count = {.name = "device_row_count",
                                             .setting = "rows->count_bytes",
                                             .most_name = "rows->count",
                                             .meaning = "most rows that there may be",
                                             .is_wanted = rows != NULL && plan->problem.rows->count_bytes > 0,
                                             .memory = &args->device_row_count,
                                             .most = rows != NULL ? rows->rows.count : 0};

    CLSCAN__TRY(clscan__check_device_number(&count, error));
    CLSCAN__TRY(clscan__check_device_number(&row_count, error));

cleanup:
    return status;
}

/* Is there something to begin with, where one is needed? */
static clscan_status check_initial(const clscan_plan *plan, const clscan_run_args *args, bool totals_only,
                                   clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool elements = args->count > 0 && !totals_only;
    const bool given = clscan__memory_is_given(&args->initial);
    const bool exclusive = (plan->problem.form == CLSCAN_EXCLUSIVE ||
                            (clscan__problem_sums(&plan->problem) & CLSCAN__SUMS_AND_EXCLUSIVE) != 0) &&
                           elements;
    const bool previous = clscan__problem_keeps_previous(&plan->problem) && elements;
    const bool empty_total =
        (args->count == 0 || plan->problem.count_bytes > 0) && clscan__memory_is_given(&args->total);
    const bool empty_segment =
        clscan__problem_gives_sums(&plan->problem) && plan->problem.segments->by == CLSCAN_BY_OFFSETS;

    CLSCAN__REQUIRE(args->initial.kind != CLSCAN_MEMORY_HOST || args->initial.reserved == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "args->initial.reserved is %u", (unsigned)args->initial.reserved);
    CLSCAN__REQUIRE(!given || !clscan__problem_has_middle(&plan->problem), CLSCAN_ERROR_INVALID_VALUE,
                    "args->initial is set, but outputs with CLSCAN_REST_THREE_WAY begin where args->out says");
    CLSCAN__REQUIRE(!given || !clscan__problem_selects_long_runs(&plan->problem), CLSCAN_ERROR_INVALID_VALUE,
                    "args->initial is set, but problem->select->long_runs of the plan too, whose outputs begin where "
                    "args->out says");
    CLSCAN__REQUIRE(!clscan__problem_has_initials(&plan->problem) || given, CLSCAN_ERROR_NULL_ARGUMENT,
                    "args->initial is missing; problem->segments->initials of the plan is set, so that it has a value "
                    "for each segment");
    CLSCAN__REQUIRE(!clscan__problem_has_initials(&plan->problem) || args->initial.kind != CLSCAN_MEMORY_HOST,
                    CLSCAN_ERROR_MEMORY_KIND,
                    "args->initial is of kind host; problem->segments->initials of the plan is set, so that it is a "
                    "buffer with a value for each segment");
    CLSCAN__REQUIRE(given || clscan__plan_has_identity(plan) ||
                        !(exclusive || previous || empty_total || empty_segment),
                    CLSCAN_ERROR_NO_IDENTITY,
                    "args->initial is missing: the operator has no identity, so %s needs an initial value",
                    exclusive       ? "an exclusive scan"
                    : previous      ? "the `previous` of problem->store"
                    : empty_segment ? "the sum of a segment by offsets, which may be empty,"
                                    : "the total of 0 elements");

cleanup:
    return status;
}

/* Does the run give what its operation gives? */
static clscan_status check_results(const clscan_plan *plan, const clscan_run_args *args, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (plan->problem.operation == CLSCAN_SCAN)
        return status;
    CLSCAN__REQUIRE(plan->problem.operation != CLSCAN_REDUCE || !clscan__memory_is_given(&args->out),
                    CLSCAN_ERROR_INVALID_VALUE,
                    "args->out is set, but operation reduce has no outputs; what it gives goes to args->total");
    CLSCAN__REQUIRE(clscan__memory_is_given(&args->total), CLSCAN_ERROR_NULL_ARGUMENT,
                    "args->total is missing, which operation %s writes",
                    clscan__problem_operation_name(&plan->problem));

cleanup:
    return status;
}

/* May the scan be run in parts, and begin a part here? */
static clscan_status check_part(const clscan_plan *plan, const clscan_run_args *args, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool has_state = clscan__memory_is_given(&args->state);

    CLSCAN__REQUIRE(clscan_plan_state_bytes(plan) > 0 || (args->first == 0 && !has_state), CLSCAN_ERROR_INVALID_VALUE,
                    "args->%s is set, which is for parts of reproducible scans and reductions whose "
                    "clscan_plan_state_bytes() is not 0",
                    args->first > 0 ? "first" : "state");
    CLSCAN__REQUIRE(args->first == 0 || has_state, CLSCAN_ERROR_INVALID_VALUE,
                    "args->first is %llu, but there is no args->state", (unsigned long long)args->first);
    CLSCAN__REQUIRE(args->first % CLSCAN_REPRODUCIBLE_STEP == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "args->first is %llu, no multiple of %u", (unsigned long long)args->first,
                    CLSCAN_REPRODUCIBLE_STEP);
    CLSCAN__REQUIRE(args->count <= UINT64_MAX - args->first, CLSCAN_ERROR_INVALID_VALUE,
                    "args->first is %llu, and %llu elements more are beyond 2^64", (unsigned long long)args->first,
                    (unsigned long long)args->count);

cleanup:
    return status;
}

clscan_status clscan__check_rows(const clscan_plan *plan, const clscan_run_args *args, clscan__run_rows *room,
                                 const clscan__run_rows **rows, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_rows *given = args->rows;
    const char *name = args->rows != NULL ? "args->rows" : "problem->rows";
    const uint64_t most = plan->problem.rows != NULL ? plan->problem.rows->count : 0;
    clscan_rows known;

    *rows = NULL;
    CLSCAN__REQUIRE(plan->problem.rows != NULL || given == NULL, CLSCAN_ERROR_INVALID_VALUE,
                    "args->rows is set, but problem->rows of the plan is NULL");
    if (plan->problem.rows == NULL)
        return status;
    if (given != NULL)
        given = clscan__struct_take(given, &known, sizeof known, "args->rows", error);
    else
        given = plan->problem.rows;
    if (given == NULL)
        return CLSCAN_ERROR_STRUCT_SIZE;
    CLSCAN__TRY(clscan__rows_take_apart(given, args->count, name, room, error));
    CLSCAN__REQUIRE(!clscan__rows_place_totals(given) || clscan__memory_is_given(&args->total),
                    CLSCAN_ERROR_INVALID_VALUE, "%s->%s set, but there is no args->total", name,
                    given->dimensions > 0 ? "total_strides are" : "total_pitch is");
    CLSCAN__REQUIRE(plan->problem.rows->count_bytes == 0 || !room->columns.needed, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "%s->dimensions is %u; a number of rows in device memory is one of rows whose elements lie side by "
                    "side",
                    name, (unsigned)given->dimensions);
    CLSCAN__REQUIRE(room->rows.count <= most, CLSCAN_ERROR_COUNT_TOO_LARGE,
                    "%s->%s %llu rows, the plan's maximum is %llu", name,
                    given->dimensions > 0 ? "extents make" : "count asks for", (unsigned long long)room->rows.count,
                    (unsigned long long)most);
    *rows = room;

cleanup:
    return status;
}

/* Places are counted from the initial value on, and must not begin anew at 0, whatever is kept. One of the host's is
 * refused. One in device memory is bounded there (cl/elements/arguments.cl), where nothing may have room. */
static clscan_status bound_places(const clscan_plan *plan, const clscan_run_args *args,
                                  const clscan_selection *selection, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t bytes = clscan__problem_sum_bytes(&plan->problem);
    const bool wide = bytes > sizeof(uint32_t);
    const char *type = wide ? "uint64" : "uint32; let problem->accumulator be uint64";
    const uint64_t last = (wide ? UINT64_MAX : UINT32_MAX) - args->count;
    uint32_t narrow = 0;
    uint64_t first = 0;

    if (!clscan__problem_selects(&plan->problem) || clscan__problem_has_middle(&plan->problem) ||
        clscan__problem_selects_long_runs(&plan->problem) || !clscan__memory_is_given(&args->initial) ||
        args->count > plan->problem.max_count)
        return status;
    if (args->initial.kind != CLSCAN_MEMORY_HOST) {
        CLSCAN__REQUIRE(
            selection->capacity <= last, CLSCAN_ERROR_INVALID_VALUE,
            "args->selection->capacity is %llu, and with an initial value in device memory and %llu elements "
            "more the number of what is kept may pass %s",
            (unsigned long long)selection->capacity, (unsigned long long)args->count, type);
        return status;
    }
    if (args->initial.pointer == NULL)
        return status;
    memcpy(wide ? (void *)&first : &narrow, (const unsigned char *)args->initial.pointer + args->initial.offset * bytes,
           bytes);
    first = wide ? first : narrow;
    CLSCAN__REQUIRE(first <= last, CLSCAN_ERROR_INVALID_VALUE,
                    "args->initial is %llu, and with %llu elements more the number of what is kept passes %s",
                    (unsigned long long)first, (unsigned long long)args->count, type);

cleanup:
    return status;
}

clscan_status clscan__check_selection(const clscan_plan *plan, const clscan_run_args **args, clscan_run_args *args_room,
                                      clscan_selection *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_selection *given = (*args)->selection;

    const bool repeats = clscan__problem_repeats(&plan->problem);
    const bool writes_lengths = clscan__problem_length_bytes(&plan->problem) > 0;
    const bool apart = clscan__problem_rest(&plan->problem) == CLSCAN_REST_APART;

    if (!clscan__problem_selects(&plan->problem) && !repeats) {
        CLSCAN__REQUIRE(given == NULL, CLSCAN_ERROR_INVALID_VALUE,
                        "args->selection is set, but the plan's operation is neither select nor repeat");
        return status;
    }
    if (given != NULL && (given = clscan__struct_take(given, room, sizeof *room, "args->selection", error)) == NULL)
        return CLSCAN_ERROR_STRUCT_SIZE;
    if (given != room)
        *room = given != NULL ? *given : (clscan_selection){.struct_size = sizeof *room};
    if (room->capacity == 0)
        room->capacity = (*args)->count;
    CLSCAN__REQUIRE(clscan__memory_is_given(&room->lengths) || !(repeats || writes_lengths), CLSCAN_ERROR_NULL_ARGUMENT,
                    "args->selection->lengths is missing, which operation %s",
                    repeats ? "repeat reads" : "select writes with problem->select->length_bytes of the plan");
    CLSCAN__REQUIRE(repeats || writes_lengths || !clscan__memory_is_given(&room->lengths), CLSCAN_ERROR_INVALID_VALUE,
                    "args->selection->lengths is set, but problem->select->length_bytes of the plan is 0");
    CLSCAN__REQUIRE(
        !repeats || clscan__problem_sum_bytes(&plan->problem) == 8 || room->capacity < UINT32_MAX,
        CLSCAN_ERROR_INVALID_VALUE,
        "args->selection->capacity is %llu, too many to count in uint32; let problem->accumulator be uint64",
        (unsigned long long)room->capacity);
    CLSCAN__REQUIRE(clscan__problem_has_flags(&plan->problem) || !clscan__memory_is_given(&room->flags),
                    CLSCAN_ERROR_INVALID_VALUE,
                    "args->selection->flags is set, but problem->select of the plan has no flags");
    CLSCAN__REQUIRE(clscan__problem_column_count(&plan->problem) > 0 || room->columns == NULL,
                    CLSCAN_ERROR_INVALID_VALUE,
                    "args->selection->columns is set, but problem->select of the plan has no columns");
    CLSCAN__REQUIRE(clscan__problem_column_count(&plan->problem) == 0 || room->columns != NULL,
                    CLSCAN_ERROR_NULL_ARGUMENT,
                    "args->selection->columns is NULL; problem->select of the plan has %u columns",
                    (unsigned)clscan__problem_column_count(&plan->problem));
    CLSCAN__REQUIRE(clscan__problem_index_bytes(&plan->problem) > 0 || !clscan__memory_is_given(&room->indices),
                    CLSCAN_ERROR_INVALID_VALUE,
                    "args->selection->indices is set, but problem->select->index_bytes of the plan is 0");
    CLSCAN__REQUIRE(!apart || clscan__memory_is_given(&room->rest), CLSCAN_ERROR_NULL_ARGUMENT,
                    "args->selection->rest is missing; problem->select->rest of the plan is CLSCAN_REST_APART");
    CLSCAN__REQUIRE(apart || (!clscan__memory_is_given(&room->rest) && room->rest_capacity == 0),
                    CLSCAN_ERROR_INVALID_VALUE,
                    "args->selection->%s is set, but problem->select->rest of the plan is not CLSCAN_REST_APART",
                    clscan__memory_is_given(&room->rest) ? "rest" : "rest_capacity");
    if (apart && room->rest_capacity == 0)
        room->rest_capacity = (*args)->count;
    CLSCAN__TRY(bound_places(plan, *args, room, error));
    if (*args != args_room)
        *args_room = **args;
    args_room->selection = room;
    *args = args_room;

cleanup:
    return status;
}

/* Does every output stand where its input does, if both begin at one place? */
static bool stand_alike(const clscan__columns *columns)
{
    bool same = columns->in_step == columns->out_step;

    for (size_t d = 0; d < CLSCAN__OTHER_DIMENSIONS; ++d)
        same =
            same && (columns->others[d].extent == 1 || columns->others[d].in_stride == columns->others[d].out_stride);
    return same;
}

/* Rows with gaps, into which totals may go. `room` is for what the range says of them. */
static void set_places(const clscan__run_rows *rows, clscan__side side, uint64_t count, size_t bytes,
                       clscan__byte_range *range, clscan__places *room)
{
    if (rows == NULL)
        return;
    *room = clscan__rows_places(&rows->columns, side, count, bytes);
    range->places = room;
    range->fits_gaps = side == CLSCAN__SIDE_TOTAL;
}

/* A total, or those of rows. */
static clscan_status locate_totals(const clscan_plan *plan, const clscan_run_args *args, const clscan__run_rows *rows,
                                   clscan__byte_range *range, clscan__places *room, clscan_error *error)
{
    clscan_status status;
    const size_t bytes = clscan__problem_sum_bytes(&plan->problem);

    CLSCAN__TRY(clscan__locate_elements(plan, "args->total", &args->total, rows != NULL ? rows->total_span : 1, bytes,
                                        CL_MEM_READ_ONLY, range, error));
    set_places(rows, CLSCAN__SIDE_TOTAL, 1, bytes, range, room);

cleanup:
    return status;
}

/* Initial values in a buffer: one, or as many as rows or segments have their own. */
static clscan_status locate_initials(const clscan_plan *plan, const clscan_run_args *args, const clscan__run_rows *rows,
                                     clscan__byte_range *ranges, size_t *count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool in_buffer = clscan__memory_is_given(&args->initial) && args->initial.kind != CLSCAN_MEMORY_HOST;
    const char *name = args->rows != NULL ? "args->rows" : "problem->rows";
    const uint64_t pitch = rows != NULL ? rows->rows.initial_pitch : 0;
    const uint64_t steps = rows != NULL && rows->rows.count > 0 ? rows->rows.count - 1 : 0;
    const bool own = clscan__problem_has_initials(&plan->problem);
    uint64_t span;

    CLSCAN__REQUIRE(pitch == 0 || in_buffer, CLSCAN_ERROR_INVALID_VALUE,
                    "%s->initial_pitch is %llu, but args->initial is no buffer", name, (unsigned long long)pitch);
    CLSCAN__REQUIRE(clscan__mul_u64(steps, pitch, &span) && span < UINT64_MAX, CLSCAN_ERROR_INVALID_VALUE,
                    "%s->initial_pitch is %llu: initial values are beyond all memory", name, (unsigned long long)pitch);
    if (in_buffer)
        CLSCAN__TRY(clscan__locate_elements(
            plan, "args->initial", &args->initial, own ? clscan__segments_initials(plan, args) : span + 1,
            clscan__problem_sum_bytes(&plan->problem), CL_MEM_WRITE_ONLY, &ranges[(*count)++], error));

cleanup:
    return status;
}

static clscan_status check_map_value(const char *name, const clscan_memory *memory, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(memory->kind == CLSCAN_MEMORY_HOST, CLSCAN_ERROR_MEMORY_KIND,
                    "%s is of kind %s, but it is a value: kind host", name, clscan_memory_kind_name(memory->kind));
    CLSCAN__REQUIRE(memory->reserved == 0, CLSCAN_ERROR_INVALID_VALUE, "%s.reserved is %u", name,
                    (unsigned)memory->reserved);
    CLSCAN__REQUIRE(memory->pointer != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "%s.pointer is NULL", name);

cleanup:
    return status;
}

/* A buffer that a map reads: behind its offset as much as the map asks for, or all that there is. */
static clscan_status locate_map_buffer(const clscan_plan *plan, const char *name, const clscan_map_argument *argument,
                                       const clscan_memory *memory, clscan__byte_range *range, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t bytes = clscan__map_argument_bytes(argument);
    size_t buffer_bytes = 0;

    CLSCAN__TRY(clscan__locate_elements(plan, name, memory, argument->count, bytes, CL_MEM_WRITE_ONLY, range, error));
    if (argument->count == 0) {
        CLSCAN__TRY_CL(clGetMemObjectInfo, (memory->buffer, CL_MEM_SIZE, sizeof buffer_bytes, &buffer_bytes, NULL));
        range->end = range->begin + (buffer_bytes - memory->offset * bytes);
    }
    range->is_read = true;

cleanup:
    return status;
}

/* What ends the message about an output that overlaps its input. */
static const char *why_not_in_place(const clscan_problem *problem, const clscan__run_rows *rows)
{
    if (rows != NULL && !stand_alike(&rows->columns))
        return rows->rows.dimensions > 0 ? "; in place in_strides and out_strides of the rows must be the same"
                                         : "; in place in_pitch and out_pitch of the rows must be the same";
    if (clscan__problem_repeats(problem))
        return "; operation repeat is never in place: elements move to where others may not have been read yet";
    if (!clscan__problem_selects(problem))
        return "; in place they must be the same range";
    return clscan__problem_selects_in_place(problem)
               ? "; in place they must begin at the same byte, and their elements have as many bytes"
               : "; problem->select->in_place of the plan is 0";
}

/* Is an output where its input is, and may it be? The ranges are both, the input in front. What a selection moves when
 * all has been read may be shorter; `output` is its number (engine/in_place.h). */
static clscan_status take_place(const clscan_plan *plan, const clscan_run_args *args, uint32_t output,
                                clscan__byte_range ranges[2], uint32_t *in_place, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_selection *selection = args->selection;
    const bool moves = clscan__in_place_element_bytes(&plan->problem, output) > 0;

    ranges[1].is_output = true;
    ranges[1].in_place = selection == NULL ? clscan__ranges_same(&ranges[0], &ranges[1])
                                           : moves && clscan__ranges_begin_alike(&ranges[0], &ranges[1]);
    ranges[0].is_read = !ranges[1].in_place;
    if (!ranges[1].in_place)
        return status;
    *in_place |= 1u << output;
    CLSCAN__REQUIRE(selection == NULL || selection->capacity <= args->count, CLSCAN_ERROR_INVALID_VALUE,
                    "args->selection->capacity is %llu, but %s is where %s is, which has %llu elements",
                    (unsigned long long)selection->capacity, ranges[1].name, ranges[0].name,
                    (unsigned long long)args->count);

cleanup:
    return status;
}

/* What follows the decision of a selection; `names` are for messages. */
static clscan_status locate_columns(const clscan_plan *plan, const clscan_run_args *args, char names[][64],
                                    clscan__byte_range *ranges, size_t *count, uint32_t *in_place, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_selection *selection = args->selection;

    for (uint32_t i = 0; i < clscan__problem_column_count(&plan->problem); ++i) {
        const uint32_t bytes = plan->problem.select->column_bytes[i];

        snprintf(names[2 * i], sizeof names[0], "args->selection->columns[%u].in", (unsigned)i);
        snprintf(names[2 * i + 1], sizeof names[0], "args->selection->columns[%u].out", (unsigned)i);
        CLSCAN__TRY(clscan__locate_elements(plan, names[2 * i], &selection->columns[i].in, args->count, bytes,
                                            CL_MEM_WRITE_ONLY, &ranges[*count], error));
        ++*count;
        CLSCAN__TRY(clscan__locate_elements(plan, names[2 * i + 1], &selection->columns[i].out, selection->capacity,
                                            bytes, CL_MEM_READ_ONLY, &ranges[(*count)++], error));
        CLSCAN__TRY(take_place(plan, args, 1 + i, &ranges[*count - 2], in_place, error));
    }
    if (clscan__problem_index_bytes(&plan->problem) > 0)
        CLSCAN__TRY(clscan__locate_elements(plan, "args->selection->indices", &selection->indices, selection->capacity,
                                            clscan__problem_index_bytes(&plan->problem), CL_MEM_READ_ONLY,
                                            &ranges[(*count)++], error));
    if (clscan__problem_length_bytes(&plan->problem) > 0)
        CLSCAN__TRY(clscan__locate_elements(plan, "args->selection->lengths", &selection->lengths, selection->capacity,
                                            clscan__problem_length_bytes(&plan->problem),
                                            CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &ranges[(*count)++], error));
    if (clscan__problem_rest(&plan->problem) == CLSCAN_REST_APART)
        CLSCAN__TRY(clscan__locate_elements(plan, "args->selection->rest", &selection->rest, selection->rest_capacity,
                                            plan->shape.output_bytes, CL_MEM_READ_ONLY, &ranges[(*count)++], error));

cleanup:
    return status;
}

/* Of operation repeat, whose maps are the library's own. */
static clscan_status locate_lengths(const clscan_plan *plan, const clscan_run_args *args, clscan__byte_range *ranges,
                                    size_t *count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_select *select = plan->problem.select;

    CLSCAN__REQUIRE(args->map_argument_count == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "args->map_argument_count is %llu, but operation repeat has no maps with arguments",
                    (unsigned long long)args->map_argument_count);
    CLSCAN__TRY(clscan__locate_elements(plan, "args->selection->lengths", &args->selection->lengths,
                                        args->count + (select->by_offsets != 0), select->length_bytes,
                                        CL_MEM_WRITE_ONLY, &ranges[*count], error));
    ranges[(*count)++].is_read = true;

cleanup:
    return status;
}

/* What maps have besides; `names` are for messages. */
static clscan_status locate_map_arguments(const clscan_plan *plan, const clscan_run_args *args, char names[][64],
                                          clscan__byte_range *ranges, size_t *count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t wanted = clscan__problem_argument_count(&plan->problem);

    CLSCAN__REQUIRE(args->map_argument_count >= wanted, CLSCAN_ERROR_INVALID_VALUE,
                    "args->map_argument_count is %llu; the problem's maps have %llu arguments, and %s is not given",
                    (unsigned long long)args->map_argument_count, (unsigned long long)wanted,
                    clscan__problem_argument(&plan->problem, args->map_argument_count)->name);
    CLSCAN__REQUIRE(args->map_argument_count == wanted, CLSCAN_ERROR_INVALID_VALUE,
                    "args->map_argument_count is %llu; the problem's maps have %llu arguments",
                    (unsigned long long)args->map_argument_count, (unsigned long long)wanted);
    CLSCAN__REQUIRE(wanted == 0 || args->map_arguments != NULL, CLSCAN_ERROR_NULL_ARGUMENT,
                    "args->map_arguments is NULL, args->map_argument_count is %llu", (unsigned long long)wanted);
    for (uint64_t i = 0; i < wanted; ++i) {
        const clscan_map_argument *argument = clscan__problem_argument(&plan->problem, i);

        snprintf(names[i], sizeof names[i], "args->map_arguments[%u] (%.20s)", (unsigned)i, argument->name);
        if (argument->is_buffer)
            CLSCAN__TRY(
                locate_map_buffer(plan, names[i], argument, &args->map_arguments[i], &ranges[(*count)++], error));
        else
            CLSCAN__TRY(check_map_value(names[i], &args->map_arguments[i], error));
    }

cleanup:
    return status;
}

/* What a message calls a total that launches behind the scan read; NULL: there are none. */
static const char *find_total_reader(const clscan_problem *problem, uint32_t in_place)
{
    return clscan__problem_repeats(problem)            ? "args->total, which operation repeat reads again,"
           : clscan__problem_length_bytes(problem) > 0 ? "args->total, which a selection with lengths reads again,"
           : clscan__problem_selects(problem) && in_place != 0 ? "args->total, which a selection in place reads again,"
                                                               : NULL;
}

clscan_status clscan__check_run_args(const clscan_workspace *workspace, const clscan_run_args *args,
                                     const clscan__run_rows *rows, uint32_t *in_place, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_plan *plan = workspace->plan;
    const bool repeats = clscan__problem_repeats(&plan->problem);
    const size_t repeated_bytes = clscan__problem_repeated_bytes(&plan->problem),
                 element_bytes = repeats ? repeated_bytes : plan->shape.element_bytes,
                 output_bytes = repeats ? repeated_bytes : plan->shape.output_bytes,
                 accumulator_bytes = clscan__problem_sum_bytes(&plan->problem);
    const bool totals_only =
        rows != NULL && !clscan__memory_is_given(&args->out) && clscan__memory_is_given(&args->total);
    const bool has_output = plan->problem.operation != CLSCAN_REDUCE && !totals_only &&
                            (clscan__problem_sums(&plan->problem) & CLSCAN__SUMS_ONLY) == 0;
    const bool has_input =
        repeats ? !clscan__problem_repeats_indices(&plan->problem) : !clscan__problem_generates(&plan->problem);
    const clscan_selection *selection = args->selection;
    clscan__byte_range ranges[16 + CLSCAN_MOST_MAP_ARGUMENTS + 2 * CLSCAN_MOST_COLUMNS];
    char names[CLSCAN_MOST_MAP_ARGUMENTS][64], column_names[2 * CLSCAN_MOST_COLUMNS][64];
    const char *total_reader;
    size_t count = 0;
    clscan__places in_places, out_places, total_places;
    const uint64_t in_elements = rows != NULL ? rows->in_span : args->count,
                   out_elements = rows != NULL        ? rows->out_span
                                  : selection != NULL ? selection->capacity
                                                      : args->count,
                   most = clscan__problem_most_elements(&plan->problem);

    *in_place = 0;
    CLSCAN__REQUIRE(workspace->buffer != NULL, CLSCAN_ERROR_WORKSPACE_UNBOUND,
                    "the workspace has no buffer; call clscan_workspace_bind()");
    CLSCAN__REQUIRE(args->count <= most, CLSCAN_ERROR_COUNT_TOO_LARGE,
                    "args->count is %llu, the plan's maximum is %llu", (unsigned long long)args->count,
                    (unsigned long long)most);
    CLSCAN__TRY(check_initial(plan, args, totals_only, error));
    CLSCAN__TRY(check_device_numbers(plan, args, rows, error));
    CLSCAN__TRY(check_results(plan, args, error));
    CLSCAN__TRY(check_part(plan, args, error));
    CLSCAN__REQUIRE(has_input || !clscan__memory_is_given(&args->in), CLSCAN_ERROR_INVALID_VALUE,
                    "args->in is set, but %s",
                    repeats ? "problem->store of the plan is \"index\": nothing else is repeated"
                            : "problem->load of the plan does not name `element`: it generates the input");
    if (has_input) {
        CLSCAN__TRY(clscan__locate_elements(plan, "args->in", &args->in, in_elements, element_bytes, CL_MEM_WRITE_ONLY,
                                            &ranges[count], error));
        set_places(rows, CLSCAN__SIDE_IN, args->count, element_bytes, &ranges[count++], &in_places);
    }
    ranges[0].is_read = has_input;
    if (has_output) {
        CLSCAN__TRY(clscan__locate_elements(plan, "args->out", &args->out, out_elements, output_bytes, CL_MEM_READ_ONLY,
                                            &ranges[count], error));
        set_places(rows, CLSCAN__SIDE_OUT, args->count, output_bytes, &ranges[count++], &out_places);
    }
    if (has_input && has_output)
        CLSCAN__TRY(take_place(plan, args, 0, ranges, in_place, error));
    CLSCAN__TRY(locate_initials(plan, args, rows, ranges, &count, error));
    if (clscan__memory_is_given(&args->total))
        CLSCAN__TRY(locate_totals(plan, args, rows, &ranges[count++], &total_places, error));
    if (clscan__memory_is_given(&args->state))
        CLSCAN__TRY(clscan__locate_elements(plan, "args->state", &args->state, CLSCAN__MOST_NODES, accumulator_bytes,
                                            CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &ranges[count++], error));
    if (plan->problem.count_bytes > 0) {
        CLSCAN__TRY(clscan__locate_elements(plan, "args->device_count", &args->device_count, 1,
                                            plan->problem.count_bytes, CL_MEM_WRITE_ONLY, &ranges[count], error));
        ranges[count++].is_read = true;
    }
    if (rows != NULL && plan->problem.rows->count_bytes > 0) {
        CLSCAN__TRY(clscan__locate_elements(plan, "args->device_row_count", &args->device_row_count, 1,
                                            plan->problem.rows->count_bytes, CL_MEM_WRITE_ONLY, &ranges[count], error));
        ranges[count++].is_read = true;
    }
    CLSCAN__TRY(clscan__locate_segments(plan, args, ranges, &count, error));
    CLSCAN__TRY(clscan__locate_segment_sums(plan, args, ranges, &count, error));
    if (clscan__problem_has_flags(&plan->problem)) {
        const bool bits = clscan__problem_flag_bits(&plan->problem);

        CLSCAN__TRY(clscan__locate_elements(plan, "args->selection->flags", &selection->flags,
                                            bits ? args->count / 8 + (args->count % 8 != 0) : args->count,
                                            bits ? 1 : clscan__problem_flag_bytes(&plan->problem), CL_MEM_WRITE_ONLY,
                                            &ranges[count], error));
        ranges[count++].is_read = true;
    }
    if (repeats)
        CLSCAN__TRY(locate_lengths(plan, args, ranges, &count, error));
    CLSCAN__TRY(locate_columns(plan, args, column_names, ranges, &count, in_place, error));
    CLSCAN__TRY(clscan__locate(plan, "workspace", workspace->buffer, workspace->offset_bytes, plan->layout.size_bytes,
                               0, CLSCAN_ERROR_WORKSPACE_SIZE, &ranges[count++], error));
    if (!repeats)
        CLSCAN__TRY(locate_map_arguments(plan, args, names, ranges, &count, error));
    CLSCAN__TRY(clscan__check_overlap(ranges, count, why_not_in_place(&plan->problem, rows), error));
    total_reader = find_total_reader(&plan->problem, *in_place);
    CLSCAN__REQUIRE(rows == NULL || *in_place == 0 || !rows->columns.needed || stand_alike(&rows->columns),
                    CLSCAN_ERROR_OVERLAP, "the scan is in place, but in_strides and out_strides of the rows differ");
    if (total_reader != NULL)
        CLSCAN__TRY(clscan__check_access(total_reader, args->total.buffer, CL_MEM_WRITE_ONLY, error));
    if (selection == NULL &&
        plan->compiled[clscan__plan_class(plan, args->count, *in_place != 0)->compiled].strategy->reads_output)
        CLSCAN__TRY(clscan__check_access("args->out, which scan_then_add reads again,", args->out.buffer,
                                         CL_MEM_WRITE_ONLY, error));

cleanup:
    return status;
}

clscan_status clscan__check_workspace_memory(const clscan_plan *plan, const clscan_memory *memory, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__byte_range ignored;

    CLSCAN__TRY(clscan__check_memory_kind("memory", memory, error));
    CLSCAN__REQUIRE(memory->buffer != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "memory.buffer is NULL");
    CLSCAN__REQUIRE(memory->offset % CLSCAN__WORKSPACE_ALIGN_BYTES == 0, CLSCAN_ERROR_WORKSPACE_SIZE,
                    "memory.offset is %llu, no multiple of %d", (unsigned long long)memory->offset,
                    CLSCAN__WORKSPACE_ALIGN_BYTES);
    CLSCAN__TRY(clscan__locate(plan, "memory", memory->buffer, memory->offset, plan->layout.size_bytes,
                               CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CLSCAN_ERROR_WORKSPACE_SIZE, &ignored, error));

cleanup:
    return status;
}

clscan_status clscan__check_queue(const clscan_plan *plan, cl_command_queue queue, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_context context = NULL;
    cl_device_id device = NULL;

    CLSCAN__TRY_CL(clGetCommandQueueInfo, (queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL));
    CLSCAN__REQUIRE(context == plan->context, CLSCAN_ERROR_WRONG_CONTEXT, "the queue belongs to another context");
    CLSCAN__TRY_CL(clGetCommandQueueInfo, (queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL));
    CLSCAN__REQUIRE(device == plan->device, CLSCAN_ERROR_WRONG_CONTEXT, "the queue belongs to another device");

cleanup:
    return status;
}
