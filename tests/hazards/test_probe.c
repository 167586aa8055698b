/* The start-up probe on a live device: what plans make of it, once and from many threads.
 *
 * ctest runs this with one, two and eight PoCL threads (POCL_MAX_PTHREAD_COUNT). A probe is seen by its line in the
 * log. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"
#include "problem_of.h"

enum { COUNT = 400000, THREADS = 6 };

static atomic_uint probes; /* lines of the log that tell of one */
static atomic_uint warnings;

static void count_line(clscan_log_level level, const char *text, void *user)
{
    (void)user;
    atomic_fetch_add(&probes, strstr(text, " probed in ") != NULL);
    atomic_fetch_add(&warnings, level == CLSCAN_LOG_WARNING && strstr(text, "start-up probe") != NULL);
}

static int listen(void **state)
{
    (void)state;
    probes = warnings = 0;
    clscan_log_set(CLSCAN_LOG_INFO, count_line, NULL);
    unsetenv("CLSCAN_PROBE");
    setenv("CLSCAN_CACHE", "memory", 1); /* what an earlier run found does not count */
    return 0;
}

static int stop_listening(void **state)
{
    (void)state;
    clscan_log_set(CLSCAN_LOG_WARNING, NULL, NULL);
    setenv("CLSCAN_PROBE", "off", 1);
    return 0;
}

static clscan_status try_plan(const test_live *live, const clscan_plan_options *options, clscan_plan **plan,
                              clscan_error *error)
{
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);

    return clscan_plan_create(live->context, live->device, &problem, options, plan, error);
}

/* Make a plan for the waiting variant and give it back. */
static clscan_status try_waiting(const test_live *live, clscan_probe_mode mode, clscan_error *error)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &test_waiting, .probe = mode};
    clscan_plan *plan = NULL;
    const clscan_status status = try_plan(live, &options, &plan, error);

    clscan_plan_destroy(plan);
    return status;
}

static clscan_probe_finding look(const test_live *live)
{
    clscan_probe_finding finding = {.struct_size = sizeof finding};

    assert_int_equal(clscan_probe_look(live->device, &live->info, &finding, NULL), CLSCAN_OK);
    return finding;
}

/* Do work-groups wait in a plan, for any count? */
static int plan_waits(const clscan_plan *plan)
{
    for (int in_place = 0; in_place < 2; ++in_place) {
        clscan_choice choice = {.struct_size = sizeof choice, .largest_count = 0};
        while (choice.largest_count < COUNT) {
            assert_int_equal(clscan_plan_explain(plan, choice.largest_count + 1, in_place, &choice, NULL), CLSCAN_OK);
            if (choice.variant.order != CLSCAN_ORDER_NONE)
                return 1;
        }
    }
    return 0;
}

/* ---- In this order: the first test makes the first finding ---- */

static void *make_plan(void *argument)
{
    const test_live *live = argument;

    return try_waiting(live, CLSCAN_PROBE_AUTO, NULL) == CLSCAN_OK ? argument : NULL;
}

static void many_threads_probe_once(void **state)
{
    test_live *live = *state;
    pthread_t threads[THREADS];
    unsigned made = 0;

    if (!test_may_wait(live))
        skip();
    assert_int_equal(look(live).result, CLSCAN_PROBE_RESULT_NONE);
    for (size_t i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, make_plan, live), 0);
    for (size_t i = 0; i < THREADS; ++i) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        made += result != NULL;
    }
    assert_int_equal(made, THREADS);
    assert_int_equal(probes, 1);
    assert_int_equal(warnings, 0);
}

