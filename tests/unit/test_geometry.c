/* From counts and variants to tiles, ranges and bytes of workspace. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "config/turns.h"
#include "config/variant.h"
#include "element/types.h"
#include "engine/geometry.h"
#include "engine/layout.h"
#include "engine/rows.h"
#include "engine/words.h"
#include "program_specs.h"

#define TWO_TO_32 (UINT64_C(1) << 32)

/* Tiles of `tile` elements, a power of two up to 2^16. */
static clscan_variant with_tile(clscan_carry carry, uint32_t tile)
{
    clscan_variant variant = {.carry = carry, .work_group_size = tile < 256 ? 1 : 256, .vector_length = 1};

    variant.register_pieces = tile / variant.work_group_size;
    if (carry == CLSCAN_CARRY_ADJACENT || carry == CLSCAN_CARRY_LOOKBACK || carry == CLSCAN_CARRY_ALL_TOTALS)
        variant.order = CLSCAN_ORDER_DYNAMIC;
    if (carry == CLSCAN_CARRY_ADJACENT)
        variant.tiles_per_work_group = 1;
    if (carry == CLSCAN_CARRY_LOOKAHEAD)
        variant.order = CLSCAN_ORDER_PERSISTENT;
    if (clscan_variant_needs(&variant, CLSCAN_PARAM_work_groups_per_unit))
        variant.work_groups_per_unit = 1;
    assert_true(clscan_variant_tile_count(&variant) == tile);
    return variant;
}

static clscan_device_info with_units(uint32_t compute_units)
{
    return (clscan_device_info){
        .struct_size = sizeof(clscan_device_info), .compute_units = compute_units, .mechanism = CLSCAN_MECHANISM_C11};
}

static void tiles_cover_every_element(void **state)
{
    (void)state;
    static const struct {
        uint64_t count;
        uint32_t tile;
        uint64_t tiles;
        const char *reason;
    } cases[] = {
        {0, 2048, 0, "nothing to do"},
        {1, 2048, 1, "one element"},
        {2047, 2048, 1, "one short of a tile"},
        {2048, 2048, 1, "exactly one tile"},
        {2049, 2048, 2, "one over"},
        {4096, 2048, 2, "exactly two tiles"},
        {7, 1, 7, "the smallest tile"},
        {UINT32_MAX, 2048, 2097152, "where rounding up in 32 bits would wrap to 0"},
        {TWO_TO_32, 2048, 2097152, "the first count that needs 64 bits"},
        {TWO_TO_32 + 5, 2048, 2097153, "beyond it"},
        {TWO_TO_32 + 5, 1, TWO_TO_32 + 5, "more tiles than 32 bits number"},
        {UINT64_MAX, 2048, UINT64_C(1) << 53, "where rounding up in 64 bits would wrap to 0"},
        {UINT64_MAX, 1, UINT64_MAX, "the largest count in the smallest tile"},
    };

    for (uint32_t carry = 0; carry < CLSCAN_CARRY_COUNT; ++carry)
        for (size_t i = 0; i < COUNT_OF(cases); ++i) {
            const clscan_variant variant = with_tile((clscan_carry)carry, cases[i].tile);
            const clscan_device_info device = with_units(3);
            const clscan__geometry got =
                clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT32), &device, cases[i].count);

            if (got.tiles != cases[i].tiles)
                fail_msg("carry %u, %s: %llu tiles", (unsigned)carry, cases[i].reason, (unsigned long long)got.tiles);
        }
}

