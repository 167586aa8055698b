/* What clscan/types.h promises, each promise by name. Expected values are written out where they
 * can be: the reference is not asked about what it might share with the library. */
#include <string.h>

#include "cmocka_all.h"
#include "live.h"

/* Run `problem` over `count` elements of host memory; `initial` and `total` may be NULL. */
static void run_host(const test_live *live, const clscan_problem *problem, const void *in, uint64_t count,
                     const void *initial, int initial_on_device, void *out, void *total)
{
    const size_t size = clscan_type_size_bytes(problem->type);
    const size_t wide = clscan_type_size_bytes(clscan_type_accumulator(problem->type));
    const size_t bytes = (size_t)count * size;
    clscan_run_args args = {.struct_size = sizeof args, .count = count};
    clscan_case_fixture fixture;
    clscan_error error = {0};
    cl_mem initial_buffer = NULL;
    cl_mem total_buffer = NULL;

    test_prepare(live, problem, NULL, NULL, &fixture);
    args.in.buffer = test_buffer(live, CL_MEM_READ_ONLY, bytes, in);
    args.out.buffer = test_buffer(live, CL_MEM_READ_WRITE, bytes, NULL);
    if (initial != NULL && initial_on_device) {
        initial_buffer = test_buffer(live, CL_MEM_READ_ONLY, wide, initial);
        args.initial.buffer = initial_buffer;
    } else {
        args.initial = (clscan_memory){CLSCAN_MEMORY_HOST, .pointer = initial};
    }
    if (total != NULL) {
        total_buffer = test_buffer(live, CL_MEM_READ_WRITE, wide, NULL);
        args.total.buffer = total_buffer;
    }
    assert_status(CLSCAN_OK, clscan_run(fixture.plan, fixture.workspace, live->queue, &args, 0, NULL, NULL, &error),
                  &error);
    test_read(live, args.out.buffer, bytes, out);
    if (total != NULL)
        test_read(live, total_buffer, wide, total);

    clReleaseMemObject(args.in.buffer);
    clReleaseMemObject(args.out.buffer);
    if (initial_buffer != NULL)
        clReleaseMemObject(initial_buffer);
    if (total_buffer != NULL)
        clReleaseMemObject(total_buffer);
    clscan_case_release(&fixture);
}

/* Forward it is at the left end, reverse at the right end, also when inclusive. */
static void the_initial_value_stands_where_the_scan_starts(void **state)
{
    const test_live *live = *state;
    static const int32_t in[4] = {1, 2, 3, 4};
    static const int32_t initial = 100;
    static const struct {
        clscan_form form;
        clscan_direction direction;
        int32_t out[4];
    } cases[] = {
        {CLSCAN_INCLUSIVE, CLSCAN_FORWARD, {101, 103, 106, 110}},
        {CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, {100, 101, 103, 106}},
        {CLSCAN_INCLUSIVE, CLSCAN_REVERSE, {110, 109, 107, 104}},
        {CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, {109, 107, 104, 100}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, cases[i].form, cases[i].direction, 4);
        for (int on_device = 0; on_device < 2; ++on_device) {
            int32_t out[4];
            int32_t total = -1;
            run_host(live, &problem, in, 4, &initial, on_device, out, &total);
            assert_memory_equal(out, cases[i].out, sizeof out);
            assert_int_equal(total, 110);
        }
    }
}

/* By an operator that does not commute it matters on which side the initial value is. */
static void the_initial_value_is_the_outermost_operand(void **state)
{
    const test_live *live = *state;
    static const int32_t in[4] = {0, 5, 0, 0};
    static const int32_t initial = 9;
    const clscan_sample_operator *keep_last = clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_INT32);
    clscan_problem problem = test_custom_problem(CLSCAN_INT32, keep_last, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 4);
    int32_t out[4];
    int32_t total;

    run_host(live, &problem, in, 4, &initial, 0, out, &total);
    static const int32_t forward[4] = {9, 5, 5, 5};
    assert_memory_equal(out, forward, sizeof out);
    assert_int_equal(total, 5);

    problem.direction = CLSCAN_REVERSE;
    run_host(live, &problem, in, 4, &initial, 1, out, &total);
    static const int32_t reverse[4] = {9, 9, 9, 9}; /* 0 . 0 . 9, and 9 is the last of all */
    assert_memory_equal(out, reverse, sizeof out);
    assert_int_equal(total, 9);
}

