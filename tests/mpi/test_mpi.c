/* One scan over the ranks of MPI (mpi.h): every operator, form, direction and split gives what one scan gives, and when
 * a rank fails, all say so.
 *
 *     test_mpi [two_devices]
 *
 * ctest runs this by mpirun with 1 to 8 ranks, and with the argument on a platform of two devices. A test that fails
 * ends all of them (CMOCKA_TEST_ABORT): the others would wait for the rank that left. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "affine_maps.h"
#include "cmocka_all.h"
#include "combine.h"
#include "rank_rig.h"

enum { MOST = 3000 };

static const uint64_t splits[][GROUP_ROOM] = {
    {1000, 1, 777, 2048, 64, 0, 3, 1500},
    {0, 300, 0, 5, 0, 0, 7, 0},
    {300, 0, 0, 0, 0, 0, 0, 0},
    {0, 0, 0, 400, 0, 0, 0, 0},
    {0, 0, 0, 0, 0, 0, 0, 129},
    {1, 1, 1, 1, 1, 1, 1, 1},
    {0},
    {2999, 64, 0, 3000, 1, 2, 2047, 0},
};
enum { SPLITS = sizeof splits / sizeof splits[0] };

/* Assert what all ranks have to be told by the one of that number. */
static void assert_told(clscan_status expected, clscan_status got, size_t rank, const char *what,
                        const clscan_error *error)
{
    char name[32];

    assert_status(expected, got, error);
    assert_int_equal(error->status, expected);
    snprintf(name, sizeof name, "rank %zu: ", rank);
    if (strncmp(error->message, name, strlen(name)) != 0 || strstr(error->message, what) == NULL)
        fail_msg("the message is not of rank %zu about %s: %s", rank, what, error->message);
}

static clscan_mpi *create(const rank_rig *rig, const clscan_problem *problem)
{
    const clscan_member *member = &rig->group.members[rig->rank];
    clscan_mpi *mpi = NULL;
    clscan_error error = {0};

    assert_status(CLSCAN_OK,
                  clscan_mpi_create(rig->communicator, member->context, member->device, problem, NULL, &mpi, &error),
                  &error);
    return mpi;
}

/* All splits, with a turn of place, total and initial value that begins elsewhere each time. */
static unsigned try_problem(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                            size_t turn)
{
    rank_rig rig;
    clscan_mpi *mpi;
    unsigned wrong = 0;

    rank_rig_open(&rig, live, turn % 2 == 1);
    mpi = create(&rig, problem);
    for (size_t split = 0; split < SPLITS; ++split) {
        group_case test = {.in_place = (turn + split) % 2 == 1,
                           .total = (turn + split) % 3 != 2,
                           .initial = (clscan_case_initial)((turn + split) % 3),
                           .seed = 1 + turn + split};

        memcpy(test.counts, splits[split], sizeof test.counts);
        wrong += rank_rig_case(mpi, &rig, problem, sample, &test);
    }
    clscan_mpi_destroy(mpi);
    rank_rig_close(&rig);
    return wrong;
}

static void built_in_operators(void **state)
{
    static const struct {
        clscan_type type;
        clscan_operator op;
    } problems[] = {
        {CLSCAN_INT32, CLSCAN_ADD}, {CLSCAN_UINT8, CLSCAN_MAX},  {CLSCAN_INT64, CLSCAN_XOR},
        {CLSCAN_FLOAT, CLSCAN_ADD}, {CLSCAN_DOUBLE, CLSCAN_MUL}, {CLSCAN_HALF, CLSCAN_MIN},
    };
    const test_live *live = *state;
    unsigned wrong = 0;

    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; ++i) {
        const clscan_problem problem =
            test_problem(problems[i].type, problems[i].op, (clscan_form)(i % 2), (clscan_direction)(i / 2 % 2), MOST);

        if (test_type_runs(live, problems[i].type))
            wrong += try_problem(live, &problem, NULL, i);
    }
    assert_int_equal(wrong, 0);
}

/* Operators that do not commute, with and without identity, in both forms and directions. */
static void operators_of_the_callers(void **state)
{
    static const struct {
        clscan_sample sample;
        clscan_form form;
        clscan_direction direction;
    } problems[] = {
        {CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_SAMPLE_TAKE_LEFT, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_SAMPLE_AFFINE, CLSCAN_INCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_SAMPLE_AFFINE, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_SAMPLE_AFFINE, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
    };
    unsigned wrong = 0;

    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; ++i) {
        const clscan_sample_operator *sample = clscan_sample_find(problems[i].sample, CLSCAN_UINT32);
        const clscan_problem problem =
            test_custom_problem(CLSCAN_UINT32, sample, problems[i].form, problems[i].direction, MOST);

        wrong += try_problem(*state, &problem, sample, i);
    }
    assert_int_equal(wrong, 0);
}

/* What travels is an accumulator, whose type the operator has from another source. */
static void maps_and_structs(void **state)
{
    enum { COUNT = 100 };
    const clscan_problem problem = test_affine_maps(COUNT);
    const uint32_t factor = 12345;
    const clscan_memory value = {.kind = CLSCAN_MEMORY_HOST, .pointer = &factor};
    const test_live *live = *state;
    clscan_error error = {0};
    uint8_t in[COUNT];
    uint32_t got[COUNT], sum[2] = {1, 0};
    rank_rig rig;
    clscan_mpi *mpi;

    rank_rig_open(&rig, live, false);
    mpi = create(&rig, &problem);
    for (size_t i = 0; i < rig.rank * COUNT; ++i)
        combine_affine(sum, (const uint32_t[]){(uint8_t)(2 * i + 1), factor}, sum);
    for (size_t i = 0; i < COUNT; ++i)
        in[i] = (uint8_t)(2 * (rig.rank * COUNT + i) + 1);
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof in, in),
                                  .out.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL),
                                  .count = COUNT,
                                  .map_arguments = &value,
                                  .map_argument_count = 1};
    assert_status(CLSCAN_OK, clscan_mpi_run(mpi, live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(live, args.out.buffer, sizeof got, got);
    for (size_t i = 0; i < COUNT; ++i) {
        combine_affine(sum, (const uint32_t[]){in[i], factor}, sum);
        assert_int_equal(got[i], sum[0] ^ sum[1]);
    }
    clReleaseMemObject(args.in.buffer);
    clReleaseMemObject(args.out.buffer);
    clscan_mpi_destroy(mpi);
    rank_rig_close(&rig);
}

/* Later than a call that does not wait would have read the elements. */
static void *open_gate(void *gate)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    clSetUserEventStatus(gate, CL_COMPLETE);
    return NULL;
}

