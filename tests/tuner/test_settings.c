/* The command line of clscan-tune, where files go, and what is tuned: all before a device is asked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmocka_all.h"
#include "command/settings.h"
#include "command/targets.h"
#include "files/save.h"
#include "output/places.h"
#include "synthetic.h"
#include "temporary_folder.h"

static char *folder;

static int set_up(void **state)
{
    (void)state;
    folder = temporary_folder_create();
    setenv("HOME", folder, 1);
    setenv("XDG_CONFIG_HOME", folder, 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("CLSCAN_CONFIG");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    temporary_folder_remove(folder);
    return 0;
}

/* ---- The command line ---- */

/* Words with blanks between them. Returns whether the program would go on. */
static bool read_words(const char *text, tune_settings *settings, int *exit_code)
{
    static char copy[256];
    char *words[32] = {"clscan-tune"};
    int count = 1;

    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, " "); word != NULL && count < 31; word = strtok(NULL, " "))
        words[count++] = word;
    *exit_code = -1;
    return tune_settings_read(count, words, settings, exit_code);
}

static tune_settings settings_of(const char *text)
{
    tune_settings settings;
    int exit_code;

    if (!read_words(text, &settings, &exit_code))
        fail_msg("'%s' is refused", text);
    return settings;
}

static void without_options_everything_has_a_value(void **state)
{
    const tune_settings all = settings_of(""), quick = settings_of("--quick"), given = settings_of("--quick --soak 7");
    (void)state;

    assert_ptr_equal(all.strategy, tune_strategies[0]);
    assert_int_equal(all.space, TUNE_SPACE_DEFAULT);
    assert_true(all.types[CLSCAN_INT8] && all.types[CLSCAN_INT64] && all.classes[CLSCAN_OPERATOR_CLASS_CUSTOM]);
    assert_true(all.budget_s > quick.budget_s && !all.budget_given);
    assert_true(quick.types[CLSCAN_INT32] && !quick.types[CLSCAN_INT8] && !quick.classes[CLSCAN_OPERATOR_CLASS_CUSTOM]);
    assert_true(quick.soak_runs < all.soak_runs && !quick.soak_given);
    assert_true(given.soak_runs == 7 && given.soak_given);
}

static void reproducible_plans_are_of_floating_point_numbers(void **state)
{
    const tune_settings all = settings_of("--reproducible"), quick = settings_of("--reproducible --quick"),
                        given = settings_of("--reproducible --types double");
    (void)state;

    assert_true(all.reproducible && all.types[CLSCAN_HALF] && all.types[CLSCAN_FLOAT] && all.types[CLSCAN_DOUBLE]);
    assert_false(all.types[CLSCAN_INT32] || all.types_given);
    assert_true(quick.types[CLSCAN_FLOAT] && !quick.types[CLSCAN_INT32] && !quick.types[CLSCAN_HALF]);
    assert_true(given.types_given && !given.types[CLSCAN_FLOAT]);
}

static void scans_are_tuned_unless_operations_are_named(void **state)
{
    const tune_settings ordinary = settings_of("--quick"),
                        given = settings_of("--operation select,reduce --types int8");
    (void)state;

    assert_true(ordinary.operations[CLSCAN__CONFIG_SCAN] && !ordinary.operations[CLSCAN__CONFIG_SELECT]);
    assert_true(given.operations[CLSCAN__CONFIG_SELECT] && given.operations[CLSCAN__CONFIG_REDUCE]);
    assert_false(given.operations[CLSCAN__CONFIG_SCAN]);
}

static void a_log_is_searched_as_it_was_made(void **state)
{
    (void)state;
    assert_null(settings_of("--replay log").strategy);
    assert_string_equal(settings_of("--replay log --strategy random").strategy->name, "random");
}

static void sizes_are_an_ascending_ladder(void **state)
{
    static const uint64_t wanted[] = {7, 16, 64, 100, 256, 1024};
    const tune_settings settings = settings_of("--sizes 100,2^4:2^10,7,64:64"), by_3 = settings_of("--sizes 1:30:3");
    (void)state;

    assert_int_equal(settings.count_count, sizeof wanted / sizeof wanted[0]);
    assert_memory_equal(settings.counts, wanted, sizeof wanted);
    assert_int_equal(by_3.count_count, 4);
    assert_int_equal(by_3.counts[3], 27);
    assert_int_equal(settings_of("--sizes 2^62:2^63").counts[0], UINT64_C(1) << 62); /* and does not wrap around */
}

