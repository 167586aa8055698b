/* Configs of groups: what is read, what is refused and why, and what becomes of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/devices.h>

#include "cmocka_all.h"
#include "config_file/group.h"

static char text[4096];
static size_t text_bytes;
static clscan__group_document document;

static int read_fixture(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL)
        return -1;
    text_bytes = fread(text, 1, sizeof text - 1, file);
    text[text_bytes] = '\0';
    fclose(file);
    return 0;
}

static int three_devices(void **state)
{
    (void)state;
    return read_fixture(CLSCAN_FIXTURES "/groups/valid/three_devices.json");
}

/* With links, and steps of shared rows. */
static int four_devices(void **state)
{
    (void)state;
    return read_fixture(CLSCAN_FIXTURES "/groups/valid/four_devices.json");
}

static clscan_status read_text(const char *changed, clscan_error *error)
{
    return clscan__group_read(changed, strlen(changed), "group.json", &document, error);
}

static void read_and_write(void)
{
    clscan_error error = {0};
    size_t size_bytes = 0;
    char *written;

    if (read_text(text, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    written = clscan__group_write(&document, &size_bytes);
    assert_non_null(written);
    assert_int_equal(size_bytes, text_bytes);
    assert_memory_equal(written, text, text_bytes);
    free(written);
}

static void reading_and_writing_gives_the_same(void **state)
{
    (void)state;
    read_and_write();
    assert_int_equal(document.device_count, 3);
    assert_int_equal(document.step_count, 4);
    assert_true(document.host_staging);
    assert_string_equal(document.devices[1].key, "nvidia-h200");
    assert_string_equal(document.devices[0].pci_address, "0000:17:00.0");
    assert_true(document.steps[2].largest_count == UINT64_MAX);
    assert_false(document.devices[0].has_link);
}

static void links_and_shared_rows_are_read(void **state)
{
    (void)state;
    read_and_write();
    assert_true(document.devices[3].has_link);
    assert_int_equal(document.devices[3].link, 1);
    assert_int_equal(document.steps[3].rows, 2);
    assert_int_equal(document.steps[1].rows, 0);
}

static void expect_per_row(uint64_t rows, uint64_t count, size_t expected)
{
    assert_int_equal(clscan__group_per_row(&document, 4, rows, count), expected);
}

static void rows_are_shared_as_was_measured(void **state)
{
    clscan_error error = {0};

    (void)state;
    assert_int_equal(read_text(text, &error), CLSCAN_OK);
    expect_per_row(4, UINT64_MAX, 1);
    expect_per_row(1000, 1, 1);
    expect_per_row(2, 8388608, 1);
    expect_per_row(2, 8388609, 2);
    expect_per_row(3, 8388609, 2); /* as two rows */
    expect_per_row(1, 16777216, 1);
    expect_per_row(1, 16777217, 4);
    expect_per_row(0, 5, 1);
    document.step_count = 2; /* those of one scan only */
    expect_per_row(2, 5, 2);
    expect_per_row(3, 5, 1);
}

static void unknown_groups_are_kept_busy(void **state)
{
    static const struct {
        size_t devices;
        uint64_t rows;
        size_t per_row;
    } cases[] = {{8, 1, 8}, {8, 2, 4}, {8, 3, 2}, {8, 4, 2}, {8, 5, 1}, {6, 2, 3}, {7, 2, 1}, {7, 1, 7}, {1, 1, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_int_equal(clscan__group_per_row(NULL, cases[i].devices, cases[i].rows, 1000), cases[i].per_row);
}

static void weights_of(clscan_devices_work work, uint64_t count, double a, double b, double c)
{
    double weights[3];

    clscan__group_weights(&document, (uint32_t)work, count, weights);
    assert_true(weights[0] == a && weights[1] == b && weights[2] == c);
}

/* The slowest go first, of equal ones the later. */
static void fewer_devices_are_the_fastest_ones(void **state)
{
    clscan_error error = {0};

    (void)state;
    assert_int_equal(read_text(text, &error), CLSCAN_OK);
    weights_of(CLSCAN_DEVICES_ROWS, 0, 0, 4000, 0);
    weights_of(CLSCAN_DEVICES_ROWS, 65536, 0, 4000, 0);
    weights_of(CLSCAN_DEVICES_ROWS, 65537, 0, 4000, 4000);
    weights_of(CLSCAN_DEVICES_ROWS, 1048577, 2500, 4000, 4000);
    weights_of(CLSCAN_DEVICES_SCAN, 1, 2500, 4000, 4000); /* not measured */
    weights_of(CLSCAN_DEVICES_HOST, 5, 22.5, 0, 30);
}

/* Put `with` in the place of `what`, and see where the mistake is said to be. */
static void refuse(const char *what, const char *with, clscan_status expected, const char *culprit)
{
    char changed[sizeof text];
    const char *at = strstr(text, what);
    clscan_error error = {0};
    const clscan__group_document before = document;
    clscan_status status;

    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, with, at + strlen(what));
    status = read_text(changed, &error);
    if (status != expected || strstr(error.message, culprit) == NULL)
        fail_msg("%s instead of %s: %s, %s", with, what, clscan_status_name(status), error.message);
    assert_memory_equal(&document, &before, sizeof before);
}

static void mistakes_are_named(void **state)
{
    (void)state;
#define SCHEMA CLSCAN_ERROR_CONFIG_SCHEMA
    refuse("\"schema_version\": 1", "\"schema_version\": 2", CLSCAN_ERROR_CONFIG_VERSION, "/schema_version");
    refuse("\"schema_version\": 1,", "", SCHEMA, "/schema_version");
    refuse("\"devices\": [", "\"devices\": [[],", SCHEMA, "/devices/0");
    refuse("\"tuned\"", "\"guessed\"", SCHEMA, "/provenance/origin");
    refuse("\"nvidia-h100\"", "\"NVIDIA H100\"", SCHEMA, "/devices/0/key");
    refuse("\"nvidia-h100\"", "\"\"", SCHEMA, "/devices/0/key");
    refuse("2500.0", "0", SCHEMA, "/devices/0/device_gb_per_s");
    refuse("22.5", "-1", SCHEMA, "/devices/0/host_gb_per_s");
    refuse("2500.0", "\"fast\"", SCHEMA, "/devices/0/device_gb_per_s");
    refuse("\"devices\": 1", "\"devices\": 0", SCHEMA, "/steps/0/devices");
    refuse("\"devices\": 1", "\"devices\": 4", SCHEMA, "/steps/0/devices");
    refuse("\"rows\"", "\"columns\"", SCHEMA, "/steps/0/work");
    refuse("\"rows\"", "\"host\"", SCHEMA, "/steps/");
    refuse("65536", "0", SCHEMA, "/steps/0/largest_count");
    refuse("65536", "1048576", SCHEMA, "/steps/0/largest_count");
    refuse("65536", "null", SCHEMA, "/steps/0/largest_count");
    refuse("null, \"devices\": 3", "2000000, \"devices\": 3", SCHEMA, "/steps/2/largest_count");
    refuse("true", "1", SCHEMA, "/host_staging");
    refuse("\"steps\"", "\"stairs\"", SCHEMA, "stairs");
    refuse("[", "", CLSCAN_ERROR_CONFIG_SYNTAX, "group.json:");
#undef SCHEMA
}

static void mistakes_in_links_and_shared_rows_are_named(void **state)
{
    (void)state;
#define SCHEMA CLSCAN_ERROR_CONFIG_SCHEMA
    refuse("\"link\": 1", "\"link\": -1", SCHEMA, "/devices/1/link");
    refuse("\"link\": 1", "\"link\": 4294967296", SCHEMA, "/devices/1/link");
    refuse(", \"link\": 1", "", SCHEMA, "/devices/1/link");
    refuse("\"rows\": 2, ", "", SCHEMA, "/steps/2/rows");
    refuse("\"rows\": 2", "\"rows\": 1", SCHEMA, "/steps/2/rows");
    refuse("\"rows\": 2", "\"rows\": 4", SCHEMA, "/steps/2/rows");
    refuse("\"rows\": 2", "\"rows\": 3", SCHEMA, "/steps/"); /* of which there is no last step */
    refuse("\"scan\",", "\"scan\", \"rows\": 2,", SCHEMA, "/steps/0/rows");
    refuse("\"devices\": 2", "\"devices\": 3", SCHEMA, "/steps/3/devices");
#undef SCHEMA
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(reading_and_writing_gives_the_same, three_devices),
        cmocka_unit_test_setup(links_and_shared_rows_are_read, four_devices),
        cmocka_unit_test_setup(fewer_devices_are_the_fastest_ones, three_devices),
        cmocka_unit_test_setup(rows_are_shared_as_was_measured, four_devices),
        cmocka_unit_test(unknown_groups_are_kept_busy),
        cmocka_unit_test_setup(mistakes_are_named, three_devices),
        cmocka_unit_test_setup(mistakes_in_links_and_shared_rows_are_named, four_devices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
