/* Verifying a config, and taking out of it what fails. The evaluator is made of rules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmocka_all.h"
#include "output/verify.h"
#include "reference.h"
#include "synthetic.h"
#include "temporary_folder.h"

#define WRONG 7      /* register_pieces of a variant that gives wrong answers beyond 1000 elements */
#define IMPOSSIBLE 9 /* of one that cannot run */
#define NOT_FOR_HALF 11
#define LARGEST_BYTES (UINT64_C(1) << 24)

typedef struct bench {
    char *folder;
    char *path;
    char *quarantined;
    clscan__document entries;
    tune_verified results[16];
    size_t asked, reproducible, converted, integers;
    uint64_t most;
    const char *broken;
} bench;

static bench *b;

static void rule(void *self, tune_trial *trial, unsigned runs)
{
    (void)self;
    assert_int_equal(runs, 50);
    ++b->asked;
    b->reproducible += trial->target.reproducible != 0;
    b->converted += tune_target_output_bytes(&trial->target) == 8 && trial->target.element_size_bytes == 4;
    b->integers += !clscan_reference_is_floating(trial->target.type);
    b->most = trial->count > b->most ? trial->count : b->most;
    trial->outcome = TUNE_OUTCOME_CORRECT;
    if (trial->variant.register_pieces == WRONG && trial->count > 1000) {
        trial->outcome = TUNE_OUTCOME_CORRECTNESS;
        snprintf(trial->reason, sizeof trial->reason, "element 3 is 1, not 2");
    }
    if (trial->variant.register_pieces == IMPOSSIBLE ||
        (trial->variant.register_pieces == NOT_FOR_HALF && trial->target.type == CLSCAN_HALF)) {
        trial->outcome = TUNE_OUTCOME_CONSTRAINTS;
        snprintf(trial->reason, sizeof trial->reason, "too large");
    }
}

static const char *broken(void *self)
{
    (void)self;
    return b->broken;
}

static const tune_evaluator evaluator = {.soak = rule, .broken = broken};

static void add(clscan_operator_class operator_class, uint32_t size, uint64_t largest, uint32_t register_pieces)
{
    const clscan__config_entry entry = {.key = {.operator_class = operator_class, .element_size_bytes = size},
                                        .largest_count = largest,
                                        .variant = {.carry = CLSCAN_CARRY_SINGLE,
                                                    .work_group_size = 64,
                                                    .vector_length = 4,
                                                    .register_pieces = register_pieces}};

    assert_int_equal(clscan__document_add(&b->entries, &entry, NULL), CLSCAN_OK);
}

static int set_up(void **state)
{
    (void)state;
    b = calloc(1, sizeof *b);
    b->folder = temporary_folder_create();
    b->path = temporary_folder_path(b->folder, "a.json");
    b->quarantined = temporary_folder_path(b->folder, "a.json.quarantined");
    b->broken = "";
    b->entries = synthetic_config;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    clscan__document_free(&b->entries);
    free(b->path);
    free(b->quarantined);
    temporary_folder_remove(b->folder);
    free(b);
    return 0;
}

static clscan_status verify(void)
{
    const tune_verify_setup setup = {.config = &b->entries,
                                     .device = &synthetic_gpu.info,
                                     .evaluator = &evaluator,
                                     .runs = 50,
                                     .largest_bytes = LARGEST_BYTES};

    return tune_verify(&setup, b->results, NULL);
}

