/* The selection chain: who is asked first, what is skipped, and that it always ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <clscan/log.h>
#include <clscan/plan.h>

#include "base/stamp.h"
#include "cmocka_all.h"
#include "config/constraints.h"
#include "config/rows.h"
#include "config/select.h"
#include "config/sources.h"
#include "explicit_config.h"
#include "problem_of.h"
#include "program_specs.h"

/* ---- Configs whose entries can be told apart by register_pieces ---- */

/* clang-format off */
#define FILE_OF(match, entries)                                              \
    "{\"schema_version\": 1, \"match\": \"" match "\", \"provenance\": "     \
    "{\"origin\": \"hand-set\", \"date\": \"2026-11-21\"}, \"entries\": [" entries "]}"
#define TWO(first, second) first ", " second
#define THREE(first, second, third) first ", " second ", " third
#define ENTRY_OF(bytes, class, largest, more, carry, tag)                                            \
    "{\"operation\": \"scan\", \"element_size_bytes\": " #bytes ", \"operator_class\": \"" class "\", " \
    "\"largest_count\": " #largest ", " more "\"variant\": {\"body\": \"strided\", "                 \
    "\"group_scan\": \"brent_kung\", " carry ", \"work_group_size\": 64, \"vector_length\": 1, "      \
    "\"register_pieces\": " #tag ", \"local_pieces\": 0}}"
/* clang-format on */
#define NOT_REPRODUCIBLE "\"reproducible\": false, "
#define SINGLE "\"carry\": \"single\""
#define WAITING "\"carry\": \"adjacent\", \"order\": \"dynamic\", \"tiles_per_work_group\": 1, \"poll_delay\": 0"

/* One entry that runs everywhere, and one that needs communication between work-groups. */
#define RUNS(bytes, class, largest, tag) ENTRY_OF(bytes, class, largest, NOT_REPRODUCIBLE, SINGLE, tag)
#define WAITS(bytes, class, largest, tag) ENTRY_OF(bytes, class, largest, NOT_REPRODUCIBLE, WAITING, tag)

/* One that keeps the reproducible order, with work-groups of 128. */
#define REPRODUCIBLE(bytes)                                                                           \
    "{\"operation\": \"scan\", \"element_size_bytes\": " #bytes ", \"operator_class\": \"builtin\", " \
    "\"largest_count\": null, \"reproducible\": true, \"variant\": {\"body\": \"subgroup_rows\", "    \
    "\"group_scan\": \"subgroup\", \"carry\": \"reduce_then_scan\", \"work_group_size\": 128, "       \
    "\"vector_length\": 4, \"register_pieces\": 8, \"local_pieces\": 0, \"work_groups_per_unit\": 2}}"

#define LAST_RESORT 4 /* register_pieces of the last resort; no test config has it */

static clscan_choice choose(const clscan_config *config, const clscan_device_info *device, clscan_type type,
                            clscan_operator op, uint64_t count, int in_place)
{
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan_error error;

    if (clscan_config_explain(config, device, PROBLEM_OF(type, op), count, in_place, &choice, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    return choice;
}

/* ---- The user's folder ---- */

static char home[] = "/tmp/clscan_test_select_XXXXXX";
static const char *const user_files[] = {"a.json", "b.json", "c.json", "d.json", "named"};

static void path_of(const char *name, char *path, size_t path_bytes)
{
    snprintf(path, path_bytes, "%s/clscan/%s", home, name);
}

/* Files are looked at once a millisecond, so what is asked sooner may come from what was there before. */
static void let_it_be_seen(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static void write_user_file(const char *name, const char *text)
{
    char path[128];
    FILE *file;

    path_of(name, path, sizeof path);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    let_it_be_seen();
}

static int remove_user_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof user_files / sizeof user_files[0]; ++i) {
        char path[128];

        path_of(user_files[i], path, sizeof path);
        unlink(path);
    }
    let_it_be_seen();
    return unsetenv("CLSCAN_CONFIG");
}

/* Nothing of the real user's may take part. */
static int make_home(void **state)
{
    char command[64];

    (void)state;
    if (mkdtemp(home) == NULL || setenv("XDG_CONFIG_HOME", home, 1) != 0)
        return -1;
    snprintf(command, sizeof command, "mkdir %s/clscan", home);
    return unsetenv("CLSCAN_CONFIG") != 0 || system(command) != 0;
}

static int remove_home(void **state)
{
    char path[128];

    remove_user_files(state);
    path_of("", path, sizeof path);
    return rmdir(path) != 0 || rmdir(home) != 0;
}

/* ---- Tests ---- */

static void exact_matches_come_first(void **state)
{
    (void)state;
    const clscan_device_info device = unmatched_device();
    /* By name the least exact comes first, so the order of names does not explain the result. */
    static const struct {
        const char *file, *text, *match;
        uint32_t tag;
    } added[] = {
        {"a.json", FILE_OF("test-generic", RUNS(4, "builtin", null, 1)), "test-generic", 1},
        {"b.json", FILE_OF("test-family", RUNS(4, "builtin", null, 2)), "test-family", 2},
        {"c.json", FILE_OF("test-architecture", RUNS(4, "builtin", null, 3)), "test-architecture", 3},
        {"d.json", FILE_OF("test-model", RUNS(4, "builtin", null, 5)), "test-model", 5},
    };

    for (size_t i = 0; i < sizeof added / sizeof added[0]; ++i) {
        clscan_choice choice = {.struct_size = sizeof choice};

        write_user_file(added[i].file, added[i].text);
        choice = choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1000, 0);
        assert_int_equal(choice.variant.register_pieces, added[i].tag);
        assert_string_equal(choice.matched, added[i].match);
        assert_string_equal(choice.entry, "/entries/0");
        assert_non_null(strstr(choice.source, added[i].file));
    }
}

/* Within a source the exact match comes first, but a whole source comes before the next one. */
static void sources_are_asked_in_order(void **state)
{
    (void)state;
    clscan_device_info device = unmatched_device();
    clscan_config *config = explicit_config(FILE_OF("generic-gpu", RUNS(4, "builtin", null, 1)));
    char path[128];

    strcpy(device.generic, "generic-gpu");
    assert_non_null(strstr(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1000, 0).source, "built-in"));

    write_user_file("a.json", FILE_OF("test-model", RUNS(4, "builtin", null, 3)));
    assert_int_equal(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, 3);

    write_user_file("named", FILE_OF("test-family", RUNS(4, "builtin", null, 2)));
    path_of("named", path, sizeof path);
    setenv("CLSCAN_CONFIG", path, 1);
    assert_int_equal(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, 2);

    assert_int_equal(choose(config, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, 1);
    assert_string_equal(choose(config, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).source, "explicit.json");
    clscan_config_destroy(config);
}

