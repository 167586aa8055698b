/* One scan over several devices (devices.h): every operator, form, direction and split gives what one scan gives. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "affine_maps.h"
#include "cmocka_all.h"
#include "group_rig.h"
#include "parsed_variant.h"

enum { MOST = 3000 };

/* Small tiles, so that small parts have many. */
#define SMALL                                                                                                   \
    "strided+kogge_stone+reduce_then_scan work_group_size=16 vector_length=2 register_pieces=1 local_pieces=1 " \
    "work_groups_per_unit=4"

static const uint64_t splits[][GROUP_MOST] = {
    {1000, 1, 777, 2048}, {0, 300, 0, 5}, {300, 0, 0, 0},      {0, 0, 0, 400},
    {1, 1, 1, 1},         {0, 0, 0, 0},   {2999, 64, 0, 3000},
};
enum { SPLITS = sizeof splits / sizeof splits[0] };

static group_case case_of(size_t split, size_t turn)
{
    group_case test = {.in_place = turn % 2 == 1,
                       .total = turn % 3 != 2,
                       .blocking = turn / 2 % 2 == 1,
                       .initial = (clscan_case_initial)(turn % 3),
                       .seed = 1 + turn};

    memcpy(test.counts, splits[split], sizeof splits[split]);
    return test;
}

/* All splits, with a turn of place, total and initial value that begins elsewhere each time. */
static unsigned try_problem(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                            const clscan_variant *variant, group_kind kind, size_t count, size_t turn)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    group_rig rig;
    clscan_devices *group = NULL;
    clscan_error error = {0};
    unsigned wrong = 0;

    if (!group_rig_open(&rig, live, kind, count, turn % 2 == 1)) {
        group_rig_close(&rig);
        return 0;
    }
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, count, problem, &options, &group, &error), &error);
    for (size_t i = 0; i < 2 * SPLITS; ++i) {
        const group_case test = case_of(i % SPLITS, turn + i);

        wrong += group_run_case(group, &rig, problem, sample, &test);
    }
    clscan_devices_destroy(group);
    group_rig_close(&rig);
    return wrong;
}

/* Types of each size; operators, forms and directions take turns. */
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
    const clscan_variant variant = parsed_variant(SMALL);
    unsigned wrong = 0;

    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; ++i) {
        const clscan_problem problem =
            test_problem(problems[i].type, problems[i].op, (clscan_form)(i % 2), (clscan_direction)(i / 2 % 2), MOST);

        if (!test_takes(i, 3) || !test_type_runs(live, problems[i].type))
            continue;
        for (size_t count = 2 + i % 2; count <= GROUP_MOST; count += 2)
            wrong += try_problem(live, &problem, NULL, &variant, GROUP_OF_QUEUES, count, i);
    }
    assert_int_equal(wrong, 0);
}

/* Operators that do not commute, with and without identity. */
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
    };
    const test_live *live = *state;
    const clscan_variant variant = parsed_variant(SMALL);
    unsigned wrong = 0;

    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; ++i) {
        const clscan_sample_operator *sample = clscan_sample_find(problems[i].sample, CLSCAN_UINT32);
        const clscan_problem problem =
            test_custom_problem(CLSCAN_UINT32, sample, problems[i].form, problems[i].direction, MOST);

        if (!test_takes(i, 2))
            continue;
        wrong += try_problem(live, &problem, sample, &variant, GROUP_OF_QUEUES, 4, i);
        wrong += try_problem(live, &problem, sample, &variant, GROUP_OF_QUEUES, 3, i + 1);
    }
    assert_int_equal(wrong, 0);
}

/* As they are used: a context for each device, and what the tables choose. */
static void contexts_and_sub_devices(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, MOST);
    unsigned wrong = 0;

    for (size_t count = 1; count <= 3; ++count)
        wrong += try_problem(live, &problem, NULL, NULL, GROUP_OF_CONTEXTS, count, count);
    wrong += try_problem(live, &problem, NULL, NULL, GROUP_OF_PARTS, 2, 0);
    assert_int_equal(wrong, 0);
}

