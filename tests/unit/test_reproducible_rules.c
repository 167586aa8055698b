/* The reproducible order on the host: which variants keep it, and how its ranges are cut. */
#include <string.h>

#include <clscan/clscan.h>

#include "cmocka_all.h"
#include "config/constraints.h"
#include "config/reproducible.h"
#include "element/types.h"
#include "engine/geometry.h"
#include "parsed_variant.h"
#include "problem_of.h"

#define ROWS(carry, size, rows)                                                                         \
    "subgroup_rows+subgroup+" carry " work_group_size=" #size " vector_length=4 register_pieces=" #rows \
    " local_pieces=0"
#define CACHED(vector, pieces, interleaved)                                                                      \
    "cached_rows+brent_kung+reduce_then_scan work_group_size=1 vector_length=" #vector " cached_pieces=" #pieces \
    " interleaved_rows=" #interleaved " streaming_stores=0 work_groups_per_unit=3"
#define TWO_LAUNCHES "reduce_then_scan"
#define UNITS " work_groups_per_unit=4"

static void rules_of_variants(void **state)
{
    (void)state;
    static const clscan_device_info device = {.struct_size = sizeof device,
                                              .max_work_group_size = 1024,
                                              .local_memory_bytes = 9000,
                                              .sub_group_size = 32,
                                              .nv_compute_capability = 90,
                                              .mechanism = CLSCAN_MECHANISM_PTX,
                                              .progress = CLSCAN_PROGRESS_OCCUPANCY};
    static const struct {
        const char *variant, *predicate; /* broken; NULL: legal */
    } cases[] = {
        {ROWS(TWO_LAUNCHES, 256, 8) UNITS, NULL},
        {ROWS(TWO_LAUNCHES, 32, 8) UNITS, NULL},
        {ROWS(TWO_LAUNCHES, 16, 8) UNITS, "reproducible_tile"}, /* half a block */
        {ROWS(TWO_LAUNCHES, 256, 4) UNITS, "reproducible_body"},
        {ROWS(TWO_LAUNCHES, 96, 8) UNITS, "reproducible_body"},
        {ROWS("single", 256, 8), "reproducible_carry"},
        {"subgroup_rows+subgroup+lookahead+persistent work_group_size=128 vector_length=4 register_pieces=8 "
         "local_pieces=0 work_groups_per_unit=4 poll_delay=0 landing_zones=0",
         NULL},
        {"subgroup_rows+subgroup+reduce_then_scan work_group_size=256 vector_length=2 register_pieces=8 "
         "local_pieces=0 work_groups_per_unit=4",
         "reproducible_body"},
        {"strided+kogge_stone+reduce_then_scan work_group_size=256 vector_length=4 register_pieces=8 local_pieces=0 "
         "work_groups_per_unit=4",
         "reproducible_body"},
        {CACHED(1, 1024, 1), NULL},
        {CACHED(16, 2, 8), "reproducible_tile"},
        {CACHED(16, 4096, 1), NULL},
        {CACHED(16, 4096, 2), "reproducible_tile"},
        {ROWS("lookahead+persistent", 64, 8) UNITS " poll_delay=0 landing_zones=1", "local_memory_limit"}, /* doubles */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_variant variant = parsed_variant(cases[i].variant);
        const clscan_type type = i + 1 < sizeof cases / sizeof cases[0] ? CLSCAN_FLOAT : CLSCAN_DOUBLE;
        const clscan_problem ordered = {
            .struct_size = sizeof ordered, .type = type, .op = CLSCAN_ADD, .reproducible = 1};
        clscan__violation why = {.name = "none"};
        const bool legal = clscan__variant_is_legal(&variant, &ordered, 1, &device, &why);

        if (legal != (cases[i].predicate == NULL) || (!legal && strcmp(why.name, cases[i].predicate) != 0))
            fail_msg("%s: %s", cases[i].variant, why.name);
        why.name = "none";
        if (!clscan__variant_is_legal(&variant, PROBLEM_OF(type, CLSCAN_ADD), 1, &device, &why) &&
            strncmp(why.name, "reproducible", strlen("reproducible")) == 0)
            fail_msg("%s is asked of ordinary plans: %s", why.name, cases[i].variant);
    }
}

