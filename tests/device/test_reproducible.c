/* Reproducible scans: the bits of the serial model, and a recorded hash, whatever the variant, the parts, the form, the
 * place and the number of elements. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "common/test_knobs.h"
#include "live.h"
#include "parsed_variant.h"

enum { BLOCK = 1024 };

/* One shape for CPUs and one for GPUs, with tiles of several sizes; and few work-groups, so that ranges have many
 * tiles, and many. */
static const char *const variants[] = {
    "cached_rows+brent_kung+reduce_then_scan work_group_size=1 vector_length=4 cached_pieces=256 "
    "interleaved_rows=1 streaming_stores=0 "
    "work_groups_per_unit=1",
    "cached_rows+kogge_stone+reduce_then_scan work_group_size=1 vector_length=16 cached_pieces=256 "
    "interleaved_rows=2 streaming_stores=0 "
    "work_groups_per_unit=13",
    "cached_rows+brent_kung+reduce_then_scan work_group_size=1 vector_length=16 cached_pieces=1024 "
    "interleaved_rows=4 streaming_stores=0 "
    "work_groups_per_unit=2",
    "subgroup_rows+subgroup+reduce_then_scan work_group_size=32 vector_length=4 register_pieces=8 local_pieces=0 "
    "work_groups_per_unit=31",
    "subgroup_rows+subgroup+reduce_then_scan work_group_size=128 vector_length=4 register_pieces=8 local_pieces=0 "
    "work_groups_per_unit=3",
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

#define LOOKAHEAD(items, groups, zones)                                                                        \
    "subgroup_rows+subgroup+lookahead+persistent work_group_size=" items " vector_length=4 register_pieces=8 " \
    "local_pieces=0 work_groups_per_unit=" groups " poll_delay=0 landing_zones=" zones

/* The shape of the last variants takes as many work-items as the device may not have, and its compiler may fail. */
static int parse(const test_live *live, size_t which, clscan_variant *variant)
{
    *variant = parsed_variant(variants[which]);
    if (variant->body == CLSCAN_BODY_SUBGROUP_ROWS && live->info.rows_reason[0] != '\0')
        return 0;
    return variant->work_group_size <= live->info.max_work_group_size;
}

static clscan_problem reproducible(clscan_type type, clscan_operator op, clscan_form form, clscan_direction direction,
                                   uint64_t max_count)
{
    clscan_problem problem = test_problem(type, op, form, direction, max_count);

    problem.reproducible = 1;
    return problem;
}

/* Around runs, rows, blocks and tiles; then some more ranges. */
static const uint64_t counts[] = {1,    2,    4,    5,    127,  128,   129,       1023,          1024,   1025,
                                  2048, 4095, 5120, 8191, 8192, 16385, 65536 + 7, 5 * 65536 - 1, 1 << 18};
enum { COUNTS = sizeof counts / sizeof counts[0], MAX_COUNT = 5 * 65536 };

static unsigned run_counts(const test_live *live, const clscan_problem *problem, const clscan_plan_options *options,
                           const clscan_sample_operator *sample, clscan_generator generator)
{
    clscan_case_fixture fixture;
    unsigned failures = 0;

    if (test_try_prepare(live, problem, sample, options, &fixture) != CLSCAN_OK)
        return 1;
    for (size_t i = 0; i < COUNTS; ++i) {
        const int in_place = i % 3 == 1;
        const clscan_case test = {.count = counts[i],
                                  .in_offset = i % 4,
                                  .out_offset = in_place ? i % 4 : i % 5,
                                  .in_place = in_place,
                                  .initial = (clscan_case_initial)((i + problem->form) % 3),
                                  .total = 1,
                                  .generator = generator,
                                  .seed = i};
        failures += test_case(&fixture, &test);
    }
    clscan_case_release(&fixture);
    return failures;
}

/* Elsewhere such plans are refused (test_small_device.c). */
static void only_with_ieee_arithmetic(const test_live *live)
{
    if (!test_keeps_subnormals(live))
        skip();
}

/* Few programs, since some take a compiler ten seconds; the tests below use the same ones again. */
static void every_variant_has_the_bits_of_the_model(void **state)
{
    const test_live *live = *state;
    static const struct {
        size_t variant;
        clscan_type type;
        clscan_operator op;
        clscan_form form;
        clscan_direction direction;
        int is_thorough; /* shows little that the others do not */
    } cases[] = {
        {0, CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 0},
        {0, CLSCAN_HALF, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 0},
        {0, CLSCAN_FLOAT, CLSCAN_MUL, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, 1},
        {1, CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, 0},
        {1, CLSCAN_DOUBLE, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 1},
        {2, CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 1},
        {2, CLSCAN_DOUBLE, CLSCAN_MUL, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 0},
        {3, CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 0},
        {4, CLSCAN_DOUBLE, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 1},
    };
    unsigned failures = 0;

    only_with_ieee_arithmetic(live);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_variant variant;
        const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
        const clscan_problem problem =
            reproducible(cases[i].type, cases[i].op, cases[i].form, cases[i].direction, MAX_COUNT);

        if ((test_thorough() || !cases[i].is_thorough) && parse(live, cases[i].variant, &variant) &&
            test_type_runs(live, cases[i].type))
            failures += run_counts(live, &problem, &options, NULL,
                                   cases[i].op == CLSCAN_ADD ? CLSCAN_GENERATE_WIDE : CLSCAN_GENERATE_NEAR_ONE);
    }
    assert_int_equal(failures, 0);
}

