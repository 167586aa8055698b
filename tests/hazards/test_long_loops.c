/* Scans in which a work-item's loops take many turns, on drivers that end loops after some number of them (llvmpipe):
 * all counts that are not refused are right. Other drivers take the same counts. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"
#include "variant_sets.h"

enum { LARGEST = 1 << 25, LARGEST_OF_VARIANTS = 1 << 22 };

static unsigned scan(const test_live *live, clscan_type type, const clscan_sample_operator *sample,
                     const clscan_variant *variant, uint64_t count)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    const clscan_problem problem = sample != NULL
                                       ? test_custom_problem(type, sample, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, count)
                                       : test_problem(type, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, count);
    clscan_case_fixture fixture;
    unsigned failures = 0;

    if (test_try_prepare(live, &problem, sample, &options, &fixture) != CLSCAN_OK)
        return 1;
    for (int in_place = 0; in_place < 2; ++in_place)
        failures += test_case(
            &fixture, &(clscan_case){.count = count,
                                     .in_place = in_place,
                                     .initial = CLSCAN_CASE_HOST_INITIAL,
                                     .total = 1,
                                     .generator = sample != NULL ? CLSCAN_GENERATE_FACTORS : CLSCAN_GENERATE_SMALL,
                                     .seed = count});
    clscan_case_release(&fixture);
    return failures;
}

static void what_configs_choose(void **state)
{
    const test_live *live = *state;
    const clscan_sample_operator *affine = clscan_sample_find(CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT32);
    unsigned failures = 0;

    failures += scan(live, CLSCAN_INT32, NULL, NULL, LARGEST);
    failures += test_type_runs(live, CLSCAN_UINT8) ? scan(live, CLSCAN_UINT8, NULL, NULL, LARGEST) : 0;
    failures += scan(live, CLSCAN_UINT16, NULL, NULL, LARGEST);
    failures += scan(live, CLSCAN_INT64, NULL, NULL, LARGEST / 2);
    failures += scan(live, CLSCAN_UINT32, affine, NULL, LARGEST);
    assert_int_equal(failures, 0);
}

/* The largest count that a plan accepts for a variant, up to LARGEST_OF_VARIANTS. */
static uint64_t accepted(const test_live *live, const clscan_variant *variant)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};

    for (uint64_t count = LARGEST_OF_VARIANTS; count > 0; count -= count / 8 + 1) {
        const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, count);
        clscan_plan *plan = NULL;
        clscan_error error = {0};
        const clscan_status status = clscan_plan_create(live->context, live->device, &problem, &options, &plan, &error);

        clscan_plan_destroy(plan);
        if (status == CLSCAN_OK)
            return count;
        assert_status(CLSCAN_ERROR_DEVICE_LIMIT, status, &error);
        assert_true(live->info.max_loop_turns > 0);
    }
    return 0;
}

static void every_body_as_far_as_it_is_accepted(void **state)
{
    const test_live *live = *state;
    const clscan_sample_operator *affine = clscan_sample_find(CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT32);
    const test_variants list = test_representatives(CLSCAN_UINT32, 8, 4, &live->info);
    unsigned failures = 0, ran = 0;

    for (size_t i = 0; i < list.count; ++i) {
        const clscan_variant *variant = &list.items[i];
        if (variant->carry != CLSCAN_CARRY_SINGLE && variant->carry != CLSCAN_CARRY_REDUCE_THEN_SCAN &&
            variant->carry != CLSCAN_CARRY_SCAN_THEN_ADD)
            continue;
        if (variant->body != CLSCAN_BODY_SUBGROUP_ROWS && variant->group_scan != CLSCAN_GROUP_SCAN_BRENT_KUNG)
            continue; /* which takes more turns than the other */
        const uint64_t count = accepted(live, variant);
        failures += count == 0 || scan(live, CLSCAN_UINT32, affine, variant, count) > 0;
        ++ran;
    }
    free(list.items);
    assert_true(ran >= 8);
    assert_int_equal(failures, 0);
}

/* The library says so when a plan is made, and not by wrong results. */
static void what_is_too_much_is_refused(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem =
        test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, UINT64_C(1) << 44);
    clscan_plan *plan = NULL;
    clscan_error error = {0};

    if (live->info.max_loop_turns == 0)
        skip();
    assert_status(CLSCAN_ERROR_DEVICE_LIMIT,
                  clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
    assert_non_null(strstr(error.message, "65535"));
    assert_non_null(strstr(error.message, live->info.name));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_configs_choose),
        cmocka_unit_test(every_body_as_far_as_it_is_accepted),
        cmocka_unit_test(what_is_too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
