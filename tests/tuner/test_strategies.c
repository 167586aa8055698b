/* Strategies on devices that are formulas: what they find, what they ask, and how they end. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "config_file/axes.h"
#include "rig.h"
#include "search/decide.h"
#include "space/rows.h"

/* Reduced spaces, small enough to exhaust. */
static const char *const spaces[] = {
    rig_reduced_space,
    "body=strided,order=dynamic,work_group_size=1|64|256|1024,vector_length=4|16,register_pieces=0|1|4|16,"
    "local_pieces=0|1|16|256|1024,work_groups_per_unit=1|4|16,tiles_per_work_group=1|4|16,poll_delay=0",
    "carry=reduce_then_scan|single,work_group_size=32:1024,local_pieces=0|1,register_pieces=0:4,vector_length=1:4,"
    "thread_group_size=16:32,work_groups_per_unit=2:16,group_scan=kogge_stone",
};

static double best_ns[RIG_COUNTS]; /* of all points and the defaults */
static uint64_t legal;

static void find_best(const rig *r)
{
    legal = 0;
    for (size_t c = 0; c < RIG_COUNTS; ++c)
        best_ns[c] = synthetic_time_ns(r->run.machine, &r->setup.target, &r->defaults[c], rig_counts[c]);
    for (uint64_t i = 0; i < r->space.points; ++i) {
        clscan_variant variant;

        tune_space_point(&r->space, i, &variant);
        if (!tune_space_legal(&r->space, &variant, NULL))
            continue;
        ++legal;
        for (size_t c = 0; c < RIG_COUNTS; ++c) {
            const double time_ns = synthetic_time_ns(r->run.machine, &r->setup.target, &variant, rig_counts[c]);

            best_ns[c] = time_ns < best_ns[c] ? time_ns : best_ns[c];
        }
    }
}

/* The goal of the default strategy. */
static void staged_is_within_3_percent_with_15_percent_of_the_trials(void **state)
{
    static const synthetic_machine *const machines[] = {&synthetic_gpu, &synthetic_cpu};

    (void)state;
    for (size_t m = 0; m < 2; ++m)
        for (size_t s = 0; s < sizeof spaces / sizeof spaces[0]; ++s)
            for (uint64_t seed = 1; seed <= 2; ++seed) {
                rig r;

                rig_prepare(&r, machines[m], spaces[s], CLSCAN_INT32, seed);
                find_best(&r);
                rig_run(&r, "staged");
                assert_true(tune_search_trial_count(r.search) <= 0.15 * (double)(legal * RIG_COUNTS));
                for (size_t c = 0; c < RIG_COUNTS; ++c) {
                    const double found_ns = tune_search_best(r.search, c)->time_ns;

                    if (found_ns > 1.03 * best_ns[c])
                        fail_msg("%s, space %zu, seed %d, count %d: %.1f%% slower", machines[m]->info.name, s,
                                 (int)seed, (int)rig_counts[c], 100 * (found_ns / best_ns[c] - 1));
                }
                rig_finish(&r);
            }
}

/* In the whole space, whose largest blocks have a thousand times the points of those that are fast there. */
static void staged_finds_lookahead_among_all(void **state)
{
    static const clscan_type types[] = {CLSCAN_INT32, CLSCAN_INT64};

    (void)state;
    for (size_t t = 0; t < 2; ++t)
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            rig all, ahead;
            double found_ns;

            rig_prepare(&ahead, &synthetic_new_gpu, "carry=lookahead,poll_delay=0", types[t], seed);
            find_best(&ahead);
            tune_space_free(&ahead.space);
            rig_prepare(&all, &synthetic_new_gpu, NULL, types[t], seed);
            all.setup.max_trials = 200;
            rig_run(&all, "staged");
            found_ns = tune_search_best(all.search, RIG_COUNTS - 1)->time_ns;
            if (found_ns > 1.03 * best_ns[RIG_COUNTS - 1])
                fail_msg("%s, seed %d: %.1f%% slower", clscan_type_name(types[t]), (int)seed,
                         100 * (found_ns / best_ns[RIG_COUNTS - 1] - 1));
            rig_finish(&all);
        }
}

