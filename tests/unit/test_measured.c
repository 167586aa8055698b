/* What plans measure at first use, without a device: time bounds, and the file that keeps it. */
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cmocka_all.h"
#include "config/config.h"
#include "temporary_folder.h"
#include "timing/kept.h"
#include "timing/settings.h"

static clscan_device_info device = {.struct_size = sizeof device,
                                    .key = "imagined-gpu",
                                    .name = "Imagined GPU",
                                    .driver_version = "1.2",
                                    .max_work_group_size = 256,
                                    .local_memory_bytes = 32768};

static void time_bounds_are_times(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "5", "0s", "0ms", "-5s", "5 s", "5m", "s", "99999999999s", "1e3s", "on"};
    uint64_t bound_ns = 1;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        assert_false(clscan__measure_bound_parse(wrong[i], &bound_ns));
    assert_int_equal(bound_ns, 1);
    assert_true(clscan__measure_bound_parse("5s", &bound_ns));
    assert_int_equal(bound_ns, UINT64_C(5000000000));
    assert_true(clscan__measure_bound_parse("500ms", &bound_ns));
    assert_int_equal(bound_ns, 500000000);
    assert_true(clscan__measure_bound_parse("off", &bound_ns));
    assert_int_equal(bound_ns, 0);
}

static void options_come_before_the_environment(void **state)
{
    (void)state;
    setenv("CLSCAN_MEASURE", "2s", 1);
    assert_int_equal(clscan__measure_bound_ns(0), UINT64_C(2000000000));
    assert_int_equal(clscan__measure_bound_ns(7), 7000000);
    setenv("CLSCAN_MEASURE", "-2s", 1);
    assert_int_equal(clscan__measure_bound_ns(0), 0);
    unsetenv("CLSCAN_MEASURE");
    assert_int_equal(clscan__measure_bound_ns(0), 0);
}

/* ---- The file ---- */

static char *home, *path;

static int open_home(void **state)
{
    (void)state;
    home = temporary_folder_create();
    path = temporary_folder_path(home, "clscan/imagined-gpu.measured.json");
    setenv("XDG_CONFIG_HOME", home, 1);
    snprintf(device.driver_version, sizeof device.driver_version, "1.2");
    return 0;
}

static int close_home(void **state)
{
    (void)state;
    unsetenv("XDG_CONFIG_HOME");
    free(path);
    temporary_folder_remove(home);
    return 0;
}

static clscan__config_entry entry_for(uint64_t smallest, uint64_t largest, uint32_t work_group_size)
{
    return (clscan__config_entry){.key = {.element_size_bytes = 4},
                                  .smallest_count = smallest,
                                  .largest_count = largest,
                                  .variant = {.carry = CLSCAN_CARRY_SINGLE,
                                              .work_group_size = work_group_size,
                                              .vector_length = 1,
                                              .register_pieces = 1}};
}

/* `source`: what the config's begins with. */
static void keep_as(uint64_t smallest, uint64_t largest, uint32_t work_group_size, const char *source)
{
    const clscan__config_entry entry = entry_for(smallest, largest, work_group_size);
    clscan__measured_file file;
    clscan_config *config = NULL;
    bool mine;

    clscan__measured_open(&file, &device, 0, &mine);
    assert_true(mine);
    assert_int_equal(clscan__measured_keep(&file, &device, &entry, &config, NULL), CLSCAN_OK);
    assert_non_null(config);
    assert_memory_equal(config->source, source, strlen(source));
    clscan_config_destroy(config);
    clscan__measured_close(&file);
}

static void keep(uint64_t smallest, uint64_t largest, uint32_t work_group_size)
{
    keep_as(smallest, largest, work_group_size, path);
}

static clscan__document read_file(const char *name)
{
    clscan__document document;
    char *text;
    size_t size_bytes;

    assert_int_equal(clscan__file_read(name, 1 << 20, CLSCAN_ERROR_FILE, &text, &size_bytes, NULL), CLSCAN_OK);
    assert_int_equal(clscan__document_read(text, size_bytes, name, &document, NULL), CLSCAN_OK);
    free(text);
    return document;
}

