/* Counts and offsets beyond 32 bits. For devices with memory to spare: set CLSCAN_TEST_LARGE=1. */
#include "closed_form.h"
#include "cmocka_all.h"
#include "live.h"

static void skip_unless_it_fits(const test_live *live, uint64_t buffer_bytes, unsigned buffers)
{
    if (test_number("CLSCAN_TEST_LARGE", 0) == 0) {
        print_message("set CLSCAN_TEST_LARGE=1 to run\n");
        skip();
    }
    if (buffer_bytes > live->info.max_allocation_bytes || buffer_bytes * buffers > live->info.global_memory_bytes) {
        print_message("the device has too little memory\n");
        skip();
    }
}

/* Checked by a closed form. */
static void run_large(const test_live *live, clscan_type type, clscan_form form, clscan_direction direction,
                      uint64_t count, int in_place)
{
    const uint64_t bytes = count * clscan_type_size_bytes(type) + (UINT64_C(1) << 20);
    const clscan_problem problem = test_problem(type, CLSCAN_ADD, form, direction, count);
    char text[CLSCAN_CASE_TEXT_BYTES];
    clscan_case_fixture fixture;

    skip_unless_it_fits(live, bytes, in_place ? 1 : 2);
    test_prepare(live, &problem, NULL, NULL, &fixture);
    const clscan_case_result result = clscan_closed_form_run(&fixture, count, in_place, 0, text, sizeof text);
    if (result != CLSCAN_CASE_RIGHT)
        print_error("%s\n", text);
    clscan_case_release(&fixture);
    assert_int_equal(result, CLSCAN_CASE_RIGHT);
}

/* More elements than 32-bit indices, counts and byte offsets can name. */
static void uint8_beyond_32_bits_in_place(void **state)
{
    run_large(*state, CLSCAN_UINT8, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, (UINT64_C(1) << 32) + 5, 1);
}

static void uint8_beyond_32_bits_reverse(void **state)
{
    run_large(*state, CLSCAN_UINT8, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, (UINT64_C(1) << 32) + 5, 0);
}

/* More elements than a signed 32-bit index. */
static void int32_beyond_31_bits(void **state)
{
    run_large(*state, CLSCAN_INT32, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, (UINT64_C(1) << 31) + 3, 0);
}

/* Where NVIDIA's driver fills nothing with patterns of 4 and of 8 bytes. */
static void workspace_at(const test_live *live, uint64_t offset_bytes)
{
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1000003);
    const clscan_case test = {.count = 1000003, .total = 1, .seed = 7};
    const uint64_t bytes = offset_bytes + (UINT64_C(1) << 26);
    clscan_case_fixture fixture;
    clscan_error error;
    cl_mem buffer;
    cl_int code;

    skip_unless_it_fits(live, bytes, 1);
    test_prepare(live, &problem, NULL, NULL, &fixture);
    buffer = clCreateBuffer(live->context, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    assert_status(CLSCAN_OK,
                  clscan_workspace_bind(fixture.workspace, live->queue,
                                        &(clscan_memory){.buffer = buffer, .offset = offset_bytes}, &error),
                  &error);
    assert_int_equal(test_case(&fixture, &test), 0);
    clscan_case_release(&fixture);
    clReleaseMemObject(buffer);
}

static void workspace_at_8_gib(void **state)
{
    workspace_at(*state, UINT64_C(8) << 30);
}

static void workspace_at_16_gib(void **state)
{
    workspace_at(*state, UINT64_C(16) << 30);
}

/* The closed form itself, everywhere: it must agree with the library on a count that is cheap. */
static void closed_form_on_a_small_count(void **state)
{
    const test_live *live = *state;
    char text[CLSCAN_CASE_TEXT_BYTES];
    unsigned failures = 0;

    for (int direction = 0; direction < 2; ++direction) {
        const clscan_problem problem =
            test_problem(CLSCAN_UINT8, CLSCAN_ADD, direction ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE,
                         direction ? CLSCAN_REVERSE : CLSCAN_FORWARD, 100003);
        clscan_case_fixture fixture;
        test_prepare(live, &problem, NULL, NULL, &fixture);
        for (int in_place = 0; in_place < 2; ++in_place)
            if (clscan_closed_form_run(&fixture, 100003, in_place, 8192, text, sizeof text) != CLSCAN_CASE_RIGHT) {
                print_error("%s\n", text);
                ++failures;
            }
        clscan_case_release(&fixture);
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_form_on_a_small_count), cmocka_unit_test(workspace_at_8_gib),
        cmocka_unit_test(workspace_at_16_gib),          cmocka_unit_test(uint8_beyond_32_bits_in_place),
        cmocka_unit_test(uint8_beyond_32_bits_reverse), cmocka_unit_test(int32_beyond_31_bits),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
