#include "ordered.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "devices/derive.h"

/* What stands where in rank->ordered.values; a run waits for what it has put there. */
enum { VALUE_STATE = 0, VALUE_TOTAL = CLSCAN__MOST_STATE_NODES, VALUE_COUNT };

clscan_status clscan__ordered_open(clscan__rank *rank, cl_device_id device, const clscan_problem *problem,
                                   const clscan_plan_options *options, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__ordered *ordered = &rank->ordered;

    ordered->gathered =
        malloc((CLSCAN__MOST_STATE_NODES + rank->count * CLSCAN__MOST_PART_NODES) * sizeof *ordered->gathered);
    CLSCAN__REQUIRE(ordered->gathered != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the nodes of %zu ranks",
                    rank->count);
    CLSCAN__TRY(clscan__folder_create(rank->context, device, rank->queue, problem, options, &ordered->folder, error));
    CLSCAN__TRY(clscan__values_create(rank->context,
                                      (CLSCAN__MOST_STATE_NODES + rank->count * CLSCAN__PART_VALUES) * rank->sum_bytes,
                                      &ordered->nodes, error));
    CLSCAN__TRY(clscan__values_create(rank->context, VALUE_COUNT * rank->sum_bytes, &ordered->values, error));
    CLSCAN__TRY(
        clscan__values_create(rank->context, CLSCAN__MOST_STATE_NODES * rank->sum_bytes, &ordered->state, error));

cleanup:
    return status;
}

void clscan__ordered_close(clscan__rank *rank)
{
    clscan__ordered *ordered = &rank->ordered;

    if (ordered->last != NULL)
        clReleaseEvent(ordered->last);
    if (ordered->scanned != NULL)
        clReleaseEvent(ordered->scanned);
    if (ordered->state != NULL)
        clReleaseMemObject(ordered->state);
    if (ordered->values != NULL)
        clReleaseMemObject(ordered->values);
    if (ordered->nodes != NULL)
        clReleaseMemObject(ordered->nodes);
    clscan__folder_destroy(&ordered->folder);
    free(ordered->gathered);
}

clscan_status clscan__ordered_sum(const clscan__rank *rank, clscan__held *held, uint64_t first, void *values,
                                  cl_event *came, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_run_args args = clscan__rank_sum_args(rank, &held->args);
    clscan__node nodes[CLSCAN__MOST_PART_NODES];
    const size_t count = clscan__nodes_of(first, args.count, nodes), bytes = rank->sum_bytes;

    if (rank->index == clscan__rank_end(rank) || (count == 0 && !clscan__memory_is_given(&args.initial)))
        return status;
    CLSCAN__TRY(clscan__nodes_sum(&rank->sum, held->queue, &args, first, rank->reverse, bytes, rank->ordered.nodes, 0,
                                  held->event_count, held->events, &held->summed, error));
    CLSCAN__TRY_CL(clEnqueueReadBuffer, (held->queue, rank->ordered.nodes, CL_FALSE, 0, (1 + count) * bytes, values, 1,
                                         &held->summed, came));
    CLSCAN__TRY_CL(clFlush, (held->queue));

cleanup:
    return status;
}

/* Until when the scan of the run before uses the state. NULL: no longer. */
static cl_event busy_until(clscan__ordered *ordered)
{
    cl_int state = CL_COMPLETE;

    if (ordered->last != NULL &&
        (clGetEventInfo(ordered->last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) != CL_SUCCESS ||
         state <= CL_COMPLETE)) {
        clReleaseEvent(ordered->last);
        ordered->last = NULL;
    }
    return ordered->last;
}

/* The values of all that comes before this part, in the order of the scan, into `room`. Returns their number. */
static size_t gather(const clscan__rank *rank, const clscan__held *held, const clscan__place *places,
                     clscan__values_of *values_of, const void *context, unsigned char *room)
{
    const size_t bytes = rank->sum_bytes;
    clscan__node *nodes = rank->ordered.gathered;
    uint64_t first = held->first;
    size_t all = clscan__nodes_of(0, first, nodes);

    if (all > 0)
        memcpy(room, held->before, all * bytes);

    for (size_t i = 0; i < rank->count; ++i) {
        const size_t next = rank->reverse ? rank->count - 1 - i : i;
        clscan__node own[CLSCAN__MOST_PART_NODES];
        size_t count;

        if (!clscan__rank_follows(rank, next))
            break;
        count = clscan__nodes_of(first, places[next].count, own);
        memcpy(room + all * bytes, values_of(context, next) + bytes, count * bytes);
        memcpy(nodes + all, own, count * sizeof *own);
        all += count;
        first += places[next].count;
    }
    return all;
}

static bool wants_total_alone(const clscan__held *held)
{
    return held->args.count == 0 && clscan__memory_is_given(&held->args.total);
}

