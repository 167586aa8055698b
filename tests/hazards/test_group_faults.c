/* Each OpenCL call of a group's life fails once, in the calls and in the thread behind them: an error that names the
 * call, or a right result; nothing hangs, nothing is left, and the next run is right.
 *
 * ctest runs this with OPENCL_LAYERS naming the fault layer (tests/support/fault_layer.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "fault_control.h"
#include "group_rig.h"
#include "temporary_folder.h"

enum { COUNT = 300, PARTS = 3, ROWS = 2, FAULT_CODE = CL_OUT_OF_RESOURCES, HANG_S = 900 };

static fault_control layer;
static bool met[TEST_FAULT_CALL_COUNT];

static const group_case parts = {.counts = {COUNT, 200, COUNT}, .total = true, .seed = 3};

static int setup(void **state)
{
    return fault_control_open(&layer) != 0 ? -1 : test_live_setup(state);
}

static clscan_problem sum_problem(void)
{
    return test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
}

/* A member of that context; NULL: any. */
static bool is_named(const clscan_error *error, const group_rig *rig, const void *context)
{
    bool named = false;

    for (size_t i = 0; i < rig->count; ++i) {
        char name[8];

        snprintf(name, sizeof name, "s[%u]", (unsigned)i); /* members, parts */
        named = named || ((context == NULL || context == rig->members[i].context) && strstr(error->message, name));
    }
    return named;
}

/* Did the armed fault strike? Then a failed call must tell it, and where. */
static bool is_told(clscan_status status, const clscan_error *error, const group_rig *rig)
{
    const test_fault_call struck = layer.struck();
    const void *context = layer.struck_context();

    if (layer.disarm() == 0) {
        assert_status(CLSCAN_OK, status, error);
        return false;
    }
    met[struck] = true;
    if (status != CLSCAN_OK &&
        (error->cl_code != FAULT_CODE || strstr(error->message, fault_call_name(struck)) == NULL))
        fail_msg("%s failed: %s, %s", fault_call_name(struck), clscan_status_name(status), error->message);
    if (status != CLSCAN_OK && !is_named(error, rig, context))
        fail_msg("%s failed: the device is not named: %s", fault_call_name(struck), error->message);
    return true;
}

static void creating_survives(void **state)
{
    const clscan_problem problem = sum_problem();
    clscan_devices *keeper = NULL; /* of programs, which need not be compiled again and again */
    clscan_error first_error = {0};
    fault_balance before;
    group_rig rig;
    bool struck = true;

    assert_true(group_rig_open(&rig, *state, GROUP_OF_QUEUES, PARTS, false));
    before = fault_balance_take(&layer);
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, PARTS, &problem, NULL, &keeper, &first_error),
                  &first_error);
    for (unsigned nth = 1; struck; ++nth) {
        clscan_devices *group = NULL;
        clscan_error error = {0};
        clscan_status status;

        layer.arm(TEST_FAULT_ANY_CALL, nth, FAULT_CODE);
        status = clscan_devices_create(rig.members, PARTS, &problem, NULL, &group, &error);
        struck = is_told(status, &error, &rig);
        assert_int_equal(status == CLSCAN_OK, group != NULL);
        clscan_devices_destroy(group);
    }
    clscan_devices_destroy(keeper);
    assert_int_equal(fault_balance_compare(&layer, &before, "after creating"), 0);
    group_rig_close(&rig);
}

/* Nobody is told, and nothing is left. */
static void destroying_survives(void **state)
{
    const clscan_problem problem = sum_problem();
    clscan_devices *keeper = NULL;
    static uint32_t data[PARTS * COUNT];
    const clscan_host_args args = {
        .struct_size = sizeof args, .in = data, .out = data, .count = PARTS * COUNT, .staging = 1};
    clscan_error error = {0};
    fault_balance before;
    group_rig rig;
    bool struck = true;

    assert_true(group_rig_open(&rig, *state, GROUP_OF_QUEUES, PARTS, false));
    before = fault_balance_take(&layer);
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, PARTS, &problem, NULL, &keeper, &error), &error);
    for (unsigned nth = 1; struck; ++nth) {
        clscan_devices *group = NULL;

        assert_status(CLSCAN_OK, clscan_devices_create(rig.members, PARTS, &problem, NULL, &group, &error), &error);
        assert_status(CLSCAN_OK, clscan_devices_scan_host(group, &args, &error), &error);
        layer.arm(TEST_FAULT_ANY_CALL, nth, FAULT_CODE);
        clscan_devices_destroy(group);
        struck = is_told(CLSCAN_OK, &error, &rig);
    }
    clscan_devices_destroy(keeper);
    assert_int_equal(fault_balance_compare(&layer, &before, "after destroying"), 0);
    group_rig_close(&rig);
}

