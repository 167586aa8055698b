/* Every type, operator, form and direction, with the variants that the device's configs choose. The pairs of form and
 * direction go round over types and operators, unless all of them are wanted. */
#include <stdio.h>

#include "cmocka_all.h"
#include "live.h"

/* Small: the matrix is ruled by the time that compiling takes. The counts cross a tile edge of the
 * variants that CPUs and GPUs get for small scans, or at least a vector's. */
enum { MAX_COUNT = 5000 };

static const struct {
    uint64_t count;
    uint64_t in_offset;
    uint64_t out_offset;
    int in_place;
    clscan_case_initial initial;
} runs[] = {
    {4999, 0, 0, 0, CLSCAN_CASE_NO_INITIAL},    /* the plain case, no multiple of anything */
    {1237, 3, 3, 1, CLSCAN_CASE_HOST_INITIAL},  /* in place at an odd address */
    {258, 1, 2, 0, CLSCAN_CASE_DEVICE_INITIAL}, /* input and output misaligned in two ways */
};

static unsigned run_all(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                        clscan_generator generator)
{
    clscan_case_fixture fixture;
    unsigned failures = 0;

    if (test_try_prepare(live, problem, sample, NULL, &fixture) != CLSCAN_OK)
        return 1;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i) {
        const clscan_case test = {.count = runs[i].count,
                                  .in_offset = runs[i].in_offset,
                                  .out_offset = runs[i].out_offset,
                                  .in_place = runs[i].in_place,
                                  .initial = runs[i].initial,
                                  .total = 1,
                                  .generator = generator,
                                  .seed = 100 + i};
        failures += test_case(&fixture, &test);
    }
    clscan_case_release(&fixture);
    return failures;
}

static int is_wanted(clscan_type type, int op, int form, int direction)
{
    return test_thorough() || ((int)type + op) % 8 == 2 * form + direction;
}

static void scan_type(const test_live *live, clscan_type type)
{
    static const clscan_form forms[] = {CLSCAN_INCLUSIVE, CLSCAN_EXCLUSIVE};
    static const clscan_direction directions[] = {CLSCAN_FORWARD, CLSCAN_REVERSE};
    unsigned failures = 0;

    if (!test_type_runs(live, type)) {
        print_message("%s: not on this device\n", clscan_type_name(type));
        skip();
    }
    for (int op = 0; op < CLSCAN_CUSTOM; ++op) {
        const int bitwise = op == CLSCAN_AND || op == CLSCAN_OR || op == CLSCAN_XOR;
        if (bitwise && clscan_reference_is_floating(type))
            continue;
        for (int form = 0; form < 2; ++form)
            for (int direction = 0; direction < 2; ++direction) {
                const clscan_problem problem =
                    test_problem(type, (clscan_operator)op, forms[form], directions[direction], MAX_COUNT);
                if (is_wanted(type, op, form, direction))
                    failures += run_all(live, &problem, NULL,
                                        clscan_generator_for(type, (clscan_operator)op, directions[direction]));
            }
    }
    for (int form = 0; form < 2; ++form)
        for (int direction = 0; direction < 2; ++direction) {
            const clscan_sample_operator *sample = clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, type);
            const clscan_problem problem =
                test_custom_problem(type, sample, forms[form], directions[direction], MAX_COUNT);
            if (is_wanted(type, CLSCAN_CUSTOM, form, direction))
                failures += run_all(live, &problem, sample, CLSCAN_GENERATE_MOSTLY_ZERO);
        }
    assert_int_equal(failures, 0);
}

/* One cmocka test per type, so that a failing type is seen in the summary. */
#define X(name, text, ...)                \
    static void scan_##text(void **state) \
    {                                     \
        scan_type(*state, CLSCAN_##name); \
    }
CLSCAN_TYPE_LIST(X)
#undef X

int main(void)
{
    const struct CMUnitTest tests[] = {
#define X(name, text, ...) cmocka_unit_test(scan_##text),
        CLSCAN_TYPE_LIST(X)
#undef X
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