/* out[first] of an inclusive scan is the input, bit for bit: an identity of +0.0 must not be added.
 */
static void the_first_output_is_the_input_bit_for_bit(void **state)
{
    const test_live *live = *state;
    static const uint32_t firsts[] = {
        0x80000000u, /* -0.0 */
        0x7fc01234u, /* a NaN with a payload */
        0xffc54321u, /* and one with a sign */
        0x7f800000u,
    };
    static const clscan_operator ops[] = {CLSCAN_ADD, CLSCAN_MUL, CLSCAN_MIN, CLSCAN_MAX};
    for (size_t o = 0; o < sizeof ops / sizeof ops[0]; ++o)
        for (int reverse = 0; reverse < 2; ++reverse) {
            const clscan_problem problem =
                test_problem(CLSCAN_FLOAT, ops[o], CLSCAN_INCLUSIVE, (clscan_direction)reverse, 3);
            for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; ++i) {
                uint32_t in[3] = {0x3f800000u, 0x3f800000u, 0x3f800000u};
                uint32_t out[3];
                in[reverse ? 2 : 0] = firsts[i];
                run_host(live, &problem, in, 3, NULL, 0, out, NULL);
                assert_int_equal(out[reverse ? 2 : 0], firsts[i]);
            }
        }
}

/* For half this is more than a conversion there and back, which may change a NaN. */
static void the_first_half_is_the_input_bit_for_bit(void **state)
{
    const test_live *live = *state;
    static const uint16_t firsts[] = {0x8000, 0x7e01, 0xfe55, 0xfc00, 0x0001};
    for (int reverse = 0; reverse < 2; ++reverse) {
        const clscan_problem problem =
            test_problem(CLSCAN_HALF, CLSCAN_MIN, CLSCAN_INCLUSIVE, (clscan_direction)reverse, 3);
        for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; ++i) {
            uint16_t in[3] = {0x3c00, 0x3c00, 0x3c00};
            uint16_t out[3];
            in[reverse ? 2 : 0] = firsts[i];
            run_host(live, &problem, in, 3, NULL, 0, out, NULL);
            assert_int_equal(out[reverse ? 2 : 0], firsts[i]);
        }
    }
}

/* -0.0 + -0.0 is -0.0: padding or an identity that took part would make it +0.0 somewhere. */
static void negative_zeros_stay_negative(void **state)
{
    const test_live *live = *state;
    enum { COUNT = 3001 };
    static uint32_t in[COUNT];
    static uint32_t out[COUNT];
    const clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    uint32_t total;

    for (size_t i = 0; i < COUNT; ++i)
        in[i] = 0x80000000u;
    run_host(live, &problem, in, COUNT, NULL, 0, out, &total);
    for (size_t i = 0; i < COUNT; ++i)
        assert_int_equal(out[i], 0x80000000u);
    assert_int_equal(total, 0x80000000u);
}

