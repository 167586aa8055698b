/* Counts and offsets beyond 32 bits. For devices with memory to spare: set CLSCAN_TEST_LARGE=1. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
static void run_problem(const test_live *live, const clscan_problem *problem, int in_place)
{
    char text[CLSCAN_CASE_TEXT_BYTES];
    clscan_case_fixture fixture;

    test_prepare(live, problem, NULL, NULL, &fixture);
    const clscan_case_result result =
        clscan_closed_form_run(&fixture, problem->max_count, in_place, 0, text, sizeof text);
    if (result != CLSCAN_CASE_RIGHT)
        print_error("%s\n", text);
    clscan_case_release(&fixture);
    assert_int_equal(result, CLSCAN_CASE_RIGHT);
}

static void run_large(const test_live *live, clscan_type type, clscan_form form, clscan_direction direction,
                      uint64_t count, int in_place)
{
    const uint64_t bytes = count * clscan_type_size_bytes(type) + (UINT64_C(1) << 20);
    const clscan_problem problem = test_problem(type, CLSCAN_ADD, form, direction, count);

    skip_unless_it_fits(live, bytes, in_place ? 1 : 2);
    run_problem(live, &problem, in_place);
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

static void run_rows(const test_live *live, clscan_form form, clscan_direction direction, uint64_t row_count,
                     uint64_t count, int in_place)
{
    const clscan_rows rows = {.struct_size = sizeof rows, .count = row_count};
    clscan_problem problem = test_problem(CLSCAN_UINT8, CLSCAN_ADD, form, direction, count);

    problem.rows = &rows;
    run_problem(live, &problem, in_place);
}

/* Each of them is short; where the last ones begin has no place in 32 bits. In place, since all have the same input:
 * what is read from a row that was scanned before shows. */
static void rows_beyond_32_bits_in_place(void **state)
{
    enum { COUNT = 513 * CLSCAN_CLOSED_FORM_PERIOD };
    const uint64_t rows = (UINT64_C(1) << 32) / COUNT + 500;

    skip_unless_it_fits(*state, rows * COUNT + (UINT64_C(1) << 20), 1);
    run_rows(*state, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, rows, COUNT, 1);
}

/* As a scan of its own. */
static void one_row_beyond_32_bits_in_place(void **state)
{
    const uint64_t count = (UINT64_C(1) << 32) + 5;

    skip_unless_it_fits(*state, count + (UINT64_C(1) << 20), 1);
    run_rows(*state, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1, count, 1);
}

/* Long ones, within which work-groups wait for each other where they may, so few that a GPU has some for each. */
static void long_rows_beyond_32_bits_in_place(void **state)
{
    const uint64_t rows = 67, count = (UINT64_C(1) << 26) + 3 * CLSCAN_CLOSED_FORM_PERIOD;

    skip_unless_it_fits(*state, rows * count + (UINT64_C(1) << 20), 1);
    run_rows(*state, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, rows, count, 1);
}

static const clscan_element uint64 = {.struct_size = sizeof uint64, .type = CLSCAN_UINT64},
                            uint8 = {.struct_size = sizeof uint8, .type = CLSCAN_UINT8};

/* A plan for selections of so many elements by 64-bit places, and one run of it. Returns the number kept. */
static uint64_t select_once(const test_live *live, const clscan_problem *said, uint64_t count, clscan_memory in,
                            clscan_memory out, const clscan_selection *selection)
{
    const cl_mem number = test_buffer(live, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL);
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in = in,
                                  .out = out,
                                  .count = count,
                                  .total.buffer = number,
                                  .selection = selection};
    clscan_problem problem = *said;
    clscan_report report = {.struct_size = sizeof report};
    clscan_plan *plan;
    clscan_workspace *workspace;
    clscan_error error = {0};
    uint64_t kept;

    problem.max_count = count;
    problem.accumulator = &uint64;
    test_plan_create(live, &problem, NULL, &plan, &workspace);
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    assert_status(CLSCAN_OK, clscan_workspace_report(workspace, live->queue, &report, &error), &error);
    assert_int_equal(report.failures, 0);
    assert_int_equal(report.overflows, 0);
    test_read(live, number, sizeof kept, &kept);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(number);
    return kept;
}