/* At lengths where rows share a work-group, only such trials as their kernel can tell apart; and those are made. */
static void of_short_rows_no_strategy_asks_for_the_rest(void **state)
{
    static const char *const names[] = {"staged", "exhaustive"};
    static const uint64_t counts[RIG_COUNTS] = {16, 256, 4096, 1 << 14, 1 << 18};
    tune_target target = tune_target_of_operation(CLSCAN__CONFIG_SCAN_ROWS, CLSCAN_INT32, CLSCAN_ADD);

    (void)state;
    tune_target_fill_device(&target, &synthetic_new_gpu.info);
    for (size_t s = 0; s < sizeof names / sizeof names[0]; ++s) {
        tune_hints hints = {.count = 0};
        clscan_error error;
        size_t asked[RIG_COUNTS] = {0};
        rig r;

        rig_prepare_target(&r, &synthetic_new_gpu,
                           s == 0 ? NULL : "body=subgroup_rows,work_group_size=64|128,vector_length=4", &target, counts,
                           1);
        if (tune_hints_add_rows(&hints, &r.space, counts, r.defaults, RIG_COUNTS, &error) != CLSCAN_OK)
            fail_msg("%s", error.message);
        r.setup.hints = hints.items;
        r.setup.hint_count = hints.count;
        r.setup.max_trials = 300;
        rig_run(&r, names[s]);
        for (size_t i = 0; i < tune_search_trial_count(r.search); ++i) {
            const tune_trial *trial = tune_search_trial(r.search, i);
            size_t at = 0;

            while (counts[at] != trial->count)
                ++at;
            ++asked[at];
            assert_true(tune_rows_need_search(&r.space, &trial->variant, &r.defaults[at], counts[at]));
            assert_int_equal(trial->variant.carry, CLSCAN_CARRY_REDUCE_THEN_SCAN);
        }
        if (s == 0)
            assert_true(asked[0] > 10 && asked[1] > 10);
        assert_true(asked[RIG_COUNTS - 1] > 10);
        rig_finish(&r);
        tune_hints_free(&hints);
    }
}

/* Without a limit they end by themselves. */
static void strategies_that_ask_for_all_find_the_best(void **state)
{
    static const char *const names[] = {"exhaustive", "random", "sweep"};

    (void)state;
    for (size_t s = 0; s < sizeof names / sizeof names[0]; ++s) {
        rig r;

        rig_prepare(&r, &synthetic_gpu, rig_reduced_space, CLSCAN_INT32, 1);
        find_best(&r);
        rig_run(&r, names[s]);
        for (size_t c = 0; c < RIG_COUNTS; ++c)
            assert_true(tune_search_best(r.search, c)->time_ns <= best_ns[c] * 1.000001);
        /* Every legal point was measured at the smallest count, and none at a count where it was hopeless. */
        assert_true(tune_search_trial_count(r.search) >= legal);
        assert_true(tune_search_trial_count(r.search) <= legal * RIG_COUNTS + RIG_COUNTS);
        assert_true(r.run.announced + RIG_COUNTS >= legal); /* but for defaults, which were measured before */
        rig_finish(&r);
    }
}

static void every_search_measures_the_defaults_first(void **state)
{
    (void)state;
    for (size_t s = 0; tune_strategies[s] != NULL; ++s) {
        rig r;

        rig_prepare(&r, &synthetic_gpu, spaces[1], CLSCAN_FLOAT, 1);
        r.setup.max_trials = 40;
        rig_run(&r, tune_strategies[s]->name);
        for (size_t c = 0; c < RIG_COUNTS; ++c) {
            const tune_trial *trial = tune_search_trial(r.search, c);

            assert_int_equal(trial->count, rig_counts[c]);
            assert_memory_equal(&trial->variant, &r.defaults[c], sizeof trial->variant);
            assert_ptr_equal(tune_search_default(r.search, c), trial);
            assert_true(tune_search_best(r.search, c)->time_ns <= trial->time_ns);
        }
        rig_finish(&r);
    }
}

/* Whatever a strategy asks, it asks once, and stops where it must. */
static void trials_are_counted_and_never_repeated(void **state)
{
    (void)state;
    for (size_t s = 0; tune_strategies[s] != NULL; ++s) {
        rig r;

        rig_prepare(&r, &synthetic_cpu, NULL, CLSCAN_INT64, 3);
        r.setup.max_trials = 60;
        rig_run(&r, tune_strategies[s]->name);
        assert_in_range(tune_search_trial_count(r.search), RIG_COUNTS + 1, 60 + RIG_COUNTS);
        assert_int_equal(r.run.asked, tune_search_trial_count(r.search));
        for (size_t i = 0; i < tune_search_trial_count(r.search); ++i)
            for (size_t j = 0; j < i; ++j)
                assert_false(tune_trial_same_question(tune_search_trial(r.search, i), tune_search_trial(r.search, j)));
        rig_finish(&r);
    }
}