static void files_of_one_match_are_asked_by_name(void **state)
{
    (void)state;
    const clscan_device_info device = unmatched_device();

    write_user_file("c.json", FILE_OF("test-model", RUNS(4, "builtin", null, 3)));
    write_user_file("b.json", FILE_OF("test-model", RUNS(4, "builtin", null, 2)));
    assert_int_equal(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, 2);
    write_user_file("a.json", FILE_OF("test-model", RUNS(8, "builtin", null, 1))); /* another size */
    assert_int_equal(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, 2);
}

static void classes_fall_back_inside_a_file(void **state)
{
    (void)state;
#define NATIVE RUNS(4, "native", null, 1)
#define BUILTIN RUNS(4, "builtin", null, 2)
#define CUSTOM RUNS(4, "custom", null, 3)
    static const struct {
        const char *text;
        clscan_type type;
        clscan_operator op;
        uint32_t tag;
        const char *reason;
    } cases[] = {
        {FILE_OF("test-model", THREE(NATIVE, BUILTIN, CUSTOM)), CLSCAN_INT32, CLSCAN_ADD, 1, "native sum"},
        {FILE_OF("test-model", THREE(NATIVE, BUILTIN, CUSTOM)), CLSCAN_UINT32, CLSCAN_XOR, 1, "native xor"},
        {FILE_OF("test-model", THREE(NATIVE, BUILTIN, CUSTOM)), CLSCAN_INT32, CLSCAN_MUL, 2, "no product"},
        {FILE_OF("test-model", THREE(NATIVE, BUILTIN, CUSTOM)), CLSCAN_FLOAT, CLSCAN_ADD, 2, "no float"},
        {FILE_OF("test-model", THREE(NATIVE, BUILTIN, CUSTOM)), CLSCAN_INT32, CLSCAN_CUSTOM, 3, "custom"},
        {FILE_OF("test-model", TWO(CUSTOM, BUILTIN)), CLSCAN_INT32, CLSCAN_ADD, 2, "native as builtin"},
        {FILE_OF("test-model", TWO(NATIVE, BUILTIN)), CLSCAN_INT32, CLSCAN_CUSTOM, 2, "custom as builtin"},
        {FILE_OF("test-model", NATIVE), CLSCAN_INT32, CLSCAN_CUSTOM, LAST_RESORT, "never as native"},
        {FILE_OF("test-model", NATIVE), CLSCAN_FLOAT, CLSCAN_ADD, LAST_RESORT, "never as native"},
        {FILE_OF("test-model", CUSTOM), CLSCAN_INT32, CLSCAN_ADD, LAST_RESORT, "never as custom"},
        {FILE_OF("test-model", CUSTOM), CLSCAN_FLOAT, CLSCAN_ADD, LAST_RESORT, "never as custom"},
        {FILE_OF("test-model", RUNS(8, "builtin", null, 2)), CLSCAN_INT64, CLSCAN_ADD, 2, "64 bits"},
        {FILE_OF("test-model", RUNS(8, "builtin", null, 2)), CLSCAN_INT32, CLSCAN_ADD, LAST_RESORT, "size"},
        {FILE_OF("test-model", REPRODUCIBLE(4)), CLSCAN_FLOAT, CLSCAN_ADD, LAST_RESORT,
         "reproducible entries serve those who ask for them"},
        {FILE_OF("other-model", BUILTIN), CLSCAN_INT32, CLSCAN_ADD, LAST_RESORT, "another device"},
    };
    const clscan_device_info device = unmatched_device();

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_config *config = explicit_config(cases[i].text);
        const clscan_choice choice = choose(config, &device, cases[i].type, cases[i].op, 1000, 0);

        if (choice.variant.register_pieces != cases[i].tag)
            fail_msg("case %zu (%s): %u, %s", i, cases[i].reason, choice.variant.register_pieces, choice.reason);
        clscan_config_destroy(config);
    }
}

/* Plans in the reproducible order look at no other entries, and have a last resort of their own. Where each grouping
 * gives the same bits, plans are as others. */
static void reproducible_entries_serve_reproducible_plans(void **state)
{
    (void)state;
    static const struct {
        clscan_type type;
        clscan_operator op;
        int reproducible;
        uint32_t work_group_size;
        const char *source;
    } cases[] = {
        {CLSCAN_FLOAT, CLSCAN_ADD, 0, 64, "explicit.json"},     {CLSCAN_FLOAT, CLSCAN_ADD, 1, 128, "explicit.json"},
        {CLSCAN_FLOAT, CLSCAN_CUSTOM, 1, 128, "explicit.json"}, {CLSCAN_FLOAT, CLSCAN_MAX, 1, 64, "explicit.json"},
        {CLSCAN_INT32, CLSCAN_ADD, 1, 64, "explicit.json"},     {CLSCAN_DOUBLE, CLSCAN_ADD, 1, 0, "last resort"},
    };
    clscan_config *config = explicit_config(FILE_OF("test-model", TWO(RUNS(4, "builtin", null, 2), REPRODUCIBLE(4))));
    const clscan_device_info device = unmatched_device();

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_problem problem = {.struct_size = sizeof problem,
                                        .type = cases[i].type,
                                        .op = cases[i].op,
                                        .reproducible = cases[i].reproducible};
        clscan_choice choice = {.struct_size = sizeof choice};

        assert_int_equal(clscan_config_explain(config, &device, &problem, 1000, 0, &choice, NULL), CLSCAN_OK);
        assert_string_equal(choice.source, cases[i].source);
        if (cases[i].work_group_size != 0)
            assert_int_equal(choice.variant.work_group_size, cases[i].work_group_size);
        else
            assert_true(clscan__variant_is_legal(&choice.variant, &problem, 1, &device, &(clscan__violation){0}));
    }
    clscan_config_destroy(config);
}

/* Rows: by the elements of all, and without waiting. */
static void rows_take_the_body_of_as_many_elements(void **state)
{
    (void)state;
    clscan_config *config =
        explicit_config(FILE_OF("test-model", TWO(RUNS(4, "builtin", 5000, 2), RUNS(4, "builtin", null, 3))));
    const clscan_device_info device = unmatched_device();
    clscan_rows rows = {.struct_size = sizeof rows, .count = 5};
    const clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_INT32, .rows = &rows};
    clscan_choice choice = {.struct_size = sizeof choice};

    assert_int_equal(clscan_config_explain(config, &device, &problem, 1000, 0, &choice, NULL), CLSCAN_OK);
    assert_int_equal(choice.variant.register_pieces, 2);
    assert_int_equal(choice.variant.carry, CLSCAN_CARRY_REDUCE_THEN_SCAN);
    assert_int_equal(choice.largest_count, 1000);
    rows.count = UINT64_MAX / 10; /* more than can be counted */
    assert_int_equal(clscan_config_explain(config, &device, &problem, 1000, 0, &choice, NULL), CLSCAN_OK);
    assert_int_equal(choice.variant.register_pieces, 3);
    assert_int_equal(choice.variant.carry, CLSCAN_CARRY_REDUCE_THEN_SCAN);
    clscan_config_destroy(config);
}