static void the_leftmost_nan_wins(void **state)
{
    const test_live *live = *state;
    static const uint32_t in[6] = {0x80000000, 0x00000000, 0x3f800000, 0xffc54321, 0x7fc01234, 0xbf800000};
    static const struct {
        clscan_operator op;
        clscan_direction direction;
        uint32_t out[6];
    } cases[] = {
        {CLSCAN_MIN, CLSCAN_FORWARD, {0x80000000, 0x80000000, 0x80000000, 0xffc54321, 0xffc54321, 0xffc54321}},
        {CLSCAN_MAX, CLSCAN_FORWARD, {0x80000000, 0x80000000, 0x3f800000, 0xffc54321, 0xffc54321, 0xffc54321}},
        {CLSCAN_MIN, CLSCAN_REVERSE, {0xffc54321, 0xffc54321, 0xffc54321, 0xffc54321, 0x7fc01234, 0xbf800000}},
        {CLSCAN_MAX, CLSCAN_REVERSE, {0xffc54321, 0xffc54321, 0xffc54321, 0xffc54321, 0x7fc01234, 0xbf800000}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_problem problem = test_problem(CLSCAN_FLOAT, cases[i].op, CLSCAN_INCLUSIVE, cases[i].direction, 6);
        uint32_t out[6];
        run_host(live, &problem, in, 6, NULL, 0, out, NULL);
        assert_memory_equal(out, cases[i].out, sizeof out);
    }
}

/* Zeros of both signs, infinities and NaNs across many tiles, against the reference. */
static void special_floats_across_tiles(void **state)
{
    const test_live *live = *state;
    static const clscan_type types[] = {CLSCAN_HALF, CLSCAN_FLOAT, CLSCAN_DOUBLE};
    static const clscan_operator ops[] = {CLSCAN_MIN, CLSCAN_MAX};
    unsigned failures = 0;

    for (size_t t = 0; t < sizeof types / sizeof types[0]; ++t)
        for (size_t o = 0; o < sizeof ops / sizeof ops[0]; ++o) {
            const clscan_problem problem =
                test_problem(types[t], ops[o], CLSCAN_INCLUSIVE, (clscan_direction)((o + t) % 2), 20000);
            clscan_case_fixture fixture;
            if (!test_type_runs(live, types[t]))
                continue;
            test_prepare(live, &problem, NULL, NULL, &fixture);
            for (uint64_t seed = 0; seed < 6; ++seed) {
                const clscan_case test = {.count = seed < 4 ? 30 : 19999,
                                          .in_place = seed % 2 == 1,
                                          .total = 1,
                                          .generator = CLSCAN_GENERATE_SPECIAL,
                                          .seed = seed};
                failures += test_case(&fixture, &test);
            }
            clscan_case_release(&fixture);
        }
    assert_int_equal(failures, 0);
}

static void integers_wrap(void **state)
{
    const test_live *live = *state;
    static const int8_t in8[3] = {127, 1, -128};
    static const int8_t out8[3] = {127, -128, 0};
    static const uint16_t in16[2] = {0xffff, 0xffff};
    static const uint16_t out16[2] = {0xffff, 0x0001};
    int8_t got8[3];
    uint16_t got16[2];
    clscan_problem problem = test_problem(CLSCAN_INT8, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 3);

    if (test_type_runs(live, CLSCAN_INT8)) {
        run_host(live, &problem, in8, 3, NULL, 0, got8, NULL);
        assert_memory_equal(got8, out8, sizeof out8);
    }
    problem = test_problem(CLSCAN_UINT16, CLSCAN_MUL, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 2);
    run_host(live, &problem, in16, 2, NULL, 0, got16, NULL);
    assert_memory_equal(got16, out16, sizeof out16);
}

/* 2048 + 1 is lost in half, but not in the float that accumulates. */
static void half_accumulates_in_float(void **state)
{
    const test_live *live = *state;
    static const uint16_t in[4] = {0x6800, 0x3c00, 0x3c00, 0x3c00};  /* 2048, 1, 1, 1 */
    static const uint16_t out[4] = {0x6800, 0x6800, 0x6801, 0x6802}; /* sums 2048 to 2051, ties to even */
    static const float initial = 0.25f;
    const clscan_problem problem = test_problem(CLSCAN_HALF, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 4);
    uint16_t got[4];
    float total;

    run_host(live, &problem, in, 4, NULL, 0, got, &total);
    assert_memory_equal(got, out, sizeof out);
    assert_true(total == 2051.0f);
    run_host(live, &problem, in, 4, &initial, 1, got, &total);
    assert_true(total == 2051.25f);
}

/* The first output of an exclusive scan without an initial value. */
static void exclusive_begins_with_the_identity(void **state)
{
    const test_live *live = *state;
    static const struct {
        clscan_type type;
        clscan_operator op;
        uint64_t identity;
    } cases[] = {
        {CLSCAN_INT32, CLSCAN_ADD, 0},           {CLSCAN_UINT8, CLSCAN_MUL, 1},
        {CLSCAN_INT8, CLSCAN_MIN, 0x7f},         {CLSCAN_INT16, CLSCAN_MAX, 0x8000},
        {CLSCAN_INT64, CLSCAN_MIN, INT64_MAX},   {CLSCAN_UINT32, CLSCAN_MAX, 0},
        {CLSCAN_UINT64, CLSCAN_AND, UINT64_MAX}, {CLSCAN_UINT16, CLSCAN_XOR, 0},
        {CLSCAN_HALF, CLSCAN_MUL, 0x3c00},       {CLSCAN_HALF, CLSCAN_MAX, 0xfc00},
        {CLSCAN_FLOAT, CLSCAN_MIN, 0x7f800000}, /* +infinity */
        {CLSCAN_FLOAT, CLSCAN_MUL, 0x3f800000},  {CLSCAN_DOUBLE, CLSCAN_MAX, UINT64_C(0xfff0000000000000)},
    };
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const size_t size = clscan_type_size_bytes(cases[i].type);
        const clscan_problem problem = test_problem(cases[i].type, cases[i].op, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 2);
        unsigned char in[16];
        uint64_t got[2] = {0};
        uint64_t first = 0;

        if (!test_type_runs(live, cases[i].type))
            continue;
        memset(in, 0x11, sizeof in);
        run_host(live, &problem, in, 2, NULL, 0, got, NULL);
        memcpy(&first, got, size);
        if (first != cases[i].identity || memcmp((unsigned char *)got + size, in, size) != 0) {
            print_error("%s %s: begins with 0x%llx\n", clscan_type_name(cases[i].type),
                        clscan_operator_name(cases[i].op), (unsigned long long)first);
            ++failures;
        }
    }
    assert_int_equal(failures, 0);
}

