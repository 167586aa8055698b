/* The space of variants: numbers and points, legality, restrictions, neighbours, StreamScan's table 2. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "parsed_variant.h"
#include "problem_of.h"
#include "space/ladder.h"
#include "space/rows.h"
#include "space/space.h"
#include "synthetic.h"

static clscan_error last_error;

static tune_space make(tune_space_name name, const char *only, clscan_type type)
{
    tune_space space;

    assert_int_equal(
        tune_space_create(&space, name, only, &(tune_target){.type = type}, &synthetic_gpu.info, &last_error),
        CLSCAN_OK);
    return space;
}

static bool contains(const clscan_variant *list, size_t count, const clscan_variant *variant)
{
    for (size_t i = 0; i < count; ++i)
        if (memcmp(&list[i], variant, sizeof *variant) == 0)
            return true;
    return false;
}

static void numbers_and_points_are_inverses(void **state)
{
    tune_space space = make(TUNE_SPACE_DEFAULT, NULL, CLSCAN_INT32);

    (void)state;
    assert_true(space.points > 1000000);
    for (uint64_t i = 0; i < 20000; ++i) {
        const uint64_t number = i % 2 == 0 ? space.points / 10000 * (i / 2) : tune_shuffled(space.points, 5, i);
        clscan_variant variant;
        uint64_t back = UINT64_MAX;

        tune_space_point(&space, number, &variant);
        assert_true(tune_space_number(&space, &variant, &back));
        assert_int_equal(back, number);
        for (size_t p = 0; p < CLSCAN_PARAM_COUNT; ++p)
            if (!clscan_variant_needs(&variant, (clscan_param)p))
                assert_int_equal(clscan__param_get(&clscan__params[p], &variant), 0);
    }
    tune_space_free(&space);
}

static void every_choice_of_every_axis_occurs(void **state)
{
    tune_space space = make(TUNE_SPACE_DEFAULT, NULL, CLSCAN_INT32);
    uint64_t seen[CLSCAN__AXIS_COUNT] = {0};
    /* Baselines, and what is of reductions. */
    const uint64_t left_out[CLSCAN__AXIS_COUNT] = {[CLSCAN__AXIS_BODY] = UINT64_C(1) << CLSCAN_BODY_MATRIX,
                                                   [CLSCAN__AXIS_ORDER] = UINT64_C(1) << CLSCAN_ORDER_STATIC,
                                                   [CLSCAN__AXIS_CARRY] = UINT64_C(1) << CLSCAN_CARRY_SCAN_THEN_ADD |
                                                                          UINT64_C(1)
                                                                              << CLSCAN_CARRY_REDUCE_THEN_COMBINE |
                                                                          UINT64_C(1) << CLSCAN_CARRY_LAST_COMBINES};

    (void)state;
    for (uint64_t i = 0; i < 5000; ++i) {
        clscan_variant variant;

        tune_space_point(&space, tune_shuffled(space.points, 1, i), &variant);
        for (size_t axis = 0; axis < CLSCAN__AXIS_COUNT; ++axis)
            seen[axis] |= UINT64_C(1) << clscan__axis_get(&clscan__axes[axis], &variant);
    }
    for (size_t axis = 0; axis < CLSCAN__AXIS_COUNT; ++axis)
        assert_int_equal(seen[axis], ((UINT64_C(1) << clscan__axes[axis].value_count) - 1) & ~left_out[axis]);
    tune_space_free(&space);
}

static void shuffling_visits_every_point_once(void **state)
{
    tune_space space = make(
        TUNE_SPACE_DEFAULT,
        "body=strided,carry=adjacent,order=dynamic,local_pieces=0|1,register_pieces=0:8,poll_delay=0", CLSCAN_INT32);
    char *seen = calloc(space.points, 1);
    size_t in_place = 0;

    (void)state;
    assert_true(space.points > 100 && space.points < 100000);
    for (uint64_t i = 0; i < space.points; ++i) {
        const uint64_t number = tune_shuffled(space.points, 99, i);

        assert_true(number < space.points);
        assert_int_equal(seen[number]++, 0);
        in_place += number == i;
    }
    assert_true(in_place < 10 + space.points / 10);
    free(seen);
    tune_space_free(&space);
}

