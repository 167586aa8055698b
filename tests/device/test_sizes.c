/* Counts at the edges of tiles, for every body, group scan, carry and order. */
#include <stdbool.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "live.h"
#include "variant_sets.h"

/* A count of `tiles` tiles and `rest` elements. */
static const struct {
    uint64_t tiles;
    int64_t rest;
} sizes[] = {
    {0, 0},                           /* nothing to do */
    {0, 1},                           /* one element */
    {0, 2},                           /* less than a vector */
    {1, -1},                          /* one short of a tile */
    {1, 0},                           /* exactly one */
    {1, 1},                           /* a second tile with one element */
    {2, -1},  {2, 0}, {2, 1}, {3, 3}, /* a ragged vector at the end */
    {16, 0},                          /* as many tiles as a bounded carry has ranges, and more */
    {37, 5},                          /* many, no multiple of anything */
    {64, -1},
};
enum { MOST_TILES = 64 };

static unsigned run_sizes(const test_live *live, const clscan_variant *variant, clscan_type type,
                          const clscan_sample_operator *sample, clscan_form form, clscan_direction direction)
{
    const uint64_t tile = clscan_variant_tile_count(variant);
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    clscan_problem problem = test_problem(type, CLSCAN_ADD, form, direction, MOST_TILES * tile);
    clscan_case_fixture fixture;
    unsigned failures = 0;

    if (sample != NULL)
        problem = test_custom_problem(type, sample, form, direction, MOST_TILES * tile);
    if (test_try_prepare(live, &problem, sample, &options, &fixture) != CLSCAN_OK)
        return 1;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        clscan_case test = {.count = (uint64_t)((int64_t)(sizes[i].tiles * tile) + sizes[i].rest),
                            .total = 1,
                            .generator = sample != NULL ? CLSCAN_GENERATE_MOSTLY_ZERO
                                                        : clscan_generator_for(type, CLSCAN_ADD, direction),
                            .seed = 1000 + i};
        failures += test_case(&fixture, &test);
        test.in_offset = 1;
        test.out_offset = 1;
        test.in_place = 1;
        test.initial = CLSCAN_CASE_HOST_INITIAL;
        failures += test_case(&fixture, &test);
    }
    clscan_case_release(&fixture);
    return failures;
}

/* On a CPU, where a kernel that waits may take half a minute to compile, the types share the variants: each part takes
 * every fifth, and unless all cases are wanted every thirtieth, each others. */
static void run_representatives(const test_live *live, clscan_type type, int custom, uint32_t work_group_size,
                                clscan_form form, clscan_direction direction, size_t part)
{
    const bool shared = live->info.device_class == CLSCAN_DEVICE_CLASS_CPU;
    const size_t step = shared ? test_case_step(live, 5, 30) : 1;
    const clscan_sample_operator *sample = custom ? clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, type) : NULL;
    test_variants list = test_representatives(type, work_group_size, 2, &live->info);
    unsigned failures = 0;

    print_message("%zu variants\n", list.count);
    assert_true(list.count >= 2);
    for (size_t i = shared ? part % step : 0; i < list.count; i += step)
        failures += run_sizes(live, &list.items[i], type, sample, form, direction);
    free(list.items);
    assert_int_equal(failures, 0);
}

static void tile_edges_int32_add(void **state)
{
    run_representatives(*state, CLSCAN_INT32, 0, TEST_SMALL_WORK_GROUP, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 0);
}

static void tile_edges_keep_last_reverse(void **state)
{
    run_representatives(*state, CLSCAN_INT32, 1, TEST_SMALL_WORK_GROUP, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 1);
}

/* 8-byte elements are published in two words, 1-byte elements share words with their neighbours. */
static void tile_edges_uint64_add_reverse(void **state)
{
    run_representatives(*state, CLSCAN_UINT64, 0, TEST_SMALL_WORK_GROUP, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, 2);
}

static void tile_edges_uint8_add(void **state)
{
    run_representatives(*state, CLSCAN_UINT8, 0, 32, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 3);
}

/* Half is rounded when it is stored and nowhere else. */
static void tile_edges_half_add(void **state)
{
    run_representatives(*state, CLSCAN_HALF, 0, TEST_SMALL_WORK_GROUP, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 4);
}

/* Every small count with the variants that configs choose: all the ragged ends there are. */
static void every_small_count(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_UINT16, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 300);
    clscan_case_fixture fixture;
    unsigned failures = 0;

    test_prepare(live, &problem, NULL, NULL, &fixture);
    for (uint64_t count = 0; count <= 300; ++count) {
        const clscan_case test = {.count = count,
                                  .in_offset = count % 5,
                                  .out_offset = count % 7,
                                  .total = 1,
                                  .generator = CLSCAN_GENERATE_UNIFORM,
                                  .seed = count};
        failures += test_case(&fixture, &test);
    }
    clscan_case_release(&fixture);
    assert_int_equal(failures, 0);
}

/* One plan across all of its size classes. */
static void from_one_to_a_million(void **state)
{
    const test_live *live = *state;
    const uint64_t most = UINT64_C(1) << 20;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, most);
    clscan_case_fixture fixture;
    unsigned failures = 0;

    test_prepare(live, &problem, NULL, NULL, &fixture);
    for (uint64_t count = 1; count <= most; count *= 2)
        for (int edge = -1; edge <= 1; ++edge) {
            const clscan_case test = {.count = count + (uint64_t)(int64_t)edge,
                                      .in_place = edge == 0,
                                      .generator = CLSCAN_GENERATE_UNIFORM,
                                      .seed = count};
            if (test.count <= most)
                failures += test_case(&fixture, &test);
        }
    clscan_case_release(&fixture);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tile_edges_int32_add),          cmocka_unit_test(tile_edges_keep_last_reverse),
        cmocka_unit_test(tile_edges_uint64_add_reverse), cmocka_unit_test(tile_edges_uint8_add),
        cmocka_unit_test(tile_edges_half_add),           cmocka_unit_test(every_small_count),
        cmocka_unit_test(from_one_to_a_million),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
