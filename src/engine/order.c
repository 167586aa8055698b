#include "engine/order.h"

#include <stdlib.h>

/* The state of an event: CL_COMPLETE, above that while it is not, below after a failure. */
static clscan_status state_of(cl_event event, cl_int *state, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__TRY_CL(clGetEventInfo, (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof *state, state, NULL));

cleanup:
    return status;
}

/* What waits for a failed command fails: put a marker in its place, which waits for all that is on the queue. A driver
 * may let that fail too, for something in front of it; then the next call does it again. */
static clscan_status mark_again(cl_command_queue queue, cl_event *event, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_event marker = NULL;

    CLSCAN__TRY_CL(clEnqueueMarkerWithWaitList, (queue, 0, NULL, &marker));
    clReleaseEvent(*event);
    *event = marker;

cleanup:
    return status;
}

static void drop_tail(clscan__order *order, size_t index)
{
    clReleaseEvent(order->tails[index].event);
    clReleaseCommandQueue(order->tails[index].queue);
    order->tails[index] = order->tails[--order->tail_count];
}

/* Forget the tails that are done and behind which something was ordered: to see an event complete orders nothing. */
static clscan_status look_at_tails(clscan__order *order, bool *failed, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = order->tail_count; i-- > 0;) {
        clscan__tail *tail = &order->tails[i];
        cl_int state = CL_COMPLETE;

        CLSCAN__TRY(state_of(tail->event, &state, error));
        if (state < CL_COMPLETE) {
            *failed = true;
            CLSCAN__TRY(mark_again(tail->queue, &tail->event, error));
            tail->awaited = false;
            CLSCAN__TRY_CL(clFlush, (tail->queue));
        } else if (state == CL_COMPLETE && tail->awaited) {
            drop_tail(order, i);
        }
    }

cleanup:
    return status;
}

static clscan_status look_at_last(clscan__order *order, bool *failed, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_int state = CL_COMPLETE;

    if (order->last == NULL)
        return status;
    CLSCAN__TRY(state_of(order->last, &state, error));
    if (state < CL_COMPLETE) {
        *failed = true;
        CLSCAN__TRY(mark_again(order->queue, &order->last, error));
    }

cleanup:
    return status;
}

/* Room for one more tail. Queues are few: those that are used in turn, and not done. */
static clscan_status make_room(clscan__order *order, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t capacity = order->tail_capacity > 0 ? 2 * order->tail_capacity : 4;
    clscan__tail *tails;

    if (order->tail_count < order->tail_capacity)
        return status;
    tails = realloc(order->tails, capacity * sizeof *tails);
    CLSCAN__REQUIRE(tails != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the order of %zu queues", capacity);
    order->tails = tails;
    order->tail_capacity = capacity;

cleanup:
    return status;
}

/* The tail of the queue of the last command, with an event of its own; a new one has none. */
static clscan_status own_tail(clscan__order *order, clscan__tail **tail, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < order->tail_count; ++i)
        if (order->tails[i].queue == order->queue) {
            *tail = &order->tails[i];
            return status;
        }
    CLSCAN__TRY(make_room(order, error));
    CLSCAN__TRY_CL(clRetainCommandQueue, (order->queue));
    *tail = &order->tails[order->tail_count++];
    **tail = (clscan__tail){.queue = order->queue};

cleanup:
    return status;
}

/* Give the queue of the last command a tail. */
static clscan_status leave_queue(clscan__order *order, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__tail *tail = NULL;
    cl_event event = order->last;

    if (!order->out_of_order)
        CLSCAN__TRY_CL(clEnqueueMarkerWithWaitList, (order->queue, 0, NULL, &event));
    if (event != NULL) {
        CLSCAN__TRY(own_tail(order, &tail, error));
        if (tail->event != NULL)
            clReleaseEvent(tail->event);
        tail->event = event;
        tail->awaited = false;
        order->last = NULL;
        event = NULL;
    }
    /* The next queue waits for this one, which its owner may not flush. */
    CLSCAN__TRY_CL(clFlush, (order->queue));

cleanup:
    if (event != NULL && event != order->last)
        clReleaseEvent(event);
    return status;
}

static clscan_status change_queue(clscan__order *order, cl_command_queue queue, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_command_queue_properties properties = 0;

    CLSCAN__TRY_CL(clGetCommandQueueInfo, (queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    if (order->queue != NULL)
        CLSCAN__TRY(leave_queue(order, error));
    CLSCAN__TRY_CL(clRetainCommandQueue, (queue));
    if (order->queue != NULL)
        clReleaseCommandQueue(order->queue);
    order->queue = queue;
    order->out_of_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;

cleanup:
    return status;
}

clscan_status clscan__order_begin(clscan__order *order, clscan__sequence *sequence, cl_command_queue queue,
                                  cl_uint wait_count, const cl_event *wait_list, bool *failed, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    *failed = false;
    CLSCAN__TRY(look_at_tails(order, failed, error));
    CLSCAN__TRY(look_at_last(order, failed, error));
    if (order->queue != queue)
        CLSCAN__TRY(change_queue(order, queue, error));
    CLSCAN__TRY(
        clscan__sequence_begin(sequence, queue, order->out_of_order, wait_count, wait_list, order->last, error));
    order->last = NULL;
    for (size_t i = 0; i < order->tail_count && status == CLSCAN_OK; ++i)
        status = clscan__sequence_await(sequence, order->tails[i].event, error);
    if (status != CLSCAN_OK)
        clscan__order_end(order, sequence);

cleanup:
    return status;
}

void clscan__order_end(clscan__order *order, clscan__sequence *sequence)
{
    for (size_t i = 0; i < order->tail_count && sequence->begun; ++i)
        order->tails[i].awaited = true;
    if (order->out_of_order) {
        order->last = sequence->last;
        sequence->last = NULL;
    }
    clscan__sequence_end(sequence);
}

void clscan__order_close(clscan__order *order)
{
    while (order->tail_count > 0)
        drop_tail(order, order->tail_count - 1);
    free(order->tails);
    if (order->last != NULL)
        clReleaseEvent(order->last);
    if (order->queue != NULL)
        clReleaseCommandQueue(order->queue);
    *order = (clscan__order){0};
}
