/* The count in device memory: every body with every carry, order and kind of reduction, counts at the edges of tiles
 * and of the plan's maximum, and beyond it; pipelines without a read-back; and what is refused. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "generate.h"
#include "live.h"
#include "reference.h"
#include "variant_sets.h"

enum { MARGIN = 5, MOST_TILES = 23, COUNT_AT = 3, POISON = 0x5a5a5a5a };

typedef struct rig {
    const test_live *live;
    clscan_problem problem;
    clscan_reference what;
    clscan_plan *plan;
    clscan_workspace *workspace;
    test_arrays arrays; /* with what is left and right of the elements */
    cl_mem count, total;
    uint32_t refused; /* by now */
} rig;

static void set_up(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                   const clscan_variant *variant, rig *r)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    const size_t elements = (size_t)problem->max_count + 2 * MARGIN;

    *r = (rig){.live = live, .problem = *problem};
    r->what = clscan_reference_of(problem, sample);
    test_plan_create(live, problem, &options, &r->plan, &r->workspace);
    test_arrays_create(live, elements * sizeof(int32_t), &r->arrays);
    clscan_generate(sample != NULL ? CLSCAN_GENERATE_MOSTLY_ZERO : CLSCAN_GENERATE_UNIFORM, problem->type, 7, 0,
                    elements, r->arrays.input);
    r->count = test_buffer(live, CL_MEM_READ_WRITE, 8 * sizeof(uint64_t), NULL);
    r->total = test_buffer(live, CL_MEM_READ_WRITE, 3 * sizeof(int32_t), NULL);
}

static void tear_down(rig *r)
{
    assert_cl(clFinish(r->live->queue));
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
    clReleaseMemObject(r->count);
    clReleaseMemObject(r->total);
    test_arrays_release(&r->arrays);
}

static void write_count(const rig *r, uint64_t count)
{
    uint64_t wide[8];
    uint32_t narrow[8];

    for (size_t i = 0; i < 8; ++i) {
        wide[i] = i == COUNT_AT ? count : 1;
        narrow[i] = (uint32_t)wide[i];
    }
    test_write(r->live, r->count, r->problem.count_bytes == 4 ? (void *)narrow : (void *)wide,
               r->problem.count_bytes == 4 ? sizeof narrow : sizeof wide);
}

/* The run of `count` elements where there may be `most`: results, total, what is around both, and the report. */
static unsigned run_case(rig *r, uint64_t count, uint64_t most, bool in_place, bool initial)
{
    const bool reduces = r->problem.operation == CLSCAN_REDUCE;
    const uint64_t valid = count > most ? 0 : count;
    const clscan_value start = clscan_value_from_int(CLSCAN_INT32, 3);
    const int32_t around[3] = {POISON, POISON, POISON};
    const int32_t *input = r->arrays.input;
    int32_t *got = r->arrays.got, *expected = r->arrays.expected;
    clscan_report report = {.struct_size = sizeof report};
    clscan_run_args args = {.struct_size = sizeof args, .count = most};
    clscan_value total = {.bits = 0};
    clscan_error error = {0};
    int32_t totals[3];
    unsigned wrong = 0;

    test_arrays_write(r->live, &r->arrays);
    test_write(r->live, r->total, around, sizeof around);
    write_count(r, count);
    args.in = (clscan_memory){.buffer = r->arrays.in, .offset = MARGIN};
    if (!reduces)
        args.out = (clscan_memory){.buffer = in_place ? r->arrays.in : r->arrays.out, .offset = MARGIN};
    if (initial)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &start};
    args.total = (clscan_memory){.buffer = r->total, .offset = 1};
    args.device_count = (clscan_memory){.buffer = r->count, .offset = COUNT_AT};
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(r->live, in_place ? r->arrays.in : r->arrays.out, r->arrays.bytes, got);
    test_read(r->live, r->total, sizeof totals, totals);
    memcpy(expected, in_place ? r->arrays.input : r->arrays.before, r->arrays.bytes);
    assert_int_equal(clscan_reference_scan(&r->what, input + MARGIN, valid, initial ? &start : NULL,
                                           reduces ? got + MARGIN : expected + MARGIN, &total),
                     CLSCAN_OK);
    if (!reduces)
        for (size_t i = 0; i < r->arrays.bytes / sizeof *got; ++i)
            wrong += got[i] != expected[i];
    wrong += totals[0] != POISON || totals[2] != POISON || totals[1] != total.int32;
    r->refused += count > most;
    assert_int_equal(clscan_workspace_report(r->workspace, r->live->queue, &report, NULL), CLSCAN_OK);
    wrong += report.refused_counts != r->refused || report.failures != 0;
    if (wrong > 0)
        print_error("count %llu of %llu, in place %d, initial %d: %u differ; total %d, not %d; %u refused, not %u\n",
                    (unsigned long long)count, (unsigned long long)most, in_place, initial, wrong, totals[1],
                    total.int32, report.refused_counts, r->refused);
    return wrong > 0;
}