static size_t quarantine(void)
{
    size_t removed = SIZE_MAX;
    clscan_error error = {0};

    assert_int_equal(tune_config_write(b->path, &b->entries, &error), CLSCAN_OK);
    if (tune_quarantine(b->path, &b->entries, b->results, &synthetic_gpu.info, &removed, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    return removed;
}

static void right_entries_stay(void **state)
{
    struct stat found;

    (void)state;
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 4, 1000, 1);
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 4, UINT64_MAX, 2);
    add(CLSCAN_OPERATOR_CLASS_CUSTOM, 2, UINT64_MAX, 2);
    assert_int_equal(verify(), CLSCAN_OK);
    for (size_t i = 0; i < b->entries.entry_count; ++i)
        assert_int_equal(b->results[i].outcome, TUNE_OUTCOME_CORRECT);
    assert_int_equal(b->most, LARGEST_BYTES / 2);
    assert_int_equal(b->asked, 2 * (2 + 2 + 2)); /* int32 and float, int16 and half, at both ends */
    assert_int_equal(quarantine(), 0);
    assert_int_not_equal(stat(b->quarantined, &found), 0);
}

/* int32 to int64, and float to double, but no number to sums that are smaller. */
static void sums_of_another_size_are_verified_as_such(void **state)
{
    (void)state;
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 4, UINT64_MAX, 1);
    b->entries.entries[0].key.sum_size_bytes = 8;
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 8, UINT64_MAX, 1);
    b->entries.entries[1].key.sum_size_bytes = 4;
    assert_int_equal(verify(), CLSCAN_OK);
    assert_int_equal(b->results[0].outcome, TUNE_OUTCOME_CORRECT);
    assert_int_equal(b->results[1].outcome, TUNE_OUTCOME_CONSTRAINTS);
    assert_int_equal(b->asked, 2 * 2);
    assert_int_equal(b->converted, 2 * 2);
}

/* They serve floating-point numbers only, in plans that compare each bit. */
static void reproducible_entries_are_verified_as_such(void **state)
{
    (void)state;
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 4, UINT64_MAX, 1);
    b->entries.entries[0].key.reproducible = true;
    assert_int_equal(verify(), CLSCAN_OK);
    assert_int_equal(b->results[0].outcome, TUNE_OUTCOME_CORRECT);
    assert_int_equal(b->asked, 2);
    assert_int_equal(b->reproducible, 2);
    assert_int_equal(b->integers, 0);
}

/* The count is that of one of many. */
static void rows_are_verified_as_far_as_memory_goes(void **state)
{
    (void)state;
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 4, 64, 1);
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 4, UINT64_MAX, 2);
    for (size_t i = 0; i < b->entries.entry_count; ++i)
        b->entries.entries[i].key.operation = CLSCAN__CONFIG_SCAN_ROWS;
    assert_int_equal(verify(), CLSCAN_OK);
    for (size_t i = 0; i < b->entries.entry_count; ++i)
        assert_int_equal(b->results[i].outcome, TUNE_OUTCOME_CORRECT);
    assert_int_equal(b->asked, 2 * (2 + 2));
    assert_int_equal(b->most, LARGEST_BYTES / 4 / (2 * synthetic_gpu.info.compute_units));
}

static void what_cannot_run_here_is_no_failure(void **state)
{
    (void)state;
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 2, 1000, NOT_FOR_HALF);
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 2, UINT64_MAX, IMPOSSIBLE);
    assert_int_equal(verify(), CLSCAN_OK);
    assert_int_equal(b->results[0].outcome, TUNE_OUTCOME_CORRECT);
    assert_int_equal(b->results[1].outcome, TUNE_OUTCOME_CONSTRAINTS);
    assert_false(tune_verified_fails(&b->results[1]));
    assert_int_equal(quarantine(), 0);
}