static void the_seed_decides(void **state)
{
    static const char *const names[] = {"staged", "random", "halving"};

    (void)state;
    for (size_t s = 0; s < sizeof names / sizeof names[0]; ++s) {
        rig one, same, other;
        size_t different = 0, i = RIG_COUNTS;

        rig_prepare(&one, &synthetic_gpu, NULL, CLSCAN_INT32, 1);
        rig_prepare(&same, &synthetic_gpu, NULL, CLSCAN_INT32, 1);
        rig_prepare(&other, &synthetic_gpu, NULL, CLSCAN_INT32, 2);
        one.setup.max_trials = same.setup.max_trials = other.setup.max_trials = 50;
        rig_run(&one, names[s]);
        rig_run(&same, names[s]);
        rig_run(&other, names[s]);
        assert_int_equal(tune_search_trial_count(one.search), tune_search_trial_count(same.search));
        for (; i < tune_search_trial_count(one.search); ++i) {
            assert_true(tune_trial_same_question(tune_search_trial(one.search, i), tune_search_trial(same.search, i)));
            different +=
                i < tune_search_trial_count(other.search) &&
                !tune_trial_same_question(tune_search_trial(one.search, i), tune_search_trial(other.search, i));
        }
        assert_true(different > 0);
        rig_finish(&one);
        rig_finish(&same);
        rig_finish(&other);
    }
}

static void a_deadline_is_kept(void **state)
{
    (void)state;
    for (size_t s = 0; tune_strategies[s] != NULL; ++s) {
        rig r;

        rig_prepare(&r, &synthetic_gpu, NULL, CLSCAN_INT32, 1);
        r.setup.deadline_s = 60;
        rig_run(&r, tune_strategies[s]->name);
        assert_true(tune_search_elapsed_s(r.search) < 66);
        if (strcmp(tune_strategies[s]->name, "staged") == 0)
            assert_true(tune_search_trial_count(r.search) > 60);
        rig_finish(&r);
    }
}

static void interrupt_after_ten(void *user, const tune_search *search, const tune_trial *trial)
{
    (void)trial;
    if (tune_search_trial_count(search) == 10)
        *(volatile sig_atomic_t *)user = 1;
}

static void an_interrupt_ends_the_search_and_keeps_what_is_known(void **state)
{
    (void)state;
    for (size_t s = 0; tune_strategies[s] != NULL; ++s) {
        rig r;

        rig_prepare(&r, &synthetic_gpu, NULL, CLSCAN_INT32, 1);
        r.setup.progress = interrupt_after_ten;
        r.setup.user = (void *)&r.interrupted;
        rig_run(&r, tune_strategies[s]->name);
        assert_int_equal(tune_search_trial_count(r.search), 10);
        assert_non_null(tune_search_best(r.search, 0));
        rig_finish(&r);
    }
}

static bool is_default(const rig *r, const clscan_variant *variant)
{
    for (size_t c = 0; c < RIG_COUNTS; ++c)
        if (memcmp(&r->defaults[c], variant, sizeof *variant) == 0)
            return true;
    return false;
}

static void candidates_that_fail_cost_one_trial_and_never_win(void **state)
{
    (void)state;
    for (size_t s = 0; tune_strategies[s] != NULL; ++s) {
        rig r;
        unsigned failed = 0;

        rig_prepare(&r, &synthetic_gpu, rig_reduced_space, CLSCAN_INT32, 1);
        r.run.failing_percent = 40;
        r.setup.max_trials = 300;
        rig_run(&r, tune_strategies[s]->name);
        for (size_t i = 0; i < tune_search_trial_count(r.search); ++i) {
            const tune_trial *trial = tune_search_trial(r.search, i);

            if (trial->outcome == TUNE_OUTCOME_CORRECT || is_default(&r, &trial->variant))
                continue;
            ++failed;
            for (size_t c = 0; c < RIG_COUNTS; ++c)
                assert_true(rig_counts[c] == trial->count ||
                            tune_search_peek(r.search, &trial->variant, rig_counts[c]) == NULL);
        }
        assert_true(failed > 5);
        for (size_t c = 0; c < RIG_COUNTS; ++c)
            if (tune_search_best(r.search, c) != NULL)
                assert_int_equal(tune_search_best(r.search, c)->outcome, TUNE_OUTCOME_CORRECT);
        rig_finish(&r);
    }
}