/* What was measured of so many bytes serves as many. */
static void larger_elements_reach_an_entrys_limit_sooner(void **state)
{
    (void)state;
    clscan_config *config =
        explicit_config(FILE_OF("test-model", TWO(RUNS(8, "builtin", 6000, 2), RUNS(8, "builtin", null, 3))));
    const clscan_device_info device = unmatched_device();
    const clscan_element vector = {sizeof vector, .type = CLSCAN_INT32, .lanes = 16};
    const clscan_problem problem = {.struct_size = sizeof problem, .element = &vector};
    clscan_choice choice = {.struct_size = sizeof choice};

    assert_int_equal(clscan_config_explain(config, &device, &problem, 750, 0, &choice, NULL), CLSCAN_OK);
    assert_string_equal(choice.entry, "/entries/0");
    assert_int_equal(choice.largest_count, 750);
    assert_int_equal(clscan_config_explain(config, &device, &problem, 751, 0, &choice, NULL), CLSCAN_OK);
    assert_string_equal(choice.entry, "/entries/1");
    assert_true(choice.largest_count == UINT64_MAX);
    clscan_config_destroy(config);
}

/* On GPUs, tiles of rows are powers of two, of which rows of such lengths leave nothing over. */
static void tiles_of_rows_are_even(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("nvidia-h200");
    const clscan_rows rows = {.struct_size = sizeof rows, .count = 1 << 14};

    for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
        const clscan_problem problem = {.struct_size = sizeof problem, .type = (clscan_type)type, .rows = &rows};
        clscan_choice choice = {.struct_size = sizeof choice};
        uint64_t tile;

        assert_int_equal(clscan_config_explain(NULL, &device, &problem, 1 << 14, 0, &choice, NULL), CLSCAN_OK);
        assert_int_equal(choice.variant.body, CLSCAN_BODY_SUBGROUP_ROWS);
        tile = clscan_variant_tile_count(&choice.variant);
        assert_true(tile > 0 && (tile & (tile - 1)) == 0);
        assert_true(clscan__variant_is_legal(&choice.variant, &problem, 0, &device, &(clscan__violation){0}));
    }
}

/* Of other lengths a plan takes tiles that its rows nearly fill, also where only some tiles have their order. */
static void rows_fill_their_tiles(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("nvidia-h200");
    static const clscan_type types[] = {CLSCAN_UINT8, CLSCAN_INT16, CLSCAN_INT32, CLSCAN_FLOAT};
    static const uint64_t counts[] = {10000, 10007, 12288, 20000, 33000};
    const clscan_rows rows = {.struct_size = sizeof rows, .count = 1 << 14};
    unsigned replaced = 0;

    for (int reproducible = 0; reproducible < 2; ++reproducible)
        for (size_t t = 0; t < sizeof types / sizeof types[0]; ++t)
            for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
                const clscan_problem problem = {
                    .struct_size = sizeof problem, .type = types[t], .rows = &rows, .reproducible = reproducible};
                clscan_choice choice = {.struct_size = sizeof choice}, filled;
                uint64_t tile;

                assert_int_equal(clscan_config_explain(NULL, &device, &problem, counts[i], 0, &choice, NULL),
                                 CLSCAN_OK);
                filled = choice;
                clscan__fill_rows(&filled, &problem, counts[i], 0, &device);
                tile = clscan_variant_tile_count(&filled.variant);
                assert_in_range((counts[i] + tile - 1) / tile * tile, counts[i], counts[i] + counts[i] / 5);
                assert_true(clscan__variant_is_legal(&filled.variant, &problem, 0, &device, &(clscan__violation){0}));
                if (memcmp(&filled.variant, &choice.variant, sizeof choice.variant) != 0) {
                    ++replaced;
                    assert_string_equal(filled.revision, "");
                }
            }
    assert_true(replaced > 0);

    for (uint64_t count = 1 << 13; count <= 1 << 20; count *= 2) {
        const clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_INT32, .rows = &rows};
        clscan_choice choice = {.struct_size = sizeof choice}, filled;

        assert_int_equal(clscan_config_explain(NULL, &device, &problem, count, 0, &choice, NULL), CLSCAN_OK);
        filled = choice;
        clscan__fill_rows(&filled, &problem, count, 0, &device);
        assert_memory_equal(&filled.variant, &choice.variant, sizeof choice.variant);
    }
}

/* Elements that are no scalars: by their size, or the next smaller one, with tiles of as many bytes. */
static void described_elements_pick_the_next_smaller_entry(void **state)
{
    (void)state;
    static const char entries[] = FILE_OF(
        "test-model",
        THREE(RUNS(4, "builtin", null, 16),
              "{\"operation\": \"scan\", \"element_size_bytes\": 4, \"sum_size_bytes\": 8, \"operator_class\": "
              "\"builtin\", \"largest_count\": null, \"reproducible\": false, \"variant\": {\"body\": \"strided\", "
              "\"group_scan\": \"brent_kung\", \"carry\": \"single\", \"work_group_size\": 64, "
              "\"vector_length\": 1, \"register_pieces\": 99, \"local_pieces\": 0}}",
              TWO(RUNS(8, "builtin", null, 12), RUNS(12, "builtin", null, 11))));
    static const struct {
        size_t size_bytes, align_bytes;
        uint32_t register_pieces;
        const char *entry;
    } cases[] = {
        {3, 1, LAST_RESORT, ""}, /* none so small */
        {4, 4, 16, "/entries/0"},  {7, 1, 8, "/entries/0"},  {8, 4, 12, "/entries/2"},
        {12, 4, 11, "/entries/3"}, {16, 4, 5, "/entries/3"}, {64, 4, 1, "/entries/3"},
    };
    clscan_config *config = explicit_config(entries);
    const clscan_device_info device = unmatched_device();

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_element element = {.struct_size = sizeof element,
                                        .name = "record",
                                        .size_bytes = cases[i].size_bytes,
                                        .align_bytes = cases[i].align_bytes};
        const clscan_problem problem = {.struct_size = sizeof problem, .op = CLSCAN_CUSTOM, .element = &element};
        clscan_choice choice = {.struct_size = sizeof choice};

        assert_int_equal(clscan_config_explain(config, &device, &problem, 1000, 0, &choice, NULL), CLSCAN_OK);
        assert_string_equal(choice.entry, cases[i].entry);
        assert_int_equal(choice.variant.register_pieces, cases[i].register_pieces);
        assert_string_equal(choice.revision, "");
        assert_true(clscan_variant_register_bytes(&choice.variant, &problem) <=
                    UINT64_C(64) * 16 * (cases[i].size_bytes > 8 ? 12 : 8));
    }
    clscan_config_destroy(config);
}