/* Infinities, NaNs, signed zeros and subnormal numbers. */
static void special_values(void **state)
{
    const test_live *live = *state;
    unsigned failures = 0;

    only_with_ieee_arithmetic(live);
    for (size_t v = 0; v < VARIANTS; v += test_thorough() ? 3 : VARIANTS) {
        clscan_variant variant;
        const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
        const clscan_problem problem =
            reproducible(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MAX_COUNT);

        if (parse(live, v, &variant))
            failures += run_counts(live, &problem, &options, NULL, CLSCAN_GENERATE_SPECIAL);
    }
    assert_int_equal(failures, 0);
}

/* They do not commute, and one has no identity. */
static void custom_operators(void **state)
{
    const test_live *live = *state;
    static const struct {
        size_t variant;
        clscan_sample sample;
    } cases[] = {{2, CLSCAN_SAMPLE_TAKE_LEFT}, {0, CLSCAN_SAMPLE_KEEP_LAST}, {3, CLSCAN_SAMPLE_KEEP_LAST}};
    unsigned failures = 0;

    only_with_ieee_arithmetic(live);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_sample_operator *sample = clscan_sample_find(cases[i].sample, CLSCAN_FLOAT);
        clscan_variant variant;
        const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
        clscan_problem problem = test_custom_problem(CLSCAN_FLOAT, sample, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, MAX_COUNT);

        problem.reproducible = 1;
        if (parse(live, cases[i].variant, &variant))
            failures += run_counts(live, &problem, &options, sample, CLSCAN_GENERATE_MOSTLY_ZERO);
    }
    assert_int_equal(failures, 0);
}

/* What configs choose, also for problems whose bits no grouping changes. */
static void chosen_variants(void **state)
{
    const test_live *live = *state;
    static const struct {
        clscan_type type;
        clscan_operator op;
        clscan_generator generator;
        int has_state;
    } cases[] = {
        {CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_GENERATE_WIDE, 1},      {CLSCAN_HALF, CLSCAN_ADD, CLSCAN_GENERATE_WIDE, 1},
        {CLSCAN_DOUBLE, CLSCAN_MUL, CLSCAN_GENERATE_NEAR_ONE, 1}, {CLSCAN_FLOAT, CLSCAN_MAX, CLSCAN_GENERATE_WIDE, 0},
        {CLSCAN_INT32, CLSCAN_ADD, CLSCAN_GENERATE_UNIFORM, 0},
    };
    unsigned failures = 0;

    only_with_ieee_arithmetic(live);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_problem problem =
            reproducible(cases[i].type, cases[i].op, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MAX_COUNT);
        clscan_case_fixture fixture;

        if (!test_type_runs(live, cases[i].type))
            continue;
        failures += run_counts(live, &problem, NULL, NULL, cases[i].generator);
        test_prepare(live, &problem, NULL, NULL, &fixture);
        assert_int_equal(clscan_plan_state_bytes(fixture.plan) > 0, cases[i].has_state);
        clscan_case_release(&fixture);
    }
    assert_int_equal(failures, 0);
}

