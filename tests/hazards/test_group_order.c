/* Groups of devices and time: calls that do not wait, runs that overtake, groups that share queues, events that fail,
 * and groups that are released while they run. */
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "group_rig.h"

enum { COUNT = 2000, RUNS = 6, HANG_S = 900 };

static const group_case parts = {
    .counts = {COUNT, 700, 0, 1300}, .total = true, .initial = CLSCAN_CASE_HOST_INITIAL, .seed = 3};

typedef struct bench {
    group_rig rig;
    clscan_problem problem;
    clscan_devices *group;
} bench;

static void open_bench(bench *b, const test_live *live, size_t count, bool out_of_order)
{
    clscan_error error = {0};

    assert_true(group_rig_open(&b->rig, live, GROUP_OF_QUEUES, count, out_of_order));
    b->problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, COUNT);
    assert_status(CLSCAN_OK, clscan_devices_create(b->rig.members, count, &b->problem, NULL, &b->group, &error),
                  &error);
}

static void close_bench(bench *b)
{
    clscan_devices_destroy(b->group);
    group_rig_close(&b->rig);
}

static cl_event user_event(const bench *b)
{
    cl_int code;
    const cl_event event = clCreateUserEvent(b->rig.members[0].context, &code);

    assert_cl(code);
    return event;
}

static cl_int state_of(cl_event event)
{
    cl_int state = 77;

    assert_cl(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    return state;
}

static void wait_and_release(cl_event *events, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        clWaitForEvents(1, &events[i]);
        clReleaseEvent(events[i]);
    }
}

/* Each part in turn is held by an event; those behind it wait, and the call does not. */
static void the_call_does_not_wait(void **state)
{
    bench b;

    for (size_t held = 0; held < GROUP_MOST; ++held) {
        group_work work;
        cl_event go, events[GROUP_MOST];
        clscan_error error = {0};

        open_bench(&b, *state, GROUP_MOST, held % 2 == 1);
        assert_true(group_work_prepare(&work, &b.rig, &b.problem, NULL, &parts));
        go = user_event(&b);
        work.parts[held].wait_count = 1;
        work.parts[held].wait_list = &go;
        assert_status(CLSCAN_OK, clscan_devices_run(b.group, &work.args, events, &error), &error);
        assert_true(state_of(events[held]) > CL_COMPLETE);
        assert_true(held == 2 || state_of(events[3]) > CL_COMPLETE); /* it has no elements, and no sum */
        assert_cl(clSetUserEventStatus(go, CL_COMPLETE));
        wait_and_release(events, GROUP_MOST);
        clReleaseEvent(go);
        assert_int_equal(group_work_compare(&work), 0);
        group_work_free(&work);
        close_bench(&b);
    }
}

/* A call that may wait does so for sums, and not for scans: the part where the scan ends has none. */
static void a_blocking_call_waits_for_sums(void **state)
{
    bench b;
    group_case test = parts;
    group_work work;
    cl_event go, events[GROUP_MOST];
    clscan_error error = {0};

    test.blocking = true;
    open_bench(&b, *state, GROUP_MOST, false);
    assert_true(group_work_prepare(&work, &b.rig, &b.problem, NULL, &test));
    go = user_event(&b);
    work.parts[3].wait_count = 1;
    work.parts[3].wait_list = &go;
    assert_status(CLSCAN_OK, clscan_devices_run(b.group, &work.args, events, &error), &error);
    assert_true(state_of(events[3]) > CL_COMPLETE);
    assert_cl(clSetUserEventStatus(go, CL_COMPLETE));
    wait_and_release(events, GROUP_MOST);
    clReleaseEvent(go);
    assert_int_equal(group_work_compare(&work), 0);
    group_work_free(&work);
    close_bench(&b);
}

static void *let_go(void *user)
{
    const struct timespec pause = {.tv_nsec = 20000000};

    nanosleep(&pause, NULL);
    clSetUserEventStatus(*(cl_event *)user, CL_COMPLETE);
    return NULL;
}

/* What a sum waits for may come from another thread. */
static void a_blocking_call_waits_for_others(void **state)
{
    bench b;
    group_case test = parts;
    group_work work;
    cl_event go;
    pthread_t thread;
    clscan_error error = {0};

    test.blocking = true;
    open_bench(&b, *state, GROUP_MOST, false);
    assert_true(group_work_prepare(&work, &b.rig, &b.problem, NULL, &test));
    go = user_event(&b);
    work.parts[1].wait_count = 1;
    work.parts[1].wait_list = &go;
    assert_int_equal(pthread_create(&thread, NULL, let_go, &go), 0);
    assert_status(CLSCAN_OK, clscan_devices_run(b.group, &work.args, NULL, &error), &error);
    assert_int_equal(state_of(go), CL_COMPLETE);
    pthread_join(thread, NULL);
    clReleaseEvent(go);
    for (size_t i = 0; i < GROUP_MOST; ++i)
        assert_cl(clFinish(b.rig.members[i].queue));
    assert_int_equal(group_work_compare(&work), 0);
    group_work_free(&work);
    close_bench(&b);
}

