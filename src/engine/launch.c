#include "engine/launch.h"

#include <string.h>

/* The event argument of the next command, or NULL where nobody needs one: events cost time. */
static cl_event *event_slot(const clscan__sequence *sequence, bool final, cl_event *event)
{
    return sequence->out_of_order || (final && sequence->want_last) ? event : NULL;
}

/* A command was enqueued: the next one waits for it alone. */
static void advance(clscan__sequence *sequence, cl_event event)
{
    if (sequence->last != NULL)
        clReleaseEvent(sequence->last);
    sequence->last = event;
    sequence->begun = true;
    sequence->wait_count = sequence->out_of_order ? 1 : 0;
    sequence->wait_list = sequence->out_of_order ? &sequence->last : NULL;
}

/* One command that waits for all that the next one would wait for, which then waits for it alone. */
static clscan_status join(clscan__sequence *sequence, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_event marker = NULL;

    CLSCAN__TRY_CL(clEnqueueMarkerWithWaitList, (sequence->queue, sequence->wait_count, sequence->wait_list, &marker));
    if (sequence->marker != NULL)
        clReleaseEvent(sequence->marker);
    sequence->marker = marker;
    sequence->wait_count = 1;
    sequence->wait_list = &sequence->marker;

cleanup:
    return status;
}

/* Without memory for however many. Only as few commands as can be: each one between two runs makes PoCL 3.1 slower with
 * the number of runs that are enqueued, more than linearly. */
clscan_status clscan__sequence_await(clscan__sequence *sequence, cl_event event, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (sequence->wait_count >= CLSCAN__JOINED_EVENTS)
        CLSCAN__TRY(join(sequence, error));
    if (sequence->wait_list != sequence->joined && sequence->wait_count > 0)
        memcpy(sequence->joined, sequence->wait_list, sequence->wait_count * sizeof *sequence->wait_list);
    sequence->joined[sequence->wait_count++] = event;
    sequence->wait_list = sequence->joined;

cleanup:
    return status;
}

clscan_status clscan__sequence_begin(clscan__sequence *sequence, cl_command_queue queue, bool out_of_order,
                                     cl_uint wait_count, const cl_event *wait_list, cl_event dependency,
                                     clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    sequence->queue = queue;
    sequence->out_of_order = out_of_order;
    sequence->wait_count = wait_count;
    sequence->wait_list = wait_list;
    if (dependency != NULL)
        CLSCAN__TRY(clscan__sequence_await(sequence, dependency, error));
    sequence->last = dependency;

cleanup:
    return status;
}

clscan_status clscan__sequence_event(clscan__sequence *sequence, cl_event *event, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    /* Nothing else needs it on an in-order queue. */
    if (sequence->out_of_order)
        CLSCAN__TRY_CL(clRetainEvent, (sequence->last));
    *event = sequence->last;
    if (!sequence->out_of_order)
        sequence->last = NULL;

cleanup:
    return status;
}

clscan_status clscan__sequence_kernel(clscan__sequence *sequence, cl_kernel kernel, uint64_t work_groups,
                                      uint32_t work_group_size, bool final, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t local_size = work_group_size;
    const size_t global_size = (size_t)work_groups * local_size;
    cl_event event = NULL;

    CLSCAN__TRY_CL(clEnqueueNDRangeKernel,
                   (sequence->queue, kernel, 1, NULL, &global_size, &local_size, sequence->wait_count,
                    sequence->wait_list, event_slot(sequence, final, &event)));
    advance(sequence, event);

cleanup:
    return status;
}

clscan_status clscan__sequence_fill(clscan__sequence *sequence, cl_mem buffer, const void *pattern,
                                    size_t pattern_bytes, uint64_t offset_bytes, uint64_t size_bytes,
                                    clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_event event = NULL;

    CLSCAN__TRY_CL(clEnqueueFillBuffer,
                   (sequence->queue, buffer, pattern, pattern_bytes, (size_t)offset_bytes, (size_t)size_bytes,
                    sequence->wait_count, sequence->wait_list, event_slot(sequence, false, &event)));
    advance(sequence, event);

cleanup:
    return status;
}

clscan_status clscan__sequence_copy(clscan__sequence *sequence, cl_mem from, uint64_t from_bytes, cl_mem to,
                                    uint64_t to_bytes, uint64_t size_bytes, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_event event = NULL;

    CLSCAN__TRY_CL(clEnqueueCopyBuffer,
                   (sequence->queue, from, to, (size_t)from_bytes, (size_t)to_bytes, (size_t)size_bytes,
                    sequence->wait_count, sequence->wait_list, event_slot(sequence, false, &event)));
    advance(sequence, event);

cleanup:
    return status;
}

clscan_status clscan__sequence_marker(clscan__sequence *sequence, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_event event = NULL;

    CLSCAN__TRY_CL(clEnqueueMarkerWithWaitList,
                   (sequence->queue, sequence->wait_count, sequence->wait_list, event_slot(sequence, true, &event)));
    advance(sequence, event);

cleanup:
    return status;
}

void clscan__sequence_end(clscan__sequence *sequence)
{
    if (sequence->last != NULL)
        clReleaseEvent(sequence->last);
    if (sequence->marker != NULL)
        clReleaseEvent(sequence->marker);
    sequence->last = NULL;
    sequence->marker = NULL;
}