/* All of it, until the events have come and nobody waits any more. */
static clscan_status run(clscan_devices *group, const group_rig *rig, const clscan_devices_args *args, bool *arrived,
                         clscan_error *error)
{
    cl_event events[PARTS];
    const clscan_status status = clscan_devices_run(group, args, events, error);

    *arrived = status == CLSCAN_OK;
    for (size_t i = 0; i < PARTS && status == CLSCAN_OK; ++i) {
        while (clWaitForEvents(1, &events[i]) == FAULT_CODE) /* this one's own fault */
            ;
        clReleaseEvent(events[i]);
    }
    for (size_t i = 0; i < PARTS; ++i)
        while (clFinish(rig->members[i].queue) == FAULT_CODE)
            ;
    return status;
}

/* Empty parts wait for events. */
static void add_waits(group_work *work, const cl_event *ended)
{
    for (size_t i = 0; i < PARTS; ++i) {
        if (work->parts[i].count > 0)
            continue;
        work->parts[i].wait_count = 1;
        work->parts[i].wait_list = &ended[i];
    }
}

/* Runs of a group, each call of which fails once. */
static void survive_kind(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                         const group_case *test, group_kind kind, bool out_of_order)
{
    clscan_devices *group = NULL;
    clscan_error error = {0};
    clscan_status status;
    fault_balance before;
    group_work work;
    group_rig rig;
    cl_event ended[PARTS];
    cl_int code;
    bool struck = true;

    assert_true(group_rig_open(&rig, live, kind, PARTS, out_of_order));
    before = fault_balance_take(&layer);
    for (size_t i = 0; i < PARTS; ++i) {
        ended[i] = clCreateUserEvent(rig.members[i].context, &code);
        assert_cl(code);
        assert_cl(clSetUserEventStatus(ended[i], CL_COMPLETE));
    }
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, PARTS, problem, NULL, &group, &error), &error);
    assert_true(group_work_prepare(&work, &rig, problem, sample, test));
    for (unsigned nth = 1; struck; ++nth) {
        bool arrived;

        group_work_renew(&work);
        add_waits(&work, ended);
        layer.arm(TEST_FAULT_ANY_CALL, nth, FAULT_CODE);
        status = run(group, &rig, &work.args, &arrived, &error);
        struck = is_told(status, &error, &rig);
        if (arrived)
            assert_int_equal(group_work_compare(&work), 0);
        group_work_renew(&work);
        assert_status(CLSCAN_OK, run(group, &rig, &work.args, &arrived, &error), &error);
        assert_int_equal(group_work_compare(&work), 0);
    }
    group_work_free(&work);
    for (size_t i = 0; i < PARTS; ++i)
        clReleaseEvent(ended[i]);
    clscan_devices_destroy(group);
    assert_int_equal(fault_balance_compare(&layer, &before, "after running"), 0);
    group_rig_close(&rig);
}

/* Of each kind of group, of queue, and of call. */
static void survive(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                    const group_case *test)
{
    for (size_t turn = 0; turn < 8; ++turn) {
        group_case of_turn = *test;

        of_turn.blocking = turn / 2 % 2 == 1;
        survive_kind(live, problem, sample, &of_turn, turn / 4 == 1 ? GROUP_OF_CONTEXTS : GROUP_OF_QUEUES,
                     turn % 2 == 1);
    }
}

static void running_survives(void **state)
{
    const clscan_problem problem = sum_problem();

    survive(*state, &problem, NULL, &parts);
}

static void empty_parts_survive(void **state)
{
    const group_case empty_parts = {.counts = {0, COUNT, 0}, .seed = 3};
    const clscan_problem problem = sum_problem();

    survive(*state, &problem, NULL, &empty_parts);
}

/* The first device combines the sums. */
static void custom_operators_survive(void **state)
{
    const clscan_sample_operator *sample = clscan_sample_find(CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT32);
    const clscan_problem problem = test_custom_problem(CLSCAN_UINT32, sample, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);

    survive(*state, &problem, sample, &parts);
}

/* Nodes travel, and the last device tells a total alone. */
static const group_case ordered_parts = {.counts = {CLSCAN_REPRODUCIBLE_STEP, CLSCAN_REPRODUCIBLE_STEP + 1100, 0},
                                         .total = true,
                                         .initial = CLSCAN_CASE_DEVICE_INITIAL,
                                         .seed = 3};

static clscan_problem ordered_problem(void)
{
    clscan_problem problem =
        test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 2 * CLSCAN_REPRODUCIBLE_STEP);

    problem.reproducible = 1;
    return problem;
}