enum { CHUNK = 1 << 26, ZEROS = 1, OTHERS = CLSCAN_CLOSED_FORM_PERIOD - ZEROS, CANARY = 0x5a, MARGIN = 64 };

/* `bytes` of the buffer become the chunk, over and over. */
static void write_chunks(const test_live *live, cl_mem buffer, uint64_t bytes, const unsigned char *chunk,
                         uint64_t chunk_bytes)
{
    for (uint64_t at = 0; at < bytes; at += chunk_bytes) {
        const size_t here = (size_t)(bytes - at < chunk_bytes ? bytes - at : chunk_bytes);

        assert_cl(clEnqueueWriteBuffer(live->queue, buffer, CL_TRUE, (size_t)at, here, chunk, 0, NULL, NULL));
    }
}

/* They are that. */
static void compare_chunks(const test_live *live, cl_mem buffer, uint64_t bytes, const unsigned char *chunk,
                           uint64_t chunk_bytes, unsigned char *got)
{
    for (uint64_t at = 0; at < bytes; at += chunk_bytes) {
        const size_t here = (size_t)(bytes - at < chunk_bytes ? bytes - at : chunk_bytes);

        assert_cl(clEnqueueReadBuffer(live->queue, buffer, CL_TRUE, (size_t)at, here, got, 0, NULL, NULL));
        if (memcmp(chunk, got, here) != 0)
            fail_msg("what is kept is wrong among %zu places from %llu on", here, (unsigned long long)at);
    }
}

/* Elements that are their own flags: one in a period of them is 0. */
static void select_others(const test_live *live, uint64_t count)
{
    static const clscan_select flags = {.struct_size = sizeof flags, .flag_bytes = 1};
    static const clscan_problem problem = {
        .struct_size = sizeof problem, .operation = CLSCAN_SELECT, .type = CLSCAN_UINT8, .select = &flags};
    const uint64_t expected = count / CLSCAN_CLOSED_FORM_PERIOD * OTHERS;
    const uint64_t most = (uint64_t)CHUNK / (CLSCAN_CLOSED_FORM_PERIOD * OTHERS) * CLSCAN_CLOSED_FORM_PERIOD * OTHERS;
    unsigned char *chunk = malloc(CHUNK), *got = malloc(CHUNK), tail[MARGIN];
    const cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, (size_t)count, NULL),
                 out = test_buffer(live, CL_MEM_READ_WRITE, (size_t)expected + MARGIN, NULL);
    const clscan_selection selection = {
        .struct_size = sizeof selection, .flags.buffer = in, .capacity = expected + MARGIN};
    uint64_t kept = 0, number;

    assert_true(chunk != NULL && got != NULL && count % CLSCAN_CLOSED_FORM_PERIOD == 0);
    for (uint64_t i = 0; i < most; ++i)
        chunk[i] = clscan_closed_form_input(CLSCAN_UINT8, i).uint8;
    write_chunks(live, in, count, chunk, most);
    memset(got, CANARY, CHUNK);
    write_chunks(live, out, expected + MARGIN, got, CHUNK);
    number =
        select_once(live, &problem, count, (clscan_memory){.buffer = in}, (clscan_memory){.buffer = out}, &selection);
    assert_true(number == expected);
    for (uint64_t i = 0; kept < most; ++i)
        if (clscan_closed_form_input(CLSCAN_UINT8, i).uint8 != 0)
            chunk[kept++] = clscan_closed_form_input(CLSCAN_UINT8, i).uint8;
    compare_chunks(live, out, expected, chunk, most, got);
    assert_cl(clEnqueueReadBuffer(live->queue, out, CL_TRUE, (size_t)expected, MARGIN, tail, 0, NULL, NULL));
    for (size_t i = 0; i < MARGIN; ++i)
        assert_int_equal(tail[i], CANARY);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    free(chunk);
    free(got);
}

/* More places than 32 bits can name, not only more elements. */
static void selection_beyond_32_bits(void **state)
{
    const uint64_t count = ((UINT64_C(1) << 32) / OTHERS + 9) * CLSCAN_CLOSED_FORM_PERIOD;

    skip_unless_it_fits(*state, count + (UINT64_C(1) << 20), 2);
    select_others(*state, count);
}