/* A rank begins when its events have come; one without elements gives an event, too. */
static void events_are_waited_for(void **state)
{
    enum { COUNT = 1000 };
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    const test_live *live = *state;
    const cl_command_queue queue = test_out_of_order_queue(live);
    const uint32_t one = 1;
    uint32_t got[COUNT] = {0};
    cl_event gate, filled, scanned = NULL;
    pthread_t thread;
    cl_int code;
    clscan_error error = {0};
    rank_rig rig;
    clscan_mpi *mpi;

    rank_rig_open(&rig, live, false);
    mpi = create(&rig, &problem);
    const uint64_t count = rig.rank == 1 ? 0 : COUNT;
    const uint32_t before = (uint32_t)(COUNT * (rig.rank - (rig.rank > 1 ? 1 : 0)));
    const cl_mem buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, got);
    const clscan_run_args args = {
        .struct_size = sizeof args, .in.buffer = buffer, .out.buffer = buffer, .count = count};
    gate = clCreateUserEvent(live->context, &code);
    assert_cl(code);
    assert_cl(clEnqueueFillBuffer(queue, buffer, &one, sizeof one, 0, sizeof got, 1, &gate, &filled));
    assert_int_equal(pthread_create(&thread, NULL, open_gate, gate), 0);
    assert_status(CLSCAN_OK, clscan_mpi_run(mpi, queue, &args, 1, &filled, &scanned, &error), &error);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_non_null(scanned);
    assert_cl(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof got, got, 1, &scanned, NULL));
    for (uint32_t i = 0; i < COUNT; ++i)
        assert_int_equal(got[i], count > 0 ? before + i + 1 : 1);
    clReleaseEvent(gate);
    clReleaseEvent(filled);
    clReleaseEvent(scanned);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clscan_mpi_destroy(mpi);
    rank_rig_close(&rig);
}

enum { STEP = CLSCAN_REPRODUCIBLE_STEP };

/* A reproducible scan over all parts has the bits of the model, which knows of no parts. */
static unsigned try_ordered(const test_live *live, clscan_problem problem, const clscan_sample_operator *sample,
                            size_t turn)
{
    rank_rig rig;
    clscan_mpi *mpi;
    unsigned wrong = 0;

    problem.reproducible = 1;
    problem.max_count = 5 * STEP;
    rank_rig_open(&rig, live, turn % 2 == 1);
    mpi = create(&rig, &problem);
    for (size_t i = 0; i < GROUP_ORDERED_CASES; ++i) {
        const group_case test = group_ordered_case(&rig.group, &problem, i, turn);

        if (rig.group.count > 4 && (turn + i) % 2 == 0)
            continue; /* all ranks make the whole input, and its scan */
        wrong += rank_rig_case(mpi, &rig, &problem, sample, &test);
    }
    clscan_mpi_destroy(mpi);
    rank_rig_close(&rig);
    return wrong;
}

static void reproducible_scans_have_the_bits_of_one_device(void **state)
{
    static const struct {
        clscan_type type;
        clscan_operator op;
        clscan_form form;
        clscan_direction direction;
    } problems[] = {
        {CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_DOUBLE, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_FLOAT, CLSCAN_MUL, CLSCAN_INCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_HALF, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
    };
    static const clscan_sample samples[] = {CLSCAN_SAMPLE_TAKE_LEFT, CLSCAN_SAMPLE_KEEP_LAST};
    const test_live *live = *state;
    unsigned wrong = 0;

    if (!test_keeps_subnormals(live))
        skip();
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; ++i)
        if (test_type_runs(live, problems[i].type))
            wrong += try_ordered(
                live, test_problem(problems[i].type, problems[i].op, problems[i].form, problems[i].direction, 1), NULL,
                i);
    for (size_t i = 0; i < 2 * sizeof samples / sizeof samples[0]; ++i) {
        const clscan_sample_operator *sample = clscan_sample_find(samples[i / 2], CLSCAN_FLOAT);

        wrong += try_ordered(
            live, test_custom_problem(CLSCAN_FLOAT, sample, (clscan_form)(i % 2), (clscan_direction)(i / 2), 1), sample,
            i);
    }
    assert_int_equal(wrong, 0);
}

/* The last rank's first scan waits for what comes after the second run: no call waits for a scan, also where scans
 * follow each other because of what the library keeps for them. */
static void reproducible_runs_do_not_wait_for_scans(void **state)
{
    clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 2 * STEP);
    const test_live *live = *state;
    group_case tests[2] = {{.counts = {STEP, STEP}, .total = true, .seed = 5},
                           {.counts = {2 * STEP, STEP}, .total = true, .initial = CLSCAN_CASE_HOST_INITIAL, .seed = 6}};
    clscan_error error = {0};
    group_work works[2];
    rank_rig rig;
    clscan_mpi *mpi;
    cl_event gate;
    cl_int code;

    if (!test_keeps_subnormals(live))
        skip();
    problem.reproducible = 1;
    rank_rig_open(&rig, live, true);
    mpi = create(&rig, &problem);
    const cl_command_queue queue = rig.group.members[rig.rank].queue;
    const bool is_last = rig.rank == rig.group.count - 1;
    gate = clCreateUserEvent(live->context, &code);
    assert_cl(code);
    for (size_t i = 0; i < 2; ++i) {
        const bool waits = i == 0 && is_last;

        for (size_t k = 1; k < GROUP_ROOM; ++k)
            tests[i].counts[k] = k == rig.group.count - 1 ? 77 + i : tests[i].counts[k];
        assert_true(group_work_prepare(&works[i], &rig.group, &problem, NULL, &tests[i]));
        const clscan_run_args args = rank_rig_args(&rig, &works[i]);
        assert_status(CLSCAN_OK, clscan_mpi_run(mpi, queue, &args, waits ? 1 : 0, waits ? &gate : NULL, NULL, &error),
                      &error);
    }
    assert_cl(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_cl(clFinish(queue));
    for (size_t i = 0; i < 2; ++i) {
        assert_int_equal(group_work_compare_part(&works[i], rig.rank), 0);
        group_work_free(&works[i]);
    }
    clReleaseEvent(gate);
    clscan_mpi_destroy(mpi);
    rank_rig_close(&rig);
}