static void what_it_found_is_there_to_see(void **state)
{
    const test_live *live = *state;
    clscan_device_info info = live->info;
    clscan_probe_finding finding = {.struct_size = sizeof finding};

    if (!test_may_wait(live))
        skip();
    finding = look(live);
#define X(name, meaning) print_message(#name " %.1f ms, ", (double)finding.name##_ns / 1e6);
    CLSCAN_PROBE_TIME_LIST(X)
#undef X
    print_message("in all %.1f ms: %s\n", (double)finding.duration_ns / 1e6, finding.reason);
    assert_int_equal(finding.result, CLSCAN_PROBE_RESULT_PASSED);
    assert_true(finding.time_s > 1700000000 && finding.duration_ns > 0);
    assert_true(finding.compile_ns > 0 && finding.setup_ns > 0 && finding.messages_ns > 0 && finding.scans_ns > 0);
    assert_true(finding.compile_ns + finding.setup_ns + finding.messages_ns + finding.scans_ns == finding.duration_ns);
    assert_true(finding.launches >= 3 && finding.scans >= 4);
    assert_int_equal(finding.wrong_messages + finding.wrong_scans, 0);
    clscan_probe_apply(&finding, &info);
    assert_memory_equal(&info, &live->info, sizeof info);
}

static void later_plans_take_what_was_found(void **state)
{
    const test_live *live = *state;
    clscan_probe_finding first = {.struct_size = sizeof first}, now = {.struct_size = sizeof now};

    if (!test_may_wait(live))
        skip();
    first = look(live);
    assert_status(CLSCAN_OK, try_waiting(live, CLSCAN_PROBE_AUTO, NULL), NULL);
    assert_int_equal(probes, 0);
    assert_status(CLSCAN_OK, try_waiting(live, CLSCAN_PROBE_ALWAYS, NULL), NULL);
    assert_int_equal(probes, 1);
    now = look(live);
    assert_true(now.duration_ns != first.duration_ns);
}

static void plans_without_waiting_are_not_probed(void **state)
{
    const test_live *live = *state;
    const clscan_variant variant = {.body = CLSCAN_BODY_STRIDED,
                                    .group_scan = CLSCAN_GROUP_SCAN_BRENT_KUNG,
                                    .carry = CLSCAN_CARRY_SINGLE,
                                    .work_group_size = 1,
                                    .vector_length = 1,
                                    .register_pieces = 2};
    const clscan_plan_options options = {
        .struct_size = sizeof options, .variant = &variant, .probe = CLSCAN_PROBE_ALWAYS};
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 100);
    clscan_plan *plan = NULL;
    clscan_choice choice = {.struct_size = sizeof choice};

    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &problem, &options, &plan, NULL), NULL);
    assert_int_equal(clscan_plan_explain(plan, 100, 1, &choice, NULL), CLSCAN_OK);
    assert_int_equal(choice.variant.order, CLSCAN_ORDER_NONE);
    assert_int_equal(probes, 0);
    clscan_plan_destroy(plan);
}

static void switched_off(void **state)
{
    const test_live *live = *state;

    if (!test_may_wait(live))
        skip();
    setenv("CLSCAN_PROBE", "off", 1);
    assert_status(CLSCAN_OK, try_waiting(live, CLSCAN_PROBE_AUTO, NULL), NULL);
    assert_status(CLSCAN_OK, try_waiting(live, CLSCAN_PROBE_WITHHOLD, NULL), NULL);
    assert_int_equal(look(live).result, CLSCAN_PROBE_RESULT_NONE);
    setenv("CLSCAN_PROBE", "withhold", 1);
    assert_status(CLSCAN_OK, try_waiting(live, CLSCAN_PROBE_OFF, NULL), NULL);
    assert_int_equal(probes, 0);
}