/* Runs of different sizes one behind the other, which reuse where sums and carries stand. */
static void runs_follow_each_other(void **state)
{
    static const uint64_t counts[][GROUP_MOST] = {{COUNT, 5, 0, 9}, {0, 0, 7, 0}, {3, COUNT, COUNT, 1}};

    for (size_t order = 0; order < 2; ++order) {
        bench b;
        group_case tests[RUNS];
        group_work works[RUNS];
        cl_event go, events[RUNS][GROUP_MOST];
        clscan_error error = {0};

        open_bench(&b, *state, GROUP_MOST, order == 1);
        go = user_event(&b);
        for (size_t i = 0; i < RUNS; ++i) {
            tests[i] = parts;
            tests[i].seed = i;
            tests[i].blocking = i == RUNS - 1; /* when nothing holds those before it */
            if (tests[i].blocking)
                assert_cl(clSetUserEventStatus(go, CL_COMPLETE));
            memcpy(tests[i].counts, counts[i % 3], sizeof counts[0]);
            assert_true(group_work_prepare(&works[i], &b.rig, &b.problem, NULL, &tests[i]));
            if (i % 3 == 0) {
                works[i].parts[i % 2].wait_count = 1;
                works[i].parts[i % 2].wait_list = &go;
            }
            assert_status(CLSCAN_OK, clscan_devices_run(b.group, &works[i].args, events[i], &error), &error);
        }
        for (size_t i = RUNS; i-- > 0;)
            wait_and_release(events[i], GROUP_MOST);
        clReleaseEvent(go);
        for (size_t i = 0; i < RUNS; ++i) {
            assert_int_equal(group_work_compare(&works[i]), 0);
            group_work_free(&works[i]);
        }
        close_bench(&b);
    }
}

typedef struct lane {
    bench *b;
    clscan_devices *group;
    unsigned wrong;
} lane;

static void *run_many(void *user)
{
    lane *l = user;

    for (uint64_t seed = 0; seed < RUNS; ++seed) {
        group_case test = parts;
        group_work work;
        cl_event events[GROUP_MOST];

        test.seed = seed;
        if (!group_work_prepare(&work, &l->b->rig, &l->b->problem, NULL, &test) ||
            clscan_devices_run(l->group, &work.args, events, NULL) != CLSCAN_OK) {
            ++l->wrong;
        } else {
            wait_and_release(events, GROUP_MOST);
            l->wrong += group_work_compare(&work);
        }
        group_work_free(&work);
    }
    return NULL;
}

/* On the same in-order queues, one of them in the reverse order of devices; by two threads at once. Mesa's rusticl
 * (22.3.6) may let such threads wait for each other for ever, one in clFlush(), one in a blocking read. */
static void two_groups_share_queues(void **state)
{
    const test_live *live = *state;
    bench b;
    clscan_devices *other = NULL;
    clscan_member members[GROUP_MOST];
    bench mirrored;
    lane lanes[2];
    pthread_t threads[2];
    clscan_error error = {0};

    if (strstr(live->info.platform_name, "rusticl") != NULL)
        skip();
    open_bench(&b, live, GROUP_MOST, false);
    mirrored = b;
    for (size_t i = 0; i < GROUP_MOST; ++i)
        mirrored.rig.members[i] = members[i] = b.rig.members[GROUP_MOST - 1 - i];
    assert_status(CLSCAN_OK, clscan_devices_create(members, GROUP_MOST, &b.problem, NULL, &other, &error), &error);
    lanes[0] = (lane){&b, b.group, 0};
    lanes[1] = (lane){&mirrored, other, 0};
    for (size_t i = 0; i < 2; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, run_many, &lanes[i]), 0);
    for (size_t i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    assert_int_equal(lanes[0].wrong + lanes[1].wrong, 0);
    clscan_devices_destroy(other);
    close_bench(&b);
}

static void a_group_goes_while_it_runs(void **state)
{
    bench b;
    group_work work;
    cl_event go, events[GROUP_MOST];
    clscan_error error = {0};

    open_bench(&b, *state, GROUP_MOST, false);
    assert_true(group_work_prepare(&work, &b.rig, &b.problem, NULL, &parts));
    go = user_event(&b);
    work.parts[1].wait_count = 1;
    work.parts[1].wait_list = &go;
    assert_status(CLSCAN_OK, clscan_devices_run(b.group, &work.args, events, &error), &error);
    clscan_devices_destroy(b.group);
    b.group = NULL;
    assert_cl(clSetUserEventStatus(go, CL_COMPLETE));
    wait_and_release(events, GROUP_MOST);
    clReleaseEvent(go);
    assert_int_equal(group_work_compare(&work), 0);
    group_work_free(&work);
    close_bench(&b);
}

