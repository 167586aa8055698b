/* Drivers that refuse binaries, or give none: every plan is made all the same, and right.
 *
 * ctest runs this with OPENCL_LAYERS naming the fault layer (tests/support/fault_layer.c). */
#include <stdlib.h>

#include "cache_rig.h"
#include "cmocka_all.h"
#include "fault_control.h"
#include "live.h"

enum { FAULT_CODE = CL_OUT_OF_HOST_MEMORY };

static fault_control layer;

static int setup(void **state)
{
    return fault_control_open(&layer) != 0 ? -1 : test_live_setup(state);
}

/* Make a plan, run it, give all back. Returns what happened to its program. */
static clscan_cache_counters live_through(const test_live *live, const clscan_plan_options *options)
{
    clscan_case_fixture fixture;
    const long programs = layer.live(TEST_FAULT_OBJECT_PROGRAM), kernels = layer.live(TEST_FAULT_OBJECT_KERNEL);

    test_cache_happened();
    test_prepare(live, &test_sum, NULL, options, &fixture);
    assert_int_equal(test_case(&fixture, &(clscan_case){.count = TEST_SUM_COUNT, .total = 1}), 0);
    clscan_case_release(&fixture);
    assert_int_equal(layer.live(TEST_FAULT_OBJECT_PROGRAM), programs);
    assert_int_equal(layer.live(TEST_FAULT_OBJECT_KERNEL), kernels);
    return test_cache_happened();
}

static const test_fault_call loading[] = {TEST_FAULT_clCreateProgramWithBinary, TEST_FAULT_clBuildProgram,
                                          TEST_FAULT_clCreateKernel};

static void refused_files_are_compiled_again(void **state)
{
    for (size_t i = 0; i < sizeof loading / sizeof loading[0]; ++i) {
        clscan_cache_counters change = live_through(*state, &test_plain);

        assert_int_equal(change.compiled + change.disk_hits, 1);
        layer.arm(loading[i], 1, FAULT_CODE);
        change = live_through(*state, &test_plain);
        assert_int_equal(layer.disarm(), 1);
        assert_int_equal(change.rejected, 1);
        assert_int_equal(change.disk_hits, 0);
        assert_int_equal(change.compiled, 1);
        assert_int_equal(change.stored, 1);
    }
    assert_int_equal(live_through(*state, &test_plain).disk_hits, 1);
}

static void refused_blobs_are_compiled_again(void **state)
{
    const test_live *live = *state;
    clscan_plan_options options = test_plain;
    clscan_plan *plan = NULL;
    clscan_error error;
    size_t size_bytes = 0;
    void *blob;

    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &test_sum, &test_plain, &plan, &error),
                  &error);
    assert_status(CLSCAN_OK, clscan_plan_save(plan, NULL, 0, &size_bytes, &error), &error);
    blob = malloc(size_bytes);
    assert_non_null(blob);
    assert_status(CLSCAN_OK, clscan_plan_save(plan, blob, size_bytes, &size_bytes, &error), &error);
    clscan_plan_destroy(plan);
    options.blob = blob;
    options.blob_bytes = size_bytes;
    assert_int_equal(clscan_cache_clear(NULL, NULL), CLSCAN_OK);
    for (size_t i = 0; i < sizeof loading / sizeof loading[0]; ++i) {
        clscan_cache_counters change = {.struct_size = sizeof change};

        layer.arm(loading[i], 1, FAULT_CODE);
        change = live_through(live, &options);
        assert_int_equal(layer.disarm(), 1);
        assert_int_equal(change.rejected, 1);
        assert_int_equal(change.blob_hits, 0);
        assert_int_equal(change.compiled + change.disk_hits, 1);
    }
    assert_int_equal(live_through(live, &options).blob_hits, 1);
    free(blob);
}

/* Each of the questions by which a binary is got fails once. */
static void programs_without_binary_are_not_kept(void **state)
{
    const test_live *live = *state;
    clscan_cache_counters change = {.struct_size = sizeof change};
    unsigned met = 0;

    for (unsigned nth = 1; nth <= 10; ++nth) {
        assert_int_equal(clscan_cache_clear(NULL, NULL), CLSCAN_OK);
        layer.arm(TEST_FAULT_clGetProgramInfo, nth, FAULT_CODE);
        change = live_through(live, &test_plain);
        if (!layer.disarm())
            break;
        ++met;
        assert_int_equal(change.compiled, 1);
        assert_int_equal(change.stored, 0);
        assert_int_equal(change.store_failures, 1);
    }
    assert_true(met >= 4);
}

/* Saving says so. */
static void saving_reports_the_failing_call(void **state)
{
    const test_live *live = *state;
    clscan_plan *plan = NULL;
    clscan_error error;
    size_t size_bytes = 77;

    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &test_sum, &test_plain, &plan, &error),
                  &error);
    layer.arm(TEST_FAULT_clGetProgramInfo, 1, FAULT_CODE);
    assert_int_equal(clscan_plan_save(plan, NULL, 0, &size_bytes, &error), CLSCAN_ERROR_OPENCL);
    assert_int_equal(layer.disarm(), 1);
    assert_int_equal(error.cl_code, FAULT_CODE);
    assert_int_equal(size_bytes, 77);
    clscan_plan_destroy(plan);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_cache_setup, test_cache_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(refused_files_are_compiled_again),
        TEST(refused_blobs_are_compiled_again),
        TEST(programs_without_binary_are_not_kept),
        TEST(saving_reports_the_failing_call),
    };
    return cmocka_run_group_tests(tests, setup, test_live_teardown);
}
