/* Config files as the tuner writes them: stable, merged, checked, and never half there. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "output/config.h"
#include "problem_of.h"
#include "temporary_folder.h"

static clscan_error last_error;

static clscan__config_entry entry_of(clscan_operator_class operator_class, uint32_t size_bytes, uint64_t largest_count,
                                     uint32_t work_group_size)
{
    clscan__config_entry entry = {.key = {.operator_class = operator_class, .element_size_bytes = size_bytes},
                                  .largest_count = largest_count,
                                  .revision = "0123456789abcdef"};

    entry.variant = (clscan_variant){.body = CLSCAN_BODY_COALESCED,
                                     .carry = CLSCAN_CARRY_ADJACENT,
                                     .order = CLSCAN_ORDER_DYNAMIC,
                                     .work_group_size = work_group_size,
                                     .vector_length = 2,
                                     .register_pieces = 1,
                                     .local_pieces = 1,
                                     .thread_group_size = 16,
                                     .tiles_per_work_group = 2,
                                     .poll_delay = 4};
    return entry;
}

static void add(clscan__document *entries, clscan_operator_class operator_class, uint32_t size_bytes,
                uint64_t largest_count, uint32_t work_group_size)
{
    const clscan__config_entry entry = entry_of(operator_class, size_bytes, largest_count, work_group_size);

    assert_int_equal(clscan__document_add(entries, &entry, &last_error), CLSCAN_OK);
}

/* Not in order, and with all that provenance has. */
static clscan__document sample(void)
{
    clscan__document entries = {.match = "imagined-gpu",
                                .provenance = {.origin = CLSCAN__ORIGIN_TUNED,
                                               .date = "2026-11-21",
                                               .device = "A \"GPU\" \\ of many",
                                               .driver = "1.2",
                                               .platform = "P",
                                               .clscan_version = "0.1.0",
                                               .copy_gb_per_s = 4203.5,
                                               .noise_percent = 0.4,
                                               .journal = "imagined-gpu.jsonl"}};

    add(&entries, CLSCAN_OPERATOR_CLASS_BUILTIN, 8, UINT64_MAX, 128);
    add(&entries, CLSCAN_OPERATOR_CLASS_NATIVE, 4, UINT64_MAX, 256);
    add(&entries, CLSCAN_OPERATOR_CLASS_NATIVE, 4, 4096, 64);
    return entries;
}

static char *read_file(void)
{
    FILE *file = fopen(temporary_file.path, "rb");
    char *text = calloc(1, 65536);

    assert_non_null(file);
    assert_true(fread(text, 1, 65535, file) > 0);
    fclose(file);
    return text;
}

static void write_ok(clscan__document *entries)
{
    clscan__document_sort(entries);
    if (tune_config_write(temporary_file.path, entries, &last_error) != CLSCAN_OK)
        fail_msg("%s", last_error.message);
}

static void what_is_written_is_read_in_order(void **state)
{
    clscan__document written = sample(), read = {.match = ""};

    (void)state;
    write_ok(&written);
    assert_int_equal(tune_config_read(temporary_file.path, &read, &last_error), CLSCAN_OK);
    assert_string_equal(read.match, written.match);
    assert_int_equal(read.provenance.origin, CLSCAN__ORIGIN_TUNED);
    assert_string_equal(read.provenance.date, "2026-11-21");
    assert_string_equal(read.provenance.device, written.provenance.device);
    assert_string_equal(read.provenance.driver, "1.2");
    assert_string_equal(read.provenance.platform, "P");
    assert_string_equal(read.provenance.clscan_version, "0.1.0");
    assert_float_equal(read.provenance.copy_gb_per_s, 4203.5, 0);
    assert_float_equal(read.provenance.noise_percent, 0.4, 0);
    assert_string_equal(read.provenance.journal, "imagined-gpu.jsonl");
    assert_null(read.provenance.note);
    assert_int_equal(read.entry_count, 3);
    assert_memory_equal(read.entries, written.entries, 3 * sizeof *read.entries);
    assert_int_equal(read.entries[0].key.operator_class, CLSCAN_OPERATOR_CLASS_NATIVE);
    assert_int_equal(read.entries[0].largest_count, 4096);
    assert_int_equal(read.entries[2].key.element_size_bytes, 8);
    clscan__document_free(&read);
    clscan__document_free(&written);
}