/* A person's entry of just that size is taken as it is, also where a smaller one would be changed. */
static void an_entry_that_is_meant_stays(void **state)
{
    (void)state;
    static const char entries[] = FILE_OF(
        "test-model", "{\"operation\": \"scan\", \"element_size_bytes\": 12, \"operator_class\": \"custom\", "
                      "\"largest_count\": null, \"reproducible\": false, \"variant\": {\"body\": \"cached_rows\", "
                      "\"group_scan\": \"brent_kung\", \"carry\": \"single\", \"work_group_size\": 1, "
                      "\"vector_length\": 8, \"cached_pieces\": 64, \"interleaved_rows\": 2, "
                      "\"streaming_stores\": 0}}");
    clscan_config *config = explicit_config(entries);
    const clscan_device_info device = unmatched_device();

    for (size_t bytes = 12; bytes <= 16; bytes += 4) {
        const clscan_element element = {
            .struct_size = sizeof element, .name = "record", .size_bytes = bytes, .align_bytes = 4};
        const clscan_problem problem = {.struct_size = sizeof problem, .op = CLSCAN_CUSTOM, .element = &element};
        clscan_choice choice = {.struct_size = sizeof choice};

        assert_int_equal(clscan_config_explain(config, &device, &problem, 1000, 0, &choice, NULL), CLSCAN_OK);
        assert_string_equal(choice.entry, "/entries/0");
        assert_int_equal(choice.variant.vector_length, bytes == 12 ? 8 : 1);
        assert_int_equal(choice.variant.interleaved_rows, bytes == 12 ? 2 : 4);
        assert_int_equal(strstr(choice.reason, "fitted") != NULL, bytes != 12);
    }
    clscan_config_destroy(config);
}

/* The accumulator of half has 4 bytes: an entry that says so comes before one that says nothing. */
static void the_sum_picks_the_entry(void **state)
{
    (void)state;
    static const char entries[] = FILE_OF(
        "test-model",
        TWO(RUNS(2, "builtin", null, 2),
            "{\"operation\": \"scan\", \"element_size_bytes\": 2, \"sum_size_bytes\": 4, \"operator_class\": "
            "\"builtin\", \"largest_count\": null, \"reproducible\": false, \"variant\": {\"body\": \"strided\", "
            "\"group_scan\": \"brent_kung\", \"carry\": \"single\", \"work_group_size\": 64, "
            "\"vector_length\": 1, \"register_pieces\": 3, \"local_pieces\": 0}}"));
    clscan_config *config = explicit_config(entries),
                  *without = explicit_config(FILE_OF("test-model", RUNS(2, "builtin", null, 2)));
    const clscan_device_info device = unmatched_device();

    assert_int_equal(choose(config, &device, CLSCAN_HALF, CLSCAN_ADD, 1, 0).variant.register_pieces, 3);
    assert_int_equal(choose(config, &device, CLSCAN_INT16, CLSCAN_ADD, 1, 0).variant.register_pieces, 2);
    assert_int_equal(choose(without, &device, CLSCAN_HALF, CLSCAN_ADD, 1, 0).variant.register_pieces, 2);
    clscan_config_destroy(config);
    clscan_config_destroy(without);
}

/* Built-in entries for sums of other sizes were measured with them, so nothing is made to fit: what lands has six
 * vectors in one of them, and seven in the other. */
static void built_in_sums_keep_their_tile(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("nvidia-h200");
    const clscan_element wide = {.struct_size = sizeof wide, .type = CLSCAN_DOUBLE};
    const clscan_custom_operator either = {
        .struct_size = sizeof either, .source = "double either(double l, double r);", .function = "either"};
    clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_FLOAT, .accumulator = &wide};
    clscan_choice choice = {.struct_size = sizeof choice};

    assert_int_equal(clscan_config_explain(NULL, &device, &problem, 1 << 28, 0, &choice, NULL), CLSCAN_OK);
    assert_int_equal(choice.variant.landing_zones, 1);
    assert_int_equal(choice.variant.register_pieces, 6);
    problem.op = CLSCAN_CUSTOM;
    problem.custom = &either;
    assert_int_equal(clscan_config_explain(NULL, &device, &problem, 1 << 28, 0, &choice, NULL), CLSCAN_OK);
    assert_int_equal(choice.variant.landing_zones, 1);
    assert_int_equal(choice.variant.register_pieces, 7);
}

static void what_serves_scalars_only_is_skipped(void **state)
{
    (void)state;
    static const char entries[] =
        FILE_OF("test-model",
                "{\"operation\": \"scan\", \"element_size_bytes\": 8, \"operator_class\": \"builtin\", "
                "\"largest_count\": null, \"reproducible\": false, \"variant\": {\"body\": \"strided\", "
                "\"group_scan\": \"brent_kung\", \"carry\": \"scan_then_add\", \"work_group_size\": 64, "
                "\"vector_length\": 1, \"register_pieces\": 2, \"local_pieces\": 0, \"work_groups_per_unit\": 4}}");
    const clscan_element element = {.struct_size = sizeof element, .type = CLSCAN_INT32, .lanes = 2};
    const clscan_problem problem = {.struct_size = sizeof problem, .element = &element};
    clscan_config *config = explicit_config(entries);
    const clscan_device_info device = unmatched_device();
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan_error error;

    assert_int_equal(clscan_config_explain(config, &device, &problem, 1000, 0, &choice, NULL), CLSCAN_OK);
    assert_string_equal(choice.source, "last resort");
    assert_non_null(strstr(choice.reason, "plain_elements"));
    choice.variant.carry = CLSCAN_CARRY_SCAN_THEN_ADD;
    assert_int_equal(clscan_variant_check(&choice.variant, &problem, 0, &device, &error), CLSCAN_ERROR_ILLEGAL_VARIANT);
    assert_non_null(strstr(error.message, "plain_elements"));
    assert_non_null(strstr(error.message, "int2"));
    clscan_config_destroy(config);
}

static void the_count_picks_the_entry(void **state)
{
    (void)state;
    static const char text[] = FILE_OF(
        "test-model", THREE(RUNS(4, "builtin", 10, 1), RUNS(4, "builtin", 4294967296, 2), RUNS(4, "builtin", null, 3)));
    static const struct {
        uint64_t count, largest_count;
        uint32_t tag;
        const char *entry;
    } cases[] = {
        {0, 10, 1, "/entries/0"},
        {1, 10, 1, "/entries/0"},
        {10, 10, 1, "/entries/0"},
        {11, UINT64_C(1) << 32, 2, "/entries/1"},
        {UINT64_C(1) << 32, UINT64_C(1) << 32, 2, "/entries/1"},
        {(UINT64_C(1) << 32) + 1, UINT64_MAX, 3, "/entries/2"},
        {UINT64_MAX, UINT64_MAX, 3, "/entries/2"},
    };
    const clscan_device_info device = unmatched_device();
    clscan_config *config = explicit_config(text);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_choice choice = choose(config, &device, CLSCAN_FLOAT, CLSCAN_ADD, cases[i].count, 0);

        assert_int_equal(choice.variant.register_pieces, cases[i].tag);
        assert_true(choice.largest_count == cases[i].largest_count);
        assert_string_equal(choice.entry, cases[i].entry);
    }
    clscan_config_destroy(config);
}