static void only_what_the_carry_needs_is_there(void **state)
{
    (void)state;
    for (uint32_t carry = 0; carry < CLSCAN_CARRY_COUNT; ++carry) {
        const clscan_variant variant = with_tile((clscan_carry)carry, 256);
        const clscan_device_info device = with_units(3);
        const bool bounded = carry == CLSCAN_CARRY_REDUCE_THEN_SCAN || carry == CLSCAN_CARRY_SCAN_THEN_ADD ||
                             carry == CLSCAN_CARRY_REDUCE_THEN_COMBINE || carry == CLSCAN_CARRY_LAST_COMBINES;
        const bool ordered = carry == CLSCAN_CARRY_ADJACENT || carry == CLSCAN_CARRY_LOOKAHEAD ||
                             carry == CLSCAN_CARRY_LOOKBACK || carry == CLSCAN_CARRY_ALL_TOTALS;
        const clscan__geometry none = clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT32), &device, 0);
        const clscan__geometry some =
            clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT32), &device, 100000);

        assert_int_equal(some.words_bytes > 0, ordered);
        assert_int_equal(some.ranges > 0, bounded || ordered);
        assert_int_equal(some.tiles_per_range > 0, bounded || ordered);
        assert_int_equal(some.totals_bytes > 0, bounded);
        /* A scan of nothing is another kernel, and wants nothing. */
        assert_true(none.tiles == 0 && none.ranges == 0 && none.tiles_per_range == 0);
        assert_true(none.words_bytes == 0 && none.totals_bytes == 0);
    }
}

static void ranges_of_bounded_carries(void **state)
{
    (void)state;
    static const struct {
        uint64_t count;
        uint32_t compute_units, work_groups_per_unit;
        uint64_t ranges, tiles_per_range;
        const char *reason;
    } cases[] = {
        {1, 4, 2, 1, 1, "one partial tile"},
        {256, 4, 2, 1, 1, "one tile"},
        {257, 4, 2, 2, 1, "two tiles"},
        {8 * 256, 4, 2, 8, 1, "a tile for every work-group"},
        {8 * 256 + 1, 4, 2, 5, 2, "one tile more: two for each, and fewer work-groups"},
        {16 * 256, 4, 2, 8, 2, "two for each"},
        {17 * 256, 4, 2, 6, 3, "six ranges, the last one of two tiles"},
        {1000 * 256, 1, 1, 1, 1000, "a single work-group"},
        {UINT32_MAX, 132, 8, 1056, 15888, "2^24 tiles over 1056 work-groups"},
        {TWO_TO_32 + 5, 132, 8, 1056, 15888, "one tile beyond 2^32 elements"},
        {UINT64_MAX, 1, 1, 1, UINT64_C(1) << 56, "the largest count"},
        {UINT64_C(256) * UINT32_MAX * 64, UINT32_MAX, 64, UINT64_C(64) * UINT32_MAX, 1,
         "units times work-groups does not fit 32 bits"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        for (int add = 0; add < 2; ++add) {
            clscan_variant variant = with_tile(add ? CLSCAN_CARRY_SCAN_THEN_ADD : CLSCAN_CARRY_REDUCE_THEN_SCAN, 256);
            const clscan_device_info device = with_units(cases[i].compute_units);
            clscan__geometry got;

            variant.work_groups_per_unit = cases[i].work_groups_per_unit;
            got = clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT32), &device, cases[i].count);
            if (got.ranges != cases[i].ranges || got.tiles_per_range != cases[i].tiles_per_range)
                fail_msg("%s: %llu ranges of %llu tiles", cases[i].reason, (unsigned long long)got.ranges,
                         (unsigned long long)got.tiles_per_range);
        }
}

/* For every count up to some thousands of tiles: the ranges hold every tile, none is empty, they are no more than
 * the work-groups that may be launched, and the workspace for a count does for all smaller ones. */
