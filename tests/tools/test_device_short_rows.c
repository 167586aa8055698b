/* Short rows in one launch against the serial reference, bit for bit: every type and operator, every form. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cmocka_all.h"
#include "on_device.h"
#include "reference/reference.h"
#include "short_rows.h"

#define ROWS 1001
#define ROW_COUNT 9
#define COUNT (ROWS * ROW_COUNT)

static unsigned char input[8 * COUNT];
static unsigned char expected[8 * COUNT];
static unsigned char output[8 * COUNT];

/* Integers of all bits, so that sums wrap; floating-point numbers that are special, or exact in sums. */
static void generate(clscan_type type)
{
    static const double specials[] = {1.0, -0.0, 2.5, 0.0, -3.0, 0.5, 0.0 / 0.0, 4.0, -1.0 / 0.0, -0.0, 1.0 / 0.0};
    uint64_t random = 88172645463325252u;

    for (size_t i = 0; i < COUNT; ++i) {
        clscan_value value = {.bits = 0};

        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        value.bits = random >> (64 - 8 * clscan_type_size_bytes(clscan_type_accumulator(type)));
        if (type == CLSCAN_DOUBLE)
            value.float64 = specials[random % 11];
        else if (clscan_reference_is_floating(type))
            value = (clscan_value){.float32 = (float)specials[random % 11]};
        clscan_value_store(type, value, input + i * clscan_type_size_bytes(type));
    }
}

static void run_on_device(const clscan_problem *problem, const void *initial, size_t size_bytes)
{
    short_rows batch = {0};
    clscan_error error;
    cl_mem buffer = clCreateBuffer(test_where.context, CL_MEM_COPY_HOST_PTR, size_bytes, input, NULL);

    assert_non_null(buffer);
    test_succeed(short_rows_prepare(&batch, &test_where, problem, initial, ROW_COUNT, &error), &error);
    test_succeed(short_rows_run(&batch, &test_where, buffer, buffer, ROWS, 0, NULL, NULL, &error), &error);
    assert_int_equal(clEnqueueReadBuffer(test_where.queue, buffer, CL_TRUE, 0, size_bytes, output, 0, NULL, NULL),
                     CL_SUCCESS);
    short_rows_release(&batch);
    clReleaseMemObject(buffer);
}

/* Bits 0, 1 and 2 of `shape`: exclusive, reverse, with an initial value. */
static void check(clscan_type type, clscan_operator op, unsigned shape)
{
    const clscan_form form = (shape & 1) != 0 ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE;
    const clscan_direction direction = (shape & 2) != 0 ? CLSCAN_REVERSE : CLSCAN_FORWARD;
    const clscan_value five = clscan_value_from_int(type, 5);
    const clscan_value *initial = (shape & 4) != 0 ? &five : NULL;
    const clscan_reference what = {.type = type, .op = op, .form = form, .direction = direction};
    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = type, .op = op, .form = form, .direction = direction, .max_count = 1};
    const size_t element_bytes = clscan_type_size_bytes(type);

    generate(type);
    for (size_t row = 0; row < ROWS; ++row) {
        const size_t at_bytes = row * ROW_COUNT * element_bytes;

        assert_int_equal(clscan_reference_scan(&what, input + at_bytes, ROW_COUNT, initial, expected + at_bytes, NULL),
                         CLSCAN_OK);
    }
    run_on_device(&problem, initial, COUNT * element_bytes);
    for (size_t i = 0; i < COUNT; ++i) {
        if (!clscan_reference_same(type, op, expected + i * element_bytes, output + i * element_bytes))
            fail_msg("%s %s, shape %u: element %zu", clscan_type_name(type), clscan_operator_name(op), shape, i);
    }
}

/* Another form for each pair, so that all occur. */
static void types_and_operators(void **state)
{
    unsigned shape = 0;

    (void)state;
    for (clscan_type type = CLSCAN_INT8; type < CLSCAN_TYPE_COUNT; ++type) {
        if (clscan_device_check_type(&test_where.info, type, NULL) != CLSCAN_OK)
            continue;
        for (clscan_operator op = CLSCAN_ADD; op < CLSCAN_CUSTOM; ++op) {
            if (!clscan_reference_is_floating(type) || op < CLSCAN_AND)
                check(type, op, shape++ % 8);
        }
    }
}

static void forms(void **state)
{
    (void)state;
    for (unsigned shape = 0; shape < 8; ++shape) {
        check(CLSCAN_INT32, CLSCAN_ADD, shape);
        check(CLSCAN_HALF, CLSCAN_MIN, shape);
        check(CLSCAN_FLOAT, CLSCAN_MAX, shape);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_and_operators),
        cmocka_unit_test(forms),
    };

    return cmocka_run_group_tests(tests, test_start_device, test_release_device);
}
