/* The real worker on a live device, behind the supervisor. Started with --worker this program is that worker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "measure/device.h"
#include "output/verify.h"
#include "work/live.h"
#include "work/load.h"
#include "work/worker.h"

#define SINGLE "strided+kogge_stone+single work_group_size=1 vector_length=4 register_pieces=4 local_pieces=0"
#define RANGES                                                                                                 \
    "strided+brent_kung+reduce_then_scan work_group_size=1 vector_length=4 register_pieces=0 local_pieces=16 " \
    "work_groups_per_unit=2"
#define COMBINED                                                                                                  \
    "strided+brent_kung+reduce_then_combine work_group_size=1 vector_length=4 register_pieces=0 local_pieces=16 " \
    "work_groups_per_unit=2"
/* A tile that holds nothing. */
#define ILLEGAL "strided+kogge_stone+single work_group_size=1 vector_length=1 register_pieces=0 local_pieces=0"

static tune_live *live;

static int open_live(void **state)
{
    const tune_live_options options = {.device = getenv("CLSCAN_TEST_DEVICE"), .ahead = 1};
    clscan_error error = {0};

    (void)state;
    if (tune_live_open(&options, &live, &error) == CLSCAN_OK)
        return 0;
    print_error("%s\n", error.message);
    return 1;
}

static int close_live(void **state)
{
    (void)state;
    tune_live_close(live);
    return 0;
}

