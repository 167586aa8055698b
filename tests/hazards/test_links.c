/* Devices in the order of their links: as the caller says, or by the PCI addresses that a layer gives them.
 *
 * ctest runs this with OPENCL_LAYERS naming the layer (tests/support/pci_layer.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"
#include "temporary_folder.h"

enum { MOST = 6 };

static void links_of_the_caller(void **state)
{
    static const struct {
        uint64_t count, group_size, links[MOST], order[MOST];
    } cases[] = {
        {4, 2, {7, 3, 7, 3}, {1, 3, 0, 2}},
        {6, 3, {1, 0, 1, 0, 1, 0}, {1, 3, 5, 0, 2, 4}},
        {6, 2, {0, 0, 0, 0, UINT64_MAX, UINT64_MAX}, {0, 1, 2, 3, 4, 5}},
        {3, 1, {5, 4, 5}, {1, 0, 2}},
        {1, 1, {9}, {0}},
    };
    static const uint64_t halves[] = {1, 2, 2, 2};
    uint64_t order[MOST] = {77};
    clscan_error error = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_status(CLSCAN_OK,
                      clscan_devices_by_link(NULL, cases[i].links, cases[i].count, cases[i].group_size, order, &error),
                      &error);
        assert_memory_equal(order, cases[i].order, cases[i].count * sizeof *order);
    }
    order[0] = 77;
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_by_link(NULL, halves, 4, 2, order, &error), &error);
    assert_non_null(strstr(error.message, "link 1"));
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_by_link(NULL, halves, 4, 3, order, &error), &error);
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_by_link(NULL, halves, 4, 0, order, &error), &error);
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_by_link(NULL, halves, 0, 1, order, &error), &error);
    assert_status(CLSCAN_ERROR_INVALID_VALUE,
                  clscan_devices_by_link(NULL, halves, CLSCAN_MOST_DEVICES + 1, 1, order, &error), &error);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_devices_by_link(NULL, NULL, 1, 1, order, &error), &error);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_devices_by_link(NULL, halves, 1, 1, NULL, &error), &error);
    assert_int_equal(order[0], 77);
}

static void addresses_of_drivers(void **state)
{
    static const struct {
        const char *addresses; /* domain, bus, device and function of one after the other */
        uint64_t order[4];
    } cases[] = {
        {"0 134 0 0,0 3 0 0,0 131 0 0,0 2 0 0", {3, 1, 2, 0}},
        {"1 2 0 0,0 200 0 0,1 1 0 0,0 201 0 0", {1, 3, 2, 0}},
        {"0 1 3 1,0 1 3 0,0 1 2 7,0 1 2 7", {2, 3, 1, 0}},
    };
    const test_live *live = *state;
    const cl_device_id devices[4] = {live->device, live->device, live->device, live->device}, none = NULL;
    uint64_t order[4] = {77};
    clscan_error error = {0};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_int_equal(setenv("CLSCAN_TEST_PCI", cases[i].addresses, 1), 0);
        assert_status(CLSCAN_OK, clscan_devices_by_link(devices, NULL, 4, 2, order, &error), &error);
        assert_memory_equal(order, cases[i].order, sizeof order);
    }
    assert_int_equal(unsetenv("CLSCAN_TEST_PCI"), 0);
    assert_status(CLSCAN_ERROR_DEVICE_LIMIT, clscan_devices_by_link(devices, NULL, 4, 2, order, &error), &error);
    assert_non_null(strstr(error.message, "devices[0]"));
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_devices_by_link(&none, NULL, 1, 1, order, &error), &error);
    assert_memory_equal(order, cases[2].order, sizeof order);
}