static unsigned run_counts(rig *r, uint64_t tile)
{
    const uint64_t most = r->problem.max_count;
    const uint64_t counts[] = {0, 1, tile - 1, tile, 7 * tile + 3, most, most + 1, UINT32_MAX, tile + 1, most - 1};
    const bool has_place = r->problem.operation == CLSCAN_SCAN;
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        failures += run_case(r, counts[i], most, has_place && i % 2 == 1, i % 3 == 1);
    failures += run_case(r, tile + 1, tile, false, true);
    failures += run_case(r, tile, tile + 1, has_place, false);
    if (r->problem.count_bytes == 8)
        failures += run_case(r, UINT64_C(1) << 32, most, false, false);
    return failures;
}

static void run_variant(const test_live *live, const clscan_variant *variant, clscan_operation operation, size_t turn,
                        unsigned *run, unsigned *failures)
{
    const clscan_sample_operator *sample =
        turn % 2 == 0 ? clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_INT32) : NULL;
    const uint64_t tile = clscan_variant_tile_count(variant);
    const clscan_form form = operation == CLSCAN_REDUCE || turn / 2 % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE;
    const clscan_direction direction = turn % 3 == 0 ? CLSCAN_REVERSE : CLSCAN_FORWARD;
    clscan_problem problem =
        test_sample_problem(CLSCAN_INT32, CLSCAN_ADD, sample, form, direction, MOST_TILES * tile + 3);
    unsigned failed;
    rig r;

    problem.operation = operation;
    problem.count_bytes = turn % 5 < 3 ? 4 : 8;
    if (clscan_variant_check(variant, &problem, 0, &live->info, NULL) != CLSCAN_OK ||
        clscan_variant_check(variant, &problem, 1, &live->info, NULL) != CLSCAN_OK)
        return;
    set_up(live, &problem, sample, variant, &r);
    failed = run_counts(&r, tile);
    if (failed > 0)
        print_error("above: variant %u of operation %d: body %u, carry %u, order %u\n", (unsigned)turn, (int)operation,
                    variant->body, variant->carry, variant->order);
    *failures += failed;
    ++*run;
    tear_down(&r);
}

/* Every carry with every order, and some of them with other bodies. */
static void every_carry(void **state)
{
    const test_live *live = *state;
    test_variants list = test_representatives(CLSCAN_INT32, 16, 2, &live->info);
    unsigned failures = 0, run = 0, seen[CLSCAN_CARRY_COUNT] = {0};

    for (size_t i = 0; i < list.count; ++i) {
        clscan_variant variant = list.items[i];

        const bool first = seen[variant.carry]++ == 0;

        if (first ? !test_takes(variant.carry, 2) : i % test_case_step(live, 4, list.count) != 0)
            continue;
        run_variant(live, &variant, CLSCAN_SCAN, i, &run, &failures);
        for (uint32_t order = CLSCAN_ORDER_NONE + 1; order < CLSCAN_ORDER_COUNT; ++order)
            if (first && test_thorough() && list.items[i].order != CLSCAN_ORDER_NONE && order != list.items[i].order) {
                variant.order = order;
                if (order == CLSCAN_ORDER_STATIC || order == CLSCAN_ORDER_DYNAMIC)
                    variant.work_groups_per_unit = 0;
                else
                    variant.work_groups_per_unit = 2;
                run_variant(live, &variant, CLSCAN_SCAN, i + order, &run, &failures);
            }
    }
    free(list.items);
    assert_int_equal(failures, 0);
    assert_true(run > 0);
}

