#include "held.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static clscan_status hold_buffer(clscan__held *held, const clscan_memory *memory, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (memory->kind != CLSCAN_MEMORY_BUFFER || memory->buffer == NULL)
        return status;
    CLSCAN__TRY_CL(clRetainMemObject, (memory->buffer));
    held->buffers[held->buffer_count++] = memory->buffer;

cleanup:
    return status;
}

/* Let a value of the host's stand in `room`. */
static void hold_value(clscan_memory *memory, unsigned char *room, size_t size_bytes)
{
    memcpy(room, (const unsigned char *)memory->pointer + memory->offset * size_bytes, size_bytes);
    *memory = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = room};
}

static clscan_status hold_events(clscan__held *held, cl_context context, cl_uint wait_count, const cl_event *wait_list,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_context other;

    if (wait_count == 0)
        return status;
    held->events = malloc(wait_count * sizeof *held->events);
    CLSCAN__REQUIRE(held->events != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for %u events", (unsigned)wait_count);
    for (cl_uint i = 0; i < wait_count; ++i) {
        CLSCAN__REQUIRE(wait_list[i] != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "wait_list[%u] is NULL", (unsigned)i);
        CLSCAN__TRY_CL(clGetEventInfo, (wait_list[i], CL_EVENT_CONTEXT, sizeof other, &other, NULL));
        CLSCAN__REQUIRE(other == context, CLSCAN_ERROR_WRONG_CONTEXT, "wait_list[%u] belongs to another context",
                        (unsigned)i);
        CLSCAN__TRY_CL(clRetainEvent, (wait_list[i]));
        held->events[held->event_count++] = wait_list[i];
    }

cleanup:
    return status;
}

clscan_status clscan__hold(clscan__held *held, cl_command_queue queue, const clscan_run_args *args, size_t sum_bytes,
                           const size_t *value_bytes, cl_uint wait_count, const cl_event *wait_list,
                           clscan_error *error)
{
    clscan_status status;
    cl_context context;

    CLSCAN__TRY_CL(clGetCommandQueueInfo, (queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL));
    CLSCAN__TRY_CL(clRetainCommandQueue, (queue));
    held->queue = queue;
    CLSCAN__TRY(hold_events(held, context, wait_count, wait_list, error));
    held->args = *args;
    CLSCAN__TRY(hold_buffer(held, &args->in, error));
    CLSCAN__TRY(hold_buffer(held, &args->out, error));
    CLSCAN__TRY(hold_buffer(held, &args->initial, error));
    CLSCAN__TRY(hold_buffer(held, &args->total, error));
    if (clscan__memory_is_given(&args->initial) && args->initial.kind == CLSCAN_MEMORY_HOST)
        hold_value(&held->args.initial, held->initial, sum_bytes);
    if (args->map_argument_count == 0)
        return status;
    held->args.map_arguments = held->map_arguments;
    for (uint64_t i = 0; i < args->map_argument_count; ++i) {
        held->map_arguments[i] = args->map_arguments[i];
        CLSCAN__TRY(hold_buffer(held, &held->map_arguments[i], error));
        if (value_bytes[i] > 0)
            hold_value(&held->map_arguments[i], held->values[i], value_bytes[i]);
    }

cleanup:
    return status;
}

clscan_status clscan__hold_state(clscan__held *held, const clscan_run_args *args, size_t sum_bytes, size_t value_count,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (args->state.kind != CLSCAN_MEMORY_HOST || args->state.pointer == NULL)
        return status;
    held->first = args->first;
    held->after = (unsigned char *)(uintptr_t)args->state.pointer + args->state.offset * sum_bytes;
    held->before = malloc((value_count + 1) * sum_bytes);
    CLSCAN__REQUIRE(held->before != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the state of a scan");
    memcpy(held->before, held->after, value_count * sum_bytes);

cleanup:
    return status;
}

void clscan__drop(clscan__held *held)
{
    free(held->before);
    for (size_t i = 0; i < held->buffer_count; ++i)
        clReleaseMemObject(held->buffers[i]);
    for (cl_uint i = 0; i < held->event_count; ++i)
        clReleaseEvent(held->events[i]);
    free(held->events);
    if (held->summed != NULL)
        clReleaseEvent(held->summed);
    if (held->queue != NULL)
        clReleaseCommandQueue(held->queue);
    *held = (clscan__held){.queue = NULL};
}