static void ranges_cover_every_tile(void **state)
{
    (void)state;
    static const struct {
        uint32_t compute_units, work_groups_per_unit;
    } devices[] = {{1, 1}, {1, 3},  {2, 1},  {2, 4},   {3, 5},   {7, 1},
                   {8, 8}, {13, 3}, {36, 2}, {132, 1}, {132, 8}, {512, 2}};
    enum { TILE = 2 };

    for (size_t i = 0; i < COUNT_OF(devices); ++i) {
        clscan_variant variant = with_tile(CLSCAN_CARRY_REDUCE_THEN_SCAN, TILE);
        const clscan_device_info device = with_units(devices[i].compute_units);
        const uint64_t most = (uint64_t)devices[i].compute_units * devices[i].work_groups_per_unit;
        uint64_t totals_needed_bytes = 0;

        variant.work_groups_per_unit = devices[i].work_groups_per_unit;
        for (uint64_t count = 1; count <= 8000; ++count) {
            const clscan__geometry got =
                clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT64), &device, count);
            const uint64_t needed_bytes = got.ranges * sizeof(int64_t);

            totals_needed_bytes = needed_bytes > totals_needed_bytes ? needed_bytes : totals_needed_bytes;
            if (got.tiles != (count + TILE - 1) / TILE || got.ranges < 1 || got.ranges > most ||
                got.ranges * got.tiles_per_range < got.tiles || (got.ranges - 1) * got.tiles_per_range >= got.tiles ||
                got.totals_bytes < totals_needed_bytes || got.totals_bytes > most * sizeof(int64_t))
                fail_msg("%llu elements on %u units with %u work-groups each: %llu ranges of %llu tiles, %llu bytes",
                         (unsigned long long)count, (unsigned)devices[i].compute_units,
                         (unsigned)devices[i].work_groups_per_unit, (unsigned long long)got.ranges,
                         (unsigned long long)got.tiles_per_range, (unsigned long long)got.totals_bytes);
        }
    }
}

/* No count of the same device leaves half of the work-groups idle that could have a tile. */
static void ranges_use_the_device(void **state)
{
    (void)state;
    clscan_variant variant = with_tile(CLSCAN_CARRY_REDUCE_THEN_SCAN, 1);
    const clscan_device_info device = with_units(6);

    variant.work_groups_per_unit = 4;
    for (uint64_t tiles = 1; tiles <= 3000; ++tiles) {
        const clscan__geometry got =
            clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT32), &device, tiles);

        assert_true(2 * got.ranges >= (tiles < 24 ? tiles : 24));
    }
}

static void totals_have_the_accumulators_size(void **state)
{
    (void)state;
    static const struct {
        clscan_type type;
        uint64_t bytes;
    } cases[] = {{CLSCAN_INT8, 1}, {CLSCAN_UINT16, 2}, {CLSCAN_INT32, 4},
                 {CLSCAN_HALF, 4}, {CLSCAN_UINT64, 8}, {CLSCAN_DOUBLE, 8}};
    const clscan_variant variant = with_tile(CLSCAN_CARRY_REDUCE_THEN_SCAN, 256);
    const clscan_device_info device = with_units(10);

    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        assert_int_equal(
            clscan__geometry_of(&variant, clscan__type_sum_bytes(cases[i].type), &device, 1000000).totals_bytes,
            10 * cases[i].bytes);
}

