/* Counts that a run does not measure keep the variants that serve them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "config_file/axes.h"
#include "output/kept.h"
#include "parsed_variant.h"
#include "synthetic.h"
#include "temporary_folder.h"

#define MEASURED                                                                                                 \
    "strided+kogge_stone+reduce_then_scan work_group_size=512 vector_length=2 register_pieces=3 local_pieces=0 " \
    "work_groups_per_unit=5"
#define OLD_SMALL "strided+kogge_stone+single work_group_size=64 vector_length=4 register_pieces=1 local_pieces=0"
#define OLD_MIDDLE                                                                                              \
    "strided+kogge_stone+reduce_then_scan work_group_size=64 vector_length=4 register_pieces=1 local_pieces=0 " \
    "work_groups_per_unit=7"
#define OLD_LARGE                                                                                                \
    "strided+kogge_stone+reduce_then_scan work_group_size=128 vector_length=4 register_pieces=2 local_pieces=0 " \
    "work_groups_per_unit=7"

static clscan_error last_error;

static void add(clscan__document *entries, const tune_target *target, uint64_t largest_count, const char *variant)
{
    const clscan__config_entry entry = {.key = {.operation = target->operation,
                                                .operator_class = target->operator_class,
                                                .element_size_bytes = target->element_size_bytes,
                                                .reproducible = target->reproducible},

                                        .largest_count = largest_count,
                                        .variant = parsed_variant(variant)};

    assert_int_equal(clscan__document_add(entries, &entry, &last_error), CLSCAN_OK);
}

static tune_target int64_sums(void)
{
    return tune_target_of(CLSCAN_INT64, CLSCAN_ADD);
}

/* A run that measured `counts` and found MEASURED for all of them: its entries, with what is kept. */
static clscan__document run(const tune_target *target, uint64_t *counts, size_t count, const clscan_config *old,
                            tune_kept *kept)
{
    const tune_header_target measured = {.target = *target, .counts = counts, .count_count = count};
    clscan__document made = {.match = ""};

    add(&made, target, UINT64_MAX, MEASURED);
    assert_int_equal(tune_keep(&made, old, &synthetic_gpu.info, &measured, NULL, kept, &last_error), CLSCAN_OK);
    return made;
}

/* What serves a count by the entries of one target. */
static const clscan__config_entry *serving(const clscan__document *entries, uint64_t count)
{
    size_t i = 0;

    while (i < entries->entry_count && entries->entries[i].largest_count < count)
        ++i;
    assert_true(i < entries->entry_count);
    return &entries->entries[i];
}

static bool is(const clscan_variant *variant, const char *text)
{
    const clscan_variant other = parsed_variant(text);

    return clscan__variant_equal(variant, &other);
}

static clscan_variant built_in(const tune_target *target, uint64_t count)
{
    const clscan_problem problem = tune_target_problem(target);
    clscan_choice choice = {.struct_size = sizeof choice};

    assert_int_equal(clscan_config_explain(NULL, &synthetic_gpu.info, &problem, count, 0, &choice, &last_error),
                     CLSCAN_OK);
    return choice.variant;
}

/* A run that measured 2^20 elements, and replaces a user's config with the entries `old`, which it frees. */
static clscan__document run_again(const tune_target *target, clscan__document *old, tune_kept *kept)
{
    uint64_t counts[] = {1 << 20};
    clscan_config *config;
    clscan__document made;

    assert_int_equal(tune_config_write(temporary_file.path, old, &last_error), CLSCAN_OK);
    assert_int_equal(clscan_config_load(temporary_file.path, &config, &last_error), CLSCAN_OK);
    made = run(target, counts, 1, config, kept);
    clscan_config_destroy(config);
    clscan__document_free(old);
    return made;
}

