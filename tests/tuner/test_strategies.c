/* Strategies on devices that are formulas: what they find, what they ask, and how they end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "search.h"
#include "synthetic.h"

#define COUNTS 5

static const uint64_t counts[COUNTS] = {1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26};

/* Reduced spaces, small enough to exhaust. */
static const char *const reduced[] = {
    "body=strided|coalesced,group_scan=kogge_stone,work_group_size=64:512,vector_length=1|2|4,register_pieces=0|1|2|4,"
    "local_pieces=0|1|2,thread_group_size=16|32,work_groups_per_unit=4|8|16,tiles_per_work_group=1|4,poll_delay=0",
    "body=strided,work_group_size=1|64|256|1024,vector_length=4|16,register_pieces=0|1|4|16,"
    "local_pieces=0|1|16|256|1024,work_groups_per_unit=1|4|16,tiles_per_work_group=1|4|16,poll_delay=0",
    "carry=reduce_then_scan|single,work_group_size=32:1024,local_pieces=0|1,register_pieces=0:4,vector_length=1:4,"
    "thread_group_size=16:32,work_groups_per_unit=2:16,group_scan=kogge_stone",
};

static clscan_error last_error;

/* A search and all that it borrows. */
typedef struct bench {
    synthetic_run run;
    tune_evaluator evaluator;
    tune_space space;
    clscan_variant defaults[COUNTS];
    volatile sig_atomic_t interrupted;
    tune_search_setup setup;
    tune_search *search;
    uint64_t legal;
    double best_ns[COUNTS]; /* of all points and the defaults */
} bench;

static void find_best(bench *b)
{
    for (size_t c = 0; c < COUNTS; ++c)
        b->best_ns[c] = synthetic_time_ns(b->run.machine, &b->setup.target, &b->defaults[c], counts[c]);
    for (uint64_t i = 0; i < b->space.points; ++i) {
        clscan_variant variant;

        tune_space_point(&b->space, i, &variant);
        if (!tune_space_legal(&b->space, &variant, NULL))
            continue;
        ++b->legal;
        for (size_t c = 0; c < COUNTS; ++c) {
            const double time_ns = synthetic_time_ns(b->run.machine, &b->setup.target, &variant, counts[c]);

            b->best_ns[c] = time_ns < b->best_ns[c] ? time_ns : b->best_ns[c];
        }
    }
}

static void prepare(bench *b, const synthetic_machine *machine, const char *only, clscan_type type, uint64_t seed)
{
    *b = (bench){.run = {.machine = machine}};
    b->evaluator = synthetic_evaluator(&b->run);
    assert_int_equal(tune_space_create(&b->space, TUNE_SPACE_DEFAULT, only, type, &machine->info, &last_error),
                     CLSCAN_OK);
    for (size_t i = 0; i < COUNTS; ++i) {
        clscan_choice choice;

        assert_int_equal(
            clscan_config_explain(NULL, &machine->info, type, CLSCAN_ADD, counts[i], 0, &choice, &last_error),
            CLSCAN_OK);
        b->defaults[i] = choice.variant;
    }
    b->setup = (tune_search_setup){.target = tune_target_of(type, CLSCAN_ADD),
                                   .space = &b->space,
                                   .counts = counts,
                                   .count_count = COUNTS,
                                   .defaults = b->defaults,
                                   .evaluator = &b->evaluator,
                                   .interrupted = &b->interrupted,
                                   .seed = seed};
}

static void run(bench *b, const char *strategy)
{
    assert_int_equal(tune_search_create(&b->setup, &b->search, &last_error), CLSCAN_OK);
    assert_int_equal(tune_search_run(b->search, tune_strategy_find(strategy), &last_error), CLSCAN_OK);
}

static void finish(bench *b)
{
    tune_search_destroy(b->search);
    tune_space_free(&b->space);
    synthetic_run_free(&b->run);
}