/* What travels is an accumulator. */
static void maps_and_structs(void **state)
{
    enum { COUNT = 100, PARTS = 3 };
    const clscan_problem problem = test_affine_maps(COUNT);
    const clscan_variant variant = parsed_variant(SMALL);
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
    const test_live *live = *state;
    const uint32_t factor = 12345;
    const clscan_memory value = {.kind = CLSCAN_MEMORY_HOST, .pointer = &factor};
    clscan_part parts[PARTS];
    const clscan_devices_args args = {.struct_size = sizeof args, .parts = parts, .part_count = PARTS};
    uint8_t in[PARTS * COUNT];
    uint32_t got[COUNT], a = 1, b = 0;
    group_rig rig;
    clscan_devices *group = NULL;
    clscan_error error = {0};

    assert_true(group_rig_open(&rig, live, GROUP_OF_QUEUES, PARTS, false));
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, PARTS, &problem, &options, &group, &error), &error);
    for (size_t i = 0; i < PARTS * COUNT; ++i)
        in[i] = (uint8_t)(2 * i + 1);
    for (size_t p = 0; p < PARTS; ++p)
        parts[p] = (clscan_part){.struct_size = sizeof parts[p],
                                 .in.buffer = test_buffer(live, CL_MEM_READ_ONLY, COUNT, in + p * COUNT),
                                 .out.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL),
                                 .count = COUNT,
                                 .map_arguments = &value,
                                 .map_argument_count = 1};
    assert_status(CLSCAN_OK, clscan_devices_run(group, &args, NULL, &error), &error);
    for (size_t p = 0; p < PARTS; ++p) {
        assert_cl(
            clEnqueueReadBuffer(rig.members[p].queue, parts[p].out.buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        for (size_t i = 0; i < COUNT; ++i) {
            const uint32_t x = in[p * COUNT + i];

            b = x * b + factor;
            a *= x;
            assert_int_equal(got[i], a ^ b);
        }
        clReleaseMemObject(parts[p].in.buffer);
        clReleaseMemObject(parts[p].out.buffer);
    }
    clscan_devices_destroy(group);
    group_rig_close(&rig);
}

static void shares_follow_weights(void **state)
{
    static const struct {
        uint64_t count;
        double weights[4];
        uint64_t shares[4];
    } deals[] = {
        {10, {1, 0, 2, 0}, {3, 0, 7, 0}},
        {7, {1, 1, 1, 1}, {2, 2, 1, 2}},
        {0, {1, 2, 3, 4}, {0, 0, 0, 0}},
        {3, {0, 0, 0, 1e300}, {0, 0, 0, 3}},
        {UINT64_MAX, {0, 1, 0, 0}, {0, UINT64_MAX, 0, 0}},
    };
    static const double refused[][2] = {{0, 0}, {1, -1}, {1, INFINITY}, {NAN, 1}, {1e308, 1e308}};
    uint64_t shares[CLSCAN_MOST_DEVICES];
    clscan_error error = {0};

    (void)state;
    for (size_t i = 0; i < sizeof deals / sizeof deals[0]; ++i) {
        assert_status(CLSCAN_OK, clscan_devices_deal(deals[i].count, deals[i].weights, 4, shares, &error), &error);
        assert_memory_equal(shares, deals[i].shares, sizeof deals[i].shares);
    }
    for (uint64_t count = UINT64_MAX - 2; count != 100; count = count > 100 ? 0 : count + 1) {
        uint64_t all = 0;

        assert_status(CLSCAN_OK, clscan_devices_deal(count, NULL, CLSCAN_MOST_DEVICES, shares, &error), &error);
        for (size_t i = 0; i < CLSCAN_MOST_DEVICES; ++i)
            all += shares[i];
        assert_true(all == count);
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i)
        assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_deal(5, refused[i], 2, shares, &error), &error);
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_deal(5, NULL, 0, shares, &error), &error);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_devices_deal(5, NULL, 2, NULL, &error), &error);
}

