/* The cases that adopters test their cumulative sums with: those of ONNX's operator CumSum, and include_initial of the
 * Python array API, as docs/rows.md says that clscan does them. */
#include <stdint.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { MOST = 32, MARGIN = 2 };

/* What is scanned: int32 or float. */
typedef struct what {
    clscan_type type;
    clscan_operator op;
    clscan_form form;
    clscan_direction direction;
    int reproducible;
    uint64_t count; /* elements of each scan */
} what;

/* The elements 1, 2, 3 and so on, or others. */
static void fill(clscan_type type, const int *values, size_t count, void *elements)
{
    for (size_t k = 0; k < count; ++k) {
        const int value = values != NULL ? values[k] : (int)k + 1;

        if (type == CLSCAN_INT32)
            ((int32_t *)elements)[k] = value;
        else
            ((float *)elements)[k] = (float)value;
    }
}

/* Scan `in` along an axis into `out`, whose strides and first element are given. The first total is asked for unless it
 * is 0. */
static void scan(const test_live *live, const what *w, const clscan_rows *rows, const int *in, size_t first,
                 size_t first_total, cl_mem out)
{
    clscan_problem problem = test_problem(w->type, w->op, w->form, w->direction, w->count);
    clscan_run_args args = {.struct_size = sizeof args, .count = w->count, .rows = rows};
    float elements[MOST];
    clscan_plan *plan;
    clscan_workspace *workspace;
    clscan_error error = {0};

    problem.rows = rows;
    problem.reproducible = w->reproducible;
    fill(w->type, in, MOST, elements);
    test_plan_create(live, &problem, NULL, &plan, &workspace);
    args.in.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof elements, elements);
    args.out = (clscan_memory){.buffer = out, .offset = first};
    if (first_total > 0)
        args.total = (clscan_memory){.buffer = out, .offset = first_total};
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    assert_cl(clFinish(live->queue));
    clReleaseMemObject(args.in.buffer);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
}

/* Scan into poison, of which all but `count` elements behind the margin has to stay; these have to be `expected`. */
static void expect(const test_live *live, const what *w, const clscan_rows *rows, const int *in, size_t first,
                   size_t first_total, const int *expected, size_t count)
{
    static const int poison[MOST] = {-7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7,
                                     -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7};
    float before[MOST], wanted[MOST], got[MOST];
    cl_mem out;

    assert_true(MARGIN + count <= MOST);
    fill(w->type, poison, MOST, before);
    memcpy(wanted, before, sizeof wanted);
    fill(w->type, expected, count, wanted + MARGIN);
    out = test_buffer(live, CL_MEM_READ_WRITE, sizeof before, before);
    scan(live, w, rows, in, MARGIN + first, first_total > 0 ? MARGIN + first_total - 1 : 0, out);
    test_read(live, out, sizeof got, got);
    clReleaseMemObject(out);
    assert_memory_equal(got, wanted, sizeof wanted);
}

static clscan_rows rows_along(const uint64_t *extents, uint32_t dimensions, int axis)
{
    clscan_rows rows = {.struct_size = sizeof rows,
                        .count = 1,
                        .dimensions = dimensions,
                        .axis = (uint32_t)(axis < 0 ? (int)dimensions + axis : axis)};

    memcpy(rows.extents, extents, dimensions * sizeof *extents);
    for (uint32_t d = 0; d < dimensions; ++d)
        rows.count *= d == rows.axis ? 1 : extents[d];
    return rows;
}

/* onnx/backend/test/case/node/cumsum.py; the elements are 1, 2, 3 and so on. */
static void cases_of_onnx(void **state)
{
    const test_live *live = *state;
    static const clscan_type types[] = {CLSCAN_FLOAT, CLSCAN_INT32};
    static const struct {
        uint64_t extents[2];
        uint32_t dimensions;
        int axis; /* counted from the end if it is less than 0 */
        clscan_form form;
        clscan_direction direction;
        int expected[6];
    } cases[] = {
        {{5}, 1, 0, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, {1, 3, 6, 10, 15}},
        {{5}, 1, 0, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, {0, 1, 3, 6, 10}},
        {{5}, 1, 0, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, {15, 14, 12, 9, 5}},
        {{5}, 1, 0, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, {14, 12, 9, 5, 0}},
        {{2, 3}, 2, 0, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, {1, 2, 3, 5, 7, 9}},
        {{2, 3}, 2, 1, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, {1, 3, 6, 4, 9, 15}},
        {{2, 3}, 2, -1, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, {1, 3, 6, 4, 9, 15}},
        {{2, 3}, 2, 0, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, {0, 0, 0, 1, 2, 3}},
        {{2, 3}, 2, 1, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, {5, 3, 0, 11, 6, 0}},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const clscan_rows rows = rows_along(cases[i].extents, cases[i].dimensions, cases[i].axis);

        for (size_t t = 0; t < COUNT_OF(types); ++t) {
            const what w = {.type = types[t],
                            .op = CLSCAN_ADD,
                            .form = cases[i].form,
                            .direction = cases[i].direction,
                            .count = rows.extents[rows.axis]};

            expect(live, &w, &rows, NULL, 0, 0, cases[i].expected, (size_t)(rows.count * rows.extents[rows.axis]));
        }
    }
}

/* One output more along each axis: `include_initial` of cumulative_sum() and cumulative_prod(), and in reverse, which
 * the array API does not have. */