/* Indices of few among many elements, none of which are in memory. */
static void select_indices(const test_live *live, uint64_t count)
{
    enum { STEP = 1000003, FIRST = 5, MOST = 8192 }; /* as the expression says */
    static const clscan_map few = {.struct_size = sizeof few, .expression = "index % 1000003 == 5"},
                            index = {.struct_size = sizeof index, .expression = "index"};
    static const clscan_problem problem = {.struct_size = sizeof problem,
                                           .operation = CLSCAN_SELECT,
                                           .type = CLSCAN_UINT8,
                                           .output = &uint64,
                                           .load = &few,
                                           .store = &index};
    const cl_mem out = test_buffer(live, CL_MEM_READ_WRITE, MOST * sizeof(uint64_t), NULL);
    const clscan_selection selection = {.struct_size = sizeof selection, .capacity = MOST};
    const uint64_t expected = (count - FIRST + STEP - 1) / STEP;
    static uint64_t got[MOST];

    assert_true(expected < MOST);
    assert_true(select_once(live, &problem, count, (clscan_memory){.buffer = NULL}, (clscan_memory){.buffer = out},
                            &selection) == expected);
    test_read(live, out, sizeof got, got);
    for (uint64_t i = 0; i < expected; ++i)
        if (got[i] != FIRST + i * STEP)
            fail_msg("index %llu is %llu", (unsigned long long)i, (unsigned long long)got[i]);
    clReleaseMemObject(out);
}

static void indices_beyond_32_bits(void **state)
{
    skip_unless_it_fits(*state, UINT64_C(1) << 26, 1);
    select_indices(*state, (UINT64_C(1) << 32) + 3 * 1000003);
}

/* A plan and one run of it, which reports nothing wrong. */
static void run_once(const test_live *live, const clscan_problem *problem, const clscan_run_args *args)
{
    clscan_report report = {.struct_size = sizeof report};
    clscan_plan *plan;
    clscan_workspace *workspace;
    clscan_error error = {0};

    test_plan_create(live, problem, NULL, &plan, &workspace);
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, args, 0, NULL, NULL, &error), &error);
    assert_status(CLSCAN_OK, clscan_workspace_report(workspace, live->queue, &report, &error), &error);
    assert_int_equal(report.failures, 0);
    assert_int_equal(report.overflows, 0);
    assert_int_equal(report.refused_counts, 0);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
}

/* Bytes that are all the same. */
static cl_mem buffer_of(const test_live *live, uint64_t bytes, int value)
{
    const cl_mem buffer = test_buffer(live, CL_MEM_READ_WRITE, (size_t)bytes, NULL);
    unsigned char *chunk = malloc(CHUNK);

    assert_non_null(chunk);
    memset(chunk, value, CHUNK);
    write_chunks(live, buffer, bytes, chunk, CHUNK);
    free(chunk);
    return buffer;
}

enum { SEGMENTS = 10, BEYOND = 100003 };

/* Segments of ones: where they begin among BEYOND elements more than `middle`, and where the last one ends. */
typedef struct ones {
    uint64_t count, begins[SEGMENTS + 1];
    clscan_segments segments;
    cl_mem in, said;
} ones;

static void set_up_ones(const test_live *live, clscan_segments_by by, uint64_t middle, ones *of)
{
    const uint64_t begins[SEGMENTS + 1] = {0,      5,          64,          middle / 2,      middle / 2 + 1, middle - 1,
                                           middle, middle + 1, middle + 77, middle + 100001, middle + BEYOND};
    const bool bits = by == CLSCAN_BY_BITS;

    of->count = middle + BEYOND;
    memcpy(of->begins, begins, sizeof begins);
    of->segments = (clscan_segments){
        .struct_size = sizeof(clscan_segments),
        .by = by,
        .type = by == CLSCAN_BY_OFFSETS ? CLSCAN_UINT64
                : bits                  ? (clscan_type)0
                                        : CLSCAN_UINT8,
    };
    of->in = buffer_of(live, of->count, 1);
    if (by == CLSCAN_BY_OFFSETS) {
        of->said = test_buffer(live, CL_MEM_READ_WRITE, sizeof begins, begins);
        return;
    }
    of->said = buffer_of(live, bits ? of->count / 8 + 1 : of->count, 0);
    for (size_t i = 0; i < SEGMENTS; ++i) {
        const uint64_t at = bits ? begins[i] / 8 : begins[i];
        unsigned char flags = !bits;

        for (size_t j = 0; bits && j < SEGMENTS; ++j)
            flags |= (unsigned char)(begins[j] / 8 == at ? 1u << begins[j] % 8 : 0);
        assert_cl(clEnqueueWriteBuffer(live->queue, of->said, CL_TRUE, (size_t)at, 1, &flags, 0, NULL, NULL));
    }
}