/* Each device its own rows, of unequal numbers, one of them none. */
static void rows_are_dealt(void **state)
{
    enum { PARTS = 3, ROWS = 10, WIDTH = 100 };
    static const double weights[PARTS] = {1, 0, 2};
    static const uint32_t start = 1000;
    const clscan_rows most = {.struct_size = sizeof most, .count = ROWS};
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .type = CLSCAN_UINT32,
                                    .form = CLSCAN_EXCLUSIVE,
                                    .max_count = WIDTH,
                                    .rows = &most};
    const test_live *live = *state;
    clscan_rows rows[PARTS];
    clscan_part parts[PARTS];
    clscan_devices_args args = {.struct_size = sizeof args,
                                .parts = parts,
                                .part_count = PARTS,
                                .initial = {.kind = CLSCAN_MEMORY_HOST, .pointer = &start}};
    uint32_t in[ROWS][WIDTH], got[ROWS][WIDTH], totals[ROWS];
    uint64_t shares[PARTS], first = 0;
    cl_event events[PARTS];
    group_rig rig;
    clscan_devices *group = NULL;
    clscan_error error = {0};

    for (size_t i = 0; i < ROWS * WIDTH; ++i)
        in[i / WIDTH][i % WIDTH] = (uint32_t)(i * i);
    assert_true(group_rig_open(&rig, live, GROUP_OF_QUEUES, PARTS, false));
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, PARTS, &problem, NULL, &group, &error), &error);
    assert_status(CLSCAN_OK, clscan_devices_deal(ROWS, weights, PARTS, shares, &error), &error);
    for (size_t p = 0; p < PARTS; first += shares[p++]) {
        rows[p] = (clscan_rows){.struct_size = sizeof rows[p], .count = shares[p]};
        parts[p] = (clscan_part){.struct_size = sizeof parts[p], .count = WIDTH, .rows = &rows[p]};
        if (shares[p] == 0)
            continue;
        parts[p].in.buffer = test_buffer(live, CL_MEM_READ_WRITE, (size_t)shares[p] * sizeof in[0], in[first]);
        parts[p].out = parts[p].in;
        parts[p].total.buffer = test_buffer(live, CL_MEM_READ_WRITE, (size_t)shares[p] * sizeof start, NULL);
    }

    args.total = parts[2].total;
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_run(group, &args, events, &error), &error);
    args.total.buffer = NULL;
    args.initial = parts[2].total;
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_run(group, &args, events, &error), &error);
    args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &start};
    rows[2].count = ROWS + 1;
    assert_status(CLSCAN_ERROR_COUNT_TOO_LARGE, clscan_devices_run(group, &args, events, &error), &error);
    assert_non_null(strstr(error.message, "args->parts[2]"));
    rows[2].count = shares[2];

    assert_status(CLSCAN_OK, clscan_devices_run(group, &args, events, &error), &error);
    for (size_t p = first = 0; p < PARTS; first += shares[p++]) {
        assert_cl(clWaitForEvents(1, &events[p]));
        clReleaseEvent(events[p]);
        if (shares[p] == 0)
            continue;
        test_read(live, parts[p].out.buffer, (size_t)shares[p] * sizeof in[0], got[first]);
        test_read(live, parts[p].total.buffer, (size_t)shares[p] * sizeof start, totals + first);
        clReleaseMemObject(parts[p].in.buffer);
        clReleaseMemObject(parts[p].total.buffer);
    }
    for (size_t r = 0; r < ROWS; ++r) {
        uint32_t sum = start;

        for (size_t i = 0; i < WIDTH; sum += in[r][i++])
            assert_int_equal(got[r][i], sum);
        assert_int_equal(totals[r], sum);
    }
    clscan_devices_destroy(group);
    group_rig_close(&rig);
}

/* Each row has the bits of a reproducible scan of its own. */
static void reproducible_rows_are_dealt(void **state)
{
    enum { PARTS = 2, ROWS = 3, WIDTH = 1500 };
    const test_live *live = *state;
    const clscan_rows rows = {.struct_size = sizeof rows, .count = ROWS};
    clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, WIDTH);
    clscan_part parts[PARTS];
    const clscan_devices_args args = {.struct_size = sizeof args, .parts = parts, .part_count = PARTS};
    static float in[PARTS * ROWS][WIDTH], got[ROWS][WIDTH], expected[WIDTH];
    clscan_reference what;
    cl_event events[PARTS];
    group_rig rig;
    clscan_devices *group = NULL;
    clscan_error error = {0};

    if (!test_keeps_subnormals(live))
        skip();
    problem.reproducible = 1;
    what = clscan_reference_of(&problem, NULL);
    problem.rows = &rows;
    clscan_generate(CLSCAN_GENERATE_WIDE, CLSCAN_FLOAT, 5, 0, PARTS * ROWS * WIDTH, in);
    assert_true(group_rig_open(&rig, live, GROUP_OF_QUEUES, PARTS, false));
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, PARTS, &problem, NULL, &group, &error), &error);
    assert_int_equal(clscan_devices_state_bytes(group), 0);
    for (size_t p = 0; p < PARTS; ++p) {
        parts[p] = (clscan_part){.struct_size = sizeof parts[p], .count = WIDTH, .rows = &rows};
        parts[p].in.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, in[p * ROWS]);
        parts[p].out = parts[p].in;
    }
    assert_status(CLSCAN_OK, clscan_devices_run(group, &args, events, &error), &error);
    for (size_t p = 0; p < PARTS; ++p) {
        assert_cl(clWaitForEvents(1, &events[p]));
        clReleaseEvent(events[p]);
        test_read(live, parts[p].out.buffer, sizeof got, got);
        clReleaseMemObject(parts[p].in.buffer);
        for (size_t r = 0; r < ROWS; ++r) {
            assert_int_equal(clscan_reference_scan(&what, in[p * ROWS + r], WIDTH, NULL, expected, NULL), CLSCAN_OK);
            assert_memory_equal(got[r], expected, sizeof expected);
        }
    }
    clscan_devices_destroy(group);
    group_rig_close(&rig);
}

