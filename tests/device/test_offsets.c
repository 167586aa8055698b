/* Buffers that do not begin where vectors do, on either side: the persistent form of lookahead puts its tiles where the
 * input's vectors are, and shifts what it stores. */
#include "cmocka_all.h"
#include "common/test_knobs.h"
#include "live.h"
#include "problem_of.h"
#include "variant_sets.h"

enum { TILES = 5, WORK_ITEMS = 64, ROWS = 2 };

/* Vectors of 16 bytes, as devices like them; 0 if this device cannot run it. */
static int shape(const test_live *live, clscan_type type, int in_place, clscan_variant *variant)
{
    clscan_error error = {0};

    *variant = (clscan_variant){.body = CLSCAN_BODY_SUBGROUP_ROWS,
                                .group_scan = CLSCAN_GROUP_SCAN_SUBGROUP,
                                .carry = CLSCAN_CARRY_LOOKAHEAD,
                                .order = CLSCAN_ORDER_PERSISTENT,
                                .work_group_size = WORK_ITEMS,
                                .vector_length = 16 / (uint32_t)clscan_type_size_bytes(type),
                                .register_pieces = ROWS,
                                .work_groups_per_unit = 2};
    if (live->info.device_class == CLSCAN_DEVICE_CLASS_CPU)
        variant->work_group_size = TEST_SMALL_WORK_GROUP; /* where each work-item of a sub-group takes its time */
    if (test_type_runs(live, type) &&
        clscan_variant_check(variant, PROBLEM_OF(type, CLSCAN_ADD), in_place, &live->info, &error) == CLSCAN_OK)
        return 1;
    print_message("not run: %s\n", error.message);
    return 0;
}

/* Where the last tile of the count ends; the last element before a tile, the first one behind it, and more than a
 * head. */
static uint64_t count_of(uint64_t tile, uint64_t vector, uint64_t i)
{
    const uint64_t counts[] = {TILES * tile + 3, tile, tile + vector - 1, tile - 1, 2 * tile + vector, 1};

    return counts[i % (sizeof counts / sizeof counts[0])];
}

static unsigned offsets_of(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                           const clscan_plan_options *options, int in_place, uint64_t step)
{
    const uint64_t tile = clscan_variant_tile_count(options->variant), vector = options->variant->vector_length;
    clscan_case_fixture fixture;
    unsigned failures = 0;

    if (test_try_prepare(live, problem, sample, options, &fixture) != CLSCAN_OK)
        return 1;
    for (uint64_t in = 0; in < vector; in += step)
        for (uint64_t out = in_place ? in : 0; out < (in_place ? in + 1 : vector); out += step)
            for (uint64_t i = 0; i < 2; ++i) {
                const uint64_t turn = in + 3 * out + 5 * i;
                const clscan_case test = {
                    .count = count_of(tile, vector, i == 0 ? 0 : turn),
                    .in_offset = in,
                    .out_offset = out,
                    .in_place = in_place,
                    .initial = (clscan_case_initial)(turn % 3),
                    .total = 1,
                    .generator = sample != NULL ? CLSCAN_GENERATE_MOSTLY_ZERO
                                                : clscan_generator_for(problem->type, problem->op, problem->direction),
                    .seed = turn};
                failures += test_case(&fixture, &test);
            }
    clscan_case_release(&fixture);
    return failures;
}

/* Compilers for CPUs take ten seconds for each program of this kind. */
static int is_spared(const test_live *live, size_t turn)
{
    return live->info.device_class == CLSCAN_DEVICE_CLASS_CPU && turn % (test_thorough() ? 4 : 16) != 0;
}

