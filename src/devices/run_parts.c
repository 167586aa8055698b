#include "devices/run.h"

#include <stdio.h>
#include <string.h>

#include "api/check.h"
#include "base/memory.h"
#include "base/structs.h"
#include "devices/told.h"

static clscan_status take_given(clscan__group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_devices_args *args = run->args;

    CLSCAN__REQUIRE(args->part_count == run->group->count, CLSCAN_ERROR_INVALID_VALUE,
                    "args->part_count is %llu, the group has %zu devices", (unsigned long long)args->part_count,
                    run->group->count);
    CLSCAN__REQUIRE(args->parts != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "args->parts is NULL");
    for (size_t i = 0; i < run->group->count; ++i) {
        const void *given = (const char *)args->parts + i * args->parts->struct_size;
        const clscan_part *part;
        char name[CLSCAN__TOLD_BYTES];

        clscan__told_name(name, "args->parts", i);
        part = clscan__struct_take(given, &run->parts[i], sizeof run->parts[i], name, error);
        if (part == NULL)
            return CLSCAN_ERROR_STRUCT_SIZE;
        if (part != &run->parts[i])
            run->parts[i] = *part;
        CLSCAN__REQUIRE(part->reserved == 0, CLSCAN_ERROR_INVALID_VALUE, "%s.reserved is %u", name,
                        (unsigned)part->reserved);
        CLSCAN__REQUIRE(run->group->deals || run->group->splits || part->rows == NULL, CLSCAN_ERROR_INVALID_VALUE,
                        "%s.rows is set, but problem->rows of the group is NULL", name);
        CLSCAN__REQUIRE(run->group->deals || !clscan__memory_is_given(&part->total), CLSCAN_ERROR_INVALID_VALUE,
                        "%s.total is set, but the devices share what they scan; its total is args->total", name);
        CLSCAN__REQUIRE((part->wait_count == 0) == (part->wait_list == NULL), CLSCAN_ERROR_INVALID_VALUE,
                        "%s.wait_count is %u, wait_list is %sNULL", name, (unsigned)part->wait_count,
                        part->wait_list == NULL ? "" : "not ");
    }

cleanup:
    return status;
}

static clscan_status find_context(cl_event event, cl_context *context, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__TRY_CL(clGetEventInfo, (event, CL_EVENT_CONTEXT, sizeof *context, context, NULL));

cleanup:
    return status;
}

/* Drivers take events of other contexts, and fail when it is too late, or never. */
static clscan_status check_events(const clscan__group_run *run, size_t index, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_part *part = &run->parts[index];
    cl_context context = NULL;

    for (cl_uint i = 0; i < part->wait_count; ++i) {
        char name[CLSCAN__TOLD_BYTES];

        snprintf(name, sizeof name, "args->parts[%zu].wait_list[%u]", index, (unsigned)i);
        CLSCAN__TRY(clscan__told(name, find_context(part->wait_list[i], &context, error), error));
        CLSCAN__REQUIRE(context == run->group->lanes[index].context, CLSCAN_ERROR_WRONG_CONTEXT,
                        "%s belongs to another context", name);
    }

cleanup:
    return status;
}

clscan_status clscan__take_parts(clscan__group_run *run, clscan_error *error)
{
    clscan_status status;

    CLSCAN__TRY(take_given(run, error));
    for (size_t i = 0; i < run->group->count; ++i)
        CLSCAN__TRY(check_events(run, i, error));

cleanup:
    return status;
}

