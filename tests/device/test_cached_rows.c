/* Tile body cached_rows: the vectors of every type, lines made of several of them, rows side by side, ragged ends,
 * starts that are aligned to nothing, outputs that are stored past the cache, and halves. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"
#include "problem_of.h"

enum { STEP_BYTES = 64 };

typedef struct shape {
    uint32_t vector_length;
    uint32_t cached_pieces;
    uint32_t interleaved_rows;
} shape;

/* Carries that use the body in different ways: one pass; totals first; the next tile loaded during the scan, in a walk
 * and in a chain. */
static const struct {
    clscan_carry carry;
    clscan_order order;
    uint32_t tiles_per_work_group;
} uses[] = {
    {CLSCAN_CARRY_SINGLE, CLSCAN_ORDER_NONE, 0},           {CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_DYNAMIC, 1},
    {CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_PERSISTENT, 1},   {CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_PERSISTENT, 4},
    {CLSCAN_CARRY_REDUCE_THEN_SCAN, CLSCAN_ORDER_NONE, 0},
};
enum { USES = sizeof uses / sizeof uses[0] };

static clscan_variant cached(const test_live *live, const shape *like, size_t use, bool stream)
{
    clscan_variant variant = {.body = CLSCAN_BODY_CACHED_ROWS,
                              .group_scan = CLSCAN_GROUP_SCAN_BRENT_KUNG,
                              .carry = uses[use].carry,
                              .order = uses[use].order,
                              .work_group_size = 1,
                              .vector_length = like->vector_length,
                              .cached_pieces = like->cached_pieces,
                              .interleaved_rows = like->interleaved_rows,
                              .tiles_per_work_group = uses[use].tiles_per_work_group};

    variant.streaming_stores = stream && like->vector_length >= 4 && live->info.device_class == CLSCAN_DEVICE_CLASS_CPU;
    if (clscan_variant_needs(&variant, CLSCAN_PARAM_work_groups_per_unit))
        variant.work_groups_per_unit = 1;
    return variant;
}

static int may_run(const test_live *live, const clscan_variant *variant, clscan_type type)
{
    return test_type_runs(live, type) &&
           clscan_variant_check(variant, PROBLEM_OF(type, CLSCAN_ADD), 0, &live->info, NULL) == CLSCAN_OK;
}

/* Counts around steps and tiles, apart and in place, with starts that share no alignment. */
static unsigned run_edges(const clscan_case_fixture *fixture, uint64_t tile, uint64_t step, clscan_case_initial initial,
                          clscan_generator generator)
{
    const uint64_t counts[] = {
        1, step - 1, step, step + 1, tile - 1, tile, tile + 1 + step, 2 * tile, 5 * tile + 3 * step / 2, 9 * tile - 1};
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        clscan_case test = {.count = counts[i],
                            .in_offset = i % 3,
                            .out_offset = i % 2 * 3,
                            .initial = initial,
                            .total = 1,
                            .generator = generator,
                            .seed = i};
        failures += test_case(fixture, &test);
        test.out_offset = test.in_offset;
        test.in_place = 1;
        failures += test_case(fixture, &test);
    }
    return failures;
}

static unsigned run_shape(const test_live *live, const shape *like, size_t use, bool stream, clscan_type type,
                          clscan_operator op, const clscan_sample_operator *sample, clscan_form form,
                          clscan_direction direction)
{
    const clscan_variant variant = cached(live, like, use, stream);
    const uint64_t tile = clscan_variant_tile_count(&variant);
    const uint64_t step = STEP_BYTES / clscan_type_size_bytes(type);
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
    const clscan_problem problem = test_sample_problem(type, op, sample, form, direction, 9 * tile + step);
    const clscan_generator generator =
        sample != NULL ? CLSCAN_GENERATE_MOSTLY_ZERO : clscan_generator_for(type, op, direction);
    clscan_case_fixture fixture;
    unsigned failures;

    if (!may_run(live, &variant, type))
        return 0;
    if (test_try_prepare(live, &problem, sample, &options, &fixture) != CLSCAN_OK)
        return 1;
    failures = run_edges(&fixture, tile, step, CLSCAN_CASE_NO_INITIAL, generator);
    failures += run_edges(&fixture, tile, step, CLSCAN_CASE_HOST_INITIAL, generator);
    clscan_case_release(&fixture);
    return failures;
}

