/* Chunks on a live device: with mapped and with copied memory, in place or not, several under way at once. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmocka_all.h"
#include "device_stage.h"
#include "on_device.h"

#define COUNT 100003
#define CHUNK_COUNT 9000
#define ROW_COUNT_OF_MANY 7
#define MOST_OUTPUTS (COUNT + COUNT / ROW_COUNT_OF_MANY)

static int32_t input[COUNT];
static int32_t expected[MOST_OUTPUTS];
static int32_t output[MOST_OUTPUTS];

static int start_device(void **state)
{
    for (size_t i = 0; i < COUNT; ++i)
        input[i] = (int32_t)(i * 7919 % 1009) - 500;
    return test_start_device(state);
}

/* Sums of every row, begun with 5. */
static void expect_sums(const row_layout *rows)
{
    int32_t sum = 0;

    for (uint64_t position = 0; position < rows->count; ++position) {
        const uint64_t i = rows->reverse ? rows->count - 1 - position : position;

        if (position % rows->row_count == 0)
            sum = 5;
        sum += input[i];
        expected[i] = sum;
    }
}

/* Offsets of every row, of which one more begins where it ends, begun with 5. */
static void expect_offsets(const row_layout *rows)
{
    size_t at = 0;

    for (uint64_t row = 0; row < rows->count; row += rows->row_count) {
        int32_t sum = 5;

        expected[at++] = sum;
        for (uint64_t i = row; i < row + rows->row_count; ++i)
            expected[at++] = sum += input[i];
    }
}

static void put(device_stage *stage, uint64_t chunk)
{
    slot *s = &stage->slots[chunk % stage->cut.slot_count];
    const uint64_t left = stage->rows.count - chunk * stage->cut.chunk_count;
    clscan_error error;

    s->begin = chunk * stage->cut.chunk_count;
    s->count = left < stage->cut.chunk_count ? left : stage->cut.chunk_count;
    s->first = chunk_first_element(&stage->rows, s->begin, s->begin + s->count);
    memcpy(s->host_in, input + s->first, s->count * sizeof *input);
    test_succeed(device_stage_submit(stage, s, &error), &error);
}

static void take(device_stage *stage, uint64_t chunk)
{
    slot *s = &stage->slots[chunk % stage->cut.slot_count];
    clscan_error error;

    test_succeed(device_stage_wait(stage, s, &error), &error);
    memcpy(output + device_stage_outputs(stage, s->first), s->host_out,
           device_stage_chunk_outputs(stage, s, s->count) * sizeof *output);
}

static cl_uint context_holders(void)
{
    cl_uint count = 0;

    assert_int_equal(clGetContextInfo(test_where.context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL),
                     CL_SUCCESS);
    return count;
}

/* What a stage had is gone, and holds the context no more. A driver's thread may let go a little later. */
static void release(device_stage *stage, cl_uint holders_before)
{
    device_stage_release(stage);
    assert_int_equal(clFinish(test_where.queue), CL_SUCCESS);
    for (int turn = 0; turn < 200 && context_holders() != holders_before; ++turn)
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    assert_int_equal(context_holders(), holders_before);
}

/* Keep as many chunks under way as there are slots. */
static void scan_chunks(device_stage *stage)
{
    const uint64_t chunks = (stage->rows.count + stage->cut.chunk_count - 1) / stage->cut.chunk_count;
    const unsigned slots = stage->cut.slot_count;

    for (uint64_t chunk = 0; chunk < chunks + slots; ++chunk) {
        if (chunk >= slots && chunk - slots < chunks)
            take(stage, chunk - slots);
        if (chunk < chunks)
            put(stage, chunk);
    }
}

static void check_stage(const clscan_plan *plan, const row_layout *rows, bool offsets, bool unified, bool in_place,
                        unsigned slots)
{
    static const int32_t initial = 5;
    device_stage stage = {
        .where = &test_where,
        .plan = plan,
        .rows = *rows,
        .columns = 1,
        .offsets = offsets,
        .cut = {.chunk_count = slots > 1 ? CHUNK_COUNT : COUNT, .slot_count = slots, .in_place = in_place},
        .initial = &initial,
        .element_bytes = sizeof *input,
        .output_bytes = sizeof *input,
        .unified = unified,
    };
    const cl_uint holders = context_holders();
    clscan_error error;

    if (offsets)
        expect_offsets(rows);
    else
        expect_sums(rows);
    memset(output, 0, sizeof output);
    test_succeed(device_stage_prepare(&stage, &error), &error);
    scan_chunks(&stage);
    test_succeed(device_stage_finish(&stage, &error), &error);
    release(&stage, holders);
    for (uint64_t i = 0; i < rows->count + (offsets ? rows->count / rows->row_count : 0); ++i) {
        if (output[i] != expected[i])
            fail_msg("%s, %s, %u slots, rows of %llu, %s: element %llu is %d, not %d", unified ? "mapped" : "copied",
                     in_place ? "in place" : "not in place", slots, (unsigned long long)rows->row_count,
                     rows->reverse ? "reverse" : "forward", (unsigned long long)i, output[i], expected[i]);
    }
}

