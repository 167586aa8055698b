#include "devices/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/structs.h"
#include "devices/dealt.h"
#include "devices/told.h"

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
static cl_uint list_waits(const clscan__group_run *run, size_t index, cl_event more)
{
    const clscan_part *part = &run->parts[index];
    cl_uint count = part->wait_count;

    if (count > 0)
        memcpy(run->waits, part->wait_list, count * sizeof *run->waits);
    if (more != NULL)
        run->waits[count++] = more;
    return count;
}

static clscan_status run_bound(const clscan__group_run *run, const clscan__bound_plan *bound, cl_command_queue queue,
                               const clscan_run_args *args, cl_uint wait_count, cl_event *event, clscan_error *error)
{
    return clscan_run(bound->plan, bound->workspace, queue, args, wait_count, wait_count > 0 ? run->waits : NULL, event,
                      error);
}

static clscan_status enqueue_sum(clscan__group_run *run, size_t taker, clscan_error *error)
{
    clscan_status status;
    clscan__lane *lane = &run->group->lanes[run->takers[taker]];
    clscan_rows rows;
    const clscan_run_args args = clscan__sum_args(run, taker, &rows);
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
static clscan_status enqueue_read(clscan__group_run *run, size_t taker, clscan_error *error)
{
    clscan_status status;
    clscan__lane *lane = &run->group->lanes[run->takers[taker]];
    cl_event read = NULL;

    CLSCAN__TRY(clscan__exchange_transfer(run->exchange, CLSCAN__TAKE_SUM, clscan__sum_index(run, taker), lane->queue,
                                          lane->values, clscan__value_bytes(run, taker, CLSCAN__VALUE_SUM), 1,
                                          &run->summed[taker], &read, error));
    CLSCAN__TRY(keep(lane, &lane->sum_read, read, error));
    CLSCAN__TRY_CL(clFlush, (lane->queue));

cleanup:
    return status;
}

/* For the taker where the run begins. */
static clscan_status put_start(clscan__group_run *run, size_t taker, clscan_error *error)
{
    clscan_status status;
    clscan__lane *lane = &run->group->lanes[run->takers[taker]];
    const size_t bytes = clscan__start_bytes(run);

    CLSCAN__TRY(renew(&lane->scanned, error));
    if (bytes > 0)
        CLSCAN__TRY_CL(clEnqueueWriteBuffer,
                       (lane->queue, lane->values, CL_TRUE, clscan__value_bytes(run, taker, CLSCAN__VALUE_CARRY), bytes,
                        run->start->state, lane->scanned != NULL, lane->scanned != NULL ? &lane->scanned : NULL, NULL));

cleanup:
    return status;
}

/* The total of a taker without elements, by nodes. */
static clscan_status enqueue_total(clscan__group_run *run, size_t taker, cl_uint wait_count, cl_event *event,
                                   clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan__lane *lane = &run->group->lanes[run->takers[taker]];
    const clscan_memory *total = &run->args->total;
    const size_t bytes = run->group->sum_bytes;

    CLSCAN__TRY_CL(clEnqueueCopyBuffer, (lane->queue, lane->values, total->buffer,
                                         (size_t)clscan__carry_value(run, taker, CLSCAN__CARRY_TOTAL).offset * bytes,
                                         (size_t)total->offset * bytes, bytes, wait_count, run->waits, event));

cleanup:
    return status;
}

/* Its carry, on the way to the device. */
static clscan_status enqueue_carry(clscan__group_run *run, size_t taker, cl_event *given, clscan_error *error)
{
    clscan_status status;
    clscan__lane *lane = &run->group->lanes[run->takers[taker]];
    const size_t index = clscan__carry_index(run, taker);
    cl_event ready[2];
    cl_uint count = 0;

    CLSCAN__TRY(renew(&lane->scanned, error));
    if (!run->carries_came)
        ready[count++] = run->exchange->carries_are_there[index];
    if (lane->scanned != NULL)
        ready[count++] = lane->scanned;
    CLSCAN__TRY(clscan__exchange_transfer(run->exchange, CLSCAN__GIVE_CARRY, index, lane->queue, lane->values,
                                          clscan__value_bytes(run, taker, CLSCAN__VALUE_CARRY), count,
                                          count > 0 ? ready : NULL, given, error));

cleanup:
    return status;
}

static clscan_status enqueue_scan(clscan__group_run *run, size_t taker, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t index = run->takers[taker];
    clscan__lane *lane = &run->group->lanes[index];
    clscan_rows rows;
    const clscan_run_args args = clscan__scan_args(run, taker, &rows);
    const bool has_carry = taker != clscan__taker_begin(run) && args.initial.kind != CLSCAN_MEMORY_HOST;
    cl_event given = NULL;
    cl_uint wait_count;

    if (has_carry)
        CLSCAN__TRY(enqueue_carry(run, taker, &given, error));
    /* In place, the input of a sum is not overwritten before it is read: carries wait for all sums, and the first scan,
     * which has none, for its own. */
    wait_count = list_waits(run, index, given != NULL ? given : run->summed[taker]);
    if (clscan__tells_total(run, taker))
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
static clscan_status enqueue_marker(clscan__group_run *run, size_t index, clscan_error *error)
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
typedef clscan_status run_step(clscan__group_run *run, size_t index, clscan_error *error);

static clscan_status do_for_part(clscan__group_run *run, size_t part, run_step *step, size_t index, clscan_error *error)
{
    char name[CLSCAN__TOLD_BYTES];

    clscan__told_name(name, "args->parts", part);
    return clscan__told(name, step(run, index, error), error);
}

static clscan_status do_for_taker(clscan__group_run *run, size_t taker, run_step *step, clscan_error *error)
{
    return do_for_part(run, run->takers[taker], step, taker, error);
}

static clscan_status enqueue_markers(clscan__group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < run->group->count; ++i)
        if (run->events[i] == NULL)
            CLSCAN__TRY(do_for_part(run, i, enqueue_marker, i, error));

cleanup:
    return status;
}

/* Is there more to do with the sums than to pass on the only one, and can the host not do it? */
static bool combines_on_device(const clscan__group_run *run)
{
    return run->group->is_ordered ? run->taker_count > 1 : run->taker_count > 2 && run->group->host.scalars == 0;
}

static clscan_status hold_carry(clscan__group_run *run, size_t taker, clscan_error *error)
{
    return clscan__exchange_hold(run->exchange, CLSCAN__GIVE_CARRY, clscan__carry_index(run, taker),
                                 run->group->lanes[run->takers[taker]].context, error);
}

/* What waits for sums and carries. */
static clscan_status hold(clscan__group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (combines_on_device(run))
        CLSCAN__TRY(clscan__told(
            CLSCAN__TOLD_SUMS,
            clscan__exchange_hold(run->exchange, CLSCAN__GIVE_SUMS, 0, run->group->lanes[0].context, error), error));
    for (size_t t = 0; t < run->taker_count; ++t)
        if (t != clscan__taker_begin(run))
            CLSCAN__TRY(do_for_taker(run, t, hold_carry, error));

cleanup:
    return status;
}

static clscan_status create_exchange(clscan__group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_devices *group = run->group;
    clscan__exchange_host host = group->host;
    size_t parts[CLSCAN_MOST_DEVICES], values;

    if (run->taker_count < 2)
        return status;
    host.scalars *= (size_t)run->row_count;
    for (size_t t = 0; t < run->taker_count; ++t)
        if (t != clscan__taker_end(run))
            parts[clscan__sum_index(run, t)] = run->takers[t];
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

static clscan_status create_waits(clscan__group_run *run, clscan_error *error)
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

static clscan_status take_sum(clscan__group_run *run, size_t taker, clscan_error *error)
{
    return clscan__exchange_take_sum(run->exchange, clscan__sum_index(run, taker), error);
}

/* Without a thread and user events. */
static clscan_status wait_for_carries(clscan__group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t t = 0; t < run->taker_count; ++t)
        if (t != clscan__taker_end(run))
            CLSCAN__TRY(do_for_taker(run, t, take_sum, error));
    if (combines_on_device(run)) {
        CLSCAN__TRY(clscan__enqueue_combination(run, error));
        CLSCAN__TRY(clscan__told(CLSCAN__TOLD_SUMS, clscan__exchange_take_carries(run->exchange, error), error));
    } else {
        clscan__exchange_combine(run->exchange);
    }
    run->carries_came = true;

cleanup:
    return status;
}

/* The courier serves from here on: the calls behind enqueue what waits for it, and a driver may block in them. */
static void send(clscan__group_run *run)
{
    clscan__courier_send(run->group->courier, run->exchange);
    run->is_sent = true;
}

/* What is between the sums and the scans. */
static clscan_status enqueue_exchange(clscan__group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (run->args->blocking)
        return wait_for_carries(run, error);
    send(run);
    if (combines_on_device(run)) {
        CLSCAN__TRY(clscan__enqueue_combination(run, error));
        clscan__exchange_tell(run->exchange, CLSCAN__COMBINATION_ENQUEUED);
    }

cleanup:
    return status;
}

/* What comes before the run, for the device where it begins and for the folder. */
static clscan_status put_starts(clscan__group_run *run, clscan_error *error)
{
    clscan_status status;

    CLSCAN__TRY(do_for_taker(run, clscan__taker_begin(run), put_start, error));
    if (run->taker_count > 1)
        CLSCAN__TRY(clscan__told(CLSCAN__TOLD_SUMS, clscan__put_start_of_fold(run, error), error));

cleanup:
    return status;
}

/* All sums before all that waits for them (group.h), and before the reads, so that no device begins later for them. The
 * first scan waits for none. What comes before the run is in front of all, for it waits. */
static clscan_status enqueue(clscan__group_run *run, bool want_events, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (run->start != NULL && run->taker_count > 0)
        CLSCAN__TRY(put_starts(run, error));
    for (size_t t = 0; t < run->taker_count; ++t)
        if (t != clscan__taker_end(run))
            CLSCAN__TRY(do_for_taker(run, t, enqueue_sum, error));
    for (size_t t = 0; t < run->taker_count; ++t)
        if (t != clscan__taker_end(run))
            CLSCAN__TRY(do_for_taker(run, t, enqueue_read, error));
    if (run->taker_count > 0)
        CLSCAN__TRY(do_for_taker(run, clscan__taker_begin(run), enqueue_scan, error));
    if (run->taker_count > 1)
        CLSCAN__TRY(enqueue_exchange(run, error));
    for (size_t t = 0; t < run->taker_count; ++t)
        if (t != clscan__taker_begin(run))
            CLSCAN__TRY(do_for_taker(run, t, enqueue_scan, error));
    if (want_events)
        CLSCAN__TRY(enqueue_markers(run, error));

cleanup:
    return status;
}

/* A run that waits is done with it, the courier when it has served it. */
static void end_exchange(clscan__group_run *run, clscan_status status)
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

static clscan_status run_group(clscan__group_run *run, cl_event *events, clscan_error *error)
{
    clscan_status status;
    const size_t count = run->group->count;

    CLSCAN__TRY(clscan__take_parts(run, error));
    if (run->group->deals)
        return clscan__run_dealt(run->group, run->args, run->parts, events, error);
    CLSCAN__TRY(clscan__take_takers(run, error));
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
    const size_t at = CLSCAN__VALUE_CARRY * group->slot_values + CLSCAN__CARRY_STATE;

    CLSCAN__TRY_CL(clEnqueueReadBuffer, (group->lanes[index].queue, group->lanes[index].values, CL_TRUE,
                                         at * group->sum_bytes, count * group->sum_bytes, state, 1, &scanned, NULL));

cleanup:
    return status;
}

clscan_status clscan__devices_run_from(clscan_devices *group, const clscan_devices_args *args,
                                       const clscan__run_start *start, cl_event *events, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__group_run run = {.group = group, .start = start};
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
