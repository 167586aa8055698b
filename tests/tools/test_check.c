/* Comparing a result with the serial reference: what is an error, and what only another grouping. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"

#define COUNT 1000

static uint64_t compared;
static clscan_error last_error;

static clscan_status check_floats(clscan_operator op, const float *in, const float *got, uint64_t count)
{
    const check_job job = {
        .type = CLSCAN_FLOAT, .op = op, .in = in, .got = got, .count = count, .form = CLSCAN_INCLUSIVE};

    return check_result(&job, &compared, &last_error);
}

static void integers_agree_exactly(void **state)
{
    const int32_t in[] = {1, 2, 3, 4};
    int32_t got[] = {1, 3, 6, 10};
    check_job job = {.type = CLSCAN_INT32, .op = CLSCAN_ADD, .in = in, .got = got, .count = 4};

    (void)state;
    assert_int_equal(check_result(&job, &compared, &last_error), CLSCAN_OK);
    assert_int_equal(compared, 4);
    got[2] = 7;
    assert_int_not_equal(check_result(&job, &compared, &last_error), CLSCAN_OK);
    assert_non_null(strstr(last_error.message, "element 2 should be 6"));
    assert_non_null(strstr(last_error.message, "is 7"));
}

static void initial_value_and_direction_count(void **state)
{
    const uint8_t in[] = {1, 2, 3};
    const uint8_t got[] = {15, 13, 10};
    const uint8_t initial = 10;
    const check_job job = {.type = CLSCAN_UINT8,
                           .op = CLSCAN_ADD,
                           .form = CLSCAN_EXCLUSIVE,
                           .direction = CLSCAN_REVERSE,
                           .initial = &initial,
                           .in = in,
                           .got = got,
                           .count = 3};

    (void)state;
    assert_int_equal(check_result(&job, &compared, &last_error), CLSCAN_OK);
}

static void another_grouping_is_right(void **state)
{
    float in[COUNT], got[COUNT];
    double sum = 0.0;

    (void)state;
    for (size_t i = 0; i < COUNT; ++i) {
        in[i] = 0.1f * (float)(i % 17) - 0.7f;
        sum += (double)in[i]; /* rounded once at the end, unlike the reference */
        got[i] = (float)sum;
    }
    assert_int_equal(check_floats(CLSCAN_ADD, in, got, COUNT), CLSCAN_OK);
    assert_int_equal(compared, COUNT);
    got[500] += 1.0f;
    assert_int_not_equal(check_floats(CLSCAN_ADD, in, got, COUNT), CLSCAN_OK);
    assert_non_null(strstr(last_error.message, "element 500"));
}

/* (x . y) . z may overflow where x . (y . z) does not: then neither is wrong. */
static void overflow_ends_the_comparison(void **state)
{
    const float in[] = {1e30f, 1e30f, 1e-30f, 2.0f};
    const float got[] = {1e30f, 12345.0f, 1e30f, 2e30f};

    (void)state;
    assert_int_equal(check_floats(CLSCAN_MUL, in, got, 4), CLSCAN_OK);
    assert_int_equal(compared, 1);
}

/* max has no rounding, and its result does not depend on the grouping. */
static void comparisons_agree_exactly(void **state)
{
    const float in[] = {1.0f, 3.0f, 2.0f};
    float got[] = {1.0f, 3.0f, 3.0f};

    (void)state;
    assert_int_equal(check_floats(CLSCAN_MAX, in, got, 3), CLSCAN_OK);
    got[2] = 3.0000002f;
    assert_int_not_equal(check_floats(CLSCAN_MAX, in, got, 3), CLSCAN_OK);
}

static void halves_may_differ_by_a_rounding(void **state)
{
    const uint16_t in[] = {0x3c00, 0x3c00, 0x7bff}; /* 1, 1, 65504 */
    uint16_t got[] = {0x3c00, 0x4001, 0x7c00};      /* 1, 2 and a bit, infinity */
    const check_job job = {.type = CLSCAN_HALF, .op = CLSCAN_ADD, .in = in, .got = got, .count = 3};

    (void)state;
    assert_int_equal(check_result(&job, &compared, &last_error), CLSCAN_OK);
    got[1] = 0x4010;
    assert_int_not_equal(check_result(&job, &compared, &last_error), CLSCAN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_agree_exactly),    cmocka_unit_test(initial_value_and_direction_count),
        cmocka_unit_test(another_grouping_is_right), cmocka_unit_test(overflow_ends_the_comparison),
        cmocka_unit_test(comparisons_agree_exactly), cmocka_unit_test(halves_may_differ_by_a_rounding),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