/* Nothing to scan: no output is written, the total is the initial value or the identity. */
static void count_zero(void **state)
{
    const test_live *live = *state;
    unsigned failures = 0;

    for (int form = 0; form < 2; ++form) {
        const clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_MIN, (clscan_form)form, CLSCAN_REVERSE, 10);
        clscan_case_fixture fixture;
        test_prepare(live, &problem, NULL, NULL, &fixture);
        for (int initial = 0; initial < 3; ++initial)
            for (int total = 0; total < 2; ++total) {
                const clscan_case test = {.count = 0,
                                          .in_offset = 2,
                                          .out_offset = 2,
                                          .in_place = total,
                                          .initial = (clscan_case_initial)initial,
                                          .total = total,
                                          .generator = CLSCAN_GENERATE_SMALL};
                failures += test_case(&fixture, &test);
            }
        clscan_case_release(&fixture);
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_initial_value_stands_where_the_scan_starts),
        cmocka_unit_test(the_initial_value_is_the_outermost_operand),
        cmocka_unit_test(the_first_output_is_the_input_bit_for_bit),
        cmocka_unit_test(the_first_half_is_the_input_bit_for_bit),
        cmocka_unit_test(negative_zeros_stay_negative),
        cmocka_unit_test(the_leftmost_nan_wins),
        cmocka_unit_test(special_floats_across_tiles),
        cmocka_unit_test(integers_wrap),
        cmocka_unit_test(half_accumulates_in_float),
        cmocka_unit_test(exclusive_begins_with_the_identity),
        cmocka_unit_test(count_zero),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