/* The first part is no multiple of the step, and others stand behind it. */
static void ragged_parts_are_refused(void **state)
{
    clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 2 * STEP);
    const group_case test = {.counts = {STEP + 1, 0, 0, 0, 0, 0, 0, 0}, .seed = 5, .total = true};
    const test_live *live = *state;
    clscan_error error = {0};
    group_work work;
    rank_rig rig;
    clscan_mpi *mpi;

    if (!test_keeps_subnormals(live))
        skip();
    problem.reproducible = 1;
    rank_rig_open(&rig, live, false);
    mpi = create(&rig, &problem);
    if (rig.group.count > 1) {
        group_case wrong = test;

        wrong.counts[rig.group.count - 1] = 1;
        assert_true(group_work_prepare(&work, &rig.group, &problem, NULL, &wrong));
        assert_told(CLSCAN_ERROR_INVALID_VALUE, rank_rig_run(mpi, &rig, &work, &error), 0,
                    "args->count is 65537, no multiple of 65536", &error);
        group_work_free(&work);
    }
    assert_int_equal(rank_rig_case(mpi, &rig, &problem, NULL, &test), 0);
    assert_true(group_work_prepare(&work, &rig.group, &problem, NULL, &test));
    clscan_run_args args = rank_rig_args(&rig, &work);
    args.first = STEP;
    assert_told(CLSCAN_ERROR_INVALID_VALUE, clscan_mpi_run(mpi, live->queue, &args, 0, NULL, NULL, &error), 0,
                "args->first is 65536, but there is no args->state", &error);
    args.state = args.in;
    assert_told(CLSCAN_ERROR_MEMORY_KIND, clscan_mpi_run(mpi, live->queue, &args, 0, NULL, NULL, &error), 0,
                "args->state is of kind", &error);
    args.state = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = calloc(1, clscan_mpi_state_bytes(mpi))};
    args.first = 1;
    assert_told(CLSCAN_ERROR_INVALID_VALUE, clscan_mpi_run(mpi, live->queue, &args, 0, NULL, NULL, &error), 0,
                "args->first is 1, no multiple of 65536", &error);
    if (rig.group.count > 1) {
        args.first = rig.rank == 1 ? STEP : 0;
        assert_told(CLSCAN_ERROR_INVALID_VALUE, clscan_mpi_run(mpi, live->queue, &args, 0, NULL, NULL, &error), 1,
                    "args->first is 65536, but 0 on rank 0", &error);
    }
    free((void *)(uintptr_t)args.state.pointer);
    group_work_free(&work);
    clscan_mpi_destroy(mpi);
    rank_rig_close(&rig);
}

/* One sequence in several runs, of which each cuts a piece of the array into parts. */
typedef struct long_scan {
    rank_rig rig;
    clscan_mpi *mpi;
    const clscan_problem *problem;
    size_t bytes, sum_bytes; /* of an element, and of a sum */
    uint64_t all, first;     /* elements of all runs, and of those before */
    unsigned char *in, *wanted, *state;
    clscan_value initial, total;
    bool has_initial;
} long_scan;

/* Steps of each run, for ranks in the order of the scan, over and over; the last rank of the last run has a rest. */
static const uint64_t run_steps[][3] = {{1, 0, 2}, {0, 0, 0}, {0, 3, 0}, {1, 1, 1}, {0, 0, 1}};
enum { RUNS = sizeof run_steps / sizeof run_steps[0], REST = 1024 + 77 };

static uint64_t count_in(const long_scan *scan, size_t run, size_t turn)
{
    return run_steps[run][turn % 3] * STEP + (run + 1 == RUNS && turn + 1 == scan->rig.group.count ? REST : 0);
}

/* The rank that has such a turn in the order of the scan, and the other way around. */
static size_t rank_of(const long_scan *scan, size_t turn)
{
    return scan->problem->direction == CLSCAN_REVERSE ? scan->rig.group.count - 1 - turn : turn;
}

static cl_mem make_buffer(cl_context context, size_t size_bytes, void *data)
{
    cl_int code;
    const cl_mem made =
        clCreateBuffer(context, CL_MEM_READ_WRITE | (data != NULL ? CL_MEM_COPY_HOST_PTR : 0), size_bytes, data, &code);

    assert_cl(code);
    return made;
}

/* This rank's part of a run, `before` elements from its begin in the order of the scan. */
static unsigned run_part(long_scan *scan, uint64_t before, uint64_t count)
{
    const clscan_member *member = &scan->rig.group.members[scan->rig.rank];
    const size_t turn = rank_of(scan, scan->rig.rank), size_bytes = (size_t)count * scan->bytes;
    const uint64_t done = scan->first + before;
    const size_t place =
        (size_t)(scan->problem->direction == CLSCAN_REVERSE ? scan->all - done - count : done) * scan->bytes;
    unsigned char *got = malloc(size_bytes + 1);
    cl_mem total = make_buffer(member->context, sizeof scan->total, NULL);
    cl_mem buffer = count > 0 ? make_buffer(member->context, size_bytes, scan->in + place) : NULL;
    clscan_run_args args = {.struct_size = sizeof args,
                            .in.buffer = buffer,
                            .out.buffer = buffer,
                            .count = count,
                            .first = scan->first,
                            .state = {.kind = CLSCAN_MEMORY_HOST, .pointer = scan->state}};
    clscan_error error = {0};
    cl_event event = NULL;
    unsigned wrong = 0;

    if (turn == 0 && scan->has_initial)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &scan->initial};
    if (turn + 1 == scan->rig.group.count)
        args.total.buffer = total;
    assert_status(CLSCAN_OK, clscan_mpi_run(scan->mpi, member->queue, &args, 0, NULL, &event, &error), &error);
    assert_cl(clWaitForEvents(1, &event));
    clReleaseEvent(event);
    if (count > 0) {
        assert_cl(clEnqueueReadBuffer(member->queue, buffer, CL_TRUE, 0, size_bytes, got, 0, NULL, NULL));
        wrong = memcmp(got, scan->wanted + place, size_bytes) != 0;
        clReleaseMemObject(buffer);
    }
    if (args.total.buffer != NULL)
        assert_cl(clEnqueueReadBuffer(member->queue, total, CL_TRUE, 0, scan->sum_bytes, &scan->total, 0, NULL, NULL));
    clReleaseMemObject(total);
    free(got);
    return wrong;
}