/* The same entries are the same bytes, whatever order they came in; one change is one changed line or two. */
static void a_diff_shows_what_changed(void **state)
{
    clscan__document first = sample(), second = sample();
    clscan__config_entry swapped = second.entries[0];
    char *before, *after;
    unsigned different = 0;

    (void)state;
    second.entries[0] = second.entries[2];
    second.entries[2] = swapped;
    write_ok(&first);
    before = read_file();
    write_ok(&second);
    after = read_file();
    assert_string_equal(before, after);
    free(after);
    second.entries[1].variant.register_pieces = 3;
    write_ok(&second);
    after = read_file();
    for (char *a = before, *b = after; *a != '\0' && *b != '\0'; a += strcspn(a, "\n") + 1, b += strcspn(b, "\n") + 1)
        different += strncmp(a, b, strcspn(a, "\n") + 1) != 0;
    assert_int_equal(different, 1);
    free(before);
    free(after);
    clscan__document_free(&first);
    clscan__document_free(&second);
}

static void the_runtime_chooses_what_was_written(void **state)
{
    clscan__document entries = sample();
    clscan_config *config;
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan_device_info device = {.struct_size = sizeof device,
                                 .max_work_group_size = 1024,
                                 .local_memory_bytes = 49152,
                                 .compute_units = 4,
                                 .key = "imagined-gpu",
                                 .generic = "generic-gpu",
                                 .mechanism = CLSCAN_MECHANISM_C11,
                                 .progress = CLSCAN_PROGRESS_OCCUPANCY};

    (void)state;
    snprintf(device.name, sizeof device.name, "%s", entries.provenance.device); /* elsewhere no revision is handed on */
    write_ok(&entries);
    assert_int_equal(clscan_config_load(temporary_file.path, &config, &last_error), CLSCAN_OK);
    assert_int_equal(
        clscan_config_explain(config, &device, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 4000, 0, &choice, &last_error),
        CLSCAN_OK);
    assert_int_equal(choice.variant.work_group_size, 64);
    assert_string_equal(choice.source, temporary_file.path);
    assert_string_equal(choice.revision, "0123456789abcdef");
    assert_int_equal(
        clscan_config_explain(config, &device, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 5000, 0, &choice, &last_error),
        CLSCAN_OK);
    assert_int_equal(choice.variant.work_group_size, 256);
    clscan_config_destroy(config);
    clscan__document_free(&entries);
}

static void merging_keeps_what_was_not_tuned_again(void **state)
{
    clscan__document old = sample(), now = {.match = "imagined-gpu"};

    (void)state;
    add(&now, CLSCAN_OPERATOR_CLASS_NATIVE, 4, UINT64_MAX, 1024);
    assert_int_equal(tune_config_merge(&now, &old, &last_error), CLSCAN_OK);
    assert_int_equal(now.entry_count, 2); /* both old ones of native 4 are gone */
    clscan__document_sort(&now);
    assert_int_equal(now.entries[0].variant.work_group_size, 1024);
    assert_int_equal(now.entries[1].variant.work_group_size, 128);
    assert_non_null(strstr(now.provenance.note, "2026-11-21"));
    clscan__document_free(&now);
    now = (clscan__document){.match = "imagined-gpu"};
    add(&now, CLSCAN_OPERATOR_CLASS_NATIVE, 4, UINT64_MAX, 1024);
    add(&now, CLSCAN_OPERATOR_CLASS_BUILTIN, 8, UINT64_MAX, 1024);
    assert_int_equal(tune_config_merge(&now, &old, &last_error), CLSCAN_OK);
    assert_int_equal(now.entry_count, 2);
    assert_null(now.provenance.note);
    clscan__document_free(&now);
    clscan__document_free(&old);
}