/* Parts of any size that is a multiple of the step, with the state between them. */
static void parts_have_the_bits_of_the_whole(void **state)
{
    const test_live *live = *state;
    const uint64_t step = CLSCAN_REPRODUCIBLE_STEP;
    const struct {
        uint64_t count, part_count;
        int in_place;
        clscan_case_initial initial;
    } cases[] = {
        {9 * step + 100, step, 0, CLSCAN_CASE_NO_INITIAL},      {9 * step, step, 1, CLSCAN_CASE_DEVICE_INITIAL},
        {11 * step - 1, 3 * step, 0, CLSCAN_CASE_HOST_INITIAL}, {20 * step + 1, 7 * step, 1, CLSCAN_CASE_NO_INITIAL},
        {12 * step, 12 * step, 0, CLSCAN_CASE_NO_INITIAL},
    };
    unsigned failures = 0;

    only_with_ieee_arithmetic(live);
    for (size_t v = 0; v < VARIANTS - 1; ++v) {
        const clscan_direction direction = v % 3 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE;
        const clscan_problem problem =
            reproducible(CLSCAN_FLOAT, CLSCAN_ADD, v == 2 ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE, direction, 12 * step);
        clscan_variant variant;
        const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
        clscan_case_fixture fixture;

        if (!parse(live, v, &variant) || !test_takes(v, 3))
            continue;
        test_prepare(live, &problem, NULL, &options, &fixture);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            const clscan_case test = {.count = cases[i].count,
                                      .in_place = cases[i].in_place,
                                      .initial = cases[i].initial,
                                      .total = 1,
                                      .part_count = cases[i].part_count,
                                      .generator = CLSCAN_GENERATE_WIDE,
                                      .seed = i};
            failures += test_case(&fixture, &test);
        }
        clscan_case_release(&fixture);
    }
    assert_int_equal(failures, 0);
}

/* Returns 0 where the device has no such variant. */
static int prepare_lookahead(const test_live *live, clscan_type type, const char *text, uint64_t max_count,
                             const clscan_plan_options *with, clscan_case_fixture *fixture)
{
    const clscan_problem problem = reproducible(type, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, max_count);
    clscan_plan_options options = *with;
    const clscan_variant variant = parsed_variant(text);

    options.variant = &variant;
    if (!test_type_runs(live, type) || clscan_variant_check(&variant, &problem, 1, &live->info, NULL) != CLSCAN_OK)
        return 0;
    test_prepare(live, &problem, NULL, &options, fixture);
    return 1;
}

/* A CPU's compiler takes 20 s and more for each program with this carry. */
static int is_spared(const test_live *live)
{
    return live->info.device_class == CLSCAN_DEVICE_CLASS_CPU && !test_thorough();
}

/* Whole tiles and others, windows with a begin and an end, parts, and waits that run out because the total of every
 * fifth tile is held back; in registers, and in landing zones of vectors of 16 and 32 bytes. */
