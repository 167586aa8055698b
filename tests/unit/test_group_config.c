/* Configs of groups: what is read, what is refused and why, and what becomes of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/devices.h>

#include "cmocka_all.h"
#include "config_file/group.h"

static const char path[] = CLSCAN_FIXTURES "/groups/valid/three_devices.json";
static char text[4096];
static size_t text_bytes;
static clscan__group_document document;

static int setup(void **state)
{
    FILE *file = fopen(path, "rb");

    (void)state;
    if (file == NULL)
        return -1;
    text_bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    return 0;
}

static clscan_status read_text(const char *changed, clscan_error *error)
{
    return clscan__group_read(changed, strlen(changed), "group.json", &document, error);
}

static void reading_and_writing_gives_the_same(void **state)
{
    clscan_error error = {0};
    size_t size_bytes = 0;
    char *written;

    (void)state;
    if (read_text(text, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    assert_int_equal(document.device_count, 3);
    assert_int_equal(document.step_count, 4);
    assert_true(document.host_staging);
    assert_string_equal(document.devices[1].key, "nvidia-h200");
    assert_string_equal(document.devices[0].pci_address, "0000:17:00.0");
    assert_true(document.steps[2].largest_count == UINT64_MAX);
    written = clscan__group_write(&document, &size_bytes);
    assert_non_null(written);
    assert_int_equal(size_bytes, text_bytes);
    assert_memory_equal(written, text, text_bytes);
    free(written);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_and_writing_gives_the_same),
        cmocka_unit_test(fewer_devices_are_the_fastest_ones),
        cmocka_unit_test(mistakes_are_named),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
