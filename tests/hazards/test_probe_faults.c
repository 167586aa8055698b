/* OpenCL calls that fail during the start-up probe: the plan is made all the same, with carries that do not wait.
 *
 * ctest runs this with OPENCL_LAYERS naming the fault layer (tests/support/fault_layer.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "fault_control.h"
#include "live.h"

enum { COUNT = 300000, FAULT_CODE = CL_OUT_OF_RESOURCES };

/* test_waiting as an entry: where nothing may wait, others follow it. */
static const char config_text[] =
    "{\"schema_version\": 1, \"match\": \"%s\","
    " \"provenance\": {\"origin\": \"hand-set\", \"date\": \"2026-01-31\"},"
    " \"entries\": [{\"operation\": \"scan\", \"element_size_bytes\": 4, \"operator_class\": \"builtin\","
    "  \"reproducible\": false, \"largest_count\": null,"
    "  \"variant\": {\"body\": \"strided\", \"group_scan\": \"kogge_stone\", \"carry\": \"adjacent\","
    "   \"order\": \"dynamic\", \"work_group_size\": 16, \"vector_length\": 2, \"register_pieces\": 1,"
    "   \"local_pieces\": 1, \"tiles_per_work_group\": 1, \"poll_delay\": 0}}]}";

static fault_control layer;
static clscan_config *config; /* in which a carry waits */

static int setup(void **state)
{
    char text[sizeof config_text + 64];
    clscan_error error;

    unsetenv("CLSCAN_PROBE");
    setenv("CLSCAN_CACHE", "memory", 1); /* what an earlier run found does not count */
    if (fault_control_open(&layer) != 0 || test_live_setup(state) != 0)
        return -1;
    snprintf(text, sizeof text, config_text, ((const test_live *)*state)->info.key);
    clscan_log_set(CLSCAN_LOG_OFF, NULL, NULL);
    return clscan_config_parse(text, strlen(text), "test", &config, &error) == CLSCAN_OK ? 0 : -1;
}

static int teardown(void **state)
{
    clscan_config_destroy(config);
    return test_live_teardown(state);
}

static const clscan_problem problem = {
    .struct_size = sizeof(clscan_problem), .type = CLSCAN_UINT32, .op = CLSCAN_ADD, .max_count = COUNT};

static clscan_plan_options options_of(clscan_probe_mode mode, const clscan_variant *variant)
{
    return (clscan_plan_options){
        .struct_size = sizeof(clscan_plan_options), .config = config, .variant = variant, .probe = mode};
}

static clscan_status try_fixture(const test_live *live, const clscan_plan_options *options,
                                 clscan_case_fixture *fixture, clscan_error *error)
{
    *fixture = (clscan_case_fixture){.context = live->context, .device = live->device, .queue = live->queue};
    return clscan_case_prepare(fixture, &problem, NULL, options, error);
}

static int fixture_waits(const clscan_case_fixture *fixture)
{
    clscan_choice choice = {.struct_size = sizeof choice};

    assert_int_equal(clscan_plan_explain(fixture->plan, COUNT, 0, &choice, NULL), CLSCAN_OK);
    return choice.variant.order != CLSCAN_ORDER_NONE;
}

/* ---- In this order: nothing is known before the first test ---- */

static void what_could_not_run_is_not_kept(void **state)
{
    const test_live *live = *state;
    const clscan_plan_options options = options_of(CLSCAN_PROBE_AUTO, NULL);
    clscan_probe_finding finding = {.struct_size = sizeof finding};
    clscan_case_fixture fixture;

    if (!test_may_wait(live))
        skip();
    for (int struck = 1; struck >= 0; --struck) {
        if (struck)
            layer.arm(TEST_FAULT_clCreateCommandQueue, 1, FAULT_CODE);
        assert_status(CLSCAN_OK, try_fixture(live, &options, &fixture, NULL), NULL);
        if (struck)
            assert_int_equal(layer.disarm(), 1);
        assert_int_equal(fixture_waits(&fixture), !struck);
        assert_int_equal(clscan_probe_look(live->device, &live->info, &finding, NULL), CLSCAN_OK);
        assert_int_equal(finding.result, struck ? CLSCAN_PROBE_RESULT_NONE : CLSCAN_PROBE_RESULT_PASSED);
        clscan_case_release(&fixture);
    }
}

/* How often each call is made for one plan. The plan is kept in *fixture. */
static void count_calls(const test_live *live, clscan_probe_mode mode, clscan_case_fixture *fixture,
                        unsigned long counts[TEST_FAULT_CALL_COUNT])
{
    const clscan_plan_options options = options_of(mode, NULL);
    clscan_plan *plan = NULL;

    test_prepare(live, &problem, NULL, &options, fixture); /* so that its programs are there already */
    for (int c = 0; c < TEST_FAULT_CALL_COUNT; ++c)
        counts[c] = layer.calls((test_fault_call)c);
    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &problem, &options, &plan, NULL), NULL);
    for (int c = 0; c < TEST_FAULT_CALL_COUNT; ++c)
        counts[c] = layer.calls((test_fault_call)c) - counts[c];
    clscan_plan_destroy(plan);
}