static void a_default_that_fails_is_no_yardstick(void **state)
{
    rig r;

    (void)state;
    rig_prepare(&r, &synthetic_gpu, rig_reduced_space, CLSCAN_INT32, 1);
    r.defaults[0].vector_length = 3; /* not legal */
    rig_run(&r, "staged");
    assert_int_equal(tune_search_default(r.search, 0)->outcome, TUNE_OUTCOME_CONSTRAINTS);
    assert_true(strstr(tune_search_default(r.search, 0)->reason, "power_of_two") != NULL);
    assert_non_null(tune_search_best(r.search, 0));
    rig_finish(&r);
}

static void what_soaking_refutes_wins_nowhere(void **state)
{
    rig r;
    tune_trial winner;

    (void)state;
    rig_prepare(&r, &synthetic_gpu, rig_reduced_space, CLSCAN_INT32, 1);
    rig_run(&r, "staged");
    winner = *tune_search_best(r.search, 3);
    assert_int_equal(tune_search_soak(r.search, &winner, 1000), TUNE_OUTCOME_CORRECT);
    assert_int_equal(tune_search_best(r.search, 3)->time_ns, winner.time_ns);
    r.run.soak_fails = true;
    assert_int_equal(tune_search_soak(r.search, &winner, 1000), TUNE_OUTCOME_CORRECTNESS);
    for (size_t c = 0; c < RIG_COUNTS; ++c)
        assert_memory_not_equal(&tune_search_best(r.search, c)->variant, &winner.variant, sizeof winner.variant);
    rig_finish(&r);
}

/* The slowest, or the fastest, of some random points at a count, which the model does not know of. */
static clscan_variant extreme_point(rig *r, size_t count_index, bool slowest)
{
    clscan_variant extreme = r->defaults[count_index];

    for (uint64_t i = 0; i < 3000; ++i) {
        clscan_variant variant;

        tune_space_point(&r->space, tune_shuffled(r->space.points, 5, i), &variant);
        if (tune_space_legal(&r->space, &variant, NULL) &&
            slowest == (synthetic_time_ns(r->run.machine, &r->setup.target, &variant, rig_counts[count_index]) >=
                        synthetic_time_ns(r->run.machine, &r->setup.target, &extreme, rig_counts[count_index])))
            extreme = variant;
    }
    return extreme;
}

static clscan_variant lucky_point(rig *r, size_t count_index)
{
    return extreme_point(r, count_index, false);
}

/* What served a relative is tried first where it served it, and what won beside it. */
static void staged_begins_with_what_is_known(void **state)
{
    tune_hint hints[2];
    rig r;

    (void)state;
    rig_prepare(&r, &synthetic_new_gpu, NULL, CLSCAN_INT32, 1);
    hints[0] = (tune_hint){lucky_point(&r, 4), rig_counts[4], UINT64_MAX, true};
    hints[1] = (tune_hint){lucky_point(&r, 1), 1, rig_counts[1], true};
    r.setup.hints = hints;
    r.setup.hint_count = 2;
    r.setup.max_trials = 12;
    rig_run(&r, "staged");
    assert_true(clscan__variant_equal(&tune_search_trial(r.search, RIG_COUNTS)->variant, &hints[0].variant));
    assert_non_null(tune_search_peek(r.search, &hints[0].variant, rig_counts[4]));
    assert_non_null(tune_search_peek(r.search, &hints[1].variant, rig_counts[1]));
    assert_non_null(tune_search_peek(r.search, &hints[1].variant, rig_counts[0]));
    assert_true(tune_search_best(r.search, 4)->time_ns <
                synthetic_time_ns(r.run.machine, &r.setup.target, &r.defaults[4], rig_counts[4]));
    rig_finish(&r);
}

