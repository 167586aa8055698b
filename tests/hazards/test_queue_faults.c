/* The order of a workspace's runs: how many commands it costs, and whether it outlives calls that fail.
 *
 * ctest runs this with OPENCL_LAYERS naming the fault layer (tests/support/fault_layer.c). */
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "cmocka_all.h"
#include "fault_control.h"
#include "live.h"

enum { COUNT = 500, FAULT_CODE = CL_OUT_OF_RESOURCES };

static fault_control layer;

static int setup(void **state)
{
    return fault_control_open(&layer) != 0 ? -1 : test_live_setup(state);
}

/* Of one launch, on every device. */
static const clscan_variant single = {.body = CLSCAN_BODY_STRIDED,
                                      .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE,
                                      .carry = CLSCAN_CARRY_SINGLE,
                                      .work_group_size = 16,
                                      .vector_length = 2,
                                      .register_pieces = 1,
                                      .local_pieces = 1};

/* Two inputs, the sums of each, and one output, which says whose run came last. */
typedef struct desk {
    const test_live *live;
    clscan_case_fixture fixture;
    cl_command_queue queues[3]; /* in-order, in-order, out-of-order */
    bool out_of_order;          /* is the last one? Not every device has such. */
    cl_mem ins[2], out;
    uint32_t sums[2][COUNT];
} desk;

