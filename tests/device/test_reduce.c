/* Operation reduce: every body with every carry that serves it, types, forms, and what it refuses. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "common/test_knobs.h"
#include "live.h"
#include "variant_sets.h"

static const uint32_t reducing[] = {CLSCAN_CARRY_REDUCE_THEN_COMBINE, CLSCAN_CARRY_LAST_COMBINES};
enum { REDUCING = sizeof reducing / sizeof reducing[0], MOST_TILES = 64 };

static clscan_problem reduction_of(clscan_problem problem)
{
    problem.operation = CLSCAN_REDUCE;
    return problem;
}

static clscan_problem reduction(clscan_type type, clscan_operator op, clscan_direction direction, uint64_t max_count)
{
    return reduction_of(test_problem(type, op, CLSCAN_INCLUSIVE, direction, max_count));
}

/* The variant of a scan with a carry of reductions instead. */
static clscan_variant with_carry(const clscan_variant *scan, uint32_t carry)
{
    clscan_variant variant = *scan;

    variant.carry = carry;
    variant.order = CLSCAN_ORDER_NONE;
    variant.work_groups_per_unit = 1;
    variant.poll_delay = 0;
    variant.landing_zones = 0;
    variant.tiles_per_work_group = 0;
    return variant;
}

/* Counts at the edges of tiles, with and without initial value and offset. */
static unsigned run_sizes(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                          const clscan_variant *variant, uint64_t seed)
{
    static const struct {
        uint64_t tiles;
        int64_t rest;
    } sizes[] = {{0, 0}, {0, 1}, {0, 2}, {1, -1}, {1, 0}, {1, 1}, {2, 1}, {3, 3}, {16, 0}, {37, 5}, {64, -1}};
    const uint64_t tile = clscan_variant_tile_count(variant);
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    clscan_problem sized = *problem;
    clscan_case_fixture fixture;
    unsigned failures = 0;

    sized.max_count = MOST_TILES * tile;
    if (test_try_prepare(live, &sized, sample, &options, &fixture) != CLSCAN_OK)
        return 1;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        clscan_case test = {.count = (uint64_t)((int64_t)(sizes[i].tiles * tile) + sizes[i].rest),
                            .generator = sample != NULL
                                             ? CLSCAN_GENERATE_MOSTLY_ZERO
                                             : clscan_generator_for(problem->type, problem->op, problem->direction),
                            .seed = seed + i};
        failures += test_case(&fixture, &test);
        test.in_offset = 1 + i % 3;
        test.initial = i % 2 == 0 ? CLSCAN_CASE_HOST_INITIAL : CLSCAN_CASE_DEVICE_INITIAL;
        failures += test_case(&fixture, &test);
    }
    clscan_case_release(&fixture);
    return failures;
}

/* Every body and group scan with every carry of reductions; `step` leaves some out. */
static void run_bodies(const test_live *live, clscan_type type, clscan_direction direction, bool custom,
                       uint32_t work_group_size, size_t first, size_t step)
{
    const clscan_sample_operator *sample = custom ? clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, type) : NULL;
    const clscan_problem problem = custom
                                       ? reduction_of(test_custom_problem(type, sample, CLSCAN_INCLUSIVE, direction, 1))
                                       : reduction(type, CLSCAN_ADD, direction, 1);
    test_variants list = test_representatives(type, work_group_size, 2, &live->info);
    const size_t case_step = test_case_step(live, 2, 3 * step);
    unsigned failures = 0, run = 0, turn = 0;

    for (size_t i = 0; i < list.count; ++i) {
        if (list.items[i].carry != CLSCAN_CARRY_REDUCE_THEN_SCAN)
            continue;
        for (size_t j = 0; j < REDUCING; ++j) {
            const clscan_variant variant = with_carry(&list.items[i], reducing[j]);

            if (clscan_variant_check(&variant, &problem, 0, &live->info, NULL) != CLSCAN_OK ||
                turn++ % case_step != first % case_step)
                continue;
            failures += run_sizes(live, &problem, sample, &variant, 100 * i);
            ++run;
        }
    }
    free(list.items);
    assert_int_equal(failures, 0);
    assert_true(run > 0);
}

static void bodies_int32(void **state)
{
    run_bodies(*state, CLSCAN_INT32, CLSCAN_FORWARD, false, 16, 0, 4);
}

static void bodies_in_order(void **state)
{
    run_bodies(*state, CLSCAN_INT32, CLSCAN_FORWARD, true, 8, 1, 4);
}

static void bodies_in_order_reverse(void **state)
{
    run_bodies(*state, CLSCAN_INT32, CLSCAN_REVERSE, true, 8, 2, 4);
}

static void bodies_half(void **state)
{
    run_bodies(*state, CLSCAN_HALF, CLSCAN_FORWARD, false, 16, 0, 11);
}

