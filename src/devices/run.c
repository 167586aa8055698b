#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/check.h"
#include "base/memory.h"
#include "base/structs.h"
#include "devices/dealt.h"
#include "devices/exchange.h"
#include "devices/group.h"
#include "devices/told.h"

/* A run while it is enqueued. Takers are the parts that have something to do, in the order of memory: those with
 * elements, and where the scan begins and ends if an initial value is there or a total is wanted. */
typedef struct group_run {
    clscan_devices *group;
    const clscan_devices_args *args;
    const clscan__run_start *start; /* NULL: the scan begins here */
    clscan_part parts[CLSCAN_MOST_DEVICES];
    clscan_rows rows[CLSCAN_MOST_DEVICES]; /* of parts, where each has a part of each row */
    uint64_t row_count;                    /* 1 if the problem has no rows */
    size_t takers[CLSCAN_MOST_DEVICES], taker_count;
    uint64_t firsts[CLSCAN_MOST_DEVICES]; /* of takers, where the problem is ordered: elements of the scan before */
    clscan__exchange *exchange;           /* NULL for one taker */
    bool is_sent;                         /* the exchange, to the courier */
    bool carries_came;                    /* of a run that waits: they are in the exchange */
    cl_event *waits;                      /* room for a wait list */
    cl_event summed[CLSCAN_MOST_DEVICES]; /* of takers; NULL: none yet */
    cl_event events[CLSCAN_MOST_DEVICES]; /* of parts */
} group_run;

/* The taker where the scan begins, and where it ends. */
static size_t begin_of(const group_run *run)
{
    return run->group->reverse ? run->taker_count - 1 : 0;
}

static size_t end_of(const group_run *run)
{
    return run->group->reverse ? 0 : run->taker_count - 1;
}

/* All takers but the last have a sum, and all but the first a carry: the combination of all sums before. Of the
 * exchange's values the scan, in the problem's direction, makes the one the other in place. */
static size_t sum_index(const group_run *run, size_t taker)
{
    return run->group->reverse ? taker - 1 : taker;
}

static size_t carry_index(const group_run *run, size_t taker)
{
    return run->group->reverse ? taker : taker - 1;
}

/* The first row's; the others' follow. */
static clscan_memory value_of(const group_run *run, size_t taker, uint64_t which)
{
    return (clscan_memory){.buffer = run->group->lanes[run->takers[taker]].values,
                           .offset = which * run->group->slot_values};
}

static size_t value_bytes(const group_run *run, size_t taker, uint64_t which)
{
    return (size_t)value_of(run, taker, which).offset * run->group->sum_bytes;
}

static clscan_status take_parts(group_run *run, clscan_error *error)
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

/* What is a part of each row on all devices. */
static clscan_status take_rows(group_run *run, clscan_error *error)
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

static void find_takers(group_run *run)
{
    const size_t last = run->group->count - 1, begin = run->group->reverse ? last : 0, end = last - begin;

    for (size_t i = 0; i <= last && run->row_count > 0; ++i)
        if (run->parts[i].count > 0 || (i == begin && clscan__memory_is_given(&run->args->initial)) ||
            (i == end && clscan__memory_is_given(&run->args->total)))
            run->takers[run->taker_count++] = i;
}

static uint64_t start_of(const group_run *run)
{
    return run->start != NULL ? run->start->first : 0;
}

/* Where parts of an ordered problem begin. Those behind which others have elements end where a state can be taken up.
 */