static void open_desk(const test_live *live, desk *d)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &single};
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    cl_command_queue_properties properties = 0;
    uint32_t data[COUNT];
    cl_int code;

    *d = (desk){.live = live};
    test_prepare(live, &problem, NULL, &options, &d->fixture);
    for (size_t i = 0; i < 2; ++i) {
        uint32_t sum = 0;

        d->queues[i] = clCreateCommandQueue(live->context, live->device, 0, &code);
        assert_cl(code);
        clscan_generate(CLSCAN_GENERATE_UNIFORM, CLSCAN_UINT32, i, 0, COUNT, data);
        for (size_t k = 0; k < COUNT; ++k)
            d->sums[i][k] = sum += data[k];
        d->ins[i] = test_buffer(live, CL_MEM_READ_ONLY, sizeof data, data);
    }
    d->queues[2] = test_out_of_order_queue(live);
    assert_cl(clGetCommandQueueInfo(d->queues[2], CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    d->out_of_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    d->out = test_buffer(live, CL_MEM_READ_WRITE, sizeof data, NULL);
    assert_cl(clFinish(live->queue));
}

static void close_desk(desk *d)
{
    clscan_case_release(&d->fixture);
    for (size_t i = 0; i < 2; ++i)
        clReleaseMemObject(d->ins[i]);
    clReleaseMemObject(d->out);
    for (size_t i = 0; i < 3; ++i)
        clReleaseCommandQueue(d->queues[i]);
}

/* Enqueue the scan of one of the inputs. */
static clscan_status run(const desk *d, cl_command_queue queue, size_t which, cl_uint wait_count,
                         const cl_event *wait_list, cl_event *event, clscan_error *error)
{
    const clscan_run_args args = {
        .struct_size = sizeof args, .in.buffer = d->ins[which], .out.buffer = d->out, .count = COUNT};

    return clscan_run(d->fixture.plan, d->fixture.workspace, queue, &args, wait_count, wait_list, event, error);
}

static void finish(const desk *d)
{
    for (size_t i = 0; i < 3; ++i)
        assert_cl(clFinish(d->queues[i]));
}

/* Which input's sums are in the output? -1: neither's. */
static int result(const desk *d)
{
    uint32_t got[COUNT];

    test_read(d->live, d->out, sizeof got, got);
    for (int i = 0; i < 2; ++i)
        if (memcmp(got, d->sums[i], sizeof got) == 0)
            return i;
    return -1;
}

/* Let the workspace see that all queues are done, which it may see once something is ordered behind them. */
static void settle(const desk *d, cl_command_queue queue)
{
    for (int i = 0; i < 2; ++i) {
        clscan_error error = {0};

        assert_status(CLSCAN_OK, run(d, queue, 1, 0, NULL, NULL, &error), &error);
        finish(d);
    }
}

static cl_event user_event(const desk *d)
{
    cl_int code;
    const cl_event event = clCreateUserEvent(d->live->context, &code);

    assert_cl(code);
    return event;
}

/* Commands between runs cost more than runs: PoCL 3.1 took 30 s for 1000 runs with a marker in front of each. */
static void order_costs_no_command(void **state)
{
    static const cl_uint wait_counts[] = {0, 1, 2, 15, 16, 40};
    static const test_fault_call others[] = {TEST_FAULT_clEnqueueBarrierWithWaitList, TEST_FAULT_clEnqueueFillBuffer,
                                             TEST_FAULT_clEnqueueCopyBuffer, TEST_FAULT_clFlush};
    enum { RUNS = 1000, WAITING_RUNS = 100 };
    static desk d;
    cl_event waits[40];

    open_desk(*state, &d);
    for (size_t i = 0; i < 40; ++i) {
        waits[i] = user_event(&d);
        assert_cl(clSetUserEventStatus(waits[i], CL_COMPLETE));
    }
    for (size_t w = 0; w < sizeof wait_counts / sizeof wait_counts[0]; ++w) {
        const cl_uint wait_count = wait_counts[w];
        const unsigned runs = wait_count <= 1 ? RUNS : WAITING_RUNS;
        unsigned long before[TEST_FAULT_CALL_COUNT];
        clscan_error error = {0};

        assert_status(CLSCAN_OK, run(&d, d.queues[2], 0, 0, NULL, NULL, &error), &error);
        for (int c = 0; c < TEST_FAULT_CALL_COUNT; ++c)
            before[c] = layer.calls((test_fault_call)c);
        for (unsigned i = 0; i < runs; ++i)
            assert_status(CLSCAN_OK,
                          run(&d, d.queues[2], (i + 1) % 2, wait_count, wait_count > 0 ? waits : NULL, NULL, &error),
                          &error);
#define HAPPENED(call) (layer.calls(call) - before[call])
        assert_int_equal(HAPPENED(TEST_FAULT_clEnqueueNDRangeKernel), runs);
        /* Only what no array of a fixed size can hold. */
        assert_int_equal(HAPPENED(TEST_FAULT_clEnqueueMarkerWithWaitList),
                         d.out_of_order && wait_count > 15 ? runs : 0);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
            assert_int_equal(HAPPENED(others[i]), 0);
#undef HAPPENED
        finish(&d);
        assert_int_equal(result(&d), 0);
    }
    for (size_t i = 0; i < 40; ++i)
        clReleaseEvent(waits[i]);
    close_desk(&d);
}

/* A run waits for the run before it, for each event of the caller's, and nothing overtakes it. */
static void every_event_is_waited_for(void **state)
{
    static const cl_uint wait_counts[] = {1, 2, 15, 16, 17, 40};
    static desk d;
    cl_event done;

    open_desk(*state, &d);
    done = user_event(&d);
    assert_cl(clSetUserEventStatus(done, CL_COMPLETE));
    for (size_t pair = 0; pair < 9; ++pair) {
        for (size_t w = 0; w < 2 * sizeof wait_counts / sizeof wait_counts[0]; ++w) {
            const cl_uint wait_count = wait_counts[w / 2], held_at = w % 2 == 0 ? 0 : wait_count - 1;
            cl_command_queue first = d.queues[pair % 3], second = d.queues[pair / 3];
            cl_event go = user_event(&d), waits[40], event = NULL;
            clscan_error error = {0};
            cl_int told = CL_COMPLETE;

            for (cl_uint i = 0; i < wait_count; ++i)
                waits[i] = i == held_at ? go : done;
            assert_status(CLSCAN_OK, run(&d, first, 1, 0, NULL, NULL, &error), &error);
            assert_status(CLSCAN_OK, run(&d, first, 0, wait_count, waits, NULL, &error), &error);
            assert_status(CLSCAN_OK, run(&d, second, 1, 1, &done, &event, &error), &error);
            assert_cl(clFlush(first));
            assert_cl(clFlush(second));
            assert_cl(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof told, &told, NULL));
            assert_int_not_equal(told, CL_COMPLETE);
            assert_cl(clSetUserEventStatus(go, CL_COMPLETE));
            assert_cl(clWaitForEvents(1, &event)); /* clFinish of rusticl (Mesa 22.3.6) may return before */
            assert_int_equal(result(&d), 1);
            finish(&d);
            clReleaseEvent(event);
            clReleaseEvent(go);
        }
    }
    clReleaseEvent(done);
    close_desk(&d);
}

