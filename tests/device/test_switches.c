/* The switches of users on a live device, for every type, or some of them: no sub-group code, no waiting carry. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"
#include "parsed_variant.h"

enum { MAX_COUNT = 300000 };

typedef struct switch_row {
    const char *variable;
    clscan_plan_options options;
    const char *refused; /* a variant that violates */
    const char *rule;    /* which it violates */
    int (*violates)(const clscan_variant *variant);
} switch_row;

static int has_sub_groups(const clscan_variant *variant)
{
    return variant->body == CLSCAN_BODY_SUBGROUP_ROWS || variant->group_scan == CLSCAN_GROUP_SCAN_SUBGROUP;
}

static int waits(const clscan_variant *variant)
{
    return variant->order != CLSCAN_ORDER_NONE;
}

static const switch_row switches[] = {
    {"CLSCAN_SUB_GROUPS",
     {.struct_size = sizeof(clscan_plan_options), .no_sub_groups = 1},
     "strided+subgroup+single work_group_size=64 vector_length=1 register_pieces=2 local_pieces=0",
     "no_sub_groups",
     has_sub_groups},
    {"CLSCAN_WAITING",
     {.struct_size = sizeof(clscan_plan_options), .no_waiting = 1},
     "strided+brent_kung+adjacent+dynamic work_group_size=16 vector_length=1 register_pieces=2 local_pieces=0 "
     "tiles_per_work_group=1 poll_delay=0",
     "adjacent_",
     waits},
};
#define SWITCH_COUNT (sizeof switches / sizeof switches[0])

/* How many size classes of the plan violate the switch. */
static unsigned count_violations(const clscan_case_fixture *fixture, const switch_row *row)
{
    unsigned found = 0;

    for (int in_place = 0; in_place < 2; ++in_place)
        for (uint64_t count = 0; count < MAX_COUNT;) {
            clscan_choice choice = {.struct_size = sizeof choice};
            clscan_error error;

            assert_status(CLSCAN_OK, clscan_plan_explain(fixture->plan, count + 1, in_place, &choice, &error), &error);
            found += (unsigned)row->violates(&choice.variant);
            count = choice.largest_count;
        }
    return found;
}

static unsigned run_cases(const clscan_case_fixture *fixture, clscan_generator generator)
{
    static const uint64_t counts[] = {1, 1000, MAX_COUNT - 3};
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        const clscan_case test = {
            .count = counts[i], .in_place = (int)(i % 2), .total = 1, .generator = generator, .seed = i};
        failures += test_case(fixture, &test);
    }
    return failures;
}

/* By the plan's options, and by the environment. */
static unsigned check_type(const test_live *live, const switch_row *row, clscan_type type, int by_environment)
{
    const clscan_sample_operator *keep_last = clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, type);
    const clscan_problem problem = test_custom_problem(type, keep_last, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, MAX_COUNT);
    clscan_case_fixture fixture;
    unsigned failures = 0;

    if (test_try_prepare(live, &problem, keep_last, by_environment ? NULL : &row->options, &fixture) != CLSCAN_OK)
        return 1;
    if (count_violations(&fixture, row) > 0) {
        print_error("%s, %s: the switch is ignored\n", row->variable, clscan_type_name(type));
        ++failures;
    }
    failures += run_cases(&fixture, CLSCAN_GENERATE_MOSTLY_ZERO);
    clscan_case_release(&fixture);
    return failures;
}

static void types(void **state)
{
    const test_live *live = *state;
    unsigned failures = 0;

    for (size_t i = 0; i < SWITCH_COUNT; ++i)
        for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
            const int by_environment = type / 4 % 2;

            if (!test_type_runs(live, (clscan_type)type) || (type % 4 != (int)i && !test_thorough()))
                continue;
            if (by_environment)
                setenv(switches[i].variable, "off", 1);
            failures += check_type(live, &switches[i], (clscan_type)type, by_environment);
            unsetenv(switches[i].variable);
        }
    assert_int_equal(failures, 0);
}

/* Where rows of sub-groups are all that there is for GPUs, the bits must not change either. */
static void reproducible_plans(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .type = CLSCAN_FLOAT,
                                    .op = CLSCAN_ADD,
                                    .max_count = MAX_COUNT,
                                    .reproducible = 1};
    unsigned failures = 0;

    for (size_t i = 0; i < SWITCH_COUNT; ++i) {
        clscan_case_fixture fixture;
        const clscan_status status = test_try_prepare(live, &problem, NULL, &switches[i].options, &fixture);

        if (status == CLSCAN_ERROR_UNSUPPORTED_TYPE)
            skip(); /* the device's arithmetic permits none */
        assert_int_equal(status, CLSCAN_OK);
        failures += run_cases(&fixture, CLSCAN_GENERATE_WIDE);
        clscan_case_release(&fixture);
    }
    assert_int_equal(failures, 0);
}

