/* From trials to size classes: the default as yardstick, noise, ties, classes. */
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "output/classes.h"
#include "parsed_variant.h"
#include "search/decide.h"
#include "space/random.h"
#include "synthetic.h"

#define COUNTS 4

static const uint64_t counts[COUNTS] = {1000, 4000, 16000, 64000};
static clscan_error last_error;

/* Candidates by name: the times that they take, in nanoseconds. */
typedef struct candidate {
    const char *variant;
    double times_ns[COUNTS]; /* 0: it is not measured there, < 0: it is wrong there */
} candidate;

#define PARAMS(ws, pieces) " work_group_size=" #ws " vector_length=4 register_pieces=" #pieces " local_pieces=0"
#define SINGLE "strided+kogge_stone+single" PARAMS(256, 1)
#define SMALL "strided+kogge_stone+reduce_then_scan" PARAMS(64, 1) " work_groups_per_unit=4"
#define LARGE "strided+kogge_stone+reduce_then_scan" PARAMS(256, 4) " work_groups_per_unit=4"
#define CHAIN "strided+kogge_stone+adjacent+dynamic" PARAMS(64, 1) " tiles_per_work_group=1 poll_delay=0"
#define STATIC "strided+kogge_stone+adjacent+static" PARAMS(64, 1) " tiles_per_work_group=1 poll_delay=0"
#define AHEAD_OF(ws, pieces, zones)                                                                          \
    "subgroup_rows+subgroup+lookahead+persistent" PARAMS(ws, pieces) " work_groups_per_unit=1 poll_delay=0 " \
                                                                     "landing_zones=" #zones
#define AHEAD AHEAD_OF(256, 1, 0)

static const candidate *table;
static size_t table_count;
static double spread;          /* of all times, relative */
static double copy_wobble;     /* of the copies, relative */
static double jitter;          /* of the times, relative: each measurement differs from the one before */
static double busy;            /* factor of the first times: something else runs then */
static const char *soak_fails; /* this variant */
static unsigned lost;          /* so many measurements of the default at `lost_at` end without an answer */
static uint64_t lost_at;
static unsigned lost_soaks; /* the same of soaking it */

/* Is this a time when the default gets no answer? */
static bool is_lost(tune_trial *trial, const char *text, unsigned *left)
{
    if (*left == 0 || strcmp(text, table[0].variant) != 0)
        return false;
    --*left;
    trial->outcome = TUNE_OUTCOME_RUNTIME;
    trial->inconclusive = true;
    snprintf(trial->reason, sizeof trial->reason, "the worker was killed");
    return true;
}

static void evaluate(void *self, tune_trial *trial)
{
    char text[512];
    unsigned *times = self;

    clscan_variant_format(&trial->variant, text, sizeof text);
    if (trial->count == lost_at && is_lost(trial, text, &lost))
        return;
    for (size_t i = 0; i < table_count; ++i)
        for (size_t c = 0; c < COUNTS; ++c)
            if (strcmp(text, table[i].variant) == 0 && trial->count == counts[c]) {
                trial->time_ns = table[i].times_ns[c] * (*times < COUNTS ? busy : 1) *
                                 (1 + jitter * ((double)(tune_mix(*times) % 1000) / 999 - 0.5));
                trial->outcome = trial->time_ns > 0 ? TUNE_OUTCOME_CORRECT : TUNE_OUTCOME_CORRECTNESS;
                trial->spread_ns = spread * trial->time_ns;
                trial->copy_ns = 50 * (1 + ((*times)++ / COUNTS % 2 == 0 ? copy_wobble : 0));
                snprintf(trial->revision, sizeof trial->revision, "%016x", (unsigned)i);
            }
}

static void soak(void *self, tune_trial *trial, unsigned runs)
{
    char text[512];

    (void)self;
    (void)runs;
    clscan_variant_format(&trial->variant, text, sizeof text);
    if (is_lost(trial, text, &lost_soaks))
        return;
    trial->outcome = TUNE_OUTCOME_CORRECT;
    if (soak_fails != NULL && strcmp(text, soak_fails) == 0)
        trial->outcome = TUNE_OUTCOME_TIMEOUT;
}

