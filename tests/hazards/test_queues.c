/* Order between commands: queues of both kinds, wait lists, events, several queues, several
 * threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmocka_all.h"
#include "live.h"

enum { COUNT = 100000, THREADS = 4 };

/* Input by a seed, and the sums it must give. */
static void make(uint64_t seed, uint32_t *in, uint32_t *out)
{
    uint32_t sum = 0;
    clscan_generate(CLSCAN_GENERATE_UNIFORM, CLSCAN_UINT32, seed, 0, COUNT, in);
    for (size_t i = 0; i < COUNT; ++i)
        out[i] = sum += in[i];
}

static const clscan_problem sum_problem = {.struct_size = sizeof(clscan_problem),
                                           .type = CLSCAN_UINT32,
                                           .op = CLSCAN_ADD,
                                           .form = CLSCAN_INCLUSIVE,
                                           .direction = CLSCAN_FORWARD,
                                           .max_count = COUNT};

static uint32_t input[COUNT];
static uint32_t expected[COUNT];
static uint32_t got[COUNT];

static clscan_run_args args_for(cl_mem in, cl_mem out)
{
    return (clscan_run_args){
        .struct_size = sizeof(clscan_run_args), .in.buffer = in, .out.buffer = out, .count = COUNT};
}

/* No events at all: an in-order queue keeps write, scan and read apart. */
static void an_in_order_queue_needs_no_events(void **state)
{
    const test_live *live = *state;
    clscan_case_fixture fixture;
    clscan_error error = {0};

    test_prepare(live, &sum_problem, NULL, NULL, &fixture);
    cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, sizeof input, NULL);
    cl_mem out = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL);
    const clscan_run_args args = args_for(in, out);
    for (uint64_t seed = 0; seed < 20; ++seed) {
        make(seed, input, expected);
        assert_cl(clEnqueueWriteBuffer(live->queue, in, CL_FALSE, 0, sizeof input, input, 0, NULL, NULL));
        assert_status(CLSCAN_OK, clscan_run(fixture.plan, fixture.workspace, live->queue, &args, 0, NULL, NULL, &error),
                      &error);
        test_read(live, out, sizeof got, got);
        assert_memory_equal(got, expected, sizeof got);
    }
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clscan_case_release(&fixture);
}

/* write -> scan -> scan of the scan -> read, tied by events only. */
static void an_out_of_order_queue_follows_events(void **state)
{
    const test_live *live = *state;
    cl_command_queue queue = test_out_of_order_queue(live);
    clscan_case_fixture fixture;
    clscan_error error = {0};

    test_prepare(live, &sum_problem, NULL, NULL, &fixture);
    cl_mem in = test_buffer(live, CL_MEM_READ_WRITE, sizeof input, NULL);
    cl_mem middle = test_buffer(live, CL_MEM_READ_WRITE, sizeof input, NULL);
    cl_mem out = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL);
    const clscan_run_args first = args_for(in, middle);
    const clscan_run_args second = args_for(middle, out);
    for (uint64_t seed = 0; seed < 20; ++seed) {
        cl_event written;
        cl_event scanned[2];
        uint32_t sum = 0;

        make(seed, input, expected);
        for (size_t i = 0; i < COUNT; ++i)
            expected[i] = sum += expected[i];
        assert_cl(clEnqueueWriteBuffer(queue, in, CL_FALSE, 0, sizeof input, input, 0, NULL, &written));
        assert_status(CLSCAN_OK,
                      clscan_run(fixture.plan, fixture.workspace, queue, &first, 1, &written, &scanned[0], &error),
                      &error);
        assert_status(CLSCAN_OK,
                      clscan_run(fixture.plan, fixture.workspace, queue, &second, 1, &scanned[0], &scanned[1], &error),
                      &error);
        assert_cl(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 1, &scanned[1], NULL));
        assert_memory_equal(got, expected, sizeof got);
        clReleaseEvent(written);
        clReleaseEvent(scanned[0]);
        clReleaseEvent(scanned[1]);
    }
    clReleaseMemObject(in);
    clReleaseMemObject(middle);
    clReleaseMemObject(out);
    clscan_case_release(&fixture);
    clReleaseCommandQueue(queue);
}

/* The input is written after the scan was enqueued: a scan that does not wait gives the old sums.
 */