static void legality_is_the_librarys(void **state)
{
    tune_space space = make(TUNE_SPACE_DEFAULT, NULL, CLSCAN_INT64);
    clscan_device_info mute = synthetic_gpu.info;
    tune_space without;
    const clscan_variant adjacent =
        parsed_variant("strided+kogge_stone+adjacent+dynamic work_group_size=256 vector_length=4 "
                       "register_pieces=1 local_pieces=0 tiles_per_work_group=1 poll_delay=0");

    (void)state;
    for (uint64_t i = 0; i < 5000; ++i) {
        clscan_variant variant;

        tune_space_point(&space, tune_shuffled(space.points, 3, i), &variant);
        assert_int_equal(tune_space_legal(&space, &variant, NULL),
                         clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_INT64, CLSCAN_ADD), 0, &synthetic_gpu.info,
                                              NULL) == CLSCAN_OK);
    }
    mute.mechanism = CLSCAN_MECHANISM_NONE;
    assert_int_equal(
        tune_space_create(&without, TUNE_SPACE_DEFAULT, NULL, &(tune_target){.type = CLSCAN_INT64}, &mute, &last_error),
        CLSCAN_OK);
    assert_true(tune_space_legal(&space, &adjacent, NULL));
    assert_false(tune_space_legal(&without, &adjacent, &last_error));
    assert_int_equal(strncmp(last_error.message, "adjacent_mechanism", 18), 0);
    tune_space_free(&without);
    tune_space_free(&space);
}

static void only_restricts_axes_parameters_and_bytes(void **state)
{
    tune_space space =
        make(TUNE_SPACE_DEFAULT,
             "body=coalesced|strided,carry=adjacent,work_group_size=64:256,register_pieces=5,order=static,"
             "local_bytes=0:16384",
             CLSCAN_INT32);

    (void)state;
    for (uint64_t i = 0; i < space.points; ++i) {
        clscan_variant v;

        tune_space_point(&space, i, &v);
        assert_true(v.body != CLSCAN_BODY_MATRIX && v.carry == CLSCAN_CARRY_ADJACENT);
        assert_int_equal(v.order, CLSCAN_ORDER_STATIC);
        assert_in_range(v.work_group_size, 64, 256);
        assert_int_equal(v.register_pieces, 5); /* not a value that searches look at by themselves */
        if (tune_space_legal(&space, &v, NULL))
            assert_true(tune_local_element_bytes(&v, &(tune_target){.type = CLSCAN_INT32}) <= 16384);
    }
    tune_space_free(&space);
}