/* A skipped entry's limit ends the answer too: beyond it a better entry may run. */
static void limits_of_skipped_entries_count(void **state)
{
    (void)state;
    static const char better[] = FILE_OF("test-model", TWO(WAITS(4, "builtin", 100, 1), RUNS(4, "builtin", null, 2)));
    static const char worse[] = FILE_OF("test-family", TWO(RUNS(4, "builtin", 50, 3), RUNS(4, "builtin", null, 5)));
    static const struct {
        uint64_t count, largest_count;
        uint32_t tag;
        const char *reason;
    } cases[] = {
        {1, 50, 3, "own limit"},
        {51, 100, 5, "limit of the skipped entry"},
        {101, UINT64_MAX, 2, "the better file again"},
    };
    const clscan_device_info device = unmatched_device();
    uint64_t count = 1;

    write_user_file("a.json", better);
    write_user_file("b.json", worse);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_choice choice = choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, count, 1);

        if (cases[i].count != count || choice.variant.register_pieces != cases[i].tag ||
            choice.largest_count != cases[i].largest_count)
            fail_msg("%s", cases[i].reason);
        count = choice.largest_count + 1; /* the walk of a plan */
    }
}

/* Whatever is skipped: the answer at both ends of a class is the same, and it changes only there. */
static void the_walk_over_size_classes_agrees_with_single_questions(void **state)
{
    (void)state;
    clscan_device_info device = unmatched_device();

    write_user_file("a.json", FILE_OF("test-model", THREE(WAITS(4, "native", 7, 1), RUNS(4, "native", 20, 2),
                                                          WAITS(4, "native", null, 3))));
    write_user_file("b.json", FILE_OF("test-architecture", THREE(WAITS(4, "native", 25, 6), RUNS(4, "native", 30, 5),
                                                                 WAITS(4, "native", null, 6))));
    write_user_file("c.json", FILE_OF("test-family", TWO(RUNS(4, "builtin", 3, 7), RUNS(4, "builtin", null, 8))));
    for (int waits = 0; waits < 2; ++waits) {
        uint64_t count = 1;

        device.mechanism = waits ? CLSCAN_MECHANISM_PTX : CLSCAN_MECHANISM_NONE;
        while (count != 0) { /* largest_count + 1 of the last class */
            const clscan_choice first = choose(NULL, &device, CLSCAN_INT32, CLSCAN_ADD, count, 0);
            const uint64_t end = first.largest_count < 40 ? first.largest_count : 40;

            assert_true(first.largest_count >= count);
            for (uint64_t other = count; other <= end; ++other) {
                const clscan_choice same = choose(NULL, &device, CLSCAN_INT32, CLSCAN_ADD, other, 0);
                assert_memory_equal(&same.variant, &first.variant, sizeof same.variant);
                assert_true(same.largest_count == first.largest_count);
            }
            count = first.largest_count + 1;
        }
    }
}

static void an_entry_that_cannot_run_is_skipped_with_its_reason(void **state)
{
    (void)state;
    static const char small_first[] =
        FILE_OF("test-model", TWO(WAITS(4, "native", null, 1), RUNS(4, "builtin", null, 2)));
    const clscan_device_info device = unmatched_device(); /* has no fence: it cannot wait in place */
    clscan_config *config = explicit_config(small_first);
    clscan_choice choice = choose(config, &device, CLSCAN_INT32, CLSCAN_ADD, 1000, 0);

    assert_int_equal(choice.variant.register_pieces, 1);
    assert_null(strstr(choice.reason, "skipped"));
    choice = choose(config, &device, CLSCAN_INT32, CLSCAN_ADD, 1000, 1);
    assert_int_equal(choice.variant.register_pieces, 2);
    assert_non_null(strstr(choice.reason, "explicit.json /entries/0"));
    assert_non_null(strstr(choice.reason, "adjacent_in_place"));
    clscan_config_destroy(config);
}

/* Legal for integers of two bytes, but not for half: found only when the type is known. */
static void a_type_may_be_refused_where_its_size_is_not(void **state)
{
    (void)state;
    static const char text[] =
        FILE_OF("test-model", "{\"operation\": \"scan\", \"element_size_bytes\": 2, \"operator_class\": \"builtin\", "
                              "\"largest_count\": null, \"reproducible\": false, \"variant\": {\"body\": \"strided\", "
                              "\"group_scan\": \"brent_kung\", \"carry\": \"scan_then_add\", "
                              "\"work_group_size\": 64, \"vector_length\": 1, \"register_pieces\": 2, "
                              "\"local_pieces\": 0, \"work_groups_per_unit\": 4}}");
    const clscan_device_info device = unmatched_device();
    clscan_config *config = explicit_config(text);
    clscan_choice choice = choose(config, &device, CLSCAN_INT16, CLSCAN_MUL, 1000, 0);

    assert_int_equal(choice.variant.register_pieces, 2);
    choice = choose(config, &device, CLSCAN_HALF, CLSCAN_MUL, 1000, 0);
    assert_int_equal(choice.variant.register_pieces, LAST_RESORT);
    assert_non_null(strstr(choice.reason, "half_keeps_precision"));
    clscan_config_destroy(config);
}

static void the_last_resort_runs_on_the_weakest_device(void **state)
{
    (void)state;
    const clscan_device_info weakest = {
        .struct_size = sizeof weakest, .max_work_group_size = 1, .local_memory_bytes = 1024, .generic = "generic-gpu"};

    for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type)
        for (int in_place = 0; in_place < 2; ++in_place) {
            const clscan_choice choice = choose(NULL, &weakest, (clscan_type)type, CLSCAN_ADD, UINT64_MAX, in_place);

            assert_int_equal(choice.variant.register_pieces, LAST_RESORT);
            assert_string_equal(choice.source, "last resort");
            assert_string_equal(choice.entry, "");
            assert_true(choice.largest_count == UINT64_MAX);
            assert_int_equal(clscan_variant_check(&choice.variant, PROBLEM_OF((clscan_type)type, CLSCAN_ADD), in_place,
                                                  &weakest, NULL),
                             CLSCAN_OK);
        }
}

static void the_revision_is_handed_on(void **state)
{
    (void)state;
#define MARKED ENTRY_OF(4, "builtin", 10, "\"revision\": \"00112233445566ff\", " NOT_REPRODUCIBLE, SINGLE, 1)
    static const char text[] = FILE_OF("test-model", TWO(MARKED, RUNS(4, "builtin", null, 2)));
    const clscan_device_info device = unmatched_device();
    clscan_config *config = explicit_config(text);

    assert_string_equal(choose(config, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).revision, "00112233445566ff");
    assert_string_equal(choose(config, &device, CLSCAN_FLOAT, CLSCAN_ADD, 11, 0).revision, "");
    clscan_config_destroy(config);
}

