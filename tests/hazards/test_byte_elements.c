/* Drivers that miscompile elements of 8 bits (llvmpipe): plans of them are refused, with the bug's name; where they are
 * not refused, structs that begin with a byte are copied as C says. */
#include <stdbool.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"

enum { COUNT = 64 };

static void refused_types_say_why(void **state)
{
    const test_live *live = *state;

    for (clscan_type type = CLSCAN_INT8; type < CLSCAN_TYPE_COUNT; ++type) {
        const clscan_problem problem = test_problem(type, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1000);
        clscan_plan *plan = NULL;
        clscan_error error = {0}, why = {0};

        if (clscan_device_check_type(&live->info, type, &why) == CLSCAN_OK)
            continue;
        print_message("%s\n", why.message);
        assert_status(CLSCAN_ERROR_UNSUPPORTED_TYPE,
                      clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
        assert_null(plan);
        assert_string_equal(error.message, why.message);
        assert_non_null(strstr(error.message, live->info.name));
    }
}

/* Both members of a struct's copy, after a change of the second one. */
static const char source[] = "typedef struct { uchar value; uchar present; } pair;\n"
                             "__kernel void copies(__global const uchar *in, __global uchar *out)\n"
                             "{\n"
                             "    const size_t i = get_global_id(0);\n"
                             "    pair changed = {1, 2};\n"
                             "    changed.present = in[i];\n"
                             "    pair copy = changed;\n"
                             "    changed.present = 5;\n"
                             "    out[2 * i] = copy.value;\n"
                             "    out[2 * i + 1] = copy.present;\n"
                             "}\n";

static bool structs_are_copied_whole(const test_live *live)
{
    const char *text = source;
    const size_t items = COUNT;
    unsigned char in[COUNT], out[2 * COUNT];
    bool right = true;
    cl_int code;

    for (int i = 0; i < COUNT; ++i)
        in[i] = (unsigned char)(7 * i + 3);
    memset(out, 0xee, sizeof out);
    cl_mem in_buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof in, in);
    cl_mem out_buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof out, out);
    cl_program program = clCreateProgramWithSource(live->context, 1, &text, NULL, &code);
    assert_cl(code);
    assert_cl(clBuildProgram(program, 1, &live->device, "-cl-std=CL1.2", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "copies", &code);
    assert_cl(code);
    assert_cl(clSetKernelArg(kernel, 0, sizeof in_buffer, &in_buffer));
    assert_cl(clSetKernelArg(kernel, 1, sizeof out_buffer, &out_buffer));
    assert_cl(clEnqueueNDRangeKernel(live->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    test_read(live, out_buffer, sizeof out, out);
    for (int i = 0; i < COUNT; ++i)
        right = right && out[2 * i] == 1 && out[2 * i + 1] == in[i];
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(out_buffer);
    clReleaseMemObject(in_buffer);
    return right;
}

static void bytes_are_refused_where_copies_are_wrong(void **state)
{
    const test_live *live = *state;
    const bool right = structs_are_copied_whole(live);

    if (live->info.int8_reason[0] != '\0') {
        print_message("refused, and this driver copies structs %s\n", right ? "as it should" : "wrongly");
        skip();
    }
    assert_true(right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_types_say_why),
        cmocka_unit_test(bytes_are_refused_where_copies_are_wrong),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
