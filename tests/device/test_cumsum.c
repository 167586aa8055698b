/* The cases that adopters test their cumulative sums with: those of ONNX's operator CumSum, and include_initial of the
 * Python array API, as docs/rows.md says that clscan does them. */
#include <stdint.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { MOST = 24, MARGIN = 2 };

/* Scan `in` along an axis into `out`, whose strides and first element are given; totals are not asked for. */
static void scan(const test_live *live, const clscan_rows *rows, clscan_form form, clscan_direction direction,
                 const float *in, size_t first, cl_mem out)
{
    clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, form, direction, rows->extents[rows->axis]);
    clscan_run_args args = {.struct_size = sizeof args, .count = problem.max_count, .rows = rows};
    clscan_plan *plan;
    clscan_workspace *workspace;
    clscan_error error = {0};

    problem.rows = rows;
    test_plan_create(live, &problem, NULL, &plan, &workspace);
    args.in.buffer = test_buffer(live, CL_MEM_READ_WRITE, MOST * sizeof *in, in);
    args.out = (clscan_memory){.buffer = out, .offset = first};
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    assert_cl(clFinish(live->queue));
    clReleaseMemObject(args.in.buffer);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
}

/* onnx/backend/test/case/node/cumsum.py; the elements are 1, 2, 3 and so on. */
static void cases_of_onnx(void **state)
{
    const test_live *live = *state;
    static const struct {
        uint64_t extents[2];
        uint32_t dimensions;
        int axis; /* counted from the end if it is less than 0 */
        clscan_form form;
        clscan_direction direction;
        float expected[6];
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
        const uint32_t dimensions = cases[i].dimensions;
        const size_t elements = (size_t)(cases[i].extents[0] * (dimensions > 1 ? cases[i].extents[1] : 1));
        clscan_rows rows = {.struct_size = sizeof rows,
                            .dimensions = dimensions,
                            .axis = (uint32_t)(cases[i].axis < 0 ? (int)dimensions + cases[i].axis : cases[i].axis)};
        float in[MOST], got[MOST], before[MOST];
        cl_mem out;

        memcpy(rows.extents, cases[i].extents, sizeof cases[i].extents);
        for (size_t k = 0; k < MOST; ++k) {
            in[k] = (float)(k + 1);
            before[k] = -7;
        }
        rows.count = rows.extents[0] * (dimensions > 1 ? rows.extents[1] : 1) / rows.extents[rows.axis];
        out = test_buffer(live, CL_MEM_READ_WRITE, sizeof before, before);
        scan(live, &rows, cases[i].form, cases[i].direction, in, MARGIN, out);
        test_read(live, out, sizeof got, got);
        clReleaseMemObject(out);
        assert_memory_equal(got + MARGIN, cases[i].expected, elements * sizeof *got);
        assert_memory_equal(got, before, MARGIN * sizeof *got);
        assert_memory_equal(got + MARGIN + elements, before, (MOST - MARGIN - elements) * sizeof *got);
    }
}

/* One output more along either axis of a matrix of 2 x 3. */
static void one_more_output(void **state)
{
    const test_live *live = *state;
    static const float in[MOST] = {1, 2, 3, 4, 5, 6};
    static const struct {
        uint32_t axis;
        uint64_t strides[2];
        size_t first; /* the first element of index 1 along the axis */
        float expected[9];
        size_t elements;
    } cases[] = {
        {0, {3, 1}, 3, {0, 0, 0, 1, 2, 3, 5, 7, 9}, 9},
        {1, {4, 1}, 1, {0, 1, 3, 6, 0, 4, 9, 15}, 8},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        static const float zeros[MOST];
        clscan_rows rows = {.struct_size = sizeof rows,
                            .count = cases[i].axis == 0 ? 3 : 2,
                            .dimensions = 2,
                            .axis = cases[i].axis,
                            .extents = {2, 3},
                            .in_strides = {3, 1},
                            .out_strides = {cases[i].strides[0], cases[i].strides[1]}};
        float got[MOST];
        cl_mem out = test_buffer(live, CL_MEM_READ_WRITE, sizeof zeros, zeros);

        scan(live, &rows, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, in, cases[i].first, out);
        test_read(live, out, sizeof got, got);
        clReleaseMemObject(out);
        assert_memory_equal(got, cases[i].expected, cases[i].elements * sizeof *got);
        assert_memory_equal(got + cases[i].elements, zeros, (MOST - cases[i].elements) * sizeof *got);
    }
}

/* Of one array the total is the last output, and one call writes both. */
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
        cmocka_unit_test(one_more_output_of_one_array),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
