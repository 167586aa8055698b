#include "devices/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "devices/host_combine.h"

/* All events of an exchange stand in one array. */
enum { EVENTS_OF_EACH = 3 };

static void release(cl_event event)
{
    if (event != NULL)
        clReleaseEvent(event);
}

static void destroy(clscan__exchange *exchange)
{
    if (exchange == NULL)
        return;
    for (size_t i = 0; exchange->sums != NULL && i < EVENTS_OF_EACH * exchange->count; ++i)
        release(exchange->sums[i]);
    release(exchange->sums_are_there);
    release(exchange->given);
    release(exchange->taken);
    free(exchange->sums);
    if (exchange->borrowed != NULL)
        clscan__pinned_give_back(exchange->borrowed);
    else
        free(exchange->values);
    pthread_cond_destroy(&exchange->changed);
    pthread_mutex_destroy(&exchange->lock);
    free(exchange);
}

clscan_status clscan__exchange_create(size_t count, const size_t *parts, size_t value_bytes,
                                      const clscan__exchange_host *host, clscan__pinned *pinned,
                                      clscan__exchange **made, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__exchange *exchange = calloc(1, sizeof *exchange);

    CLSCAN__REQUIRE(exchange != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for what travels between devices");
    pthread_mutex_init(&exchange->lock, NULL);
    pthread_cond_init(&exchange->changed, NULL);
    exchange->count = count;
    memcpy(exchange->parts, parts, count * sizeof *parts);
    exchange->value_bytes = value_bytes;
    exchange->host = *host;
    exchange->sums = calloc(EVENTS_OF_EACH * count, sizeof *exchange->sums);
    if (clscan__pinned_borrow(pinned)) {
        exchange->borrowed = pinned;
        exchange->values = memset(clscan__pinned_bytes(pinned), 0, count * value_bytes);
    } else {
        exchange->values = calloc(count, value_bytes);
    }
    CLSCAN__REQUIRE(exchange->sums != NULL && exchange->values != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
                    "no memory for %zu sums that travel between devices", count);
    exchange->carries = exchange->sums + count;
    exchange->carries_are_there = exchange->carries + count;
    *made = exchange;
    exchange = NULL;

cleanup:
    destroy(exchange);
    return status;
}

clscan_status clscan__exchange_hold(clscan__exchange *exchange, clscan__exchange_step step, size_t index,
                                    cl_context context, clscan_error *error)
{
    cl_event *gate = step == CLSCAN__GIVE_SUMS ? &exchange->sums_are_there : &exchange->carries_are_there[index];
    cl_int code;

    *gate = clCreateUserEvent(context, &code);
    if (code == CL_SUCCESS)
        return CLSCAN_OK;
    *gate = NULL;
    return clscan__error_opencl(error, "clCreateUserEvent", code);
}

/* Where the event of a transfer is kept. */
static cl_event *event_of(clscan__exchange *exchange, clscan__exchange_step step, size_t index)
{
    switch (step) {
    case CLSCAN__TAKE_SUM:
        return &exchange->sums[index];
    case CLSCAN__GIVE_SUMS:
        return &exchange->given;
    case CLSCAN__TAKE_CARRIES:
        return &exchange->taken;
    default:
        return &exchange->carries[index];
    }
}

clscan_status clscan__exchange_transfer(clscan__exchange *exchange, clscan__exchange_step step, size_t index,
                                        cl_command_queue queue, cl_mem buffer, size_t offset_bytes, cl_uint wait_count,
                                        const cl_event *wait_list, cl_event *event, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool all = step == CLSCAN__GIVE_SUMS || step == CLSCAN__TAKE_CARRIES;
    const size_t size_bytes = (all ? exchange->count : 1) * exchange->value_bytes;
    unsigned char *values = exchange->values + index * exchange->value_bytes;
    cl_event *kept = event_of(exchange, step, index);

    if (step == CLSCAN__TAKE_SUM || step == CLSCAN__TAKE_CARRIES)
        CLSCAN__TRY_CL(clEnqueueReadBuffer,
                       (queue, buffer, CL_FALSE, offset_bytes, size_bytes, values, wait_count, wait_list, kept));
    else
        CLSCAN__TRY_CL(clEnqueueWriteBuffer,
                       (queue, buffer, CL_FALSE, offset_bytes, size_bytes, values, wait_count, wait_list, kept));
    *event = *kept;

cleanup:
    return status;
}

/* A call that fails for want of something may succeed the next time. Who waits would wait for ever. */
static void set(cl_event gate, cl_int code)
{
    if (clSetUserEventStatus(gate, code) != CL_SUCCESS && clSetUserEventStatus(gate, code) != CL_SUCCESS)
        clscan__log(CLSCAN_LOG_ERROR, "devices: clSetUserEventStatus failed; what waits for a sum waits for ever");
}

/* CL_COMPLETE, the error that the event was set to, or 1: unknown. */
static cl_int wait_for(cl_event event)
{
    cl_int state = CL_QUEUED;

    for (int turn = 0; turn < 2 && event != NULL; ++turn) {
        if (clWaitForEvents(1, &event) == CL_SUCCESS)
            return CL_COMPLETE;
        if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) == CL_SUCCESS &&
            state <= CL_COMPLETE)
            return state;
    }
    return event != NULL ? 1 : CL_COMPLETE;
}

