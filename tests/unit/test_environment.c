/* A program with rights that its caller lacks goes by no environment variable. Linked with --wrap=getauxval, so that it
 * can be told that it is one. */
#include <stdlib.h>
#include <sys/auxv.h>

#include "base/environment.h"
#include "base/file.h"
#include "cmocka_all.h"
#include "config/sources.h"
#include "probe/settings.h"
#include "program/cache_settings.h"
#include "program/source.h"

unsigned long __real_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type);

static bool privileged;

unsigned long __wrap_getauxval(unsigned long type)
{
    return type == AT_SECURE && privileged ? 1 : __real_getauxval(type);
}

static const struct {
    const char *name, *value;
} variables[] = {
    {"CLSCAN_KERNEL_DIR", "/nonexistent"},
    {"CLSCAN_CONFIG", "/nonexistent/config.json"},
    {"CLSCAN_CACHE", "/nonexistent"},
    {"CLSCAN_CACHE_MAX_BYTES", "1"},
    {"CLSCAN_PROBE", "off"},
    {"XDG_CONFIG_HOME", "/nonexistent"},
    {"XDG_CACHE_HOME", "/nonexistent"},
    {"HOME", "/nonexistent"},
};

static int setup(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i)
        setenv(variables[i].name, variables[i].value, 1);
    return 0;
}

static void variables_count_without_privileges(void **state)
{
    (void)state;
    clscan__cache_settings settings;
    clscan__config_sources *sources = NULL;
    clscan__text text = {0};

    privileged = false;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i)
        assert_string_equal(clscan__environment(variables[i].name), variables[i].value);
    assert_null(clscan__environment("CLSCAN_NO_SUCH_VARIABLE"));
    assert_int_equal(clscan__source_append(&text, "elements/types.cl", NULL), CLSCAN_ERROR_FILE);
    clscan__text_free(&text);
    assert_int_equal(clscan__config_sources_get(&sources, NULL), CLSCAN_ERROR_FILE);
    assert_int_equal(clscan__cache_settings_get(&settings, NULL), CLSCAN_OK);
    assert_string_equal(settings.folder, "/nonexistent");
    assert_int_equal(settings.max_bytes, 1);
    clscan__cache_settings_free(&settings);
    assert_int_equal(clscan__probe_mode(CLSCAN_PROBE_AUTO), CLSCAN_PROBE_OFF);
}

static void none_counts_with_them(void **state)
{
    (void)state;
    clscan__cache_settings settings;
    clscan__config_sources *sources = NULL;
    clscan__text text = {0};
    size_t count;

    privileged = true;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i)
        assert_null(clscan__environment(variables[i].name));
    assert_int_equal(clscan__source_append(&text, "elements/types.cl", NULL), CLSCAN_OK);
    clscan__text_free(&text);
    assert_int_equal(clscan__config_sources_get(&sources, NULL), CLSCAN_OK);
    clscan__config_sources_list(sources, &count);
    assert_true(count > 0);
    clscan__config_sources_release(sources);
    assert_int_equal(clscan__cache_settings_get(&settings, NULL), CLSCAN_OK);
    assert_null(settings.folder);
    assert_int_equal(settings.max_bytes, CLSCAN_CACHE_DEFAULT_MAX_BYTES);
    clscan__cache_settings_free(&settings);
    assert_int_equal(clscan__probe_mode(CLSCAN_PROBE_AUTO), CLSCAN_PROBE_AUTO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_count_without_privileges),
        cmocka_unit_test(none_counts_with_them),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