/* Rows of vectors in registers, and lookahead from tile to tile, where the device can. */
static void sub_group_rows(void **state)
{
    const test_live *live = *state;
    static const struct {
        clscan_carry carry;
        clscan_order order;
    } ways[] = {{CLSCAN_CARRY_LOOKAHEAD, CLSCAN_ORDER_PERSISTENT},
                {CLSCAN_CARRY_ALL_TOTALS, CLSCAN_ORDER_DYNAMIC},
                {CLSCAN_CARRY_REDUCE_THEN_SCAN, CLSCAN_ORDER_NONE}};
    unsigned failures = 0, run = 0;

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        const clscan_variant variant = {.body = CLSCAN_BODY_SUBGROUP_ROWS,
                                        .group_scan = CLSCAN_GROUP_SCAN_SUBGROUP,
                                        .carry = ways[i].carry,
                                        .order = ways[i].order,
                                        .work_group_size = 64,
                                        .vector_length = 2,
                                        .register_pieces = 2,
                                        .work_groups_per_unit = ways[i].order == CLSCAN_ORDER_DYNAMIC ? 0 : 2};

        if (!test_takes(i + 1, 3))
            continue;
        run_variant(live, &variant, CLSCAN_SCAN, 2 + i, &run, &failures);
        run_variant(live, &variant, CLSCAN_SCAN, 1 + i, &run, &failures);
    }
    assert_int_equal(failures, 0);
    if (run == 0)
        skip();
}

static void reductions(void **state)
{
    const test_live *live = *state;
    static const uint32_t carries[] = {CLSCAN_CARRY_REDUCE_THEN_COMBINE, CLSCAN_CARRY_LAST_COMBINES};
    clscan_variant variant = {.body = CLSCAN_BODY_STRIDED,
                              .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE,
                              .work_group_size = 16,
                              .vector_length = 2,
                              .register_pieces = 1,
                              .local_pieces = 1,
                              .work_groups_per_unit = 3};
    unsigned failures = 0, run = 0;

    for (size_t i = 0; i < 4; ++i) {
        variant.carry = carries[i % 2];
        variant.work_groups_per_unit = i < 2 ? 3 : 1;
        run_variant(live, &variant, CLSCAN_REDUCE, i, &run, &failures);
    }
    assert_int_equal(failures, 0);
    assert_true(run > 0);
}