static void check_direction(clscan_direction direction)
{
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .type = CLSCAN_INT32,
                                    .op = CLSCAN_ADD,
                                    .direction = direction,
                                    .max_count = COUNT};
    const bool reverse = direction == CLSCAN_REVERSE;
    const row_layout one = {.count = COUNT, .row_count = COUNT, .reverse = reverse};
    const row_layout many = {
        .count = COUNT / ROW_COUNT_OF_MANY * ROW_COUNT_OF_MANY, .row_count = ROW_COUNT_OF_MANY, .reverse = reverse};
    clscan_plan *plan = NULL;
    clscan_error error;

    test_succeed(clscan_plan_create(test_where.context, test_where.device, &problem, NULL, &plan, &error), &error);
    for (int in_place = 0; in_place < 2; ++in_place) {
        check_stage(plan, &one, false, true, in_place, 1);
        check_stage(plan, &one, false, false, in_place, 1);
        check_stage(plan, &one, false, false, in_place, 5);
        check_stage(plan, &many, false, false, in_place, 2);
    }
    check_stage(plan, &one, false, true, true, 3); /* mapped chunks that are used again are scanned in place */
    check_stage(plan, &many, false, true, true, 3);
    clscan_plan_destroy(plan);
}

static void forward(void **state)
{
    (void)state;
    check_direction(CLSCAN_FORWARD);
}

static void reverse(void **state)
{
    (void)state;
    check_direction(CLSCAN_REVERSE);
}

/* Rows that end within a chunk, with its end, or in none of several chunks. */
static void offsets_of_rows(void **state)
{
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .type = CLSCAN_INT32,
                                    .op = CLSCAN_ADD,
                                    .form = CLSCAN_EXCLUSIVE,
                                    .max_count = COUNT};
    static const uint64_t row_counts[] = {ROW_COUNT_OF_MANY, CHUNK_COUNT, 2 * CHUNK_COUNT, 20011};
    clscan_plan *plan = NULL;
    clscan_error error;

    (void)state;
    test_succeed(clscan_plan_create(test_where.context, test_where.device, &problem, NULL, &plan, &error), &error);
    for (size_t i = 0; i < sizeof row_counts / sizeof row_counts[0]; ++i) {
        const row_layout rows = {.count = COUNT - COUNT % row_counts[i], .row_count = row_counts[i]};

        check_stage(plan, &rows, true, false, false, 1);
        check_stage(plan, &rows, true, false, false, 5);
        check_stage(plan, &rows, true, true, false, 3);
    }
    clscan_plan_destroy(plan);
}

/* Chunks that somebody else scans: here nobody does, so what is loaded comes back. */
static void slots_alone(void **state)
{
    (void)state;
    for (int unified = 0; unified < 2; ++unified) {
        device_stage stage = {.where = &test_where,
                              .cut = {.chunk_count = CHUNK_COUNT, .slot_count = 3, .in_place = true},
                              .element_bytes = sizeof *input,
                              .output_bytes = sizeof *input,
                              .unified = unified};
        const cl_uint holders = context_holders();
        clscan_error error;

        test_succeed(device_stage_prepare_slots(&stage, &error), &error);
        for (unsigned turn = 0; turn < 7; ++turn) {
            slot *s = &stage.slots[turn % stage.cut.slot_count];
            int32_t *there = malloc(CHUNK_COUNT * sizeof *there);

            s->count = CHUNK_COUNT - turn;
            memcpy(s->host_in, input + turn, s->count * sizeof *input);
            test_succeed(device_stage_load(&stage, s, &error), &error);
            assert_int_equal(clEnqueueReadBuffer(test_where.queue, s->in, CL_TRUE, 0, s->count * sizeof *there, there,
                                                 0, NULL, NULL),
                             CL_SUCCESS);
            assert_memory_equal(there, input + turn, s->count * sizeof *input);
            for (size_t i = 0; i < s->count; ++i)
                there[i] = (int32_t)i ^ input[turn];
            assert_int_equal(clEnqueueWriteBuffer(test_where.queue, s->out, CL_TRUE, 0, s->count * sizeof *there, there,
                                                  0, NULL, NULL),
                             CL_SUCCESS);
            test_succeed(device_stage_store(&stage, s, &error), &error);
            assert_memory_equal(s->host_out, there, s->count * sizeof *there);
            free(there);
        }
        release(&stage, holders);
    }
}

/* As after a failure: nobody takes the chunks that are under way. */
static void released_in_the_midst(void **state)
{
    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_ADD, .max_count = COUNT};
    clscan_plan *plan = NULL;
    clscan_error error;

    (void)state;
    test_succeed(clscan_plan_create(test_where.context, test_where.device, &problem, NULL, &plan, &error), &error);
    for (unsigned turn = 0; turn < 4; ++turn) {
        device_stage stage = {.where = &test_where,
                              .plan = plan,
                              .rows = {.count = COUNT, .row_count = COUNT},
                              .columns = 1,
                              .cut = {.chunk_count = CHUNK_COUNT, .slot_count = 3, .in_place = turn / 2 == 1},
                              .element_bytes = sizeof *input,
                              .output_bytes = sizeof *input,
                              .unified = turn % 2 == 1};
        const cl_uint holders = context_holders();

        test_succeed(device_stage_prepare(&stage, &error), &error);
        put(&stage, 0);
        put(&stage, 1);
        release(&stage, holders);
    }
    clscan_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward),
        cmocka_unit_test(reverse),
        cmocka_unit_test(offsets_of_rows),
        cmocka_unit_test(slots_alone),
        cmocka_unit_test(released_in_the_midst),
    };

    return cmocka_run_group_tests(tests, start_device, test_release_device);
}
