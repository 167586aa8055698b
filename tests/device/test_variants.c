/* Legal variants are right: every value of each parameter, or every pair of values where all cases are wanted, and
 * random points.
 *
 * CLSCAN_TEST_SEED repeats the random points of a run, CLSCAN_TEST_POINTS says how many there are.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "cmocka_all.h"
#include "live.h"
#include "parsed_variant.h"
#include "problem_of.h"
#include "variant_sets.h"

/* Tiles beyond this make inputs that take longer than they tell. */
enum { LARGEST_TILE = 1 << 17 };

/* How a case lies in memory. Offsets of 1 and 3 elements break the alignment of every vector load.
 */
static const struct {
    uint64_t in_offset;
    uint64_t out_offset;
    int in_place;
} places[] = {
    {0, 0, 0}, /* aligned */
    {3, 1, 0}, /* misaligned in two ways */
    {0, 0, 1},
    {1, 1, 1}, /* in place and misaligned */
};

/* Two and a half tiles for large ones, more of the small ones: every loop turns more than once. */
static uint64_t count_for(uint64_t tile)
{
    const uint64_t tiles = tile >= 16384 ? 2 : (tile >= 1024 ? 9 : 33);
    return tiles * tile + tile / 2 + 1;
}

static unsigned run_variant(const test_live *live, const clscan_variant *variant, const clscan_sample_operator *sample,
                            clscan_direction direction, uint64_t seed)
{
    const uint64_t tile = clscan_variant_tile_count(variant);
    const uint64_t count = count_for(tile);
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, direction, count);
    clscan_case_fixture fixture;
    unsigned failures = 0;

    if (sample != NULL)
        problem = test_custom_problem(CLSCAN_INT32, sample, CLSCAN_INCLUSIVE, direction, count);
    if (test_try_prepare(live, &problem, sample, &options, &fixture) != CLSCAN_OK)
        return 1;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
        const clscan_case test = {.count = i % 2 == 0 ? count : tile + tile / 3,
                                  .in_offset = places[i].in_offset,
                                  .out_offset = places[i].out_offset,
                                  .in_place = places[i].in_place,
                                  .initial = i % 2 == 0 ? CLSCAN_CASE_NO_INITIAL : CLSCAN_CASE_HOST_INITIAL,
                                  .total = 1,
                                  .generator = sample != NULL ? CLSCAN_GENERATE_MOSTLY_ZERO : CLSCAN_GENERATE_UNIFORM,
                                  .seed = seed + i};
        failures += test_case(&fixture, &test);
    }
    clscan_case_release(&fixture);
    return failures;
}

/* Sums and an operator whose operands must stay in order: both, or by turns where a program takes long to compile. */
static void run_list(const test_live *live, const test_variants *list, uint64_t seed)
{
    const clscan_sample_operator *keep_last = clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_INT32);
    const int by_turns = live->info.device_class == CLSCAN_DEVICE_CLASS_CPU;
    unsigned failures = 0;

    for (size_t i = 0; i < list->count; ++i) {
        const clscan_direction direction = i % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE;
        const clscan_direction other = i % 2 == 0 ? CLSCAN_REVERSE : CLSCAN_FORWARD;
        /* Both directions of either, also by turns. */
        if (!by_turns || i / 2 % 2 == 0)
            failures += run_variant(live, &list->items[i], NULL, direction, seed + 10 * i);
        if (!by_turns || i / 2 % 2 == 1)
            failures += run_variant(live, &list->items[i], keep_last, other, seed + 10 * i + 5);
    }
    assert_int_equal(failures, 0);
}

static void values_of_parameters(void **state)
{
    const test_live *live = *state;
    const test_coverage coverage = test_thorough() ? TEST_EACH_PAIR : TEST_EACH_VALUE;
    size_t possible;
    test_variants list = test_covering_variants(CLSCAN_INT32, &live->info, LARGEST_TILE, coverage, &possible);

    print_message("%zu variants cover %zu %s\n", list.count, possible,
                  coverage == TEST_EACH_PAIR ? "pairs of values" : "values");
    assert_int_equal(test_covered(&list, coverage), possible);
    run_list(live, &list, 1);
    free(list.items);
}

static void random_points(void **state)
{
    const test_live *live = *state;
    const uint64_t seed = clscan_seed_from_environment("CLSCAN_TEST_SEED", (uint64_t)time(NULL));
    const size_t points = test_number("CLSCAN_TEST_POINTS", test_thorough() ? 4 : 1);
    test_variants list = test_random_variants(CLSCAN_INT32, &live->info, seed, points, LARGEST_TILE);

    assert_int_equal(list.count, points);
    run_list(live, &list, seed);
    free(list.items);
}

/* PoCL 3.1 makes wrong code of barriers in both arms of a test, for work-groups of 2 work-items. */
static void rows_of_two_work_items(void **state)
{
    static const char *const texts[] = {
        "subgroup_rows+subgroup+lookback+static work_group_size=2 vector_length=1 register_pieces=1 local_pieces=0 "
        "poll_delay=0",
        "subgroup_rows+subgroup+all_totals+dynamic work_group_size=2 vector_length=1 register_pieces=2 local_pieces=0 "
        "poll_delay=0",
        "subgroup_rows+subgroup+adjacent+static work_group_size=2 vector_length=1 register_pieces=1 local_pieces=0 "
        "tiles_per_work_group=1 poll_delay=0",
    };
    enum { TEXTS = sizeof texts / sizeof texts[0] };
    const test_live *live = *state;
    clscan_variant variants[TEXTS];
    test_variants list = {variants, 0};

    for (size_t i = 0; i < TEXTS; ++i) {
        variants[list.count] = parsed_variant(texts[i]);
        list.count += clscan_variant_check(&variants[list.count], PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 1, &live->info,
                                           NULL) == CLSCAN_OK;
    }
    if (list.count == 0)
        skip();
    run_list(live, &list, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_two_work_items),
        cmocka_unit_test(values_of_parameters),
        cmocka_unit_test(random_points),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