static void tear_down_ones(ones *of)
{
    clReleaseMemObject(of->in);
    clReleaseMemObject(of->said);
}

/* Numbers that have 64 bits where a count needs them. */
static void compare_numbers(const test_live *live, cl_mem buffer, uint64_t count, const uint64_t *expected,
                            size_t number_count)
{
    uint64_t wide[SEGMENTS + 1] = {0};
    uint32_t narrow[SEGMENTS + 1];

    test_read(live, buffer, number_count * sizeof *wide, wide);
    memcpy(narrow, wide, sizeof narrow);
    for (size_t i = 0; i < number_count; ++i)
        assert_true((count > UINT32_MAX ? wide[i] : narrow[i]) == expected[i]);
}

/* The sums are the lengths of segments. */
static void sum_segments(const test_live *live, clscan_segments_by by, uint64_t middle)
{
    const uint64_t number_of_all = SEGMENTS;
    cl_mem numbers[3];
    uint64_t sums[SEGMENTS];
    ones of;

    set_up_ones(live, by, middle, &of);
    for (size_t i = 0; i < 3; ++i)
        numbers[i] = buffer_of(live, (SEGMENTS + 1) * sizeof(uint64_t), CANARY);
    {
        const bool finds = by != CLSCAN_BY_OFFSETS;
        const clscan_problem problem = {.struct_size = sizeof problem,
                                        .operation = CLSCAN_REDUCE,
                                        .type = CLSCAN_UINT8,
                                        .accumulator = &uint64,
                                        .max_count = of.count,
                                        .segments = &of.segments};
        const clscan_segment_sums asked = {.struct_size = sizeof asked,
                                           .sums.buffer = numbers[0],
                                           .offsets.buffer = finds ? numbers[1] : NULL,
                                           .number.buffer = finds ? numbers[2] : NULL,
                                           .capacity = finds ? SEGMENTS : 0};
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in.buffer = of.in,
                                      .count = of.count,
                                      .segments.buffer = of.said,
                                      .offset_count = finds ? 0 : SEGMENTS + 1,
                                      .segment_sums = &asked};

        run_once(live, &problem, &args);
        if (finds) {
            compare_numbers(live, numbers[1], of.count, of.begins, SEGMENTS + 1);
            compare_numbers(live, numbers[2], of.count, &number_of_all, 1);
        }
    }
    test_read(live, numbers[0], sizeof sums, sums);
    for (size_t i = 0; i < SEGMENTS; ++i)
        if (sums[i] != of.begins[i + 1] - of.begins[i])
            fail_msg("the sum of segment %zu is %llu", i, (unsigned long long)sums[i]);
    for (size_t i = 0; i < 3; ++i)
        clReleaseMemObject(numbers[i]);
    tear_down_ones(&of);
}

/* In place. What stands at an element is its place in its segment. */
static void scan_segments(const test_live *live, clscan_segments_by by, uint64_t middle)
{
    unsigned char *got = malloc(CHUNK);
    uint64_t begin = 0;
    size_t next = 1;
    ones of;

    assert_non_null(got);
    set_up_ones(live, by, middle, &of);
    {
        const clscan_problem problem = {
            .struct_size = sizeof problem, .type = CLSCAN_UINT8, .max_count = of.count, .segments = &of.segments};
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in.buffer = of.in,
                                      .out.buffer = of.in,
                                      .count = of.count,
                                      .segments.buffer = of.said,
                                      .offset_count = by == CLSCAN_BY_OFFSETS ? SEGMENTS + 1 : 0};

        run_once(live, &problem, &args);
    }
    for (uint64_t at = 0; at < of.count; at += CHUNK) {
        const size_t here = (size_t)(of.count - at < CHUNK ? of.count - at : CHUNK);

        assert_cl(clEnqueueReadBuffer(live->queue, of.in, CL_TRUE, (size_t)at, here, got, 0, NULL, NULL));
        for (size_t i = 0; i < here; ++i) {
            if (at + i == of.begins[next])
                begin = of.begins[next++];
            if (got[i] != (unsigned char)(at + i - begin + 1))
                fail_msg("element %llu is %u", (unsigned long long)(at + i), got[i]);
        }
    }
    free(got);
    tear_down_ones(&of);
}