/* A published value takes as many words as its bits need beside the tags, which fill half of each word of 8 bytes. */
static void words_have_the_mechanisms_size(void **state)
{
    (void)state;
    static const struct {
        clscan_mechanism mechanism;
        uint64_t bytes_of_1, bytes_of_2, bytes_of_4, bytes_of_8;
    } cases[] = {
        {CLSCAN_MECHANISM_PTX, 8, 8, 8, 16},
        {CLSCAN_MECHANISM_C11, 8, 8, 8, 16},
        {CLSCAN_MECHANISM_ATOMIC64, 8, 8, 8, 16},
        {CLSCAN_MECHANISM_ATOMIC32, 4, 4, 8, 16},
    };
    const clscan_variant variant = with_tile(CLSCAN_CARRY_ADJACENT, 256);
    const uint64_t tiles = 1001;

    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
            const size_t accumulator_bytes = clscan_type_size_bytes(clscan_type_accumulator((clscan_type)type));
            const uint64_t value_bytes = accumulator_bytes == 1   ? cases[i].bytes_of_1
                                         : accumulator_bytes == 2 ? cases[i].bytes_of_2
                                         : accumulator_bytes == 4 ? cases[i].bytes_of_4
                                                                  : cases[i].bytes_of_8;
            const clscan_device_info device = {
                .struct_size = sizeof device, .compute_units = 1, .mechanism = cases[i].mechanism};
            const clscan__geometry got = clscan__geometry_of(&variant, clscan__type_sum_bytes((clscan_type)type),
                                                             &device, (tiles - 1) * 256 + 1);

            clscan_variant cascade = variant;
            cascade.tiles_per_work_group = 8;
            const clscan__geometry fewer = clscan__geometry_of(&cascade, clscan__type_sum_bytes((clscan_type)type),
                                                               &device, (tiles - 1) * 256 + 1);

            if (got.words_bytes != tiles * value_bytes)
                fail_msg("%s, %s: %llu bytes", clscan_mechanism_name(cases[i].mechanism),
                         clscan_type_name((clscan_type)type), (unsigned long long)got.words_bytes);
            /* 1001 tiles are 125 ranges of 8, and one of 1. */
            assert_true(fewer.tiles == tiles && fewer.ranges == 126 && fewer.words_bytes == 126 * value_bytes);
        }
}

/* Those of wide sums stand together, for 32 tiles at a time, whether there are so many or not. */
static void words_of_wide_sums_stand_together(void **state)
{
    (void)state;
    static const struct {
        clscan_mechanism mechanism;
        const char *driver_version;
        uint32_t sum_bytes;
        uint64_t values, words_bytes;
    } cases[] = {
        {CLSCAN_MECHANISM_C11, "580.159.04", 16, 319, 4 * 8},
        {CLSCAN_MECHANISM_C11, "580.159.04", 20, 320, 5 * 8},
        {CLSCAN_MECHANISM_C11, "580.159.04", 64, 320, 16 * 8},
        /* Words of 16 bytes hold 12 of the sum. */
        {CLSCAN_MECHANISM_PTX, "580.159.04", 4, 319, 8},
        {CLSCAN_MECHANISM_PTX, "580.159.04", 8, 319, 2 * 8},
        {CLSCAN_MECHANISM_PTX, "580.159.04", 12, 319, 16},
        {CLSCAN_MECHANISM_PTX, "545.23.08", 16, 319, 2 * 16},
        {CLSCAN_MECHANISM_PTX, "580.159.04", 64, 320, 6 * 16},
        {CLSCAN_MECHANISM_PTX, "535.104.05", 64, 320, 16 * 8},
        {CLSCAN_MECHANISM_PTX, "", 16, 319, 4 * 8},
    };
    const clscan_variant variant = with_tile(CLSCAN_CARRY_ADJACENT, 256);

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan_device_info device = {.struct_size = sizeof device, .compute_units = 1, .mechanism = cases[i].mechanism};

        snprintf(device.driver_version, sizeof device.driver_version, "%s", cases[i].driver_version);
        const clscan__geometry got = clscan__geometry_of(&variant, cases[i].sum_bytes, &device, 318 * 256 + 1);

        if (got.tiles != 319 || got.words_bytes != cases[i].values * cases[i].words_bytes)
            fail_msg("case %zu: %llu bytes", i, (unsigned long long)got.words_bytes);
    }
}

/* A tag has two bits of state below the epoch, and the draw word an epoch above the ticket. */
static void epochs_fit_tags_and_draw_word(void **state)
{
    (void)state;
    for (int mechanism = CLSCAN_MECHANISM_NONE + 1; mechanism < CLSCAN_MECHANISM_COUNT; ++mechanism) {
        const clscan__words words = clscan__words_of((clscan_mechanism)mechanism);
        const uint32_t word_bits = 8 * words.word_bytes;

        assert_true((uint64_t)words.last_epoch << 2 < UINT64_C(1) << (word_bits / 2));
        assert_true(words.last_epoch < UINT64_C(1) << (word_bits - words.ticket_bits));
        assert_true(clscan__most_tickets((clscan_mechanism)mechanism) == (UINT64_C(1) << words.ticket_bits) - 1);
        assert_int_equal(words.word_bytes, mechanism == CLSCAN_MECHANISM_ATOMIC32 ? 4 : 8);
    }
    /* As include/clscan/plan.h promises: no re-initialisation before so many runs. */
    assert_int_equal(clscan__words_of(CLSCAN_MECHANISM_C11).last_epoch, (1u << 30) - 1);
    assert_int_equal(clscan__words_of(CLSCAN_MECHANISM_ATOMIC32).last_epoch, (1u << 14) - 1);
}