/* What was measured elsewhere is said to be; hand-set entries speak of families. */
static void the_reason_says_where_it_was_measured(void **state)
{
    (void)state;
#define MARKED_ALL ENTRY_OF(4, "builtin", null, "\"revision\": \"00112233445566ff\", " NOT_REPRODUCIBLE, SINGLE, 1)
#define UNFINISHED ENTRY_OF(4, "builtin", null, "\"unfinished_ms\": 500, " NOT_REPRODUCIBLE, SINGLE, 1)
#define FILE_OF_ENTRY(origin, device, driver, entry)                                            \
    "{\"schema_version\": 1, \"match\": \"test-model\", \"provenance\": {\"origin\": \"" origin \
    "\", \"date\": \"2026-11-21\", \"device\": \"" device "\", \"driver\": \"" driver "\"}, \"entries\": [" entry "]}"
#define FILE_FROM(origin, device, driver) FILE_OF_ENTRY(origin, device, driver, MARKED_ALL)
    static const struct {
        const char *text, *device, *driver; /* what the reason names of the file's; NULL: it says nothing of it */
    } cases[] = {
        {FILE_FROM("tuned", "the device", "1.5"), NULL, NULL},
        {FILE_FROM("tuned", "the device", "1.4"), NULL, "1.4"},
        {FILE_FROM("tuned", "its relative", "1.5"), "its relative", NULL},
        {FILE_FROM("tuned", "its relative", "1.4"), "its relative", "1.4"},
        {FILE_FROM("tuned", "\\u001b[7m relative", "1.5"), "[7m relative", NULL},
        {FILE_FROM("hand-set", "relatives", "1.3 and 1.4"), NULL, NULL},
    };
    clscan_device_info device = unmatched_device();

    strcpy(device.name, "the device");
    strcpy(device.driver_version, "1.5");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_config *config = explicit_config(cases[i].text);
        const clscan_choice choice = choose(config, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0);

        assert_true((strstr(choice.reason, " on ") != NULL) == (cases[i].device != NULL));
        assert_true(cases[i].device == NULL || strstr(choice.reason, cases[i].device) != NULL);
        assert_true((strstr(choice.reason, "driver") != NULL) == (cases[i].driver != NULL));
        assert_true(cases[i].driver == NULL || (strstr(choice.reason, cases[i].driver) != NULL &&
                                                strstr(choice.reason, device.driver_version) != NULL));
        assert_null(strchr(choice.reason, '\033'));
        /* Whether another device's kernels have changed, no revision says. */
        assert_string_equal(choice.revision, cases[i].device == NULL ? "00112233445566ff" : "");
        clscan_config_destroy(config);
    }
}

/* Of one match, a file of another driver or device stands behind those of the present ones, whatever its name. */
static void what_was_measured_with_this_driver_comes_first(void **state)
{
    (void)state;
    clscan_device_info device = unmatched_device();

    strcpy(device.name, "the device");
    strcpy(device.driver_version, "1.5");
    write_user_file("a.json", FILE_FROM("tuned", "the device", "1.4"));
    assert_non_null(strstr(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).source, "a.json"));
    write_user_file("b.json", FILE_FROM("tuned", "its relative", "1.5"));
    assert_non_null(strstr(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).source, "a.json"));
    write_user_file("d.json", FILE_FROM("measured", "the device", "1.5"));
    assert_non_null(strstr(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).source, "d.json"));
    write_user_file("c.json", FILE_FROM("hand-set", "relatives", "1.3"));
    assert_non_null(strstr(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).source, "c.json"));
}

static bool is_settled(const clscan_device_info *device, uint64_t bound_ms)
{
    clscan__selector *selector = NULL;
    bool settled;

    assert_int_equal(clscan__selector_create(NULL, &selector, NULL), CLSCAN_OK);
    settled = clscan__selector_is_settled(selector, device, PROBLEM_OF(CLSCAN_FLOAT, CLSCAN_ADD), 1000,
                                          bound_ms * UINT64_C(1000000));
    clscan__selector_destroy(selector);
    return settled;
}

static void what_had_too_little_time_is_measured_anew(void **state)
{
    (void)state;
    clscan_device_info device = unmatched_device();

    strcpy(device.name, "the device");
    strcpy(device.driver_version, "1.5");
    assert_false(is_settled(&device, 1));
    write_user_file("a.json", FILE_OF_ENTRY("measured", "the device", "1.5", UNFINISHED));
    assert_true(is_settled(&device, 1));
    assert_true(is_settled(&device, 999));
    assert_false(is_settled(&device, 1000));
    write_user_file("a.json", FILE_FROM("measured", "the device", "1.5"));
    assert_true(is_settled(&device, 86400000));
    write_user_file("a.json", FILE_FROM("measured", "the device", "1.4"));
    assert_false(is_settled(&device, 1));
    write_user_file("a.json", FILE_FROM("hand-set", "the device", "1.4"));
    assert_true(is_settled(&device, 1000));
}

/* ---- Bad files, and what the log says ---- */

typedef struct heard {
    clscan_log_level level;
    char text[1024];
    unsigned lines;
} heard;

static void remember(clscan_log_level level, const char *text, void *user)
{
    heard *last = user;

    ++last->lines;
    last->level = level;
    snprintf(last->text, sizeof last->text, "%s", text);
}

static void bad_user_files_are_skipped_and_logged(void **state)
{
    (void)state;
    const clscan_device_info device = unmatched_device();
    heard last = {0};

    write_user_file("a.json", "{\"schema_version\": 1,");
    write_user_file("b.json", FILE_OF("test-model", RUNS(4, "builtin", null, 2)));
    clscan_log_set(CLSCAN_LOG_WARNING, remember, &last);
    assert_int_equal(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, 2);
    clscan_log_set(CLSCAN_LOG_WARNING, NULL, NULL);
    assert_int_equal(last.level, CLSCAN_LOG_WARNING);
    assert_non_null(strstr(last.text, "a.json:1:"));
}

/* A file that has just changed is read for each choice; another change is worth a warning. */
static void a_bad_file_is_warned_of_once(void **state)
{
    (void)state;
    const clscan_device_info device = unmatched_device();
    heard last = {0};

    write_user_file("a.json", "{\"schema_version\": 1,");
    clscan_log_set(CLSCAN_LOG_WARNING, remember, &last);
    for (int i = 0; i < 5; ++i)
        choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0);
    assert_int_equal(last.lines, 1);
    write_user_file("a.json", "{\"schema_version\": 1");
    for (int i = 0; i < 5; ++i)
        choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0);
    clscan_log_set(CLSCAN_LOG_WARNING, NULL, NULL);
    assert_int_equal(last.lines, 2);
}