/* One, a few, and many rounds; all shares, one none; sums of 8 bits in 32, so that sizes differ. */
static void host_memory_is_spread(void **state)
{
    enum { PARTS = 3, PART = 100, COUNT = 2003 };
    static const double weights[PARTS] = {1, 0, 2};
    static const uint64_t counts[] = {0, 1, 99, 150, 151, 300, 301, COUNT};
    static const uint32_t start = 1000;
    static const clscan_element sums = {.struct_size = sizeof sums, .type = CLSCAN_UINT32};
    static uint32_t in[COUNT], out[COUNT + 1];
    static uint8_t bytes[COUNT];

    for (size_t i = 0; i < COUNT; ++i)
        bytes[i] = (uint8_t)(i * i + 3);
    for (size_t kind = 0; kind < 3; ++kind) { /* forward in place, reverse, and from bytes */
        const bool reverse = kind == 1;
        clscan_problem problem =
            test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_EXCLUSIVE, reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD, PART);
        clscan_devices *group = NULL;
        clscan_error error = {0};
        group_rig rig;

        if (kind == 2) {
            problem.type = CLSCAN_UINT8;
            problem.accumulator = problem.output = &sums;
        }
        assert_true(group_rig_open(&rig, *state, GROUP_OF_CONTEXTS, PARTS, kind == 1));
        assert_status(CLSCAN_OK, clscan_devices_create(rig.members, PARTS, &problem, NULL, &group, &error), &error);
        for (size_t c = 0; c < 2 * sizeof counts / sizeof counts[0]; ++c) {
            const uint64_t count = counts[c / 2];
            const bool has_initial = c % 2 == 1;
            uint32_t sum = has_initial ? start : 0, total = 77;
            const clscan_host_args args = {.struct_size = sizeof args,
                                           .in = kind == 0   ? (const void *)out
                                                 : kind == 1 ? (const void *)in
                                                             : (const void *)bytes,
                                           .out = out,
                                           .count = count,
                                           .weights = c % 3 == 0 ? NULL : weights,
                                           .staging = c / 3 % 2,
                                           .initial = has_initial ? &start : NULL,
                                           .total = c % 4 == 3 ? NULL : &total};

            for (size_t i = 0; i < COUNT; ++i)
                in[i] = out[i] = bytes[i];
            out[count] = 5;
            assert_status(CLSCAN_OK, clscan_devices_scan_host(group, &args, &error), &error);
            for (uint64_t i = 0; i < count; ++i) {
                const uint64_t place = reverse ? count - 1 - i : i;

                assert_int_equal(out[place], sum);
                sum += bytes[place];
            }
            assert_int_equal(out[count], 5);
            assert_int_equal(total, args.total != NULL ? sum : 77);
        }
        clscan_devices_destroy(group);
        group_rig_close(&rig);
    }
}

static void host_memory_that_does_not_fit(void **state)
{
    static const double none[2] = {0, 0};
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 100);
    uint32_t data[8] = {1, 2, 3};
    const clscan_host_args fits = {.struct_size = sizeof fits, .in = data, .out = data, .count = 4};
    clscan_host_args args = fits;
    clscan_devices *group = NULL;
    clscan_error error = {0};
    group_rig rig;

    assert_true(group_rig_open(&rig, *state, GROUP_OF_QUEUES, 2, false));
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, 2, &problem, NULL, &group, &error), &error);
#define REFUSED(expected, change)                                                        \
    do {                                                                                 \
        change;                                                                          \
        assert_status(expected, clscan_devices_scan_host(group, &args, &error), &error); \
        args = fits;                                                                     \
    } while (0)
    REFUSED(CLSCAN_ERROR_NULL_ARGUMENT, args.in = NULL);
    REFUSED(CLSCAN_ERROR_NULL_ARGUMENT, args.out = NULL);
    REFUSED(CLSCAN_ERROR_OVERLAP, args.out = data + 1);
    REFUSED(CLSCAN_ERROR_COUNT_TOO_LARGE, args.count = UINT64_MAX / 2);
    REFUSED(CLSCAN_ERROR_INVALID_VALUE, args.weights = none);
    REFUSED(CLSCAN_ERROR_STRUCT_SIZE, args.struct_size = 0);
    REFUSED(CLSCAN_ERROR_INVALID_VALUE, args.staging = 3);
    REFUSED(CLSCAN_ERROR_INVALID_VALUE, args.reserved = 1);
