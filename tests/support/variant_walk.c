#include "variant_walk.h"

#include <stdlib.h>

#include "cmocka_all.h"
#include "common/test_knobs.h"
#include "variant_sets.h"

static test_variants small_variants(const test_live *live)
{
    return test_representatives(CLSCAN_INT32, 8, 4, &live->info);
}

static bool is_legal(const test_live *live, const clscan_problem *problem, const clscan_variant *variant)
{
    return clscan_variant_check(variant, problem, 0, &live->info, NULL) == CLSCAN_OK;
}

void test_every_axis(const test_live *live, test_problem_at *problem_at, test_variant_run *run)
{
    test_variants list = small_variants(live);
    unsigned failures = 0, run_count = 0;

    test_keep_new_axes(&list, TEST_EACH_VALUE);
    for (size_t i = 0; i < list.count; ++i) {
        if (!is_legal(live, problem_at(i), &list.items[i]))
            continue;
        failures += run(live, &list.items[i], i);
        ++run_count;
    }
    free(list.items);
    print_message("%u variants\n", run_count);
    assert_int_equal(failures, 0);
    assert_true(run_count > 5);
}

void test_spent_waits(const test_live *live, const clscan_problem *problem, test_waits_run *run)
{
    const struct clscan__test_knobs knobs = {.poll_limit = 1, .hold_interval = 3};
    test_variants list = small_variants(live);
    unsigned failures = 0, recomputed = 0, run_count = 0;
    bool seen[CLSCAN_CARRY_COUNT] = {false};

    for (size_t i = 0; i < list.count; ++i) {
        const clscan_variant *variant = &list.items[i];
        const clscan_plan_options options = {
            .struct_size = sizeof options, .variant = variant, .test_knobs = &knobs, .count_events = 1};

        if (!test_variant_waits(variant) || seen[variant->carry] || !is_legal(live, problem, variant))
            continue;
        seen[variant->carry] = true;
        failures += run(live, &options, &recomputed);
        ++run_count;
    }
    free(list.items);
    print_message("%u carries that wait, %u tiles recomputed\n", run_count, recomputed);
    assert_int_equal(failures, 0);
    assert_true(run_count == 0 || recomputed > 0);
}