/* The rank with the last elements tells the others the state. */
static unsigned run_all_parts(long_scan *scan)
{
    const size_t ranks = scan->rig.group.count;
    unsigned wrong = 0;

    for (size_t run = 0; run < RUNS; ++run) {
        uint64_t before = 0, of_run = 0;
        size_t last = ranks; /* none */

        for (size_t turn = 0; turn < ranks; ++turn) {
            before = rank_of(scan, turn) == scan->rig.rank ? of_run : before;
            last = count_in(scan, run, turn) > 0 ? turn : last;
            of_run += count_in(scan, run, turn);
        }
        wrong += run_part(scan, before, count_in(scan, run, rank_of(scan, scan->rig.rank)));
        scan->first += of_run;
        if (last < ranks && run + 1 < RUNS)
            MPI_Bcast(scan->state, (int)clscan_mpi_state_bytes(scan->mpi), MPI_BYTE, (int)rank_of(scan, last),
                      scan->rig.communicator);
    }
    return wrong;
}

/* All runs together have the bits of the model, which knows neither runs nor parts. */
static unsigned try_runs(const test_live *live, clscan_problem problem, const clscan_sample_operator *sample,
                         bool has_initial)
{
    const clscan_case as_case = {.generator = group_generator(&problem), .seed = 7};
    const clscan_type sum_type = clscan_type_accumulator(problem.type);
    clscan_reference what;
    long_scan scan = {.problem = &problem,
                      .bytes = clscan_type_size_bytes(problem.type),
                      .sum_bytes = clscan_type_size_bytes(sum_type),
                      .initial = clscan_case_initial_value(sum_type, &as_case),
                      .has_initial = has_initial};
    clscan_value total;
    unsigned wrong;

    problem.reproducible = 1;
    problem.max_count = 4 * STEP;
    what = clscan_reference_of(&problem, sample);
    rank_rig_open(&scan.rig, live, false);
    scan.mpi = create(&scan.rig, &problem);
    for (size_t run = 0; run < RUNS; ++run)
        for (size_t turn = 0; turn < scan.rig.group.count; ++turn)
            scan.all += count_in(&scan, run, turn);
    scan.in = malloc((size_t)scan.all * scan.bytes);
    scan.wanted = malloc((size_t)scan.all * scan.bytes);
    scan.state = calloc(1, (size_t)clscan_mpi_state_bytes(scan.mpi));
    clscan_generate(as_case.generator, problem.type, as_case.seed, 0, scan.all, scan.in);
    assert_int_equal(
        clscan_reference_scan(&what, scan.in, scan.all, has_initial ? &scan.initial : NULL, scan.wanted, &total),
        CLSCAN_OK);
    wrong = run_all_parts(&scan);
    if (rank_of(&scan, scan.rig.rank) + 1 == scan.rig.group.count)
        wrong += memcmp(&scan.total, &total, scan.sum_bytes) != 0;
    free(scan.in);
    free(scan.wanted);
    free(scan.state);
    clscan_mpi_destroy(scan.mpi);
    rank_rig_close(&scan.rig);
    return wrong;
}

static void reproducible_scans_go_on_in_further_runs(void **state)
{
    const test_live *live = *state;
    const clscan_sample_operator *last = clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_FLOAT);
    unsigned wrong = 0;

    if (!test_keeps_subnormals(live))
        skip();
    wrong += try_runs(live, test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1), NULL, true);
    wrong += try_runs(live, test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 1), NULL, false);
    wrong += try_runs(live, test_problem(CLSCAN_HALF, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1), NULL, true);
    wrong += try_runs(live, test_custom_problem(CLSCAN_FLOAT, last, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, 1), last, false);
    assert_int_equal(wrong, 0);
}

static void states_where_there_are_none(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 100);
    int32_t value = 0;
    const clscan_run_args args = {.struct_size = sizeof args, .state = {.kind = CLSCAN_MEMORY_HOST, .pointer = &value}};
    clscan_error error = {0};
    rank_rig rig;
    clscan_mpi *mpi;

    rank_rig_open(&rig, live, false);
    mpi = create(&rig, &problem);
    assert_int_equal(clscan_mpi_state_bytes(mpi), 0);
    assert_int_equal(clscan_mpi_state_bytes(NULL), 0);
    assert_told(CLSCAN_ERROR_INVALID_VALUE,
                clscan_mpi_run(mpi, rig.group.members[rig.rank].queue, &args, 0, NULL, NULL, &error), 0,
                "args->state is set", &error);
    clscan_mpi_destroy(mpi);
    rank_rig_close(&rig);
}

static void try_difference(const rank_rig *rig, const clscan_problem *common, const clscan_problem *other,
                           clscan_status expected, const char *what)
{
    const clscan_member *member = &rig->group.members[rig->rank];
    const size_t last = rig->group.count - 1;
    clscan_mpi *mpi = NULL;
    clscan_error error = {0};

    assert_told(expected,
                clscan_mpi_create(rig->communicator, member->context, member->device,
                                  rig->rank == last ? other : common, NULL, &mpi, &error),
                last, what, &error);
    assert_null(mpi);
}