#undef REFUSED
    assert_int_equal(data[1], 2);
    clscan_devices_destroy(group);
    group_rig_close(&rig);
}

/* A reproducible scan over all parts has the bits of the model, which knows of no parts. */
static unsigned try_ordered(const test_live *live, clscan_problem problem, const clscan_sample_operator *sample,
                            group_kind kind, size_t count, size_t turn)
{
    group_rig rig;
    clscan_devices *group = NULL;
    clscan_error error = {0};
    unsigned wrong = 0;

    problem.reproducible = 1;
    problem.max_count = 5 * CLSCAN_REPRODUCIBLE_STEP;
    if (!group_rig_open(&rig, live, kind, count, turn % 2 == 1)) {
        group_rig_close(&rig);
        return 0;
    }
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, count, &problem, NULL, &group, &error), &error);
    for (size_t i = 0; i < GROUP_ORDERED_CASES; ++i) {
        const group_case test = group_ordered_case(&rig, &problem, i, turn);

        wrong += group_run_case(group, &rig, &problem, sample, &test);
    }
    clscan_devices_destroy(group);
    group_rig_close(&rig);
    return wrong;
}

static void reproducible_scans_have_the_bits_of_one_device(void **state)
{
    const test_live *live = *state;
    const clscan_sample_operator *left = clscan_sample_find(CLSCAN_SAMPLE_TAKE_LEFT, CLSCAN_FLOAT);
    unsigned wrong = 0;

    if (!test_keeps_subnormals(live))
        skip();
    wrong += try_ordered(live, test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1), NULL,
                         GROUP_OF_QUEUES, 2, 0);
    wrong += try_ordered(live, test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 1), NULL,
                         GROUP_OF_QUEUES, 4, 1);
    wrong += try_ordered(live, test_problem(CLSCAN_FLOAT, CLSCAN_MUL, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, 1), NULL,
                         GROUP_OF_CONTEXTS, 3, 2);
    wrong += try_ordered(live, test_problem(CLSCAN_HALF, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1), NULL,
                         GROUP_OF_QUEUES, 4, 3);
    wrong += try_ordered(live, test_custom_problem(CLSCAN_FLOAT, left, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1), left,
                         GROUP_OF_QUEUES, 3, 4);
    wrong += try_ordered(live, test_custom_problem(CLSCAN_FLOAT, left, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 1), left,
                         GROUP_OF_QUEUES, 4, 5);
    if (test_type_runs(live, CLSCAN_DOUBLE))
        wrong += try_ordered(live, test_problem(CLSCAN_DOUBLE, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 1), NULL,
                             GROUP_OF_QUEUES, 4, 6);
    assert_int_equal(wrong, 0);
}

/* A scan of host memory that has to have the bits of the model. */
typedef struct ordered_host {
    const clscan_problem *problem;
    const clscan_sample_operator *sample;
    const void *in, *wanted;
    const clscan_value *initial, *wanted_total;
    uint64_t count;
} ordered_host;

/* In two calls, of `before` elements and the rest, by the state; or in one, without. */
static unsigned try_ordered_host(clscan_devices *group, const ordered_host *test, uint64_t before,
                                 const clscan_host_args *how)
{
    const size_t bytes = clscan_type_size_bytes(test->problem->type),
                 total_bytes = clscan_type_size_bytes(clscan_type_accumulator(test->problem->type));
    const bool reverse = test->problem->direction == CLSCAN_REVERSE;
    const uint64_t counts[2] = {before, test->count - before};
    unsigned char *state = malloc((size_t)clscan_devices_state_bytes(group));
    unsigned char *out = malloc((size_t)(test->count + 1) * bytes);
    clscan_value total = {.bits = 0};
    clscan_error error = {0};
    uint64_t done = 0;
    unsigned wrong = 0;

    memcpy(out, test->in, (size_t)test->count * bytes);
    memset(out + test->count * bytes, 0xa5, bytes);
    for (size_t i = before > 0 ? 0 : 1; i < 2; done += counts[i++]) {
        unsigned char *from = out + (reverse ? test->count - done - counts[i] : done) * bytes;
        clscan_host_args args = *how;

        args.in = args.out = from;
        args.count = counts[i];
        args.initial = test->initial;
        args.total = test->wanted_total != NULL ? &total : NULL;
        args.first = done;
        args.state = before > 0 ? state : NULL;
        assert_status(CLSCAN_OK, clscan_devices_scan_host(group, &args, &error), &error);
    }
    wrong += memcmp(out, test->wanted, (size_t)test->count * bytes) != 0;
    wrong += test->wanted_total != NULL && memcmp(&total, test->wanted_total, total_bytes) != 0;
    wrong += out[test->count * bytes] != 0xa5;
    if (wrong > 0)
        print_error("%s %s, %llu elements of at most %llu, %llu of them before: not the bits of one scan\n",
                    clscan_type_name(test->problem->type), reverse ? "reverse" : "forward",
                    (unsigned long long)test->count, (unsigned long long)test->problem->max_count,
                    (unsigned long long)before);
    free(out);
    free(state);
    return wrong;
}

