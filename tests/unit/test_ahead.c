/* When a variant that was timed at first use counts as faster than what would have run. */
#include "cmocka_all.h"
#include "timing/bench.h"

/* Rounds in turn, of which the contender was faster in the first `faster`. */
static clscan__contender timed(double time_ns, unsigned rounds, unsigned faster)
{
    const clscan__contender ordinary = {.last_ns = 100};
    clscan__contender contender = {.time_ns = time_ns};

    for (unsigned round = 0; round < rounds; ++round) {
        contender.last_ns = round < faster ? 90 : 110;
        clscan__contender_count_round(&contender, &ordinary);
    }
    return contender;
}

static void expect(bool ahead, double time_ns, unsigned rounds, unsigned faster)
{
    const clscan__contender ordinary = {.time_ns = 100}, contender = timed(time_ns, rounds, faster);

    if (clscan__contender_is_ahead(&contender, &ordinary) != ahead)
        fail_msg("%g ns instead of 100, faster in %u of %u rounds: %s ahead", time_ns, faster, rounds,
                 ahead ? "not" : "wrongly");
}

static void a_few_percent_need_most_rounds(void **state)
{
    (void)state;
    expect(true, 95, 12, 12);
    expect(true, 95, 12, 9);
    expect(false, 95, 12, 8);
    expect(false, 95, 12, 0);
    expect(false, 99, 12, 12);
}

/* One lucky time among slow ones. */
static void a_least_time_alone_proves_nothing(void **state)
{
    (void)state;
    expect(false, 40, 12, 1);
}

static void few_rounds_need_a_large_lead(void **state)
{
    (void)state;
    expect(false, 95, 1, 1);
    expect(false, 90, 3, 3);
    expect(true, 80, 3, 3);
    expect(true, 80, 1, 1);
    expect(false, 80, 0, 0);
    expect(true, 95, 4, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_percent_need_most_rounds),
        cmocka_unit_test(a_least_time_alone_proves_nothing),
        cmocka_unit_test(few_rounds_need_a_large_lead),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
