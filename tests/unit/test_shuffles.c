/* How work-items of a sub-group exchange values, by device. */
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "device/shuffles.h"
#include "program_specs.h"

static void recorded_devices(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        clscan__shuffles shuffles;
        const char *reason;
    } cases[] = {
        {"nvidia-h200", CLSCAN__SHUFFLES_PTX, "compute capability 9.0"},
        {"nvidia-a100", CLSCAN__SHUFFLES_PTX, "compute capability 8.0"},
        {"nvidia-gtx-1080", CLSCAN__SHUFFLES_LOCAL, "before shfl.sync of independent threads"},
        {"amd-gfx90a", CLSCAN__SHUFFLES_LOCAL, "its driver lists no shuffles"},
        {"intel-arc-b580", CLSCAN__SHUFFLES_KHR, "kernels require their size"},
        {"intel-cpu-2026", CLSCAN__SHUFFLES_KHR, "the same"},
        {"intel-cpu-18.1", CLSCAN__SHUFFLES_LOCAL, "no mechanism"},
        {"pocl-3.1-pthread", CLSCAN__SHUFFLES_LOCAL, "no sub-groups"},
        {"pocl-5.0-cpu", CLSCAN__SHUFFLES_LOCAL, "sizes that kernels may require, but which?"},
        {"apple-m1", CLSCAN__SHUFFLES_LOCAL, "no sub-groups"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const clscan_device_info device = recorded_device(cases[i].device);

        if (clscan__shuffles_of(&device) != cases[i].shuffles)
            fail_msg("%s (%s): %d", cases[i].device, cases[i].reason, (int)clscan__shuffles_of(&device));
    }
}

/* PTX 8.0 of drivers from 525 on has them, for compute capability 9.0 and newer. */
static void pairs_of_short_integers(void **state)
{
    (void)state;
    static const struct {
        const char *device, *driver_version;
        bool has;
    } cases[] = {
        {"nvidia-h200", "580.159.04", true},      {"nvidia-h200", "525.60.13", true},
        {"nvidia-h200", "520.61.05", false},      {"nvidia-h200", "", false},
        {"nvidia-b200", "570.86.15", true},       {"nvidia-rtx-4090", "550.54.14", false},
        {"amd-gfx90a", "3581.0 (HSA1.1)", false},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan_device_info device = recorded_device(cases[i].device);

        snprintf(device.driver_version, sizeof device.driver_version, "%s", cases[i].driver_version);
        if (clscan__ptx_has_pairs(&device) != cases[i].has)
            fail_msg("%s, driver %s", cases[i].device, cases[i].driver_version);
    }
}

/* Everything that the extensions need, and then without one of it. */
static void extensions_need_each_other(void **state)
{
    (void)state;
    clscan_device_info able = {
        .struct_size = sizeof able, .mechanism = CLSCAN_MECHANISM_C11, .has_sub_groups = 1, .sub_group_size = 16};
    clscan_device_info device = {.struct_size = sizeof device};

    strcpy(able.extensions, "cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative");
    assert_int_equal(clscan__shuffles_of(&able), CLSCAN__SHUFFLES_KHR);
    assert_int_equal(clscan__shuffle_width(&able, 256), 16);
    device = able;
    device.sub_group_size = 0;
    assert_int_equal(clscan__shuffles_of(&device), CLSCAN__SHUFFLES_LOCAL);
    device = able;
    device.has_sub_groups = 0;
    assert_int_equal(clscan__shuffles_of(&device), CLSCAN__SHUFFLES_LOCAL);
    device = able;
    device.mechanism = CLSCAN_MECHANISM_ATOMIC64; /* OpenCL C 1.2 */
    assert_int_equal(clscan__shuffles_of(&device), CLSCAN__SHUFFLES_LOCAL);
    device = able;
    strcpy(device.extensions, "cl_khr_subgroup_shuffle");
    assert_int_equal(clscan__shuffles_of(&device), CLSCAN__SHUFFLES_LOCAL);
    strcpy(device.extensions, "cl_khr_subgroup_shuffle_relative");
    assert_int_equal(clscan__shuffles_of(&device), CLSCAN__SHUFFLES_LOCAL);
}

static void sizes_that_kernels_must_require(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        bool required;
        const char *reason;
    } cases[] = {
        {"intel-iris-xe", true, "its compiler would choose 8, 16 or 32"},
        {"intel-cpu-2026", true, "it would choose 4 to 64"},
        {"intel-cpu-18.1", false, "it has no such extension"},
        {"pocl-5.0-cpu", false, "the extension, but no size is known"},
        {"nvidia-h200", false, "warps are fixed"},
        {"amd-gfx90a", false, "64 is a multiple of 32"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const clscan_device_info device = recorded_device(cases[i].device);

        if (clscan__sub_group_size_is_required(&device) != cases[i].required)
            fail_msg("%s (%s)", cases[i].device, cases[i].reason);
    }
}

/* As many work-items as sub-groups, or up to twice or four times as many. */
static void widths_without_shuffles(void **state)
{
    (void)state;
    static const uint32_t cases[][2] = {{1, 1},   {2, 2},    {3, 2},    {4, 2},    {8, 4},    {16, 4},   {64, 8},
                                        {96, 16}, {256, 16}, {257, 32}, {384, 32}, {512, 32}, {1024, 32}};
    const clscan_device_info device = recorded_device("pocl-3.1-pthread");

    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        assert_int_equal(clscan__shuffle_width(&device, cases[i][0]), cases[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_devices),           cmocka_unit_test(pairs_of_short_integers),
        cmocka_unit_test(extensions_need_each_other), cmocka_unit_test(sizes_that_kernels_must_require),
        cmocka_unit_test(widths_without_shuffles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