/* What was measured counts before what drivers say, and the caller's word before both. */
static void links_that_were_measured(void **state)
{
    static const char format[] =
        "{\"schema_version\": 1, \"provenance\": {\"origin\": \"tuned\", \"date\": \"2026-11-26\"}, \"devices\": ["
        "{\"key\": \"%s\", \"device_gb_per_s\": 1, \"host_gb_per_s\": 3, \"link\": 5}, "
        "{\"key\": \"%s\", \"device_gb_per_s\": 2, \"host_gb_per_s\": 1, \"link\": 2}], \"steps\": []}";
    static const uint64_t same[2] = {0, 0}, backwards[2] = {1, 0}, forwards[2] = {0, 1};
    const test_live *live = *state;
    const cl_device_id devices[3] = {live->device, live->device, live->device};
    char *folder = temporary_folder_create(), text[1024];
    uint64_t order[3] = {77}, per_row = 0;
    clscan_error error = {0};
    int known = 7;

    setenv("XDG_CONFIG_HOME", folder, 1);
    snprintf(text, sizeof text, format, live->info.key, live->info.key);
    assert_status(CLSCAN_ERROR_DEVICE_LIMIT, clscan_devices_by_link(devices, NULL, 2, 1, order, &error), &error);
    assert_status(CLSCAN_OK, clscan_devices_per_row(devices, 2, 1, 10, &per_row, &known, &error), &error);
    assert_true(known == 0 && per_row == 2);
    temporary_folder_write(folder, "clscan/groups/a.json", text, strlen(text));
    assert_status(CLSCAN_OK, clscan_devices_by_link(devices, NULL, 2, 1, order, &error), &error);
    assert_memory_equal(order, backwards, sizeof backwards);
    setenv("CLSCAN_TEST_PCI", "0 1 0 0,0 2 0 0", 1);
    assert_status(CLSCAN_OK, clscan_devices_by_link(devices, NULL, 2, 1, order, &error), &error);
    assert_memory_equal(order, backwards, sizeof backwards);
    assert_status(CLSCAN_OK, clscan_devices_by_link(devices, same, 2, 2, order, &error), &error);
    assert_memory_equal(order, forwards, sizeof forwards);
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_by_link(devices, NULL, 2, 2, order, &error), &error);
    assert_non_null(strstr(error.message, "link 2"));
    unsetenv("CLSCAN_TEST_PCI");
    assert_status(CLSCAN_ERROR_DEVICE_LIMIT, clscan_devices_by_link(devices, NULL, 3, 1, order, &error), &error);

    assert_status(CLSCAN_OK, clscan_devices_per_row(devices, 2, 2, 10, &per_row, &known, &error), &error);
    assert_true(known == 1 && per_row == 1);
    assert_status(CLSCAN_OK, clscan_devices_per_row(devices, 2, 1, 10, &per_row, NULL, &error), &error);
    assert_int_equal(per_row, 2); /* no step says otherwise */
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_devices_per_row(NULL, 2, 1, 1, &per_row, NULL, &error), &error);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_devices_per_row(devices, 2, 1, 1, NULL, NULL, &error), &error);
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_devices_per_row(devices, 0, 1, 1, &per_row, NULL, &error), &error);
    unsetenv("XDG_CONFIG_HOME");
    temporary_folder_remove(folder);
}