static void a_user_event_holds_the_scan(void **state)
{
    const test_live *live = *state;
    cl_command_queue queues[2] = {NULL, NULL};
    clscan_case_fixture fixture;
    clscan_error error = {0};
    cl_int code;

    queues[0] = clCreateCommandQueue(live->context, live->device, 0, &code);
    assert_cl(code);
    queues[1] = test_out_of_order_queue(live);
    test_prepare(live, &sum_problem, NULL, NULL, &fixture);
    assert_cl(clFinish(live->queue)); /* the binding; what follows waits for events alone */
    cl_mem in = test_buffer(live, CL_MEM_READ_WRITE, sizeof input, NULL);
    cl_mem out = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL);
    const clscan_run_args args = args_for(in, out);
    for (uint64_t seed = 0; seed < 10; ++seed) {
        cl_event scanned;
        cl_event go = clCreateUserEvent(live->context, &code);
        assert_cl(code);
        memset(input, 0x5a, sizeof input);
        assert_cl(clEnqueueWriteBuffer(live->queue, in, CL_TRUE, 0, sizeof input, input, 0, NULL, NULL));
        assert_status(CLSCAN_OK,
                      clscan_run(fixture.plan, fixture.workspace, queues[seed % 2], &args, 1, &go, &scanned, &error),
                      &error);
        assert_cl(clFlush(queues[seed % 2]));
        make(seed, input, expected);
        assert_cl(clEnqueueWriteBuffer(live->queue, in, CL_TRUE, 0, sizeof input, input, 0, NULL, NULL));
        assert_cl(clSetUserEventStatus(go, CL_COMPLETE));
        assert_cl(clWaitForEvents(1, &scanned));
        test_read(live, out, sizeof got, got);
        assert_memory_equal(got, expected, sizeof got);
        clReleaseEvent(scanned);
        clReleaseEvent(go);
    }
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clscan_case_release(&fixture);
    clReleaseCommandQueue(queues[0]);
    clReleaseCommandQueue(queues[1]);
}

/* Two queues that know nothing of each other use one workspace in turn. */
static void one_workspace_on_two_queues(void **state)
{
    const test_live *live = *state;
    cl_command_queue other = test_out_of_order_queue(live);
    clscan_case_fixture fixture;
    clscan_error error = {0};

    test_prepare(live, &sum_problem, NULL, NULL, &fixture);
    make(1, input, expected);
    cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, sizeof input, input);
    for (int round = 0; round < 10; ++round) {
        cl_mem outs[4];
        for (size_t i = 0; i < 4; ++i) {
            outs[i] = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL);
            const clscan_run_args args = args_for(in, outs[i]);
            assert_status(CLSCAN_OK,
                          clscan_run(fixture.plan, fixture.workspace, i % 2 == 0 ? live->queue : other, &args, 0, NULL,
                                     NULL, &error),
                          &error);
        }
        assert_cl(clFinish(live->queue));
        assert_cl(clFinish(other));
        for (size_t i = 0; i < 4; ++i) {
            test_read(live, outs[i], sizeof got, got);
            assert_memory_equal(got, expected, sizeof got);
            clReleaseMemObject(outs[i]);
        }
    }
    clReleaseMemObject(in);
    clscan_case_release(&fixture);
    clReleaseCommandQueue(other);
}

/* Runs one after the other without any event on an out-of-order queue, by one workspace. */
static void one_workspace_on_an_out_of_order_queue(void **state)
{
    const test_live *live = *state;
    cl_command_queue queue = test_out_of_order_queue(live);
    clscan_case_fixture fixture;
    clscan_error error = {0};
    enum { RUNS = 8 };
    cl_mem outs[RUNS];

    test_prepare(live, &sum_problem, NULL, NULL, &fixture);
    make(2, input, expected);
    cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, sizeof input, input);
    for (size_t i = 0; i < RUNS; ++i) {
        outs[i] = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL);
        const clscan_run_args args = args_for(in, outs[i]);
        assert_status(CLSCAN_OK, clscan_run(fixture.plan, fixture.workspace, queue, &args, 0, NULL, NULL, &error),
                      &error);
    }
    assert_cl(clFinish(queue));
    for (size_t i = 0; i < RUNS; ++i) {
        test_read(live, outs[i], sizeof got, got);
        assert_memory_equal(got, expected, sizeof got);
        clReleaseMemObject(outs[i]);
    }
    clReleaseMemObject(in);
    clscan_case_release(&fixture);
    clReleaseCommandQueue(queue);
}

