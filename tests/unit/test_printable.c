/* Text from outside is safe to print. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmocka_all.h"
#include "common/printable.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static void unsafe_characters_are_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line, *lines;
    } cases[] = {
        {"", "", ""},
        {"plain text, with 'quotes' and ~", "plain text, with 'quotes' and ~", "plain text, with 'quotes' and ~"},
        {"a\x1b[31mred", "a?[31mred", "a?[31mred"},
        {"one\ntwo\tthree\rfour", "one?two?three?four", "one\ntwo\tthree?four"},
        {"\x01\x1f \x7f", "?? ?", "?? ?"},
        {"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
         "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\xc2\x9b"
         "31m",
         "?31m", "?31m"}, /* CSI as one character */
        {"\x9b"
         "31m",
         "?31m", "?31m"}, /* the same as a byte of Latin-1 */
        {"\xc2\xa0\xc2\x80", "\xc2\xa0?",
         "\xc2\xa0?"},                                /* the first character that is safe again, and one that is not */
        {"exe\xe2\x80\xaegpj", "exe?gpj", "exe?gpj"}, /* right to left */
        {"a\xe2\x80\xa8z", "a?z", "a?z"},             /* separator of lines */
        {"\xc0\x9b", "??", "??"},                     /* too long a spelling of ESC */
        {"\xe0\x80\x9b", "???", "???"},               /* and a longer one */
        {"\xed\xa0\x80", "???", "???"},               /* half a surrogate pair */
        {"\xf4\x90\x80\x80", "????", "????"},         /* beyond Unicode */
        {"\xff\xfe", "??", "??"},                     /* never in UTF-8 */
        {"cut \xe2\x82", "cut ??", "cut ??"},         /* by the end of a buffer */
        {"\xe2\x1b\x82", "???", "???"},               /* interrupted */
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        char text[64];

        strcpy(text, cases[i].text);
        clscan__make_printable(text);
        assert_string_equal(text, cases[i].line);
        strcpy(text, cases[i].text);
        clscan__make_printable_lines(text);
        assert_string_equal(text, cases[i].lines);
    }
}

static void copies_are_cut_and_safe(void **state)
{
    (void)state;
    char room[6];

    assert_ptr_equal(clscan__printable("a\nb", room, sizeof room), room);
    assert_string_equal(room, "a?b");
    assert_string_equal(clscan__printable("12345", room, sizeof room), "12345");
    assert_string_equal(clscan__printable("1234\xc3\xbc", room, sizeof room), "1234?");
    assert_string_equal(clscan__printable("x", room, 1), "");
}

static void messages_of_the_library_are_safe(void **state)
{
    (void)state;
    clscan_error error;

    clscan__error_set(&error, CLSCAN_ERROR_FILE, "%s: no such file", "evil\x1b]0;title\x07\nclscan: all right");
    assert_string_equal(error.message, "evil?]0;title??clscan: all right: no such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsafe_characters_are_replaced),
        cmocka_unit_test(copies_are_cut_and_safe),
        cmocka_unit_test(messages_of_the_library_are_safe),
    };

    return cmocka_run_group_tests_name("printable", tests, NULL, NULL);
}