/* Of several codes. Unknown is the worst, for then a transfer may still be going on. */
static cl_int worse(cl_int one, cl_int other)
{
    return one == 1 || other == CL_COMPLETE ? one : other;
}

static cl_int wait_for_all(const cl_event *events, size_t count)
{
    cl_int code = CL_COMPLETE;

    for (size_t i = 0; i < count; ++i)
        code = worse(code, wait_for(events[i]));
    return code;
}

/* Whoever waits for a failed step fails. */
static cl_int code_for_waiting(cl_int code)
{
    return code == 1 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : code;
}

void clscan__exchange_tell(clscan__exchange *exchange, clscan__exchange_stage stage)
{
    pthread_mutex_lock(&exchange->lock);
    exchange->stage = stage;
    pthread_cond_signal(&exchange->changed);
    pthread_mutex_unlock(&exchange->lock); /* who served may free it from here on */
}

/* Wait until the run is enqueued so far, or never will be; which one. */
static clscan__exchange_stage await(clscan__exchange *exchange, clscan__exchange_stage stage)
{
    clscan__exchange_stage told;

    pthread_mutex_lock(&exchange->lock);
    while (exchange->stage < stage)
        pthread_cond_wait(&exchange->changed, &exchange->lock);
    told = exchange->stage;
    pthread_mutex_unlock(&exchange->lock);
    return told;
}

void clscan__exchange_combine(clscan__exchange *exchange)
{
    const clscan__exchange_host *host = &exchange->host;

    if (host->scalars > 0)
        clscan__host_combine(host->type, host->op, host->reverse, exchange->values, exchange->count, host->scalars);
}

/* Nothing uses the memory of an exchange that ended with this code; unless that is unknown: memory is rather lost than
 * written to after it was freed. */
static void destroy_after(clscan__exchange *exchange, cl_int code)
{
    if (code != 1)
        destroy(exchange);
}

static cl_int wait_for_transfers(const clscan__exchange *exchange)
{
    const cl_int ended =
        worse(wait_for_all(exchange->sums, exchange->count), wait_for_all(exchange->carries, exchange->count));

    return worse(ended, worse(wait_for(exchange->given), wait_for(exchange->taken)));
}

/* Nobody else would say on which device a run failed that only enqueues. */
static cl_int wait_for_sums(const clscan__exchange *exchange)
{
    cl_int code = CL_COMPLETE;

    for (size_t i = 0; i < exchange->count; ++i) {
        const cl_int one = wait_for(exchange->sums[i]);

        if (one != CL_COMPLETE)
            clscan__log(CLSCAN_LOG_ERROR, "devices: the sum of args->parts[%zu] did not come (%s); the run fails",
                        exchange->parts[i], clscan_cl_error_name(code_for_waiting(one)));
        code = worse(code, one);
    }
    return code;
}

/* The same where a device combines sums, of which some may not have come. */
static cl_int wait_for_combination(const clscan__exchange *exchange, cl_int sums)
{
    const cl_int code = wait_for(exchange->taken);

    if (sums == CL_COMPLETE && code != CL_COMPLETE)
        clscan__log(CLSCAN_LOG_ERROR, "devices: members[0] did not combine the sums of the parts (%s); the run fails",
                    clscan_cl_error_name(code_for_waiting(code)));
    return worse(sums, code);
}

void clscan__exchange_serve(clscan__exchange *exchange)
{
    cl_int code = CL_COMPLETE;

    if (await(exchange, CLSCAN__SUMS_ENQUEUED) != CLSCAN__NOT_ENQUEUED)
        code = wait_for_sums(exchange);
    if (exchange->sums_are_there != NULL) {
        set(exchange->sums_are_there, code_for_waiting(code));
        if (await(exchange, CLSCAN__COMBINATION_ENQUEUED) != CLSCAN__NOT_ENQUEUED)
            code = wait_for_combination(exchange, code);
    } else if (code == CL_COMPLETE) {
        clscan__exchange_combine(exchange);
    }
    for (size_t i = 0; i < exchange->count; ++i)
        set(exchange->carries_are_there[i], code_for_waiting(code));
    await(exchange, CLSCAN__ALL_ENQUEUED);
    destroy_after(exchange, wait_for_transfers(exchange));
}

static clscan_status take(cl_event event, clscan_error *error)
{
    const cl_int code = wait_for(event);

    return code == CL_COMPLETE ? CLSCAN_OK : clscan__error_opencl(error, "clWaitForEvents", code_for_waiting(code));
}

clscan_status clscan__exchange_take_sum(const clscan__exchange *exchange, size_t index, clscan_error *error)
{
    return take(exchange->sums[index], error);
}

clscan_status clscan__exchange_take_carries(const clscan__exchange *exchange, clscan_error *error)
{
    return take(exchange->taken, error);
}

void clscan__exchange_end(clscan__exchange *exchange)
{
    if (exchange != NULL)
        destroy_after(exchange, wait_for_transfers(exchange));
}