static clscan_status create(const test_live *live, const clscan_plan_options *options, clscan_error *error)
{
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1000);
    clscan_plan *plan = NULL;
    const clscan_status status = clscan_plan_create(live->context, live->device, &problem, options, &plan, error);

    clscan_plan_destroy(plan);
    return status;
}

static void forced_variants_are_refused_by_name(void **state)
{
    const test_live *live = *state;

    for (size_t i = 0; i < SWITCH_COUNT; ++i) {
        const clscan_variant variant = parsed_variant(switches[i].refused);
        clscan_plan_options options = switches[i].options;
        clscan_error error = {0};

        options.variant = &variant;
        assert_status(CLSCAN_ERROR_DEVICE_LIMIT, create(live, &options, &error), &error);
        if (strstr(error.message, switches[i].rule) != error.message)
            fail_msg("%s: %s", switches[i].variable, error.message);
    }
}

static void other_numbers_are_refused(void **state)
{
    const test_live *live = *state;
    clscan_plan_options options = {.struct_size = sizeof options, .no_sub_groups = 2};
    clscan_error error = {0};

    assert_status(CLSCAN_ERROR_INVALID_VALUE, create(live, &options, &error), &error);
    options = (clscan_plan_options){.struct_size = sizeof options, .no_waiting = -1};
    assert_status(CLSCAN_ERROR_INVALID_VALUE, create(live, &options, &error), &error);
}

typedef struct heard {
    unsigned stale;    /* warnings */
    unsigned switched; /* notes */
} heard;

static void count_reports(clscan_log_level level, const char *text, void *user)
{
    heard *reports = user;

    reports->stale += level == CLSCAN_LOG_WARNING && strstr(text, "is stale") != NULL;
    reports->switched += level == CLSCAN_LOG_INFO && strstr(text, "mechanism atomic32") != NULL;
}

/* A config of one entry, which waits, with the given revision. */
static clscan_config *config_of(const test_live *live, const char *revision)
{
    clscan_config *config = NULL;
    clscan_error error;
    char text[1024];

    snprintf(text, sizeof text,
             "{\"schema_version\": 1, \"match\": \"%s\", \"provenance\": {\"origin\": \"tuned\", \"date\": "
             "\"2026-11-22\"}, \"entries\": [{\"operation\": \"scan\", \"element_size_bytes\": 4, "
             "\"operator_class\": \"builtin\", \"largest_count\": null, \"reproducible\": false, "
             "\"revision\": \"%s\", \"variant\": {\"body\": \"strided\", \"group_scan\": \"brent_kung\", "
             "\"carry\": \"adjacent\", \"order\": \"dynamic\", \"work_group_size\": 16, \"vector_length\": 1, "
             "\"register_pieces\": 2, \"local_pieces\": 0, \"tiles_per_work_group\": 1, \"poll_delay\": 0}}]}",
             live->info.key, revision);
    assert_status(CLSCAN_OK, clscan_config_parse(text, strlen(text), "one entry", &config, &error), &error);
    return config;
}

/* What the log says of a plan that uses it. */
static heard reports_of(const test_live *live, const char *revision, clscan_mechanism mechanism)
{
    clscan_config *config = config_of(live, revision);
    const clscan_plan_options options = {.struct_size = sizeof options, .config = config, .mechanism = mechanism};
    clscan_error error = {0};
    heard reports = {0};

    clscan_log_set(CLSCAN_LOG_INFO, count_reports, &reports);
    assert_status(CLSCAN_OK, create(live, &options, &error), &error);
    clscan_log_set(CLSCAN_LOG_WARNING, NULL, NULL);
    clscan_config_destroy(config);
    return reports;
}

/* Where a caller wants another mechanism, the kernels are others; that is no reason to tune again. */
static void switched_entries_are_not_stale(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1000);
    const clscan_variant variant = parsed_variant(switches[1].refused);
    static const char wrong[] = "0123456789abcdef";
    char right[CLSCAN_REVISION_BYTES];
    clscan_error error;
    heard reports;

    if (!test_may_wait(live) || live->info.mechanism == CLSCAN_MECHANISM_ATOMIC32)
        skip();
    assert_status(CLSCAN_OK, clscan_variant_revision(&variant, &problem, &live->info, right, &error), &error);
    assert_int_equal(reports_of(live, right, CLSCAN_MECHANISM_NONE).stale, 0);
    reports = reports_of(live, right, CLSCAN_MECHANISM_ATOMIC32);
    assert_int_equal(reports.stale, 0);
    assert_true(reports.switched > 0);
    assert_true(reports_of(live, wrong, CLSCAN_MECHANISM_NONE).stale > 0);
    assert_true(reports_of(live, wrong, CLSCAN_MECHANISM_ATOMIC32).stale > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types),
        cmocka_unit_test(reproducible_plans),
        cmocka_unit_test(forced_variants_are_refused_by_name),
        cmocka_unit_test(other_numbers_are_refused),
        cmocka_unit_test(switched_entries_are_not_stale),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
