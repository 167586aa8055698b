#include "variant_walk.h"

#include <stdlib.h>

#include "cmocka_all.h"
#include "common/test_knobs.h"
#include "variant_sets.h"

/* Of which a short run has one share. */
enum { SHARES = 6 };

static test_variants small_variants(const test_live *live)
{
    return test_representatives(CLSCAN_INT32, TEST_SMALL_WORK_GROUP, 4, &live->info);
}

static bool is_legal(const test_live *live, const clscan_problem *problem, const clscan_variant *variant)
{
    return clscan_variant_check(variant, problem, 0, &live->info, NULL) == CLSCAN_OK;
}

/* A form that is run by a variant, or the caller's own way. */
typedef struct axis_run {
    size_t turn;
    test_problem_at *problem_at;
    test_variant_run *run;   /* NULL: that of the forms */
    const test_forms *forms; /* NULL: there are none */
} axis_run;

static unsigned run_by(const axis_run *of, const test_live *live, const clscan_variant *variant, size_t i)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    const uint64_t tile = clscan_variant_tile_count(variant);

    return of->run != NULL ? of->run(live, variant, i) : of->forms->run(live, i, &options, 4 * tile + 2, tile);
}

static void walk_axes(const test_live *live, const axis_run *of)
{
    test_variants list = small_variants(live);
    unsigned failures = 0, run_count = 0;

    test_keep_new_axes(&list, TEST_EACH_VALUE);
    for (size_t i = 0; i < list.count; ++i) {
        const size_t turn = of->forms != NULL ? i % of->forms->count : i;

        if (!test_takes(i + of->turn, SHARES) || !is_legal(live, of->problem_at(turn), &list.items[i]))
            continue;
        failures += run_by(of, live, &list.items[i], turn);
        ++run_count;
    }
    free(list.items);
    print_message("%u variants\n", run_count);
    assert_int_equal(failures, 0);
    assert_true(run_count > (test_thorough() ? 5 : 0));
}

void test_every_axis(const test_live *live, size_t turn, test_problem_at *problem_at, test_variant_run *run)
{
    walk_axes(live, &(axis_run){.turn = turn, .problem_at = problem_at, .run = run});
}

void test_forms_on_every_axis(const test_live *live, const test_forms *forms)
{
    walk_axes(live, &(axis_run){.turn = forms->turn, .problem_at = forms->problem_at, .forms = forms});
}

void test_each_form(const test_live *live, const test_forms *forms)
{
    unsigned failures = 0;

    for (size_t i = 0; i < forms->count; ++i)
        failures += forms->run(live, i, NULL, 2500, 600);
    assert_int_equal(failures, 0);
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

        if (!test_variant_waits(variant) || seen[variant->carry] || !is_legal(live, problem, variant) ||
            (recomputed > 0 && !test_thorough()))
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