static void lookahead_keeps_the_order(void **state)
{
    const test_live *live = *state;
    static const struct {
        clscan_type type;
        const char *variant;
    } cases[] = {
        {CLSCAN_FLOAT, LOOKAHEAD("64", "2", "0")},
        {CLSCAN_FLOAT, LOOKAHEAD("64", "2", "1")},
        {CLSCAN_DOUBLE, LOOKAHEAD("32", "4", "1")},
    };
    const clscan_plan_options options = {.struct_size = sizeof options,
                                         .test_knobs =
                                             &(struct clscan__test_knobs){.hold_interval = 5, .poll_limit = 64},
                                         .count_events = 1};
    unsigned failures = 0, ran = 0;

    only_with_ieee_arithmetic(live);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        clscan_case_fixture fixture;
        clscan_report report = {.struct_size = sizeof report};

        if (is_spared(live) || !prepare_lookahead(live, cases[c].type, cases[c].variant, MAX_COUNT, &options, &fixture))
            continue;
        ++ran;
        for (size_t i = 0; i < COUNTS; ++i) {
            clscan_case test = {.count = counts[i],
                                .in_place = i % 2 != 0,
                                .initial = (clscan_case_initial)(i % 3),
                                .total = 1,
                                .generator = i % 4 == 3 ? CLSCAN_GENERATE_SPECIAL : CLSCAN_GENERATE_WIDE,
                                .seed = i};
            /* Reverse scans begin at the end: it decides what is aligned. */
            test.in_offset = test.out_offset = i % 3 == 0 ? (4 - counts[i] % 4) % 4 : 1;
            failures += test_case(&fixture, &test);
            if (counts[i] < CLSCAN_REPRODUCIBLE_STEP)
                continue;
            test.part_count =
                counts[i] / CLSCAN_REPRODUCIBLE_STEP > 3 ? 3 * CLSCAN_REPRODUCIBLE_STEP : CLSCAN_REPRODUCIBLE_STEP;
            failures += test_case(&fixture, &test);
        }
        assert_int_equal(clscan_workspace_report(fixture.workspace, live->queue, &report, NULL), CLSCAN_OK);
        assert_true(report.recomputed > 0);
        clscan_case_release(&fixture);
    }
    assert_int_equal(failures, 0);
    if (ran == 0)
        skip();
}

/* The stack goes from one window of 1024 tiles into the next ones, from their begins and from their middles. */
static void windows_of_lookahead(void **state)
{
    const test_live *live = *state;
    enum { TILES = 1024, STEP = CLSCAN_REPRODUCIBLE_STEP };
    static const uint64_t tested[] = {1023 * BLOCK, TILES * BLOCK, TILES * BLOCK + 1, 2048 * BLOCK, 2051 * BLOCK + 17};
    const clscan_plan_options options = {.struct_size = sizeof options};
    clscan_case_fixture fixture;
    unsigned failures = 0;

    only_with_ieee_arithmetic(live);
    if (is_spared(live) ||
        !prepare_lookahead(live, CLSCAN_FLOAT, LOOKAHEAD("32", "1", "0"), 2100 * BLOCK, &options, &fixture))
        skip();
    for (size_t i = 0; i < sizeof tested / sizeof tested[0]; ++i) {
        clscan_case test = {.count = tested[i], .total = 1, .generator = CLSCAN_GENERATE_WIDE, .seed = i};
        test.in_offset = test.out_offset = (4 - tested[i] % 4) % 4;
        failures += test_case(&fixture, &test);
        test.part_count = 9 * STEP;
        failures += test_case(&fixture, &test);
    }
    clscan_case_release(&fixture);
    assert_int_equal(failures, 0);
}