static void wrong_restrictions_name_the_culprit(void **state)
{
    static const struct {
        const char *only, *named;
    } cases[] = {
        {"bodi=strided", "\"bodi\""},
        {"body=strided|round", "\"round\""},
        {"body", "\"body\""},
        {"work_group_size=", "work_group_size"},
        {"work_group_size=64:x", "\"64:x\""},
        {"work_group_size=256:64", "backward"},
        {"work_group_size=2048", "1024"},
        {"work_group_size=65:71", "work_group_size"},
        {"carry=single,carry=adjacent", "carry is given twice"},
        {"local_bytes=a", "local_bytes"},
        {"carry=single,", "\"\""},
        {"work_group_size=99999999999999999999999", "work_group_size"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        tune_space space;

        assert_int_equal(tune_space_create(&space, TUNE_SPACE_DEFAULT, cases[i].only,
                                           &(tune_target){.type = CLSCAN_INT32}, &synthetic_gpu.info, &last_error),
                         CLSCAN_ERROR_INVALID_VALUE);
        if (strstr(last_error.message, cases[i].named) == NULL)
            fail_msg("%s: %s", cases[i].only, last_error.message);
        tune_space_free(&space);
    }
}

static void the_best_points_of_streamscan_are_in_its_space(void **state)
{
    /* Table 4, with LMS and RS as pieces of 4-byte elements. */
    static const char *const points[] = {
        "coalesced+brent_kung+adjacent+dynamic work_group_size=128 vector_length=2 register_pieces=1 local_pieces=1 "
        "thread_group_size=32 tiles_per_work_group=1 poll_delay=0",
        "coalesced+brent_kung+adjacent+dynamic work_group_size=256 vector_length=1 register_pieces=3 local_pieces=1 "
        "thread_group_size=16 tiles_per_work_group=1 poll_delay=0",
        "strided+brent_kung+adjacent+dynamic work_group_size=256 vector_length=4 register_pieces=1 local_pieces=3 "
        "tiles_per_work_group=1 poll_delay=0",
        "strided+brent_kung+adjacent+dynamic work_group_size=128 vector_length=4 register_pieces=23 local_pieces=13 "
        "tiles_per_work_group=1 poll_delay=0",
    };
    tune_space space = make(TUNE_SPACE_STREAMSCAN, NULL, CLSCAN_INT32);
    tune_census census;

    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; ++i) {
        const clscan_variant variant = parsed_variant(points[i]);
        uint64_t number;

        assert_true(tune_space_number(&space, &variant, &number));
        assert_true(tune_space_legal(&space, &variant, NULL));
    }
    assert_int_equal(tune_local_element_bytes(&(clscan_variant){.body = CLSCAN_BODY_COALESCED,
                                                                .work_group_size = 128,
                                                                .local_pieces = 1,
                                                                .thread_group_size = 32,
                                                                .vector_length = 2},
                                              &(tune_target){.type = CLSCAN_INT32}),
                     16 * 1024);
    tune_space_census(&space, &census);
    assert_int_equal(census.points, space.points);
    assert_true(census.legal > 1000);
    tune_space_free(&space);
}

static uint32_t value_at(const tune_space *space, const clscan_variant *axes, clscan_param param, size_t at)
{
    return tune_space_block_of(space, axes)->values[param].items[at];
}

static bool has_value(const tune_space *space, const clscan_variant *axes, clscan_param param, uint32_t value)
{
    const tune_values *values = &tune_space_block_of(space, axes)->values[param];

    return tune_values_find(values, value) < values->count;
}

static void shapes_between_the_powers_of_two_are_searched(void **state)
{
    tune_space space = make(TUNE_SPACE_DEFAULT, NULL, CLSCAN_INT32);
    const clscan_variant rows =
        parsed_variant("subgroup_rows+subgroup+lookahead+persistent work_group_size=320 vector_length=4 "
                       "register_pieces=9 local_pieces=0 work_groups_per_unit=2 poll_delay=0 "
                       "landing_zones=0");
    static const uint32_t sizes[] = {320, 384, 448}, pieces[] = {5, 7, 9, 11};
    uint64_t number;

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
        assert_true(has_value(&space, &rows, CLSCAN_PARAM_work_group_size, sizes[i]));
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; ++i)
        assert_true(has_value(&space, &rows, CLSCAN_PARAM_register_pieces, pieces[i]));
    assert_true(tune_space_number(&space, &rows, &number));
    tune_space_free(&space);
}