/* Each type with the vectors that fill a line, and with shorter and longer ones. */
static void vectors_of_every_type(void **state)
{
    static const struct {
        clscan_type type;
        clscan_operator op;
        shape like;
        clscan_form form;
        clscan_direction direction;
    } cases[] = {
        {CLSCAN_INT32, CLSCAN_ADD, {16, 8, 4}, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_INT32, CLSCAN_MAX, {4, 8, 2}, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_UINT8, CLSCAN_ADD, {16, 8, 4}, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_UINT8, CLSCAN_XOR, {8, 2, 1}, CLSCAN_INCLUSIVE, CLSCAN_REVERSE}, /* a row shorter than a line */
        {CLSCAN_INT16, CLSCAN_MUL, {16, 4, 8}, CLSCAN_INCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_UINT64, CLSCAN_ADD, {8, 4, 4}, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_INT64, CLSCAN_MIN, {16, 2, 2}, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE}, /* two lines at once */
        {CLSCAN_FLOAT, CLSCAN_ADD, {8, 16, 4}, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_DOUBLE, CLSCAN_ADD, {8, 4, 2}, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_HALF, CLSCAN_ADD, {16, 2, 2}, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_FLOAT, CLSCAN_MIN, {16, 2, 4}, CLSCAN_INCLUSIVE, CLSCAN_REVERSE}, /* element by element, as is this */
        {CLSCAN_INT32, CLSCAN_ADD, {2, 16, 4}, CLSCAN_INCLUSIVE, CLSCAN_REVERSE},
    };
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        if (!test_takes(i, 2))
            continue;
        if (test_thorough())
            failures += run_shape(*state, &cases[i].like, 2, i % 2 == 0, cases[i].type, cases[i].op, NULL,
                                  cases[i].form, cases[i].direction);
        failures += run_shape(*state, &cases[i].like, i % USES, i % 2 != 0, cases[i].type, cases[i].op, NULL,
                              cases[i].form, cases[i].direction);
    }
    assert_int_equal(failures, 0);
}

/* An operator that keeps the order of its operands visible, in every use. */
static void operators_in_memory_order(void **state)
{
    static const shape like = {16, 2, 4};
    unsigned failures = 0;

    for (size_t use = 0; use < USES; use += test_thorough() ? 1 : 2)
        failures += run_shape(*state, &like, use, false, CLSCAN_INT32, CLSCAN_CUSTOM,
                              clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_INT32),
                              use % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE,
                              use % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE);
    assert_int_equal(failures, 0);
}

/* Whole lines go past the cache: vectors that are aligned, and such that are not. */
static void outputs_past_the_cache(void **state)
{
    const test_live *live = *state;
    static const struct {
        clscan_type type;
        shape like;
        clscan_direction direction;
    } cases[] = {
        {CLSCAN_INT32, {16, 512, 4}, CLSCAN_FORWARD},
        {CLSCAN_UINT8, {16, 1024, 4}, CLSCAN_REVERSE},
        {CLSCAN_UINT64, {8, 512, 2}, CLSCAN_FORWARD},
    };
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        for (size_t use = 0; use < USES; use += 2) {
            const clscan_variant variant = cached(live, &cases[i].like, use, true);
            const uint64_t count = 9 * clscan_variant_tile_count(&variant) - 7;
            const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
            const clscan_problem problem =
                test_problem(cases[i].type, CLSCAN_ADD, CLSCAN_INCLUSIVE, cases[i].direction, count);
            clscan_case_fixture fixture;

            if (!test_takes(i + use, 2) || !may_run(live, &variant, cases[i].type))
                continue;
            test_prepare(live, &problem, NULL, &options, &fixture);
            for (uint64_t offset = 0; offset < 3; ++offset) {
                const clscan_case test = {.count = count,
                                          .in_offset = 2 * offset,
                                          .out_offset = offset,
                                          .total = 1,
                                          .generator = CLSCAN_GENERATE_UNIFORM,
                                          .seed = offset};
                failures += test_case(&fixture, &test);
            }
            clscan_case_release(&fixture);
        }
    assert_int_equal(failures, 0);
}

