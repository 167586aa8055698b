/* OpenCL calls that fail while a plan measures at first use: the plan is made all the same, and nothing is left behind.
 *
 * ctest runs this with OPENCL_LAYERS naming the fault layer (tests/support/fault_layer.c). */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "fault_control.h"
#include "live.h"
#include "temporary_folder.h"

/* A short time, so that two or three candidates are tried. */
enum { COUNT = 20000, FAULT_CODE = CL_OUT_OF_RESOURCES, BOUND_MS = 20 };

static const clscan_problem problem = {
    .struct_size = sizeof(clscan_problem), .type = CLSCAN_UINT32, .op = CLSCAN_ADD, .max_count = COUNT};

static fault_control layer;

static int setup(void **state)
{
    setenv("CLSCAN_CACHE", "memory", 1);
    clscan_log_set(CLSCAN_LOG_OFF, NULL, NULL);
    return fault_control_open(&layer) != 0 ? -1 : test_live_setup(state);
}

/* With a folder of its own, as what was measured before is not measured again. */
static clscan_status try_fixture(const test_live *live, int64_t measure_ms, clscan_case_fixture *fixture,
                                 clscan_error *error)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .measure_ms = measure_ms};
    char *home = temporary_folder_create();
    clscan_status status;

    setenv("XDG_CONFIG_HOME", home, 1);
    *fixture = (clscan_case_fixture){.context = live->context, .device = live->device, .queue = live->queue};
    status = clscan_case_prepare(fixture, &problem, NULL, &options, error);
    unsetenv("XDG_CONFIG_HOME");
    temporary_folder_remove(home);
    return status;
}

static void count_calls(const test_live *live, int64_t measure_ms, unsigned long counts[TEST_FAULT_CALL_COUNT])
{
    clscan_case_fixture fixture;

    for (int c = 0; c < TEST_FAULT_CALL_COUNT; ++c)
        counts[c] = layer.calls((test_fault_call)c);
    assert_status(CLSCAN_OK, try_fixture(live, measure_ms, &fixture, NULL), NULL);
    for (int c = 0; c < TEST_FAULT_CALL_COUNT; ++c)
        counts[c] = layer.calls((test_fault_call)c) - counts[c];
    clscan_case_release(&fixture);
}

/* The nth call of a kind fails. Returns how often something was wrong. */
static unsigned strike(const test_live *live, test_fault_call call, unsigned nth, bool only_measuring)
{
    const fault_balance before = fault_balance_take(&layer);
    clscan_case_fixture fixture;
    clscan_error error = {0};
    unsigned failures = 0;
    clscan_status status;
    int struck;

    layer.arm(call, nth, FAULT_CODE);
    status = try_fixture(live, BOUND_MS, &fixture, &error);
    struck = layer.disarm();
    /* What the plan itself needs may have failed. */
    failures += status != CLSCAN_OK && (only_measuring || !struck || error.cl_code != FAULT_CODE);
    if (status == CLSCAN_OK) {
        failures += test_case(&fixture, &(clscan_case){.count = COUNT, .total = 1, .seed = nth});
        clscan_case_release(&fixture);
    }
    assert_cl(clFinish(live->queue));
    failures += fault_balance_compare(&layer, &before, fault_call_name(call));
    if (failures > 0)
        print_error("call %u of %s: %s\n", nth, fault_call_name(call), error.message);
    return failures;
}

static void a_fault_leaves_a_plan_and_nothing_else(void **state)
{
    static const unsigned positions[] = {1, 2, 5};
    const test_live *live = *state;
    unsigned long plain[TEST_FAULT_CALL_COUNT], measured[TEST_FAULT_CALL_COUNT];
    unsigned failures = 0, kinds = 0;

    count_calls(live, BOUND_MS, measured); /* compiles, and asks the probe */
    count_calls(live, 0, plain);
    count_calls(live, BOUND_MS, measured);
    for (int c = 0; c < TEST_FAULT_CALL_COUNT; ++c)
        for (size_t i = 0; i < sizeof positions / sizeof positions[0]; ++i)
            if (measured[c] > plain[c] && positions[i] <= measured[c]) {
                failures += strike(live, (test_fault_call)c, positions[i], plain[c] == 0);
                kinds += plain[c] == 0 && i == 0;
            }
    assert_true(kinds > 0); /* a queue of its own, if nothing else */
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_fault_leaves_a_plan_and_nothing_else)};

    return cmocka_run_group_tests(tests, setup, test_live_teardown);
}