/* Small sub-groups cannot shuffle a row. */
static void shuffles_that_reach_over_a_row(void **state)
{
    (void)state;
    clscan_device_info device = {.struct_size = sizeof device, .nv_compute_capability = 90, .sub_group_size = 32};

    assert_int_equal(clscan__reproducible_shuffles_of(&device), CLSCAN__SHUFFLES_PTX);
    device.sub_group_size = 16;
    assert_int_equal(clscan__reproducible_shuffles_of(&device), CLSCAN__SHUFFLES_LOCAL);
}

/* Tiles of 1024 elements on one unit with 3 work-groups. */
static void ranges_are_cut_at_powers_of_two(void **state)
{
    (void)state;
    static const struct {
        uint64_t first_tile, count, tiles_per_range, ranges;
        const char *reason;
    } cases[] = {
        {0, 1, 1, 1, "one element"},
        {0, 3072, 1, 3, "a work-group for each tile"},
        {0, 3073, 2, 2, "four tiles by three work-groups"},
        {0, 7 * 1024, 4, 2, "three each would be no power of two"},
        {0, 64 * 1024, 32, 2, "the same"},
        {64, 64 * 1024, 32, 2, "a part that begins with a range"},
        {64, 300 * 1024, 128, 3, "a part that begins in the middle of a range"},
        {192, 300 * 1024, 128, 3, "and cuts another one at its end"},
        {64, 0, 1, 1, "nothing behind a part: its total is asked for"},
    };
    const clscan_variant variant = parsed_variant(CACHED(1, 1024, 1));
    const clscan_device_info device = {.struct_size = sizeof device, .compute_units = 1};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan__geometry got = clscan__geometry_reproducible(&variant, clscan__type_sum_bytes(CLSCAN_FLOAT),
                                                                   &device, cases[i].first_tile * 1024, cases[i].count);
        if (got.tiles_per_range != cases[i].tiles_per_range || got.ranges != cases[i].ranges)
            fail_msg("%s: %llu ranges of %llu", cases[i].reason, (unsigned long long)got.ranges,
                     (unsigned long long)got.tiles_per_range);
        /* A total for each range but the last, behind the copy of the state. */
        assert_true(got.totals_bytes >= (CLSCAN__MOST_NODES + got.ranges - 1) * sizeof(float));
    }
}

/* The memory for the largest count does for all others, wherever they begin. */
static void memory_grows_with_the_count(void **state)
{
    (void)state;
    const clscan_variant variant = parsed_variant(CACHED(1, 1024, 1));
    const clscan_device_info device = {.struct_size = sizeof device, .compute_units = 5};
    const clscan__geometry most =
        clscan__geometry_reproducible(&variant, clscan__type_sum_bytes(CLSCAN_DOUBLE), &device, 0, 200 * 1024);

    for (uint64_t tiles = 0; tiles <= 200; ++tiles)
        for (uint64_t first = 0; first <= 640; first += 64) {
            const clscan__geometry got = clscan__geometry_reproducible(&variant, clscan__type_sum_bytes(CLSCAN_DOUBLE),
                                                                       &device, first * 1024, tiles * 1024);
            assert_true(got.totals_bytes <= most.totals_bytes);
            assert_true((CLSCAN__MOST_NODES + got.ranges - 1) * sizeof(double) <= got.totals_bytes);
        }
}

/* A struct that nobody initialised is more likely than a number that means "yes". */
static void reproducible_is_0_or_1(void **state)
{
    (void)state;
    static const int values[] = {-1, 0, 1, 2, 12345};
    static const clscan_device_info device = {
        .struct_size = sizeof device, .mechanism = CLSCAN_MECHANISM_ATOMIC32, .progress = CLSCAN_PROGRESS_UNKNOWN};

    for (size_t i = 0; i < 5; ++i) {
        const clscan_problem problem = {
            .struct_size = sizeof problem, .type = CLSCAN_FLOAT, .op = CLSCAN_ADD, .reproducible = values[i]};
        const clscan_status expected = values[i] == 0 || values[i] == 1 ? CLSCAN_OK : CLSCAN_ERROR_INVALID_VALUE;
        clscan_choice choice = {.struct_size = sizeof choice};
        clscan_error error = {0};

        assert_int_equal(clscan_config_explain(NULL, &device, &problem, 1000, 0, &choice, &error), expected);
        assert_true(expected == CLSCAN_OK || strstr(error.message, "problem->reproducible") != NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reproducible_is_0_or_1),         cmocka_unit_test(rules_of_variants),
        cmocka_unit_test(shuffles_that_reach_over_a_row), cmocka_unit_test(ranges_are_cut_at_powers_of_two),
        cmocka_unit_test(memory_grows_with_the_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