/* The last rank has another problem than the others. */
static void problems_that_differ(void **state)
{
    static const clscan_custom_operator left = {.struct_size = sizeof left,
                                                .source = "uint pick(uint left, uint right) { return left; }",
                                                .function = "pick"},
                                        right = {.struct_size = sizeof right,
                                                 .source = "uint pick(uint left, uint right) { return right; }",
                                                 .function = "pick"};
    static const clscan_map square = {.struct_size = sizeof square, .expression = "element * element"},
                            twice = {.struct_size = sizeof twice, .expression = "2 * element"};
    static const clscan_element wide = {.struct_size = sizeof wide, .type = CLSCAN_UINT64},
                                number = {.struct_size = sizeof number, .type = CLSCAN_UINT32};
    const clscan_problem plain = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    clscan_problem one = plain, other = plain;
    rank_rig rig;

    rank_rig_open(&rig, *state, false);
    if (rig.group.count > 1) {
        other.type = CLSCAN_INT32;
        try_difference(&rig, &plain, &other, CLSCAN_ERROR_INVALID_VALUE, "problem->type or element");
        other = plain, other.op = CLSCAN_MAX;
        try_difference(&rig, &plain, &other, CLSCAN_ERROR_INVALID_VALUE, "problem->op");
        other = plain, other.form = CLSCAN_EXCLUSIVE;
        try_difference(&rig, &plain, &other, CLSCAN_ERROR_INVALID_VALUE, "problem->form");
        other = plain, other.direction = CLSCAN_REVERSE;
        try_difference(&rig, &plain, &other, CLSCAN_ERROR_INVALID_VALUE, "problem->direction");
        other = plain, other.accumulator = &wide, other.output = &number;
        try_difference(&rig, &plain, &other, CLSCAN_ERROR_INVALID_VALUE, "problem->accumulator");
        one = plain, one.type = CLSCAN_FLOAT;
        other = one, other.reproducible = 1;
        try_difference(&rig, &one, &other, CLSCAN_ERROR_INVALID_VALUE, "problem->reproducible");
        one = plain, one.accumulator = &wide;
        other = one, other.output = &wide;
        try_difference(&rig, &one, &other, CLSCAN_ERROR_INVALID_VALUE, "problem->output");
        one = plain, one.op = CLSCAN_CUSTOM, one.custom = &left;
        other = one, other.custom = &right;
        try_difference(&rig, &one, &other, CLSCAN_ERROR_INVALID_VALUE, "problem->custom");
        one = plain, one.load = &square;
        other = one, other.load = &twice;
        try_difference(&rig, &one, &other, CLSCAN_ERROR_INVALID_VALUE, "problem->load");
        try_difference(&rig, &one, &plain, CLSCAN_ERROR_INVALID_VALUE, "problem->load");
    }
    rank_rig_close(&rig);
}

/* The last rank, or the only one, cannot have what it asks for. */
static void ranks_that_cannot_be_created(void **state)
{
    const clscan_rows rows = {.struct_size = sizeof rows, .count = 2};
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    clscan_problem other = problem;
    clscan_error error = {0};
    clscan_mpi *mpi = NULL;
    rank_rig rig;

    rank_rig_open(&rig, *state, false);
    const clscan_member *member = &rig.group.members[rig.rank];
    const size_t last = rig.group.count - 1;
    try_difference(&rig, &problem, NULL, CLSCAN_ERROR_NULL_ARGUMENT, "problem is NULL");
    other.max_count = 0;
    try_difference(&rig, &problem, &other, CLSCAN_ERROR_INVALID_VALUE, "max_count");
    other = problem, other.rows = &rows;
    try_difference(&rig, &problem, &other, CLSCAN_ERROR_UNSUPPORTED_TYPE, "problem->rows");
    other = problem, other.operation = CLSCAN_REDUCE;
    try_difference(&rig, &problem, &other, CLSCAN_ERROR_UNSUPPORTED_TYPE, "problem->operation");
    other = problem, other.struct_size = 0;
    try_difference(&rig, &problem, &other, CLSCAN_ERROR_STRUCT_SIZE, "problem->struct_size");
    assert_told(CLSCAN_ERROR_NULL_ARGUMENT,
                clscan_mpi_create(rig.communicator, member->context, member->device, &problem, NULL,
                                  rig.rank == last ? NULL : &mpi, &error),
                last, "mpi is NULL", &error);
    assert_null(mpi);
    assert_int_equal(clscan_mpi_create(rig.communicator, rig.rank == last ? NULL : member->context, member->device,
                                       &problem, NULL, &mpi, NULL),
                     CLSCAN_ERROR_NULL_ARGUMENT);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT,
                  clscan_mpi_create(MPI_COMM_NULL, member->context, member->device, &problem, NULL, &mpi, &error),
                  &error);
    clscan_mpi_destroy(NULL);
    rank_rig_close(&rig);
}