/* Links belong to the devices with these addresses, in any order; shares serve others of the same models, too. */
static void devices_are_known_by_address(void **state)
{
    static const char format[] =
        "{\"schema_version\": 1, \"provenance\": {\"origin\": \"tuned\", \"date\": \"2026-11-30\"}, \"devices\": ["
        "{\"key\": \"%s\", \"pci_address\": \"%s\", \"device_gb_per_s\": 3, \"host_gb_per_s\": 3, \"link\": 5}, "
        "{\"key\": \"%s\", \"pci_address\": \"%s\", \"device_gb_per_s\": 2, \"host_gb_per_s\": 1, \"link\": 2}], "
        "\"steps\": []}";
    static const struct {
        const char *file[2]; /* addresses in the config */
        const char *devices; /* those of the group */
        int links_known, known;
        uint64_t links[2];
        double weights[2];
    } cases[] = {
        {{"0000:01:00.0", "0000:02:00.0"}, "0 1 0 0,0 2 0 0", 1, 1, {5, 2}, {3, 2}},
        {{"0000:01:00.0", "0000:02:00.0"}, "0 2 0 0,0 1 0 0", 1, 1, {2, 5}, {2, 3}},
        {{"0000:01:00.0", "0000:02:00.0"}, "0 1 0 0,0 3 0 0", 0, 1, {7, 7}, {3, 2}},
        {{"0000:01:00.0", "0000:01:00.0"}, "0 1 0 0,0 1 0 0", 1, 1, {5, 2}, {3, 2}},
        {{"0000:01:00.0", "0000:01:00.0"}, "0 1 0 0,0 2 0 0", 0, 0, {7, 7}, {1, 1}}, /* one twice is no two */
        {{"0000:01:00.0", "0000:02:00.0"}, "0 1 0 0,0 1 0 0", 0, 0, {7, 7}, {1, 1}},
        {{"0000:01:00.0", "0000:02:00.0"}, NULL, 1, 1, {5, 2}, {3, 2}},
    };
    const test_live *live = *state;
    const cl_device_id devices[2] = {live->device, live->device};
    char *folder = temporary_folder_create(), text[1024];
    clscan_error error = {0};

    setenv("XDG_CONFIG_HOME", folder, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        uint64_t links[2] = {7, 7};
        double weights[2] = {0};
        int links_known = 9, known = 9;

        if (cases[i].devices != NULL)
            setenv("CLSCAN_TEST_PCI", cases[i].devices, 1);
        else
            unsetenv("CLSCAN_TEST_PCI");
        snprintf(text, sizeof text, format, live->info.key, cases[i].file[0], live->info.key, cases[i].file[1]);
        temporary_folder_write(folder, "clscan/groups/a.json", text, strlen(text));
        assert_status(CLSCAN_OK, clscan_devices_links(devices, 2, links, &links_known, &error), &error);
        assert_status(CLSCAN_OK, clscan_devices_weights(devices, 2, CLSCAN_DEVICES_SCAN, 5, weights, &known, &error),
                      &error);
        assert_true(links_known == cases[i].links_known && known == cases[i].known);
        assert_memory_equal(links, cases[i].links, sizeof links);
        assert_memory_equal(weights, cases[i].weights, sizeof weights);
    }
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_devices_links(devices, 2, NULL, &(int){0}, &error), &error);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_devices_links(devices, 2, &(uint64_t){0}, NULL, &error), &error);
    unsetenv("XDG_CONFIG_HOME");
    temporary_folder_remove(folder);
}

/* The config of the same devices goes before one of the same models, wherever it stands. */
static void the_same_devices_go_first(void **state)
{
    static const char format[] =
        "{\"schema_version\": 1, \"provenance\": {\"origin\": \"tuned\", \"date\": \"2026-11-30\"}, \"devices\": ["
        "{\"key\": \"%s\", \"pci_address\": \"%s\", \"device_gb_per_s\": %d, \"host_gb_per_s\": 3}], \"steps\": []}";
    const test_live *live = *state;
    char *folder = temporary_folder_create(), text[1024];
    clscan_error error = {0};
    double weight = 0;

    setenv("XDG_CONFIG_HOME", folder, 1);
    setenv("CLSCAN_TEST_PCI", "0 2 0 0", 1);
    for (int i = 0; i < 4; ++i) {
        static const char *const addresses[] = {"", "0000:01:00.0", "0000:02:00.0", "0000:02:00.0"};
        static const char *const names[] = {"clscan/groups/a.json", "clscan/groups/b.json", "clscan/groups/c.json",
                                            "clscan/groups/d.json"};

        snprintf(text, sizeof text, format, live->info.key, addresses[i], i + 1);
        temporary_folder_write(folder, names[i], text, strlen(text));
    }
    assert_status(CLSCAN_OK, clscan_devices_weights(&live->device, 1, CLSCAN_DEVICES_SCAN, 5, &weight, NULL, &error),
                  &error);
    assert_true(weight == 3);
    unsetenv("CLSCAN_TEST_PCI");
    unsetenv("XDG_CONFIG_HOME");
    temporary_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_of_the_caller),       cmocka_unit_test(addresses_of_drivers),
        cmocka_unit_test(links_that_were_measured),  cmocka_unit_test(devices_are_known_by_address),
        cmocka_unit_test(the_same_devices_go_first),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
