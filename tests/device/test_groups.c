/* One scan over several devices (devices.h): every operator, form, direction and split gives what one scan gives. */
#include <string.h>

#include "cmocka_all.h"
#include "group_rig.h"
#include "parsed_variant.h"

enum { MOST = 3000 };

/* Small tiles, so that small parts have many. */
#define SMALL                                                                                                   \
    "strided+kogge_stone+reduce_then_scan work_group_size=16 vector_length=2 register_pieces=1 local_pieces=1 " \
    "work_groups_per_unit=4"

static const uint64_t splits[][GROUP_MOST] = {
    {1000, 1, 777, 2048}, {0, 300, 0, 5}, {300, 0, 0, 0},      {0, 0, 0, 400},
    {1, 1, 1, 1},         {0, 0, 0, 0},   {2999, 64, 0, 3000},
};
enum { SPLITS = sizeof splits / sizeof splits[0] };

static group_case case_of(size_t split, size_t turn)
{
    group_case test = {.in_place = turn % 2 == 1,
                       .total = turn % 3 != 2,
                       .initial = (clscan_case_initial)(turn % 3),
                       .seed = 1 + turn};

    memcpy(test.counts, splits[split], sizeof test.counts);
    return test;
}

/* All splits, with a turn of place, total and initial value that begins elsewhere each time. */
static unsigned try_problem(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                            const clscan_variant *variant, group_kind kind, size_t count, size_t turn)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    group_rig rig;
    clscan_devices *group = NULL;
    clscan_error error = {0};
    unsigned wrong = 0;

    if (!group_rig_open(&rig, live, kind, count, turn % 2 == 1)) {
        group_rig_close(&rig);
        return 0;
    }
    assert_status(CLSCAN_OK, clscan_devices_create(rig.members, count, problem, &options, &group, &error), &error);
    for (size_t split = 0; split < SPLITS; ++split) {
        const group_case test = case_of(split, turn + split);

        wrong += group_run_case(group, &rig, problem, sample, &test);
    }
    clscan_devices_destroy(group);
    group_rig_close(&rig);
    return wrong;
}

/* Types of each size; operators, forms and directions take turns. */
static void built_in_operators(void **state)
{
    static const struct {
        clscan_type type;
        clscan_operator op;
    } problems[] = {
        {CLSCAN_INT32, CLSCAN_ADD}, {CLSCAN_UINT8, CLSCAN_MAX},  {CLSCAN_INT64, CLSCAN_XOR},
        {CLSCAN_FLOAT, CLSCAN_ADD}, {CLSCAN_DOUBLE, CLSCAN_MUL}, {CLSCAN_HALF, CLSCAN_MIN},
    };
    const test_live *live = *state;
    const clscan_variant variant = parsed_variant(SMALL);
    unsigned wrong = 0;

    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; ++i) {
        const clscan_problem problem =
            test_problem(problems[i].type, problems[i].op, (clscan_form)(i % 2), (clscan_direction)(i / 2 % 2), MOST);

        if (!test_type_runs(live, problems[i].type))
            continue;
        for (size_t count = 2 + i % 2; count <= GROUP_MOST; count += 2)
            wrong += try_problem(live, &problem, NULL, &variant, GROUP_OF_QUEUES, count, i);
    }
    assert_int_equal(wrong, 0);
}

/* Operators that do not commute, with and without identity. */
static void operators_of_the_callers(void **state)
{
    static const struct {
        clscan_sample sample;
        clscan_form form;
        clscan_direction direction;
    } problems[] = {
        {CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_SAMPLE_TAKE_LEFT, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_SAMPLE_AFFINE, CLSCAN_INCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_SAMPLE_AFFINE, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE},
    };
    const test_live *live = *state;
    const clscan_variant variant = parsed_variant(SMALL);
    unsigned wrong = 0;

    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; ++i) {
        const clscan_sample_operator *sample = clscan_sample_find(problems[i].sample, CLSCAN_UINT32);
        const clscan_problem problem =
            test_custom_problem(CLSCAN_UINT32, sample, problems[i].form, problems[i].direction, MOST);

        wrong += try_problem(live, &problem, sample, &variant, GROUP_OF_QUEUES, 4, i);
        wrong += try_problem(live, &problem, sample, &variant, GROUP_OF_QUEUES, 3, i + 1);
    }
    assert_int_equal(wrong, 0);
}

/* As they are used: a context for each device, and what the tables choose. */
static void contexts_and_sub_devices(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, MOST);
    unsigned wrong = 0;

    for (size_t count = 1; count <= 3; ++count)
        wrong += try_problem(live, &problem, NULL, NULL, GROUP_OF_CONTEXTS, count, count);
    wrong += try_problem(live, &problem, NULL, NULL, GROUP_OF_PARTS, 2, 0);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_operators),
        cmocka_unit_test(operators_of_the_callers),
        cmocka_unit_test(contexts_and_sub_devices),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
