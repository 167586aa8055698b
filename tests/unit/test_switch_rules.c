/* The switches of users: no sub-group code, no waiting carry. Over every recorded device, type and size class. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/plan.h>

#include "cmocka_all.h"
#include "config/variant.h"
#include "device/shuffles.h"
#include "device/switches.h"
#include "device_fixture.h"
#include "element/operators.h"
#include "problem_of.h"
#include "program_specs.h"

#define MAX_COUNT (UINT64_C(1) << 33)

/* All that a plan may be asked for, and where. */
typedef struct question {
    const clscan_device_info *device;
    clscan_problem problem;
    int in_place;
} question;

typedef void visitor(const question *ask, const clscan_choice *choice);

static void visit_size_classes(const question *ask, visitor *visit)
{
    for (uint64_t count = 0; count < MAX_COUNT;) {
        clscan_choice choice = {.struct_size = sizeof choice};
        clscan_error error;

        if (clscan_config_explain(NULL, ask->device, &ask->problem, count + 1, ask->in_place, &choice, &error) !=
            CLSCAN_OK)
            fail_msg("%s: %s", ask->device->key, error.message);
        visit(ask, &choice);
        count = choice.largest_count;
    }
}

static void visit_problems(const clscan_device_info *device, visitor *visit)
{
    static const clscan_operator operators[] = {CLSCAN_ADD, CLSCAN_MAX, CLSCAN_CUSTOM};

    for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type)
        for (size_t i = 0; i < COUNT_OF(operators); ++i)
            for (int kind = 0; kind < 4; ++kind) {
                const question ask = {device,
                                      {.struct_size = sizeof ask.problem,
                                       .type = (clscan_type)type,
                                       .op = operators[i],
                                       .reproducible = kind / 2},
                                      kind % 2};
                visit_size_classes(&ask, visit);
            }
}