/* What is a part of each row on all devices. */
static clscan_status take_rows(clscan__group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    run->row_count = 1;
    for (size_t i = 0; run->group->splits && i < run->group->count; ++i) {
        const clscan_rows *rows = run->parts[i].rows;
        char name[CLSCAN__TOLD_BYTES + sizeof ".rows"];

        clscan__told_name(name, "args->parts", i);
        strcat(name, ".rows");
        if (rows == NULL)
            run->rows[i] = run->group->rows;
        else if ((rows = clscan__struct_take(rows, &run->rows[i], sizeof run->rows[i], name, error)) == NULL)
            return CLSCAN_ERROR_STRUCT_SIZE;
        else if (rows != &run->rows[i])
            run->rows[i] = *rows;
        CLSCAN__REQUIRE(run->rows[i].dimensions == 0, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                        "%s->dimensions is %u; devices share rows with pitches only", name,
                        (unsigned)run->rows[i].dimensions);
        CLSCAN__REQUIRE(run->rows[i].count == run->rows[0].count, CLSCAN_ERROR_INVALID_VALUE,
                        "%s->count is %llu, but the first device has a part of %llu rows", name,
                        (unsigned long long)run->rows[i].count, (unsigned long long)run->rows[0].count);
        run->row_count = run->rows[i].count;
    }

cleanup:
    return status;
}

static void find_takers(clscan__group_run *run)
{
    const size_t last = run->group->count - 1, begin = run->group->reverse ? last : 0, end = last - begin;

    for (size_t i = 0; i <= last && run->row_count > 0; ++i)
        if (run->parts[i].count > 0 || (i == begin && clscan__memory_is_given(&run->args->initial)) ||
            (i == end && clscan__memory_is_given(&run->args->total)))
            run->takers[run->taker_count++] = i;
}

/* Where parts of an ordered problem begin. Those behind which others have elements end where a state can be taken up.
 */
static clscan_status place_parts(clscan__group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t first = clscan__start_of(run);
    size_t last = 0; /* the part before, with elements */

    for (size_t turn = 0; turn < run->taker_count; ++turn) {
        const size_t taker = run->group->reverse ? run->taker_count - 1 - turn : turn;
        const uint64_t count = run->parts[run->takers[taker]].count;

        CLSCAN__REQUIRE(count == 0 || first % CLSCAN_REPRODUCIBLE_STEP == 0, CLSCAN_ERROR_INVALID_VALUE,
                        "args->parts[%zu].count is %llu, no multiple of %u, which parts of a reproducible scan are but "
                        "for the last",
                        last, (unsigned long long)run->parts[last].count, CLSCAN_REPRODUCIBLE_STEP);
        run->firsts[taker] = first;
        first += count;
        last = count > 0 ? run->takers[taker] : last;
    }

cleanup:
    return status;
}

static clscan_status check_part(const clscan__group_run *run, size_t taker, clscan_error *error)
{
    clscan_status status;
    const clscan__bound_plan *scan = &run->group->lanes[run->takers[taker]].scan;
    clscan_rows given;
    clscan__run_rows room;
    const clscan__run_rows *rows;
    clscan_run_args args = clscan__scan_args(run, taker, &given);
    uint32_t in_place;

    if (clscan__tells_total(run, taker)) { /* its total is written all the same */
        args.first = 0;
        args.state = (clscan_memory){.buffer = NULL};
        args.initial = clscan__carry_value(run, taker, CLSCAN__CARRY_INITIAL);
    }
    CLSCAN__TRY(clscan__check_rows(scan->plan, &args, &room, &rows, error));
    CLSCAN__TRY(clscan__check_run_args(scan->workspace, &args, rows, &in_place, error));

cleanup:
    return status;
}

static clscan_status check_parts(const clscan__group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t t = 0; t < run->taker_count; ++t) {
        char name[CLSCAN__TOLD_BYTES];

        clscan__told_name(name, "args->parts", run->takers[t]);
        CLSCAN__TRY(clscan__told(name, check_part(run, t, error), error));
    }

cleanup:
    return status;
}

clscan_status clscan__take_takers(clscan__group_run *run, clscan_error *error)
{
    clscan_status status;

    CLSCAN__TRY(take_rows(run, error));
    find_takers(run);
    if (run->group->is_ordered)
        CLSCAN__TRY(place_parts(run, error));
    CLSCAN__TRY(check_parts(run, error));

cleanup:
    return status;
}
