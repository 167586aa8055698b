/* Input, accumulator and output of types that differ, by the public functions; offsets of rows in one call; and what is
 * refused. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"

enum { MAX_COUNT = 30000, MARGIN = 3 };

#define SCALAR(name)                                          \
    {                                                         \
        .struct_size = sizeof(clscan_element), .type = (name) \
    }

static const struct combination {
    clscan_type in, accumulator, output; /* accumulator CLSCAN_TYPE_COUNT: not given */
    clscan_operator op;
} combinations[] = {
    {CLSCAN_UINT8, CLSCAN_UINT64, CLSCAN_UINT64, CLSCAN_ADD},
    {CLSCAN_INT8, CLSCAN_TYPE_COUNT, CLSCAN_INT64, CLSCAN_ADD},
    {CLSCAN_UINT32, CLSCAN_TYPE_COUNT, CLSCAN_UINT64, CLSCAN_ADD},
    {CLSCAN_FLOAT, CLSCAN_DOUBLE, CLSCAN_FLOAT, CLSCAN_ADD},
    {CLSCAN_HALF, CLSCAN_FLOAT, CLSCAN_FLOAT, CLSCAN_ADD},
    {CLSCAN_INT16, CLSCAN_FLOAT, CLSCAN_HALF, CLSCAN_MAX},
    {CLSCAN_INT32, CLSCAN_INT64, CLSCAN_INT16, CLSCAN_MIN},
    {CLSCAN_INT32, CLSCAN_FLOAT, CLSCAN_FLOAT, CLSCAN_ADD},
};

/* Whole numbers, which every type holds. */
static void put(clscan_type type, unsigned char *at, long number)
{
    const float single = (float)number;
    const double wide = (double)number;
    const int64_t integer = number;
    static const uint16_t halves[8] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700};

    if (type == CLSCAN_HALF)
        memcpy(at, &halves[number & 7], 2);
    else if (type == CLSCAN_FLOAT)
        memcpy(at, &single, sizeof single);
    else if (type == CLSCAN_DOUBLE)
        memcpy(at, &wide, sizeof wide);
    else
        memcpy(at, &integer, clscan_type_size_bytes(type)); /* little-endian */
}

static long combined(clscan_operator op, long left, long right)
{
    return op == CLSCAN_ADD   ? left + right
           : op == CLSCAN_MIN ? (right < left ? right : left)
           : right > left     ? right
                              : left;
}

static clscan_problem problem_of(const struct combination *of, const clscan_element *elements, clscan_form form,
                                 clscan_direction direction)
{
    return (clscan_problem){.struct_size = sizeof(clscan_problem),
                            .type = of->in,
                            .op = of->op,
                            .form = form,
                            .direction = direction,
                            .max_count = MAX_COUNT,
                            .accumulator = of->accumulator != CLSCAN_TYPE_COUNT ? &elements[0] : NULL,
                            .output = &elements[1]};
}

