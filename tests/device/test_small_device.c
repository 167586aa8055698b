/* A compact matrix for slow or strict implementations: oclgrind and rusticl run it. Every body,
 * group scan, carry and order that the device allows, on a few small counts. */
#include <stdlib.h>

#include "cmocka_all.h"
#include "live.h"
#include "variant_sets.h"

/* Of 1, 2, 4 or 8 bytes. */
static clscan_type element_type(void)
{
    switch (test_number("CLSCAN_TEST_ELEMENT_BYTES", 4)) {
    case 1:
        return CLSCAN_UINT8;
    case 2:
        return CLSCAN_INT16;
    case 8:
        return CLSCAN_UINT64;
    default:
        return CLSCAN_INT32;
    }
}

static unsigned run_variant(const test_live *live, const clscan_variant *variant, const clscan_sample_operator *sample)
{
    const uint64_t tile = clscan_variant_tile_count(variant);
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    const clscan_problem problem =
        test_custom_problem(element_type(), sample, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, 8 * tile);
    static const struct {
        uint64_t eighths; /* of a tile */
        int in_place;
    } sizes[] = {
        {7, 0},  /* less than a tile */
        {8, 1},  /* exactly one */
        {21, 0}, /* three, the last one ragged */
        {43, 1},
    };
    clscan_case_fixture fixture;
    unsigned failures = 0;

    if (test_try_prepare(live, &problem, sample, &options, &fixture) != CLSCAN_OK)
        return 1;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        const clscan_case test = {.count = sizes[i].eighths * tile / 8,
                                  .in_offset = i,
                                  .out_offset = i,
                                  .in_place = sizes[i].in_place,
                                  .initial = (clscan_case_initial)(i % 3),
                                  .total = 1,
                                  .generator = CLSCAN_GENERATE_MOSTLY_ZERO,
                                  .seed = i};
        failures += test_case(&fixture, &test);
    }
    clscan_case_release(&fixture);
    return failures;
}

/* For a checker that forgets what an earlier launch wrote. */
static int one_launch_only(void)
{
    return test_number("CLSCAN_TEST_ONE_LAUNCH", 0) != 0;
}

static int is_one_launch(const clscan_variant *variant)
{
    return variant->carry == CLSCAN_CARRY_SINGLE || variant->carry == CLSCAN_CARRY_ADJACENT ||
           variant->carry == CLSCAN_CARRY_LOOKAHEAD || variant->carry == CLSCAN_CARRY_LOOKBACK ||
           variant->carry == CLSCAN_CARRY_ALL_TOTALS;
}

/* For several sizes of sub-groups, one after the other. */
static int sub_groups_only(void)
{
    return test_number("CLSCAN_TEST_SUB_GROUPS_ONLY", 0) != 0;
}

static int has_sub_groups(const clscan_variant *variant)
{
    return variant->body == CLSCAN_BODY_SUBGROUP_ROWS || variant->group_scan == CLSCAN_GROUP_SCAN_SUBGROUP;
}

static void every_way_to_scan(void **state)
{
    const test_live *live = *state;
    const clscan_sample_operator *keep_last = clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, element_type());
    const uint32_t vector_length = (uint32_t)test_number("CLSCAN_TEST_VECTOR_LENGTH", 2);
    const uint32_t work_items = (uint32_t)test_number("CLSCAN_TEST_WORK_ITEMS", 8);
    test_variants list = test_representatives(element_type(), work_items, vector_length, &live->info);
    unsigned failures = 0;

    print_message("%zu variants, vector length %u\n", list.count, vector_length);
    /* Each body and group scan, with every carry that needs no talk between work-groups. */
    assert_true(list.count >= 18);
    test_keep_new_axes(&list, test_thorough() ? TEST_EACH_PAIR : TEST_EACH_VALUE);
    for (size_t i = 0; i < list.count; ++i)
        if ((!one_launch_only() || is_one_launch(&list.items[i])) &&
            (!sub_groups_only() || has_sub_groups(&list.items[i])))
            failures += run_variant(live, &list.items[i], keep_last);
    free(list.items);
    assert_int_equal(failures, 0);
}