static void skipped_entries_are_logged(void **state)
{
    (void)state;
    const clscan_device_info device = unmatched_device();
    heard last = {0};
    clscan_config *config = explicit_config(FILE_OF("test-model", WAITS(4, "builtin", null, 1)));

    clscan_log_set(CLSCAN_LOG_INFO, remember, &last);
    choose(config, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 1);
    clscan_log_set(CLSCAN_LOG_WARNING, NULL, NULL);
    assert_int_equal(last.level, CLSCAN_LOG_INFO);
    assert_non_null(strstr(last.text, "explicit.json: /entries/0"));
    assert_non_null(strstr(last.text, "adjacent_in_place"));
    clscan_config_destroy(config);
}

static void a_named_file_must_be_good(void **state)
{
    (void)state;
    const clscan_device_info device = unmatched_device();
    clscan_choice choice = {.struct_size = sizeof choice, .largest_count = 77};
    clscan_error error;
    char path[128];

    path_of("named", path, sizeof path);
    setenv("CLSCAN_CONFIG", path, 1);
    assert_int_equal(clscan_config_explain(NULL, &device, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 1, 0, &choice, &error),
                     CLSCAN_ERROR_FILE);
    assert_non_null(strstr(error.message, path));
    write_user_file("named", "nonsense");
    assert_int_equal(clscan_config_explain(NULL, &device, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 1, 0, &choice, &error),
                     CLSCAN_ERROR_CONFIG_SYNTAX);
    assert_non_null(strstr(error.message, path));
    assert_int_equal(choice.largest_count, 77); /* outputs are written only on success */
    setenv("CLSCAN_CONFIG", "", 1);
    assert_int_equal(clscan_config_explain(NULL, &device, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 1, 0, &choice, &error),
                     CLSCAN_OK);
}