/* Without a config to replace, what clscan comes with. */
static void counts_outside_the_ladder_keep_the_built_in_variants(void **state)
{
    static const uint64_t outside[] = {1, 100, 5000, 1 << 19, (1 << 24) + 1, 1 << 28, UINT64_C(1) << 40};
    uint64_t counts[] = {1 << 20, 1 << 23};
    const tune_target target = int64_sums();
    tune_kept kept;
    clscan__document made = run(&target, counts, 2, NULL, &kept);

    (void)state;
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; ++i) {
        const clscan_variant before = built_in(&target, outside[i]);

        assert_true(clscan__variant_equal(&serving(&made, outside[i])->variant, &before));
        assert_non_null(strstr(serving(&made, outside[i])->note, "Kept"));
    }
    for (uint64_t count = (1 << 19) + 1; count <= 1 << 24; count *= 2)
        assert_true(is(&serving(&made, count)->variant, MEASURED));
    assert_null(serving(&made, 1 << 20)->note);
    assert_int_equal(made.entries[made.entry_count - 1].largest_count, UINT64_MAX);
    assert_non_null(strstr(kept.below, "built-in"));
    assert_non_null(strstr(kept.above, "built-in"));
    clscan__document_free(&made);
}

static void counts_outside_the_ladder_keep_the_users_variants(void **state)
{
    const tune_target target = int64_sums();
    clscan__document old = synthetic_config, made;
    tune_kept kept;

    (void)state;
    add(&old, &target, 4096, OLD_SMALL);
    add(&old, &target, UINT64_MAX, OLD_LARGE);
    made = run_again(&target, &old, &kept);
    assert_int_equal(made.entry_count, 4);
    assert_true(is(&serving(&made, 4096)->variant, OLD_SMALL));
    assert_true(is(&serving(&made, 1 << 19)->variant, OLD_LARGE));
    assert_true(is(&serving(&made, (1 << 19) + 1)->variant, MEASURED));
    assert_true(is(&serving(&made, 1 << 21)->variant, MEASURED));
    assert_true(is(&serving(&made, (1 << 21) + 1)->variant, OLD_LARGE));
    assert_string_equal(kept.below, temporary_file.path);
    assert_string_equal(kept.above, temporary_file.path);
    clscan__document_free(&made);
}

/* What rules say of other lengths is written down as they say it. */
static void rows_of_other_lengths_keep_the_rules(void **state)
{
    uint64_t counts[] = {1 << 8, 1 << 10};
    tune_target target = tune_target_of_operation(CLSCAN__CONFIG_SCAN_ROWS, CLSCAN_INT32, CLSCAN_ADD);
    const clscan_device_info *device = &synthetic_gpu.info;
    tune_header_target measured = {.counts = counts, .count_count = 2};
    clscan__document made = {.match = ""};
    tune_kept kept;

    (void)state;
    tune_target_fill_device(&target, device);
    measured.target = target;
    add(&made, &target, UINT64_MAX, MEASURED);
    assert_int_equal(tune_keep(&made, NULL, device, &measured, NULL, &kept, &last_error), CLSCAN_OK);
    for (uint64_t count = 1; count <= 1 << 20; count += 1 + count / 7) {
        clscan_choice choice = {.struct_size = sizeof choice};
        clscan_rows rows;
        const clscan_problem problem = tune_target_problem_at(&target, count, &rows);

        assert_int_equal(clscan_config_explain(NULL, device, &problem, count, 0, &choice, &last_error), CLSCAN_OK);
        if (count > 1 << 7 && count <= 1 << 11)
            assert_true(is(&serving(&made, count)->variant, MEASURED));
        else
            assert_true(clscan__variant_equal(&serving(&made, count)->variant, &choice.variant));
    }
    assert_in_range(made.entry_count, 3, 20);
    clscan__document_free(&made);
}