static void reproducible_runs_survive(void **state)
{
    const clscan_problem problem = ordered_problem();

    if (!test_keeps_subnormals(*state))
        skip();
    survive(*state, &problem, NULL, &ordered_parts);
}

/* Rows that all devices have parts of. */
typedef struct rows_work {
    uint32_t in[ROWS][COUNT];
    cl_mem out[PARTS], from, total;
    clscan_part parts[PARTS];
    clscan_devices_args args;
} rows_work;

static void open_rows(const test_live *live, rows_work *work)
{
    for (uint32_t k = 0; k < ROWS * COUNT; ++k)
        work->in[k / COUNT][k % COUNT] = 1 + k / COUNT;
    work->from = test_buffer(live, CL_MEM_READ_ONLY, sizeof work->in, work->in);
    work->total = test_buffer(live, CL_MEM_READ_WRITE, ROWS * sizeof **work->in, NULL);
    for (size_t i = 0; i < PARTS; ++i) {
        work->out[i] = test_buffer(live, CL_MEM_READ_WRITE, sizeof work->in, NULL);
        work->parts[i] = (clscan_part){
            .struct_size = sizeof work->parts[i], .in.buffer = work->from, .out.buffer = work->out[i], .count = COUNT};
    }
    work->args = (clscan_devices_args){
        .struct_size = sizeof work->args, .parts = work->parts, .part_count = PARTS, .total.buffer = work->total};
}

static void close_rows(rows_work *work)
{
    clReleaseMemObject(work->from);
    clReleaseMemObject(work->total);
    for (size_t i = 0; i < PARTS; ++i)
        clReleaseMemObject(work->out[i]);
}

static void forget_rows(const test_live *live, const rows_work *work)
{
    for (size_t i = 0; i < PARTS; ++i)
        test_write(live, work->out[i], work->in, sizeof work->in);
    test_write(live, work->total, work->in, ROWS * sizeof **work->in);
}

static void check_rows(const test_live *live, const rows_work *work)
{
    uint32_t got[ROWS][COUNT], totals[ROWS];

    for (uint32_t i = 0; i < PARTS; ++i) {
        test_read(live, work->out[i], sizeof got, got);
        for (uint32_t row = 0; row < ROWS; ++row)
            for (uint32_t k = 0; k < COUNT; ++k)
                assert_int_equal(got[row][k], (row + 1) * (i * COUNT + k + 1));
    }
    test_read(live, work->total, sizeof totals, totals);
    for (uint32_t row = 0; row < ROWS; ++row)
        assert_int_equal(totals[row], (row + 1) * PARTS * COUNT);
}

static void shared_rows_survive(void **state)
{
    const test_live *live = *state;
    const clscan_rows rows = {.struct_size = sizeof rows, .count = ROWS};
    static rows_work work;

    for (size_t turn = 0; turn < 4; ++turn) {
        const size_t order = turn % 2;
        clscan_problem problem = sum_problem();
        clscan_devices *group = NULL;
        clscan_error error = {0};
        fault_balance before;
        group_rig rig;
        bool struck = true, arrived;

        problem.rows = &rows;
        assert_true(group_rig_open(&rig, live, GROUP_OF_QUEUES, PARTS, order == 1));
        open_rows(live, &work);
        work.args.blocking = turn / 2 == 1;
        before = fault_balance_take(&layer);
        assert_status(CLSCAN_OK, clscan_devices_create_split(rig.members, PARTS, &problem, NULL, &group, &error),
                      &error);
        for (unsigned nth = 1; struck; ++nth) {
            clscan_status status;

            forget_rows(live, &work);
            layer.arm(TEST_FAULT_ANY_CALL, nth, FAULT_CODE);
            status = run(group, &rig, &work.args, &arrived, &error);
            struck = is_told(status, &error, &rig);
            if (arrived)
                check_rows(live, &work);
            forget_rows(live, &work);
            assert_status(CLSCAN_OK, run(group, &rig, &work.args, &arrived, &error), &error);
            check_rows(live, &work);
        }
        clscan_devices_destroy(group);
        assert_int_equal(fault_balance_compare(&layer, &before, "after sharing rows"), 0);
        close_rows(&work);
        group_rig_close(&rig);
    }
}