static void most_elements_are_what_tickets_number(void **state)
{
    (void)state;
    static const struct {
        clscan_carry carry;
        clscan_mechanism mechanism;
        uint32_t tile;
        uint64_t most;
        const char *reason;
    } cases[] = {
        {CLSCAN_CARRY_SINGLE, CLSCAN_MECHANISM_C11, 256, UINT64_MAX, "no tickets"},
        {CLSCAN_CARRY_REDUCE_THEN_SCAN, CLSCAN_MECHANISM_ATOMIC32, 256, UINT64_MAX, "no tickets"},
        {CLSCAN_CARRY_SCAN_THEN_ADD, CLSCAN_MECHANISM_NONE, 256, UINT64_MAX, "no tickets"},
        {CLSCAN_CARRY_ADJACENT, CLSCAN_MECHANISM_PTX, 256, ((UINT64_C(1) << 31) - 1) * 256, "work-groups of a launch"},
        {CLSCAN_CARRY_ADJACENT, CLSCAN_MECHANISM_C11, 1, (UINT64_C(1) << 31) - 1, "the smallest tile"},
        {CLSCAN_CARRY_ADJACENT, CLSCAN_MECHANISM_ATOMIC64, 65536, ((UINT64_C(1) << 31) - 1) << 16, "a large tile"},
        {CLSCAN_CARRY_ADJACENT, CLSCAN_MECHANISM_ATOMIC32, 256, ((UINT64_C(1) << 18) - 1) * 256, "18 bits of ticket"},
        {CLSCAN_CARRY_LOOKBACK, CLSCAN_MECHANISM_C11, 256, ((UINT64_C(1) << 31) - 1) * 256, "work-groups of a launch"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const clscan_variant variant = with_tile(cases[i].carry, cases[i].tile);
        const clscan_device_info device = {
            .struct_size = sizeof device, .compute_units = 1, .mechanism = cases[i].mechanism};
        const uint64_t got = clscan__geometry_most_elements(&variant, &device);

        if (got != cases[i].most)
            fail_msg("%s: %llu", cases[i].reason, (unsigned long long)got);
        if (got == UINT64_MAX)
            continue;
        /* The last ticket is drawn, and one more element would need another one. */
        assert_true(clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT8), &device, got).tiles *
                        cases[i].tile ==
                    got);
        assert_true(clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT8), &device, got + 1).tiles *
                        cases[i].tile >
                    got);
    }
}

static void persistent_work_groups_are_bounded(void **state)
{
    (void)state;
    static const struct {
        uint64_t count, ranges, work_groups;
        const char *reason;
    } cases[] = {
        {0, 0, 0, "nothing to do"},
        {1, 1, 1, "one range, one work-group"},
        {512 * 5 + 1, 6, 6, "as many as there are ranges"},
        {512 * 6 + 1, 7, 6, "as many as the device is given"},
        {TWO_TO_32 * 256, TWO_TO_32 / 2, 6, "far more ranges"},
    };
    clscan_variant variant = with_tile(CLSCAN_CARRY_ADJACENT, 256);
    const clscan_device_info device = with_units(3);

    variant.tiles_per_work_group = 2;
    variant.work_groups_per_unit = 2;
    for (size_t i = 0; i < 2 * COUNT_OF(cases); ++i) {
        const size_t row = i / 2;

        variant.order = i % 2 == 0 ? CLSCAN_ORDER_PERSISTENT : CLSCAN_ORDER_CYCLIC;
        const clscan__geometry geometry =
            clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT32), &device, cases[row].count);

        if (geometry.ranges != cases[row].ranges || geometry.work_groups != cases[row].work_groups)
            fail_msg("%s: %llu ranges, %llu work-groups", cases[row].reason, (unsigned long long)geometry.ranges,
                     (unsigned long long)geometry.work_groups);
        assert_true(geometry.words_bytes == clscan__published_bytes(&device, geometry.ranges, 4));
    }
}