/* Elements of each size, both directions and forms. */
static void every_pair_of_offsets(void **state)
{
    const test_live *live = *state;
    static const clscan_type types[] = {CLSCAN_UINT8, CLSCAN_INT16, CLSCAN_HALF,
                                        CLSCAN_FLOAT, CLSCAN_INT32, CLSCAN_INT64};
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
        for (int in_place = 0; in_place < 2; ++in_place)
            for (int direction = 0; direction < 2; ++direction) {
                clscan_variant variant;
                const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
                const clscan_problem problem =
                    test_problem(types[i], CLSCAN_ADD, (clscan_form)(((int)i + in_place + direction) % 2),
                                 (clscan_direction)direction, UINT64_C(1) << 16);

                if (!is_spared(live, i + 2 * (size_t)in_place + (size_t)direction) &&
                    shape(live, types[i], in_place, &variant))
                    failures += offsets_of(live, &problem, NULL, &options, in_place, types[i] == CLSCAN_UINT8 ? 3 : 1);
            }
    assert_int_equal(failures, 0);
}

/* Heads and tiles keep their order, also where the tile that goes with the head is recomputed. */
static void held_tiles_in_memory_order(void **state)
{
    const test_live *live = *state;
    const clscan_sample_operator *keep_last = clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_INT32);
    unsigned failures = 0;

    for (int in_place = 0; in_place < 2; ++in_place)
        for (uint32_t interval = 0; interval < 2; ++interval) {
            clscan_variant variant;
            const clscan_plan_options options = {.struct_size = sizeof options,
                                                 .variant = &variant,
                                                 .test_knobs = &(struct clscan__test_knobs){
                                                     .poll_limit = interval > 0 ? 1 : 0, .hold_interval = interval}};
            const clscan_problem problem = test_custom_problem(CLSCAN_INT32, keep_last, CLSCAN_INCLUSIVE,
                                                               (clscan_direction)in_place, UINT64_C(1) << 16);

            if (!is_spared(live, (size_t)in_place + 3 * interval) && shape(live, CLSCAN_INT32, in_place, &variant))
                failures += offsets_of(live, &problem, keep_last, &options, in_place, 1);
        }
    assert_int_equal(failures, 0);
}

/* Buffers over host memory may begin anywhere, which the host does not see in the offsets. Devices that copy such
 * memory have nothing to find here. */
static void buffers_over_odd_host_memory(void **state)
{
    enum { MOST = TILES * WORK_ITEMS * ROWS * 4 + 3, VECTOR = 4 };
    static _Alignas(128) int32_t in[MOST + VECTOR], out[MOST + VECTOR];
    const test_live *live = *state;
    clscan_variant variant;
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    clscan_case_fixture fixture;
    size_t count;

    if (!shape(live, CLSCAN_INT32, 0, &variant))
        skip();
    count = TILES * clscan_variant_tile_count(&variant) + 3;
    test_prepare(live, &problem, NULL, &options, &fixture);
    for (size_t i = 0; i < MOST + VECTOR; ++i)
        in[i] = (int32_t)(i * 7919 % 1000);
    for (size_t from = 0; from < VECTOR; ++from)
        for (size_t to = 0; to < VECTOR; ++to) {
            const size_t bytes = count * sizeof in[0];
            cl_int codes[2];
            cl_mem buffers[2] = {
                clCreateBuffer(live->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, bytes, in + from, &codes[0]),
                clCreateBuffer(live->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, out + to, &codes[1])};
            const clscan_run_args args = {
                .struct_size = sizeof args, .in.buffer = buffers[0], .out.buffer = buffers[1], .count = count};
            int32_t sum = 0;

            assert_int_equal(codes[0], CL_SUCCESS);
            assert_int_equal(codes[1], CL_SUCCESS);
            assert_int_equal(clscan_run(fixture.plan, fixture.workspace, live->queue, &args, 0, NULL, NULL, NULL),
                             CLSCAN_OK);
            assert_int_equal(clEnqueueReadBuffer(live->queue, buffers[1], CL_TRUE, 0, bytes, out + to, 0, NULL, NULL),
                             CL_SUCCESS);
            for (size_t i = 0; i < count; ++i) {
                sum += in[from + i];
                if (out[to + i] != sum)
                    fail_msg("from %zu to %zu: element %zu is %d, not %d", from, to, i, (int)out[to + i], (int)sum);
            }
            clReleaseMemObject(buffers[0]);
            clReleaseMemObject(buffers[1]);
        }
    clscan_case_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_of_offsets),
        cmocka_unit_test(held_tiles_in_memory_order),
        cmocka_unit_test(buffers_over_odd_host_memory),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