static double elapsed_s(void *self)
{
    (void)self;
    return 0;
}

/* Tries all of the table; the first line is the default everywhere. */
static void try_table(tune_search *search)
{
    for (size_t i = 0; i < table_count; ++i)
        for (size_t c = 0; c < COUNTS; ++c) {
            const clscan_variant variant = parsed_variant(table[i].variant);

            if (table[i].times_ns[c] != 0)
                tune_search_try(search, &variant, counts[c]);
        }
}

static unsigned asked;
static tune_space space;
static tune_search *search;
static clscan_variant defaults[COUNTS];
static tune_decision decision;
static clscan__document entries;

static clscan__config_operation operation;

static void decide(const candidate *candidates, size_t count)
{
    static const tune_strategy strategy = {"table", "", try_table};
    static tune_evaluator evaluator = {&asked, evaluate, NULL, soak, elapsed_s, NULL};
    tune_search_setup setup = {.target = tune_target_of_operation(operation, CLSCAN_INT64, CLSCAN_ADD),
                               .space = &space,
                               .counts = counts,
                               .count_count = COUNTS,
                               .defaults = defaults,
                               .evaluator = &evaluator};

    table = candidates;
    table_count = count;
    for (size_t i = 0; i < COUNTS; ++i)
        defaults[i] = parsed_variant(candidates[0].variant);
    assert_int_equal(tune_search_create(&setup, &search, &last_error), CLSCAN_OK);
    assert_int_equal(tune_search_run(search, &strategy, &last_error), CLSCAN_OK);
    assert_int_equal(tune_settle(search, 10, 1e9, &decision, &last_error), CLSCAN_OK);
    assert_int_equal(tune_decision_entries(&decision, &synthetic_gpu.info, &entries, &last_error), CLSCAN_OK);
}

static int setup_space(void **state)
{
    (void)state;
    asked = 0;
    spread = 0.001;
    copy_wobble = 0;
    jitter = 0;
    busy = 1;
    soak_fails = NULL;
    lost = lost_soaks = 0;
    operation = CLSCAN__CONFIG_SCAN;
    return tune_space_create(&space, TUNE_SPACE_DEFAULT, NULL, &(tune_target){.type = CLSCAN_INT64},
                             &synthetic_gpu.info, &last_error);
}

static int clean_up(void **state)
{
    (void)state;
    tune_search_destroy(search);
    search = NULL;
    tune_space_free(&space);
    clscan__document_free(&entries);
    return 0;
}

static void expect_entry(size_t index, uint64_t largest_count, const char *variant)
{
    char text[512];

    assert_true(index < entries.entry_count);
    clscan_variant_format(&entries.entries[index].variant, text, sizeof text);
    assert_string_equal(text, variant);
    assert_int_equal(entries.entries[index].largest_count, largest_count);
}

#define DECIDE(...)                                                      \
    do {                                                                 \
        static const candidate candidates_[] = {__VA_ARGS__};            \
        decide(candidates_, sizeof candidates_ / sizeof candidates_[0]); \
    } while (0)

static void each_class_has_its_winner_up_to_the_geometric_middle(void **state)
{
    (void)state;
    DECIDE({LARGE, {900, 900, 900, 900}}, {SINGLE, {100, 200, 2000, 9000}}, {SMALL, {800, 700, 300, 600}});
    assert_int_equal(entries.entry_count, 2);
    expect_entry(0, 8000, SINGLE);
    expect_entry(1, UINT64_MAX, SMALL);
    assert_string_equal(entries.entries[0].revision, "0000000000000001");
    assert_int_equal(entries.entries[0].key.element_size_bytes, 8);
    assert_int_equal(entries.entries[0].key.operator_class, CLSCAN_OPERATOR_CLASS_BUILTIN);
    assert_int_equal(decision.picks[0].reason, TUNE_REASON_FASTEST);
}