static char *read_file(const char *path)
{
    static char text[65536];
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Whichever of a key's entries is taken out, every count has one afterwards: the library accepts the file. */
static void neighbours_take_over(void **state)
{
    (void)state;
    for (int bad = 0; bad < 3; ++bad) {
        clscan__document left = {0};

        clscan__document_free(&b->entries);
        b->entries = synthetic_config;
        for (int i = 0; i < 3; ++i)
            add(CLSCAN_OPERATOR_CLASS_BUILTIN, 8, i == 2 ? UINT64_MAX : UINT64_C(5000) << i, i == bad ? WRONG : 1);
        add(CLSCAN_OPERATOR_CLASS_CUSTOM, 8, UINT64_MAX, 3);
        assert_int_equal(verify(), CLSCAN_OK);
        for (int i = 0; i < 4; ++i)
            assert_int_equal(tune_verified_fails(&b->results[i]), i == bad);
        assert_non_null(strstr(b->results[bad].reason, "element 3"));
        assert_int_equal(quarantine(), 1);
        assert_int_equal(tune_config_read(b->path, &left, NULL), CLSCAN_OK);
        assert_int_equal(left.entry_count, 3);
        assert_true(left.entries[0].largest_count == (bad == 0 ? 10000 : 5000));
        assert_true(left.entries[1].largest_count == UINT64_MAX);
        for (size_t i = 0; i < left.entry_count; ++i)
            assert_int_not_equal(left.entries[i].variant.register_pieces, WRONG);
        clscan__document_free(&left);
        assert_non_null(strstr(read_file(b->quarantined), "element 3"));
    }
    /* Each time has added to it. */
    assert_int_equal(strlen(read_file(b->quarantined)) > 3 * 300, 1);
}

static void a_config_without_entries_is_removed(void **state)
{
    struct stat found;

    (void)state;
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 4, UINT64_MAX, WRONG);
    assert_int_equal(verify(), CLSCAN_OK);
    assert_int_equal(quarantine(), 1);
    assert_int_not_equal(stat(b->path, &found), 0);
    assert_non_null(strstr(read_file(b->quarantined), "register_pieces=7"));
}

static void a_quarantine_that_cannot_be_kept_changes_nothing(void **state)
{
    size_t removed;
    clscan_error error = {0};
    clscan__document left = {0};

    (void)state;
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 4, 5000, 1);
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 4, UINT64_MAX, WRONG);
    assert_int_equal(verify(), CLSCAN_OK);
    assert_int_equal(tune_config_write(b->path, &b->entries, &error), CLSCAN_OK);
    temporary_folder_write(b->folder, "a.json.quarantined", "{", 1);
    assert_int_equal(tune_quarantine(b->path, &b->entries, b->results, &synthetic_gpu.info, &removed, &error),
                     CLSCAN_ERROR_FILE);
    assert_non_null(strstr(error.message, b->quarantined));
    assert_int_equal(tune_config_read(b->path, &left, NULL), CLSCAN_OK);
    assert_int_equal(left.entry_count, 2);
    clscan__document_free(&left);
}

static void a_config_for_another_device_is_refused(void **state)
{
    (void)state;
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 4, UINT64_MAX, 1);
    snprintf(b->entries.match, sizeof b->entries.match, "nobodys-device");
    assert_int_equal(verify(), CLSCAN_ERROR_INVALID_VALUE);
    assert_int_equal(b->asked, 0);
}

static void a_device_that_is_lost_says_nothing_of_entries(void **state)
{
    (void)state;
    add(CLSCAN_OPERATOR_CLASS_BUILTIN, 4, UINT64_MAX, 1);
    b->broken = "it is gone";
    assert_int_equal(verify(), CLSCAN_ERROR_NO_DEVICE);
}

int main(void)
{
#define WITH_BENCH(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_BENCH(right_entries_stay),
        WITH_BENCH(sums_of_another_size_are_verified_as_such),
        WITH_BENCH(reproducible_entries_are_verified_as_such),
        WITH_BENCH(rows_are_verified_as_far_as_memory_goes),
        WITH_BENCH(what_cannot_run_here_is_no_failure),
        WITH_BENCH(neighbours_take_over),
        WITH_BENCH(a_config_without_entries_is_removed),
        WITH_BENCH(a_quarantine_that_cannot_be_kept_changes_nothing),
        WITH_BENCH(a_config_for_another_device_is_refused),
        WITH_BENCH(a_device_that_is_lost_says_nothing_of_entries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