static void explain_checks_its_arguments(void **state)
{
    (void)state;
    const clscan_device_info device = unmatched_device();
    clscan_choice choice = {.struct_size = sizeof choice};

    assert_int_equal(clscan_config_explain(NULL, NULL, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 1, 0, &choice, NULL),
                     CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_config_explain(NULL, &device, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 1, 0, NULL, NULL),
                     CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(
        clscan_config_explain(NULL, &device, PROBLEM_OF(CLSCAN_TYPE_COUNT, CLSCAN_ADD), 1, 0, &choice, NULL),
        CLSCAN_ERROR_INVALID_VALUE);
    assert_int_equal(
        clscan_config_explain(NULL, &device, PROBLEM_OF(CLSCAN_INT32, CLSCAN_OPERATOR_COUNT), 1, 0, &choice, NULL),
        CLSCAN_ERROR_INVALID_VALUE);
    clscan__selector_destroy(NULL);
}

static void explaining_a_problem_checks_its_arguments(void **state)
{
    (void)state;
    const clscan_device_info device = unmatched_device();
    const clscan_problem good = {.struct_size = sizeof good, .type = CLSCAN_FLOAT, .op = CLSCAN_CUSTOM};
    const clscan_problem unset = {.type = CLSCAN_INT32};
    const clscan_problem bad_type = {.struct_size = sizeof bad_type, .type = CLSCAN_TYPE_COUNT};
    const clscan_problem bad_op = {.struct_size = sizeof bad_op, .op = CLSCAN_OPERATOR_COUNT};
    const struct {
        const clscan_device_info *device;
        const clscan_problem *problem;
        clscan_status expected;
        const char *words;
    } cases[] = {
        {&device, &good, CLSCAN_OK, ""}, /* without custom and max_count */
        {NULL, &good, CLSCAN_ERROR_NULL_ARGUMENT, "device is NULL"},
        {&device, NULL, CLSCAN_ERROR_NULL_ARGUMENT, "problem is NULL"},
        {&device, &unset, CLSCAN_ERROR_STRUCT_SIZE, "problem->struct_size"},
        {&device, &bad_type, CLSCAN_ERROR_INVALID_VALUE, "problem->type"},
        {&device, &bad_op, CLSCAN_ERROR_INVALID_VALUE, "problem->op"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_choice choice = {.struct_size = sizeof choice, .largest_count = 77};
        clscan_error error = {0};

        assert_int_equal(clscan_config_explain(NULL, cases[i].device, cases[i].problem, 1, 0, &choice, &error),
                         cases[i].expected);
        assert_non_null(strstr(error.message, cases[i].words));
        assert_int_equal(choice.largest_count == 77, cases[i].expected != CLSCAN_OK);
    }
    assert_int_equal(clscan_config_explain(NULL, &device, &good, 1, 0, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
}

/* ---- The shipped configs on recorded devices ---- */

/* Its work-groups cannot talk to each other: large counts step over the entries in which they wait. */
static void an_old_driver_goes_on_to_the_generic_file(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("intel-cpu-18.1");

    assert_string_equal(choose(NULL, &device, CLSCAN_INT32, CLSCAN_ADD, 1, 0).source, "built-in intel/cpu.json");
    assert_string_equal(choose(NULL, &device, CLSCAN_INT32, CLSCAN_ADD, UINT64_C(1) << 24, 0).source,
                        "built-in generic/cpu.json");
}

static void recorded_devices_find_their_file(void **state)
{
    (void)state;
    static const struct {
        const char *device, *source, *matched;
    } cases[] = {
        {"nvidia-h200", "built-in nvidia/gpu.json", "nvidia-gpu"},
        {"pocl-3.1-pthread", "built-in pocl/cpu.json", "pocl-cpu"},
        {"pocl-5.0-cpu", "built-in pocl/cpu.json", "pocl-cpu"},
        {"amd-gfx90a", "built-in generic/gpu.json", "generic-gpu"},
        {"intel-hd-530-neo", "built-in intel/gpu.json", "intel-gpu"},
        {"apple-m1", "built-in generic/gpu.json", "generic-gpu"},
        {"oclgrind-21.10", "built-in generic/gpu.json", "generic-gpu"},
        {"rusticl-22.3-llvmpipe", "built-in mesa/cpu.json", "mesa-cpu"},
        {"intel-cpu-2025", "built-in intel/cpu.json", "intel-cpu"},
        {"intel-cpu-2026", "built-in intel/cpu.json", "intel-cpu"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_device_info device = recorded_device(cases[i].device);

        for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type)
            for (uint64_t count = 1; count <= UINT64_C(1) << 32; count <<= 16) {
                if (clscan_device_check_type(&device, (clscan_type)type, NULL) != CLSCAN_OK)
                    continue;
                const clscan_operator op = type % 2 == 0 ? CLSCAN_ADD : CLSCAN_CUSTOM;
                const clscan_choice choice = choose(NULL, &device, (clscan_type)type, op, count, 0);

                if (strcmp(choice.source, cases[i].source) != 0 || strcmp(choice.matched, cases[i].matched) != 0)
                    fail_msg("%s, %s: %s (%s)", cases[i].device, clscan_type_name((clscan_type)type), choice.source,
                             choice.reason);
            }
    }
}

/* What was measured on one GPU serves its relatives. Entries that a device cannot run are passed over, and the next
 * file of the family follows. */
static void a_family_of_files_serves_gpus_that_nobody_measured(void **state)
{
    (void)state;
    static const char *const newer = "built-in nvidia/gpu.json";
    static const char *const older = "built-in nvidia/gpu_without_landing_zones.json";
    static const struct {
        const char *device;
        bool has_landing_zones;
    } cases[] = {
        {"nvidia-v100", false},    {"nvidia-t4", false},  {"nvidia-a100", true}, {"nvidia-rtx-3090", true},
        {"nvidia-rtx-4090", true}, {"nvidia-h200", true}, {"nvidia-b200", true}, {"nvidia-rtx-5090", true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_device_info device = recorded_device(cases[i].device);

        for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type)
            for (int in_place = 0; in_place < 2; ++in_place) {
                const clscan_operator op = type % 2 == 0 ? CLSCAN_ADD : CLSCAN_CUSTOM;
                const uint64_t large = UINT64_C(1) << 28;

                assert_string_equal(choose(NULL, &device, (clscan_type)type, op, 1000, in_place).source, newer);
                assert_string_equal(choose(NULL, &device, (clscan_type)type, op, large, in_place).source,
                                    cases[i].has_landing_zones ? newer : older);
            }
    }
}

/* Configs are parsed once, until a file or the environment changes. What does not exist cannot have changed a moment
 * ago, so without the user's folder they are shared from the first time on. */
static void configs_are_read_again_when_something_changed(void **state)
{
    (void)state;
    const clscan_device_info device = unmatched_device();
    clscan__config_sources *first = NULL, *second = NULL, *third = NULL;
    char folder[128], path[128];

    snprintf(folder, sizeof folder, "%s/other", home);
    setenv("XDG_CONFIG_HOME", folder, 1);
    assert_int_equal(clscan__config_sources_get(&first, NULL), CLSCAN_OK);
    assert_int_equal(clscan__config_sources_get(&second, NULL), CLSCAN_OK);
    assert_ptr_equal(first, second);
    assert_int_equal(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, LAST_RESORT);

    /* The folder comes into being. */
    setenv("XDG_CONFIG_HOME", home, 1);
    write_user_file("a.json", FILE_OF("test-model", RUNS(4, "builtin", null, 3)));
    assert_int_equal(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, 3);
    /* The file changes to one of the same size, at once. */
    write_user_file("a.json", FILE_OF("test-model", RUNS(4, "builtin", null, 5)));
    assert_int_equal(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, 5);
    path_of("a.json", path, sizeof path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, LAST_RESORT);

    /* A named file comes and goes. */
    setenv("XDG_CONFIG_HOME", folder, 1);
    write_user_file("named", FILE_OF("test-model", RUNS(4, "builtin", null, 2)));
    path_of("named", path, sizeof path);
    setenv("CLSCAN_CONFIG", path, 1);
    assert_int_equal(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, 2);
    unsetenv("CLSCAN_CONFIG");
    assert_int_equal(clscan__config_sources_get(&third, NULL), CLSCAN_OK);
    assert_int_equal(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, LAST_RESORT);
    setenv("XDG_CONFIG_HOME", home, 1);
    clscan__config_sources_release(first);
    clscan__config_sources_release(second);
    clscan__config_sources_release(third);
}

/* The folder appears under the same name that was looked at before. */
static void a_folder_that_appears_is_noticed(void **state)
{
    (void)state;
    const clscan_device_info device = unmatched_device();
    char path[128], hidden[128];

    path_of("", path, sizeof path);
    snprintf(hidden, sizeof hidden, "%s/hidden", home);
    write_user_file("a.json", FILE_OF("test-model", RUNS(4, "builtin", null, 3)));
    assert_int_equal(rename(path, hidden), 0);
    assert_int_equal(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, LAST_RESORT);
    assert_int_equal(rename(hidden, path), 0);
    let_it_be_seen();
    assert_int_equal(choose(NULL, &device, CLSCAN_FLOAT, CLSCAN_ADD, 1, 0).variant.register_pieces, 3);
}

/* Within a tick of its clock a file system may give two contents one time. */
static void what_changed_just_before_it_was_read_is_not_settled(void **state)
{
    (void)state;
    clscan__stamp stamp = {0};

    assert_true(clscan__stamp_is_settled(&stamp, 1000)); /* what does not exist */
    stamp = (clscan__stamp){.exists = true, .modified = {900, 0}, .changed = {900, 0}};
    assert_true(clscan__stamp_is_settled(&stamp, 1000));
    assert_false(clscan__stamp_is_settled(&stamp, 901));
    stamp.changed.tv_sec = 999;
    assert_false(clscan__stamp_is_settled(&stamp, 1000));
    stamp.changed.tv_sec = 900;
    stamp.modified.tv_sec = 2000; /* of a clock that is ahead */
    assert_false(clscan__stamp_is_settled(&stamp, 1000));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, remove_user_files)
    const struct CMUnitTest tests[] = {
        TEST(exact_matches_come_first),
        TEST(sources_are_asked_in_order),
        TEST(files_of_one_match_are_asked_by_name),
        TEST(classes_fall_back_inside_a_file),
        TEST(reproducible_entries_serve_reproducible_plans),
        TEST(rows_take_the_body_of_as_many_elements),
        TEST(larger_elements_reach_an_entrys_limit_sooner),
        TEST(tiles_of_rows_are_even),
        TEST(rows_fill_their_tiles),
        TEST(described_elements_pick_the_next_smaller_entry),
        TEST(an_entry_that_is_meant_stays),
        TEST(the_sum_picks_the_entry),
        TEST(built_in_sums_keep_their_tile),
        TEST(what_serves_scalars_only_is_skipped),
        TEST(the_count_picks_the_entry),
        TEST(limits_of_skipped_entries_count),
        TEST(the_walk_over_size_classes_agrees_with_single_questions),
        TEST(an_entry_that_cannot_run_is_skipped_with_its_reason),
        TEST(a_type_may_be_refused_where_its_size_is_not),
        TEST(the_last_resort_runs_on_the_weakest_device),
        TEST(the_revision_is_handed_on),
        TEST(the_reason_says_where_it_was_measured),
        TEST(what_was_measured_with_this_driver_comes_first),
        TEST(what_had_too_little_time_is_measured_anew),
        TEST(bad_user_files_are_skipped_and_logged),
        TEST(a_bad_file_is_warned_of_once),
        TEST(skipped_entries_are_logged),
        TEST(a_named_file_must_be_good),
        TEST(explain_checks_its_arguments),
        TEST(explaining_a_problem_checks_its_arguments),
        TEST(recorded_devices_find_their_file),
        TEST(a_family_of_files_serves_gpus_that_nobody_measured),
        TEST(an_old_driver_goes_on_to_the_generic_file),
        TEST(configs_are_read_again_when_something_changed),
        TEST(a_folder_that_appears_is_noticed),
        TEST(what_changed_just_before_it_was_read_is_not_settled),
    };
    return cmocka_run_group_tests(tests, make_home, remove_home);
}
