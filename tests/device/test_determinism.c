/* Carries that combine in a fixed order give the same bits in every run of one variant, and so do reproducible plans by
 * every carry that they may have: a thousand runs each, or a hundred unless all cases are wanted. The input is one on
 * which each grouping rounds in another way. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "common/test_knobs.h"
#include "live.h"
#include "problem_of.h"

enum { MOST_COUNT = 60011 };

#define SMALL "work_group_size=16 vector_length=1 register_pieces=4 local_pieces=0"
#define THREAD_GROUPS "work_group_size=16 vector_length=1 register_pieces=1 local_pieces=2 thread_group_size=8"
#define ROWS "work_group_size=64 vector_length=4 register_pieces=8 local_pieces=0"
#define CACHED "work_group_size=1 vector_length=4 cached_pieces=8 interleaved_rows=2 streaming_stores=0"
#define BLOCKS "work_group_size=1 vector_length=4 cached_pieces=256 interleaved_rows=1 streaming_stores=0"
#define LOOKAHEAD " work_groups_per_unit=2 poll_delay=0 landing_zones=0"
#define RANGES " tiles_per_work_group=1 poll_delay=0"

typedef struct variety {
    const char *variant;
    uint64_t count;         /* many tiles */
    int reproducible;       /* the plan is */
    uint32_t hold_interval; /* makes waits run out, so that tiles are recomputed */
    enum { ON_CPUS, NOT_ON_CPUS } on_cpus;
} variety;

/* All carries but lookback and lookahead, in every order. */
static const variety varieties[] = {
    {"strided+kogge_stone+single " SMALL, 6011, 0, 0, ON_CPUS},
    {"strided+brent_kung+reduce_then_scan " SMALL " work_groups_per_unit=7", 6011, 0, 0, ON_CPUS},
    {"strided+kogge_stone+scan_then_add " SMALL " work_groups_per_unit=5", 6011, 0, 0, ON_CPUS},
    {"strided+kogge_stone+adjacent+dynamic " SMALL RANGES, 6011, 0, 0, ON_CPUS},
    {"strided+kogge_stone+adjacent+dynamic " SMALL RANGES, 6011, 0, 8, ON_CPUS},
    {"coalesced+brent_kung+adjacent+static " THREAD_GROUPS RANGES, 6011, 0, 0, ON_CPUS},
    {"matrix+kogge_stone+adjacent+dynamic " THREAD_GROUPS RANGES, 6011, 0, 0, ON_CPUS},
    {"subgroup_rows+subgroup+adjacent+cyclic " ROWS " work_groups_per_unit=2" RANGES, MOST_COUNT, 0, 0, ON_CPUS},
    {"cached_rows+brent_kung+adjacent+persistent " CACHED " work_groups_per_unit=2" RANGES, 6011, 0, 0, ON_CPUS},
};

/* The two carries of reproducible plans. A CPU's compiler takes minutes for lookahead, which test_reproducible.c has,
 * too. */
static const variety reproducible_varieties[] = {
    {"cached_rows+brent_kung+reduce_then_scan " BLOCKS " work_groups_per_unit=9", MOST_COUNT, 1, 0, ON_CPUS},
    {"subgroup_rows+subgroup+reduce_then_scan " ROWS " work_groups_per_unit=9", MOST_COUNT, 1, 0, ON_CPUS},
    {"subgroup_rows+subgroup+lookahead+persistent " ROWS LOOKAHEAD, MOST_COUNT, 1, 0, NOT_ON_CPUS},
    {"subgroup_rows+subgroup+lookahead+persistent " ROWS LOOKAHEAD, MOST_COUNT, 1, 5, NOT_ON_CPUS},
};

/* What a run of a variety needs. */
typedef struct desk {
    clscan_case_fixture fixture;
    cl_mem in, out;
    float input[MOST_COUNT], first[MOST_COUNT], again[MOST_COUNT];
} desk;

static desk d; /* large */