static void host_memory_survives(void **state)
{
    enum { ALL = 7 * COUNT }; /* three rounds: sets of buffers are used again */
    const clscan_problem problem = sum_problem();
    static uint32_t in[ALL], out[ALL];
    uint32_t total = 0;

    for (uint32_t i = 0; i < ALL; ++i)
        in[i] = i;
    for (uint32_t staging = 1; staging <= 2; ++staging) {
        const clscan_host_args args = {
            .struct_size = sizeof args, .in = in, .out = out, .count = ALL, .total = &total, .staging = staging};
        clscan_devices *group = NULL;
        clscan_error error = {0};
        fault_balance before;
        group_rig rig;
        bool struck = true;

        assert_true(group_rig_open(&rig, *state, GROUP_OF_QUEUES, PARTS, false));
        before = fault_balance_take(&layer);
        assert_status(CLSCAN_OK, clscan_devices_create(rig.members, PARTS, &problem, NULL, &group, &error), &error);
        for (unsigned nth = 1; struck; ++nth) {
            clscan_host_args other = args;
            clscan_status status;

            other.staging = 3 - staging; /* what is kept is made anew after that, in every other turn */
            if (nth % 2 == 0)
                assert_status(CLSCAN_OK, clscan_devices_scan_host(group, &other, &error), &error);
            memset(out, 0, sizeof out);
            layer.arm(TEST_FAULT_ANY_CALL, nth, FAULT_CODE);
            status = clscan_devices_scan_host(group, &args, &error);
            struck = is_told(status, &error, &rig);
            if (status != CLSCAN_OK)
                assert_status(CLSCAN_OK, clscan_devices_scan_host(group, &args, &error), &error);
            for (uint32_t i = 0, sum = 0; i < ALL; ++i) {
                assert_int_equal(out[i], sum += i);
                assert_int_equal(in[i], i);
            }
            assert_int_equal(total, out[ALL - 1]);
            memset(out, 0, sizeof out);
        }
        clscan_devices_destroy(group);
        assert_int_equal(fault_balance_compare(&layer, &before, "after host memory"), 0);
        group_rig_close(&rig);
    }
}

/* States that lead from round to round are lost with the rest, and the next call has the same bits. */
static void reproducible_host_memory_survives(void **state)
{
    enum { ALL = (2 * PARTS + 1) * CLSCAN_REPRODUCIBLE_STEP };
    const test_live *live = *state;
    clscan_problem problem =
        test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, CLSCAN_REPRODUCIBLE_STEP);
    static float in[ALL], out[ALL], wanted[ALL];
    const clscan_host_args args = {.struct_size = sizeof args, .in = in, .out = out, .count = ALL, .staging = 2};
    clscan_devices *group = NULL;
    clscan_error error = {0};
    fault_balance before;
    group_rig rig;
    bool struck = true;

    if (!test_keeps_subnormals(live))
        skip();
    problem.reproducible = 1;
    clscan_generate(CLSCAN_GENERATE_WIDE, CLSCAN_FLOAT, 1, 0, ALL, in);
    assert_true(group_rig_open(&rig, live, GROUP_OF_QUEUES, PARTS, false));
    before = fault_balance_take(&layer);
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, PARTS, &problem, NULL, &group, &error), &error);
    assert_status(CLSCAN_OK, clscan_devices_scan_host(group, &args, &error), &error);
    memcpy(wanted, out, sizeof out);
    for (unsigned nth = 1; struck; ++nth) {
        clscan_status status;

        memset(out, 0, sizeof out);
        layer.arm(TEST_FAULT_ANY_CALL, nth, FAULT_CODE);
        status = clscan_devices_scan_host(group, &args, &error);
        struck = is_told(status, &error, &rig);
        if (status != CLSCAN_OK)
            assert_status(CLSCAN_OK, clscan_devices_scan_host(group, &args, &error), &error);
        assert_memory_equal(out, wanted, sizeof out);
    }
    clscan_devices_destroy(group);
    assert_int_equal(fault_balance_compare(&layer, &before, "after reproducible host memory"), 0);
    group_rig_close(&rig);
}

/* Buffers and queues of a call serve the next one, if they are large enough. */
static void host_memory_keeps_buffers(void **state)
{
    static const struct {
        uint64_t count;
        uint32_t staging;
        bool makes;
    } runs[] = {{500, 0, true},        {500, 0, false}, {1, 0, false},  {5 * COUNT, 0, true},
                {4 * COUNT, 0, false}, {500, 1, true},  {500, 1, false}};
    const clscan_problem problem = sum_problem();
    static uint32_t data[5 * COUNT];
    clscan_devices *group = NULL;
    clscan_error error = {0};
    group_rig rig;

    assert_true(group_rig_open(&rig, *state, GROUP_OF_CONTEXTS, 2, false));
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, 2, &problem, NULL, &group, &error), &error);
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i) {
        const clscan_host_args args = {
            .struct_size = sizeof args, .in = data, .out = data, .count = runs[i].count, .staging = runs[i].staging};
        const unsigned long before =
            layer.calls(TEST_FAULT_clCreateBuffer) + layer.calls(TEST_FAULT_clCreateCommandQueue);

        for (uint32_t k = 0; k < runs[i].count; ++k)
            data[k] = 1;
        assert_status(CLSCAN_OK, clscan_devices_scan_host(group, &args, &error), &error);
        for (uint32_t k = 0; k < runs[i].count; ++k)
            assert_int_equal(data[k], k + 1);
        assert_int_equal(layer.calls(TEST_FAULT_clCreateBuffer) + layer.calls(TEST_FAULT_clCreateCommandQueue) > before,
                         runs[i].makes);
    }
    clscan_devices_destroy(group);
    group_rig_close(&rig);
}