/* Of ones, as many as device memory says: the total is the count, and what is behind stays. */
static void count_on_the_device(const test_live *live, clscan_operation operation, uint64_t count)
{
    const uint64_t most = count + BEYOND;
    const cl_mem in = buffer_of(live, most, 1), said = test_buffer(live, CL_MEM_READ_WRITE, sizeof count, &count),
                 total = buffer_of(live, sizeof(uint64_t), CANARY);
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .operation = operation,
                                    .type = CLSCAN_UINT8,
                                    .accumulator = &uint64,
                                    .output = operation == CLSCAN_SCAN ? &uint8 : NULL,
                                    .max_count = most,
                                    .count_bytes = sizeof count};
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = in,
                                  .out.buffer = operation == CLSCAN_SCAN ? in : NULL,
                                  .total.buffer = total,
                                  .count = most,
                                  .device_count.buffer = said};
    unsigned char behind[2];
    uint64_t got;

    run_once(live, &problem, &args);
    test_read(live, total, sizeof got, &got);
    assert_true(got == count);
    assert_cl(clEnqueueReadBuffer(live->queue, in, CL_TRUE, (size_t)count - 1, 2, behind, 0, NULL, NULL));
    assert_int_equal(behind[0], operation == CLSCAN_SCAN ? (unsigned char)count : 1);
    assert_int_equal(behind[1], 1);
    clReleaseMemObject(in);
    clReleaseMemObject(said);
    clReleaseMemObject(total);
}

static const clscan_segments_by ways[] = {CLSCAN_BY_OFFSETS, CLSCAN_BY_BITS, CLSCAN_BY_FLAGS};

static void segments_beyond_32_bits(void **state)
{
    skip_unless_it_fits(*state, (UINT64_C(1) << 32) + (UINT64_C(1) << 30), 2);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        sum_segments(*state, ways[i], UINT64_C(1) << 32);
        scan_segments(*state, ways[i], UINT64_C(1) << 32);
    }
}

static void counts_on_the_device_beyond_32_bits(void **state)
{
    skip_unless_it_fits(*state, (UINT64_C(1) << 32) + (UINT64_C(1) << 20), 1);
    count_on_the_device(*state, CLSCAN_SCAN, (UINT64_C(1) << 32) + 5);
    count_on_the_device(*state, CLSCAN_REDUCE, (UINT64_C(1) << 32) + 5);
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

/* The same of what else is large: what that is compared with is right. */
static void all_the_rest_of_small_counts(void **state)
{
    run_rows(*state, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 37, 513 * CLSCAN_CLOSED_FORM_PERIOD, 0);
    run_rows(*state, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1, 300005, 1);
    run_rows(*state, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 2, 40000 * CLSCAN_CLOSED_FORM_PERIOD, 1);
    select_others(*state, 12345 * CLSCAN_CLOSED_FORM_PERIOD);
    select_indices(*state, 3000017);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        sum_segments(*state, ways[i], 30000);
        scan_segments(*state, ways[i], 30000);
    }
    count_on_the_device(*state, CLSCAN_SCAN, 70005);
    count_on_the_device(*state, CLSCAN_REDUCE, 70005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_form_on_a_small_count),
        cmocka_unit_test(workspace_at_8_gib),
        cmocka_unit_test(workspace_at_16_gib),
        cmocka_unit_test(uint8_beyond_32_bits_in_place),
        cmocka_unit_test(uint8_beyond_32_bits_reverse),
        cmocka_unit_test(int32_beyond_31_bits),
        cmocka_unit_test(all_the_rest_of_small_counts),
        cmocka_unit_test(rows_beyond_32_bits_in_place),
        cmocka_unit_test(one_row_beyond_32_bits_in_place),
        cmocka_unit_test(long_rows_beyond_32_bits_in_place),
        cmocka_unit_test(selection_beyond_32_bits),
        cmocka_unit_test(indices_beyond_32_bits),
        cmocka_unit_test(segments_beyond_32_bits),
        cmocka_unit_test(counts_on_the_device_beyond_32_bits),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