/* Ends within and at blocks, steps, parts and rounds; weights of which one is none. */
static unsigned try_ordered_hosts(const test_live *live, clscan_problem problem, const clscan_sample_operator *sample,
                                  size_t devices, uint64_t max_count, bool has_initial)
{
    enum { STEP = CLSCAN_REPRODUCIBLE_STEP, MOST_COUNT = 11 * STEP + 3 * 1024 + 77 };
    static const uint64_t counts[] = {0, 1, 1023, STEP - 1, STEP, STEP + 1, 2 * STEP, 7 * STEP + 1024, MOST_COUNT};
    static const double weights[] = {2, 0, 1};
    static uint64_t in[MOST_COUNT], wanted[MOST_COUNT];
    const clscan_case as_case = {.generator = group_generator(&problem), .seed = devices};
    clscan_value initial = clscan_case_initial_value(clscan_type_accumulator(problem.type), &as_case), total;
    const ordered_host all = {
        .sample = sample, .in = in, .wanted = wanted, .initial = has_initial ? &initial : NULL, .wanted_total = &total};
    clscan_reference what;
    clscan_devices *group = NULL;
    clscan_error error = {0};
    group_rig rig;
    unsigned wrong = 0;

    problem.reproducible = 1;
    problem.max_count = max_count;
    what = clscan_reference_of(&problem, sample);
    assert_true(group_rig_open(&rig, live, GROUP_OF_CONTEXTS, devices, devices == 3));
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, devices, &problem, NULL, &group, &error), &error);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
        const clscan_host_args how = {
            .struct_size = sizeof how, .weights = c % 2 == 0 ? NULL : weights, .staging = c / 2 % 2};
        ordered_host test = all;

        test.problem = &problem;
        test.count = counts[c];
        clscan_generate(as_case.generator, problem.type, as_case.seed, 0, test.count, in);
        if (clscan_reference_scan(&what, in, test.count, test.initial, wanted, &total) != CLSCAN_OK)
            continue; /* nothing, without identity */
        wrong += try_ordered_host(group, &test, 0, &how);
        if (test.count >= STEP)
            wrong += try_ordered_host(group, &test, STEP, &how);
        if (test.count > 5 * STEP)
            wrong += try_ordered_host(group, &test, 5 * STEP, &how);
        test.wanted_total = NULL;
        if (c % 3 == 0)
            wrong += try_ordered_host(group, &test, 0, &how);
    }
    clscan_devices_destroy(group);
    group_rig_close(&rig);
    return wrong;
}

static void reproducible_host_memory_has_the_bits_of_one_device(void **state)
{
    enum { STEP = CLSCAN_REPRODUCIBLE_STEP };
    const test_live *live = *state;
    const clscan_sample_operator *left = clscan_sample_find(CLSCAN_SAMPLE_TAKE_LEFT, CLSCAN_FLOAT);
    const clscan_problem plain = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1);
    unsigned wrong = 0;

    if (!test_keeps_subnormals(live))
        skip();
    wrong += try_ordered_hosts(live, plain, NULL, 1, STEP, false);
    wrong += try_ordered_hosts(live, plain, NULL, 2, 2 * STEP + 5, true);
    wrong += try_ordered_hosts(live, plain, NULL, 3, STEP, true);
    wrong += try_ordered_hosts(live, test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 1), NULL,
                               3, 2 * STEP, false);
    wrong += try_ordered_hosts(live, test_problem(CLSCAN_FLOAT, CLSCAN_MUL, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, 1), NULL,
                               2, STEP, true);
    wrong += try_ordered_hosts(live, test_problem(CLSCAN_HALF, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 1), NULL,
                               2, STEP, false);
    wrong += try_ordered_hosts(live, test_custom_problem(CLSCAN_FLOAT, left, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, 1), left,
                               3, STEP, true);
    if (test_type_runs(live, CLSCAN_DOUBLE))
        wrong += try_ordered_hosts(live, test_problem(CLSCAN_DOUBLE, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 1),
                                   NULL, 3, 20 * STEP, true);
    assert_int_equal(wrong, 0);
}