static unsigned run_scan(const test_live *live, const struct combination *of, const clscan_problem *problem,
                         const clscan_plan *plan, clscan_workspace *workspace, uint64_t count, int initial,
                         bool in_place)
{
    const clscan_type sum_type =
        of->accumulator != CLSCAN_TYPE_COUNT ? of->accumulator : clscan_type_accumulator(of->output);
    const size_t in_bytes = clscan_type_size_bytes(of->in), out_bytes = clscan_type_size_bytes(of->output);
    const bool reverse = problem->direction == CLSCAN_REVERSE, exclusive = problem->form == CLSCAN_EXCLUSIVE;
    const size_t in_size = (size_t)(count + 2 * MARGIN) * in_bytes, out_size = (size_t)(count + 2 * MARGIN) * out_bytes;
    unsigned char *in = calloc(1, in_size), *got = malloc(out_size), *expected = malloc(out_size);
    unsigned char first[8] = {0}, total[8] = {0}, expected_total[8] = {0};
    clscan_run_args args = {.struct_size = sizeof args, .count = count};
    clscan_error error = {0};
    cl_mem buffers[3];
    long sum = 5;
    bool present = initial != 0;
    unsigned wrong;

    assert_true(in != NULL && got != NULL && expected != NULL);
    for (uint64_t i = 0; i < count + 2 * MARGIN; ++i)
        put(of->in, in + i * in_bytes, (long)(i * 7 % 8));
    memset(expected, 0xa5, out_size);
    if (in_place)
        memcpy(expected, in, out_size);
    put(sum_type, first, sum);
    buffers[0] = test_buffer(live, CL_MEM_READ_WRITE, in_size, in);
    buffers[1] = test_buffer(live, CL_MEM_READ_WRITE, out_size, expected);
    buffers[2] = test_buffer(live, CL_MEM_READ_WRITE, sizeof total, first);
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t at = MARGIN + (reverse ? count - 1 - k : k);
        const long own = (long)(at * 7 % 8);
        const long identity = problem->op == CLSCAN_ADD ? 0 : sum; /* others are given an initial value */

        if (exclusive)
            put(of->output, expected + at * out_bytes, present ? sum : identity);
        sum = present ? combined(problem->op, sum, own) : own;
        present = true;
        if (!exclusive && of->output == CLSCAN_HALF && sum > 7)
            fail_msg("the test's numbers are too large");
        if (!exclusive)
            put(of->output, expected + at * out_bytes, sum);
    }
    put(sum_type, expected_total, sum);
    args.in = (clscan_memory){.buffer = in_place ? buffers[1] : buffers[0], .offset = MARGIN};
    args.out = (clscan_memory){.buffer = buffers[1], .offset = MARGIN};
    if (initial == 1)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = first};
    if (initial == 2)
        args.initial.buffer = buffers[2];
    else
        args.total.buffer = buffers[2];
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(live, buffers[1], out_size, got);
    test_read(live, buffers[2], sizeof total, total);
    wrong = memcmp(got, expected, out_size) != 0 ||
            (initial != 2 && memcmp(total, expected_total, clscan_type_size_bytes(sum_type)) != 0);
    if (wrong)
        print_error("%s to %s, form %d, direction %d, %u elements, initial %d, in place %d\n", clscan_type_name(of->in),
                    clscan_type_name(of->output), (int)problem->form, (int)problem->direction, (unsigned)count, initial,
                    in_place);
    for (int i = 0; i < 3; ++i)
        clReleaseMemObject(buffers[i]);
    free(in);
    free(got);
    free(expected);
    return wrong;
}

static void types_that_differ(void **state)
{
    const test_live *live = *state;
    static const uint64_t counts[] = {1, 1000, MAX_COUNT};
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof combinations / sizeof combinations[0]; ++i) {
        const struct combination *of = &combinations[i];
        const clscan_element elements[2] = {SCALAR(of->accumulator), SCALAR(of->output)};
        const clscan_problem problem = problem_of(of, elements, i % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE,
                                                  i % 4 < 2 ? CLSCAN_FORWARD : CLSCAN_REVERSE);
        const bool same_size = clscan_type_size_bytes(of->in) == clscan_type_size_bytes(of->output);
        clscan_choice choice = {.struct_size = sizeof choice};
        const clscan_plan_options options = {.struct_size = sizeof options, .variant = &choice.variant};
        clscan_plan *plan = NULL;
        clscan_workspace *workspace = NULL;
        clscan_error error = {0};

        if (!test_type_runs(live, of->in) || !test_type_runs(live, of->output) ||
            (of->accumulator != CLSCAN_TYPE_COUNT && !test_type_runs(live, of->accumulator)))
            continue;
        assert_status(CLSCAN_OK, clscan_config_explain(NULL, &live->info, &problem, MAX_COUNT, 1, &choice, &error),
                      &error);
        test_plan_create(live, &problem, i < 2 ? NULL : &options, &plan, &workspace);
        for (int way = 0; way < 6; ++way)
            failures += run_scan(live, of, &problem, plan, workspace, counts[way % 3],
                                 of->op == CLSCAN_ADD ? way % 3 : 1 + way % 2, same_size && way % 2 == 1);
        clscan_workspace_destroy(workspace);
        clscan_plan_destroy(plan);
    }
    assert_int_equal(failures, 0);
}

/* The counts of n rows give n + 1 offsets, of which the last is the total. */
static void offsets_of_rows(void **state)
{
    const test_live *live = *state;
    static const clscan_element offset = SCALAR(CLSCAN_UINT64);
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .type = CLSCAN_UINT32,
                                    .form = CLSCAN_EXCLUSIVE,
                                    .max_count = 1000,
                                    .output = &offset};
    uint32_t counts[1000];
    uint64_t got[1001], expected = 0;
    clscan_run_args args = {.struct_size = sizeof args, .count = 1000};
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    clscan_error error = {0};

    for (size_t i = 0; i < 1000; ++i)
        counts[i] = UINT32_MAX - (uint32_t)i;
    test_plan_create(live, &problem, NULL, &plan, &workspace);
    args.in.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof counts, counts);
    args.out.buffer = args.total.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL);
    args.total.offset = 1000;
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(live, args.out.buffer, sizeof got, got);
    for (size_t i = 0; i <= 1000; ++i) {
        assert_true(got[i] == expected);
        expected += i < 1000 ? counts[i] : 0;
    }
    /* In the same memory, outputs of another width would run over inputs. */
    args.in.buffer = args.out.buffer;
    args.count = 400;
    args.total.offset = 900;
    assert_int_equal(clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), CLSCAN_ERROR_OVERLAP);
    clReleaseMemObject(args.out.buffer);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
}

