/* The sample shapes of clscan-bench fit the devices that they are for. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "bench/strategies.h"
#include "cmocka_all.h"
#include "device_fixture.h"
#include "problem_of.h"

static const clscan_type types[] = {CLSCAN_INT8, CLSCAN_INT32, CLSCAN_INT64};

static clscan_status check_shape(const bench_strategy *strategy, const clscan_device_info *device,
                                 const measure_problem *problem, clscan_variant *shape, clscan_error *error)
{
    const clscan_problem asked = {sizeof asked, .type = problem->type, .op = problem->op};
    char text[MEASURE_NAME_BYTES];

    assert_int_equal(clscan_variant_parse(bench_strategy_shape(strategy, device, problem, text), shape, error),
                     CLSCAN_OK);
    return clscan_variant_check(shape, &asked, 0, device, error);
}

static bool waits(const clscan_variant *shape)
{
    return shape->carry == CLSCAN_CARRY_ADJACENT || shape->carry == CLSCAN_CARRY_LOOKBACK;
}

static bool may_wait(const clscan_device_info *device)
{
    return device->mechanism != CLSCAN_MECHANISM_NONE && device->progress == CLSCAN_PROGRESS_OCCUPANCY;
}

/* Every shape is legal, unless it waits and the device may not. Returns how many are. */
static unsigned check_device(const char *name, const clscan_device_info *device)
{
    unsigned shapes = 0;

    for (const bench_strategy *strategy = bench_strategies; strategy->name != NULL; ++strategy)
        for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
            const measure_problem problem = {.type = types[i], .op = CLSCAN_ADD};
            clscan_error error;
            clscan_variant shape;

            if (clscan_device_check_type(device, types[i], &error) != CLSCAN_OK)
                continue;
            if (check_shape(strategy, device, &problem, &shape, &error) == CLSCAN_OK)
                ++shapes;
            else if (!waits(&shape) || may_wait(device))
                fail_msg("%s: %s, %s: %s", name, strategy->name, clscan_type_name(types[i]), error.message);
        }
    return shapes;
}

static clscan_device_info load(const char *name)
{
    char path[512];
    clscan__device_raw raw;
    clscan_device_info device = {.struct_size = sizeof device};

    snprintf(path, sizeof path, CLSCAN_FIXTURES "/devices/%s", name);
    assert_true(device_fixture_load(path, &raw));
    clscan__device_derive(&raw, &device);
    return device;
}

static void shapes_fit_all_recorded_devices(void **state)
{
    DIR *folder = opendir(CLSCAN_FIXTURES "/devices");
    const struct dirent *item;
    unsigned devices = 0;

    (void)state;
    assert_non_null(folder);
    while ((item = readdir(folder)) != NULL) {
        if (strstr(item->d_name, ".json") == NULL)
            continue;
        const clscan_device_info device = load(item->d_name);
        ++devices;
        assert_true(check_device(item->d_name, &device) > 0);
    }
    closedir(folder);
    assert_true(devices > 20);
}

/* Where there is evidence that work-groups may wait, every shape is legal; and none is smaller than it has to be. */
static void all_shapes_are_legal_on_an_h200(void **state)
{
    const clscan_device_info device = load("nvidia-h200.json");
    const measure_problem problem = {.type = CLSCAN_INT32, .op = CLSCAN_ADD};

    (void)state;
    assert_int_equal(check_device("h200", &device), 18);
    for (const bench_strategy *strategy = bench_strategies; strategy->name != NULL; ++strategy) {
        clscan_error error;
        clscan_variant shape, sample;

        if (check_shape(strategy, &device, &problem, &shape, &error) != CLSCAN_OK)
            fail_msg("%s: %s", strategy->name, error.message);
        assert_int_equal(clscan_variant_parse(strategy->for_gpu, &sample, &error), CLSCAN_OK);
        if (clscan_variant_local_bytes(&sample, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD)) <= device.local_memory_bytes)
            assert_memory_equal(&shape, &sample, sizeof shape);
        else
            assert_true(2 * clscan_variant_local_bytes(&shape, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD)) >
                        device.local_memory_bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_fit_all_recorded_devices),
        cmocka_unit_test(all_shapes_are_legal_on_an_h200),
    };

    return cmocka_run_group_tests_name("sample shapes of clscan-bench", tests, NULL, NULL);
}