/* The probe misses messages here, and every plan goes by it. */
static void what_it_forbids_no_plan_uses(void **state)
{
    const test_live *live = *state;
    clscan_device_info info = live->info;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    clscan_error error = {0};
    clscan_case_fixture fixture;
    clscan_probe_finding finding = {.struct_size = sizeof finding};
    unsigned failures = 0;

    if (!test_may_wait(live))
        skip();
    setenv("CLSCAN_PROBE", "withhold", 1);
    test_prepare(live, &problem, NULL, NULL, &fixture);
    assert_false(plan_waits(fixture.plan));
    for (uint64_t seed = 0; seed < 4; ++seed)
        failures += test_case(&fixture, &(clscan_case){.count = COUNT - seed, .in_place = seed % 2 == 1, .seed = seed});
    assert_int_equal(failures, 0);

    assert_status(CLSCAN_ERROR_DEVICE_LIMIT, try_waiting(live, CLSCAN_PROBE_AUTO, &error), &error);
    assert_non_null(strstr(error.message, "start-up probe"));
    assert_int_equal(probes, 1);
    assert_int_equal(warnings, 1);

    /* Who asks the configs is told the same. */
    finding = look(live);
    assert_int_equal(finding.result, CLSCAN_PROBE_RESULT_FORBIDS);
    assert_true(2 * finding.missed_launches > finding.launches);
    clscan_probe_apply(&finding, &info);
    assert_int_equal(info.progress, CLSCAN_PROGRESS_UNKNOWN);
    for (int in_place = 0; in_place < 2; ++in_place) {
        clscan_choice asked = {.struct_size = sizeof asked}, used = {.struct_size = sizeof used};
        assert_int_equal(
            clscan_config_explain(NULL, &info, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), COUNT, in_place, &asked, NULL),
            CLSCAN_OK);
        assert_int_equal(clscan_plan_explain(fixture.plan, COUNT, in_place, &used, NULL), CLSCAN_OK);
        assert_memory_equal(&asked.variant, &used.variant, sizeof used.variant);
        assert_string_equal(asked.reason, used.reason);
    }
    clscan_case_release(&fixture);

    /* It is apart from what an ordinary probe found. */
    unsetenv("CLSCAN_PROBE");
    assert_int_equal(look(live).result, CLSCAN_PROBE_RESULT_PASSED);
    assert_status(CLSCAN_OK, try_waiting(live, CLSCAN_PROBE_AUTO, NULL), NULL);
}

/* Each mechanism is probed for itself. */
static void forced_mechanisms(void **state)
{
    const test_live *live = *state;

    if (!test_may_wait(live))
        skip();
    for (int mechanism = CLSCAN_MECHANISM_NONE + 1; mechanism < CLSCAN_MECHANISM_COUNT; ++mechanism) {
        const clscan_plan_options options = {
            .struct_size = sizeof options, .variant = &test_waiting, .mechanism = (clscan_mechanism)mechanism};
        clscan_plan *plan = NULL;
        clscan_error error = {0};

        if (!test_mechanism_may_run(live, options.mechanism))
            continue;
        probes = 0;
        if (try_plan(live, &options, &plan, &error) != CLSCAN_OK) {
            print_message("%s: %s\n", clscan_mechanism_name(options.mechanism), error.message);
            assert_null(strstr(error.message, "start-up probe"));
            continue;
        }
        assert_int_equal(probes, options.mechanism != live->info.mechanism);
        clscan_plan_destroy(plan);
    }
    assert_int_equal(warnings, 0);
}

static void nonsense_is_refused(void **state)
{
    const test_live *live = *state;
    clscan_probe_finding finding = {.struct_size = sizeof finding};
    clscan_error error = {0};

    assert_status(CLSCAN_ERROR_INVALID_VALUE, try_waiting(live, CLSCAN_PROBE_MODE_COUNT, &error), &error);
    assert_non_null(strstr(error.message, "options->probe"));
    assert_int_equal(clscan_probe_look(NULL, &live->info, &finding, &error), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_probe_look(live->device, NULL, &finding, &error), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_probe_look(live->device, &live->info, NULL, &error), CLSCAN_ERROR_NULL_ARGUMENT);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, stop_listening)
    const struct CMUnitTest tests[] = {
        TEST(many_threads_probe_once),
        TEST(what_it_found_is_there_to_see),
        TEST(later_plans_take_what_was_found),
        TEST(plans_without_waiting_are_not_probed),
        TEST(switched_off),
        TEST(what_it_forbids_no_plan_uses),
        TEST(forced_mechanisms),
        TEST(nonsense_is_refused),
    };
#undef TEST
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