/* The last run waits on the first device, which combines sums, and the one before has returned what it had of the
 * group's when that goes, or does so later. */
static void a_group_goes_between_two_runs(void **state)
{
    const clscan_sample_operator *sample = clscan_sample_find(CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT32);

    for (long delay_ms = 0; delay_ms <= 50; delay_ms += 50) {
        bench b;
        group_work work[2];
        cl_event go[2], events[2][GROUP_MOST];
        clscan_error error = {0};

        assert_true(group_rig_open(&b.rig, *state, GROUP_OF_QUEUES, GROUP_MOST, false));
        b.problem = test_custom_problem(CLSCAN_UINT32, sample, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, COUNT);
        assert_status(CLSCAN_OK, clscan_devices_create(b.rig.members, GROUP_MOST, &b.problem, NULL, &b.group, &error),
                      &error);
        for (size_t i = 0; i < 2; ++i) {
            assert_true(group_work_prepare(&work[i], &b.rig, &b.problem, sample, &parts));
            go[i] = user_event(&b);
            work[i].parts[1].wait_count = 1;
            work[i].parts[1].wait_list = &go[i];
            assert_status(CLSCAN_OK, clscan_devices_run(b.group, &work[i].args, events[i], &error), &error);
        }
        assert_cl(clSetUserEventStatus(go[0], CL_COMPLETE));
        wait_and_release(events[0], GROUP_MOST);
        nanosleep(&(struct timespec){.tv_nsec = delay_ms * 1000 * 1000}, NULL);
        clscan_devices_destroy(b.group);
        b.group = NULL;
        assert_cl(clSetUserEventStatus(go[1], CL_COMPLETE));
        wait_and_release(events[1], GROUP_MOST);
        for (size_t i = 0; i < 2; ++i) {
            clReleaseEvent(go[i]);
            assert_int_equal(group_work_compare(&work[i]), 0);
            group_work_free(&work[i]);
        }
        close_bench(&b);
    }
}

/* What waits for a part that fails, fails; the group serves again, or the queue takes no more and the call says so, as
 * on an NVIDIA H200. PoCL 3.1 ends the process (in pocl_update_event_failed()) when a command fails whose event was
 * released. */
static void failing_events_fail_what_waits(void **state)
{
    /* Scans of one launch: where there are two, rusticl runs the second although the first has failed. */
    const group_case small = {.counts = {500, 400, 0, 300}, .total = true, .seed = 5};
    const test_live *live = *state;

    if (strstr(live->info.platform_name, "Portable Computing Language") != NULL)
        skip();
    for (size_t order = 0; order < 2; ++order) {
        bench b;
        group_work work;
        cl_event go, events[GROUP_MOST];
        clscan_error error = {0};

        open_bench(&b, *state, GROUP_MOST, order == 1);
        assert_true(group_work_prepare(&work, &b.rig, &b.problem, NULL, &small));
        go = user_event(&b);
        work.parts[1].wait_count = 1;
        work.parts[1].wait_list = &go;
        assert_status(CLSCAN_OK, clscan_devices_run(b.group, &work.args, events, &error), &error);
        assert_cl(clSetUserEventStatus(go, -5));
        for (size_t i = 0; i < GROUP_MOST; ++i)
            clWaitForEvents(1, &events[i]);
        assert_true(state_of(events[1]) < 0 && state_of(events[3]) < 0);
        wait_and_release(events, GROUP_MOST);
        clReleaseEvent(go);
        for (size_t i = 0; i < GROUP_MOST; ++i)
            clFinish(b.rig.members[i].queue);
        work.parts[1].wait_count = 0;
        work.parts[1].wait_list = NULL;
        if (clscan_devices_run(b.group, &work.args, events, &error) == CLSCAN_OK) {
            wait_and_release(events, GROUP_MOST);
            assert_int_equal(group_work_compare(&work), 0);
        } else {
            assert_int_equal(error.status, CLSCAN_ERROR_OPENCL);
        }
        group_work_free(&work);
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_call_does_not_wait),           cmocka_unit_test(a_blocking_call_waits_for_sums),
        cmocka_unit_test(a_blocking_call_waits_for_others), cmocka_unit_test(runs_follow_each_other),
        cmocka_unit_test(two_groups_share_queues),          cmocka_unit_test(a_group_goes_while_it_runs),
        cmocka_unit_test(a_group_goes_between_two_runs),    cmocka_unit_test(failing_events_fail_what_waits),
    };

    alarm(HANG_S);
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