static clscan_status place_parts(group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t first = start_of(run);
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

/* Does the scan of a taker only tell the total of those before it, by nodes? */
static bool tells_total(const group_run *run, size_t taker)
{
    return run->group->is_ordered && run->parts[run->takers[taker]].count == 0 && run->firsts[taker] > start_of(run);
}

/* What stands where in the values that a part of an ordered problem receives. */
enum { CARRY_STATE, CARRY_INITIAL = CLSCAN__MOST_STATE_NODES, CARRY_TOTAL };

static clscan_memory carry_value(const group_run *run, size_t taker, uint64_t which)
{
    clscan_memory value = value_of(run, taker, CLSCAN__VALUE_CARRY);

    value.offset += which;
    return value;
}

/* The carry of a problem that is not ordered. A value in the call's own memory saves its way to the device, but rows
 * have many. */
static clscan_memory carry_of(const group_run *run, size_t taker)
{
    if (run->carries_came && !run->group->splits)
        return (clscan_memory){.kind = CLSCAN_MEMORY_HOST,
                               .pointer = run->exchange->values + carry_index(run, taker) * run->group->sum_bytes};
    return value_of(run, taker, CLSCAN__VALUE_CARRY);
}

static void set_state(const group_run *run, size_t taker, clscan_run_args *args)
{
    if (run->firsts[taker] == 0 && run->start == NULL)
        return;
    args->first = run->firsts[taker];
    args->state = carry_value(run, taker, CARRY_STATE);
}

/* What comes before a taker that does not begin. */
static void set_carry(const group_run *run, size_t taker, clscan_run_args *args)
{
    if (!run->group->is_ordered) {
        args->initial = carry_of(run, taker);
        return;
    }
    if (clscan__memory_is_given(&run->args->initial))
        args->initial = carry_value(run, taker, CARRY_INITIAL);
    set_state(run, taker, args);
}

/* An empty part need not have buffers. `room` is for its rows, of which each has a carry of its own. */
static clscan_run_args scan_args(const group_run *run, size_t taker, clscan_rows *room)
{
    const clscan_part *part = &run->parts[run->takers[taker]];
    clscan_run_args args = {.struct_size = sizeof args,
                            .in = part->in,
                            .out = part->out,
                            .count = part->count,
                            .map_arguments = part->map_arguments,
                            .map_argument_count = part->map_argument_count};

    if (part->count == 0) {
        args.in = run->group->scan_reads ? value_of(run, taker, 0) : (clscan_memory){.buffer = NULL};
        args.out = value_of(run, taker, 0);
    }
    if (run->group->splits) {
        *room = run->rows[run->takers[taker]];
        room->initial_pitch = taker == begin_of(run) ? room->initial_pitch : 1;
        args.rows = room;
    }
    if (taker == begin_of(run)) {
        args.initial = run->args->initial;
        if (run->start != NULL)
            set_state(run, taker, &args);
    } else {
        set_carry(run, taker, &args);
    }
    if (taker == end_of(run))
        args.total = run->args->total;
    else if (run->group->splits)
        room->total_pitch = 0;
    return args;
}

static clscan_run_args sum_args(const group_run *run, size_t taker, clscan_rows *room)
{
    clscan_run_args args = scan_args(run, taker, room);

    args.out = (clscan_memory){.buffer = NULL};
    args.total = value_of(run, taker, CLSCAN__VALUE_SUM);
    args.first = 0;
    args.state = (clscan_memory){.buffer = NULL};
    room->total_pitch = 0;
    if (taker != begin_of(run)) {
        args.initial = (clscan_memory){.buffer = NULL};
        room->initial_pitch = 0;
    }
    if (run->group->splits) /* the plan is the same */
        return args;
    if (!run->group->sum_reads)
        args.in = (clscan_memory){.buffer = NULL};
    args.map_argument_count = run->group->sum_argument_count;
    if (args.map_argument_count == 0)
        args.map_arguments = NULL;
    return args;
}

static clscan_status find_context(cl_event event, cl_context *context, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__TRY_CL(clGetEventInfo, (event, CL_EVENT_CONTEXT, sizeof *context, context, NULL));

cleanup:
    return status;
}

/* Drivers take events of other contexts, and fail when it is too late, or never. */
static clscan_status check_events(const group_run *run, size_t index, clscan_error *error)
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

static clscan_status check_part(const group_run *run, size_t taker, clscan_error *error)
{
    clscan_status status;
    const clscan__bound_plan *scan = &run->group->lanes[run->takers[taker]].scan;
    clscan_rows given;
    clscan__run_rows room;
    const clscan__run_rows *rows;
    clscan_run_args args = scan_args(run, taker, &given);
    uint32_t in_place;

    if (tells_total(run, taker)) { /* its total is written all the same */
        args.first = 0;
        args.state = (clscan_memory){.buffer = NULL};
        args.initial = carry_value(run, taker, CARRY_INITIAL);
    }
    CLSCAN__TRY(clscan__check_rows(scan->plan, &args, &room, &rows, error));
    CLSCAN__TRY(clscan__check_run_args(scan->workspace, &args, rows, &in_place, error));

cleanup:
    return status;
}

static clscan_status check_parts(const group_run *run, clscan_error *error)
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

/* What an earlier run left out of order: NULL once it has come, whether it succeeded or not. */
static clscan_status renew(cl_event *event, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_int state = CL_COMPLETE;

    if (*event == NULL)
        return status;
    CLSCAN__TRY_CL(clGetEventInfo, (*event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    if (state > CL_COMPLETE)
        return status;
    clReleaseEvent(*event);
    *event = NULL;

cleanup:
    return status;
}

/* For the next run, which an in-order queue keeps behind this one anyway. */
static clscan_status keep(const clscan__lane *lane, cl_event *kept, cl_event event, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (!lane->out_of_order)
        return status;
    CLSCAN__TRY_CL(clRetainEvent, (event));
    if (*kept != NULL)
        clReleaseEvent(*kept);
    *kept = event;

cleanup:
    return status;
}

static void release_events(cl_event *events, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (events[i] != NULL)
            clReleaseEvent(events[i]);
}

/* The caller's events of a part, and one more or none. */
static cl_uint list_waits(const group_run *run, size_t index, cl_event more)
{
    const clscan_part *part = &run->parts[index];
    cl_uint count = part->wait_count;

    if (count > 0)
        memcpy(run->waits, part->wait_list, count * sizeof *run->waits);
    if (more != NULL)
        run->waits[count++] = more;
    return count;
}

static clscan_status run_bound(const group_run *run, const clscan__bound_plan *bound, cl_command_queue queue,
                               const clscan_run_args *args, cl_uint wait_count, cl_event *event, clscan_error *error)
{
    return clscan_run(bound->plan, bound->workspace, queue, args, wait_count, wait_count > 0 ? run->waits : NULL, event,
                      error);
}

static clscan_status enqueue_sum(group_run *run, size_t taker, clscan_error *error)
{
    clscan_status status;
    clscan__lane *lane = &run->group->lanes[run->takers[taker]];
    clscan_rows rows;
    const clscan_run_args args = sum_args(run, taker, &rows);
    const clscan__bound_plan *sum = run->group->splits ? &lane->scan : &lane->sum;

    CLSCAN__TRY(renew(&lane->sum_read, error));
    if (run->group->is_ordered) {
        const cl_uint wait_count = list_waits(run, run->takers[taker], lane->sum_read);

        CLSCAN__TRY(clscan__nodes_sum(sum, lane->queue, &args, run->firsts[taker], run->group->reverse,
                                      run->group->sum_bytes, lane->values, 0, wait_count,
                                      wait_count > 0 ? run->waits : NULL, &run->summed[taker], error));
    } else {
        CLSCAN__TRY(run_bound(run, sum, lane->queue, &args, list_waits(run, run->takers[taker], lane->sum_read),
                              &run->summed[taker], error));
    }
    CLSCAN__TRY_CL(clFlush, (lane->queue));

cleanup:
    return status;
}

/* The sum's way to the host. */
static clscan_status enqueue_read(group_run *run, size_t taker, clscan_error *error)
{
    clscan_status status;
    clscan__lane *lane = &run->group->lanes[run->takers[taker]];
    cl_event read = NULL;

    CLSCAN__TRY(clscan__exchange_transfer(run->exchange, CLSCAN__TAKE_SUM, sum_index(run, taker), lane->queue,
                                          lane->values, value_bytes(run, taker, CLSCAN__VALUE_SUM), 1,
                                          &run->summed[taker], &read, error));
    CLSCAN__TRY(keep(lane, &lane->sum_read, read, error));
    CLSCAN__TRY_CL(clFlush, (lane->queue));

cleanup:
    return status;
}

static clscan_status enqueue_combine(group_run *run, clscan_error *error)
{
    clscan_status status;
    const clscan_devices *group = run->group;
    const cl_command_queue queue = group->combining;
    const uint64_t count = run->taker_count - 1;
    const clscan_rows rows = {.struct_size = sizeof rows, .dimensions = 2, .extents = {count, run->row_count}};
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = group->sums,
                                  .out.buffer = group->sums,
                                  .count = count,
                                  .rows = group->splits ? &rows : NULL};
    const cl_event ready = run->exchange->sums_are_there;
    cl_event given = NULL, combined = NULL, taken = NULL;

    CLSCAN__TRY(clscan__exchange_transfer(run->exchange, CLSCAN__GIVE_SUMS, 0, queue, group->sums, 0, ready != NULL,
                                          ready != NULL ? &ready : NULL, &given, error));
    run->waits[0] = given;
    CLSCAN__TRY(run_bound(run, &group->combine, queue, &args, 1, &combined, error));
    CLSCAN__TRY(clscan__exchange_transfer(run->exchange, CLSCAN__TAKE_CARRIES, 0, queue, group->sums, 0, 1, &combined,
                                          &taken, error));
    CLSCAN__TRY_CL(clFlush, (queue));

cleanup:
    if (combined != NULL)
        clReleaseEvent(combined);
    return status;
}

/* Where the folder finds what the run goes on from: behind the values of the parts. */
static size_t start_index(const group_run *run)
{
    return (run->group->count - 1) * run->group->slot_values;
}

/* Of the state that the run goes on from. */
static size_t start_bytes(const group_run *run)
{
    clscan__node nodes[CLSCAN__MOST_PART_NODES];

    return clscan__nodes_of(0, start_of(run), nodes) * run->group->sum_bytes;
}

/* For the taker where the run begins. */
static clscan_status put_start(group_run *run, size_t taker, clscan_error *error)
{
    clscan_status status;
    clscan__lane *lane = &run->group->lanes[run->takers[taker]];
    const size_t bytes = start_bytes(run);

    CLSCAN__TRY(renew(&lane->scanned, error));
    if (bytes > 0)
        CLSCAN__TRY_CL(clEnqueueWriteBuffer,
                       (lane->queue, lane->values, CL_TRUE, value_bytes(run, taker, CLSCAN__VALUE_CARRY), bytes,
                        run->start->state, lane->scanned != NULL, lane->scanned != NULL ? &lane->scanned : NULL, NULL));

cleanup:
    return status;
}

/* For the folder. */
static clscan_status put_start_of_fold(const group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_devices *group = run->group;
    const size_t bytes = start_bytes(run);

    if (bytes > 0)
        CLSCAN__TRY_CL(clEnqueueWriteBuffer,
                       (group->combining, group->sums, CL_TRUE, start_index(run) * group->sum_bytes, bytes,
                        run->start->state, 0, NULL, NULL));

cleanup:
    return status;
}

/* The stack begins with what comes before the run, whose nodes are those of a part from the very beginning. */
static clscan_status fold_start(group_run *run, clscan__node_stack *stack, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_devices *group = run->group;
    clscan__node nodes[CLSCAN__MOST_PART_NODES];
    const size_t count = clscan__nodes_of(0, start_of(run), nodes);

    for (size_t i = 0; i < count; ++i)
        CLSCAN__TRY(clscan__folder_push(&group->folder, group->combining, stack, nodes[i].count, group->sums,
                                        start_index(run) + i, error));

cleanup:
    return status;
}

/* Put the values of a taker on the stack, and let those of the next one be what this comes to. */
static clscan_status fold(group_run *run, size_t taker, clscan__node_stack *stack, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_devices *group = run->group;
    const size_t next = group->reverse ? taker - 1 : taker + 1, slot = sum_index(run, taker) * group->slot_values,
                 begin = sum_index(run, begin_of(run)) * group->slot_values, bytes = group->sum_bytes;
    const bool has_initial = clscan__memory_is_given(&run->args->initial);
    clscan__node nodes[CLSCAN__MOST_PART_NODES];
    const size_t count = clscan__nodes_of(run->firsts[taker], run->parts[run->takers[taker]].count, nodes);

    for (size_t i = 0; i < count; ++i)
        CLSCAN__TRY(clscan__folder_push(&group->folder, group->combining, stack, nodes[i].count, group->sums,
                                        slot + 1 + i, error));
    if (has_initial)
        CLSCAN__TRY_CL(clEnqueueCopyBuffer, (group->combining, group->sums, group->states, begin * bytes,
                                             (slot + CARRY_INITIAL) * bytes, bytes, 0, NULL, NULL));
    if (tells_total(run, next))
        CLSCAN__TRY(clscan__folder_total(&group->folder, group->combining, stack, has_initial ? group->sums : NULL,
                                         begin, group->states, slot + CARRY_TOTAL, error));
    else
        CLSCAN__TRY(
            clscan__folder_state(&group->folder, group->combining, stack, group->states, slot + CARRY_STATE, error));

cleanup:
    return status;
}

/* The same as enqueue_combine() where nodes travel. What waits for the sums is the first command of an in-order queue.
 */
static clscan_status enqueue_fold(group_run *run, clscan_error *error)
{
    clscan_status status;
    const clscan_devices *group = run->group;
    const cl_event ready = run->exchange->sums_are_there;
    clscan__node_stack stack = {.depth = 0};
    cl_event given = NULL, taken = NULL;

    CLSCAN__TRY(clscan__exchange_transfer(run->exchange, CLSCAN__GIVE_SUMS, 0, group->combining, group->sums, 0,
                                          ready != NULL, ready != NULL ? &ready : NULL, &given, error));
    CLSCAN__TRY(fold_start(run, &stack, error));
    for (size_t turn = 0; turn + 1 < run->taker_count; ++turn)
        CLSCAN__TRY(fold(run, group->reverse ? run->taker_count - 1 - turn : turn, &stack, error));
    CLSCAN__TRY(clscan__exchange_transfer(run->exchange, CLSCAN__TAKE_CARRIES, 0, group->combining, group->states, 0, 1,
                                          &given, &taken, error));
    CLSCAN__TRY_CL(clFlush, (group->combining));

cleanup:
    return status;
}

static clscan_status enqueue_combination(group_run *run, clscan_error *error)
{
    return clscan__told(CLSCAN__TOLD_SUMS,
                        run->group->is_ordered ? enqueue_fold(run, error) : enqueue_combine(run, error), error);
}

/* The total of a taker without elements, by nodes. */
static clscan_status enqueue_total(group_run *run, size_t taker, cl_uint wait_count, cl_event *event,
                                   clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan__lane *lane = &run->group->lanes[run->takers[taker]];
    const clscan_memory *total = &run->args->total;
    const size_t bytes = run->group->sum_bytes;

    CLSCAN__TRY_CL(clEnqueueCopyBuffer, (lane->queue, lane->values, total->buffer,
                                         (size_t)carry_value(run, taker, CARRY_TOTAL).offset * bytes,
                                         (size_t)total->offset * bytes, bytes, wait_count, run->waits, event));

cleanup:
    return status;
}

/* Its carry, on the way to the device. */
static clscan_status enqueue_carry(group_run *run, size_t taker, cl_event *given, clscan_error *error)
{
    clscan_status status;
    clscan__lane *lane = &run->group->lanes[run->takers[taker]];
    const size_t index = carry_index(run, taker);
    cl_event ready[2];
    cl_uint count = 0;

    CLSCAN__TRY(renew(&lane->scanned, error));
    if (!run->carries_came)
        ready[count++] = run->exchange->carries_are_there[index];
    if (lane->scanned != NULL)
        ready[count++] = lane->scanned;
    CLSCAN__TRY(clscan__exchange_transfer(run->exchange, CLSCAN__GIVE_CARRY, index, lane->queue, lane->values,
                                          value_bytes(run, taker, CLSCAN__VALUE_CARRY), count, count > 0 ? ready : NULL,
                                          given, error));

cleanup:
    return status;
}

static clscan_status enqueue_scan(group_run *run, size_t taker, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t index = run->takers[taker];
    clscan__lane *lane = &run->group->lanes[index];
    clscan_rows rows;
    const clscan_run_args args = scan_args(run, taker, &rows);
    const bool has_carry = taker != begin_of(run) && args.initial.kind != CLSCAN_MEMORY_HOST;
    cl_event given = NULL;
    cl_uint wait_count;

    if (has_carry)
        CLSCAN__TRY(enqueue_carry(run, taker, &given, error));
    /* In place, the input of a sum is not overwritten before it is read: carries wait for all sums, and the first scan,
     * which has none, for its own. */
    wait_count = list_waits(run, index, given != NULL ? given : run->summed[taker]);
    if (tells_total(run, taker))
        CLSCAN__TRY(enqueue_total(run, taker, wait_count, &run->events[index], error));
    else
        CLSCAN__TRY(run_bound(run, &lane->scan, lane->queue, &args, wait_count, &run->events[index], error));
    if (has_carry || run->start != NULL)
        CLSCAN__TRY(keep(lane, &lane->scanned, run->events[index], error));
    CLSCAN__TRY_CL(clFlush, (lane->queue));

cleanup:
    return status;
}

/* A part that has nothing to do but to wait for the caller's events. */
static clscan_status enqueue_marker(group_run *run, size_t index, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_part *part = &run->parts[index];
    const cl_command_queue queue = run->group->lanes[index].queue;

    CLSCAN__TRY_CL(clEnqueueMarkerWithWaitList, (queue, part->wait_count, part->wait_list, &run->events[index]));
    CLSCAN__TRY_CL(clFlush, (queue));

cleanup:
    return status;
}

/* Something that is done for a part, or for that of a taker; errors name the part. */
typedef clscan_status run_step(group_run *run, size_t index, clscan_error *error);

static clscan_status do_for_part(group_run *run, size_t part, run_step *step, size_t index, clscan_error *error)
{
    char name[CLSCAN__TOLD_BYTES];

    clscan__told_name(name, "args->parts", part);
    return clscan__told(name, step(run, index, error), error);
}

static clscan_status do_for_taker(group_run *run, size_t taker, run_step *step, clscan_error *error)
{
    return do_for_part(run, run->takers[taker], step, taker, error);
}

static clscan_status enqueue_markers(group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < run->group->count; ++i)
        if (run->events[i] == NULL)
            CLSCAN__TRY(do_for_part(run, i, enqueue_marker, i, error));

cleanup:
    return status;
}

/* Is there more to do with the sums than to pass on the only one, and can the host not do it? */
static bool combines_on_device(const group_run *run)
{
    return run->group->is_ordered ? run->taker_count > 1 : run->taker_count > 2 && run->group->host.scalars == 0;
}

static clscan_status hold_carry(group_run *run, size_t taker, clscan_error *error)
{
    return clscan__exchange_hold(run->exchange, CLSCAN__GIVE_CARRY, carry_index(run, taker),
                                 run->group->lanes[run->takers[taker]].context, error);
}

/* What waits for sums and carries. */
static clscan_status hold(group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (combines_on_device(run))
        CLSCAN__TRY(clscan__told(
            CLSCAN__TOLD_SUMS,
            clscan__exchange_hold(run->exchange, CLSCAN__GIVE_SUMS, 0, run->group->lanes[0].context, error), error));
    for (size_t t = 0; t < run->taker_count; ++t)
        if (t != begin_of(run))
            CLSCAN__TRY(do_for_taker(run, t, hold_carry, error));

cleanup:
    return status;
}

static clscan_status create_exchange(group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_devices *group = run->group;
    clscan__exchange_host host = group->host;
    size_t parts[CLSCAN_MOST_DEVICES], values;

    if (run->taker_count < 2)
        return status;
    host.scalars *= (size_t)run->row_count;
    for (size_t t = 0; t < run->taker_count; ++t)
        if (t != end_of(run))
            parts[sum_index(run, t)] = run->takers[t];
    values = group->is_ordered ? group->slot_values : (size_t)run->row_count;
    CLSCAN__TRY(clscan__exchange_create(run->taker_count - 1, parts, values * group->sum_bytes, &host,
                                        group->travelling, &run->exchange, error));
    if (!run->args->blocking)
        CLSCAN__TRY(hold(run, error));

cleanup:
    if (status != CLSCAN_OK) {
        clscan__exchange_end(run->exchange);
        run->exchange = NULL;
    }
    return status;
}

static clscan_status create_waits(group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_uint most = 0;

    for (size_t i = 0; i < run->group->count; ++i)
        if (run->parts[i].wait_count > most)
            most = run->parts[i].wait_count;
    run->waits = malloc(((size_t)most + 1) * sizeof *run->waits);
    CLSCAN__REQUIRE(run->waits != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for %u events", (unsigned)most);

cleanup:
    return status;
}

static clscan_status take_sum(group_run *run, size_t taker, clscan_error *error)
{
    return clscan__exchange_take_sum(run->exchange, sum_index(run, taker), error);
}

/* Without a thread and user events. */
static clscan_status wait_for_carries(group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t t = 0; t < run->taker_count; ++t)
        if (t != end_of(run))
            CLSCAN__TRY(do_for_taker(run, t, take_sum, error));
    if (combines_on_device(run)) {
        CLSCAN__TRY(enqueue_combination(run, error));
        CLSCAN__TRY(clscan__told(CLSCAN__TOLD_SUMS, clscan__exchange_take_carries(run->exchange, error), error));
    } else {
        clscan__exchange_combine(run->exchange);
    }
    run->carries_came = true;

cleanup:
    return status;
}

/* The courier serves from here on: the calls behind enqueue what waits for it, and a driver may block in them. */
static void send(group_run *run)
{
    clscan__courier_send(run->group->courier, run->exchange);
    run->is_sent = true;
}

/* What is between the sums and the scans. */
static clscan_status enqueue_exchange(group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (run->args->blocking)
        return wait_for_carries(run, error);
    send(run);
    if (combines_on_device(run)) {
        CLSCAN__TRY(enqueue_combination(run, error));
        clscan__exchange_tell(run->exchange, CLSCAN__COMBINATION_ENQUEUED);
    }

cleanup:
    return status;
}

/* What comes before the run, for the device where it begins and for the folder. */
static clscan_status put_starts(group_run *run, clscan_error *error)
{
    clscan_status status;

    CLSCAN__TRY(do_for_taker(run, begin_of(run), put_start, error));
    if (run->taker_count > 1)
        CLSCAN__TRY(clscan__told(CLSCAN__TOLD_SUMS, put_start_of_fold(run, error), error));

cleanup:
    return status;
}

/* All sums before all that waits for them (group.h), and before the reads, so that no device begins later for them. The
 * first scan waits for none. What comes before the run is in front of all, for it waits. */
static clscan_status enqueue(group_run *run, bool want_events, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (run->start != NULL && run->taker_count > 0)
        CLSCAN__TRY(put_starts(run, error));
    for (size_t t = 0; t < run->taker_count; ++t)
        if (t != end_of(run))
            CLSCAN__TRY(do_for_taker(run, t, enqueue_sum, error));
    for (size_t t = 0; t < run->taker_count; ++t)
        if (t != end_of(run))
            CLSCAN__TRY(do_for_taker(run, t, enqueue_read, error));
    if (run->taker_count > 0)
        CLSCAN__TRY(do_for_taker(run, begin_of(run), enqueue_scan, error));
    if (run->taker_count > 1)
        CLSCAN__TRY(enqueue_exchange(run, error));
    for (size_t t = 0; t < run->taker_count; ++t)
        if (t != begin_of(run))
            CLSCAN__TRY(do_for_taker(run, t, enqueue_scan, error));
    if (want_events)
        CLSCAN__TRY(enqueue_markers(run, error));

cleanup:
    return status;
}

/* A run that waits is done with it, the courier when it has served it. */
static void end_exchange(group_run *run, clscan_status status)
{
    if (run->exchange == NULL)
        return;
    if (run->args->blocking) {
        clscan__exchange_end(run->exchange);
        return;
    }
    clscan__exchange_tell(run->exchange, status == CLSCAN_OK ? CLSCAN__ALL_ENQUEUED : CLSCAN__NOT_ENQUEUED);
    if (!run->is_sent)
        send(run);
}

static clscan_status run_group(group_run *run, cl_event *events, clscan_error *error)
{
    clscan_status status;
    const size_t count = run->group->count;

    CLSCAN__TRY(take_parts(run, error));
    for (size_t i = 0; i < count; ++i)
        CLSCAN__TRY(check_events(run, i, error));
    if (run->group->deals)
        return clscan__run_dealt(run->group, run->args, run->parts, events, error);
    CLSCAN__TRY(take_rows(run, error));
    find_takers(run);
    if (run->group->is_ordered)
        CLSCAN__TRY(place_parts(run, error));
    CLSCAN__TRY(check_parts(run, error));
    CLSCAN__TRY(create_waits(run, error));
    CLSCAN__TRY(create_exchange(run, error));
    CLSCAN__TRY(enqueue(run, events != NULL, error));
    if (events != NULL) {
        memcpy(events, run->events, count * sizeof *events);
        memset(run->events, 0, sizeof run->events);
    }

cleanup:
    end_exchange(run, status);
    release_events(run->summed, run->taker_count);
    release_events(run->events, count);
    free(run->waits);
    return status;
}

clscan_status clscan__devices_take_state(clscan_devices *group, size_t index, cl_event scanned, uint64_t first,
                                         void *state, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__node nodes[CLSCAN__MOST_PART_NODES];
    const size_t count = clscan__nodes_of(0, first, nodes);
    const size_t at = CLSCAN__VALUE_CARRY * group->slot_values + CARRY_STATE;

    CLSCAN__TRY_CL(clEnqueueReadBuffer, (group->lanes[index].queue, group->lanes[index].values, CL_TRUE,
                                         at * group->sum_bytes, count * group->sum_bytes, state, 1, &scanned, NULL));

cleanup:
    return status;
}

clscan_status clscan__devices_run_from(clscan_devices *group, const clscan_devices_args *args,
                                       const clscan__run_start *start, cl_event *events, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    group_run run = {.group = group, .start = start};
    clscan_devices_args room;
    bool claimed = false;

    CLSCAN__REQUIRE(group != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "group is NULL");
    CLSCAN__REQUIRE(args != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "args is NULL");
    CLSCAN__TAKE(args, room);
    run.args = args;
    CLSCAN__REQUIRE(args->blocking <= 1, CLSCAN_ERROR_INVALID_VALUE, "args->blocking is %u; give 0 or 1",
                    (unsigned)args->blocking);
    CLSCAN__REQUIRE(args->reserved == 0, CLSCAN_ERROR_INVALID_VALUE, "args->reserved is %u", (unsigned)args->reserved);
    CLSCAN__REQUIRE(!atomic_flag_test_and_set(&group->busy), CLSCAN_ERROR_WORKSPACE_BUSY,
                    "another thread is in a call with this group of devices; give each thread its own");
    claimed = true;
    CLSCAN__TRY(run_group(&run, events, error));

cleanup:
    if (claimed)
        atomic_flag_clear(&group->busy);
    return status;
}

clscan_status clscan_devices_run(clscan_devices *group, const clscan_devices_args *args, cl_event *events,
                                 clscan_error *error)
{
    return clscan__devices_run_from(group, args, NULL, events, error);
}