/* A store map that hands on the element: what is left of an input of `in` as an output of `out`. */
static void hand_on(const test_live *live, clscan_type in, clscan_type out, uint32_t vector_length, void *values,
                    size_t in_bytes, void *outputs, size_t out_bytes, uint64_t count)
{
    const shape like = {vector_length, 8, 2};
    const clscan_variant variant = cached(live, &like, 0, false);
    const clscan_element number = {.struct_size = sizeof number, .type = CLSCAN_FLOAT};
    const clscan_element stored = {.struct_size = sizeof stored, .type = out};
    const clscan_map element = {.struct_size = sizeof element, .expression = "element"};
    clscan_problem problem = test_problem(in, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, count);
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
    clscan_run_args args = {.struct_size = sizeof args, .count = count};
    clscan_plan *plan;
    clscan_workspace *workspace;
    clscan_error error = {0};

    problem.accumulator = &number;
    problem.output = &stored;
    problem.store = &element;
    args.in.buffer = clCreateBuffer(live->context, CL_MEM_COPY_HOST_PTR, count * in_bytes, values, NULL);
    args.out.buffer = clCreateBuffer(live->context, CL_MEM_READ_WRITE, count * out_bytes, NULL, NULL);
    if (clscan_plan_create(live->context, live->device, &problem, &options, &plan, &error) != CLSCAN_OK ||
        clscan_workspace_create(plan, &workspace, &error) != CLSCAN_OK ||
        clscan_workspace_bind(workspace, live->queue, NULL, &error) != CLSCAN_OK ||
        clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    assert_int_equal(
        clEnqueueReadBuffer(live->queue, args.out.buffer, CL_TRUE, 0, count * out_bytes, outputs, 0, NULL, NULL),
        CL_SUCCESS);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(args.in.buffer);
    clReleaseMemObject(args.out.buffer);
}

enum { HALVES = 1 << 16 };

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* All of them, as vectors of each length. */
static void halves_become_floats(void **state)
{
    static uint16_t halves[HALVES];
    static float floats[HALVES];

    for (size_t i = 0; i < HALVES; ++i)
        halves[i] = (uint16_t)i;
    for (uint32_t length = 4; length <= 16; length *= 2) {
        hand_on(*state, CLSCAN_HALF, CLSCAN_FLOAT, length, halves, 2, floats, 4, HALVES);
        for (size_t i = 0; i < HALVES; ++i) {
            const float expected = clscan_half_to_float(halves[i]);

            if (isnan(expected) ? !isnan(floats[i]) : bits_of(floats[i]) != bits_of(expected))
                fail_msg("half 0x%zx became %a instead of %a", i, (double)floats[i], (double)expected);
        }
    }
}

/* Each half, what lies in the middle of it and the next one, and the neighbours of both. */
static void floats_become_halves(void **state)
{
    enum { FLOATS = 6 * HALVES };
    static float floats[FLOATS];
    static uint16_t halves[FLOATS];

    for (size_t i = 0; i < HALVES; ++i) {
        const float at = clscan_half_to_float((uint16_t)i);
        const float next = clscan_half_to_float((uint16_t)(i % 0x8000 == 0x7bff ? i : i + 1));
        const float middle = i % 0x8000 == 0x7bff ? (i < 0x8000 ? 65520.0f : -65520.0f) : at + (next - at) / 2;

        floats[6 * i] = at;
        floats[6 * i + 1] = nextafterf(at, INFINITY);
        floats[6 * i + 2] = nextafterf(at, -INFINITY);
        floats[6 * i + 3] = middle;
        floats[6 * i + 4] = nextafterf(middle, INFINITY);
        floats[6 * i + 5] = nextafterf(middle, -INFINITY);
    }
    for (uint32_t length = 4; length <= 16; length *= 2) {
        hand_on(*state, CLSCAN_FLOAT, CLSCAN_HALF, length, floats, 4, halves, 2, FLOATS);
        for (size_t i = 0; i < FLOATS; ++i) {
            const uint16_t expected = clscan_half_from_float(floats[i]);

            if (isnan(floats[i]) ? !isnan(clscan_half_to_float(halves[i])) : halves[i] != expected)
                fail_msg("%a became half 0x%x instead of 0x%x", (double)floats[i], (unsigned)halves[i],
                         (unsigned)expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_every_type),  cmocka_unit_test(operators_in_memory_order),
        cmocka_unit_test(outputs_past_the_cache), cmocka_unit_test(halves_become_floats),
        cmocka_unit_test(floats_become_halves),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