/* What a run refuses about its part. */
static void wrong_parts_are_refused(void **state)
{
    const test_live *live = *state;
    const clscan_problem exact = reproducible(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, BLOCK);
    const clscan_problem rounded = reproducible(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, BLOCK);
    const cl_mem data = test_buffer(live, CL_MEM_READ_WRITE, BLOCK * sizeof(float), NULL);
    const cl_mem states = test_buffer(live, CL_MEM_READ_WRITE, 432, NULL);
    const cl_mem read_only = test_buffer(live, CL_MEM_READ_ONLY, 432, NULL);
    const struct {
        const clscan_problem *problem;
        uint64_t first, state_offset;
        cl_mem state;
        clscan_status expected;
        const char *reason;
    } cases[] = {
        {&exact, 0, 0, states, CLSCAN_ERROR_INVALID_VALUE, "integers have no state"},
        {&exact, CLSCAN_REPRODUCIBLE_STEP, 0, NULL, CLSCAN_ERROR_INVALID_VALUE, "nor a place"},
        {&rounded, CLSCAN_REPRODUCIBLE_STEP, 0, NULL, CLSCAN_ERROR_INVALID_VALUE, "no state"},
        {&rounded, BLOCK, 0, states, CLSCAN_ERROR_INVALID_VALUE, "no multiple of the step"},
        {&rounded, 0, 55, states, CLSCAN_ERROR_BUFFER_TOO_SMALL, "the state ends behind the buffer"},
        {&rounded, 0, 0, read_only, CLSCAN_ERROR_BUFFER_ACCESS, "it is written"},
        {&rounded, 0, 0, data, CLSCAN_ERROR_OVERLAP, "the output is the state"},
        {&rounded, 0, 54, states, CLSCAN_OK, "the second half of the buffer"},
    };
    unsigned failures = 0;

    only_with_ieee_arithmetic(live);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in.buffer = data,
                                      .out.buffer = data,
                                      .count = BLOCK,
                                      .first = cases[i].first,
                                      .state.buffer = cases[i].state,
                                      .state.offset = cases[i].state_offset};
        clscan_case_fixture fixture;
        clscan_error error = {0};
        clscan_status status;

        test_prepare(live, cases[i].problem, NULL, NULL, &fixture);
        if (cases[i].problem == &rounded)
            assert_int_equal(clscan_plan_state_bytes(fixture.plan), 216);
        status = clscan_run(fixture.plan, fixture.workspace, live->queue, &args, 0, NULL, NULL, &error);
        if (status != cases[i].expected) {
            print_error("%s: %s\n", cases[i].reason, error.message);
            ++failures;
        }
        clFinish(live->queue);
        clscan_case_release(&fixture);
    }
    clReleaseMemObject(data);
    clReleaseMemObject(states);
    clReleaseMemObject(read_only);
    assert_int_equal(failures, 0);
    assert_int_equal(clscan_plan_state_bytes(NULL), 0);
}

/* A part may be empty: its total is that of all before it. */
static void an_empty_part_has_the_total_so_far(void **state)
{
    const test_live *live = *state;
    const uint64_t count = 3 * CLSCAN_REPRODUCIBLE_STEP;
    const clscan_problem problem = reproducible(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, count);
    const cl_mem states = test_buffer(live, CL_MEM_READ_WRITE, 216, NULL);
    const cl_mem totals = test_buffer(live, CL_MEM_READ_WRITE, 2 * sizeof(float), NULL);
    float *input = malloc((size_t)count * sizeof *input), got[2];
    clscan_case_fixture fixture;
    clscan_error error = {0};

    only_with_ieee_arithmetic(live);
    assert_non_null(input);
    clscan_generate(CLSCAN_GENERATE_WIDE, CLSCAN_FLOAT, 3, 0, count, input);
    const cl_mem data = test_buffer(live, CL_MEM_READ_WRITE, (size_t)count * sizeof *input, input);
    for (size_t way = 0; way < 2; ++way) {
        const clscan_variant variant = parsed_variant(LOOKAHEAD("32", "2", "0"));
        const clscan_plan_options options = {.struct_size = sizeof options, .variant = way == 0 ? NULL : &variant};

        if (way == 1 &&
            (is_spared(live) || clscan_variant_check(&variant, &problem, 1, &live->info, NULL) != CLSCAN_OK))
            continue;
        test_prepare(live, &problem, NULL, &options, &fixture);
        for (int part = 0; part < 2; ++part) {
            const clscan_run_args args = {.struct_size = sizeof args,
                                          .in.buffer = data,
                                          .out.buffer = data,
                                          .count = part == 0 ? count : 0,
                                          .total.buffer = totals,
                                          .total.offset = (uint64_t)part,
                                          .first = part == 0 ? 0 : count,
                                          .state.buffer = states};
            assert_status(CLSCAN_OK,
                          clscan_run(fixture.plan, fixture.workspace, live->queue, &args, 0, NULL, NULL, &error),
                          &error);
        }
        test_read(live, totals, sizeof got, got);
        assert_memory_equal(&got[0], &got[1], sizeof got[0]);
        clscan_case_release(&fixture);
    }
    clReleaseMemObject(data);
    clReleaseMemObject(states);
    clReleaseMemObject(totals);
    free(input);
}

