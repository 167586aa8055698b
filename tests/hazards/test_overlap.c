/* In place is allowed; every other overlap is refused, also between sub-buffers of one parent. */
#include <string.h>

#include "cmocka_all.h"
#include "live.h"

enum { COUNT = 3000, PARENT_COUNT = 16384 };

/* Where a buffer argument lies: `from` and `elements` of the parent, as a sub-buffer or the parent
 * itself. */
typedef struct place {
    int sub; /* 1: a sub-buffer that begins at `origin` elements */
    uint64_t origin;
    uint64_t offset; /* elements, counted from the (sub-)buffer's begin */
} place;

static cl_mem open_place(cl_mem parent, const place *where)
{
    const cl_buffer_region region = {(size_t)where->origin * sizeof(int32_t),
                                     (PARENT_COUNT - (size_t)where->origin) * sizeof(int32_t)};
    cl_int code;

    if (!where->sub) {
        assert_cl(clRetainMemObject(parent));
        return parent;
    }
    cl_mem made = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    assert_cl(code);
    return made;
}

static void overlaps(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    /* 4096 elements are a multiple of every device's sub-buffer alignment. */
    static const struct {
        const char *why;
        place in;
        place out;
        clscan_status expected;
    } cases[] = {
        {"in place", {0, 0, 5}, {0, 0, 5}, CLSCAN_OK},
        {"side by side", {0, 0, 0}, {0, 0, COUNT}, CLSCAN_OK},
        {"side by side, output first", {0, 0, COUNT}, {0, 0, 0}, CLSCAN_OK},
        {"shifted by one", {0, 0, 0}, {0, 0, 1}, CLSCAN_ERROR_OVERLAP},
        {"shifted by minus one", {0, 0, 1}, {0, 0, 0}, CLSCAN_ERROR_OVERLAP},
        {"one common element", {0, 0, 0}, {0, 0, COUNT - 1}, CLSCAN_ERROR_OVERLAP},
        {"one common element at the other end", {0, 0, COUNT - 1}, {0, 0, 0}, CLSCAN_ERROR_OVERLAP},
        {"in place through parent and sub-buffer", {0, 0, 4096}, {1, 4096, 0}, CLSCAN_OK},
        {"in place through two sub-buffers", {1, 4096, 1000}, {1, 0, 5096}, CLSCAN_OK},
        {"two sub-buffers, apart", {1, 0, 0}, {1, 4096, 0}, CLSCAN_OK},
        {"two sub-buffers, shifted", {1, 4096, 0}, {1, 0, 4097}, CLSCAN_ERROR_OVERLAP},
        {"parent and sub-buffer, one common", {0, 0, 4096 - COUNT + 1}, {1, 4096, 0}, CLSCAN_ERROR_OVERLAP},
        {"parent and sub-buffer, touching", {0, 0, 4096 - COUNT}, {1, 4096, 0}, CLSCAN_OK},
    };
    static int32_t data[PARENT_COUNT];
    static int32_t got[PARENT_COUNT];
    clscan_case_fixture fixture;
    unsigned failures = 0;

    test_prepare(live, &problem, NULL, NULL, &fixture);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_run_args args = {.struct_size = sizeof args, .count = COUNT};
        clscan_error error = {0};
        clscan_status status;
        int32_t sum = 0;

        for (size_t k = 0; k < PARENT_COUNT; ++k)
            data[k] = (int32_t)(clscan_generate_bits(i, k) % 1000);
        cl_mem parent = test_buffer(live, CL_MEM_READ_WRITE, sizeof data, data);
        args.in.buffer = open_place(parent, &cases[i].in);
        args.in.offset = cases[i].in.offset;
        args.out.buffer = open_place(parent, &cases[i].out);
        args.out.offset = cases[i].out.offset;
        status = clscan_run(fixture.plan, fixture.workspace, live->queue, &args, 0, NULL, NULL, &error);
        test_read(live, parent, sizeof got, got);

        /* What the parent must hold now: the scan, or nothing changed. */
        const uint64_t from = cases[i].in.origin + cases[i].in.offset;
        const uint64_t to = cases[i].out.origin + cases[i].out.offset;
        static int32_t expected[PARENT_COUNT];
        memcpy(expected, data, sizeof data);
        for (uint64_t k = 0; cases[i].expected == CLSCAN_OK && k < COUNT; ++k) {
            sum += data[from + k];
            expected[to + k] = sum;
        }
        if (status != cases[i].expected || memcmp(expected, got, sizeof got) != 0) {
            print_error("%s: expected %s, got %s (%s)%s\n", cases[i].why, clscan_status_name(cases[i].expected),
                        clscan_status_name(status), error.message,
                        memcmp(expected, got, sizeof got) != 0 ? "; contents are wrong" : "");
            ++failures;
        }
        clReleaseMemObject(args.in.buffer);
        clReleaseMemObject(args.out.buffer);
        clReleaseMemObject(parent);
    }
    clscan_case_release(&fixture);
    assert_int_equal(failures, 0);
}