/* What was measured decides who gets something, unless the caller does. */
static void measured_shares_are_taken(void **state)
{
    static const char format[] =
        "{\"schema_version\": 1, \"provenance\": {\"origin\": \"tuned\", \"date\": \"2026-11-25\"}, \"devices\": ["
        "{\"key\": \"%s\", \"device_gb_per_s\": 1, \"host_gb_per_s\": 3}, "
        "{\"key\": \"%s\", \"device_gb_per_s\": 2, \"host_gb_per_s\": 1}], \"steps\": ["
        "{\"work\": \"host\", \"largest_count\": 100, \"devices\": 1}, "
        "{\"work\": \"host\", \"largest_count\": null, \"devices\": 2}]}";
    static const double equal[2] = {1, 1};
    static const struct {
        uint64_t count;
        const double *weights;
        unsigned long uploads;
    } runs[] = {{100, NULL, 1}, {101, NULL, 2}, {100, equal, 2}};
    const test_live *live = *state;
    const cl_device_id devices[2] = {live->device, live->device};
    const clscan_problem problem = sum_problem();
    char *folder = temporary_folder_create();
    char text[1024];
    uint32_t data[101];
    double weights[2];
    int known = 7;
    clscan_devices *group = NULL;
    clscan_error error = {0};
    group_rig rig;

    assert_true(group_rig_open(&rig, live, GROUP_OF_CONTEXTS, 2, false));
    setenv("XDG_CONFIG_HOME", folder, 1);
    assert_status(CLSCAN_OK, clscan_devices_weights(devices, 2, CLSCAN_DEVICES_HOST, 5, weights, &known, &error),
                  &error);
    assert_true(known == 0 && weights[0] == 1 && weights[1] == 1);
    temporary_folder_write(folder, "clscan/groups/a.json", "{", 1); /* is skipped */
    snprintf(text, sizeof text, format, live->info.key, live->info.key);
    temporary_folder_write(folder, "clscan/groups/b.json", text, strlen(text));
    assert_status(CLSCAN_OK, clscan_devices_weights(devices, 2, CLSCAN_DEVICES_HOST, 100, weights, &known, &error),
                  &error);
    assert_true(known == 1 && weights[0] == 3 && weights[1] == 0);
    assert_status(CLSCAN_OK, clscan_devices_weights(devices, 2, CLSCAN_DEVICES_ROWS, 1, weights, NULL, &error), &error);
    assert_true(weights[0] == 1 && weights[1] == 2);
    assert_status(CLSCAN_OK, clscan_devices_weights(devices, 1, CLSCAN_DEVICES_HOST, 1, weights, &known, &error),
                  &error);
    assert_int_equal(known, 0);

    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, 2, &problem, NULL, &group, &error), &error);
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i) {
        const clscan_host_args args = {
            .struct_size = sizeof args, .in = data, .out = data, .count = runs[i].count, .weights = runs[i].weights};
        const unsigned long before = layer.calls(TEST_FAULT_clEnqueueWriteBuffer);
        unsigned long carries;

        for (uint32_t k = 0; k < runs[i].count; ++k)
            data[k] = 1;
        assert_status(CLSCAN_OK, clscan_devices_scan_host(group, &args, &error), &error);
        for (uint32_t k = 0; k < runs[i].count; ++k)
            assert_int_equal(data[k], k + 1);
        carries = layer.calls(TEST_FAULT_clEnqueueWriteBuffer) - before - runs[i].uploads;
        assert_true(carries < runs[i].uploads); /* at most one to each device but the first */
    }

    assert_status(CLSCAN_ERROR_NULL_ARGUMENT,
                  clscan_devices_weights(NULL, 2, CLSCAN_DEVICES_HOST, 1, weights, NULL, &error), &error);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT,
                  clscan_devices_weights(devices, 2, CLSCAN_DEVICES_HOST, 1, NULL, NULL, &error), &error);
    assert_status(CLSCAN_ERROR_INVALID_VALUE,
                  clscan_devices_weights(devices, 0, CLSCAN_DEVICES_HOST, 1, weights, NULL, &error), &error);
    assert_status(CLSCAN_ERROR_INVALID_VALUE,
                  clscan_devices_weights(devices, 2, CLSCAN_DEVICES_WORK_COUNT, 1, weights, NULL, &error), &error);
    unsetenv("XDG_CONFIG_HOME");
    clscan_devices_destroy(group);
    group_rig_close(&rig);
    temporary_folder_remove(folder);
}