/* The goal of the default strategy. */
static void staged_is_within_3_percent_with_15_percent_of_the_trials(void **state)
{
    static const synthetic_machine *const machines[] = {&synthetic_gpu, &synthetic_cpu};

    (void)state;
    for (size_t m = 0; m < 2; ++m)
        for (size_t s = 0; s < sizeof reduced / sizeof reduced[0]; ++s)
            for (uint64_t seed = 1; seed <= 2; ++seed) {
                bench b;

                prepare(&b, machines[m], reduced[s], CLSCAN_INT32, seed);
                find_best(&b);
                run(&b, "staged");
                assert_true(tune_search_trial_count(b.search) <= 0.15 * (double)(b.legal * COUNTS));
                for (size_t c = 0; c < COUNTS; ++c) {
                    const double found_ns = tune_search_best(b.search, c)->time_ns;

                    if (found_ns > 1.03 * b.best_ns[c])
                        fail_msg("%s, space %zu, seed %d, count %d: %.1f%% slower", machines[m]->info.name, s,
                                 (int)seed, (int)counts[c], 100 * (found_ns / b.best_ns[c] - 1));
                }
                finish(&b);
            }
}

static void exhaustive_finds_the_best(void **state)
{
    bench b;

    (void)state;
    prepare(&b, &synthetic_gpu, reduced[0], CLSCAN_INT32, 1);
    find_best(&b);
    run(&b, "exhaustive");
    for (size_t c = 0; c < COUNTS; ++c)
        assert_true(tune_search_best(b.search, c)->time_ns <= b.best_ns[c] * 1.000001);
    /* Every legal point was measured at the smallest count, and none at a count where it was hopeless. */
    assert_true(tune_search_trial_count(b.search) >= b.legal);
    assert_true(tune_search_trial_count(b.search) <= b.legal * COUNTS + COUNTS);
    assert_true(b.run.announced >= b.legal);
    finish(&b);
}

static void every_search_measures_the_defaults_first(void **state)
{
    (void)state;
    for (size_t s = 0; tune_strategies[s] != NULL; ++s) {
        bench b;

        prepare(&b, &synthetic_gpu, reduced[1], CLSCAN_FLOAT, 1);
        b.setup.max_trials = 40;
        run(&b, tune_strategies[s]->name);
        for (size_t c = 0; c < COUNTS; ++c) {
            const tune_trial *trial = tune_search_trial(b.search, c);

            assert_int_equal(trial->count, counts[c]);
            assert_memory_equal(&trial->variant, &b.defaults[c], sizeof trial->variant);
            assert_ptr_equal(tune_search_default(b.search, c), trial);
            assert_true(tune_search_best(b.search, c)->time_ns <= trial->time_ns);
        }
        finish(&b);
    }
}

/* Whatever a strategy asks, it asks once, and stops where it must. */
static void trials_are_counted_and_never_repeated(void **state)
{
    (void)state;
    for (size_t s = 0; tune_strategies[s] != NULL; ++s) {
        bench b;

        prepare(&b, &synthetic_cpu, NULL, CLSCAN_INT64, 3);
        b.setup.max_trials = 60;
        run(&b, tune_strategies[s]->name);
        assert_in_range(tune_search_trial_count(b.search), COUNTS + 1, 60 + COUNTS);
        assert_int_equal(b.run.asked, tune_search_trial_count(b.search));
        for (size_t i = 0; i < tune_search_trial_count(b.search); ++i)
            for (size_t j = 0; j < i; ++j)
                assert_false(tune_trial_same_question(tune_search_trial(b.search, i), tune_search_trial(b.search, j)));
        finish(&b);
    }
}

static void the_seed_decides(void **state)
{
    static const char *const names[] = {"staged", "random", "halving"};

    (void)state;
    for (size_t s = 0; s < sizeof names / sizeof names[0]; ++s) {
        bench one, same, other;
        size_t different = 0, i = COUNTS;

        prepare(&one, &synthetic_gpu, NULL, CLSCAN_INT32, 1);
        prepare(&same, &synthetic_gpu, NULL, CLSCAN_INT32, 1);
        prepare(&other, &synthetic_gpu, NULL, CLSCAN_INT32, 2);
        one.setup.max_trials = same.setup.max_trials = other.setup.max_trials = 50;
        run(&one, names[s]);
        run(&same, names[s]);
        run(&other, names[s]);
        assert_int_equal(tune_search_trial_count(one.search), tune_search_trial_count(same.search));
        for (; i < tune_search_trial_count(one.search); ++i) {
            assert_true(tune_trial_same_question(tune_search_trial(one.search, i), tune_search_trial(same.search, i)));
            different +=
                i < tune_search_trial_count(other.search) &&
                !tune_trial_same_question(tune_search_trial(one.search, i), tune_search_trial(other.search, i));
        }
        assert_true(different > 0);
        finish(&one);
        finish(&same);
        finish(&other);
    }
}