/* The last rank, or the only one, has a device that its context does not know. */
static void a_device_of_another_context(void **state)
{
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    const test_live *live = *state;
    cl_platform_id platform;
    cl_device_id devices[2];
    cl_uint count = 0;
    clscan_error error = {0};
    clscan_mpi *mpi = NULL;
    rank_rig rig;

    assert_cl(clGetDeviceInfo(live->device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    assert_cl(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count));
    assert_true(count > 1);
    rank_rig_open(&rig, live, false);
    const size_t last = rig.group.count - 1;
    const cl_device_id other = devices[devices[0] == live->device ? 1 : 0];
    assert_told(CLSCAN_ERROR_WRONG_CONTEXT,
                clscan_mpi_create(rig.communicator, live->context, rig.rank == last ? other : live->device, &problem,
                                  NULL, &mpi, &error),
                last, "device is not one of context's", &error);
    assert_null(mpi);
    rank_rig_close(&rig);
}

/* What a rank does wrong in a run. */
typedef enum mistake {
    NO_ARGS,
    NO_QUEUE,
    NO_SIZE,
    TOO_LARGE, /* a count */
    NO_OUTPUT, /* which only the scan misses */
    STRANGE_QUEUE,
    STRANGE_OUTPUT,
    STRANGE_EVENT,
    MISPLACED_INITIAL,
    MISPLACED_TOTAL,
    MISTAKES
} mistake;

static const struct {
    clscan_status status;
    const char *what;
} answers[MISTAKES] = {
    [NO_ARGS] = {CLSCAN_ERROR_NULL_ARGUMENT, "args is NULL"},
    [NO_QUEUE] = {CLSCAN_ERROR_NULL_ARGUMENT, "queue is NULL"},
    [NO_SIZE] = {CLSCAN_ERROR_STRUCT_SIZE, "args->struct_size"},
    [TOO_LARGE] = {CLSCAN_ERROR_COUNT_TOO_LARGE, "args->count"},
    [NO_OUTPUT] = {CLSCAN_ERROR_NULL_ARGUMENT, "args->out"},
    [STRANGE_QUEUE] = {CLSCAN_ERROR_WRONG_CONTEXT, "the queue belongs to another context"},
    [STRANGE_OUTPUT] = {CLSCAN_ERROR_WRONG_CONTEXT, "args->out"},
    [STRANGE_EVENT] = {CLSCAN_ERROR_WRONG_CONTEXT, "wait_list[0] belongs to another context"},
    [MISPLACED_INITIAL] = {CLSCAN_ERROR_INVALID_VALUE, "args->initial is given, but the scan begins on rank 0"},
    [MISPLACED_TOTAL] = {CLSCAN_ERROR_INVALID_VALUE, "args->total is given, but the scan ends on rank"},
};

/* What is of a context that no plan knows. */
typedef struct strangers {
    cl_context context;
    cl_command_queue queue;
    cl_mem buffer;
    cl_event event;
} strangers;

static strangers invite(const test_live *live)
{
    strangers made;
    cl_int code;

    made.context = clCreateContext(NULL, 1, &live->device, NULL, NULL, &code);
    assert_cl(code);
    made.queue = clCreateCommandQueue(made.context, live->device, 0, &code);
    assert_cl(code);
    made.buffer = clCreateBuffer(made.context, CL_MEM_READ_WRITE, (MOST + 8) * sizeof(cl_uint), NULL, &code);
    assert_cl(code);
    made.event = clCreateUserEvent(made.context, &code);
    assert_cl(code);
    return made;
}

static void dismiss(const strangers *made)
{
    clReleaseEvent(made->event);
    clReleaseMemObject(made->buffer);
    clReleaseCommandQueue(made->queue);
    clReleaseContext(made->context);
}

/* Is the input of this rank's part, which is its output, what it was? */
static void assert_unharmed(const rank_rig *rig, const group_work *work)
{
    const clscan_part *part = &work->parts[rig->rank];
    uint32_t got[MOST];
    uint64_t first = 0;

    for (size_t i = 0; i < rig->rank; ++i)
        first += work->parts[i].count;
    if (part->count == 0)
        return;
    assert_cl(clEnqueueReadBuffer(rig->group.members[rig->rank].queue, part->in.buffer, CL_TRUE,
                                  (size_t)part->in.offset * sizeof *got, (size_t)part->count * sizeof *got, got, 0,
                                  NULL, NULL));
    assert_memory_equal(got, work->in + first * sizeof *got, (size_t)part->count * sizeof *got);
}

static void make_mistake(const rank_rig *rig, clscan_mpi *mpi, const group_work *work, const strangers *others,
                         mistake what, size_t culprit)
{
    static const uint32_t start = 5;
    const bool is_culprit = rig->rank == culprit;
    const cl_uint waits = is_culprit && what == STRANGE_EVENT;
    clscan_run_args args = rank_rig_args(rig, work);
    cl_command_queue queue = rig->group.members[rig->rank].queue;
    cl_event event = NULL;
    clscan_error error = {0};

    if (is_culprit && what == NO_QUEUE)
        queue = NULL;
    if (is_culprit && what == STRANGE_QUEUE)
        queue = others->queue;
    if (is_culprit && what == NO_SIZE)
        args.struct_size = 0;
    if (is_culprit && what == TOO_LARGE)
        args.count = MOST + 1;
    if (is_culprit && what == NO_OUTPUT)
        args.out.buffer = NULL;
    if (is_culprit && what == STRANGE_OUTPUT)
        args.out.buffer = others->buffer;
    if (is_culprit && what == MISPLACED_INITIAL)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &start};
    if (is_culprit && what == MISPLACED_TOTAL)
        args.total = args.out;
    assert_told(answers[what].status,
                clscan_mpi_run(mpi, queue, is_culprit && what == NO_ARGS ? NULL : &args, waits,
                               waits > 0 ? &others->event : NULL, &event, &error),
                culprit, answers[what].what, &error);
    assert_null(event);
    assert_cl(clFinish(rig->group.members[rig->rank].queue));
    assert_unharmed(rig, work);
}

/* Each rank makes each mistake; all ranks are told before one has written anything, and the next run is right. */
static void a_rank_that_fails(void **state)
{
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    const group_case test = {.counts = {100, 200, 300, 400, 1, 2, 3, 64}, .in_place = true, .seed = 7};
    const strangers others = invite(*state);
    unsigned wrong = 0;
    group_work work;
    rank_rig rig;
    clscan_mpi *mpi;

    rank_rig_open(&rig, *state, false);
    mpi = create(&rig, &problem);
    assert_true(group_work_prepare(&work, &rig.group, &problem, NULL, &test));
    for (int what = 0; what < MISTAKES; ++what)
        for (size_t culprit = 0; culprit < rig.group.count; ++culprit) {
            if ((what == MISPLACED_INITIAL && culprit == 0) ||
                (what == MISPLACED_TOTAL && culprit == rig.group.count - 1))
                continue; /* it is none there */
            make_mistake(&rig, mpi, &work, &others, (mistake)what, culprit);
            wrong += rank_rig_case(mpi, &rig, &problem, NULL, &test);
        }
    group_work_free(&work);
    clscan_mpi_destroy(mpi);
    rank_rig_close(&rig);
    dismiss(&others);
    assert_int_equal(wrong, 0);
}

/* What concerns one rank alone: without an object, and beside an active run. The others wait until it calls as it
 * should. */