/* Parts that end where no state can be taken up, and states where there are none. */
static void what_reproducible_groups_refuse(void **state)
{
    const test_live *live = *state;
    clscan_problem problem =
        test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 2 * CLSCAN_REPRODUCIBLE_STEP);
    const group_case test = {.counts = {CLSCAN_REPRODUCIBLE_STEP, 77, 1}, .seed = 1};
    float value = 1;
    const clscan_host_args fits = {.struct_size = sizeof fits, .in = &value, .out = &value, .count = 1};
    clscan_host_args args = fits;
    float *many;
    group_rig rig;
    group_work work;
    clscan_devices *group = NULL;
    clscan_error error = {0};

    if (!test_keeps_subnormals(live))
        skip();
    problem.reproducible = 1;
    assert_true(group_rig_open(&rig, live, GROUP_OF_QUEUES, 3, false));
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, 3, &problem, NULL, &group, &error), &error);
    assert_true(group_work_prepare(&work, &rig, &problem, NULL, &test));
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_run(group, &work.args, NULL, &error), &error);
    assert_non_null(strstr(error.message, "args->parts[1].count is 77, no multiple of 65536"));
    group_work_free(&work);
    args.first = CLSCAN_REPRODUCIBLE_STEP;
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_scan_host(group, &args, &error), &error);
    assert_non_null(strstr(error.message, "args->state is NULL"));
    args.state = &value; /* nobody looks at it */
    args.first = 1024;
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_scan_host(group, &args, &error), &error);
    assert_non_null(strstr(error.message, "args->first is 1024, no multiple of 65536"));
    assert_true(value == 1);
    clscan_devices_destroy(group);

    problem.max_count = 1000; /* one part of one device, or none */
    args = fits;
    many = calloc(1001, sizeof *many);
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, 2, &problem, NULL, &group, &error), &error);
    args.in = args.out = many;
    args.count = 1000;
    assert_status(CLSCAN_OK, clscan_devices_scan_host(group, &args, &error), &error);
    args.count = 1001;
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_scan_host(group, &args, &error), &error);
    assert_non_null(strstr(error.message, "max_count of the group is 1000"));
    clscan_devices_destroy(group);
    free(many);

    problem.op = CLSCAN_MAX;
    args = fits;
    args.state = &value;
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, 2, &problem, NULL, &group, &error), &error);
    assert_int_equal(clscan_devices_state_bytes(group), 0);
    assert_int_equal(clscan_devices_state_bytes(NULL), 0);
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_scan_host(group, &args, &error), &error);
    assert_non_null(strstr(error.message, "args->state is set"));
    clscan_devices_destroy(group);
    group_rig_close(&rig);
}

/* Refused by name, before anything is compiled. */
static void problems_that_groups_do_not_serve(void **state)
{
    static const clscan_map by_index = {.struct_size = sizeof by_index, .expression = "element + index"};
    static const clscan_rows rows = {.struct_size = sizeof rows, .count = 3};
    const clscan_problem plain = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    clscan_problem problems[4] = {plain, plain, plain, plain};
    static const char *const names[] = {"operation", "load", "count_bytes", "load"};
    group_rig rig;
    clscan_devices *group = NULL;
    clscan_error error = {0};

    problems[0].operation = CLSCAN_REDUCE;
    problems[1].load = &by_index;
    problems[1].rows = &rows;
    problems[2].count_bytes = 8;
    problems[3].load = &by_index;
    assert_true(group_rig_open(&rig, *state, GROUP_OF_QUEUES, 2, false));
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; ++i) {
        assert_status(CLSCAN_ERROR_UNSUPPORTED_TYPE,
                      clscan_devices_create(rig.members, 2, &problems[i], NULL, &group, &error), &error);
        assert_non_null(strstr(error.message, names[i]));
        assert_null(group);
    }
    group_rig_close(&rig);
}