/* Measured while something else ran, the default looked slow. */
static void a_second_look_can_bring_the_default_back(void **state)
{
    uint64_t count;

    (void)state;
    busy = 3;
    DECIDE({LARGE, {1000, 1000, 100000, 100000}}, {SMALL, {1500, 1500, 150000, 50000}});
    assert_int_equal(entries.entry_count, 2);
    expect_entry(0, 32000, LARGE);
    expect_entry(1, UINT64_MAX, SMALL);
    assert_int_equal(decision.picks[0].reason, TUNE_REASON_DEFAULT);
    assert_int_equal(decision.picks[COUNTS - 1].reason, TUNE_REASON_FASTEST);
    assert_float_equal(tune_default_change(search, &count), 3.0, 0.01);
    assert_int_equal(count, counts[2]);
}

/* Times that differ from one measurement to the next: 1 % is no difference then, 20 % is one. */
static void the_default_stays_unless_it_is_beaten_beyond_the_noise(void **state)
{
    (void)state;
    jitter = 0.1;
    DECIDE({LARGE, {1000, 1000, 1000, 1000}}, {SMALL, {990, 990, 990, 800}});
    assert_int_equal(entries.entry_count, 2);
    expect_entry(0, 32000, LARGE);
    expect_entry(1, UINT64_MAX, SMALL);
    assert_true(decision.picks[0].noise_ns > 5 && decision.picks[0].noise_ns < 100);
}

/* On a device that is steady, 1.5 % are worth an entry, though the copies beside the trials differed by 8 %. */
static void small_differences_count_where_the_last_comparison_is_steady(void **state)
{
    (void)state;
    copy_wobble = 0.08;
    DECIDE({LARGE, {1000, 1000, 1000, 1000}}, {SMALL, {985, 985, 985, 985}}, {SINGLE, {1500, 1500, 1500, 1500}},
           {CHAIN, {2000, 2000, 2000, 2000}});
    assert_int_equal(entries.entry_count, 1);
    expect_entry(0, UINT64_MAX, SMALL);
    assert_true(decision.picks[0].chosen->compared);
}

/* SMALL is simpler, and 3 % slower: too much, also where each measurement says something else. */
static void a_simpler_variant_is_worth_one_per_cent(void **state)
{
    (void)state;
    jitter = 0.01;
    DECIDE({SINGLE, {5000, 5000, 5000, 5000}}, {CHAIN, {970, 970, 970, 970}}, {SMALL, {1000, 1000, 1000, 975}});
    assert_int_equal(entries.entry_count, 1);
    expect_entry(0, UINT64_MAX, CHAIN);
}

static void ties_go_to_the_simpler_variant_and_to_fewer_classes(void **state)
{
    (void)state;
    /* CHAIN is the fastest by half a per cent, LARGE wins the third count by that: SMALL does everywhere. */
    DECIDE({SINGLE, {5000, 5000, 5000, 5000}}, {CHAIN, {995, 995, 1100, 995}}, {LARGE, {1200, 1200, 995, 1200}},
           {SMALL, {1000, 1000, 1000, 1000}});
    assert_int_equal(entries.entry_count, 1);
    expect_entry(0, UINT64_MAX, SMALL);
    assert_int_equal(decision.picks[0].reason, TUNE_REASON_TIE);
}

static void simpler_is_not_to_wait_one_launch_and_less_memory(void **state)
{
    /* Each is simpler than the ones after it. */
    static const char *const texts[] = {SINGLE, SMALL, LARGE, CHAIN, AHEAD};
    clscan_variant variants[sizeof texts / sizeof texts[0]];

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        variants[i] = parsed_variant(texts[i]);
        for (size_t earlier = 0; earlier < i; ++earlier) {
            assert_true(
                tune_compare_simplicity(&variants[earlier], &variants[i], &(tune_target){.type = CLSCAN_INT64}) < 0);
            assert_true(
                tune_compare_simplicity(&variants[i], &variants[earlier], &(tune_target){.type = CLSCAN_INT64}) > 0);
        }
    }
}

