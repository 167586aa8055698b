/* From times of uploads to the links of devices. */
#include "cmocka_all.h"
#include "output/group_links.h"

enum { MOST = 4 };

static void expect(size_t count, const double *alone, const double *together, const uint32_t *expected)
{
    uint32_t links[MOST] = {99, 99, 99, 99};

    tune_group_links(count, alone, together, links);
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(links[i], expected[i]);
}

/* 0 and 2 take as long together as one after the other, and so do 1 and 3. */
static void pairs_that_slow_each_other_down(void **state)
{
    static const double alone[MOST] = {1, 1, 1, 1};
    static const double together[MOST * MOST] = {0, 1.1, 2.0, 1.2, 0, 0, 1.1, 1.9, 0, 0, 0, 1.0, 0, 0, 0, 0};
    static const uint32_t expected[MOST] = {0, 1, 0, 1};

    (void)state;
    expect(MOST, alone, together, expected);
}

/* Unequal links: 3 at once and 4 one after the other, of 1 and 3. */
static void nearer_to_the_sum_than_to_the_longer_one(void **state)
{
    static const double alone[2] = {1, 3};
    static const double apart[4] = {0, 3.4, 0, 0}, shared[4] = {0, 3.6, 0, 0};
    static const uint32_t two[2] = {0, 1}, one[2] = {0, 0};

    (void)state;
    expect(2, alone, apart, two);
    expect(2, alone, shared, one);
}

/* 2 shares with 0 and with 1, which seemed apart; 3 joins by 1. */
static void links_that_meet_are_one(void **state)
{
    static const double alone[MOST] = {1, 1, 1, 1};
    static const double together[MOST * MOST] = {0, 1, 2, 1, 0, 0, 2, 2, 0, 0, 0, 1, 0, 0, 0, 0};
    static const uint32_t expected[MOST] = {0, 0, 0, 0};

    (void)state;
    expect(MOST, alone, together, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_that_slow_each_other_down),
        cmocka_unit_test(nearer_to_the_sum_than_to_the_longer_one),
        cmocka_unit_test(links_that_meet_are_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