/* Fields of 15 bits count them. */
static void cyclic_work_groups_can_all_register(void **state)
{
    (void)state;
    clscan_variant variant = with_tile(CLSCAN_CARRY_ADJACENT, 256);
    clscan_device_info device = with_units(1000);

    variant.order = CLSCAN_ORDER_CYCLIC;
    variant.work_groups_per_unit = 64;
    assert_int_equal(
        clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT32), &device, TWO_TO_32).work_groups, 32767);
    device.compute_units = 500;
    assert_int_equal(
        clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT32), &device, TWO_TO_32).work_groups, 32000);
    /* 32 bits number the ranges, and what each work-group counts beyond them, with any mechanism. */
    for (int mechanism = CLSCAN_MECHANISM_NONE + 1; mechanism < CLSCAN_MECHANISM_COUNT; ++mechanism) {
        device.mechanism = (clscan_mechanism)mechanism;
        const uint64_t most = clscan__geometry_most_elements(&variant, &device);

        assert_true(clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT8), &device, most).ranges + 32000 ==
                    UINT32_MAX);
    }
}

/* Every range takes a ticket, and every work-group one more. */
static void persistent_work_groups_leave_room_for_their_last_tickets(void **state)
{
    (void)state;
    clscan_variant variant = with_tile(CLSCAN_CARRY_ADJACENT, 256);
    clscan_device_info device = with_units(3);

    variant.order = CLSCAN_ORDER_PERSISTENT;
    variant.work_groups_per_unit = 2;
    for (int mechanism = CLSCAN_MECHANISM_NONE + 1; mechanism < CLSCAN_MECHANISM_COUNT; ++mechanism) {
        device.mechanism = (clscan_mechanism)mechanism;
        const uint64_t most = clscan__geometry_most_elements(&variant, &device);
        const clscan__geometry geometry =
            clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT8), &device, most);

        assert_true(geometry.ranges + geometry.work_groups == clscan__most_tickets(device.mechanism));
        assert_true(clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT8), &device, most + 1).ranges >
                    geometry.ranges);
        /* Look-ahead draws one more in vain. */
        variant.carry = CLSCAN_CARRY_LOOKAHEAD;
        assert_true(clscan__geometry_most_elements(&variant, &device) ==
                    most - geometry.work_groups * clscan_variant_tile_count(&variant));
        variant.carry = CLSCAN_CARRY_ADJACENT;
    }
    /* More work-groups than tickets: no count at all. */
    device = (clscan_device_info){
        .struct_size = sizeof(clscan_device_info), .compute_units = UINT32_MAX, .mechanism = CLSCAN_MECHANISM_ATOMIC32};
    assert_int_equal(clscan__geometry_most_elements(&variant, &device), 0);
}

static void most_elements_of_a_huge_tile_do_not_wrap(void **state)
{
    (void)state;
    const clscan_device_info device = {.struct_size = sizeof device, .mechanism = CLSCAN_MECHANISM_C11};
    const clscan_variant variant = {.carry = CLSCAN_CARRY_ADJACENT,
                                    .order = CLSCAN_ORDER_DYNAMIC,
                                    .work_group_size = UINT32_MAX,
                                    .vector_length = UINT32_MAX,
                                    .register_pieces = 1,
                                    .tiles_per_work_group = 64};

    assert_true(clscan__geometry_most_elements(&variant, &device) == UINT64_MAX);
}