static void entries_make_room_for_later_ones(void **state)
{
    (void)state;
    static const struct {
        uint64_t smallest, largest;
        uint32_t work_group_size;
    } expected[] = {{501, 749, 64}, {750, 3000, 128}, {3001, 8000, 256}};
    clscan__document kept;

    keep(501, 2000, 64);
    keep(2001, 8000, 256);
    keep(1000, 1500, 32); /* inside, and then covered */
    keep(750, 3000, 128);
    kept = read_file(path);
    assert_int_equal(kept.provenance.origin, CLSCAN__ORIGIN_MEASURED);
    assert_string_equal(kept.match, "imagined-gpu");
    assert_int_equal(kept.entry_count, 3);
    for (size_t i = 0; i < 3; ++i) {
        assert_int_equal(kept.entries[i].smallest_count, expected[i].smallest);
        assert_int_equal(kept.entries[i].largest_count, expected[i].largest);
        assert_int_equal(kept.entries[i].variant.work_group_size, expected[i].work_group_size);
    }
    clscan__document_free(&kept);
}

/* Files that may not grow stand for a folder that is full. */
static void a_full_folder_keeps_what_it_had(void **state)
{
    (void)state;
    char *folder = temporary_folder_path(home, "clscan"), **found;
    struct rlimit before, small;
    clscan__document kept;
    size_t count;

    keep(501, 2000, 64);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 100, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    keep_as(5001, 20000, 128, "measured now, not kept"); /* the plan has its entry */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    kept = read_file(path);
    assert_int_equal(kept.entry_count, 1);
    assert_int_equal(kept.entries[0].variant.work_group_size, 64);
    clscan__document_free(&kept);
    assert_int_equal(clscan__folder_list(folder, "", &found, &count, NULL), CLSCAN_OK);
    assert_int_equal(count, 4); /* the file, its lock, . and .. */
    while (count > 0)
        free(found[--count]);
    free(found);
    free(folder);
}

static void set_driver(const char *version)
{
    snprintf(device.driver_version, sizeof device.driver_version, "%s", version);
}

static void open_and_close(void)
{
    clscan__measured_file file;
    bool mine;

    clscan__measured_open(&file, &device, 0, &mine);
    assert_true(mine);
    clscan__measured_close(&file);
}

/* What is put aside of drivers that look like "1.3-beta", which is one's. */
static clscan__document read_aside(void)
{
    char *pattern = temporary_folder_path(home, "clscan/imagined-gpu.measured.json.Imagined-GPU.1.3-beta.*.old");
    glob_t found;
    clscan__document kept;

    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    kept = read_file(found.gl_pathv[0]);
    globfree(&found);
    free(pattern);
    return kept;
}

/* The file is the present driver's, and nothing of others is lost, even if they look the same in a file's name. */
static void entries_of_another_driver_come_back_with_it(void **state)
{
    (void)state;
    clscan__document kept;

    keep(501, 2000, 64);
    set_driver("1.3 beta");
    open_and_close(); /* as long as nothing is measured, what there is serves */
    kept = read_file(path);
    assert_string_equal(kept.provenance.driver, "1.2");
    clscan__document_free(&kept);
    keep(5001, 20000, 128);
    set_driver("1.3+beta");
    keep(5001, 20000, 256);
    kept = read_file(path);
    assert_int_equal(kept.entry_count, 1);
    assert_string_equal(kept.provenance.driver, "1.3+beta");
    clscan__document_free(&kept);
    kept = read_aside();
    assert_int_equal(kept.entries[0].variant.work_group_size, 128);
    clscan__document_free(&kept);

    set_driver("1.2");
    open_and_close();
    kept = read_file(path);
    assert_int_equal(kept.entries[0].variant.work_group_size, 64);
    clscan__document_free(&kept);
    set_driver("1.3 beta");
    keep(50001, 200000, 512);
    kept = read_file(path);
    assert_int_equal(kept.entry_count, 2);
    assert_int_equal(kept.entries[0].variant.work_group_size, 128);
    clscan__document_free(&kept);
    kept = read_aside();
    assert_int_equal(kept.entries[0].variant.work_group_size, 256);
    clscan__document_free(&kept);
}