/* A block has no values that are legal nowhere in it; the literal table 2 has what it says. */
static void blocks_have_values_that_may_be_legal(void **state)
{
    tune_space space = make(TUNE_SPACE_DEFAULT, NULL, CLSCAN_INT32);
    tune_space table = make(TUNE_SPACE_STREAMSCAN, NULL, CLSCAN_INT32);
    const clscan_variant network = {.group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE, .carry = CLSCAN_CARRY_SINGLE};
    const clscan_variant rows = {
        .body = CLSCAN_BODY_SUBGROUP_ROWS, .group_scan = CLSCAN_GROUP_SCAN_SUBGROUP, .carry = CLSCAN_CARRY_SINGLE};
    const clscan_variant streamscan = {.body = CLSCAN_BODY_COALESCED,
                                       .group_scan = CLSCAN_GROUP_SCAN_BRENT_KUNG,
                                       .carry = CLSCAN_CARRY_ADJACENT,
                                       .order = CLSCAN_ORDER_DYNAMIC};

    (void)state;
    for (uint32_t i = 0; i < 11; ++i)
        assert_int_equal(value_at(&space, &network, CLSCAN_PARAM_work_group_size, i), 1u << i);
    assert_int_equal(tune_space_block_of(&space, &network)->values[CLSCAN_PARAM_work_group_size].count, 11);
    assert_int_equal(tune_space_block_of(&space, &rows)->values[CLSCAN_PARAM_local_pieces].count, 1);
    /* 5 work-group sizes, 5 vectors, 4 thread groups, L from 0 to 128, R from 0 to 256 */
    assert_int_equal(tune_space_block_of(&table, &streamscan)->points, 5 * 5 * 4 * 129 * 257);
    tune_space_free(&space);
    tune_space_free(&table);
}

/* Few points keep the reproducible order, and all that are not excluded are asked of the library as such. */
static void reproducible_plans_have_a_space_of_their_own(void **state)
{
    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = CLSCAN_FLOAT, .op = CLSCAN_ADD, .reproducible = 1};
    tune_space space;
    tune_census census;

    (void)state;
    assert_int_equal(tune_space_create(&space, TUNE_SPACE_DEFAULT, NULL,
                                       &(tune_target){.type = CLSCAN_FLOAT, .reproducible = 1}, &synthetic_new_gpu.info,
                                       &last_error),
                     CLSCAN_OK);
    tune_space_census(&space, &census);
    assert_true(census.exact && census.legal > 20 && census.legal < 10000);
    for (uint64_t i = 0; i < space.points; ++i) {
        clscan_variant variant;

        tune_space_point(&space, i, &variant);
        assert_true(variant.body == CLSCAN_BODY_SUBGROUP_ROWS || variant.body == CLSCAN_BODY_CACHED_ROWS);
        assert_true(variant.carry == CLSCAN_CARRY_REDUCE_THEN_SCAN || variant.carry == CLSCAN_CARRY_LOOKAHEAD);
        assert_int_equal(tune_space_legal(&space, &variant, NULL),
                         clscan_variant_check(&variant, &problem, 0, &synthetic_new_gpu.info, NULL) == CLSCAN_OK);
    }
    tune_space_free(&space);
}

/* Reductions have carries that no other operation has. */
static void operations_have_their_carries(void **state)
{
    (void)state;
    for (int i = 0; i < CLSCAN__CONFIG_OPERATION_COUNT; ++i) {
        const tune_target target = tune_target_of_operation((clscan__config_operation)i, CLSCAN_INT32, CLSCAN_ADD);
        tune_space space;
        tune_census census;

        assert_int_equal(
            tune_space_create(&space, TUNE_SPACE_DEFAULT, NULL, &target, &synthetic_new_gpu.info, &last_error),
            CLSCAN_OK);
        assert_true(space.block_count > 0);
        for (size_t b = 0; b < space.block_count; ++b)
            assert_int_equal(clscan__variant_reduces(&space.blocks[b].axes), i == CLSCAN__CONFIG_REDUCE);
        tune_space_census(&space, &census);
        assert_true(census.legal > 1000);
        tune_space_free(&space);
    }
}

static void a_census_counts_every_point_once(void **state)
{
    tune_space space = make(TUNE_SPACE_DEFAULT, "carry=single,group_scan=brent_kung", CLSCAN_INT32);
    tune_census census;
    uint64_t sum = 0;

    (void)state;
    tune_space_census(&space, &census);
    assert_true(census.exact);
    for (size_t i = 0; census.illegal[i].points > 0; ++i) {
        sum += census.illegal[i].points;
        assert_true(i == 0 || census.illegal[i].points <= census.illegal[i - 1].points);
        assert_true(strlen(census.illegal[i].predicate) > 3);
    }
    assert_int_equal(census.legal + sum, space.points);
    assert_true(census.legal > 0 && sum > 0);
    tune_space_free(&space);
}