static void the_event_carries_profiling_times(void **state)
{
    const test_live *live = *state;
    clscan_case_fixture fixture;
    clscan_error error = {0};
    cl_ulong start = 0;
    cl_ulong end = 0;
    cl_event scanned;
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(live->context, live->device, CL_QUEUE_PROFILING_ENABLE, &code);

    assert_cl(code);
    test_prepare(live, &sum_problem, NULL, NULL, &fixture);
    make(3, input, expected);
    cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, sizeof input, input);
    cl_mem out = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL);
    const clscan_run_args args = args_for(in, out);
    assert_status(CLSCAN_OK, clscan_run(fixture.plan, fixture.workspace, queue, &args, 0, NULL, &scanned, &error),
                  &error);
    assert_cl(clWaitForEvents(1, &scanned));
    assert_cl(clGetEventProfilingInfo(scanned, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
    assert_cl(clGetEventProfilingInfo(scanned, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    assert_true(end >= start && end > 0);
    clReleaseEvent(scanned);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clscan_case_release(&fixture);
    clReleaseCommandQueue(queue);
}

/* What a thread does; it reports by counts, since cmocka's asserts belong to the main thread. */
typedef struct worker {
    const test_live *live;
    const clscan_plan *plan;
    clscan_workspace *workspace; /* NULL: its own */
    uint64_t seed;
    atomic_int *stop; /* NULL: a fixed number of runs */
    unsigned rights;
    unsigned busy;
    unsigned wrongs;
} worker;

static void *work(void *argument)
{
    worker *me = argument;
    const cl_context context = me->live->context;
    uint32_t *in_data = malloc(COUNT * sizeof *in_data);
    uint32_t *want = malloc(COUNT * sizeof *want);
    uint32_t *have = malloc(COUNT * sizeof *have);
    clscan_workspace *own = NULL;
    cl_command_queue queue = NULL;
    cl_mem in = NULL;
    cl_mem out = NULL;
    cl_int code;

    if (in_data == NULL || want == NULL || have == NULL)
        goto failed;
    make(me->seed, in_data, want);
    queue = clCreateCommandQueue(context, me->live->device, 0, &code);
    if (code != CL_SUCCESS)
        goto failed;
    in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, COUNT * sizeof *in_data, in_data, &code);
    if (code != CL_SUCCESS)
        goto failed;
    out = clCreateBuffer(context, CL_MEM_READ_WRITE, COUNT * sizeof *have, NULL, &code);
    if (code != CL_SUCCESS)
        goto failed;
    if (me->workspace == NULL && (clscan_workspace_create(me->plan, &own, NULL) != CLSCAN_OK ||
                                  clscan_workspace_bind(own, queue, NULL, NULL) != CLSCAN_OK))
        goto failed;

    const clscan_run_args args = args_for(in, out);
    for (int run = 0; me->stop != NULL ? !*me->stop && run < 200000 : run < 25; ++run) {
        const clscan_status status =
            clscan_run(me->plan, me->workspace != NULL ? me->workspace : own, queue, &args, 0, NULL, NULL, NULL);
        if (status == CLSCAN_ERROR_WORKSPACE_BUSY && me->workspace != NULL) {
            if (++me->busy >= 3)
                *me->stop = 1;
            continue;
        }
        if (status != CLSCAN_OK ||
            clEnqueueReadBuffer(queue, out, CL_TRUE, 0, COUNT * sizeof *have, have, 0, NULL, NULL) != CL_SUCCESS ||
            memcmp(have, want, COUNT * sizeof *have) != 0)
            ++me->wrongs;
        else
            ++me->rights;
    }
    goto cleanup;

failed:
    ++me->wrongs;
cleanup:
    clscan_workspace_destroy(own);
    if (in != NULL)
        clReleaseMemObject(in);
    if (out != NULL)
        clReleaseMemObject(out);
    if (queue != NULL)
        clReleaseCommandQueue(queue);
    free(in_data);
    free(want);
    free(have);
    return NULL;
}

static void run_workers(worker *workers, size_t count)
{
    pthread_t threads[THREADS];
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void threads_share_a_plan(void **state)
{
    const test_live *live = *state;
    clscan_case_fixture fixture;
    worker workers[THREADS];

    test_prepare(live, &sum_problem, NULL, NULL, &fixture);
    for (size_t i = 0; i < THREADS; ++i)
        workers[i] = (worker){.live = live, .plan = fixture.plan, .seed = i};
    run_workers(workers, THREADS);
    for (size_t i = 0; i < THREADS; ++i) {
        assert_int_equal(workers[i].wrongs, 0);
        assert_int_equal(workers[i].rights, 25);
    }
    clscan_case_release(&fixture);
}

/* Two threads fight for one workspace until one of them was refused three times; whoever is let in
 * gets right results. */
static void a_busy_workspace_is_refused(void **state)
{
    const test_live *live = *state;
    clscan_case_fixture fixture;
    atomic_int stop = 0;
    worker workers[2];

    test_prepare(live, &sum_problem, NULL, NULL, &fixture);
    for (size_t i = 0; i < 2; ++i)
        workers[i] =
            (worker){.live = live, .plan = fixture.plan, .workspace = fixture.workspace, .seed = i, .stop = &stop};
    run_workers(workers, 2);
    print_message("refused %u and %u times, right %u and %u times\n", workers[0].busy, workers[1].busy,
                  workers[0].rights, workers[1].rights);
    assert_int_equal(workers[0].wrongs + workers[1].wrongs, 0);
    assert_true(workers[0].busy + workers[1].busy > 0);
    clscan_case_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_in_order_queue_needs_no_events),
        cmocka_unit_test(an_out_of_order_queue_follows_events),
        cmocka_unit_test(a_user_event_holds_the_scan),
        cmocka_unit_test(one_workspace_on_two_queues),
        cmocka_unit_test(one_workspace_on_an_out_of_order_queue),
        cmocka_unit_test(the_event_carries_profiling_times),
        cmocka_unit_test(threads_share_a_plan),
        cmocka_unit_test(a_busy_workspace_is_refused),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