/* What served a device of another sort may be hopeless here: that shows where it takes the least time. */
static void what_is_hopeless_at_a_small_count_is_spared_larger_ones(void **state)
{
    tune_hint hint;
    rig r;

    (void)state;
    rig_prepare(&r, &synthetic_cpu, NULL, CLSCAN_INT32, 1);
    hint = (tune_hint){extreme_point(&r, 2, true), rig_counts[1], UINT64_MAX, true};
    r.setup.hints = &hint;
    r.setup.hint_count = 1;
    r.setup.max_trials = 12;
    rig_run(&r, "staged");
    assert_non_null(tune_search_peek(r.search, &hint.variant, rig_counts[1]));
    assert_null(tune_search_peek(r.search, &hint.variant, rig_counts[RIG_COUNTS - 1]));
    rig_finish(&r);
}

/* No count keeps a variant that the winner of a count beside it beats. */
static void winners_are_tried_at_the_counts_beside(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        rig r;

        rig_prepare(&r, &synthetic_new_gpu, NULL, CLSCAN_INT32, seed);
        r.setup.max_trials = 150;
        rig_run(&r, "staged");
        tune_search_spread(r.search, HUGE_VAL);
        assert_true(tune_search_over(r.search));
        for (size_t c = 0; c + 1 < RIG_COUNTS; ++c) {
            const tune_trial *here = tune_search_best(r.search, c), *next = tune_search_best(r.search, c + 1);

            assert_true(tune_search_peek(r.search, &next->variant, here->count) != NULL ||
                        tune_search_hopeless(r.search, &next->variant, c));
            assert_true(tune_search_peek(r.search, &here->variant, next->count) != NULL ||
                        tune_search_hopeless(r.search, &here->variant, c + 1));
        }
        rig_finish(&r);
    }
}

/* One parameter of a default is wrong, as it was on a CPU that its entry had never met: single steps off what is the
 * fastest of the known variants are tried before all that the model ranks. */
static void a_single_step_off_a_default_is_tried_early(void **state)
{
    rig r;
    clscan_variant neighbours[256];
    size_t steps = 0;

    (void)state;
    rig_prepare(&r, &synthetic_cpu, NULL, CLSCAN_INT32, 1);
    r.setup.max_trials = 25;
    rig_run(&r, "staged");
    for (size_t of = 0; of < RIG_COUNTS; ++of) {
        const size_t count = tune_space_neighbours(&r.space, &r.defaults[of], TUNE_STEPS, neighbours, 256);

        for (size_t i = 0; i < count; ++i)
            for (size_t at = 0; at < RIG_COUNTS; ++at)
                steps += tune_search_peek(r.search, &neighbours[i], rig_counts[at]) != NULL;
    }
    assert_true(steps > 0);
    rig_finish(&r);
}

/* The last count would take minutes: it is left out, if it may be. */
static void a_count_that_takes_too_long_is_left_out(void **state)
{
    static const uint64_t counts[RIG_COUNTS] = {1 << 12, 1 << 16, 1 << 20, 1 << 24, UINT64_C(1) << 33};

    (void)state;
    for (int may = 0; may <= 1; ++may) {
        rig r;

        rig_prepare(&r, &synthetic_cpu, rig_tiny_space, CLSCAN_INT32, 1);
        r.setup.counts = counts;
        r.setup.deadline_s = 40;
        r.setup.quick = may;
        rig_run(&r, "staged");
        assert_int_equal(tune_search_about(r.search)->count_count, may ? RIG_COUNTS - 1 : RIG_COUNTS);
        assert_int_equal(tune_search_default(r.search, RIG_COUNTS - 1) != NULL, !may);
        rig_finish(&r);
    }
}

/* Between the counts of a quick search nothing is searched, but what is best beside is measured, and the default. */
static void a_quick_search_looks_between_its_counts(void **state)
{
    static const uint64_t counts[RIG_COUNTS] = {1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20};
    size_t trials[2] = {0};
    rig r;

    (void)state;
    rig_prepare(&r, &synthetic_new_gpu, NULL, CLSCAN_INT32, 1);
    r.setup.counts = counts;
    r.setup.max_trials = 300;
    r.setup.quick = true;
    rig_run(&r, "staged");
    assert_int_equal(tune_search_about(r.search)->count_count, RIG_COUNTS);
    for (size_t i = 0; i < RIG_COUNTS; ++i) {
        assert_non_null(tune_search_default(r.search, i));
        for (size_t beside = i > 0 ? i - 1 : 0; beside < RIG_COUNTS && beside <= i + 1; ++beside) {
            const clscan_variant *best = &tune_search_best(r.search, beside)->variant;

            assert_true(tune_search_peek(r.search, best, counts[i]) != NULL || tune_search_hopeless(r.search, best, i));
        }
    }
    for (size_t i = 0; i < tune_search_trial_count(r.search); ++i)
        for (size_t at = 0; at < RIG_COUNTS; ++at)
            trials[at % 2] += tune_search_trial(r.search, i)->count == counts[at];
    assert_true(trials[1] <= 2 * 5 && trials[0] > 10 * trials[1]);
    rig_finish(&r);
}