static void neighbours_are_legal_and_one_step_away(void **state)
{
    tune_space space = make(TUNE_SPACE_DEFAULT, NULL, CLSCAN_INT32);
    const clscan_variant origin =
        parsed_variant("coalesced+kogge_stone+reduce_then_scan work_group_size=256 vector_length=4 "
                       "register_pieces=1 local_pieces=1 thread_group_size=16 work_groups_per_unit=8");
    clscan_variant up = origin, down = origin, exchanged, found[512];
    const int all = TUNE_STEPS | TUNE_AXIS_CHANGES | TUNE_EXCHANGES;
    size_t count;
    bool other_carry = false, other_body = false;

    (void)state;
    up.register_pieces = 2;
    down.work_group_size = 128;
    exchanged = up;
    exchanged.work_group_size = 128;
    count = tune_space_neighbours(&space, &origin, TUNE_STEPS | TUNE_AXIS_CHANGES, found, 512);
    assert_true(contains(found, count, &up) && contains(found, count, &down));
    assert_false(contains(found, count, &exchanged) || contains(found, count, &origin));
    for (size_t i = 0; i < count; ++i) {
        assert_true(tune_space_legal(&space, &found[i], NULL));
        other_carry = other_carry || found[i].carry == CLSCAN_CARRY_ADJACENT;
        other_body = other_body || found[i].body == CLSCAN_BODY_STRIDED;
    }
    assert_true(other_carry && other_body);
    count = tune_space_neighbours(&space, &origin, all, found, 512);
    assert_true(contains(found, count, &exchanged));
    assert_int_equal(tune_space_neighbours(&space, &origin, all, found, 3), 3);
    tune_space_free(&space);
}

/* From strided to coalesced a local piece must appear, though none was there. */
static void a_change_of_body_is_mended(void **state)
{
    tune_space space = make(TUNE_SPACE_DEFAULT, NULL, CLSCAN_INT32);
    const clscan_variant origin = parsed_variant("strided+kogge_stone+single work_group_size=128 vector_length=4 "
                                                 "register_pieces=1 local_pieces=0");
    clscan_variant found[512];
    const size_t count = tune_space_neighbours(&space, &origin, TUNE_STEPS | TUNE_AXIS_CHANGES, found, 512);
    bool coalesced = false;

    (void)state;
    for (size_t i = 0; i < count; ++i)
        coalesced = coalesced || found[i].body == CLSCAN_BODY_COALESCED;
    assert_true(coalesced);
    tune_space_free(&space);
}

/* ---- Rows ---- */

static tune_target rows_on(const clscan_device_info *device)
{
    tune_target target = tune_target_of_operation(CLSCAN__CONFIG_SCAN_ROWS, CLSCAN_INT32, CLSCAN_ADD);

    tune_target_fill_device(&target, device);
    return target;
}

static void rows_wait_for_nobody(void **state)
{
    const tune_target target = rows_on(&synthetic_new_gpu.info);
    const char *const wrong[] = {"carry=lookback", "carry=reduce_then_scan|single"};
    tune_space space;

    (void)state;
    assert_int_equal(tune_space_create(&space, TUNE_SPACE_DEFAULT, NULL, &target, &synthetic_new_gpu.info, &last_error),
                     CLSCAN_OK);
    for (size_t b = 0; b < space.block_count; ++b) {
        assert_int_equal(space.blocks[b].axes.carry, CLSCAN_CARRY_REDUCE_THEN_SCAN);
        assert_int_equal(space.blocks[b].values[CLSCAN_PARAM_work_groups_per_unit].count, 1);
    }
    tune_space_free(&space);
    for (size_t i = 0; i < 3; ++i) {
        assert_int_equal(tune_space_create(&space, i < 2 ? TUNE_SPACE_DEFAULT : TUNE_SPACE_STREAMSCAN,
                                           i < 2 ? wrong[i] : NULL, &target, &synthetic_new_gpu.info, &last_error),
                         CLSCAN_ERROR_INVALID_VALUE);
        assert_non_null(strstr(last_error.message, "scan_rows takes carry reduce_then_scan only"));
        assert_non_null(strstr(last_error.message, i < 2 ? wrong[i] : "space streamscan"));
        tune_space_free(&space);
    }
}