/* A run is held by an event; one behind it, on the same or another queue, meets a failing call; a third one must still
 * come after the first. Returns whether the fault was met. */
static int order_is_kept(const desk *d, cl_command_queue first, cl_command_queue second, test_fault_call call,
                         unsigned nth, cl_uint wait_count, const cl_event *wait_list)
{
    const fault_balance before = fault_balance_take(&layer);
    cl_event go = user_event(d), event = NULL, last = NULL;
    clscan_error error = {0};
    clscan_status status;
    int struck;

    assert_status(CLSCAN_OK, run(d, first, 0, 1, &go, NULL, &error), &error);
    layer.arm(call, nth, FAULT_CODE);
    status = run(d, second, 0, wait_count, wait_list, &event, &error);
    struck = layer.disarm();
    if (status != CLSCAN_OK) {
        assert_true(struck);
        assert_null(event);
        assert_int_equal(error.cl_code, FAULT_CODE);
        assert_true(status == CLSCAN_ERROR_OPENCL);
        assert_non_null(strstr(error.message, fault_call_name(call)));
    } else {
        assert_non_null(event);
    }
    assert_status(CLSCAN_OK, run(d, second, 1, 0, NULL, &last, &error), &error);
    assert_cl(clFlush(first));
    assert_cl(clFlush(second));
    assert_cl(clSetUserEventStatus(go, CL_COMPLETE));
    assert_cl(clWaitForEvents(1, &last));
    finish(d);
    if (result(d) != 1)
        fail_msg("call %u of %s failed: the run behind it did not come last", nth, fault_call_name(call));
    if (event != NULL) {
        assert_cl(clWaitForEvents(1, &event)); /* what was given is alive */
        clReleaseEvent(event);
    }
    clReleaseEvent(last);
    clReleaseEvent(go);
    settle(d, second);
    /* The workspace holds on to one queue and, if that is out-of-order, to one event. */
    assert_true(layer.live(TEST_FAULT_OBJECT_EVENT) - before.live[TEST_FAULT_OBJECT_EVENT] <= 1);
    assert_int_equal(layer.live(TEST_FAULT_OBJECT_QUEUE), before.live[TEST_FAULT_OBJECT_QUEUE]);
    return struck;
}

static void order_outlives_failing_calls(void **state)
{
    static const cl_uint wait_counts[] = {0, 1, 16};
    static desk d;
    const fault_balance before = fault_balance_take(&layer);
    unsigned met = 0, retains = 0;
    cl_event done, waits[16];

    open_desk(*state, &d);
    done = user_event(&d);
    assert_cl(clSetUserEventStatus(done, CL_COMPLETE));
    for (size_t i = 0; i < 16; ++i)
        waits[i] = done;
    for (size_t pair = 0; pair < 9; ++pair) {
        for (size_t w = 0; w < 3; ++w) {
            for (int c = 0; c < TEST_FAULT_CALL_COUNT; ++c) {
                unsigned nth = 1;

                while (order_is_kept(&d, d.queues[pair % 3], d.queues[pair / 3], (test_fault_call)c, nth,
                                     wait_counts[w], wait_counts[w] > 0 ? waits : NULL))
                    ++nth;
                met += nth - 1;
                retains += c == TEST_FAULT_clRetainEvent ? nth - 1 : 0;
            }
        }
    }
    clReleaseEvent(done);
    close_desk(&d);
    print_message("%u calls were made to fail, %u of them clRetainEvent\n", met, retains);
    assert_true(met >= 100 && (!d.out_of_order || retains >= 9));
    assert_int_equal(fault_balance_compare(&layer, &before, "in the end"), 0);
}

/* When the event fails that a run waits for. */
enum { EARLY, EARLY_AND_KNOWN, LATE, MOMENTS };

static void fail_event(cl_event fails, cl_event seen)
{
    assert_cl(clSetUserEventStatus(fails, FAULT_CODE));
    if (seen != NULL)
        clWaitForEvents(1, &seen);
}

/* One run is held, the next one fails with an event that it waits for, and a third one is enqueued before or after
 * that. A last run does not fail, and still comes after the first. */
