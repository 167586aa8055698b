/* Texts that brackets can be put around, and texts that would end them. */
#include <string.h>

#include "cmocka_all.h"
#include "common/expression.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static void expressions_have_no_fault(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "element > 0",
        "(element[index % 3] + f(a, (int2)(1, 2)).x)",
        "a\n+ b // a comment ; with )",
        "a /* ; ( */ + b",
        "element == ')' || element == '\\'' || element == ';'",
        "length(\")\\\"(\")",
        "({ int x = element; x * x; })",
        "a / b * c",
        "",
    };

    for (size_t i = 0; i < COUNT_OF(texts); ++i)
        if (clscan__expression_fault(texts[i]) != NULL)
            fail_msg("'%s' %s", texts[i], clscan__expression_fault(texts[i]));
}

static void other_texts_have_one(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"1) ; int x = (1", "')' that closes nothing"},
        {"1; 2", "';'"},
        {"(1", "not closed"},
        {"a[(1])", "do not match"},
        {"1 } {", "closes nothing"},
        {"1 /* all that follows", "comment that does not end"},
        {"1 + /* ) */ 2)", "closes nothing"},
        {"'a", "quote that does not end"},
        {"\"a\\\"", "quote that does not end"},
        {"')' ; (", "';'"},
    };
    char deep[301];

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const char *fault = clscan__expression_fault(cases[i].text);

        if (fault == NULL || strstr(fault, cases[i].says) == NULL)
            fail_msg("'%s' %s, expected %s", cases[i].text, fault != NULL ? fault : "has no fault", cases[i].says);
    }
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    assert_non_null(strstr(clscan__expression_fault(deep), "256"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_have_no_fault),
        cmocka_unit_test(other_texts_have_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