static void members_that_do_not_match(void **state)
{
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    group_rig rig;
    clscan_member members[2];
    clscan_devices *group = NULL;
    clscan_error error = {0};

    assert_true(group_rig_open(&rig, *state, GROUP_OF_CONTEXTS, 2, false));
#define REFUSED(expected, count)                                                                                \
    do {                                                                                                        \
        assert_status(expected, clscan_devices_create(members, count, &problem, NULL, &group, &error), &error); \
        assert_null(group);                                                                                     \
        memcpy(members, rig.members, sizeof members);                                                           \
    } while (0)
    memcpy(members, rig.members, sizeof members);
    REFUSED(CLSCAN_ERROR_INVALID_VALUE, 0);
    REFUSED(CLSCAN_ERROR_INVALID_VALUE, CLSCAN_MOST_DEVICES + 1);
    members[1].queue = rig.members[0].queue;
    REFUSED(CLSCAN_ERROR_WRONG_CONTEXT, 2);
    assert_non_null(strstr(error.message, "members[1]"));
    members[0].device = NULL;
    REFUSED(CLSCAN_ERROR_NULL_ARGUMENT, 2);
    members[0].struct_size = 0;
    REFUSED(CLSCAN_ERROR_STRUCT_SIZE, 2);
#undef REFUSED
    group_rig_close(&rig);
}

/* Nothing is enqueued: outputs stay as they are, and the next run is right. */
static void parts_that_do_not_fit(void **state)
{
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1000);
    const group_case test = {.counts = {1000, 500}, .in_place = true, .seed = 4};
    group_rig rig;
    group_work work;
    clscan_part kept[2];
    clscan_devices *group = NULL;
    clscan_error error = {0};
    cl_event events[2] = {NULL, NULL};
    cl_int code;

    assert_true(group_rig_open(&rig, *state, GROUP_OF_CONTEXTS, 2, false));
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, 2, &problem, NULL, &group, &error), &error);
    assert_true(group_work_prepare(&work, &rig, &problem, NULL, &test));
    memcpy(kept, work.parts, sizeof kept);
#define REFUSED(expected)                                                                       \
    do {                                                                                        \
        assert_status(expected, clscan_devices_run(group, &work.args, events, &error), &error); \
        assert_null(events[0]);                                                                 \
        memcpy(work.parts, kept, sizeof kept);                                                  \
    } while (0)
    work.parts[1].count = 1001;
    REFUSED(CLSCAN_ERROR_COUNT_TOO_LARGE);
    assert_non_null(strstr(error.message, "parts[1]"));
    work.parts[1].in = work.parts[1].out = kept[0].in; /* the other device's */
    REFUSED(CLSCAN_ERROR_WRONG_CONTEXT);
    work.parts[1].out.offset += 10000;
    REFUSED(CLSCAN_ERROR_BUFFER_TOO_SMALL);
    work.parts[0].wait_count = 1;
    REFUSED(CLSCAN_ERROR_INVALID_VALUE);
    work.args.part_count = 1;
    REFUSED(CLSCAN_ERROR_INVALID_VALUE);
    work.args.part_count = 2;
    cl_event foreign = clCreateUserEvent(rig.members[0].context, &code);
    assert_cl(code);
    work.parts[1].wait_count = 1;
    work.parts[1].wait_list = &foreign;
    REFUSED(CLSCAN_ERROR_WRONG_CONTEXT);
    const cl_event one_of_two[2] = {clCreateUserEvent(rig.members[1].context, &code), NULL};
    assert_cl(code);
    work.parts[1].wait_count = 2;
    work.parts[1].wait_list = one_of_two;
    REFUSED(CLSCAN_ERROR_OPENCL);
    assert_non_null(strstr(error.message, "parts[1].wait_list[1]"));
    const cl_event open[] = {one_of_two[0], foreign};
    for (size_t i = 0; i < sizeof open / sizeof open[0]; ++i) {
        assert_cl(clSetUserEventStatus(open[i], CL_COMPLETE)); /* drivers may wait for it */
        clReleaseEvent(open[i]);
    }
#undef REFUSED
    group_work_free(&work);
    assert_int_equal(group_run_case(group, &rig, &problem, NULL, &test), 0);
    clscan_devices_destroy(group);
    group_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_operators),
        cmocka_unit_test(operators_of_the_callers),
        cmocka_unit_test(contexts_and_sub_devices),
        cmocka_unit_test(maps_and_structs),
        cmocka_unit_test(shares_follow_weights),
        cmocka_unit_test(rows_are_dealt),
        cmocka_unit_test(reproducible_rows_are_dealt),
        cmocka_unit_test(host_memory_is_spread),
        cmocka_unit_test(host_memory_that_does_not_fit),
        cmocka_unit_test(reproducible_scans_have_the_bits_of_one_device),
        cmocka_unit_test(reproducible_host_memory_has_the_bits_of_one_device),
        cmocka_unit_test(what_reproducible_groups_refuse),
        cmocka_unit_test(problems_that_groups_do_not_serve),
        cmocka_unit_test(members_that_do_not_match),
        cmocka_unit_test(parts_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