/* Sums of ones say how many elements the next scan has, three times, and nobody reads one of them back. */
static void pipeline(const test_live *live, cl_command_queue queue, bool by_events)
{
    enum { MOST = 5000, STAGES = 3 };
    const uint32_t first[2] = {1, 4321};
    clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    static uint32_t data[MOST], out[MOST];
    cl_mem in, outs, counts;
    cl_event events[STAGES];
    clscan_plan *plan;
    clscan_workspace *workspaces[STAGES];

    for (size_t i = 0; i < MOST; ++i)
        data[i] = i % 2;
    problem.count_bytes = 4;
    in = test_buffer(live, CL_MEM_READ_ONLY, sizeof data, data);
    memset(data, 0x5a, sizeof data);
    outs = test_buffer(live, CL_MEM_READ_WRITE, sizeof data, data);
    counts = test_buffer(live, CL_MEM_READ_WRITE, (2 + STAGES) * sizeof(uint32_t), NULL);
    assert_cl(clEnqueueWriteBuffer(live->queue, counts, CL_TRUE, 0, sizeof first, first, 0, NULL, NULL));
    assert_int_equal(clscan_plan_create(live->context, live->device, &problem, NULL, &plan, NULL), CLSCAN_OK);
    for (size_t i = 0; i < STAGES; ++i) {
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in.buffer = in,
                                      .out.buffer = outs,
                                      .count = MOST,
                                      .device_count = {.buffer = counts, .offset = 1 + i},
                                      .total = {.buffer = counts, .offset = 2 + i}};

        assert_int_equal(clscan_workspace_create(plan, &workspaces[i], NULL), CLSCAN_OK);
        assert_int_equal(clscan_workspace_bind(workspaces[i], queue, NULL, NULL), CLSCAN_OK);
        assert_int_equal(clscan_run(plan, workspaces[i], queue, &args, by_events && i > 0,
                                    by_events && i > 0 ? &events[i - 1] : NULL, &events[i], NULL),
                         CLSCAN_OK);
    }
    assert_cl(clWaitForEvents(1, &events[STAGES - 1]));
    test_read(live, outs, sizeof out, out);
    for (uint32_t i = 0; i < MOST; ++i)
        assert_int_equal(out[i], i < 4321 ? (i + 1) / 2 : POISON);
    test_read(live, counts, (2 + STAGES) * sizeof(uint32_t), out);
    assert_int_equal(out[2], 2160);
    assert_int_equal(out[3], 1080);
    assert_int_equal(out[4], 540);
    for (size_t i = 0; i < STAGES; ++i) {
        clReleaseEvent(events[i]);
        clscan_workspace_destroy(workspaces[i]);
    }
    clscan_plan_destroy(plan);
    clReleaseMemObject(in);
    clReleaseMemObject(outs);
    clReleaseMemObject(counts);
}

static void pipelines(void **state)
{
    const test_live *live = *state;
    const cl_command_queue queue = test_out_of_order_queue(live);

    pipeline(live, live->queue, false);
    pipeline(live, queue, true);
    clReleaseCommandQueue(queue);
}

static void refusals(void **state)
{
    const test_live *live = *state;
    clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 100);
    clscan_run_args args;
    clscan_plan *plan;
    rig r;

    problem.count_bytes = 2;
    assert_int_equal(clscan_plan_create(live->context, live->device, &problem, NULL, &plan, NULL),
                     CLSCAN_ERROR_INVALID_VALUE);
    problem.count_bytes = 4;
    set_up(live, &problem, NULL, NULL, &r);
#define RUN() clscan_run(r.plan, r.workspace, live->queue, &args, 0, NULL, NULL, NULL)
    args = (clscan_run_args){
        .struct_size = sizeof args, .in.buffer = r.arrays.in, .out.buffer = r.arrays.out, .count = 100};
    assert_int_equal(RUN(), CLSCAN_ERROR_NULL_ARGUMENT);
    args.device_count = (clscan_memory){.buffer = r.count, .offset = 16};
    assert_int_equal(RUN(), CLSCAN_ERROR_BUFFER_TOO_SMALL);
    args.device_count = (clscan_memory){.buffer = r.arrays.out, .offset = 99};
    assert_int_equal(RUN(), CLSCAN_ERROR_OVERLAP);
    args.device_count = args.total = (clscan_memory){.buffer = r.count, .offset = 1};
    assert_int_equal(RUN(), CLSCAN_ERROR_OVERLAP);
    args.total = (clscan_memory){.buffer = NULL};
    args.device_count = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &problem};
    assert_int_equal(RUN(), CLSCAN_ERROR_MEMORY_KIND);
    args.device_count = (clscan_memory){.buffer = r.count};
    args.count = 0;
    assert_int_equal(RUN(), CLSCAN_ERROR_INVALID_VALUE);
    args.count = 101;
    assert_int_equal(RUN(), CLSCAN_ERROR_COUNT_TOO_LARGE);
    tear_down(&r);
    problem.count_bytes = 0;
    set_up(live, &problem, NULL, NULL, &r);
    args.count = 100;
    args.in.buffer = r.arrays.in;
    args.out.buffer = r.arrays.out;
    args.device_count.buffer = r.count;
    assert_int_equal(RUN(), CLSCAN_ERROR_INVALID_VALUE);
    tear_down(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_carry), cmocka_unit_test(sub_group_rows), cmocka_unit_test(reductions),
        cmocka_unit_test(pipelines),   cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
