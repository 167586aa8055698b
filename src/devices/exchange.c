#include "devices/exchange.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/log.h"

/* User events that are set together, and once. */
typedef struct gates {
    atomic_flag set;
    size_t count;
    cl_event *events;
} gates;

struct clscan__exchange {
    atomic_size_t references; /* the run's, and one for each transfer that may still use `values` */
    atomic_size_t missing;    /* sums */
    atomic_int code;          /* of the first failure on a device; CL_SUCCESS: none */
    size_t count;
    size_t value_bytes;
    gates sums, carries; /* sums.count is 0 where nothing is combined */
    cl_event *events;    /* of both */
    unsigned char *values;
};

static void set_one(cl_event gate, cl_int code)
{
    if (clSetUserEventStatus(gate, code) == CL_SUCCESS)
        return;
    clscan__log(CLSCAN_LOG_ERROR, "devices: clSetUserEventStatus failed; a run over several devices fails with it");
    clSetUserEventStatus(gate, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

/* CL_COMPLETE lets those go on who wait, an error ends them. */
static void set(gates *these, cl_int code)
{
    if (atomic_flag_test_and_set(&these->set))
        return;
    for (size_t i = 0; i < these->count; ++i)
        set_one(these->events[i], code);
}

void clscan__exchange_abandon(clscan__exchange *exchange)
{
    set(&exchange->sums, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    set(&exchange->carries, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

void clscan__exchange_let_go(clscan__exchange *exchange)
{
    if (exchange == NULL || atomic_fetch_sub(&exchange->references, 1) > 1)
        return;
    for (size_t i = 0; i < exchange->sums.count + exchange->carries.count; ++i)
        if (exchange->events[i] != NULL)
            clReleaseEvent(exchange->events[i]);
    free(exchange->events);
    free(exchange->values);
    free(exchange);
}

static clscan_status create_gate(cl_context context, cl_event *gate, clscan_error *error)
{
    cl_int code;

    *gate = clCreateUserEvent(context, &code);
    if (code == CL_SUCCESS)
        return CLSCAN_OK;
    *gate = NULL;
    return clscan__error_opencl(error, "clCreateUserEvent", code);
}

clscan_status clscan__exchange_create(size_t count, size_t value_bytes, const cl_context *contexts, cl_context combines,
                                      clscan__exchange **made, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__exchange *exchange = calloc(1, sizeof *exchange);

    CLSCAN__REQUIRE(exchange != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for what travels between devices");
    atomic_init(&exchange->references, 1);
    atomic_init(&exchange->missing, count);
    atomic_init(&exchange->code, CL_SUCCESS);
    atomic_flag_clear(&exchange->sums.set);
    atomic_flag_clear(&exchange->carries.set);
    exchange->count = count;
    exchange->value_bytes = value_bytes;
    exchange->events = calloc(count + 1, sizeof *exchange->events);
    exchange->values = malloc(count * value_bytes);
    CLSCAN__REQUIRE(exchange->events != NULL && exchange->values != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
                    "no memory for %zu sums that travel between devices", count);
    exchange->sums = (gates){.set = ATOMIC_FLAG_INIT, .count = combines != NULL, .events = exchange->events};
    exchange->carries =
        (gates){.set = ATOMIC_FLAG_INIT, .count = count, .events = exchange->events + exchange->sums.count};
    if (combines != NULL)
        CLSCAN__TRY(create_gate(combines, &exchange->sums.events[0], error));
    for (size_t i = 0; i < count; ++i)
        CLSCAN__TRY(create_gate(contexts[i], &exchange->carries.events[i], error));
    *made = exchange;
    exchange = NULL;

cleanup:
    clscan__exchange_let_go(exchange);
    return status;
}

cl_event clscan__exchange_sums_are_there(const clscan__exchange *exchange)
{
    return exchange->sums.events[0];
}

cl_event clscan__exchange_carry_is_there(const clscan__exchange *exchange, size_t index)
{
    return exchange->carries.events[index];
}

/* The first failure ends all who wait. */
static bool failed(clscan__exchange *exchange, cl_int code)
{
    int none = CL_SUCCESS;

    if (code >= 0)
        return false;
    if (atomic_compare_exchange_strong(&exchange->code, &none, code))
        clscan__log(CLSCAN_LOG_ERROR,
                    "devices: a sum did not arrive (%s, %d); a run over several devices fails with it",
                    clscan_cl_error_name(code), (int)code);
    set(&exchange->sums, code);
    set(&exchange->carries, code);
    return true;
}

static void CL_CALLBACK sum_is_there(cl_event event, cl_int code, void *user)
{
    clscan__exchange *exchange = user;

    (void)event;
    if (!failed(exchange, code) && atomic_fetch_sub(&exchange->missing, 1) == 1)
        set(exchange->sums.count > 0 ? &exchange->sums : &exchange->carries, CL_COMPLETE);
    clscan__exchange_let_go(exchange);
}

static void CL_CALLBACK carries_are_there(cl_event event, cl_int code, void *user)
{
    clscan__exchange *exchange = user;

    (void)event;
    if (!failed(exchange, code))
        set(&exchange->carries, CL_COMPLETE);
    clscan__exchange_let_go(exchange);
}

static void CL_CALLBACK is_given(cl_event event, cl_int code, void *user)
{
    (void)event;
    (void)code; /* who waits for it fails with it */
    clscan__exchange_let_go(user);
}

/* Keep the exchange until the event has come. */
static clscan_status watch(clscan__exchange *exchange, cl_event event,
                           void(CL_CALLBACK *notify)(cl_event, cl_int, void *), clscan_error *error)
{
    cl_int code;

    atomic_fetch_add(&exchange->references, 1);
    code = clSetEventCallback(event, CL_COMPLETE, notify, exchange);
    if (code == CL_SUCCESS)
        return CLSCAN_OK;
    /* The run fails. Memory that nobody knows the end of is rather lost than written to after it was freed. */
    clscan__exchange_abandon(exchange);
    clSetEventCallback(event, CL_COMPLETE, is_given, exchange);
    return clscan__error_opencl(error, "clSetEventCallback", code);
}

clscan_status clscan__exchange_transfer(clscan__exchange *exchange, clscan__exchange_step step, size_t index,
                                        cl_command_queue queue, cl_mem buffer, size_t offset_bytes, cl_uint wait_count,
                                        const cl_event *wait_list, cl_event *event, clscan_error *error)
{
    static const struct {
        bool reads, all;
        void(CL_CALLBACK *notify)(cl_event, cl_int, void *);
    } steps[] = {
        [CLSCAN__TAKE_SUM] = {true, false, sum_is_there},
        [CLSCAN__GIVE_SUMS] = {false, true, is_given},
        [CLSCAN__TAKE_CARRIES] = {true, true, carries_are_there},
        [CLSCAN__GIVE_CARRY] = {false, false, is_given},
    };
    clscan_status status = CLSCAN_OK;
    unsigned char *values = exchange->values + index * exchange->value_bytes;
    const size_t size_bytes = (steps[step].all ? exchange->count : 1) * exchange->value_bytes;

    if (steps[step].reads)
        CLSCAN__TRY_CL(clEnqueueReadBuffer,
                       (queue, buffer, CL_FALSE, offset_bytes, size_bytes, values, wait_count, wait_list, event));
    else
        CLSCAN__TRY_CL(clEnqueueWriteBuffer,
                       (queue, buffer, CL_FALSE, offset_bytes, size_bytes, values, wait_count, wait_list, event));
    CLSCAN__TRY(watch(exchange, *event, steps[step].notify, error));

cleanup:
    return status;
}