/* What is clearly ahead of the default at a large count takes all that the same default serves, and nothing else. */
static void a_clear_winner_takes_the_larger_counts_of_the_default(void **state)
{
    uint64_t counts[] = {1 << 10, 1 << 24}, small[] = {1 << 10, 1 << 18};
    const tune_target target = tune_target_of(CLSCAN_INT32, CLSCAN_ADD);
    tune_header_target measured = {.target = target, .counts = counts, .count_count = 2};
    const clscan_variant beaten = parsed_variant(OLD_LARGE), other = parsed_variant(OLD_SMALL);
    const struct {
        const clscan_variant *beaten;
        uint64_t *counts;
        bool takes;
    } rows[] = {{&beaten, counts, true}, {&other, counts, false}, {NULL, counts, false}, {&beaten, small, false}};
    clscan__document old = synthetic_config;
    clscan_config *config;

    (void)state;
    add(&old, &target, 1 << 12, OLD_SMALL);
    add(&old, &target, 1 << 27, OLD_LARGE);
    add(&old, &target, UINT64_MAX, OLD_SMALL);
    assert_int_equal(tune_config_write(temporary_file.path, &old, &last_error), CLSCAN_OK);
    assert_int_equal(clscan_config_load(temporary_file.path, &config, &last_error), CLSCAN_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        clscan__document made = {.match = ""};
        tune_kept kept;

        measured.counts = rows[i].counts;
        add(&made, &target, UINT64_MAX, MEASURED);
        assert_int_equal(tune_keep(&made, config, &synthetic_gpu.info, &measured, rows[i].beaten, &kept, &last_error),
                         CLSCAN_OK);
        assert_int_equal(is(&serving(&made, 1 << 27)->variant, MEASURED), rows[i].takes);
        assert_true(is(&serving(&made, (1 << 27) + 1)->variant, OLD_SMALL));
        clscan__document_free(&made);
    }
    clscan_config_destroy(config);
    clscan__document_free(&old);
}

/* Where the ladder goes as far as that of a run without sizes, its ends speak for the rest. */
static void a_whole_ladder_keeps_nothing(void **state)
{
    uint64_t counts[] = {1 << 10, 1 << 28};
    const tune_target target = tune_target_of(CLSCAN_INT32, CLSCAN_ADD);
    tune_kept kept;
    clscan__document made = run(&target, counts, 2, NULL, &kept);

    (void)state;
    assert_int_equal(made.entry_count, 1);
    assert_int_equal(made.entries[0].largest_count, UINT64_MAX);
    assert_true(kept.below[0] == '\0' && kept.above[0] == '\0');
    clscan__document_free(&made);
}

/* What was measured where it served before is one entry with what is kept of it. */
static void the_same_variant_is_one_entry(void **state)
{
    const tune_target target = int64_sums();
    clscan__document old = synthetic_config, made;
    tune_kept kept;

    (void)state;
    add(&old, &target, UINT64_MAX, MEASURED);
    made = run_again(&target, &old, &kept);
    assert_int_equal(made.entry_count, 1);
    assert_int_equal(made.entries[0].largest_count, UINT64_MAX);
    assert_null(made.entries[0].note);
    clscan__document_free(&made);
}

/* A class that a decision could not judge. */
static void a_class_in_the_middle_keeps_the_users_variants(void **state)
{
    uint64_t counts[] = {1 << 10, 1 << 14, 1 << 18, 1 << 28};
    const tune_target target = tune_target_of(CLSCAN_INT32, CLSCAN_ADD);
    const tune_header_target measured = {.target = target, .counts = counts, .count_count = 4};
    clscan__document old = synthetic_config, made = {.match = ""};
    clscan_config *config;
    tune_kept kept;

    (void)state;
    add(&old, &target, 1 << 13, OLD_SMALL);
    add(&old, &target, UINT64_MAX, OLD_LARGE);
    assert_int_equal(tune_config_write(temporary_file.path, &old, &last_error), CLSCAN_OK);
    assert_int_equal(clscan_config_load(temporary_file.path, &config, &last_error), CLSCAN_OK);
    add(&made, &target, 1 << 12, MEASURED);
    add(&made, &target, 1 << 16, MEASURED);
    made.entries[1].variant = (clscan_variant){0}; /* to be kept */
    add(&made, &target, UINT64_MAX, MEASURED);
    assert_int_equal(tune_keep(&made, config, &synthetic_gpu.info, &measured, NULL, &kept, &last_error), CLSCAN_OK);
    assert_int_equal(made.entry_count, 4);
    assert_true(is(&serving(&made, 1 << 11)->variant, MEASURED));
    assert_true(is(&serving(&made, (1 << 11) + 1)->variant, OLD_SMALL));
    assert_true(is(&serving(&made, (1 << 13) + 1)->variant, OLD_LARGE));
    assert_true(is(&serving(&made, 1 << 17)->variant, OLD_LARGE));
    assert_true(is(&serving(&made, (1 << 17) + 1)->variant, MEASURED));
    clscan_config_destroy(config);
    clscan__document_free(&old);
    clscan__document_free(&made);
}