/* What a group does while one of its devices is lost. Scans are blocking: PoCL 3.1 ends the process when a command
 * fails that waits for another one. */
typedef enum lost_work {
    LOST_SCAN,
    LOST_EMPTY,   /* the part in the middle, which waits for an event */
    LOST_CUSTOM,  /* the first device combines sums */
    LOST_ORDERED, /* and nodes */
    LOST_DEALT,
    LOST_SPLIT,
    LOST_HOST, /* from here on host memory */
    LOST_STAGED,
    LOST_ORDERED_HOST,
    LOST_WORK_COUNT
} lost_work;

enum { LOST_MOST = CLSCAN_REPRODUCIBLE_STEP, LOST_ROUNDS = 3, LOST_ALL = PARTS * LOST_ROUNDS * LOST_MOST };

/* All elements are 1. */
typedef struct lost_rig {
    group_rig rig;
    cl_mem in[PARTS], out[PARTS];
    cl_event ended;                          /* of the context in the middle */
    float ones[LOST_ALL], numbers[LOST_ALL]; /* 1, 2, 3 ... */
    float host_in[LOST_ALL], host_out[LOST_ALL];
} lost_rig;

static bool is_ordered(lost_work work)
{
    return work == LOST_ORDERED || work == LOST_ORDERED_HOST;
}

static bool has_rows(lost_work work)
{
    return work == LOST_DEALT || work == LOST_SPLIT;
}

/* Elements of a row in the part of a member; of host memory, in a part of a round. */
static uint32_t lost_count(lost_work work, size_t member)
{
    if (work == LOST_EMPTY && member == 1)
        return 0;
    return is_ordered(work) ? LOST_MOST : has_rows(work) ? COUNT / ROWS : COUNT;
}

static void open_lost(lost_rig *r, const test_live *live, group_kind kind)
{
    cl_int code;

    assert_true(group_rig_open(&r->rig, live, kind, PARTS, false));
    for (size_t k = 0; k < LOST_ALL; ++k) {
        r->ones[k] = r->host_in[k] = 1;
        r->numbers[k] = (float)(k + 1);
    }
    for (size_t i = 0; i < PARTS; ++i) {
        r->in[i] = clCreateBuffer(r->rig.members[i].context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                  LOST_MOST * sizeof *r->ones, r->ones, &code);
        assert_cl(code);
        r->out[i] =
            clCreateBuffer(r->rig.members[i].context, CL_MEM_READ_WRITE, LOST_MOST * sizeof *r->ones, NULL, &code);
        assert_cl(code);
    }
    r->ended = clCreateUserEvent(r->rig.members[1].context, &code);
    assert_cl(code);
    assert_cl(clSetUserEventStatus(r->ended, CL_COMPLETE));
}

static void close_lost(lost_rig *r)
{
    for (size_t i = 0; i < PARTS; ++i) {
        clReleaseMemObject(r->in[i]);
        clReleaseMemObject(r->out[i]);
    }
    clReleaseEvent(r->ended);
    group_rig_close(&r->rig);
}

static clscan_status create_lost(const lost_rig *r, lost_work work, size_t first, size_t count, clscan_devices **group,
                                 clscan_error *error)
{
    static const clscan_custom_operator add = {.struct_size = sizeof add,
                                               .source = "float add(float a, float b) { return a + b; }",
                                               .function = "add",
                                               .identity = "0"};
    const clscan_rows rows = {.struct_size = sizeof rows, .count = ROWS};
    clscan_problem problem =
        test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, lost_count(work, 0));

    if (has_rows(work))
        problem.rows = &rows;
    if (work == LOST_CUSTOM) {
        problem.op = CLSCAN_CUSTOM;
        problem.custom = &add;
    }
    problem.reproducible = is_ordered(work);
    if (work == LOST_SPLIT)
        return clscan_devices_create_split(r->rig.members + first, count, &problem, NULL, group, error);
    return clscan_devices_create(r->rig.members + first, count, &problem, NULL, group, error);
}

