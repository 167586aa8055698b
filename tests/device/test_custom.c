/* Operators from the caller: right results, kept apart from the library's names, honest errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "live.h"

enum { MAX_COUNT = 20000 };

/* keep_last on elements that are mostly zero, and affine maps, where every element counts: a result
 * is right only if operands meet in memory order everywhere. */
static void operators_that_do_not_commute(void **state)
{
    const test_live *live = *state;
    static const struct {
        clscan_sample sample;
        clscan_type type;
        clscan_generator generator;
    } operators[] = {
        {CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT16, CLSCAN_GENERATE_FACTORS},
        {CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT32, CLSCAN_GENERATE_FACTORS},
        {CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT64, CLSCAN_GENERATE_FACTORS},
        {CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_HALF, CLSCAN_GENERATE_MOSTLY_ZERO},
    };
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; ++i) {
        const clscan_sample_operator *sample = clscan_sample_find(operators[i].sample, operators[i].type);
        for (int reverse = 0; reverse < 2; ++reverse) {
            const clscan_problem problem =
                test_custom_problem(operators[i].type, sample, reverse ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE,
                                    reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD, MAX_COUNT);
            clscan_case_fixture fixture;
            if (test_try_prepare(live, &problem, sample, NULL, &fixture) != CLSCAN_OK) {
                ++failures;
                continue;
            }
            for (int initial = 0; initial < 3; ++initial) {
                const clscan_case test = {.count = MAX_COUNT - 7 * (uint64_t)initial,
                                          .in_place = initial == 1,
                                          .initial = (clscan_case_initial)initial,
                                          .total = 1,
                                          .generator = operators[i].generator,
                                          .seed = 5 + (uint64_t)initial};
                failures += test_case(&fixture, &test);
            }
            clscan_case_release(&fixture);
        }
    }
    assert_int_equal(failures, 0);
}

/* clscan_case_run() expects the refusal exactly where the reference refuses. */
static void an_operator_without_identity(void **state)
{
    const test_live *live = *state;
    const clscan_sample_operator *sample = clscan_sample_find(CLSCAN_SAMPLE_TAKE_LEFT, CLSCAN_INT32);
    static const struct {
        uint64_t count;
        clscan_case_initial initial;
        int total;
    } cases[] = {
        {5000, CLSCAN_CASE_NO_INITIAL, 1},                                     /* exclusive: refused */
        {5000, CLSCAN_CASE_HOST_INITIAL, 1},                                   /* the initial value stands in */
        {5000, CLSCAN_CASE_DEVICE_INITIAL, 0}, {0, CLSCAN_CASE_NO_INITIAL, 0}, /* nothing asked, nothing refused */
        {0, CLSCAN_CASE_NO_INITIAL, 1},                                        /* the total of nothing: refused */
        {0, CLSCAN_CASE_HOST_INITIAL, 1},                                      /* is the initial value */
        {1, CLSCAN_CASE_NO_INITIAL, 1},
    };
    unsigned failures = 0;

    for (int form = 0; form < 2; ++form)
        for (int reverse = 0; reverse < 2; ++reverse) {
            const clscan_problem problem =
                test_custom_problem(CLSCAN_INT32, sample, (clscan_form)form, (clscan_direction)reverse, MAX_COUNT);
            clscan_case_fixture fixture;
            test_prepare(live, &problem, sample, NULL, &fixture);
            for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
                const clscan_case test = {.count = cases[i].count,
                                          .initial = cases[i].initial,
                                          .total = cases[i].total,
                                          .generator = CLSCAN_GENERATE_UNIFORM,
                                          .seed = i};
                failures += test_case(&fixture, &test);
            }
            clscan_case_release(&fixture);
        }
    assert_int_equal(failures, 0);
}

static clscan_status create(const test_live *live, const clscan_custom_operator *custom, clscan_error *error)
{
    clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_CUSTOM, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1000);
    clscan_plan *plan = NULL;
    clscan_status status;

    problem.custom = custom;
    memset(error, 0, sizeof *error);
    status = clscan_plan_create(live->context, live->device, &problem, NULL, &plan, error);
    clscan_plan_destroy(plan);
    return status;
}