clscan_status clscan__ordered_combine(clscan__rank *rank, const clscan__held *held, const clscan__place *places,
                                      clscan__values_of *values_of, const void *context, const void *initial,
                                      unsigned char *room, cl_event *came, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__ordered *ordered = &rank->ordered;
    clscan__node_stack stack = {.depth = 0};
    const size_t bytes = rank->sum_bytes;
    const size_t count = gather(rank, held, places, values_of, context, room + bytes);

    ordered->depth = 0;
    if (count == 0 || (held->args.count == 0 && !wants_total_alone(held)))
        return status;
    if (initial != NULL)
        memcpy(room, initial, bytes);
    CLSCAN__TRY_CL(clEnqueueWriteBuffer,
                   (rank->queue, ordered->nodes, CL_FALSE, 0, (1 + count) * bytes, room, 0, NULL, NULL));
    for (size_t i = 0; i < count; ++i)
        CLSCAN__TRY(clscan__folder_push(&ordered->folder, rank->queue, &stack, ordered->gathered[i].count,
                                        ordered->nodes, 1 + i, error));
    if (wants_total_alone(held))
        CLSCAN__TRY(clscan__folder_total(&ordered->folder, rank->queue, &stack, initial != NULL ? ordered->nodes : NULL,
                                         0, ordered->values, VALUE_TOTAL, error));
    else
        CLSCAN__TRY(clscan__folder_state(&ordered->folder, rank->queue, &stack, ordered->values, VALUE_STATE, error));
    ordered->depth = wants_total_alone(held) ? 1 : stack.depth;
    CLSCAN__TRY_CL(clEnqueueReadBuffer, (rank->queue, ordered->values, CL_FALSE,
                                         (wants_total_alone(held) ? VALUE_TOTAL : VALUE_STATE) * bytes,
                                         ordered->depth * bytes, room, 0, NULL, came));
    CLSCAN__TRY_CL(clFlush, (rank->queue));

cleanup:
    if (status != CLSCAN_OK)
        clFinish(rank->queue); /* `room` may be read */
    return status;
}

/* Enqueue: let the state be the values in `room`, once the scan of the run before is done with its own. The scan waits
 * for the events that are put behind `waits`, which are the caller's to release. Values go as patterns, which are read
 * before the call returns: so nothing here waits for that scan. */
static clscan_status put_state(clscan__rank *rank, const clscan__held *held, const unsigned char *room,
                               cl_event waits[2], cl_uint *wait_count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__ordered *ordered = &rank->ordered;
    const size_t bytes = rank->sum_bytes;
    const cl_event busy = busy_until(ordered);
    cl_event put = NULL, next;

    for (size_t i = 0; i < ordered->depth; ++i) {
        const cl_event *before = put != NULL ? &put : busy != NULL ? &busy : NULL;

        CLSCAN__TRY_CL(clEnqueueFillBuffer, (held->queue, ordered->state, room + i * bytes, bytes, i * bytes, bytes,
                                             before != NULL ? 1 : 0, before, &next));
        if (put != NULL)
            clReleaseEvent(put);
        put = next;
    }
    if (held->event_count > 0) {
        CLSCAN__TRY_CL(clEnqueueMarkerWithWaitList,
                       (held->queue, held->event_count, held->events, &waits[*wait_count]));
        ++*wait_count;
    }
    if (put == NULL && busy != NULL) {
        CLSCAN__TRY_CL(clRetainEvent, (busy));
        put = busy;
    }
    if (put != NULL)
        waits[(*wait_count)++] = put;
    put = NULL;

cleanup:
    if (put != NULL)
        clReleaseEvent(put);
    return status;
}

/* Enqueue: let the caller have the state that the scan of `scanned` leaves, which becomes the event of both. What no
 * part can follow is not asked for. */
static clscan_status take_state(clscan__rank *rank, const clscan__held *held, uint64_t end, cl_event *scanned,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__ordered *ordered = &rank->ordered;
    clscan__node nodes[CLSCAN__MOST_PART_NODES];
    const size_t bytes = clscan__nodes_of(0, end, nodes) * rank->sum_bytes;

    if (end % CLSCAN_REPRODUCIBLE_STEP != 0)
        return status;
    if (ordered->scanned != NULL)
        clReleaseEvent(ordered->scanned);
    ordered->scanned = *scanned;
    *scanned = NULL;
    CLSCAN__TRY_CL(clEnqueueReadBuffer,
                   (held->queue, ordered->state, CL_FALSE, 0, bytes, held->after, 1, &ordered->scanned, scanned));

cleanup:
    return status;
}

clscan_status clscan__ordered_scan(clscan__rank *rank, const clscan__held *held, uint64_t first, const void *initial,
                                   const unsigned char *room, bool is_last, cl_event *event, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__ordered *ordered = &rank->ordered;
    clscan_run_args args = held->args;
    const size_t bytes = rank->sum_bytes;
    const bool uses_state = first > 0 || held->after != NULL;
    cl_event waits[2];
    cl_uint wait_count = 0;

    if (initial != NULL)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = initial};
    if (first > 0 && wants_total_alone(held)) {
        CLSCAN__TRY_CL(clEnqueueFillBuffer,
                       (held->queue, args.total.buffer, room, bytes, (size_t)args.total.offset * bytes, bytes,
                        held->event_count, held->events, event));
    } else if (args.count > 0 || clscan__memory_is_given(&args.total)) {
        if (uses_state) {
            args.first = first;
            args.state = (clscan_memory){.buffer = ordered->state};
            CLSCAN__TRY(put_state(rank, held, room, waits, &wait_count, error));
        }
        CLSCAN__TRY(clscan_run(rank->scan.plan, rank->scan.workspace, held->queue, &args,
                               uses_state ? wait_count : held->event_count,
                               !uses_state      ? held->events
                               : wait_count > 0 ? waits
                                                : NULL,
                               event, error));
        if (is_last && held->after != NULL)
            CLSCAN__TRY(take_state(rank, held, first + args.count, event, error));
    } else {
        CLSCAN__TRY_CL(clEnqueueMarkerWithWaitList, (held->queue, held->event_count, held->events, event));
    }
    CLSCAN__TRY_CL(clRetainEvent, (*event));
    if (ordered->last != NULL)
        clReleaseEvent(ordered->last);
    ordered->last = *event;
    CLSCAN__TRY_CL(clFlush, (held->queue));

cleanup:
    for (cl_uint i = 0; i < wait_count; ++i)
        clReleaseEvent(waits[i]);
    return status;
}