/* Parts of a scan of floats, or a reduction, of which the last part's count is in device memory. */
typedef struct counted_rig {
    const test_live *live;
    clscan_problem problem;
    clscan_reference what;
    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t first; /* elements in the part before */
    cl_mem in, out, states, totals;
    float *input, *expected, *got, *unused;
    uint32_t refused; /* by now */
} counted_rig;

static void run_part(counted_rig *r, uint64_t first, uint64_t count, uint64_t most)
{
    const bool reduces = r->problem.operation == CLSCAN_REDUCE;
    const cl_mem at = test_count(r->live, count, r->problem.count_bytes);
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in = {.buffer = r->in, .offset = first},
                                  .out = {.buffer = reduces ? NULL : r->out, .offset = first},
                                  .count = most,
                                  .total.buffer = r->totals,
                                  .first = first,
                                  .state.buffer = reduces ? NULL : r->states,
                                  .device_count = {.buffer = at, .offset = 1}};
    clscan_error error = {0};

    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    assert_cl(clFinish(r->live->queue));
    clReleaseMemObject(at);
}

static unsigned run_counted(counted_rig *r, uint64_t count, uint64_t most)
{
    const size_t bytes = (size_t)r->problem.max_count * sizeof(float);
    const uint64_t all = r->first + (count <= most ? count : 0);
    clscan_report report = {.struct_size = sizeof report};
    clscan_value total;
    float got_total;
    unsigned wrong = 0;

    memset(r->got, 0x5a, bytes);
    test_write(r->live, r->out, r->got, bytes);
    memcpy(r->expected, r->got, bytes);
    if (r->first > 0)
        run_part(r, 0, r->first, r->problem.max_count);
    run_part(r, r->first, count, most);
    test_read(r->live, r->out, bytes, r->got);
    test_read(r->live, r->totals, sizeof got_total, &got_total);
    assert_int_equal(clscan_reference_scan(&r->what, r->input, all, NULL,
                                           r->problem.operation == CLSCAN_REDUCE ? r->unused : r->expected, &total),
                     CLSCAN_OK);
    r->refused += count > most;
    assert_int_equal(clscan_workspace_report(r->workspace, r->live->queue, &report, NULL), CLSCAN_OK);
    for (size_t i = 0; i < r->problem.max_count; ++i)
        wrong += memcmp(&r->expected[i], &r->got[i], sizeof(float)) != 0;
    wrong += memcmp(&total.float32, &got_total, sizeof(float)) != 0 || report.refused_counts != r->refused;
    if (wrong > 0)
        print_error("%llu elements of %llu behind %llu: %u differ; total %a, not %a\n", (unsigned long long)count,
                    (unsigned long long)most, (unsigned long long)r->first, wrong, (double)got_total,
                    (double)total.float32);
    return wrong > 0;
}