static tune_trial ask_target(const char *variant, tune_target target, uint64_t count)
{
    const tune_evaluator evaluator = tune_live_evaluator(live);
    tune_trial trial = {.target = target, .count = count};
    clscan_error error = {0};

    if (clscan_variant_parse(variant, &trial.variant, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    evaluator.evaluate(evaluator.self, &trial);
    print_message(
        "%s %s %s %llu: %s \"%s\" %.0f ns +- %.0f, host %.0f, copy %.0f, %u runs, compile %.3f s, validate %.3f s\n",
        clscan__config_operation_name(target.operation), clscan_type_name(target.type), clscan_operator_name(target.op),
        (unsigned long long)count, tune_outcome_name(trial.outcome), trial.reason, trial.time_ns, trial.spread_ns,
        trial.host_time_ns, trial.copy_ns, trial.runs, trial.compile_ns * 1e-9, trial.validate_ns * 1e-9);
    return trial;
}

static tune_trial ask(const char *variant, clscan_type type, clscan_operator op, uint64_t count)
{
    return ask_target(variant, tune_target_of(type, op), count);
}

static void expect_times(const tune_trial *trial)
{
    assert_string_equal(trial->reason, "");
    assert_int_equal(trial->outcome, TUNE_OUTCOME_CORRECT);
    assert_true(trial->time_ns > 0 && trial->host_time_ns > 0 && trial->copy_ns > 0 && trial->spread_ns >= 0);
    assert_true(trial->runs >= 3);
}

static void knows_the_device(void **state)
{
    const clscan_device_info *info = tune_live_device(live);

    (void)state;
    assert_string_not_equal(info->key, "");
    assert_true(info->compute_units > 0);
    assert_true(tune_live_largest_count(live, CLSCAN_INT64) >= 1000);
    assert_true(tune_live_largest_count(live, CLSCAN_INT8) >= tune_live_largest_count(live, CLSCAN_INT64));
}

static void measures_every_class_of_operator(void **state)
{
    tune_trial first = ask(SINGLE, CLSCAN_INT32, CLSCAN_ADD, 1000), second;

    (void)state;
    expect_times(&first);
    assert_true(first.compile_ns > 0 && first.validate_ns > 0);
    second = ask(SINGLE, CLSCAN_INT32, CLSCAN_ADD, 1);
    expect_times(&second);
    assert_true(second.compile_ns == 0 && second.validate_ns == 0); /* compiled once for all counts */
    second = ask(RANGES, CLSCAN_FLOAT, CLSCAN_ADD, 5000000);
    expect_times(&second);
    second = ask(RANGES, CLSCAN_INT8, CLSCAN_CUSTOM, 100000);
    expect_times(&second);
}

/* Each on elements of its own count, larger or smaller than the last one's, and its winners run again and again. */
static void measures_every_operation(void **state)
{
    const tune_evaluator evaluator = tune_live_evaluator(live);

    (void)state;
    for (int i = 0; i < CLSCAN__CONFIG_OPERATION_COUNT; ++i) {
        const clscan__config_operation operation = (clscan__config_operation)i;
        const char *variant = operation == CLSCAN__CONFIG_REDUCE ? COMBINED : RANGES;
        tune_target target = tune_target_of_operation(operation, CLSCAN_INT32, CLSCAN_ADD);
        tune_trial trial;

        tune_target_fill_device(&target, tune_live_device(live));
        trial = ask_target(variant, target, 30000);
        expect_times(&trial);
        trial = ask_target(variant, target, 1000);
        expect_times(&trial);
        trial = ask_target(variant, target, 1001);
        expect_times(&trial);
        if (target.fewest_rows > 0) { /* and more of them than a plan for longer ones can be sure of */
            trial = ask_target(variant, target, 5);
            expect_times(&trial);
        }
        evaluator.soak(evaluator.self, &trial, 20);
        assert_string_equal(trial.reason, "");
        assert_int_equal(trial.outcome, TUNE_OUTCOME_CORRECT);
        if (clscan__config_operation_selects(operation))
            continue;
        trial = ask_target(variant, tune_target_of_operation(operation, CLSCAN_INT8, CLSCAN_CUSTOM), 5000);
        expect_times(&trial);
    }
}

/* A deadline for measuring candidates shall not be spent on it. */
static void loading_finds_the_fastest_copy(void **state)
{
    const tune_target target = tune_target_of(CLSCAN_INT64, CLSCAN_ADD);
    const uint64_t counts[] = {5000000, 1000};
    measure_device device;
    measure_note note;
    tune_load load = {0};

    (void)state;
    if (!measure_device_open(getenv("CLSCAN_TEST_DEVICE"), MEASURE_CLOCK_BY_HOST, &device, &note))
        fail_msg("%s", note.text);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        size_t before = 0, known = 0;

        for (size_t j = 0; j < sizeof load.copies / sizeof load.copies[0]; ++j)
            before += load.copies[j] != NULL;
        if (!tune_load_ensure(&load, &device, &target, counts[i], &note))
            fail_msg("%s", note.text);
        assert_true(tune_load_has(&load, &target, counts[i]));
        for (size_t j = 0; j < sizeof load.copies / sizeof load.copies[0]; ++j)
            known += load.copies[j] != NULL;
        assert_int_equal(known, before + 1);
    }
    tune_load_release(&load);
    measure_device_close(&device);
}

static void says_what_is_illegal(void **state)
{
    const tune_trial trial = ask(ILLEGAL, CLSCAN_INT32, CLSCAN_ADD, 1000);

    (void)state;
    assert_int_equal(trial.outcome, TUNE_OUTCOME_CONSTRAINTS);
    assert_non_null(strstr(trial.reason, "tile_holds_elements"));
}

static void a_count_beyond_all_memory_is_one_lost_trial(void **state)
{
    const tune_trial trial = ask(SINGLE, CLSCAN_INT64, CLSCAN_ADD, UINT64_C(1) << 50);
    tune_trial next;

    (void)state;
    assert_int_equal(trial.outcome, TUNE_OUTCOME_RUNTIME);
    assert_string_not_equal(trial.reason, "");
    next = ask(SINGLE, CLSCAN_INT64, CLSCAN_ADD, 1000);
    expect_times(&next);
}

static void soaks(void **state)
{
    const tune_evaluator evaluator = tune_live_evaluator(live);
    tune_trial trial = ask(SINGLE, CLSCAN_INT32, CLSCAN_ADD, 1000);

    (void)state;
    evaluator.soak(evaluator.self, &trial, 100);
    assert_int_equal(trial.outcome, TUNE_OUTCOME_CORRECT);
    assert_true(trial.time_ns > 0);
}

static void verifies_entries(void **state)
{
    const tune_evaluator evaluator = tune_live_evaluator(live);
    clscan__config_entry entry = {.key = {.operator_class = CLSCAN_OPERATOR_CLASS_BUILTIN, .element_size_bytes = 4},
                                  .largest_count = UINT64_MAX};
    clscan__document config = {.entries = &entry, .entry_count = 1};
    const tune_verify_setup setup = {.config = &config,
                                     .device = tune_live_device(live),
                                     .evaluator = &evaluator,
                                     .runs = 10,
                                     .largest_bytes = 1000000};
    tune_verified result;

    (void)state;
    snprintf(config.match, sizeof config.match, "%s", setup.device->generic);
    assert_int_equal(clscan_variant_parse(SINGLE, &entry.variant, NULL), CLSCAN_OK);
    assert_int_equal(tune_verify(&setup, &result, NULL), CLSCAN_OK);
    assert_string_equal(result.reason, "");
    assert_int_equal(result.outcome, TUNE_OUTCOME_CORRECT);
}

static void compiles_ahead(void **state)
{
    const tune_evaluator evaluator = tune_live_evaluator(live);
    const tune_target target = tune_target_of(CLSCAN_INT16, CLSCAN_ADD);
    clscan_variant variant;
    tune_trial trial;

    (void)state;
    assert_int_equal(clscan_variant_parse(RANGES, &variant, NULL), CLSCAN_OK);
    evaluator.announce(evaluator.self, &target, &variant, 1);
    trial = ask(SINGLE, CLSCAN_INT16, CLSCAN_ADD, 1000);
    expect_times(&trial);
    trial = ask(RANGES, CLSCAN_INT16, CLSCAN_ADD, 1000);
    expect_times(&trial);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_the_device),
        cmocka_unit_test(measures_every_class_of_operator),
        cmocka_unit_test(measures_every_operation),
        cmocka_unit_test(loading_finds_the_fastest_copy),
        cmocka_unit_test(says_what_is_illegal),
        cmocka_unit_test(a_count_beyond_all_memory_is_one_lost_trial),
        cmocka_unit_test(soaks),
        cmocka_unit_test(compiles_ahead),
        cmocka_unit_test(verifies_entries),
    };

    if (argc > 1 && strcmp(argv[1], "--worker") == 0)
        return tune_worker_run(argc > 2 ? argv[2] : NULL);
    return cmocka_run_group_tests(tests, open_live, close_live);
}