/* Sums stand for all operators of a class, and others need more registers: 28 of elements are simpler than twice 16. */
static void simpler_leaves_more_registers(void **state)
{
    const clscan_variant landing = parsed_variant(AHEAD_OF(384, 7, 1));
    const clscan_variant twice = parsed_variant(AHEAD_OF(320, 4, 0));

    (void)state;
    assert_true(tune_compare_simplicity(&landing, &twice, &(tune_target){.type = CLSCAN_INT32}) < 0);
    assert_true(tune_compare_simplicity(&twice, &landing, &(tune_target){.type = CLSCAN_INT32}) > 0);
}

/* SINGLE is simpler at the first count, LARGE does at all of them. */
static void one_class_is_better_than_two_with_a_simpler_one(void **state)
{
    (void)state;
    DECIDE({CHAIN, {5000, 5000, 5000, 5000}}, {SINGLE, {995, 2000, 4000, 4500}}, {LARGE, {1000, 1000, 1000, 1000}});
    assert_int_equal(entries.entry_count, 1);
    expect_entry(0, UINT64_MAX, LARGE);
}

static void a_tie_never_takes_what_is_slower_than_the_default(void **state)
{
    (void)state;
    DECIDE({LARGE, {1000, 1000, 1000, 1000}}, {SMALL, {1005, 1005, 1005, 1005}}, {CHAIN, {990, 990, 990, 990}});
    for (size_t i = 0; i < COUNTS; ++i)
        assert_true(decision.picks[i].chosen->time_ns <= 1000);
}

static void what_fails_is_never_chosen(void **state)
{
    (void)state;
    DECIDE({LARGE, {-1, -1, -1, -1}}, {SMALL, {700, 700, 700, -1}}, {CHAIN, {900, 900, 900, 900}});
    assert_int_equal(entries.entry_count, 2);
    expect_entry(0, 32000, SMALL);
    expect_entry(1, UINT64_MAX, CHAIN);
}

static void a_count_without_any_right_trial_belongs_to_its_neighbours(void **state)
{
    (void)state;
    DECIDE({LARGE, {-1, -1, -1, -1}}, {SMALL, {700, -1, 700, -1}});
    assert_int_equal(entries.entry_count, 1);
    expect_entry(0, UINT64_MAX, SMALL);
    assert_null(decision.picks[1].chosen);
}

static void a_default_that_was_lost_once_is_no_failure(void **state)
{
    (void)state;
    lost = 1;
    lost_at = counts[1];
    DECIDE({LARGE, {500, 500, 500, 500}}, {SMALL, {900, 900, 900, 900}});
    assert_int_equal(entries.entry_count, 1);
    expect_entry(0, UINT64_MAX, LARGE);
}

static void a_count_without_a_yardstick_keeps_what_it_has(void **state)
{
    (void)state;
    lost = 1000;
    lost_at = counts[1];
    DECIDE({LARGE, {500, 500, 500, 500}}, {SMALL, {400, 900, 400, 400}});
    assert_int_equal(entries.entry_count, 3);
    expect_entry(0, 2000, SMALL);
    assert_true(tune_entry_is_kept(&entries.entries[1]));
    assert_int_equal(entries.entries[1].largest_count, 8000);
    expect_entry(2, UINT64_MAX, SMALL);
    assert_int_equal(decision.picks[1].reason, TUNE_REASON_KEPT);
    assert_string_equal(decision.picks[1].standard->reason, "the worker was killed");
}

/* The default won; then the worker that soaks it is lost, now and then or each time. */
static void a_default_that_is_lost_while_it_is_soaked(void **state)
{
    (void)state;
    lost_soaks = 2;
    DECIDE({LARGE, {500, 500, 500, 500}}, {SMALL, {900, 900, 900, 900}});
    assert_int_equal(entries.entry_count, 1);
    expect_entry(0, UINT64_MAX, LARGE);
    assert_int_equal(lost_soaks, 0);
    tune_search_destroy(search);
    clscan__document_free(&entries);
    lost_soaks = 1000;
    DECIDE({LARGE, {500, 500, 500, 500}}, {SMALL, {900, 900, 900, 900}});
    assert_int_equal(entries.entry_count, 0);
}

