/* Operators are applied to elements, initial values and what came of neighbouring ones, and to nothing else (decision
 * 0004), also where the result is dropped. An operator that meets something else prints, and what is printed while a
 * scan runs is caught. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "live.h"

enum { SHOWN = 100 };

/* clscan_run(), to its end. `printed` receives how that begins which kernels print. */
static clscan_status run_caught(const test_live *live, const clscan_case_fixture *fixture, const clscan_run_args *args,
                                char printed[SHOWN], clscan_error *error)
{
    FILE *caught = tmpfile();
    clscan_status status;
    size_t length;
    int kept;

    assert_non_null(caught);
    fflush(stdout);
    kept = dup(STDOUT_FILENO);
    assert_true(kept >= 0 && dup2(fileno(caught), STDOUT_FILENO) >= 0);
    status = clscan_run(fixture->plan, fixture->workspace, live->queue, args, 0, NULL, NULL, error);
    clFinish(live->queue);
    fflush(stdout);
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    close(kept);
    rewind(caught);
    length = fread(printed, 1, SHOWN - 1, caught);
    printed[length] = '\0';
    fclose(caught);
    return status;
}

/* Scan 40960 elements of one value, which the operator combines to the same, with the variants of the configs. */
static void scan_of_equals(const test_live *live, const clscan_custom_operator *custom, uint64_t element)
{
    enum { COUNT = 40960 };
    clscan_problem problem = test_problem(CLSCAN_UINT64, CLSCAN_CUSTOM, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    uint64_t *elements = malloc(COUNT * sizeof *elements);
    clscan_case_fixture fixture;
    clscan_error error = {0};
    char printed[SHOWN];

    assert_non_null(elements);
    for (size_t i = 0; i < COUNT; ++i)
        elements[i] = element;
    problem.custom = custom;
    test_prepare(live, &problem, NULL, NULL, &fixture);
    cl_mem buffer = test_buffer(live, CL_MEM_READ_WRITE, COUNT * sizeof *elements, elements);
    const clscan_run_args args = {.struct_size = sizeof args, .in = buffer, .out = buffer, .count = COUNT};
    assert_status(CLSCAN_OK, run_caught(live, &fixture, &args, printed, &error), &error);
    assert_string_equal(printed, "");
    test_read(live, buffer, COUNT * sizeof *elements, elements);
    for (size_t i = 0; i < COUNT; ++i)
        assert_int_equal(elements[i], element);
    clReleaseMemObject(buffer);
    clscan_case_release(&fixture);
    free(elements);
}

/* Its loop ends for each element, but not for 0. Here it is bounded, and says so. */
static void an_operator_that_loops(void **state)
{
    static const clscan_custom_operator collatz = {
        "ulong to_one(ulong x)\n"
        "{\n"
        "    uint steps = 0;\n"
        "    for (; x != 1 && steps < 1000; ++steps)\n"
        "        x = x & 1 ? 3 * x + 1 : x / 2;\n"
        "    if (x != 1)\n"
        "        printf(\"no end\\n\");\n"
        "    return x;\n"
        "}\n"
        "ulong collatz(ulong left, ulong right) { return to_one(left) * to_one(right); }\n",
        "collatz", NULL};

    scan_of_equals(*state, &collatz, 1);
}

/* A CPU ends the program that divides by 0. */
static void an_operator_that_divides(void **state)
{
    static const clscan_custom_operator least_common_multiple = {"ulong lcm(ulong left, ulong right)\n"
                                                                 "{\n"
                                                                 "    ulong a = left, b = right;\n"
                                                                 "    while (b != 0) {\n"
                                                                 "        const ulong rest = a % b;\n"
                                                                 "        a = b;\n"
                                                                 "        b = rest;\n"
                                                                 "    }\n"
                                                                 "    return left / a * right;\n"
                                                                 "}\n",
                                                                 "lcm", NULL};

    scan_of_equals(*state, &least_common_multiple, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_operator_that_loops),
        cmocka_unit_test(an_operator_that_divides),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