/* The bits are those of the same count of the host's, whatever the maximum. */
static void counts_on_the_device(void **state)
{
    static const char *const reductions[] = {
        "cached_rows+brent_kung+reduce_then_combine work_group_size=1 vector_length=4 cached_pieces=256 "
        "interleaved_rows=1 streaming_stores=0 work_groups_per_unit=5",
        "subgroup_rows+subgroup+last_combines work_group_size=64 vector_length=4 register_pieces=8 local_pieces=0 "
        "work_groups_per_unit=3"};
    const struct {
        const char *variant;
        uint64_t first;
        int is_thorough; /* takes a compiler for CPUs long */
    } ways[] = {{variants[0], 0, 0},
                {variants[1], 3 * CLSCAN_REPRODUCIBLE_STEP, 0},
                {variants[3], CLSCAN_REPRODUCIBLE_STEP, 1},
                {LOOKAHEAD("32", "2", "0"), CLSCAN_REPRODUCIBLE_STEP, 1},
                {reductions[0], 0, 0},
                {reductions[1], 0, 1}};
    const test_live *live = *state;
    unsigned failures = 0, run = 0;

    only_with_ieee_arithmetic(live);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        const clscan_variant variant = parsed_variant(ways[i].variant);
        const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
        const uint64_t tile = clscan_variant_tile_count(&variant), most = 19 * tile + 77;
        const uint64_t tested[] = {0,         1,    tile - 1, tile, tile + 1,  5 * tile + 3,
                                   16 * tile, most, most + 1, 7,    UINT32_MAX};
        counted_rig r = {.live = live, .first = ways[i].first};

        r.problem = reproducible(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, r.first + most);
        r.problem.count_bytes = i % 2 == 0 ? 4 : 8;
        if (variant.carry == CLSCAN_CARRY_REDUCE_THEN_COMBINE || variant.carry == CLSCAN_CARRY_LAST_COMBINES)
            r.problem.operation = CLSCAN_REDUCE;
        /* PoCL 3.1 did not compile this carry with a count on the device in half an hour. */
        if ((ways[i].is_thorough && !test_thorough()) ||
            (variant.carry == CLSCAN_CARRY_LOOKAHEAD && live->info.device_class == CLSCAN_DEVICE_CLASS_CPU) ||
            clscan_variant_check(&variant, &r.problem, 0, &live->info, NULL) != CLSCAN_OK)
            continue;
        r.what = clscan_reference_of(&r.problem, NULL);
        test_plan_create(live, &r.problem, &options, &r.plan, &r.workspace);
        r.input = malloc((size_t)r.problem.max_count * sizeof(float));
        r.expected = malloc((size_t)r.problem.max_count * sizeof(float));
        r.got = malloc((size_t)r.problem.max_count * sizeof(float));
        r.unused = malloc((size_t)r.problem.max_count * sizeof(float));
        assert_true(r.input != NULL && r.expected != NULL && r.got != NULL && r.unused != NULL);
        clscan_generate(CLSCAN_GENERATE_WIDE, CLSCAN_FLOAT, 3 + i, 0, r.problem.max_count, r.input);
        r.in = test_buffer(live, CL_MEM_READ_ONLY, (size_t)r.problem.max_count * sizeof(float), r.input);
        r.out = test_buffer(live, CL_MEM_READ_WRITE, (size_t)r.problem.max_count * sizeof(float), NULL);
        r.states = test_buffer(live, CL_MEM_READ_WRITE, 216, NULL);
        r.totals = test_buffer(live, CL_MEM_READ_WRITE, sizeof(float), NULL);
        for (size_t c = 0; c < sizeof tested / sizeof tested[0]; ++c)
            failures += run_counted(&r, tested[c], most);
        failures += run_counted(&r, tile + 1, tile);
        ++run;
        clscan_workspace_destroy(r.workspace);
        clscan_plan_destroy(r.plan);
        clReleaseMemObject(r.in);
        clReleaseMemObject(r.out);
        clReleaseMemObject(r.states);
        clReleaseMemObject(r.totals);
        free(r.input);
        free(r.expected);
        free(r.got);
        free(r.unused);
    }
    assert_int_equal(failures, 0);
    assert_true(run > 0);
}

static uint64_t hash_of(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < bytes; ++i)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void expect_hash(const char *who, size_t which, uint64_t expected, const void *data, size_t bytes)
{
    const uint64_t got = hash_of(data, bytes);

    if (got != expected)
        fail_msg("case %zu, %s: hash %016" PRIx64 ", recorded is %016" PRIx64, which, who, got, expected);
}