/* Time for the last count at the beginning is none for the one before it at the end. */
static void where_a_quick_search_did_not_look_nothing_is_chosen(void **state)
{
    static const uint64_t counts[RIG_COUNTS] = {1 << 12, 1 << 16, 1 << 20, 1 << 27, 1 << 28};
    tune_decision decision;
    rig r;

    (void)state;
    rig_prepare(&r, &synthetic_new_gpu, NULL, CLSCAN_INT32, 1);
    r.setup.counts = counts;
    r.setup.deadline_s = 30;
    r.setup.quick = true;
    rig_run(&r, "staged");
    assert_int_equal(tune_decide(r.search, &decision, NULL), CLSCAN_OK);
    assert_int_equal(decision.count, RIG_COUNTS);
    for (size_t i = 0; i < RIG_COUNTS; ++i) {
        assert_non_null(decision.picks[i].standard);
        assert_int_equal(decision.picks[i].reason == TUNE_REASON_KEPT, counts[i] == 1 << 27);
    }
    rig_finish(&r);
}

/* Every body and carry of a scan but baselines, all counts, and what is known first. */
static void a_sweep_is_broad(void **state)
{
    bool bodies[CLSCAN_BODY_COUNT] = {false}, carries[CLSCAN_CARRY_COUNT] = {false};
    tune_hint hint;
    rig r;

    (void)state;
    rig_prepare(&r, &synthetic_new_gpu, NULL, CLSCAN_INT32, 1);
    hint = (tune_hint){lucky_point(&r, 4), 1, 1, false};
    r.setup.hints = &hint;
    r.setup.hint_count = 1;
    r.setup.max_trials = 1500;
    rig_run(&r, "sweep");
    for (size_t i = 0; i < tune_search_trial_count(r.search); ++i) {
        bodies[tune_search_trial(r.search, i)->variant.body] = true;
        carries[tune_search_trial(r.search, i)->variant.carry] = true;
    }
    for (size_t i = 0; i < CLSCAN_BODY_COUNT; ++i)
        assert_int_equal(bodies[i], i != CLSCAN_BODY_MATRIX);
    for (size_t i = 0; i < CLSCAN_CARRY_COUNT; ++i)
        assert_int_equal(carries[i], i != CLSCAN_CARRY_REDUCE_THEN_COMBINE && i != CLSCAN_CARRY_LAST_COMBINES &&
                                         i != CLSCAN_CARRY_SCAN_THEN_ADD);
    assert_non_null(tune_search_peek(r.search, &hint.variant, rig_counts[0]));
    rig_finish(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(staged_is_within_3_percent_with_15_percent_of_the_trials),
        cmocka_unit_test(staged_finds_lookahead_among_all),
        cmocka_unit_test(of_short_rows_no_strategy_asks_for_the_rest),
        cmocka_unit_test(strategies_that_ask_for_all_find_the_best),
        cmocka_unit_test(every_search_measures_the_defaults_first),
        cmocka_unit_test(trials_are_counted_and_never_repeated),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(a_deadline_is_kept),
        cmocka_unit_test(an_interrupt_ends_the_search_and_keeps_what_is_known),
        cmocka_unit_test(candidates_that_fail_cost_one_trial_and_never_win),
        cmocka_unit_test(a_default_that_fails_is_no_yardstick),
        cmocka_unit_test(what_soaking_refutes_wins_nowhere),
        cmocka_unit_test(staged_begins_with_what_is_known),
        cmocka_unit_test(what_is_hopeless_at_a_small_count_is_spared_larger_ones),
        cmocka_unit_test(winners_are_tried_at_the_counts_beside),
        cmocka_unit_test(a_single_step_off_a_default_is_tried_early),
        cmocka_unit_test(a_count_that_takes_too_long_is_left_out),
        cmocka_unit_test(a_quick_search_looks_between_its_counts),
        cmocka_unit_test(where_a_quick_search_did_not_look_nothing_is_chosen),
        cmocka_unit_test(a_sweep_is_broad),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