/* Initial value, total and workspace may not lie in input or output, nor in each other. */
static void small_buffers_overlap_too(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    clscan_case_fixture fixture;
    clscan_error error = {0};
    unsigned failures = 0;

    test_prepare(live, &problem, NULL, NULL, &fixture);
    const uint64_t workspace_bytes = clscan_plan_workspace_bytes(fixture.plan);
    static int32_t data[PARENT_COUNT];
    cl_mem one = test_buffer(live, CL_MEM_READ_WRITE, sizeof data, data);
    cl_mem two = test_buffer(live, CL_MEM_READ_WRITE, sizeof data, data);
    cl_mem work = test_buffer(live, CL_MEM_READ_WRITE, (size_t)workspace_bytes + 65536, NULL);
    assert_status(
        CLSCAN_OK,
        clscan_workspace_bind(fixture.workspace, live->queue, &(clscan_memory){.buffer = work, .offset = 256}, &error),
        &error);

    const struct {
        const char *why;
        clscan_status expected;
        clscan_run_args args;
    } cases[] = {
#define CASE(why, expected, ...)                                                \
    {                                                                           \
        why, expected,                                                          \
        {                                                                       \
            .struct_size = sizeof(clscan_run_args), .count = COUNT, __VA_ARGS__ \
        }                                                                       \
    }
        CASE("initial value in the input", CLSCAN_ERROR_OVERLAP, .in.buffer = one, .out.buffer = two,
             .initial.buffer = one, .initial.offset = COUNT - 1),
        CASE("initial value after the input", CLSCAN_OK, .in.buffer = one, .out.buffer = two, .initial.buffer = one,
             .initial.offset = COUNT),
        CASE("initial value in the output", CLSCAN_ERROR_OVERLAP, .in.buffer = one, .out.buffer = two,
             .initial.buffer = two, .initial.offset = 0),
        CASE("total in the output", CLSCAN_ERROR_OVERLAP, .in.buffer = one, .out.buffer = two, .total.buffer = two,
             .total.offset = COUNT - 1),
        CASE("total after the output", CLSCAN_OK, .in.buffer = one, .out.buffer = two, .total.buffer = two,
             .total.offset = COUNT),
        CASE("total in the input", CLSCAN_ERROR_OVERLAP, .in.buffer = one, .out.buffer = two, .total.buffer = one,
             .total.offset = 7),
        CASE("total in the place of the initial value", CLSCAN_ERROR_OVERLAP, .in.buffer = one, .out.buffer = two,
             .initial.buffer = one, .initial.offset = COUNT, .total.buffer = one, .total.offset = COUNT),
        CASE("total beside the initial value", CLSCAN_OK, .in.buffer = one, .out.buffer = two, .initial.buffer = one,
             .initial.offset = COUNT, .total.buffer = one, .total.offset = COUNT + 1),
        CASE("input in the workspace", CLSCAN_ERROR_OVERLAP, .in.buffer = work, .out.buffer = two, .in.offset = 64),
        CASE("output in the workspace", CLSCAN_ERROR_OVERLAP, .in.buffer = one, .out.buffer = work, .out.offset = 60),
        CASE("output behind the workspace", CLSCAN_OK, .in.buffer = one, .out.buffer = work,
             .out.offset = (256 + workspace_bytes + 3) / 4),
        CASE("total in the workspace", CLSCAN_ERROR_OVERLAP, .in.buffer = one, .out.buffer = two, .total.buffer = work,
             .total.offset = 64),
        CASE("total before the workspace", CLSCAN_OK, .in.buffer = one, .out.buffer = two, .total.buffer = work,
             .total.offset = 63),
#undef CASE
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_status status =
            clscan_run(fixture.plan, fixture.workspace, live->queue, &cases[i].args, 0, NULL, NULL, &error);
        if (status != cases[i].expected) {
            print_error("%s: expected %s, got %s\n", cases[i].why, clscan_status_name(cases[i].expected),
                        clscan_status_name(status));
            ++failures;
        }
        assert_cl(clFinish(live->queue));
    }
    clReleaseMemObject(one);
    clReleaseMemObject(two);
    clReleaseMemObject(work);
    clscan_case_release(&fixture);
    assert_int_equal(failures, 0);
}

/* In place many times over the same memory, by a count of many tiles: no work-group may read what
 * another one has already written. */
static void in_place_again_and_again(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 300000);
    clscan_case_fixture fixture;
    unsigned failures = 0;

    test_prepare(live, &problem, NULL, NULL, &fixture);
    for (uint64_t seed = 0; seed < 50; ++seed) {
        const clscan_case test = {.count = 300000 - seed,
                                  .in_offset = seed % 3,
                                  .out_offset = seed % 3,
                                  .in_place = 1,
                                  .generator = CLSCAN_GENERATE_UNIFORM,
                                  .seed = seed};
        failures += test_case(&fixture, &test);
    }
    clscan_case_release(&fixture);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps),
        cmocka_unit_test(small_buffers_overlap_too),
        cmocka_unit_test(in_place_again_and_again),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