static void calls_that_begin_nothing(void **state)
{
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    const group_case test = {.counts = {100, 200, 300, 400, 1, 2, 3, 64}, .total = true, .seed = 8};
    clscan_error error = {0};
    group_work work;
    rank_rig rig;
    clscan_mpi *mpi;
    int done = 7;

    rank_rig_open(&rig, *state, false);
    mpi = create(&rig, &problem);
    assert_true(group_work_prepare(&work, &rig.group, &problem, NULL, &test));
    const clscan_run_args args = rank_rig_args(&rig, &work);
    const cl_command_queue queue = rig.group.members[rig.rank].queue;
    const bool is_culprit = rig.rank == rig.group.count - 1;
    if (is_culprit) {
        assert_int_equal(clscan_mpi_run(NULL, queue, &args, 0, NULL, NULL, &error), CLSCAN_ERROR_NULL_ARGUMENT);
        assert_non_null(strstr(error.message, "mpi is NULL"));
        assert_int_equal(clscan_mpi_start(NULL, queue, &args, 0, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
        assert_int_equal(clscan_mpi_wait(NULL, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
        assert_int_equal(clscan_mpi_test(NULL, &done, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
        assert_int_equal(clscan_mpi_wait(mpi, NULL, NULL), CLSCAN_ERROR_INVALID_VALUE);
        assert_int_equal(clscan_mpi_test(mpi, &done, NULL, &error), CLSCAN_ERROR_INVALID_VALUE);
        assert_non_null(strstr(error.message, "no run is active"));
    }
    assert_status(CLSCAN_OK, clscan_mpi_start(mpi, queue, &args, 0, NULL, &error), &error);
    if (is_culprit) {
        assert_int_equal(clscan_mpi_start(mpi, queue, &args, 0, NULL, NULL), CLSCAN_ERROR_WORKSPACE_BUSY);
        assert_int_equal(clscan_mpi_run(mpi, queue, &args, 0, NULL, NULL, &error), CLSCAN_ERROR_WORKSPACE_BUSY);
        assert_non_null(strstr(error.message, "a run is active"));
        assert_int_equal(clscan_mpi_test(mpi, NULL, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
        assert_int_equal(done, 7);
    }
    assert_status(CLSCAN_OK, clscan_mpi_wait(mpi, NULL, &error), &error);
    assert_cl(clFinish(queue));
    assert_int_equal(group_work_compare_part(&work, rig.rank), 0);
    group_work_free(&work);
    clscan_mpi_destroy(mpi);
    rank_rig_close(&rig);
}

/* The call that begins a run keeps nothing of the caller's but what is behind handles: here it is overwritten, and the
 * buffers are released. */
static void a_run_that_goes_on(void **state)
{
    enum { COUNT = 100 };
    const clscan_problem problem = test_affine_maps(COUNT);
    const test_live *live = *state;
    clscan_error error = {0};
    uint8_t in[COUNT];
    uint32_t factor = 12345, initial[2] = {3, 7}, got[COUNT], sum[2] = {3, 7};
    int done = 0, before_done = 0;
    rank_rig rig;
    clscan_mpi *mpi;
    cl_event gate, scanned = NULL;
    cl_int code;

    rank_rig_open(&rig, live, false);
    mpi = create(&rig, &problem);
    for (size_t i = 0; i < rig.rank * COUNT; ++i)
        combine_affine(sum, (const uint32_t[]){(uint8_t)(2 * i + 1), factor}, sum);
    for (size_t i = 0; i < COUNT; ++i)
        in[i] = (uint8_t)(2 * (rig.rank * COUNT + i) + 1);
    clscan_memory value = {.kind = CLSCAN_MEMORY_HOST, .pointer = &factor};
    clscan_run_args args = {.struct_size = sizeof args,
                            .in.buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof in, in),
                            .out.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL),
                            .count = COUNT,
                            .map_arguments = &value,
                            .map_argument_count = 1};
    const cl_mem out = args.out.buffer, read = args.in.buffer;
    if (rig.rank == 0)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = initial};
    gate = clCreateUserEvent(live->context, &code);
    assert_cl(code);
    cl_event waits[1] = {gate};
    assert_status(CLSCAN_OK, clscan_mpi_start(mpi, live->queue, &args, 1, waits, &error), &error);
    factor = 0, initial[0] = 0, initial[1] = 0, waits[0] = NULL;
    value.pointer = NULL;
    memset(&args, 0xff, sizeof args);
    clReleaseMemObject(read);
    if (rig.group.count > 1 && rig.rank == 0) { /* its sum cannot be there */
        for (int i = 0; i < 10; ++i)
            assert_status(CLSCAN_OK, clscan_mpi_test(mpi, &before_done, &scanned, &error), &error);
        assert_int_equal(before_done, 0);
        assert_null(scanned);
    }
    MPI_Barrier(rig.communicator);
    assert_cl(clSetUserEventStatus(gate, CL_COMPLETE));
    clReleaseEvent(gate);
    while (!done)
        assert_status(CLSCAN_OK, clscan_mpi_test(mpi, &done, &scanned, &error), &error);
    assert_non_null(scanned);
    assert_cl(clEnqueueReadBuffer(live->queue, out, CL_TRUE, 0, sizeof got, got, 1, &scanned, NULL));
    for (size_t i = 0; i < COUNT; ++i) {
        combine_affine(sum, (const uint32_t[]){in[i], 12345}, sum);
        assert_int_equal(got[i], sum[0] ^ sum[1]);
    }
    clReleaseEvent(scanned);
    clReleaseMemObject(out);
    clscan_mpi_destroy(mpi);
    rank_rig_close(&rig);
}

/* Runs of several objects at once, which ranks end in different orders, by asking for each in turn. */
static void several_objects(void **state)
{
    enum { OBJECTS = 3 };
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    clscan_mpi *mpi[OBJECTS];
    group_work works[OBJECTS];
    group_case tests[OBJECTS];
    clscan_error error = {0};
    int done[OBJECTS] = {0};
    rank_rig rig;

    rank_rig_open(&rig, *state, false);
    const cl_command_queue queue = rig.group.members[rig.rank].queue;
    for (size_t k = 0; k < OBJECTS; ++k) {
        tests[k] = (group_case){.total = true, .seed = 20 + k};
        memcpy(tests[k].counts, splits[k], sizeof tests[k].counts);
        mpi[k] = create(&rig, &problem);
        assert_true(group_work_prepare(&works[k], &rig.group, &problem, NULL, &tests[k]));
        const clscan_run_args args = rank_rig_args(&rig, &works[k]);
        assert_status(CLSCAN_OK, clscan_mpi_start(mpi[k], queue, &args, 0, NULL, &error), &error);
    }
    for (size_t turn = 0; !done[0] || !done[1] || !done[2]; ++turn) {
        const size_t k = (turn + rig.rank) % OBJECTS;

        if (!done[k])
            assert_status(CLSCAN_OK, clscan_mpi_test(mpi[k], &done[k], NULL, &error), &error);
    }
    assert_cl(clFinish(queue));
    for (size_t k = 0; k < OBJECTS; ++k) {
        assert_int_equal(group_work_compare_part(&works[k], rig.rank), 0);
        group_work_free(&works[k]);
        clscan_mpi_destroy(mpi[k]);
    }
    rank_rig_close(&rig);
}

/* Some ranks wait, the others destroy: the run is ended all the same. */
static void destroying_ends_the_run(void **state)
{
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    const group_case test = {.counts = {100, 200, 300, 400, 1, 2, 3, 64}, .total = true, .seed = 9};
    clscan_error error = {0};
    group_work work;
    rank_rig rig;
    clscan_mpi *mpi;

    for (size_t turn = 0; turn < 3; ++turn) {
        rank_rig_open(&rig, *state, false);
        mpi = create(&rig, &problem);
        assert_true(group_work_prepare(&work, &rig.group, &problem, NULL, &test));
        const clscan_run_args args = rank_rig_args(&rig, &work);
        const cl_command_queue queue = rig.group.members[rig.rank].queue;
        assert_status(CLSCAN_OK, clscan_mpi_start(mpi, queue, &args, 0, NULL, &error), &error);
        if ((rig.rank + turn) % 3 != 0) /* so all destroy on some turn of one and two ranks */
            assert_status(CLSCAN_OK, clscan_mpi_wait(mpi, NULL, &error), &error);
        clscan_mpi_destroy(mpi);
        assert_cl(clFinish(queue));
        assert_int_equal(group_work_compare_part(&work, rig.rank), 0);
        group_work_free(&work);
        rank_rig_close(&rig);
    }
}

/* An event that the sum waits for fails, on the first rank. All else that it waits for has ended before: a run has used
 * the workspaces, and the queue is empty. PoCL, up to 7.0 at least, fails and runs a command whose other event ends
 * meanwhile, which ends the process (pocl_update_event_finished(): Assertion, or a crash in one of its threads). */
static void a_sum_that_fails(void **state)
{
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    const test_live *live = *state;
    const group_case test = {.counts = {100, 200, 300, 400, 1, 2, 3, 64}, .in_place = true, .seed = 10};
    clscan_error error = {0};
    group_work work;
    rank_rig rig;
    clscan_mpi *mpi;
    cl_event gate, event = NULL;
    cl_int code;

    rank_rig_open(&rig, live, true);
    if (rig.group.count > 1) {
        mpi = create(&rig, &problem);
        assert_int_equal(rank_rig_case(mpi, &rig, &problem, NULL, &test), 0);
        assert_true(group_work_prepare(&work, &rig.group, &problem, NULL, &test));
        const clscan_run_args args = rank_rig_args(&rig, &work);
        const cl_command_queue queue = rig.group.members[rig.rank].queue;
        const bool is_culprit = rig.rank == 0;
        assert_cl(clFinish(queue));
        gate = clCreateUserEvent(live->context, &code);
        assert_cl(code);
        assert_status(CLSCAN_OK,
                      clscan_mpi_start(mpi, queue, &args, is_culprit ? 1 : 0, is_culprit ? &gate : NULL, &error),
                      &error);
        assert_cl(clSetUserEventStatus(gate, is_culprit ? -77 : CL_COMPLETE));
        assert_told(CLSCAN_ERROR_OPENCL, clscan_mpi_wait(mpi, &event, &error), 0, "the reduction of this rank's part",
                    &error);
        assert_null(event);
        assert_unharmed(&rig, &work);
        clReleaseEvent(gate);
        assert_int_equal(rank_rig_case(mpi, &rig, &problem, NULL, &test), 0);
        group_work_free(&work);
        clscan_mpi_destroy(mpi);
    }
    rank_rig_close(&rig);
}

/* Two mistakes at once: all are told of the first one. And nobody need be told. */
static void several_ranks_that_fail(void **state)
{
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    clscan_error error = {0};
    rank_rig rig;
    clscan_mpi *mpi;

    rank_rig_open(&rig, *state, false);
    mpi = create(&rig, &problem);
    assert_told(CLSCAN_ERROR_NULL_ARGUMENT, clscan_mpi_run(mpi, NULL, NULL, 0, NULL, NULL, &error), 0, "queue is NULL",
                &error);
    assert_int_equal(clscan_mpi_run(mpi, NULL, NULL, 0, NULL, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_mpi_run(NULL, NULL, NULL, 0, NULL, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    clscan_mpi_destroy(mpi);
    rank_rig_close(&rig);
}

/* The first rank with elements has nothing to begin with; no rank knows that before the sums have come. */
static void no_identity(void **state)
{
    const clscan_sample_operator *sample = clscan_sample_find(CLSCAN_SAMPLE_TAKE_LEFT, CLSCAN_UINT32);
    const clscan_problem problem = test_custom_problem(CLSCAN_UINT32, sample, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, MOST);
    const test_live *live = *state;
    clscan_error error = {0};
    rank_rig rig;
    clscan_mpi *mpi;

    rank_rig_open(&rig, live, false);
    mpi = create(&rig, &problem);
    for (size_t first = 0; first < rig.group.count; ++first) {
        const cl_mem buffer = test_buffer(live, CL_MEM_READ_WRITE, 64 * sizeof(cl_uint), NULL);
        const clscan_run_args args = {
            .struct_size = sizeof args, .in.buffer = buffer, .out.buffer = buffer, .count = rig.rank < first ? 0 : 64};

        assert_told(CLSCAN_ERROR_NO_IDENTITY, clscan_mpi_run(mpi, live->queue, &args, 0, NULL, NULL, &error), first,
                    "identity", &error);
        assert_cl(clFinish(live->queue));
        clReleaseMemObject(buffer);
    }
    clscan_mpi_destroy(mpi);
    rank_rig_close(&rig);
}

static void intercommunicators_are_refused(void **state)
{
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    const test_live *live = *state;
    clscan_error error = {0};
    clscan_mpi *mpi = NULL;
    MPI_Comm half, both;
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    assert_status(CLSCAN_ERROR_INVALID_VALUE,
                  clscan_mpi_create(both, live->context, live->device, &problem, NULL, &mpi, &error), &error);
    assert_null(mpi);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest with_two_devices[] = {cmocka_unit_test(a_device_of_another_context)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_operators),
        cmocka_unit_test(operators_of_the_callers),
        cmocka_unit_test(maps_and_structs),
        cmocka_unit_test(events_are_waited_for),
        cmocka_unit_test(reproducible_scans_have_the_bits_of_one_device),
        cmocka_unit_test(reproducible_runs_do_not_wait_for_scans),
        cmocka_unit_test(ragged_parts_are_refused),
        cmocka_unit_test(reproducible_scans_go_on_in_further_runs),
        cmocka_unit_test(states_where_there_are_none),
        cmocka_unit_test(problems_that_differ),
        cmocka_unit_test(ranks_that_cannot_be_created),
        cmocka_unit_test(a_rank_that_fails),
        cmocka_unit_test(several_ranks_that_fail),
        cmocka_unit_test(calls_that_begin_nothing),
        cmocka_unit_test(a_run_that_goes_on),
        cmocka_unit_test(several_objects),
        cmocka_unit_test(destroying_ends_the_run),
        cmocka_unit_test(a_sum_that_fails),
        cmocka_unit_test(no_identity),
        cmocka_unit_test(intercommunicators_are_refused),
    };
    int failed;

    MPI_Init(NULL, NULL);
    failed = argc > 1 && strcmp(argv[1], "two_devices") == 0
                 ? cmocka_run_group_tests(with_two_devices, test_live_setup, test_live_teardown)
                 : cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
    MPI_Finalize();
    return failed;
}