static void nothing_right_is_nothing_written(void **state)
{
    (void)state;
    DECIDE({LARGE, {-1, -1, -1, -1}});
    assert_int_equal(entries.entry_count, 0);
}

/* The order without tickets is not safe to run everywhere. */
static void the_static_order_is_measured_and_not_written(void **state)
{
    (void)state;
    DECIDE({LARGE, {1000, 1000, 1000, 1000}}, {STATIC, {500, 500, 500, 500}}, {CHAIN, {600, 600, 600, 600}});
    assert_int_equal(entries.entry_count, 1);
    expect_entry(0, UINT64_MAX, CHAIN);
}

static void soaking_takes_the_winner_out(void **state)
{
    (void)state;
    soak_fails = CHAIN;
    DECIDE({LARGE, {1000, 1000, 1000, 1000}}, {CHAIN, {500, 500, 500, 500}}, {SMALL, {800, 800, 800, 800}});
    assert_int_equal(entries.entry_count, 1);
    expect_entry(0, UINT64_MAX, SMALL);
}

static void the_best_of_each_carry_is_known(void **state)
{
    (void)state;
    DECIDE({LARGE, {1000, 1000, 1000, 1000}}, {CHAIN, {900, 1500, 900, 900}}, {SMALL, {800, 800, 800, 800}});
    assert_float_equal(tune_best_with(search, 1, CLSCAN__AXIS_CARRY, CLSCAN_CARRY_ADJACENT)->time_ns, 1500, 0.1);
    assert_float_equal(tune_best_with(search, 1, CLSCAN__AXIS_CARRY, CLSCAN_CARRY_REDUCE_THEN_SCAN)->time_ns, 800, 0.1);
    assert_null(tune_best_with(search, 1, CLSCAN__AXIS_CARRY, CLSCAN_CARRY_SINGLE));
}

#define ROWS_OF(ws, pieces) "strided+kogge_stone+reduce_then_scan" PARAMS(ws, pieces) " work_groups_per_unit=4"

/* As long as they share a work-group, as they did when they were measured. */
static void short_rows_end_where_they_are_long(void **state)
{
    (void)state;
    operation = CLSCAN__CONFIG_SCAN_ROWS;
    /* 32 work-items share rows of up to 1024 elements, and 64 of up to 2048. */
    DECIDE({LARGE, {200, 200, 100, 100}}, {ROWS_OF(32, 1), {100, 200, 200, 200}}, {SMALL, {200, 100, 200, 200}});
    assert_int_equal(entries.entry_count, 3);
    expect_entry(0, 1024, ROWS_OF(32, 1));
    expect_entry(1, 8000, SMALL); /* which walked rows of 4000 */
    expect_entry(2, UINT64_MAX, LARGE);
    assert_string_not_equal(entries.entries[0].revision, "");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_space, clean_up)
    const struct CMUnitTest tests[] = {
        TEST(each_class_has_its_winner_up_to_the_geometric_middle),
        TEST(short_rows_end_where_they_are_long),
        TEST(a_second_look_can_bring_the_default_back),
        TEST(the_default_stays_unless_it_is_beaten_beyond_the_noise),
        TEST(small_differences_count_where_the_last_comparison_is_steady),
        TEST(a_simpler_variant_is_worth_one_per_cent),
        TEST(ties_go_to_the_simpler_variant_and_to_fewer_classes),
        TEST(simpler_is_not_to_wait_one_launch_and_less_memory),
        TEST(simpler_leaves_more_registers),
        TEST(one_class_is_better_than_two_with_a_simpler_one),
        TEST(a_tie_never_takes_what_is_slower_than_the_default),
        TEST(what_fails_is_never_chosen),
        TEST(a_count_without_any_right_trial_belongs_to_its_neighbours),
        TEST(a_default_that_was_lost_once_is_no_failure),
        TEST(a_count_without_a_yardstick_keeps_what_it_has),
        TEST(a_default_that_is_lost_while_it_is_soaked),
        TEST(nothing_right_is_nothing_written),
        TEST(the_static_order_is_measured_and_not_written),
        TEST(soaking_takes_the_winner_out),
        TEST(the_best_of_each_carry_is_known),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
