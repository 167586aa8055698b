/* Machines that are not one platform with one device. ctest runs each group in an environment of
 * its own: `two` (two devices in one context), `no_device` (a platform without devices),
 * `no_platform`. */
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"

enum { COUNT = 30000, DEVICES_MAX = 8 };

static void nothing_is_found(clscan_status expected)
{
    cl_device_id devices[DEVICES_MAX];
    cl_device_id device = NULL;
    clscan_error error = {0};
    size_t count = 77;

    assert_status(expected, clscan_device_list(devices, DEVICES_MAX, &count, &error), &error);
    assert_int_equal(error.status, expected);
    assert_true(error.message[0] != '\0');
    assert_int_equal(count, 77); /* outputs are written only on success */
    assert_status(expected, clscan_device_list(NULL, 0, &count, &error), &error);
    assert_status(expected, clscan_device_find(NULL, &device, &error), &error);
    assert_status(expected, clscan_device_find("0", &device, &error), &error);
    assert_null(device);
}

static void a_platform_without_devices(void **state)
{
    (void)state;
    nothing_is_found(CLSCAN_ERROR_NO_DEVICE);
}

static void no_platform(void **state)
{
    (void)state;
    nothing_is_found(CLSCAN_ERROR_NO_PLATFORM);
}

static void devices_are_listed_and_found(void **state)
{
    (void)state;
    cl_device_id devices[DEVICES_MAX];
    cl_device_id found = NULL;
    clscan_error error = {0};
    size_t count = 0;

    assert_status(CLSCAN_OK, clscan_device_list(NULL, 0, &count, &error), &error);
    assert_true(count >= 2);
    memset(devices, 0, sizeof devices);
    assert_status(CLSCAN_OK, clscan_device_list(devices, 1, &count, &error), &error);
    assert_true(count >= 2); /* what there is, not what fits */
    assert_null(devices[1]);
    assert_status(CLSCAN_OK, clscan_device_list(devices, DEVICES_MAX, &count, &error), &error);
    for (size_t i = 0; i < count && i < 2; ++i) {
        char selector[8];
        snprintf(selector, sizeof selector, "%zu", i);
        assert_status(CLSCAN_OK, clscan_device_find(selector, &found, &error), &error);
        assert_ptr_equal(found, devices[i]);
    }
    assert_status(CLSCAN_OK, clscan_device_find("PORTABLE computing", &found, &error), &error);
    assert_status(CLSCAN_OK, clscan_device_find("", &found, &error), &error);
    assert_status(CLSCAN_ERROR_NO_DEVICE, clscan_device_find("99", &found, &error), &error);
    assert_status(CLSCAN_ERROR_NO_DEVICE, clscan_device_find("no such device", &found, &error), &error);
    assert_non_null(strstr(error.message, "no such device"));
}

static void two_devices_in_one_context(void **state)
{
    (void)state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    cl_device_id devices[DEVICES_MAX];
    clscan_case_fixture fixtures[2];
    clscan_error error = {0};
    size_t count = 0;
    unsigned failures = 0;
    cl_int code;

    assert_status(CLSCAN_OK, clscan_device_list(devices, DEVICES_MAX, &count, &error), &error);
    assert_true(count >= 2);
    cl_context both = clCreateContext(NULL, 2, devices, NULL, NULL, &code);
    assert_cl(code);
    cl_context first_only = clCreateContext(NULL, 1, devices, NULL, NULL, &code);
    assert_cl(code);
    for (size_t i = 0; i < 2; ++i) {
        fixtures[i] = (clscan_case_fixture){.context = both, .device = devices[i]};
        fixtures[i].queue = clCreateCommandQueue(both, devices[i], 0, &code);
        assert_cl(code);
        assert_status(CLSCAN_OK, clscan_case_prepare(&fixtures[i], &problem, NULL, NULL, &error), &error);
    }
    for (uint64_t seed = 0; seed < 6; ++seed) {
        const clscan_case test = {.count = COUNT - seed, .in_place = seed % 3 == 0, .total = 1, .seed = seed};
        failures += test_case(&fixtures[seed % 2], &test);
    }

    /* The other device's queue, in a run and in binding; a device the context does not have. */
    cl_mem buffer = clCreateBuffer(both, CL_MEM_READ_WRITE, COUNT * sizeof(int32_t), NULL, &code);
    assert_cl(code);
    const clscan_run_args args = {
        .struct_size = sizeof args, .in.buffer = buffer, .out.buffer = buffer, .count = COUNT};
    clscan_plan *plan = NULL;
    assert_status(CLSCAN_ERROR_WRONG_CONTEXT,
                  clscan_run(fixtures[0].plan, fixtures[0].workspace, fixtures[1].queue, &args, 0, NULL, NULL, &error),
                  &error);
    assert_status(CLSCAN_ERROR_WRONG_CONTEXT,
                  clscan_workspace_bind(fixtures[0].workspace, fixtures[1].queue, NULL, &error), &error);
    assert_status(CLSCAN_ERROR_WRONG_CONTEXT, clscan_plan_create(first_only, devices[1], &problem, NULL, &plan, &error),
                  &error);
    clReleaseMemObject(buffer);
    for (size_t i = 0; i < 2; ++i) {
        clscan_case_release(&fixtures[i]);
        clReleaseCommandQueue(fixtures[i].queue);
    }
    clReleaseContext(both);
    clReleaseContext(first_only);
    assert_int_equal(failures, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest two[] = {
        cmocka_unit_test(devices_are_listed_and_found),
        cmocka_unit_test(two_devices_in_one_context),
    };
    const struct CMUnitTest no_device[] = {cmocka_unit_test(a_platform_without_devices)};
    const struct CMUnitTest nothing[] = {cmocka_unit_test(no_platform)};

    if (argc == 2 && strcmp(argv[1], "two") == 0)
        return cmocka_run_group_tests(two, NULL, NULL);
    if (argc == 2 && strcmp(argv[1], "no_device") == 0)
        return cmocka_run_group_tests(no_device, NULL, NULL);
    if (argc == 2 && strcmp(argv[1], "no_platform") == 0)
        return cmocka_run_group_tests(nothing, NULL, NULL);
    fprintf(stderr, "usage: test_devices two|no_device|no_platform\n");
    return 2;
}