/* The words of the compiler carry the line of the caller. */
static void compile_errors_name_the_callers_line(void **state)
{
    const test_live *live = *state;
    static const struct {
        const char *source;
        const char *line; /* as compilers write it: NAME:LINE: or operator(LINE; not all honour #line */
        const char *other;
    } cases[] = {
        {"int broken(int left, int right) { return left +; }\n", ":1:", "operator(1"},
        {"/* a\n   comment */\nint broken(int left, int right)\n{\n    return lfet + right;\n}\n", ":5:", "operator(5"},
        {"\n\nint broken(int left, int right)\n{\n    return left;\n}\n\nint other(void) { return "
         "1 }",
         ":8:", "operator(8"}, /* no newline at the end */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_custom_operator custom = {sizeof custom, cases[i].source, "broken", "0", 0, 0};
        clscan_error error;
        assert_status(CLSCAN_ERROR_OPERATOR_SOURCE, create(live, &custom, &error), &error);
        assert_int_equal(error.status, CLSCAN_ERROR_OPERATOR_SOURCE);
        if (strstr(error.build_log, cases[i].line) == NULL && strstr(error.build_log, cases[i].other) == NULL) {
            print_error("case %zu: no \"%s\" in the log:\n%s\n", i, cases[i].line, error.build_log);
            fail();
        }
    }
}

/* Some compilers write to the standard error of the process. Where it is a file, that can be read. */
static char *said_while_creating(const test_live *live, const clscan_custom_operator *custom, clscan_status *status,
                                 clscan_error *error)
{
    FILE *file = tmpfile();
    const int standard_error = dup(STDERR_FILENO);
    char *text = calloc(1, 4096);

    assert_non_null(file);
    assert_non_null(text);
    fflush(stderr);
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    *status = create(live, custom, error);
    fflush(stderr);
    assert_true(dup2(standard_error, STDERR_FILENO) >= 0);
    close(standard_error);
    rewind(file);
    assert_true(fread(text, 1, 4095, file) < 4095);
    fclose(file);
    return text;
}

/* Does the device's compiler put the text of a #warning into the log of a program that does not compile? */
static int compiler_logs_warnings(const test_live *live, const char *source, const char *words)
{
    char log[4096] = "";
    cl_int code;
    cl_program program = clCreateProgramWithSource(live->context, 1, &source, NULL, &code);

    assert_cl(code);
    assert_int_not_equal(clBuildProgram(program, 1, &live->device, "", NULL, NULL), CL_SUCCESS);
    clGetProgramBuildInfo(program, live->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    clReleaseProgram(program);
    return strstr(log, words) != NULL;
}

/* Warnings are for whose operator does not compile. */
static void compilers_are_silent_unless_something_failed(void **state)
{
    const test_live *live = *state;
    static const char warns[] = "#warning take care\nint plus(int left, int right) { return left + right; }";
    static const char fails[] = "#warning take care\nint plus(int left, int right) { return lfet + right; }";
    clscan_custom_operator custom = {sizeof custom, warns, "plus", "0", 0, 0};
    clscan_error error;
    clscan_status status;
    char *said = said_while_creating(live, &custom, &status, &error);

    assert_status(CLSCAN_OK, status, &error);
    assert_string_equal(said, "");
    free(said);
    custom.source = fails;
    said = said_while_creating(live, &custom, &status, &error);
    free(said);
    assert_status(CLSCAN_ERROR_OPERATOR_SOURCE, status, &error);
    assert_non_null(strstr(error.build_log, "lfet"));
    if (compiler_logs_warnings(live, fails, "take care"))
        assert_non_null(strstr(error.build_log, "take care"));
    else
        print_message("the compiler does not log warnings\n");
}

static void incomplete_operators(void **state)
{
    const test_live *live = *state;
    static const char good[] = "int plus(int left, int right) { return left + right; }";
    enum { SIZE = sizeof(clscan_custom_operator) };
    static const struct {
        clscan_custom_operator custom;
        clscan_status status;
    } cases[] = {
        {{SIZE, good, "plus", "0", 0, 0}, CLSCAN_OK},
        {{SIZE, good, "plus", NULL, 0, 0}, CLSCAN_OK},
        {{SIZE, good, "minus", "0", 0, 0}, CLSCAN_ERROR_OPERATOR_SOURCE},     /* no such function */
        {{SIZE, good, "plus", "nought", 0, 0}, CLSCAN_ERROR_OPERATOR_SOURCE}, /* no such identity */
        {{SIZE, good, "plus", "0 // nothing", 0, 0}, CLSCAN_OK},
        {{SIZE, good, "plus", "", 0, 0}, CLSCAN_ERROR_INVALID_VALUE},
        {{SIZE, good, "plus", " \n", 0, 0}, CLSCAN_ERROR_INVALID_VALUE},
        {{SIZE, good, "plus", "clscan_x", 0, 0}, CLSCAN_ERROR_INVALID_VALUE},
        {{SIZE, good, "plus", "1) + (2", 0, 0}, CLSCAN_ERROR_INVALID_VALUE},
        {{SIZE, good, "plus", "1; ", 0, 0}, CLSCAN_ERROR_INVALID_VALUE},
        {{SIZE, good, NULL, "0", 0, 0}, CLSCAN_ERROR_INVALID_VALUE},
        {{SIZE, good, "", "0", 0, 0}, CLSCAN_ERROR_INVALID_VALUE},
        {{SIZE, NULL, "plus", "0", 0, 0}, CLSCAN_ERROR_NULL_ARGUMENT},
        {{SIZE, good, "plus", "0", 1, 0}, CLSCAN_OK}, /* of use to structs alone */
        {{SIZE, good, "plus", "0", 2, 0}, CLSCAN_ERROR_INVALID_VALUE},
        {{SIZE, good, "plus", "0", 0, 1}, CLSCAN_ERROR_INVALID_VALUE},
        {{0, good, "plus", "0", 0, 0}, CLSCAN_ERROR_STRUCT_SIZE},
    };
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_error error;
        const clscan_status status = create(live, &cases[i].custom, &error);
        if (status != cases[i].status) {
            print_error("case %zu: expected %s, got %s: %s\n%s\n", i, clscan_status_name(cases[i].status),
                        clscan_status_name(status), error.message, error.build_log);
            ++failures;
        }
    }
    assert_int_equal(failures, 0);
}