#define MOST_CLASSES 6
#define NO_END UINT64_MAX

/* Size classes: where each one ends, and its variant. */
typedef struct classes {
    uint64_t ends[MOST_CLASSES];
    const char *variants[MOST_CLASSES];
} classes;

static void add_all(clscan__document *entries, const tune_target *target, const classes *some)
{
    for (size_t i = 0; i < MOST_CLASSES && some->variants[i] != NULL; ++i)
        add(entries, target, some->ends[i], some->variants[i]);
}

/* Between measured counts, what was chosen takes what it was measured against, as far as a measurement tells. */
static void counts_between_keep_what_was_not_beaten(void **state)
{
    static const struct {
        classes old;
        uint64_t counts[3];
        size_t count;
        classes made, kept;
    } rows[] = {
        /* Nothing was faster: all stays, wherever the middle is. */
        {{{1 << 12, NO_END}, {OLD_SMALL, OLD_LARGE}},
         {1 << 10, 1 << 20},
         2,
         {{1 << 15, NO_END}, {OLD_SMALL, OLD_LARGE}},
         {{1 << 12, NO_END}, {OLD_SMALL, OLD_LARGE}}},
        {{{1537, NO_END}, {OLD_SMALL, OLD_LARGE}},
         {1 << 10, 1 << 12},
         2,
         {{1 << 11, NO_END}, {OLD_SMALL, OLD_LARGE}},
         {{1537, NO_END}, {OLD_SMALL, OLD_LARGE}}},
        /* A winner of one count goes as far as it was measured, */
        {{{NO_END}, {OLD_LARGE}},
         {1 << 10, 1 << 20},
         2,
         {{1 << 15, NO_END}, {MEASURED, OLD_LARGE}},
         {{1 << 11, NO_END}, {MEASURED, OLD_LARGE}}},
        {{{NO_END}, {OLD_LARGE}},
         {1 << 12, 1 << 20, 1 << 24},
         3,
         {{1 << 16, 1 << 22, NO_END}, {OLD_LARGE, MEASURED, OLD_LARGE}},
         {{1 << 19, 1 << 21, NO_END}, {OLD_LARGE, MEASURED, OLD_LARGE}}},
        /* to the middle, */
        {{{NO_END}, {OLD_LARGE}},
         {1000, 2250},
         2,
         {{1500, NO_END}, {MEASURED, OLD_LARGE}},
         {{1500, NO_END}, {MEASURED, OLD_LARGE}}},
        /* and no further than what it has beaten. */
        {{{1537, NO_END}, {OLD_SMALL, OLD_LARGE}},
         {1 << 10, 1 << 12},
         2,
         {{1 << 11, NO_END}, {MEASURED, OLD_LARGE}},
         {{1537, NO_END}, {MEASURED, OLD_LARGE}}},
        {{{2560, NO_END}, {OLD_SMALL, OLD_LARGE}},
         {1 << 10, 1 << 12},
         2,
         {{1 << 11, 1 << 13, NO_END}, {OLD_SMALL, MEASURED, OLD_LARGE}},
         {{2560, 1 << 13, NO_END}, {OLD_SMALL, MEASURED, OLD_LARGE}}},
        /* A winner on both sides has all that it has beaten on either. */
        {{{1 << 14, NO_END}, {OLD_SMALL, OLD_LARGE}},
         {1 << 10, 1 << 28},
         2,
         {{NO_END}, {MEASURED}},
         {{NO_END}, {MEASURED}}},
        {{{1 << 14, 1 << 15, NO_END}, {OLD_SMALL, OLD_MIDDLE, OLD_LARGE}},
         {1 << 10, 1 << 28},
         2,
         {{NO_END}, {MEASURED}},
         {{1 << 14, 1 << 15, NO_END}, {MEASURED, OLD_MIDDLE, MEASURED}}},
    };
    const tune_target target = tune_target_of(CLSCAN_INT32, CLSCAN_ADD);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        uint64_t counts[3];
        const tune_header_target measured = {.target = target, .counts = counts, .count_count = rows[i].count};
        clscan__document old = synthetic_config, made = {.match = ""}, expected = {.match = ""};
        clscan_config *config;
        tune_kept kept;

        memcpy(counts, rows[i].counts, sizeof counts);
        add_all(&old, &target, &rows[i].old);
        add_all(&made, &target, &rows[i].made);
        add_all(&expected, &target, &rows[i].kept);
        assert_int_equal(tune_config_write(temporary_file.path, &old, &last_error), CLSCAN_OK);
        assert_int_equal(clscan_config_load(temporary_file.path, &config, &last_error), CLSCAN_OK);
        assert_int_equal(tune_keep(&made, config, &synthetic_gpu.info, &measured, NULL, &kept, &last_error), CLSCAN_OK);
        if (made.entry_count != expected.entry_count)
            fail_msg("row %zu: %zu entries", i, made.entry_count);
        for (size_t j = 0; j < expected.entry_count; ++j)
            if (made.entries[j].largest_count != expected.entries[j].largest_count ||
                !clscan__variant_equal(&made.entries[j].variant, &expected.entries[j].variant))
                fail_msg("row %zu: entry %zu, up to %" PRIu64, i, j, made.entries[j].largest_count);
        clscan_config_destroy(config);
        clscan__document_free(&old);
        clscan__document_free(&made);
        clscan__document_free(&expected);
    }
}