/* Rows that share a work-group do not read how long ones are walked. */
static void of_short_rows_little_is_searched(void **state)
{
    static const struct {
        const char *change;
        bool of_short, of_long;
    } cases[] = {{"work_group_size=64 vector_length=4 register_pieces=8", true, true},
                 {"work_group_size=128 vector_length=2 register_pieces=8", true, true},
                 {"work_group_size=128 vector_length=4 register_pieces=8", true, true},
                 {"work_group_size=128 vector_length=4 register_pieces=7", false, true},
                 {"work_group_size=64 vector_length=4 register_pieces=7", false, true}};
    const tune_target target = rows_on(&synthetic_new_gpu.info);
    const tune_target scan = tune_target_of(CLSCAN_INT32, CLSCAN_ADD);
    const char kind[] = "subgroup_rows+subgroup+reduce_then_scan local_pieces=0 work_groups_per_unit=4 ";
    const clscan_variant standard = parsed_variant("subgroup_rows+subgroup+reduce_then_scan local_pieces=0 "
                                                   "work_groups_per_unit=4 work_group_size=128 vector_length=4 "
                                                   "register_pieces=8");
    clscan_variant found[100];
    tune_space space, of_scans;
    size_t count;

    (void)state;
    assert_int_equal(tune_space_create(&space, TUNE_SPACE_DEFAULT, NULL, &target, &synthetic_new_gpu.info, &last_error),
                     CLSCAN_OK);
    assert_int_equal(
        tune_space_create(&of_scans, TUNE_SPACE_DEFAULT, NULL, &scan, &synthetic_new_gpu.info, &last_error), CLSCAN_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[512];
        clscan_variant variant;

        snprintf(text, sizeof text, "%s%s", kind, cases[i].change);
        variant = parsed_variant(text);
        assert_int_equal(tune_rows_need_search(&space, &variant, &standard, 1000), cases[i].of_short);
        assert_int_equal(tune_rows_need_search(&space, &variant, &standard, 1 << 16), cases[i].of_long);
        assert_true(tune_rows_need_search(&of_scans, &variant, &standard, 1000));
    }
    count = tune_rows_variants(&space, &standard, 1000, found, 100);
    assert_in_range(count, 12, 30);
    for (size_t i = 0; i < count; ++i) {
        assert_true(tune_space_legal(&space, &found[i], NULL));
        assert_int_equal(found[i].register_pieces, 8);
        assert_int_equal(found[i].work_group_size & (found[i].work_group_size - 1), 0);
    }
    assert_int_equal(tune_rows_variants(&space, &standard, 1000, found, 5), 5);
    assert_int_equal(tune_rows_variants(&space, &standard, 1 << 16, found, 100), 0);
    assert_int_equal(tune_rows_variants(&of_scans, &standard, 1000, found, 100), 0);
    tune_space_free(&space);
    tune_space_free(&of_scans);
}

/* So many that the device is full, of lengths that it has memory for. */
static void the_ladder_of_rows_is_of_lengths(void **state)
{
    static const synthetic_machine *const machines[] = {&synthetic_new_gpu, &synthetic_cpu};

    (void)state;
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; ++m) {
        const clscan_device_info *device = &machines[m]->info;
        const tune_target target = rows_on(device);
        clscan_device_info little = *device;
        uint64_t counts[TUNE_MAX_COUNTS], quick[TUNE_MAX_COUNTS];
        const size_t count = tune_ladder_make(device, &target, counts);

        assert_in_range(count, 5, 20);
        assert_int_equal(counts[0], 16);
        for (size_t i = 0; i < count; ++i) {
            const uint64_t rows = tune_target_rows(&target, counts[i]);

            assert_true(counts[i] <= tune_ladder_limit(device, &target));
            assert_true(2 * rows >= 3 * (uint64_t)device->compute_units);
            assert_int_equal(tune_target_elements(&target, counts[i]), rows * counts[i]);
            assert_true(rows * counts[i] * 4 <= device->max_allocation_bytes);
            assert_true(rows * counts[i] * 4 > (UINT64_C(1) << 25));
        }
        assert_in_range(tune_quick_counts(counts, count, quick), 3, 6);
        assert_int_equal(quick[0], 16);
        little.max_allocation_bytes = 1 << 20;
        assert_int_equal(tune_ladder_make(&little, &target, counts), 0);
    }
}