static void durations_have_units(void **state)
{
    (void)state;
    assert_true(settings_of("--budget 90").budget_s == 90.0);
    assert_true(settings_of("--budget 90s").budget_s == 90.0);
    assert_true(settings_of("--budget 10m").budget_s == 600.0);
    assert_true(settings_of("--budget 1.5h").budget_s == 5400.0);
}

static void wrong_command_lines_are_refused(void **state)
{
    static const char *const wrong[] = {
        "--budget 0",
        "--budget -5",
        "--budget 5d",
        "--budget nan",
        "--sizes 0",
        "--sizes 4:2",
        "--sizes 2:8:1",
        "--sizes 1:2:3:4",
        "--sizes 1:",
        "--sizes ,",
        "--sizes 1:2^63:2,3",
        "--types int8,,int16",
        "--classes no",
        "--trials 0",
        "--soak 0",
        "--soak 1000001",
        "--seed 0",
        "--compilers 17",
        "--resume --list",
        "--resume --sizes 1",
        "--resume --seed 1",
        "--verify f --t4 g",
        "--replay f --device 0",
        "--list --dry-run",
        "--operation sort",
        "--operation select,",
        "--operation select --resume",
        "--operation select --elements int4",
        "--operation reduce --reproducible",
        "--operation scan_by_key --classes native",
        "--operation segmented_scan --types half",
        "--output-type int3",
        "--output-type half --types int8",
        "--output-type int64 --types float",
        "--output-type uint32 --types int8,int32",
        "--output-type int64 --operation scan,select",
        "--output-type int64 --elements int4",
        "--output-type int64 --classes native",
        "--output-type double --reproducible",
        "--output-type double --resume",
        "--reproducible --types int32",
        "--reproducible --resume",
        "--reproducible --verify f",
    };
    (void)state;

    assert_non_null(freopen("/dev/null", "w", stderr));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        tune_settings settings;
        int exit_code;

        if (read_words(wrong[i], &settings, &exit_code) || exit_code != 2)
            fail_msg("'%s' is accepted", wrong[i]);
    }
}

/* ---- Places ---- */

static void journals_do_not_share_a_name(void **state)
{
    char first[TUNE_PATH_BYTES], second[TUNE_PATH_BYTES], newest[TUNE_PATH_BYTES], state_folder[TUNE_PATH_BYTES];
    clscan_error error = {0};
    (void)state;

    assert_int_equal(tune_place_newest_journal("a-gpu", newest, &error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(error.message, "a-gpu"));
    assert_int_equal(tune_place_new_journal("a-gpu", first, &error), CLSCAN_OK);
    assert_int_equal(tune_save(first, "", 0, NULL, &error), CLSCAN_OK);
    assert_int_equal(tune_place_new_journal("a-gpu", second, &error), CLSCAN_OK);
    assert_true(strcmp(first, second) < 0);
    assert_int_equal(tune_save(second, "", 0, NULL, &error), CLSCAN_OK);
    tune_place_folder(second, state_folder);
    temporary_folder_write(state_folder, "tune-a-gpu-large-30000101-000000.jsonl", "", 0); /* another device's */
    temporary_folder_write(state_folder, "tune-a-gpu-notes.jsonl", "", 0);
    assert_int_equal(tune_place_newest_journal("a-gpu", newest, &error), CLSCAN_OK);
    assert_string_equal(newest, second);
}

static void folders_and_names_of_paths(void **state)
{
    static const struct {
        const char *path, *folder, *name;
    } cases[] = {{"a", ".", "a"}, {"/a", "/", "a"}, {"/a/b", "/a", "b"}, {"a/b/c", "a/b", "c"}};
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char found[TUNE_PATH_BYTES];

        tune_place_folder(cases[i].path, found);
        assert_string_equal(found, cases[i].folder);
        assert_string_equal(tune_place_name(cases[i].path), cases[i].name);
    }
}