/* `switch_off`: NULL leaves the devices as they are. */
static void visit_all(void (*switch_off)(clscan_device_info *info, const char *by), visitor *visit)
{
    glob_t found;

    assert_int_equal(glob(CLSCAN_FIXTURES "/devices/*.json", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 20);
    for (size_t i = 0; i < found.gl_pathc; ++i) {
        clscan__device_raw raw;
        clscan_device_info device = {.struct_size = sizeof device};

        assert_true(device_fixture_load(found.gl_pathv[i], &raw));
        clscan__device_derive(&raw, &device);
        if (switch_off != NULL)
            switch_off(&device, "a test");
        visit_problems(&device, visit);
    }
    globfree(&found);
}

/* ---- What is asserted of every choice ---- */

static unsigned shuffling, waiting;

static void count_both(const question *ask, const clscan_choice *choice)
{
    (void)ask;
    shuffling += clscan__variant_shuffles(&choice->variant);
    waiting += clscan__variant_has_order(&choice->variant);
}

static void expect_no_sub_groups(const question *ask, const clscan_choice *choice)
{
    const clscan__program_spec spec = {.device = ask->device,
                                       .type = ask->problem.type,
                                       .op = CLSCAN_ADD,
                                       .variant = choice->variant,
                                       .poll_limit = 1,
                                       .reproducible = ask->problem.reproducible &&
                                                       !clscan__operator_is_exact(ask->problem.op, ask->problem.type)};
    static const char *const words[] = {" sub_group_", "get_sub_group", "reqd_sub_group", "asm"};
    char *source;

    if (!spec.reproducible && clscan__variant_shuffles(&choice->variant))
        fail_msg("%s, %s: %s %s", ask->device->key, clscan_type_name(ask->problem.type), choice->source, choice->entry);
    assert_int_equal(clscan__program_sub_group_size(&spec), 0);
    source = composed(&spec);
    /* Both ways to synchronise a thread group stand in the text; the macro chooses. */
    if (clscan__variant_is_transposed(&choice->variant) != (strstr(source, "#define CLSCAN_SUB_GROUP_SYNC 0") != NULL))
        fail_msg("%s, %s: a thread group is synchronised as a sub-group", ask->device->key, choice->entry);
    if (!clscan__variant_is_transposed(&choice->variant) && !clscan__variant_has_order(&choice->variant))
        for (size_t i = 0; i < COUNT_OF(words); ++i)
            if (strstr(source, words[i]) != NULL)
                fail_msg("%s, %s: the program has '%s'", ask->device->key, choice->entry, words[i]);
    free(source);
}

static void expect_no_waiting(const question *ask, const clscan_choice *choice)
{
    if (clscan__variant_has_order(&choice->variant))
        fail_msg("%s, %s: %s %s", ask->device->key, clscan_type_name(ask->problem.type), choice->source, choice->entry);
}

/* ---- Tests ---- */

/* Else the others could not fail. */
static void without_switches_both_are_chosen(void **state)
{
    (void)state;
    shuffling = waiting = 0;
    visit_all(NULL, count_both);
    assert_true(shuffling > 0);
    assert_true(waiting > 0);
}

static void no_sub_group_code_is_chosen(void **state)
{
    (void)state;
    visit_all(clscan__switch_off_sub_groups, expect_no_sub_groups);
}

static void no_waiting_carry_is_chosen(void **state)
{
    (void)state;
    visit_all(clscan__switch_off_waiting, expect_no_waiting);
}

static clscan_choice choice_on(const clscan_device_info *device)
{
    clscan_choice choice = {.struct_size = sizeof choice};

    assert_int_equal(
        clscan_config_explain(NULL, device, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 1 << 24, 0, &choice, NULL),
        CLSCAN_OK);
    return choice;
}

static void the_reason_names_rule_and_switch(void **state)
{
    (void)state;
    clscan_device_info gpu = recorded_device("nvidia-h200"), cpu = recorded_device("pocl-3.1-pthread");

    clscan__switch_off_sub_groups(&gpu, "CLSCAN_SUB_GROUPS");
    assert_non_null(strstr(choice_on(&gpu).reason, "no_sub_groups: "));
    assert_non_null(strstr(choice_on(&gpu).reason, "CLSCAN_SUB_GROUPS"));
    clscan__switch_off_waiting(&cpu, "CLSCAN_WAITING");
    assert_non_null(strstr(choice_on(&cpu).reason, "adjacent_progress: "));
    assert_non_null(strstr(choice_on(&cpu).reason, "CLSCAN_WAITING"));
}

static void variants_are_refused_by_name(void **state)
{
    (void)state;
    const clscan_problem reproducible = {
        .struct_size = sizeof reproducible, .type = CLSCAN_FLOAT, .op = CLSCAN_ADD, .reproducible = 1};
    const clscan_variant rows = {.body = CLSCAN_BODY_SUBGROUP_ROWS,
                                 .group_scan = CLSCAN_GROUP_SCAN_SUBGROUP,
                                 .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
                                 .work_group_size = 256,
                                 .vector_length = 4,
                                 .register_pieces = 8,
                                 .work_groups_per_unit = 4};
    const clscan_variant chain =
        small_variant(CLSCAN_BODY_STRIDED, CLSCAN_GROUP_SCAN_KOGGE_STONE, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_DYNAMIC);
    clscan_device_info device = recorded_device("nvidia-h200");
    clscan_error error = {0};

    for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
        assert_int_equal(clscan_variant_check(&rows, PROBLEM_OF((clscan_type)type, CLSCAN_ADD), 0, &device, &error),
                         CLSCAN_OK);
        assert_int_equal(clscan_variant_check(&chain, PROBLEM_OF((clscan_type)type, CLSCAN_ADD), 0, &device, &error),
                         CLSCAN_OK);
    }
    clscan__switch_off_sub_groups(&device, "a test");
    clscan__switch_off_waiting(&device, "a test");
    for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
        assert_int_equal(clscan_variant_check(&rows, PROBLEM_OF((clscan_type)type, CLSCAN_ADD), 0, &device, &error),
                         CLSCAN_ERROR_DEVICE_LIMIT);
        assert_ptr_equal(strstr(error.message, "no_sub_groups: body: subgroup_rows"), error.message);
        assert_int_equal(clscan_variant_check(&chain, PROBLEM_OF((clscan_type)type, CLSCAN_ADD), 0, &device, &error),
                         CLSCAN_ERROR_DEVICE_LIMIT);
        assert_ptr_equal(strstr(error.message, "adjacent_progress: carry: adjacent"), error.message);
        assert_non_null(strstr(error.message, "waiting is switched off by a test"));
    }
    /* They have no other rows for GPUs; values pass through local memory. */
    assert_int_equal(clscan_variant_check(&rows, &reproducible, 0, &device, &error), CLSCAN_OK);
    assert_int_equal(clscan__shuffles_of(&device), CLSCAN__SHUFFLES_LOCAL);
}