static void bodies_uint8_reverse(void **state)
{
    run_bodies(*state, CLSCAN_UINT8, CLSCAN_REVERSE, false, 32, 1, 11);
}

static void bodies_double(void **state)
{
    const test_live *live = *state;

    if (!test_type_runs(live, CLSCAN_DOUBLE))
        skip();
    run_bodies(live, CLSCAN_DOUBLE, CLSCAN_FORWARD, false, 16, 2, 11);
}

/* What configs choose, for every type. */
static void every_type(void **state)
{
    const test_live *live = *state;
    static const uint64_t counts[] = {0, 1, 1000, 65537, 300001};
    unsigned failures = 0;

    for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
        const clscan_operator op = type % 2 == 0 ? CLSCAN_ADD : CLSCAN_MAX;
        const clscan_direction direction = type % 3 == 0 ? CLSCAN_REVERSE : CLSCAN_FORWARD;
        const clscan_problem problem = reduction((clscan_type)type, op, direction, 300001);
        clscan_case_fixture fixture;

        if (!test_type_runs(live, (clscan_type)type))
            continue;
        test_prepare(live, &problem, NULL, NULL, &fixture);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
            const clscan_case test = {.count = counts[i],
                                      .in_offset = i,
                                      .initial = (clscan_case_initial)(i % 3),
                                      .generator = clscan_generator_for((clscan_type)type, op, direction),
                                      .seed = 7 + i};
            failures += test_case(&fixture, &test);
        }
        clscan_case_release(&fixture);
    }
    assert_int_equal(failures, 0);
}

/* Bits are those of the reference, which groups as a reproducible scan does. */
static void reproducible_bits(void **state)
{
    const test_live *live = *state;
    static const uint64_t counts[] = {0, 1, 3, 1023, 1024, 1025, 65536, 65537, 262144 - 1, 262144, 700001};
    static const clscan_type types[] = {CLSCAN_FLOAT, CLSCAN_HALF, CLSCAN_DOUBLE};
    unsigned failures = 0;

    if (!test_keeps_subnormals(live))
        skip();
    for (size_t t = 0; t < sizeof types / sizeof types[0]; ++t)
        for (size_t j = 0; j <= REDUCING; ++j) {
            const clscan_direction direction = j % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE;
            clscan_problem problem = reduction(types[t], CLSCAN_ADD, direction, 700001);
            clscan_plan_options options = {.struct_size = sizeof options};
            clscan_choice choice = {.struct_size = sizeof choice};
            clscan_case_fixture fixture;
            clscan_variant variant;

            problem.reproducible = 1;
            if (!test_type_runs(live, types[t]))
                continue;
            if (j < REDUCING) {
                assert_int_equal(clscan_config_explain(NULL, &live->info, &problem, 700001, 0, &choice, NULL),
                                 CLSCAN_OK);
                variant = with_carry(&choice.variant, reducing[j]);
                variant.work_groups_per_unit = 4;
                options.variant = &variant;
                if (clscan_variant_check(&variant, &problem, 0, &live->info, NULL) != CLSCAN_OK)
                    continue;
            }
            test_prepare(live, &problem, NULL, &options, &fixture);
            for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
                const clscan_case test = {.count = counts[i],
                                          .in_offset = i % 4,
                                          .initial = (clscan_case_initial)(i % 3),
                                          .generator = CLSCAN_GENERATE_UNIFORM,
                                          .seed = 70 + i};
                failures += test_case(&fixture, &test);
            }
            clscan_case_release(&fixture);
        }
    assert_int_equal(failures, 0);
}

/* Nothing to combine: the initial value, the identity, or a refusal. */
static void nothing_without_identity(void **state)
{
    const test_live *live = *state;
    const clscan_sample_operator *sample = clscan_sample_find(CLSCAN_SAMPLE_TAKE_LEFT, CLSCAN_INT32);
    clscan_problem problem;
    clscan_case_fixture fixture;
    unsigned failures = 0;

    assert_non_null(sample);
    assert_null(sample->identity);
    problem = reduction_of(test_custom_problem(CLSCAN_INT32, sample, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 5000));
    test_prepare(live, &problem, sample, NULL, &fixture);
    for (uint64_t count = 0; count <= 5000; count += 2500)
        for (int initial = 0; initial < 3; ++initial) {
            const clscan_case test = {
                .count = count, .initial = (clscan_case_initial)initial, .generator = CLSCAN_GENERATE_UNIFORM};
            failures += test_case(&fixture, &test);
        }
    clscan_case_release(&fixture);
    assert_int_equal(failures, 0);
}