static clscan_status run_lost(lost_rig *r, lost_work work, clscan_devices *group, size_t first, size_t count,
                              clscan_error *error)
{
    clscan_part given[PARTS];
    cl_event events[PARTS];
    const clscan_devices_args args = {.struct_size = sizeof args, .parts = given, .part_count = count, .blocking = 1};
    const clscan_host_args host = {.struct_size = sizeof host,
                                   .in = r->host_in,
                                   .out = r->host_out,
                                   .count = count * LOST_ROUNDS * lost_count(work, 0),
                                   .staging = work == LOST_STAGED ? 1 : 2};
    clscan_status status;

    if (work >= LOST_HOST)
        return clscan_devices_scan_host(group, &host, error);
    for (size_t i = 0; i < count; ++i) {
        given[i] = (clscan_part){.struct_size = sizeof given[i],
                                 .in.buffer = r->in[first + i],
                                 .out.buffer = r->out[first + i],
                                 .count = lost_count(work, first + i)};
        if (given[i].count == 0) {
            given[i].wait_count = 1;
            given[i].wait_list = &r->ended;
        }
    }
    status = clscan_devices_run(group, &args, events, error);
    for (size_t i = 0; i < count; ++i) {
        if (status == CLSCAN_OK)
            clReleaseEvent(events[i]);
        clFinish(r->rig.members[first + i].queue);
    }
    return status;
}

/* The first elements of the buffer of a member are these. */
static void expect_lost(const lost_rig *r, size_t member, cl_mem buffer, const float *expected, size_t count)
{
    static float got[LOST_MOST];

    if (count > 0)
        assert_cl(clEnqueueReadBuffer(r->rig.members[member].queue, buffer, CL_TRUE, 0, count * sizeof *got, got, 0,
                                      NULL, NULL));
    assert_memory_equal(got, expected, count * sizeof *got);
}

static void check_lost(const lost_rig *r, lost_work work, size_t first, size_t count)
{
    size_t before = 0;

    if (work >= LOST_HOST)
        assert_memory_equal(r->host_out, r->numbers, count * LOST_ROUNDS * lost_count(work, 0) * sizeof *r->numbers);
    for (size_t i = first; i < first + count && work < LOST_HOST; ++i) {
        const size_t width = lost_count(work, i);
        float rows[COUNT];

        for (size_t k = 0; k < COUNT && has_rows(work); ++k)
            rows[k] = r->numbers[(work == LOST_DEALT ? 0 : before) + k % width];
        expect_lost(r, i, r->out[i], has_rows(work) ? rows : r->numbers + before, has_rows(work) ? COUNT : width);
        before += width;
    }
}

static void check_inputs(const lost_rig *r)
{
    for (size_t i = 0; i < PARTS; ++i)
        expect_lost(r, i, r->in[i], r->ones, LOST_MOST);
    assert_memory_equal(r->host_in, r->ones, sizeof r->ones);
}

/* A device is lost from each of its calls on: an error that names it, no hang, the others go on meanwhile, inputs are
 * as they were, and the group serves when it is back. */
static void lose_each(lost_rig *r, lost_work work, size_t lost)
{
    const size_t first = lost == 0 ? 1 : 0, others_count = lost == 1 ? 1 : 2;
    clscan_devices *group = NULL, *others = NULL;
    clscan_error error = {0};
    char name[8];
    unsigned refused = 1;

    snprintf(name, sizeof name, "[%u]", (unsigned)lost);
    assert_status(CLSCAN_OK, create_lost(r, work, 0, PARTS, &group, &error), &error);
    assert_status(CLSCAN_OK, create_lost(r, work, first, others_count, &others, &error), &error);
    for (unsigned nth = 1; refused > 0; ++nth) {
        clscan_status status;

        memset(r->host_out, 0, sizeof r->host_out);
        layer.lose(r->rig.members[lost].context, nth);
        status = run_lost(r, work, group, 0, PARTS, &error);
        if (status != CLSCAN_OK && (status != CLSCAN_ERROR_OPENCL || strstr(error.message, name) == NULL))
            fail_msg("work %d without device %u: %s, %s", (int)work, (unsigned)lost, clscan_status_name(status),
                     error.message);
        assert_status(CLSCAN_OK, run_lost(r, work, others, first, others_count, &error), &error);
        check_lost(r, work, first, others_count);
        refused = layer.lose(NULL, 0);
        assert_true(refused > 0 || status == CLSCAN_OK);
        assert_true(nth > 1 || status != CLSCAN_OK);
        assert_status(CLSCAN_OK, run_lost(r, work, group, 0, PARTS, &error), &error);
        check_lost(r, work, 0, PARTS);
        check_inputs(r);
    }
    clscan_devices_destroy(others);
    clscan_devices_destroy(group);
}

static void a_device_is_lost(void **state)
{
    static lost_rig r;
    fault_balance before;

    open_lost(&r, *state, GROUP_OF_CONTEXTS);
    before = fault_balance_take(&layer);
    for (int work = 0; work < LOST_WORK_COUNT; ++work)
        for (size_t lost = 0; lost < PARTS && (test_keeps_subnormals(*state) || !is_ordered((lost_work)work)); ++lost)
            lose_each(&r, (lost_work)work, lost);
    assert_int_equal(fault_balance_compare(&layer, &before, "after a device was lost"), 0);
    close_lost(&r);
}