/* A reproducible target keeps reproducible variants. */
static void reproducible_targets_keep_reproducible_variants(void **state)
{
    uint64_t counts[] = {1 << 20};
    tune_target target = tune_target_of(CLSCAN_FLOAT, CLSCAN_ADD);
    clscan_problem problem;
    clscan__document made;
    tune_kept kept;

    (void)state;
    target.reproducible = 1;
    problem = tune_target_problem(&target);
    made = run(&target, counts, 1, NULL, &kept);
    assert_true(made.entry_count >= 3);
    for (size_t i = 0; i < made.entry_count; ++i) {
        assert_true(made.entries[i].key.reproducible);
        if (!is(&made.entries[i].variant, MEASURED))
            assert_int_equal(
                clscan_variant_check(&made.entries[i].variant, &problem, 0, &synthetic_gpu.info, &last_error),
                CLSCAN_OK);
    }
    clscan__document_free(&made);
}

int main(void)
{
#define TEST(name) temporary_file_test(name, "device.json")
    const struct CMUnitTest tests[] = {
        TEST(counts_outside_the_ladder_keep_the_built_in_variants),
        TEST(counts_outside_the_ladder_keep_the_users_variants),
        TEST(a_clear_winner_takes_the_larger_counts_of_the_default),
        TEST(rows_of_other_lengths_keep_the_rules),
        TEST(a_whole_ladder_keeps_nothing),
        TEST(the_same_variant_is_one_entry),
        TEST(a_class_in_the_middle_keeps_the_users_variants),
        TEST(counts_between_keep_what_was_not_beaten),
        TEST(reproducible_targets_keep_reproducible_variants),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
