/* The variants that all configs name, whatever device they are for. */
#include <stdlib.h>
#include <string.h>

#include <clscan/clscan.h>

#include "cmocka_all.h"
#include "device_fixture.h"
#include "problem_of.h"

#define MOST 512

static clscan_known_variant list[MOST];

static clscan_device_info recorded(const char *path)
{
    clscan__device_raw raw;
    clscan_device_info device = {.struct_size = sizeof device};

    assert_true(device_fixture_load(path, &raw));
    clscan__device_derive(&raw, &device);
    return device;
}

static size_t list_all(const clscan_device_info *device, clscan_type type, clscan_operator op, int reproducible)
{
    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = type, .op = op, .reproducible = reproducible};
    clscan_error error;
    size_t count;

    if (clscan_config_list(NULL, device, &problem, list, sizeof list[0], MOST, &count, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    assert_in_range(count, 1, MOST);
    return count;
}

/* A GPU gets what was measured on others, where that fits it. */
static void a_device_learns_of_its_relatives(void **state)
{
    const clscan_device_info device = recorded(CLSCAN_FIXTURES "/devices/nvidia-a100.json");
    const size_t count = list_all(&device, CLSCAN_INT32, CLSCAN_ADD, 0);
    bool related = false, generic = false;

    (void)state;
    for (size_t i = 0; i < count; ++i) {
        related = related || strcmp(list[i].match, "nvidia-gpu") == 0;
        generic = generic || strcmp(list[i].match, "generic-gpu") == 0;
        assert_int_equal(clscan_variant_check(&list[i].variant, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 0, &device, NULL),
                         CLSCAN_OK);
        assert_true(list[i].smallest_count <= list[i].largest_count);
        assert_memory_equal(list[i].source, "built-in ", 9);
    }
    assert_true(related && generic);
}

/* The size classes of one config's entries follow each other without a gap. */
static void classes_follow_each_other(void **state)
{
    const clscan_device_info device = recorded(CLSCAN_FIXTURES "/devices/nvidia-h200.json");
    const size_t count = list_all(&device, CLSCAN_INT64, CLSCAN_ADD, 0);
    uint64_t next = 1;

    (void)state;
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(list[i].source, "built-in nvidia/gpu.json") != 0 ||
            list[i].operator_class != CLSCAN_OPERATOR_CLASS_BUILTIN)
            continue;
        assert_int_equal(list[i].smallest_count, next);
        next = list[i].largest_count + 1;
    }
    assert_int_equal(next, 0); /* behind UINT64_MAX */
}

static void reproducible_plans_have_their_own(void **state)
{
    const clscan_device_info device = recorded(CLSCAN_FIXTURES "/devices/nvidia-h200.json");
    clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_FLOAT, .op = CLSCAN_ADD, .reproducible = 1};
    const size_t count = list_all(&device, CLSCAN_FLOAT, CLSCAN_ADD, 1);

    (void)state;
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(clscan_variant_check(&list[i].variant, &problem, 0, &device, NULL), CLSCAN_OK);
}

static void a_short_list_is_filled_and_the_count_is_whole(void **state)
{
    const clscan_device_info device = recorded(CLSCAN_FIXTURES "/devices/pocl-5.0-cpu.json");
    const clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_ADD};
    const size_t whole = list_all(&device, CLSCAN_INT32, CLSCAN_ADD, 0);
    clscan_known_variant two[3];
    size_t count = 0;

    (void)state;
    memset(&two[2], 0x5a, sizeof two[2]);
    assert_int_equal(clscan_config_list(NULL, &device, &problem, two, sizeof two[0], 2, &count, NULL), CLSCAN_OK);
    assert_int_equal(count, whole);
    assert_memory_equal(&two[1].variant, &list[1].variant, sizeof list[1].variant);
    assert_int_equal(two[2].match[0], 0x5a);
    assert_int_equal(clscan_config_list(NULL, &device, &problem, NULL, 0, 0, &count, NULL), CLSCAN_OK);
    assert_int_equal(count, whole);
}

/* The message says which argument it is. */
static void assert_missing(clscan_status status, const clscan_error *error, const char *says)
{
    assert_int_equal(status, CLSCAN_ERROR_NULL_ARGUMENT);
    if (strstr(error->message, says) == NULL)
        fail_msg("\"%s\" is not \"%s\"", error->message, says);
}

static void wrong_arguments_are_refused(void **state)
{
    const clscan_device_info device = recorded(CLSCAN_FIXTURES "/devices/nvidia-h200.json");
    const clscan_problem good = {.struct_size = sizeof good, .type = CLSCAN_INT32, .op = CLSCAN_ADD};
    clscan_problem short_one = good, odd = good;
    size_t count = 77;
    clscan_error error = {0};

    (void)state;
    short_one.struct_size = 1;
    odd.type = (clscan_type)99;
    assert_missing(clscan_config_list(NULL, NULL, &good, NULL, 0, 0, &count, &error), &error, "device is NULL");
    assert_missing(clscan_config_list(NULL, &device, NULL, NULL, 0, 0, &count, &error), &error, "problem is NULL");
    assert_missing(clscan_config_list(NULL, &device, &good, NULL, sizeof list[0], 1, &count, &error), &error,
                   "list is NULL");
    assert_missing(clscan_config_list(NULL, &device, &good, NULL, 0, 0, NULL, &error), &error, "count is NULL");
    assert_int_equal(clscan_config_list(NULL, &device, &short_one, NULL, 0, 0, &count, NULL), CLSCAN_ERROR_STRUCT_SIZE);
    assert_int_equal(clscan_config_list(NULL, &device, &odd, NULL, 0, 0, &count, NULL), CLSCAN_ERROR_INVALID_VALUE);
    assert_int_equal(count, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_learns_of_its_relatives),
        cmocka_unit_test(classes_follow_each_other),
        cmocka_unit_test(reproducible_plans_have_their_own),
        cmocka_unit_test(a_short_list_is_filled_and_the_count_is_whole),
        cmocka_unit_test(wrong_arguments_are_refused),
    };

    /* The user's own configs are none of the test's business. */
    setenv("XDG_CONFIG_HOME", "/nowhere", 1);
    unsetenv("CLSCAN_CONFIG");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