static void a_file_that_is_no_config_is_put_aside(void **state)
{
    (void)state;
    char *aside = temporary_folder_path(home, "clscan/imagined-gpu.measured.json.old");
    clscan__document kept;
    FILE *file;

    keep(501, 2000, 64);
    file = fopen(path, "w");
    fputs("{", file);
    fclose(file);
    keep(501, 2000, 128);
    kept = read_file(path);
    assert_int_equal(kept.entries[0].variant.work_group_size, 128);
    clscan__document_free(&kept);
    assert_int_equal(access(aside, F_OK), 0);
    free(aside);
}

static uint32_t chosen(uint64_t count, clscan_choice *choice)
{
    static const clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_INT32, .max_count = 1};

    assert_int_equal(clscan_config_explain(NULL, &device, &problem, count, 0, choice, NULL), CLSCAN_OK);
    return choice->variant.work_group_size;
}

/* A file where the folder should be: no one may write there, the superuser included. The process keeps the entries, and
 * writes them when it can. */
static void without_a_folder_the_process_keeps_the_entries(void **state)
{
    (void)state;
    char *blocked = temporary_folder_path(home, "clscan");
    FILE *file = fopen(blocked, "w");
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan__document kept;

    fclose(file);
    keep_as(501, 2000, 64, "measured now, not kept");
    keep_as(5001, 20000, 128, "measured now, not kept");
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(chosen(1000, &choice), 64);
    assert_non_null(strstr(choice.source, "measured now, not kept"));
    assert_non_null(strstr(choice.source, blocked));
    assert_int_equal(chosen(10000, &choice), 128);
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    chosen(1000, &choice);
    assert_null(strstr(choice.source, "measured now")); /* of that folder only */
    setenv("XDG_CONFIG_HOME", home, 1);

    assert_int_equal(unlink(blocked), 0);
    keep_as(50001, 200000, 256, path);
    kept = read_file(path);
    assert_int_equal(kept.entry_count, 3);
    clscan__document_free(&kept);
    assert_int_equal(chosen(1000, &choice), 64);
    assert_string_equal(choice.source, path);
    free(blocked);
}

static void *keep_in_thread(void *unused)
{
    keep(501, 2000, 64);
    return unused;
}

/* However short it wants to wait. */
static void another_thread_is_waited_for(void **state)
{
    (void)state;
    clscan__measured_file file;
    pthread_t other;
    bool mine;

    clscan__measured_open(&file, &device, 0, &mine);
    assert_true(mine);
    assert_int_equal(pthread_create(&other, NULL, keep_in_thread, NULL), 0);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    assert_int_not_equal(access(path, F_OK), 0);
    clscan__measured_close(&file);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_int_equal(access(path, F_OK), 0);
}

static void another_process_is_waited_for_no_longer_than_asked(void **state)
{
    (void)state;
    clscan__measured_file file;
    int held[2], done[2], child_status;
    char byte = 0;
    bool mine;

    assert_int_equal(pipe(held) | pipe(done), 0);
    const pid_t child = fork();
    if (child == 0) {
        clscan__measured_open(&file, &device, 0, &mine);
        if (write(held[1], &byte, 1) != 1 || read(done[0], &byte, 1) != 1)
            _exit(1);
        _exit(mine ? 0 : 1);
    }
    assert_int_equal(read(held[0], &byte, 1), 1);
    clscan__measured_open(&file, &device, 20000000, &mine);
    assert_false(mine);
    assert_int_equal(write(done[1], &byte, 1), 1);
    assert_int_equal(waitpid(child, &child_status, 0), child);
    assert_int_equal(child_status, 0);
    clscan__measured_open(&file, &device, 0, &mine); /* a lock ends with its process */
    assert_true(mine);
    clscan__measured_close(&file);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_home, close_home)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_bounds_are_times),
        cmocka_unit_test(options_come_before_the_environment),
        TEST(entries_make_room_for_later_ones),
        TEST(a_full_folder_keeps_what_it_had),
        TEST(entries_of_another_driver_come_back_with_it),
        TEST(a_file_that_is_no_config_is_put_aside),
        TEST(without_a_folder_the_process_keeps_the_entries),
        TEST(another_thread_is_waited_for),
        TEST(another_process_is_waited_for_no_longer_than_asked),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
