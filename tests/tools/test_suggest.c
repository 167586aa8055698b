/* Which known name a mistyped one is taken for. */
#include <string.h>

#include "cmocka_all.h"
#include "suggest.h"

static const char *const names[] = {"type", "op", "in-place", "in-place-of", "exclusive", "reverse", "init", "device"};

static const char *nearest(const char *word)
{
    suggestion found = {.word = word, .word_bytes = strlen(word)};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        suggest_offer(&found, names[i]);
    return found.best;
}

static void slips_of_the_finger_are_understood(void **state)
{
    (void)state;
    assert_string_equal(nearest("typ"), "type");      /* left out */
    assert_string_equal(nearest("tyype"), "type");    /* too many */
    assert_string_equal(nearest("tpye"), "type");     /* swapped */
    assert_string_equal(nearest("devixe"), "device"); /* replaced */
    assert_string_equal(nearest("in_place"), "in-place");
    assert_string_equal(nearest("exclusiv"), "exclusive");
    assert_string_equal(nearest("rev"), "reverse"); /* begins alike */
    assert_string_equal(nearest("devices"), "device");
}

static void the_nearest_wins_and_the_first_of_equals(void **state)
{
    (void)state;
    assert_string_equal(nearest("in-place"), "in-place");
    assert_string_equal(nearest("in-place-off"), "in-place");
}

static void what_is_far_from_all_gets_nothing(void **state)
{
    (void)state;
    assert_null(nearest(""));
    assert_null(nearest("zz"));
    assert_null(nearest("verbose"));
    assert_null(nearest("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"));
}

static void the_word_need_not_be_terminated(void **state)
{
    (void)state;
    suggestion found = {.word = "tpye=int32", .word_bytes = 4};

    suggest_offer(&found, "type");
    assert_string_equal(found.best, "type");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_of_the_finger_are_understood),
        cmocka_unit_test(the_nearest_wins_and_the_first_of_equals),
        cmocka_unit_test(what_is_far_from_all_gets_nothing),
        cmocka_unit_test(the_word_need_not_be_terminated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