/* Rows of each device's own: each call fails once. */
static void dealt_rows_survive(void **state)
{
    static lost_rig r;
    clscan_devices *group = NULL;
    clscan_error error = {0};
    fault_balance before;
    bool struck = true;

    open_lost(&r, *state, GROUP_OF_QUEUES);
    before = fault_balance_take(&layer);
    assert_status(CLSCAN_OK, create_lost(&r, LOST_DEALT, 0, PARTS, &group, &error), &error);
    for (unsigned nth = 1; struck; ++nth) {
        clscan_status status;

        layer.arm(TEST_FAULT_ANY_CALL, nth, FAULT_CODE);
        status = run_lost(&r, LOST_DEALT, group, 0, PARTS, &error);
        struck = is_told(status, &error, &r.rig);
        if (status != CLSCAN_OK)
            assert_status(CLSCAN_OK, run_lost(&r, LOST_DEALT, group, 0, PARTS, &error), &error);
        check_lost(&r, LOST_DEALT, 0, PARTS);
    }
    check_inputs(&r);
    clscan_devices_destroy(group);
    assert_int_equal(fault_balance_compare(&layer, &before, "after dealing rows"), 0);
    close_lost(&r);
}

/* Drivers may block in calls whose commands wait for something: the exchange goes on meanwhile. */
static void end_blocking(const test_live *live, const clscan_problem *problem, const group_case *parts_of_it,
                         size_t count, bool out_of_order)
{
    clscan_devices *group = NULL;
    clscan_error error = {0};
    group_rig rig;

    assert_true(group_rig_open(&rig, live, GROUP_OF_QUEUES, count, out_of_order));
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, count, problem, NULL, &group, &error), &error);
    layer.block(1);
    for (uint64_t seed = 0; seed < 3; ++seed) {
        group_case test = *parts_of_it;
        group_work work;

        test.seed = seed;
        assert_true(group_work_prepare(&work, &rig, problem, NULL, &test));
        assert_status(CLSCAN_OK, clscan_devices_run(group, &work.args, NULL, &error), &error);
        for (size_t part = 0; part < count; ++part)
            assert_cl(clFinish(rig.members[part].queue));
        assert_int_equal(group_work_compare(&work), 0);
        group_work_free(&work);
        if (layer.block(1) > 0)
            fail_msg("a call waited for what only a later call lets go");
    }
    layer.block(0);
    clscan_devices_destroy(group);
    group_rig_close(&rig);
}

static void blocking_enqueues_end(void **state)
{
    const clscan_problem problem = sum_problem(), ordered = ordered_problem();

    for (size_t count = 2; count <= PARTS; ++count) {
        end_blocking(*state, &problem, &parts, count, false);
        end_blocking(*state, &problem, &parts, count, true);
        if (test_keeps_subnormals(*state))
            end_blocking(*state, &ordered, &ordered_parts, count, count == 2);
    }
}

static void every_kind_of_call_was_met(void **state)
{
    static const test_fault_call expected[] = {
        TEST_FAULT_clCreateCommandQueue,    TEST_FAULT_clCreateUserEvent,
        TEST_FAULT_clSetUserEventStatus,    TEST_FAULT_clWaitForEvents,
        TEST_FAULT_clEnqueueReadBuffer,     TEST_FAULT_clEnqueueWriteBuffer,
        TEST_FAULT_clEnqueueUnmapMemObject, TEST_FAULT_clFlush,
        TEST_FAULT_clEnqueueNDRangeKernel,  TEST_FAULT_clRetainEvent,
    };

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i)
        if (!met[expected[i]])
            fail_msg("%s was not made to fail", fault_call_name(expected[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creating_survives),
        cmocka_unit_test(destroying_survives),
        cmocka_unit_test(running_survives),
        cmocka_unit_test(empty_parts_survive),
        cmocka_unit_test(custom_operators_survive),
        cmocka_unit_test(reproducible_runs_survive),
        cmocka_unit_test(shared_rows_survive),
        cmocka_unit_test(host_memory_survives),
        cmocka_unit_test(reproducible_host_memory_survives),
        cmocka_unit_test(host_memory_keeps_buffers),
        cmocka_unit_test(dealt_rows_survive),
        cmocka_unit_test(a_device_is_lost),
        cmocka_unit_test(measured_shares_are_taken),
        cmocka_unit_test(blocking_enqueues_end),
        cmocka_unit_test(every_kind_of_call_was_met),
    };

    alarm(HANG_S);
    return cmocka_run_group_tests(tests, setup, test_live_teardown);
}