static void trying_to_write_leaves_nothing(void **state)
{
    char *path = temporary_folder_path(folder, "new/config.json"), *below = temporary_folder_path(folder, "file/x");
    struct stat about;
    clscan_error error = {0};
    (void)state;

    assert_int_equal(tune_save_try(path, "--output", &error), CLSCAN_OK);
    assert_int_not_equal(stat(path, &about), 0);
    temporary_folder_write(folder, "file", "text", 4);
    assert_int_equal(tune_save_try(below, "--output", &error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(error.message, "file"));
    assert_non_null(strstr(error.message, "--output"));
    free(path);
    free(below);
}

/* ---- Targets ---- */

static clscan_status make(const char *words, tune_header *header, clscan_error *error)
{
    const tune_settings settings = settings_of(words);

    *header = (tune_header){.device = synthetic_gpu.info};
    return tune_targets_make(&settings, header, error);
}

static void types_and_classes_become_targets(void **state)
{
    static const struct {
        const char *words, *targets;
    } cases[] = {
        {"--types int32", "4-byte builtin by add, 4-byte custom by custom, "},
        {"--types int32 --classes builtin", "4-byte builtin by add, "},
        {"--types int32 --classes native,builtin", "4-byte native by add, 4-byte builtin by mul, "},
        {"--types int32,float --classes builtin", "4-byte native by add, 4-byte builtin by add, "},
        {"--types int64,double --classes custom", "8-byte custom by custom, "},
        {"--types int16,float --output-type double --classes builtin",
         "2-byte builtin, 8-byte sums by add, 4-byte builtin, 8-byte sums by add, "},
        {"--output-type int32 --classes custom --operation reduce",
         "1-byte custom reduce, 4-byte sums by custom, 2-byte custom reduce, 4-byte sums by custom, "},
        {"--output-type int64 --quick", "4-byte builtin, 8-byte sums by add, "},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[256] = "", name[TUNE_TARGET_NAME_BYTES];
        clscan_error error = {0};
        tune_header header;

        if (make(cases[i].words, &header, &error) != CLSCAN_OK)
            fail_msg("%s: %s", cases[i].words, error.message);
        for (size_t at = 0; at < header.target_count; ++at) {
            const size_t used = strlen(text);

            tune_target_name(&header.targets[at].target, name);
            snprintf(text + used, sizeof text - used, "%s by %s, ", name,
                     clscan_operator_name(header.targets[at].target.op));
        }
        assert_string_equal(text, cases[i].targets);
        tune_header_free(&header);
    }
}

static void impossible_targets_are_refused(void **state)
{
    static const struct {
        const char *words, *culprit;
        clscan_status status;
    } cases[] = {
        {"--types int32,uint32", "uint32", CLSCAN_ERROR_INVALID_VALUE},
        {"--types int64 --classes native", "--classes", CLSCAN_ERROR_INVALID_VALUE},
        {"--types int32,float --output-type double", "4-byte builtin, 8-byte sums", CLSCAN_ERROR_INVALID_VALUE},
        {"--types int64 --operation scan_by_key --sizes 2^23,2^24", "from 8388608 elements",
         CLSCAN_ERROR_INVALID_VALUE},
        {"--quick --output-type int16", "--output-type", CLSCAN_ERROR_INVALID_VALUE},
        {"--types int8 --sizes 2^60", "1152921504606846976", CLSCAN_ERROR_DEVICE_LIMIT},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_error error = {0};
        tune_header header;

        assert_int_equal(make(cases[i].words, &header, &error), cases[i].status);
        assert_non_null(strstr(error.message, cases[i].culprit));
        tune_header_free(&header);
    }
}

/* Large scans by key take other entries. */
static void sizes_that_entries_do_not_serve_are_left_out(void **state)
{
    clscan_error error = {0};
    tune_header header;
    (void)state;

    assert_int_equal(make("--types int64 --operation scan_by_key --classes builtin --sizes 2^20,2^23", &header, &error),
                     CLSCAN_OK);
    assert_int_equal(header.target_count, 1);
    assert_int_equal(header.targets[0].count_count, 1);
    assert_int_equal(header.targets[0].counts[0], 1 << 20);
    tune_header_free(&header);
}

/* A sum of int32 may stand for all built-in operators: type and operator alone do not say what a target is. */
static void a_header_keeps_its_targets(void **state)
{
    clscan_error error = {0};
    tune_header header, read = {0};
    json_t *object;
    (void)state;

    assert_int_equal(make("", &header, &error), CLSCAN_OK);
    object = tune_header_to_json(&header);
    assert_non_null(object);
    assert_int_equal(tune_header_from_json(object, &read, &error), CLSCAN_OK);
    assert_int_equal(read.target_count, header.target_count);
    for (size_t i = 0; i < read.target_count; ++i)
        assert_true(tune_target_equal(&read.targets[i].target, &header.targets[i].target));
    assert_int_equal(tune_header_matches(&header, &read, &error), CLSCAN_OK);
    json_decref(object);
    tune_header_free(&header);
    tune_header_free(&read);
}

static void a_trial_keeps_its_target(void **state)
{
    tune_trial trial = {.target = tune_target_of(CLSCAN_INT32, CLSCAN_ADD), .count = 5}, read;
    clscan_error error = {0};
    json_t *object;
    (void)state;

    trial.variant =
        (clscan_variant){.carry = CLSCAN_CARRY_SINGLE, .work_group_size = 1, .vector_length = 1, .register_pieces = 1};
    trial.target.operator_class = CLSCAN_OPERATOR_CLASS_BUILTIN;
    object = tune_trial_to_json(&trial);
    if (tune_trial_from_json(object, &read, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    assert_true(tune_target_equal(&read.target, &trial.target));
    json_decref(object);
}

static void sums_of_another_type_are_another_target(void **state)
{
    tune_trial trial = {.target = tune_target_of(CLSCAN_INT32, CLSCAN_ADD), .count = 5}, read;
    const tune_target plain = trial.target;
    clscan_error error = {0};
    json_t *object;
    (void)state;

    trial.variant =
        (clscan_variant){.carry = CLSCAN_CARRY_SINGLE, .work_group_size = 1, .vector_length = 1, .register_pieces = 1};
    tune_target_set_output(&trial.target, CLSCAN_INT64);
    assert_int_equal(trial.target.operator_class, CLSCAN_OPERATOR_CLASS_BUILTIN);
    assert_false(tune_target_equal(&trial.target, &plain));
    assert_false(tune_target_same_problem(&trial.target, &plain));
    object = tune_trial_to_json(&trial);
    if (tune_trial_from_json(object, &read, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    assert_true(tune_target_equal(&read.target, &trial.target));
    assert_true(tune_target_same_problem(&read.target, &trial.target));
    json_object_set_new(object, "output_type", json_string("int16"));
    assert_int_equal(tune_trial_from_json(object, &read, &error), CLSCAN_ERROR_CONFIG_SCHEMA);
    assert_non_null(strstr(error.message, "output_type"));
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_options_everything_has_a_value),
        cmocka_unit_test(reproducible_plans_are_of_floating_point_numbers),
        cmocka_unit_test(scans_are_tuned_unless_operations_are_named),
        cmocka_unit_test(a_log_is_searched_as_it_was_made),
        cmocka_unit_test(sizes_are_an_ascending_ladder),
        cmocka_unit_test(durations_have_units),
        cmocka_unit_test(journals_do_not_share_a_name),
        cmocka_unit_test(folders_and_names_of_paths),
        cmocka_unit_test(trying_to_write_leaves_nothing),
        cmocka_unit_test(types_and_classes_become_targets),
        cmocka_unit_test(impossible_targets_are_refused),
        cmocka_unit_test(sizes_that_entries_do_not_serve_are_left_out),
        cmocka_unit_test(a_header_keeps_its_targets),
        cmocka_unit_test(a_trial_keeps_its_target),
        cmocka_unit_test(sums_of_another_type_are_another_target),
        cmocka_unit_test(wrong_command_lines_are_refused), /* gives stderr away */
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