static void check_failed_run(const desk *d, cl_command_queue first, cl_command_queue second, int moment)
{
    cl_event go = user_event(d), fails = user_event(d), failed = NULL, third = NULL, last = NULL;
    clscan_error error = {0};
    cl_int told = CL_COMPLETE;

    assert_status(CLSCAN_OK, run(d, first, 0, 1, &go, NULL, &error), &error);
    assert_status(CLSCAN_OK, run(d, first, 0, 1, &fails, &failed, &error), &error);
    assert_cl(clFlush(first));
    if (moment != LATE)
        fail_event(fails, moment == EARLY_AND_KNOWN ? failed : NULL);
    assert_status(CLSCAN_OK, run(d, second, 1, 0, NULL, &third, &error), &error);
    assert_cl(clFlush(second));
    if (moment == LATE)
        fail_event(fails, third);
    else
        assert_cl(clSetUserEventStatus(go, CL_COMPLETE));
    clWaitForEvents(1, &third); /* it fails if the other had not failed yet when it was enqueued */
    assert_status(CLSCAN_OK, run(d, second, 1, 0, NULL, &last, &error), &error);
    assert_cl(clFlush(second));
    if (moment == LATE)
        assert_cl(clSetUserEventStatus(go, CL_COMPLETE));
    assert_cl(clWaitForEvents(1, &last));
    finish(d);
    assert_int_equal(result(d), 1);
    assert_cl(clGetEventInfo(failed, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof told, &told, NULL));
    assert_true(told < 0);
    clReleaseEvent(last);
    clReleaseEvent(third);
    clReleaseEvent(failed);
    clReleaseEvent(fails);
    clReleaseEvent(go);
}

/* Look at an event for a second at most. */
static cl_int wait_for_state(cl_event event, cl_int wanted)
{
    cl_int state = CL_QUEUED;

    for (int i = 0; i < 100; ++i) {
        assert_cl(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        if (state <= wanted)
            break;
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    }
    return state;
}

/* Does the driver keep the order of an in-order queue behind a failed command? PoCL 3.1 waits for the last command,
 * which has ended, and a marker that is enqueued later cannot tell what is in front. */
static bool in_order_outlives_failure(const desk *d)
{
    cl_event go = user_event(d), fails = user_event(d), held, failed, behind;
    bool outlives = true;

    assert_cl(clEnqueueMarkerWithWaitList(d->queues[0], 1, &go, &held));
    assert_cl(clEnqueueMarkerWithWaitList(d->queues[0], 1, &fails, &failed));
    assert_cl(clFlush(d->queues[0]));
    fail_event(fails, NULL);
    if (wait_for_state(failed, -1) < CL_COMPLETE) {
        assert_cl(clEnqueueMarkerWithWaitList(d->queues[0], 0, NULL, &behind));
        assert_cl(clFlush(d->queues[0]));
        outlives = wait_for_state(behind, CL_COMPLETE) != CL_COMPLETE;
        clReleaseEvent(behind);
    }
    assert_cl(clSetUserEventStatus(go, CL_COMPLETE));
    finish(d);
    clReleaseEvent(failed);
    clReleaseEvent(held);
    clReleaseEvent(fails);
    clReleaseEvent(go);
    return outlives;
}

static void a_failed_run_fails_no_later_one(void **state)
{
    static desk d;
    const fault_balance before = fault_balance_take(&layer);
    size_t first = 0;

    open_desk(*state, &d);
    if (!in_order_outlives_failure(&d)) {
        print_message("this driver's in-order queues lose their order behind a failed command\n");
        first = 2;
    }
    for (; first < 3; ++first)
        for (size_t second = 0; second < 3; ++second)
            for (int moment = 0; moment < MOMENTS; ++moment)
                check_failed_run(&d, d.queues[first], d.queues[second], moment);
    close_desk(&d);
    assert_int_equal(fault_balance_compare(&layer, &before, "in the end"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_costs_no_command),
        cmocka_unit_test(every_event_is_waited_for),
        cmocka_unit_test(order_outlives_failing_calls),
        cmocka_unit_test(a_failed_run_fails_no_later_one),
    };
    return cmocka_run_group_tests(tests, setup, test_live_teardown);
}