/* No work-group's loops take more turns than the driver lets them, for any count that is accepted. */
static void loops_stay_below_what_a_driver_allows(void **state)
{
    (void)state;
    static const uint32_t units[] = {1, 8, 4000};
    static const uint32_t tiles[] = {1, 64, 1024, 4096};

    for (size_t u = 0; u < COUNT_OF(units); ++u)
        for (size_t t = 0; t < COUNT_OF(tiles); ++t)
            for (int reproducible = 0; reproducible < 2; ++reproducible) {
                const clscan_device_info device = {
                    .struct_size = sizeof device, .compute_units = units[u], .max_loop_turns = 65535};
                const clscan_variant variant = with_tile(CLSCAN_CARRY_REDUCE_THEN_SCAN, tiles[t]);
                const uint64_t most = clscan__geometry_most_elements(&variant, &device);

                for (uint64_t count = most; count > 0; count = count / 3 * 2) {
                    const clscan__geometry got =
                        reproducible
                            ? clscan__geometry_reproducible(&variant, clscan__type_sum_bytes(CLSCAN_INT32), &device, 0,
                                                            count)
                            : clscan__geometry_of(&variant, clscan__type_sum_bytes(CLSCAN_INT32), &device, count);

                    assert_true(got.ranges * got.tiles_per_range >= got.tiles);
                    assert_true(got.tiles_per_range * clscan__turns_of_tile(&variant) + 4 * got.ranges <= 65535);
                    assert_true(got.totals_bytes >= (got.ranges - 1) * 4);
                }
            }
}

static void only_drivers_that_end_loops_limit_counts(void **state)
{
    (void)state;
    const clscan_device_info endless = with_units(8), ending = {.compute_units = 8, .max_loop_turns = 65535};
    const clscan_variant single = with_tile(CLSCAN_CARRY_SINGLE, 1024);

    assert_true(clscan__geometry_most_elements(&single, &endless) == UINT64_MAX);
    /* 3 * 4 + 64 turns for each of 256 tiles; with twice as many they would be more than 32767. */
    assert_int_equal(clscan__geometry_most_elements(&single, &ending), 256 * 1024);
}

static void workspace_parts_are_aligned_and_apart(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0,   1,   7,   8,    255,           256,
                                     257, 511, 512, 4096, TWO_TO_32 - 1, ((UINT64_C(1) << 31) - 1) * 16};

    for (size_t i = 0; i < COUNT_OF(sizes); ++i)
        for (size_t j = 0; j < COUNT_OF(sizes); ++j) {
            const uint64_t marks = sizes[(i + j) % COUNT_OF(sizes)], scratch = sizes[(i + 2 * j) % COUNT_OF(sizes)];
            const clscan__layout layout = clscan__layout_of(sizes[i], sizes[j], marks, scratch);

            assert_true(layout.words_bytes >= CLSCAN__CONTROL_BYTES);
            assert_true(layout.totals_bytes >= layout.words_bytes + sizes[i]);
            assert_true(layout.marks_bytes >= layout.totals_bytes + sizes[j]);
            assert_true(layout.scratch_bytes >= layout.marks_bytes + marks);
            assert_true(layout.size_bytes >= layout.scratch_bytes + scratch);
            assert_int_equal(layout.words_bytes % CLSCAN__WORKSPACE_ALIGN_BYTES, 0);
            assert_int_equal(layout.totals_bytes % CLSCAN__WORKSPACE_ALIGN_BYTES, 0);
            assert_int_equal(layout.marks_bytes % CLSCAN__WORKSPACE_ALIGN_BYTES, 0);
            assert_int_equal(layout.scratch_bytes % CLSCAN__WORKSPACE_ALIGN_BYTES, 0);
            assert_int_equal(layout.size_bytes % CLSCAN__WORKSPACE_ALIGN_BYTES, 0);
            /* Nothing but rounding is added. */
            assert_true(layout.size_bytes - sizes[i] - sizes[j] - marks - scratch <
                        CLSCAN__CONTROL_BYTES + 4 * CLSCAN__WORKSPACE_ALIGN_BYTES);
        }
    assert_true(CLSCAN__REPORT_BYTES + sizeof(clscan_report) <= CLSCAN__CONTROL_BYTES);
    assert_true(CLSCAN__REPORT_BYTES >= sizeof(uint64_t)); /* the draw word stands before it */
}

