/* How commands call what a plan could not be made of. */
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "scan_maps.h"

static void failures_name_what_the_user_gave(void **state)
{
    static const plan_culprits select = {.load = "--where", .in = "geo.npy"}, reduce = {.keys = "kw.npy"};
    static const struct {
        const plan_culprits *culprits;
        clscan_status status;
        const char *member, *named;
    } cases[] = {
        {&select, CLSCAN_ERROR_ELEMENT_SOURCE, "problem->element->source", "geo.npy"},
        {&select, CLSCAN_ERROR_MAP_SOURCE, "problem->load->expression", "--where"},
        {&reduce, CLSCAN_ERROR_MAP_SOURCE, "problem->load->source", "--load"},
        {&reduce, CLSCAN_ERROR_MAP_SOURCE, "problem->segments->equal->expression", "--equal"},
        {&reduce, CLSCAN_ERROR_ELEMENT_SOURCE, "problem->segments->key->source", "--keys kw.npy"},
        {&reduce, CLSCAN_ERROR_ELEMENT_SOURCE, "problem->element->source", "--struct"},
        {&reduce, CLSCAN_ERROR_OPERATOR_SOURCE, "problem->custom->source", "--struct"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_error error = {0};

        snprintf(error.message, sizeof error.message, "%s does not compile on a device", cases[i].member);
        assert_int_equal(map_failure(cases[i].status, cases[i].culprits, &error), cases[i].status);
        assert_non_null(strstr(error.message, cases[i].named));
        assert_non_null(strstr(error.message, " does not compile"));
        assert_null(strstr(error.message, "->"));
    }
}

static void other_failures_stay(void **state)
{
    static const plan_culprits none = {0};
    clscan_error error = {.message = "the device is lost"};

    (void)state;
    assert_int_equal(map_failure(CLSCAN_ERROR_OPENCL, &none, &error), CLSCAN_ERROR_OPENCL);
    assert_string_equal(error.message, "the device is lost");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_name_what_the_user_gave),
        cmocka_unit_test(other_failures_stay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