static void the_environment_switches(void **state)
{
    (void)state;
    static const struct {
        const char *sub_groups, *waiting;
        int no_sub_groups;
        clscan_progress progress;
    } cases[] = {
        {NULL, NULL, 0, CLSCAN_PROGRESS_OCCUPANCY},     {"auto", "auto", 0, CLSCAN_PROGRESS_OCCUPANCY},
        {"", "", 0, CLSCAN_PROGRESS_OCCUPANCY},         {"off", NULL, 1, CLSCAN_PROGRESS_OCCUPANCY},
        {NULL, "off", 0, CLSCAN_PROGRESS_UNKNOWN},      {"off", "off", 1, CLSCAN_PROGRESS_UNKNOWN},
        {"never", "OFF", 0, CLSCAN_PROGRESS_OCCUPANCY},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan_device_info device = recorded_device("nvidia-h200");

        if (cases[i].sub_groups != NULL)
            setenv("CLSCAN_SUB_GROUPS", cases[i].sub_groups, 1);
        if (cases[i].waiting != NULL)
            setenv("CLSCAN_WAITING", cases[i].waiting, 1);
        clscan__switches_apply(&device);
        unsetenv("CLSCAN_SUB_GROUPS");
        unsetenv("CLSCAN_WAITING");
        if (device.no_sub_groups != cases[i].no_sub_groups || device.progress != cases[i].progress)
            fail_msg("case %zu: %d, %s", i, device.no_sub_groups, clscan_progress_name(device.progress));
    }
}

/* Only where kernels require a size; elsewhere the device's own stays. */
static void the_environment_requires_a_size(void **state)
{
    (void)state;
    static const struct {
        const char *device, *word;
        uint32_t size;
    } cases[] = {
        {"intel-cpu-2026", "4", 4},    {"intel-cpu-2026", "64", 64}, {"intel-arc-b580", "32", 32},
        {"intel-cpu-2026", "128", 16}, {"intel-cpu-2026", "5", 16},  {"intel-cpu-2026", "8 ", 16},
        {"nvidia-h200", "8", 32},      {"pocl-3.1-pthread", "8", 0},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan_device_info device = recorded_device(cases[i].device);

        setenv("CLSCAN_SUB_GROUPS", cases[i].word, 1);
        clscan__switches_apply(&device);
        unsetenv("CLSCAN_SUB_GROUPS");
        assert_int_equal(device.no_sub_groups, 0);
        if (device.sub_group_size != cases[i].size)
            fail_msg("%s, '%s': %u", cases[i].device, cases[i].word, (unsigned)device.sub_group_size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_switches_both_are_chosen), cmocka_unit_test(no_sub_group_code_is_chosen),
        cmocka_unit_test(no_waiting_carry_is_chosen),       cmocka_unit_test(the_reason_names_rule_and_switch),
        cmocka_unit_test(variants_are_refused_by_name),     cmocka_unit_test(the_environment_switches),
        cmocka_unit_test(the_environment_requires_a_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