/* Rows are walked as one input as long as a launch can number their tiles, which are bounded anyway. */
static void joined_rows_are_numbered(void **state)
{
    (void)state;
    enum { TILE = 2048, TILES_OF_ROW = 1 << 10 };
    static const struct {
        clscan_mechanism mechanism;
        uint64_t rows, count, pitch;
        bool joined;
        const char *reason;
    } cases[] = {
        {CLSCAN_MECHANISM_C11, 4, TILES_OF_ROW * TILE, TILES_OF_ROW * TILE, true, "whole tiles without gaps"},
        {CLSCAN_MECHANISM_C11, 4, TILES_OF_ROW * TILE, TILES_OF_ROW * TILE + 1, false, "a gap"},
        {CLSCAN_MECHANISM_C11, 4, TILES_OF_ROW * TILE + 1, TILES_OF_ROW * TILE + 1, false, "a tile that is not whole"},
        {CLSCAN_MECHANISM_C11, 1 << 11, TILES_OF_ROW * TILE, TILES_OF_ROW * TILE, true,
         "as many tiles as there may be"},
        {CLSCAN_MECHANISM_C11, (1 << 11) + 1, TILES_OF_ROW * TILE, TILES_OF_ROW * TILE, false, "more"},
        {CLSCAN_MECHANISM_ATOMIC32, (1 << 8) - 1, TILES_OF_ROW * TILE, TILES_OF_ROW * TILE, true,
         "as many whole rows as 18 bits have tickets for"},
        {CLSCAN_MECHANISM_ATOMIC32, 1 << 8, TILES_OF_ROW * TILE, TILES_OF_ROW * TILE, false, "one row more"},
    };
    const clscan_variant variant = with_tile(CLSCAN_CARRY_LOOKAHEAD, TILE);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_device_info device = with_units(4);
        clscan__run run = {
            .count = cases[i].count,
            .rows = {.count = cases[i].rows, .in_pitch = cases[i].pitch, .out_pitch = cases[i].pitch},
            .shape = {.element_bytes = 4, .sum_bytes = 4},
            .device = &device,
        };

        device.mechanism = cases[i].mechanism;
        if (clscan__rows_are_joined(&variant, &run) != cases[i].joined)
            fail_msg("%s", cases[i].reason);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_cover_every_element),
        cmocka_unit_test(only_what_the_carry_needs_is_there),
        cmocka_unit_test(ranges_of_bounded_carries),
        cmocka_unit_test(ranges_cover_every_tile),
        cmocka_unit_test(ranges_use_the_device),
        cmocka_unit_test(totals_have_the_accumulators_size),
        cmocka_unit_test(words_have_the_mechanisms_size),
        cmocka_unit_test(words_of_wide_sums_stand_together),
        cmocka_unit_test(epochs_fit_tags_and_draw_word),
        cmocka_unit_test(most_elements_are_what_tickets_number),
        cmocka_unit_test(persistent_work_groups_are_bounded),
        cmocka_unit_test(cyclic_work_groups_can_all_register),
        cmocka_unit_test(persistent_work_groups_leave_room_for_their_last_tickets),
        cmocka_unit_test(most_elements_of_a_huge_tile_do_not_wrap),
        cmocka_unit_test(loops_stay_below_what_a_driver_allows),
        cmocka_unit_test(only_drivers_that_end_loops_limit_counts),
        cmocka_unit_test(joined_rows_are_numbered),
        cmocka_unit_test(workspace_parts_are_aligned_and_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