/* Where all types are the ordinary ones, it is the ordinary plan. */
static void ordinary_types_are_ordinary(void **state)
{
    const test_live *live = *state;
    const clscan_element same = SCALAR(CLSCAN_INT32);
    clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1000);

    (void)live;
    problem.accumulator = problem.output = &same;
    assert_int_equal(clscan_operator_class_of(&problem), CLSCAN_OPERATOR_CLASS_NATIVE);
}

static void what_does_not_convert_is_refused(void **state)
{
    const test_live *live = *state;
    static const clscan_element pair = {sizeof pair, 0, 0, "pair", "typedef struct pair { int a, b; } pair;", 8, 4};
    static const clscan_element scalars[CLSCAN_TYPE_COUNT] = {
#define X(name, text, bytes, cl_type, accumulator) SCALAR(CLSCAN_##name),
        CLSCAN_TYPE_LIST(X)
#undef X
    };
    const struct {
        clscan_problem problem;
        const char *words;
    } cases[] = {
        {{.type = CLSCAN_INT64, .accumulator = &scalars[CLSCAN_INT32]}, "narrower"},
        {{.type = CLSCAN_DOUBLE, .accumulator = &scalars[CLSCAN_FLOAT]}, "narrower"},
        {{.type = CLSCAN_FLOAT, .accumulator = &scalars[CLSCAN_INT32]}, "int32"},
        {{.type = CLSCAN_FLOAT, .accumulator = &scalars[CLSCAN_INT32]}, "problem->accumulator"},
        {{.type = CLSCAN_FLOAT, .output = &scalars[CLSCAN_INT64]}, "int64"},
        {{.type = CLSCAN_FLOAT, .output = &scalars[CLSCAN_INT64]}, "problem->output"},
        {{.type = CLSCAN_INT32, .output = &scalars[CLSCAN_INT8]}, "problem->output"},
        {{.type = CLSCAN_DOUBLE, .output = &scalars[CLSCAN_HALF]}, "problem->output"},
        {{.type = CLSCAN_INT32, .output = &pair}, "problem->output"},
        {{.type = CLSCAN_INT32, .accumulator = &scalars[CLSCAN_FLOAT]}, "without problem->output"},
        {{.type = CLSCAN_INT16, .accumulator = &scalars[CLSCAN_HALF]}, "half"},
        {{.type = CLSCAN_INT16,
          .accumulator = &scalars[CLSCAN_FLOAT],
          .output = &scalars[CLSCAN_FLOAT],
          .op = CLSCAN_AND},
         "problem->op is and, which needs integers"},
        {{.element = &pair, .op = CLSCAN_CUSTOM, .output = &scalars[CLSCAN_INT32]}, "pair"},
        {{.type = CLSCAN_INT32, .output = &pair}, "pair"},
        {{.type = CLSCAN_FLOAT, .accumulator = &scalars[CLSCAN_DOUBLE], .reproducible = 1}, "double"},
        {{.type = CLSCAN_INT32, .output = &scalars[CLSCAN_INT64], .operation = CLSCAN_REDUCE}, "output"},
    };
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_problem problem = cases[i].problem;
        clscan_plan *plan = NULL;
        clscan_error error = {0};
        clscan_status status;

        problem.struct_size = sizeof problem;
        problem.max_count = 1000;
        status = clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error);
        if (status == CLSCAN_ERROR_UNSUPPORTED_TYPE && strstr(error.message, cases[i].words) != NULL &&
            (problem.accumulator != NULL || strstr(error.message, "problem->accumulator") == NULL))
            continue;
        print_error("case %zu: %s: %s\n", i, clscan_status_name(status), error.message);
        ++failures;
        clscan_plan_destroy(plan);
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_that_differ),
        cmocka_unit_test(offsets_of_rows),
        cmocka_unit_test(ordinary_types_are_ordinary),
        cmocka_unit_test(what_does_not_convert_is_refused),
    };

    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