/* What a run refuses, and that it says why. */
static void bad_input(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = reduction(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_FORWARD, 1000);
    static const int zeros[1001];
    cl_mem in = test_buffer(live, CL_MEM_READ_WRITE, sizeof zeros, zeros);
    cl_mem out = test_buffer(live, CL_MEM_READ_WRITE, sizeof zeros, zeros);
    cl_mem read_only = test_buffer(live, CL_MEM_READ_ONLY, sizeof zeros, zeros);
    const clscan_run_args right = {
        .struct_size = sizeof right, .in = {.buffer = in}, .count = 1000, .total = {.buffer = out}};
    struct {
        const char *named;
        clscan_status expected;
        clscan_run_args args;
    } cases[] = {
        {"args->out", CLSCAN_ERROR_INVALID_VALUE, right},     {"args->total", CLSCAN_ERROR_NULL_ARGUMENT, right},
        {"args->total", CLSCAN_ERROR_OVERLAP, right},         {"args->total", CLSCAN_ERROR_BUFFER_ACCESS, right},
        {"args->first", CLSCAN_ERROR_INVALID_VALUE, right},   {"args->state", CLSCAN_ERROR_INVALID_VALUE, right},
        {"args->count", CLSCAN_ERROR_COUNT_TOO_LARGE, right}, {"args->in", CLSCAN_ERROR_BUFFER_TOO_SMALL, right},
    };
    clscan_problem exclusive = problem;
    clscan_case_fixture fixture;
    clscan_plan *plan = NULL;
    clscan_error error;
    int after[1001];

    cases[0].args.out.buffer = out;
    cases[1].args.total.buffer = NULL;
    cases[2].args.total = (clscan_memory){.buffer = in, .offset = 999};
    cases[3].args.total.buffer = read_only;
    cases[4].args.first = CLSCAN_REPRODUCIBLE_STEP;
    cases[5].args.state.buffer = out;
    cases[6].args.count = 1001;
    cases[7].args.in.offset = 2;
    exclusive.form = CLSCAN_EXCLUSIVE;
    assert_status(CLSCAN_ERROR_INVALID_VALUE,
                  clscan_plan_create(live->context, live->device, &exclusive, NULL, &plan, &error), &error);
    assert_non_null(strstr(error.message, "problem->form"));
    test_prepare(live, &problem, NULL, NULL, &fixture);
    assert_int_equal(clscan_plan_state_bytes(fixture.plan), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        memset(&error, 0, sizeof error);
        assert_status(cases[i].expected,
                      clscan_run(fixture.plan, fixture.workspace, live->queue, &cases[i].args, 0, NULL, NULL, &error),
                      &error);
        assert_non_null(strstr(error.message, cases[i].named));
    }
    /* Beside the input, in the same buffer, is no overlap. */
    cases[0].args = right;
    cases[0].args.total = (clscan_memory){.buffer = in, .offset = 1000};
    assert_status(CLSCAN_OK,
                  clscan_run(fixture.plan, fixture.workspace, live->queue, &cases[0].args, 0, NULL, NULL, &error),
                  &error);
    test_read(live, out, sizeof after, after);
    assert_memory_equal(after, zeros, sizeof after);
    clscan_case_release(&fixture);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseMemObject(read_only);
}

/* An operand that is no element shows: 0 is none and swallows all, and what stands around the input is the largest. */
static void operators_see_elements_only(void **state)
{
    enum { MOST = 5000, AROUND = 64 };
    const test_live *live = *state;
    static const clscan_custom_operator largest = {
        .struct_size = sizeof largest,
        .source = "uint largest(uint left, uint right)\n"
                  "{\n    return left == 0 || right == 0 ? 0 : left > right ? left : right;\n}\n",
        .function = "largest",
    };
    clscan_problem problem = reduction(CLSCAN_UINT32, CLSCAN_CUSTOM, CLSCAN_FORWARD, MOST);
    unsigned *elements = malloc((MOST + 2 * AROUND) * sizeof *elements), got = 0;
    const cl_mem total = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, &got);
    clscan_case_fixture fixture;
    clscan_error error;

    assert_non_null(elements);
    problem.custom = &largest;
    test_prepare(live, &problem, NULL, NULL, &fixture);
    for (uint64_t count = 1; count <= MOST; count = 3 * count + 1) {
        clscan_run_args args = {.struct_size = sizeof args, .count = count, .total = {.buffer = total}};

        for (uint64_t i = 0; i < MOST + 2 * AROUND; ++i)
            elements[i] = i >= AROUND && i < AROUND + count ? (unsigned)(1 + i * 7919 % 1000) : 1u << 30;
        elements[AROUND + count / 2] = 2000;
        args.in.buffer = test_buffer(live, CL_MEM_READ_ONLY, (MOST + 2 * AROUND) * sizeof *elements, elements);
        args.in.offset = AROUND;
        assert_status(CLSCAN_OK, clscan_run(fixture.plan, fixture.workspace, live->queue, &args, 0, NULL, NULL, &error),
                      &error);
        test_read(live, total, sizeof got, &got);
        assert_int_equal(got, 2000);
        clReleaseMemObject(args.in.buffer);
    }
    clscan_case_release(&fixture);
    clReleaseMemObject(total);
    free(elements);
}