static void a_deadline_is_kept(void **state)
{
    (void)state;
    for (size_t s = 0; tune_strategies[s] != NULL; ++s) {
        bench b;

        prepare(&b, &synthetic_gpu, NULL, CLSCAN_INT32, 1);
        b.setup.deadline_s = 60;
        run(&b, tune_strategies[s]->name);
        assert_true(tune_search_elapsed_s(b.search) < 66);
        if (strcmp(tune_strategies[s]->name, "staged") == 0)
            assert_true(tune_search_trial_count(b.search) > 60);
        finish(&b);
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
        bench b;

        prepare(&b, &synthetic_gpu, NULL, CLSCAN_INT32, 1);
        b.setup.progress = interrupt_after_ten;
        b.setup.user = (void *)&b.interrupted;
        run(&b, tune_strategies[s]->name);
        assert_int_equal(tune_search_trial_count(b.search), 10);
        assert_non_null(tune_search_best(b.search, 0));
        finish(&b);
    }
}

static void candidates_that_fail_cost_one_trial_and_never_win(void **state)
{
    (void)state;
    for (size_t s = 0; tune_strategies[s] != NULL; ++s) {
        bench b;
        unsigned failed = 0;

        prepare(&b, &synthetic_gpu, reduced[0], CLSCAN_INT32, 1);
        b.run.failing_percent = 40;
        b.setup.max_trials = 300;
        run(&b, tune_strategies[s]->name);
        for (size_t i = 0; i < tune_search_trial_count(b.search); ++i)
            failed += tune_search_trial(b.search, i)->outcome != TUNE_OUTCOME_CORRECT;
        assert_true(failed > 5);
        for (size_t c = 0; c < COUNTS; ++c)
            if (tune_search_best(b.search, c) != NULL)
                assert_int_equal(tune_search_best(b.search, c)->outcome, TUNE_OUTCOME_CORRECT);
        finish(&b);
    }
}

static void a_default_that_fails_is_no_yardstick(void **state)
{
    bench b;

    (void)state;
    prepare(&b, &synthetic_gpu, reduced[0], CLSCAN_INT32, 1);
    b.defaults[0].work_group_size = 3; /* not legal */
    run(&b, "staged");
    assert_int_equal(tune_search_default(b.search, 0)->outcome, TUNE_OUTCOME_CONSTRAINTS);
    assert_true(strstr(tune_search_default(b.search, 0)->reason, "power_of_two") != NULL);
    assert_non_null(tune_search_best(b.search, 0));
    finish(&b);
}

static void what_soaking_refutes_wins_nowhere(void **state)
{
    bench b;
    tune_trial winner;

    (void)state;
    prepare(&b, &synthetic_gpu, reduced[0], CLSCAN_INT32, 1);
    run(&b, "staged");
    winner = *tune_search_best(b.search, 3);
    assert_int_equal(tune_search_soak(b.search, &winner, 1000), TUNE_OUTCOME_CORRECT);
    assert_int_equal(tune_search_best(b.search, 3)->time_ns, winner.time_ns);
    b.run.soak_fails = true;
    assert_int_equal(tune_search_soak(b.search, &winner, 1000), TUNE_OUTCOME_CORRECTNESS);
    for (size_t c = 0; c < COUNTS; ++c)
        assert_memory_not_equal(&tune_search_best(b.search, c)->variant, &winner.variant, sizeof winner.variant);
    finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(staged_is_within_3_percent_with_15_percent_of_the_trials),
        cmocka_unit_test(exhaustive_finds_the_best),
        cmocka_unit_test(every_search_measures_the_defaults_first),
        cmocka_unit_test(trials_are_counted_and_never_repeated),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(a_deadline_is_kept),
        cmocka_unit_test(an_interrupt_ends_the_search_and_keeps_what_is_known),
        cmocka_unit_test(candidates_that_fail_cost_one_trial_and_never_win),
        cmocka_unit_test(a_default_that_fails_is_no_yardstick),
        cmocka_unit_test(what_soaking_refutes_wins_nowhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
