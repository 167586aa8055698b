/* Carries that combine in a fixed order give the same bits in every run of one variant: a thousand runs each. The input
 * is one on which each grouping rounds in another way. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"

enum { COUNT = 6011, RUNS = 1000 };

#define SMALL "work_group_size=16 vector_length=1 register_pieces=4 local_pieces=0"
#define CACHED "work_group_size=1 vector_length=4 cached_pieces=8 interleaved_rows=2"

static const char *const variants[] = {
    "strided+kogge_stone+single " SMALL,
    "strided+brent_kung+reduce_then_scan " SMALL " work_groups_per_unit=7",
    "strided+kogge_stone+scan_then_add " SMALL " work_groups_per_unit=5",
    "strided+kogge_stone+adjacent+dynamic " SMALL " tiles_per_work_group=1 poll_delay=0",
    "cached_rows+brent_kung+adjacent+persistent " CACHED " work_groups_per_unit=2 tiles_per_work_group=1 poll_delay=0",
};

static void run(const test_live *live, const clscan_case_fixture *fixture, cl_mem in, cl_mem out, float *data)
{
    const clscan_run_args args = {.struct_size = sizeof args, .in = in, .out = out, .count = COUNT};
    clscan_error error = {0};

    assert_status(CLSCAN_OK, clscan_run(fixture->plan, fixture->workspace, live->queue, &args, 0, NULL, NULL, &error),
                  &error);
    test_read(live, out, COUNT * sizeof *data, data);
}

/* `hold_interval` makes waits run out, so that tiles are recomputed. */
static unsigned differing_runs(const test_live *live, const char *text, uint32_t hold_interval)
{
    static float input[COUNT], first[COUNT], again[COUNT];
    const clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    clscan_variant variant;
    const clscan_plan_options options = {.struct_size = sizeof options,
                                         .variant = &variant,
                                         .hold_interval = hold_interval,
                                         .poll_limit = hold_interval > 0 ? 16 : 0,
                                         .count_events = 1};
    clscan_case_fixture fixture;
    clscan_report report;
    unsigned differing = 0;

    assert_int_equal(clscan_variant_parse(text, &variant, NULL), CLSCAN_OK);
    if (clscan_variant_check(&variant, CLSCAN_FLOAT, 0, &live->info, NULL) != CLSCAN_OK)
        return 0;
    clscan_generate(CLSCAN_GENERATE_WIDE, CLSCAN_FLOAT, 7, 0, COUNT, input);
    test_prepare(live, &problem, NULL, &options, &fixture);
    const cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, sizeof input, input);
    const cl_mem out = test_buffer(live, CL_MEM_READ_WRITE, sizeof input, NULL);
    run(live, &fixture, in, out, first);
    for (int i = 1; i < RUNS; ++i) {
        run(live, &fixture, in, out, again);
        differing += memcmp(first, again, sizeof first) != 0;
    }
    assert_int_equal(clscan_workspace_report(fixture.workspace, live->queue, &report, NULL), CLSCAN_OK);
    if (hold_interval > 0)
        assert_true(report.recomputed > 0);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clscan_case_release(&fixture);
    if (differing > 0)
        print_error("%u of %d runs differ: %s\n", differing, RUNS, text);
    return differing;
}

static void a_thousand_runs_have_the_same_bits(void **state)
{
    unsigned differing = 0;

    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; ++i)
        differing += differing_runs(*state, variants[i], 0);
    assert_int_equal(differing, 0);
}

static void recomputed_tiles_have_the_same_bits(void **state)
{
    assert_int_equal(differing_runs(*state, variants[3], 8), 0);
}

/* Else the test above would show nothing. */
static void variants_group_operands_in_other_ways(void **state)
{
    const test_live *live = *state;
    static float input[COUNT], results[2][COUNT];
    const clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);

    clscan_generate(CLSCAN_GENERATE_WIDE, CLSCAN_FLOAT, 7, 0, COUNT, input);
    for (size_t i = 0; i < 2; ++i) {
        clscan_variant variant;
        const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
        clscan_case_fixture fixture;

        assert_int_equal(clscan_variant_parse(variants[i], &variant, NULL), CLSCAN_OK);
        test_prepare(live, &problem, NULL, &options, &fixture);
        const cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, sizeof input, input);
        const cl_mem out = test_buffer(live, CL_MEM_READ_WRITE, sizeof input, NULL);
        run(live, &fixture, in, out, results[i]);
        clReleaseMemObject(in);
        clReleaseMemObject(out);
        clscan_case_release(&fixture);
    }
    assert_memory_not_equal(results[0], results[1], sizeof results[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_runs_have_the_same_bits),
        cmocka_unit_test(recomputed_tiles_have_the_same_bits),
        cmocka_unit_test(variants_group_operands_in_other_ways),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