/* The caller's names are free: what kernels are often written with must not meet the library's own, which has variables
 * that are called so. */
static void names_are_the_callers(void **state)
{
    const test_live *live = *state;
    static const clscan_custom_operator named[] = {
        {sizeof named[0],
         "#define TILE 3\n"
         "#define WORK_GROUP_SIZE banana\n"
         "#define VECTOR_LENGTH 1\n"
         "#define BARRIER\n"
         "typedef int T;\n"
         "typedef struct tile { T value; } tile_state;\n"
         "static T load(T x) { tile_state s; s.value = x; return s.value; }\n"
         "static T identity(void) { return 0; }\n"
         "static T total(T a, T b) { return a + b; }\n"
         "T combine(T left, T right) { return total(load(left), load(right)) + identity(); }\n",
         "combine", "0", 0, 0},
        {sizeof named[0], "__constant int stored = 0;\nint left(int a, int b) { return a + b; }", "left", "stored", 0,
         0},
        {sizeof named[0], "__constant int before = 0;\nint right(int a, int b) { return a + b; }", "right", "before", 0,
         0},
        {sizeof named[0], "__constant int prefix = 0;\nint v(int a, int b) { return a + b; }", "v", "prefix", 0, 0},
    };
    const clscan_problem sum = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, MAX_COUNT);
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof named / sizeof named[0]; ++i) {
        const clscan_case test = {.count = MAX_COUNT, .total = 1, .generator = CLSCAN_GENERATE_UNIFORM};
        clscan_problem problem = sum;
        clscan_case_fixture fixture;

        problem.op = CLSCAN_CUSTOM;
        problem.custom = &named[i];
        test_prepare(live, &problem, NULL, NULL, &fixture);
        fixture.problem = &sum; /* which is what the reference computes */
        failures += test_case(&fixture, &test);
        clscan_case_release(&fixture);
    }
    assert_int_equal(failures, 0);
}

/* Strings are copied: the caller may overwrite them as soon as the plan is there. */
static void strings_are_copied(void **state)
{
    const test_live *live = *state;
    char source[] = "int plus(int left, int right) { return left + right; }";
    char function[] = "plus";
    char identity[] = "0";
    clscan_custom_operator custom = {sizeof custom, source, function, identity, 0, 0};
    const clscan_problem sum = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 1000);
    clscan_problem problem = sum;
    clscan_case_fixture fixture = {.context = live->context, .device = live->device, .queue = live->queue};
    clscan_error error = {0};
    unsigned failures = 0;

    problem.op = CLSCAN_CUSTOM;
    problem.custom = &custom;
    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &problem, NULL, &fixture.plan, &error),
                  &error);
    memset(source, 'x', sizeof source - 1);
    memset(function, 'x', sizeof function - 1);
    memset(identity, 'x', sizeof identity - 1);
    custom = (clscan_custom_operator){.struct_size = sizeof custom};
    assert_status(CLSCAN_OK, clscan_workspace_create(fixture.plan, &fixture.workspace, &error), &error);
    assert_status(CLSCAN_OK, clscan_workspace_bind(fixture.workspace, live->queue, NULL, &error), &error);
    fixture.problem = &sum;
    const clscan_case test = {.count = 1000, .generator = CLSCAN_GENERATE_UNIFORM, .seed = 1};
    failures += test_case(&fixture, &test);
    clscan_case_release(&fixture);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_that_do_not_commute),
        cmocka_unit_test(an_operator_without_identity),
        cmocka_unit_test(compile_errors_name_the_callers_line),
        cmocka_unit_test(compilers_are_silent_unless_something_failed),
        cmocka_unit_test(incomplete_operators),
        cmocka_unit_test(names_are_the_callers),
        cmocka_unit_test(strings_are_copied),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