/* The probe of a busy device makes fewer launches than the one that was counted, but no fewer than these. */
enum { CALLS_OF_EVERY_PROBE = 6 };

/* The nth call of a kind fails. Returns how often something was wrong. */
static unsigned strike(const test_live *live, test_fault_call call, unsigned nth, const clscan_plan_options *options)
{
    const fault_balance before = fault_balance_take(&layer);
    clscan_case_fixture fixture;
    clscan_error error = {0};
    unsigned failures = 0;

    layer.arm(call, nth, FAULT_CODE);
    const clscan_status status = try_fixture(live, options, &fixture, &error);
    const int struck = layer.disarm();

    if (!struck && nth > CALLS_OF_EVERY_PROBE) {
        failures += status != CLSCAN_OK;
    } else if (options->variant != NULL) {
        /* Nothing can take the variant's place, so the plan fails by what failed in the probe. */
        const int honest = error.cl_code == FAULT_CODE && strstr(error.message, "start-up probe") != NULL;
        failures += !struck || status == CLSCAN_OK || status != error.status || !honest;
    } else {
        failures += !struck || status != CLSCAN_OK || fixture_waits(&fixture);
    }
    if (status == CLSCAN_OK) {
        failures += test_case(&fixture, &(clscan_case){.count = COUNT, .total = 1, .seed = nth});
        clscan_case_release(&fixture);
    }
    assert_cl(clFinish(live->queue));
    failures += fault_balance_compare(&layer, &before, fault_call_name(call));
    if (failures > 0)
        print_error("call %u of %s: %s: %s\n", nth, fault_call_name(call), clscan_status_name(status), error.message);
    return failures;
}

/* What a plan asks and holds on to before it comes to the probe; tests/faults/ lets these fail. */
static int comes_before(test_fault_call call)
{
    return call == TEST_FAULT_clGetPlatformInfo || call == TEST_FAULT_clGetDeviceInfo ||
           call == TEST_FAULT_clGetContextInfo || call == TEST_FAULT_clRetainDevice ||
           call == TEST_FAULT_clRetainContext;
}

/* Every call of the probe but those in the middle of many alike. What else a plan calls comes after the probe. */
static unsigned strike_all(const test_live *live, const clscan_plan_options *options,
                           const unsigned long own[TEST_FAULT_CALL_COUNT],
                           const unsigned long all[TEST_FAULT_CALL_COUNT])
{
    unsigned failures = 0, met = 0, kinds = 0;

    for (int c = 0; c < TEST_FAULT_CALL_COUNT; ++c) {
        const unsigned long calls = comes_before((test_fault_call)c) ? 0 : all[c] - own[c];
        kinds += calls > 0;
        for (unsigned nth = 1; nth <= calls; nth = nth < 6 ? nth + 1 : 3 * nth) {
            failures += strike(live, (test_fault_call)c, nth, options);
            ++met;
        }
    }
    print_message("%u calls of %u kinds were made to fail\n", met, kinds);
    /* Program, kernel, arguments, queue, buffers, launches, reads. */
    assert_true(kinds >= 8);
    return failures;
}

static void a_plan_survives_any_failing_call(void **state)
{
    const test_live *live = *state;
    unsigned long own[TEST_FAULT_CALL_COUNT], all[TEST_FAULT_CALL_COUNT];
    clscan_case_fixture kept[3];
    unsigned failures;

    if (!test_may_wait(live))
        skip();
    count_calls(live, CLSCAN_PROBE_OFF, &kept[0], own);
    count_calls(live, CLSCAN_PROBE_ALWAYS, &kept[1], all);
    const clscan_plan_options without = options_of(CLSCAN_PROBE_WITHHOLD, NULL);
    test_prepare(live, &problem, NULL, &without, &kept[2]); /* the programs that take the place of the others */
    assert_false(fixture_waits(&kept[2]));
    const clscan_plan_options by_config = options_of(CLSCAN_PROBE_ALWAYS, NULL);
    failures = strike_all(live, &by_config, own, all);
    const clscan_plan_options by_variant = options_of(CLSCAN_PROBE_ALWAYS, &test_waiting);
    failures += strike_all(live, &by_variant, own, all);
    for (size_t i = 0; i < 3; ++i)
        clscan_case_release(&kept[i]);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_could_not_run_is_not_kept),
        cmocka_unit_test(a_plan_survives_any_failing_call),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
