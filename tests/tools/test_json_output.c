/* JSON values of texts and numbers that drivers may come up with. */
#include <inttypes.h>
#include <string.h>

#include "cmocka_all.h"
#include "json_output.h"

static void texts_become_valid_json(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted; /* wanted: NULL for null */
    } cases[] = {
        {"NVIDIA H200", "NVIDIA H200"},
        {"\"quoted\" \\ \t", "\"quoted\" \\ \t"},
        {"caf\xc3\xa9", "caf\xc3\xa9"},
        {"caf\xe9 \xff", "caf? ?"}, /* Latin-1 is no UTF-8 */
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        json_t *made = json_text(cases[i].text);

        if (cases[i].wanted != NULL)
            assert_string_equal(json_string_value(made), cases[i].wanted);
        else
            assert_true(json_is_null(made));
        json_decref(made);
    }
}

static void numbers_are_exact_unknown_or_near(void **state)
{
    (void)state;
    json_t *made = json_number(INT64_MAX, 0);
    assert_true(json_is_integer(made));
    assert_true(json_integer_value(made) == INT64_MAX);
    json_decref(made);
    made = json_number(UINT64_C(1) << 63, 0);
    assert_true(json_is_real(made));
    assert_true(json_real_value(made) > 9.2e18);
    json_decref(made);
    assert_true(json_is_null(json_number(7, 7)));
    made = json_count(UINT64_MAX); /* a count, however large, is known */
    assert_true(json_is_real(made));
    json_decref(made);
}

static void words_become_an_array(void **state)
{
    (void)state;
    json_t *made = json_words(" one  two ");
    assert_int_equal(json_array_size(made), 2);
    assert_string_equal(json_string_value(json_array_get(made, 1)), "two");
    json_decref(made);
    made = json_words("");
    assert_int_equal(json_array_size(made), 0);
    json_decref(made);
}

static void a_missing_value_is_an_error(void **state)
{
    (void)state;
    clscan_error error;
    json_t *object = json_object();
    assert_int_equal(json_put(object, "key", NULL, &error), CLSCAN_ERROR_OUT_OF_MEMORY);
    assert_non_null(strstr(error.message, "key"));
    assert_int_equal(json_add(NULL, json_null(), &error), CLSCAN_ERROR_OUT_OF_MEMORY);
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_become_valid_json),
        cmocka_unit_test(numbers_are_exact_unknown_or_near),
        cmocka_unit_test(words_become_an_array),
        cmocka_unit_test(a_missing_value_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