/* What the configs choose here, for elements of each size. */
static void chosen_variants(void **state)
{
    const test_live *live = *state;
    static const clscan_type types[] = {CLSCAN_UINT8, CLSCAN_HALF, CLSCAN_FLOAT, CLSCAN_UINT64};
    unsigned failures = 0;

    if (one_launch_only())
        skip();
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        const clscan_problem problem = test_problem(types[i], CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 1000);
        clscan_case_fixture fixture;
        if (!test_type_runs(live, types[i]))
            continue;
        if (test_try_prepare(live, &problem, NULL, NULL, &fixture) != CLSCAN_OK) {
            ++failures;
            continue;
        }
        for (int in_place = 0; in_place < 2; ++in_place) {
            const clscan_case test = {.count = 999,
                                      .in_offset = 1,
                                      .out_offset = 1,
                                      .in_place = in_place,
                                      .total = 1,
                                      .generator = clscan_generator_for(types[i], CLSCAN_ADD, CLSCAN_FORWARD),
                                      .seed = 77};
            failures += test_case(&fixture, &test);
        }
        clscan_case_release(&fixture);
    }
    assert_int_equal(failures, 0);
}

/* A device whose arithmetic is not that of others is refused. */
static void reproducible_plans_need_ieee_arithmetic(void **state)
{
    const test_live *live = *state;
    clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 100);
    clscan_plan *plan = NULL;
    clscan_error error = {0};

    problem.reproducible = 1;
    assert_status(test_keeps_subnormals(live) ? CLSCAN_OK : CLSCAN_ERROR_UNSUPPORTED_TYPE,
                  clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
    clscan_plan_destroy(plan);
    plan = NULL;
    problem.op = CLSCAN_MAX; /* rounds nothing */
    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
    clscan_plan_destroy(plan);
}

/* Both bodies of reproducible scans, with more tiles than ranges, and in two parts. */
static void reproducible_scans(void **state)
{
    const test_live *live = *state;
    static const char *const variants[] = {
        "cached_rows+brent_kung+reduce_then_scan work_group_size=1 vector_length=1 cached_pieces=2048 "
        "interleaved_rows=1 streaming_stores=0 work_groups_per_unit=3",
        "subgroup_rows+subgroup+reduce_then_scan work_group_size=64 vector_length=4 register_pieces=8 local_pieces=0 "
        "work_groups_per_unit=3",
    };
    unsigned failures = 0;

    if (one_launch_only() || !test_keeps_subnormals(live))
        skip();
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; ++i) {
        clscan_variant variant;
        const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
        clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 70000);
        clscan_case_fixture fixture;
        clscan_case test = {.count = 9 * 2048 + 1100, .total = 1, .generator = CLSCAN_GENERATE_WIDE, .seed = i};

        problem.reproducible = 1;
        assert_int_equal(clscan_variant_parse(variants[i], &variant, NULL), CLSCAN_OK);
        if (variant.body == CLSCAN_BODY_SUBGROUP_ROWS && live->info.rows_reason[0] != '\0')
            continue;
        if (test_try_prepare(live, &problem, NULL, &options, &fixture) != CLSCAN_OK) {
            ++failures;
            continue;
        }
        failures += test_case(&fixture, &test);
        test.count = CLSCAN_REPRODUCIBLE_STEP + 3000;
        test.part_count = CLSCAN_REPRODUCIBLE_STEP;
        test.in_offset = test.out_offset = 1;
        test.in_place = 1;
        failures += test_case(&fixture, &test);
        clscan_case_release(&fixture);
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_scan),
        cmocka_unit_test(chosen_variants),
        cmocka_unit_test(reproducible_plans_need_ieee_arithmetic),
        cmocka_unit_test(reproducible_scans),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