/* Outputs, and the total behind them, of an input that is in `data`. */
static void run_model(const clscan_problem *problem, uint64_t count, unsigned char *data)
{
    const clscan_reference what = {.type = problem->type,
                                   .op = problem->op,
                                   .form = problem->form,
                                   .direction = problem->direction,
                                   .reproducible = 1};
    clscan_value total;

    assert_int_equal(clscan_reference_scan(&what, data, count, NULL, data, &total), CLSCAN_OK);
    clscan_value_store(problem->type, total, data + count * clscan_type_size_bytes(problem->type));
}

static void run_device(const test_live *live, const clscan_problem *problem, uint64_t count, unsigned char *data)
{
    const size_t size = clscan_type_size_bytes(problem->type);
    clscan_run_args args = {.struct_size = sizeof args, .count = count, .total.offset = count};
    clscan_case_fixture fixture;
    clscan_error error = {0};

    test_prepare(live, problem, NULL, NULL, &fixture);
    args.in.buffer = test_buffer(live, CL_MEM_READ_ONLY, (size_t)count * size, data);
    args.out.buffer = test_buffer(live, CL_MEM_READ_WRITE, (size_t)(count + 1) * size, NULL);
    args.total.buffer = args.out.buffer;
    assert_status(CLSCAN_OK, clscan_run(fixture.plan, fixture.workspace, live->queue, &args, 0, NULL, NULL, &error),
                  &error);
    test_read(live, args.out.buffer, (size_t)(count + 1) * size, data);
    clReleaseMemObject(args.in.buffer);
    clReleaseMemObject(args.out.buffer);
    clscan_case_release(&fixture);
}

/* FNV-1a of outputs and total: the same numbers on all devices, at all times. Who changes them changes results that
 * users have kept. */
static void recorded_hashes(void **state)
{
    const test_live *live = *state;
    static const struct {
        clscan_type type;
        clscan_form form;
        clscan_direction direction;
        uint64_t count, hash;
    } cases[] = {
        {CLSCAN_FLOAT, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, (1 << 20) + 777, UINT64_C(0x08326997df5a6406)},
        {CLSCAN_FLOAT, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 1 << 22, UINT64_C(0x8dfc95819844f966)},
        {CLSCAN_DOUBLE, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, (1 << 20) + 777, UINT64_C(0x16ac886fdd1a92f3)},
        {CLSCAN_DOUBLE, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, (1 << 21) - 1, UINT64_C(0xa6f319a0b6cc2d2a)},
    };

    only_with_ieee_arithmetic(live);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_problem problem =
            reproducible(cases[i].type, CLSCAN_ADD, cases[i].form, cases[i].direction, cases[i].count);
        const size_t size = clscan_type_size_bytes(cases[i].type);
        const size_t bytes = (size_t)(cases[i].count + 1) * size;
        unsigned char *data = malloc(bytes);

        assert_non_null(data);
        clscan_generate(CLSCAN_GENERATE_WIDE, cases[i].type, 42, 0, cases[i].count, data);
        run_model(&problem, cases[i].count, data);
        expect_hash("the model", i, cases[i].hash, data, bytes);
        if (test_type_runs(live, cases[i].type)) {
            clscan_generate(CLSCAN_GENERATE_WIDE, cases[i].type, 42, 0, cases[i].count, data);
            run_device(live, &problem, cases[i].count, data);
            expect_hash("the device", i, cases[i].hash, data, bytes);
        }
        free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_has_the_bits_of_the_model),
        cmocka_unit_test(special_values),
        cmocka_unit_test(custom_operators),
        cmocka_unit_test(chosen_variants),
        cmocka_unit_test(parts_have_the_bits_of_the_whole),
        cmocka_unit_test(lookahead_keeps_the_order),
        cmocka_unit_test(windows_of_lookahead),
        cmocka_unit_test(wrong_parts_are_refused),
        cmocka_unit_test(an_empty_part_has_the_total_so_far),
        cmocka_unit_test(counts_on_the_device),
        cmocka_unit_test(recorded_hashes),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