static size_t files_in_folder(void)
{
    char command[1200];
    FILE *list;
    int c;
    size_t lines = 0;

    snprintf(command, sizeof command, "ls -A '%s'", temporary_file.folder);
    list = popen(command, "r");
    while ((c = fgetc(list)) != EOF)
        lines += c == '\n';
    pclose(list);
    return lines;
}

/* What the library would refuse does not take the place of what it accepts. */
static void a_bad_config_is_never_put_in_place(void **state)
{
    clscan__document good = sample(), bad = sample();
    char *before, *after;

    (void)state;
    write_ok(&good);
    before = read_file();
    clscan__document_sort(&bad);
    bad.entries[0].variant.work_group_size = 100;
    assert_int_equal(tune_config_write(temporary_file.path, &bad, &last_error), CLSCAN_ERROR_ILLEGAL_VARIANT);
    clscan__document_free(&bad);
    bad = sample();
    clscan__document_sort(&bad);
    bad.entries[1].largest_count = 5000; /* no entry without limit is left */
    assert_int_equal(tune_config_write(temporary_file.path, &bad, &last_error), CLSCAN_ERROR_CONFIG_SCHEMA);
    after = read_file();
    assert_string_equal(before, after);
    assert_int_equal(files_in_folder(), 1);
    free(before);
    free(after);
    clscan__document_free(&good);
    clscan__document_free(&bad);
}

static void a_full_disk_loses_nothing(void **state)
{
    clscan__document entries = sample();
    struct rlimit limit, before_limit;
    char *before, *after;

    (void)state;
    write_ok(&entries);
    before = read_file();
    getrlimit(RLIMIT_FSIZE, &before_limit);
    limit = before_limit;
    limit.rlim_cur = 500;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    assert_int_equal(tune_config_write(temporary_file.path, &entries, &last_error), CLSCAN_ERROR_FILE);
    setrlimit(RLIMIT_FSIZE, &before_limit);
    assert_non_null(strstr(last_error.message, temporary_file.path));
    after = read_file();
    assert_string_equal(before, after);
    assert_int_equal(files_in_folder(), 1);
    free(before);
    free(after);
    clscan__document_free(&entries);
}

static void places_that_cannot_be_written_are_named(void **state)
{
    clscan__document entries = sample();
    char *inside = temporary_folder_path(temporary_file.folder, "device.json/below.json");

    (void)state;
    write_ok(&entries);
    assert_int_equal(tune_config_write(inside, &entries, &last_error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(last_error.message, temporary_file.path));
    assert_int_equal(tune_config_write(temporary_file.folder, &entries, &last_error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(last_error.message, temporary_file.folder));
    /* The superuser may write everywhere. */
    if (geteuid() != 0) {
        chmod(temporary_file.path, 0444);
        assert_int_equal(tune_config_write(temporary_file.path, &entries, &last_error), CLSCAN_ERROR_FILE);
        chmod(temporary_file.path, 0644);
        chmod(temporary_file.folder, 0555);
        assert_int_equal(tune_config_write(temporary_file.path, &entries, &last_error), CLSCAN_ERROR_FILE);
        chmod(temporary_file.folder, 0755);
    }
    assert_int_equal(files_in_folder(), 1);
    free(inside);
    clscan__document_free(&entries);
}

static void missing_folders_are_made(void **state)
{
    clscan__document entries = sample();
    char *below = temporary_folder_path(temporary_file.folder, "a/b/device.json");

    (void)state;
    clscan__document_sort(&entries);
    assert_int_equal(tune_config_write(below, &entries, &last_error), CLSCAN_OK);
    assert_int_equal(access(below, R_OK), 0);
    free(below);
    clscan__document_free(&entries);
}

int main(void)
{
#define TEST(name) temporary_file_test(name, "device.json")
    const struct CMUnitTest tests[] = {
        TEST(what_is_written_is_read_in_order),        TEST(a_diff_shows_what_changed),
        TEST(the_runtime_chooses_what_was_written),    TEST(merging_keeps_what_was_not_tuned_again),
        TEST(a_bad_config_is_never_put_in_place),      TEST(a_full_disk_loses_nothing),
        TEST(places_that_cannot_be_written_are_named), TEST(missing_folders_are_made),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