static void one_more_output(void **state)
{
    const test_live *live = *state;
    static const struct {
        uint64_t extents[3];
        uint32_t dimensions;
        int axis;
        clscan_operator op;
        clscan_direction direction;
        int expected[24];
    } cases[] = {
        {{5}, 1, 0, CLSCAN_ADD, CLSCAN_FORWARD, {0, 1, 3, 6, 10, 15}},
        {{5}, 1, -1, CLSCAN_MUL, CLSCAN_FORWARD, {1, 1, 2, 6, 24, 120}},
        {{5}, 1, 0, CLSCAN_ADD, CLSCAN_REVERSE, {15, 14, 12, 9, 5, 0}},
        {{2, 3}, 2, 0, CLSCAN_ADD, CLSCAN_FORWARD, {0, 0, 0, 1, 2, 3, 5, 7, 9}},
        {{2, 3}, 2, 1, CLSCAN_ADD, CLSCAN_FORWARD, {0, 1, 3, 6, 0, 4, 9, 15}},
        {{2, 3}, 2, -1, CLSCAN_MUL, CLSCAN_FORWARD, {1, 1, 2, 6, 1, 4, 20, 120}},
        {{2, 3}, 2, 0, CLSCAN_MUL, CLSCAN_FORWARD, {1, 1, 1, 1, 2, 3, 4, 10, 18}},
        {{2, 3}, 2, 1, CLSCAN_ADD, CLSCAN_REVERSE, {6, 5, 3, 0, 15, 11, 6, 0}},
        {{2, 3}, 2, 0, CLSCAN_ADD, CLSCAN_REVERSE, {5, 7, 9, 4, 5, 6, 0, 0, 0}},
        {{1, 4}, 2, 0, CLSCAN_ADD, CLSCAN_FORWARD, {0, 0, 0, 0, 1, 2, 3, 4}},
        {{4, 1}, 2, 1, CLSCAN_MUL, CLSCAN_FORWARD, {1, 1, 1, 2, 1, 3, 1, 4}},
        {{2, 2, 3}, 3, 0, CLSCAN_ADD, CLSCAN_FORWARD, {0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18}},
        {{2, 2, 3}, 3, 1, CLSCAN_ADD, CLSCAN_FORWARD, {0, 0, 0, 1, 2, 3, 5, 7, 9, 0, 0, 0, 7, 8, 9, 17, 19, 21}},
        {{2, 2, 3}, 3, 2, CLSCAN_ADD, CLSCAN_FORWARD, {0, 1, 3, 6, 0, 4, 9, 15, 0, 7, 15, 24, 0, 10, 21, 33}},
        {{2, 2, 3}, 3, 1, CLSCAN_ADD, CLSCAN_REVERSE, {5, 7, 9, 4, 5, 6, 0, 0, 0, 17, 19, 21, 10, 11, 12, 0, 0, 0}},
    };

    for (size_t i = 0; i < 3 * COUNT_OF(cases); ++i) {
        const size_t c = i / 3;
        clscan_rows rows = rows_along(cases[c].extents, cases[c].dimensions, cases[c].axis);
        const what w = {.type = i % 3 == 0 ? CLSCAN_INT32 : CLSCAN_FLOAT,
                        .op = cases[c].op,
                        .form = CLSCAN_EXCLUSIVE,
                        .direction = cases[c].direction,
                        .reproducible = i % 3 == 2,
                        .count = rows.extents[rows.axis]};
        uint64_t stride = 1, step = 1;

        if (w.reproducible && !test_keeps_subnormals(live))
            continue;
        /* Those of the larger tensor, in which a total is one output more. */
        for (uint32_t d = rows.dimensions; d-- > 0;) {
            rows.out_strides[d] = rows.total_strides[d] = stride;
            step = d == rows.axis ? stride : step;
            stride *= rows.extents[d] + (d == rows.axis);
        }
        expect(live, &w, &rows, NULL, w.direction == CLSCAN_REVERSE ? (size_t)step : 0,
               1 + (w.direction == CLSCAN_REVERSE ? 0 : (size_t)(w.count * step)), cases[c].expected, (size_t)stride);
    }
}

/* Offsets of rows by pitches, from lengths. */
static void offsets_of_rows(void **state)
{
    enum { ROWS = 3, COUNT = 4 };
    const test_live *live = *state;
    static const int lengths[MOST] = {2, 0, 5, 1, 0, 0, 3, 3, 9, 1, 1, 1};
    static const int expected[] = {0, 2, 2, 7, 8, 0, 0, 0, 3, 6, 0, 9, 10, 11, 12};
    static const what w = {.type = CLSCAN_INT32, .op = CLSCAN_ADD, .form = CLSCAN_EXCLUSIVE, .count = COUNT};
    const clscan_rows rows = {
        .struct_size = sizeof rows, .count = ROWS, .out_pitch = COUNT + 1, .total_pitch = COUNT + 1};

    expect(live, &w, &rows, lengths, 0, 1 + COUNT, expected, COUNT_OF(expected));
}

/* Of one array the total is the last output, too, without rows. */
static void one_more_output_of_one_array(void **state)
{
    const test_live *live = *state;
    static const float in[] = {1, 2, 3, 4, 5}, expected[] = {0, 1, 3, 6, 10, 15};
    const clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 5);
    clscan_run_args args = {.struct_size = sizeof args, .count = 5};
    float got[COUNT_OF(expected)];
    clscan_plan *plan;
    clscan_workspace *workspace;
    clscan_error error = {0};

    test_plan_create(live, &problem, NULL, &plan, &workspace);
    args.in.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof in, in);
    args.out.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL);
    args.total = (clscan_memory){.buffer = args.out.buffer, .offset = 5};
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(live, args.out.buffer, sizeof got, got);
    assert_memory_equal(got, expected, sizeof expected);
    clReleaseMemObject(args.in.buffer);
    clReleaseMemObject(args.out.buffer);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_of_onnx),
        cmocka_unit_test(one_more_output),
        cmocka_unit_test(offsets_of_rows),
        cmocka_unit_test(one_more_output_of_one_array),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