/* False if the device cannot run the variant. */
static int open_desk(const test_live *live, const variety *v)
{
    const size_t bytes = (size_t)v->count * sizeof d.input[0];
    clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, v->count);
    clscan_variant variant;
    const clscan_plan_options options = {.struct_size = sizeof options,
                                         .variant = &variant,
                                         .test_knobs =
                                             &(struct clscan__test_knobs){.hold_interval = v->hold_interval,
                                                                          .poll_limit = v->hold_interval > 0 ? 64 : 0},
                                         .count_events = 1};

    if (live->info.device_class == CLSCAN_DEVICE_CLASS_CPU && v->on_cpus == NOT_ON_CPUS)
        return 0;
    problem.reproducible = v->reproducible;
    assert_int_equal(clscan_variant_parse(v->variant, &variant, NULL), CLSCAN_OK);
    if (clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_FLOAT, CLSCAN_ADD), 0, &live->info, NULL) != CLSCAN_OK)
        return 0;
    clscan_generate(CLSCAN_GENERATE_WIDE, CLSCAN_FLOAT, 7, 0, v->count, d.input);
    test_prepare(live, &problem, NULL, &options, &d.fixture);
    d.in = test_buffer(live, CL_MEM_READ_ONLY, bytes, d.input);
    d.out = test_buffer(live, CL_MEM_READ_WRITE, bytes, NULL);
    return 1;
}

static void close_desk(void)
{
    clReleaseMemObject(d.in);
    clReleaseMemObject(d.out);
    clscan_case_release(&d.fixture);
}

static void run(const test_live *live, uint64_t count, float *data)
{
    const clscan_run_args args = {.struct_size = sizeof args, .in.buffer = d.in, .out.buffer = d.out, .count = count};
    clscan_error error = {0};

    assert_status(CLSCAN_OK, clscan_run(d.fixture.plan, d.fixture.workspace, live->queue, &args, 0, NULL, NULL, &error),
                  &error);
    test_read(live, d.out, (size_t)count * sizeof *data, data);
}

static unsigned differing_runs(const test_live *live, const variety *v)
{
    const size_t bytes = (size_t)v->count * sizeof d.input[0];
    const int runs = test_thorough() && live->info.device_class != CLSCAN_DEVICE_CLASS_CPU ? 1000 : 100;
    clscan_report report = {.struct_size = sizeof report};
    unsigned differing = 0;

    if (!open_desk(live, v))
        return 0;
    run(live, v->count, d.first);
    for (int i = 1; i < runs; ++i) {
        run(live, v->count, d.again);
        differing += memcmp(d.first, d.again, bytes) != 0;
    }
    assert_int_equal(clscan_workspace_report(d.fixture.workspace, live->queue, &report, NULL), CLSCAN_OK);
    if (v->hold_interval > 0)
        assert_true(report.recomputed > 0);
    close_desk();
    if (differing > 0)
        print_error("%u of %d runs differ: %s\n", differing, runs, v->variant);
    return differing;
}

static void many_runs_have_the_same_bits(void **state)
{
    unsigned differing = 0;

    for (size_t i = 0; i < sizeof varieties / sizeof varieties[0]; ++i)
        differing += differing_runs(*state, &varieties[i]);
    assert_int_equal(differing, 0);
}

static void many_runs_of_reproducible_plans_have_the_same_bits(void **state)
{
    unsigned differing = 0;

    if (!test_keeps_subnormals(*state))
        skip();
    for (size_t i = 0; i < sizeof reproducible_varieties / sizeof reproducible_varieties[0]; ++i)
        differing += differing_runs(*state, &reproducible_varieties[i]);
    assert_int_equal(differing, 0);
}

/* Else the tests above would show nothing. */
static void variants_group_operands_in_other_ways(void **state)
{
    const test_live *live = *state;

    assert_true(open_desk(live, &varieties[0]));
    run(live, varieties[0].count, d.first);
    close_desk();
    assert_true(open_desk(live, &varieties[1]));
    run(live, varieties[1].count, d.again);
    close_desk();
    assert_memory_not_equal(d.first, d.again, (size_t)varieties[0].count * sizeof d.first[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_runs_have_the_same_bits),
        cmocka_unit_test(many_runs_of_reproducible_plans_have_the_same_bits),
        cmocka_unit_test(variants_group_operands_in_other_ways),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