/* A GPU's plans for many keys ask for entries of other segments, which alone are worth a measurement there. */
static void the_ladder_ends_where_entries_are_not_asked_for(void **state)
{
    const tune_target by_key = tune_target_of_operation(CLSCAN__CONFIG_SCAN_BY_KEY, CLSCAN_INT64, CLSCAN_ADD),
                      of_4 = tune_target_of_operation(CLSCAN__CONFIG_SCAN_BY_KEY, CLSCAN_INT32, CLSCAN_ADD),
                      segmented = tune_target_of_operation(CLSCAN__CONFIG_SEGMENTED_SCAN, CLSCAN_INT64, CLSCAN_ADD);
    tune_target of_others[CLSCAN__CONFIG_OPERATION_COUNT + 1];
    uint64_t first, last, last_of_segments;

    (void)state;
    assert_int_equal(tune_ladder_served(&synthetic_gpu.info, &by_key), (1 << 23) - 1);
    assert_true(tune_ladder_ends(&synthetic_gpu.info, &by_key, &first, &last));
    assert_true(tune_ladder_ends(&synthetic_gpu.info, &segmented, &first, &last_of_segments));
    assert_true(last < 1 << 23 && last >= 1 << 21);
    assert_true(last_of_segments > 1 << 23);
    assert_int_equal(tune_ladder_served(&synthetic_gpu.info, &of_4), UINT64_MAX);
    assert_int_equal(tune_ladder_served(&synthetic_cpu.info, &by_key), UINT64_MAX);
    for (int i = 0; i < CLSCAN__CONFIG_OPERATION_COUNT; ++i)
        of_others[i] = tune_target_of_operation((clscan__config_operation)i, CLSCAN_INT32, CLSCAN_ADD);
    of_others[CLSCAN__CONFIG_OPERATION_COUNT] = tune_target_of(CLSCAN_INT32, CLSCAN_ADD);
    tune_target_set_output(&of_others[CLSCAN__CONFIG_OPERATION_COUNT], CLSCAN_INT64);
    for (size_t i = 0; i < sizeof of_others / sizeof of_others[0]; ++i)
        assert_int_equal(tune_ladder_served(&synthetic_gpu.info, &of_others[i]), UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_points_are_inverses),
        cmocka_unit_test(every_choice_of_every_axis_occurs),
        cmocka_unit_test(shuffling_visits_every_point_once),
        cmocka_unit_test(legality_is_the_librarys),
        cmocka_unit_test(only_restricts_axes_parameters_and_bytes),
        cmocka_unit_test(wrong_restrictions_name_the_culprit),
        cmocka_unit_test(the_best_points_of_streamscan_are_in_its_space),
        cmocka_unit_test(shapes_between_the_powers_of_two_are_searched),
        cmocka_unit_test(blocks_have_values_that_may_be_legal),
        cmocka_unit_test(reproducible_plans_have_a_space_of_their_own),
        cmocka_unit_test(operations_have_their_carries),
        cmocka_unit_test(rows_wait_for_nobody),
        cmocka_unit_test(of_short_rows_little_is_searched),
        cmocka_unit_test(the_ladder_of_rows_is_of_lengths),
        cmocka_unit_test(the_ladder_ends_where_entries_are_not_asked_for),
        cmocka_unit_test(a_census_counts_every_point_once),
        cmocka_unit_test(neighbours_are_legal_and_one_step_away),
        cmocka_unit_test(a_change_of_body_is_mended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
