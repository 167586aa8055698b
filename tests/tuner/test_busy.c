/* Whether other programs are seen that use the processors. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "command/busy.h"

static const char two_cores[] = "cpu  1000 20 300 90000 50 6 7 400 0 0\n"
                                "cpu0 500 10 150 45000 25 3 4 200 0 0\n"
                                "cpu1 500 10 150 45000 25 3 3 200 0 0\n"
                                "intr 12345 0 9\nctxt 99\n";

static void the_system_is_read(void **state)
{
    tune_busy busy = {0};

    (void)state;
    assert_true(tune_busy_parse(two_cores, 100, &busy));
    assert_float_equal(busy.all_s, 13.33, 1e-9);
    assert_float_equal(busy.stolen_s, 4.0, 1e-9);
    assert_int_equal(busy.cores, 2);
    assert_false(tune_busy_parse("", 100, &busy));
    assert_false(tune_busy_parse("cpu 1 2\n", 100, &busy));
}

static void only_others_make_it_busy(void **state)
{
    static const struct {
        double all_s, stolen_s, own_s;
        bool busy;
    } rows[] = {
        {20, 0, 20, false},                                          /* all of it is ours */
        {20.5, 0, 20, false},                                        /* 5 % of a core */
        {30, 0, 20, true},    {20, 5, 20, true}, {19, 0, 20, false}, /* two clocks */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const tune_busy begin = {100, 7, 3, 50, 2};
        const tune_busy end = {100 + rows[i].all_s, 7 + rows[i].stolen_s, 3 + rows[i].own_s, 60, 2};
        char text[200];

        if (tune_busy_between(&begin, &end, text, sizeof text) != rows[i].busy)
            fail_msg("row %zu: \"%s\"", i, text);
        assert_int_equal(text[0] != '\0', rows[i].busy);
    }
}

/* What this process does is its own. */
static void own_work_is_not_that_of_others(void **state)
{
    tune_busy begin, end;
    volatile double sum = 0;

    (void)state;
    if (!tune_busy_now(&begin))
        skip();
    for (unsigned i = 0; i < 30000000; ++i)
        sum += i;
    assert_true(tune_busy_now(&end));
    assert_true(end.own_s > begin.own_s);
    assert_true(end.clock_s > begin.clock_s);
    assert_true(end.all_s >= begin.all_s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_system_is_read),
        cmocka_unit_test(only_others_make_it_busy),
        cmocka_unit_test(own_work_is_not_that_of_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