/* Elements that are no scalars: vectors, added lane by lane. */
static void vectors(void **state)
{
    enum { COUNT = 70001 };
    const test_live *live = *state;
    const clscan_element element = {.struct_size = sizeof element, .type = CLSCAN_INT32, .lanes = 4};
    clscan_problem problem = reduction(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_FORWARD, COUNT);
    const cl_int initial[4] = {1, 2, 3, 4};
    cl_int *elements = malloc(COUNT * sizeof initial), got[4];
    const cl_mem total = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL);
    clscan_case_fixture fixture;
    clscan_error error;
    cl_mem in;

    assert_non_null(elements);
    for (int i = 0; i < 4 * COUNT; ++i)
        elements[i] = i % 4 + 1;
    in = test_buffer(live, CL_MEM_READ_ONLY, COUNT * sizeof initial, elements);
    problem.element = &element;
    test_prepare(live, &problem, NULL, NULL, &fixture);
    for (int count = 0; count <= COUNT; count = 5 * count + 1) {
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in = {.buffer = in},
                                      .count = (uint64_t)count,
                                      .initial = {CLSCAN_MEMORY_HOST, .pointer = initial},
                                      .total = {.buffer = total}};

        assert_status(CLSCAN_OK, clscan_run(fixture.plan, fixture.workspace, live->queue, &args, 0, NULL, NULL, &error),
                      &error);
        test_read(live, total, sizeof got, got);
        for (int lane = 0; lane < 4; ++lane)
            assert_int_equal(got[lane], (lane + 1) * (count + 1));
    }
    clscan_case_release(&fixture);
    clReleaseMemObject(in);
    clReleaseMemObject(total);
    free(elements);
}

/* Many runs on one workspace, on two queues by turns, enqueued at once: each has the ticket that the run before left.
 * Begins near the wrap of the epochs. */
static void runs_by_turns(void **state)
{
    enum { RUNS = 40, COUNT = 30000 };
    const test_live *live = *state;
    const clscan_problem problem = reduction(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_FORWARD, COUNT);
    cl_command_queue queues[2] = {live->queue, test_out_of_order_queue(live)};
    const clscan_plan_options options = {
        .struct_size = sizeof options,
        .test_knobs = &(struct clscan__test_knobs){.first_epoch = (1u << 30) - 1 - RUNS / 2},
    };
    int *elements = malloc(COUNT * sizeof *elements), got[RUNS + 1], last;
    cl_mem in, totals;
    clscan_case_fixture fixture;
    clscan_error error;

    assert_non_null(elements);
    for (int i = 0; i < COUNT; ++i)
        elements[i] = 1;
    in = test_buffer(live, CL_MEM_READ_ONLY, COUNT * sizeof *elements, elements);
    memset(got, 0x5a, sizeof got);
    last = got[RUNS];
    totals = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, got);
    test_prepare(live, &problem, NULL, live->info.mechanism == CLSCAN_MECHANISM_ATOMIC32 ? NULL : &options, &fixture);
    for (int i = 0; i < RUNS; ++i) {
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in = {.buffer = in},
                                      .count = (uint64_t)(COUNT - i * 700),
                                      .total = {.buffer = totals, .offset = (uint64_t)i}};
        assert_status(CLSCAN_OK,
                      clscan_run(fixture.plan, fixture.workspace, queues[i % 3 == 0], &args, 0, NULL, NULL, &error),
                      &error);
    }
    assert_cl(clFinish(queues[0]));
    assert_cl(clFinish(queues[1]));
    test_read(live, totals, sizeof got, got);
    for (int i = 0; i < RUNS; ++i)
        assert_int_equal(got[i], COUNT - i * 700);
    assert_int_equal(got[RUNS], last);
    clscan_case_release(&fixture);
    clReleaseMemObject(in);
    clReleaseMemObject(totals);
    clReleaseCommandQueue(queues[1]);
    free(elements);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(runs_by_turns),
        cmocka_unit_test(nothing_without_identity),
        cmocka_unit_test(operators_see_elements_only),
        cmocka_unit_test(vectors),
        cmocka_unit_test(reproducible_bits),
        cmocka_unit_test(bodies_int32),
        cmocka_unit_test(bodies_in_order),
        cmocka_unit_test(bodies_in_order_reverse),
        cmocka_unit_test(bodies_half),
        cmocka_unit_test(bodies_uint8_reverse),
        cmocka_unit_test(bodies_double),
    };

    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
