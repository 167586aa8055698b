/* Plans that measure at first use: the winner serves, is kept, and is not measured again; nothing can go wrong. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "common/clock.h"
#include "live.h"
#include "temporary_folder.h"

enum { MAX_COUNT = 100003, BOUND_MS = 30000, FILE_BYTES = 4096 };

static char *home;

static int open_home(void **state)
{
    (void)state;
    home = temporary_folder_create();
    setenv("XDG_CONFIG_HOME", home, 1);
    return 0;
}

static int close_home(void **state)
{
    (void)state;
    unsetenv("XDG_CONFIG_HOME");
    temporary_folder_remove(home);
    return 0;
}

/* Files are looked at once a millisecond. */
static void let_it_be_seen(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

/* The choice for the largest count of a plan, which must scan right. */
static clscan_choice plan_with(const test_live *live, clscan_type type, clscan_operator op, int64_t measure_ms)
{
    const clscan_problem problem = test_problem(type, op, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, MAX_COUNT);
    const clscan_plan_options options = {.struct_size = sizeof options, .measure_ms = measure_ms};
    const clscan_case whole = {.count = MAX_COUNT, .generator = CLSCAN_GENERATE_MOSTLY_ZERO, .seed = 1};
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan_case_fixture fixture;

    test_prepare(live, &problem, NULL, &options, &fixture);
    assert_int_equal(clscan_plan_explain(fixture.plan, MAX_COUNT, 0, &choice, NULL), CLSCAN_OK);
    assert_int_equal(test_case(&fixture, &whole), 0);
    clscan_case_release(&fixture);
    return choice;
}

static int is_measured(const clscan_choice *choice)
{
    return strstr(choice->source, ".measured.json") != NULL && strstr(choice->reason, "measured") != NULL;
}

static void read_text(const char *path, char text[FILE_BYTES])
{
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    memset(text, 0, FILE_BYTES);
    assert_true(fread(text, 1, FILE_BYTES - 1, file) > 0);
    fclose(file);
}

static void the_winner_serves_and_is_kept(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, MAX_COUNT);
    const clscan_choice first = plan_with(live, CLSCAN_INT32, CLSCAN_ADD, BOUND_MS);
    clscan_choice later = {.struct_size = sizeof later};
    struct stat before, after;

    assert_true(is_measured(&first));
    assert_true(first.largest_count >= MAX_COUNT);
    assert_non_null(strstr(first.reason, "measured now"));
    assert_int_equal(stat(first.source, &before), 0);
    later = plan_with(live, CLSCAN_INT32, CLSCAN_ADD, BOUND_MS);
    assert_int_equal(stat(first.source, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino); /* each writing makes a new file */
    assert_memory_equal(&first.variant, &later.variant, sizeof first.variant);
    assert_null(strstr(later.reason, "measured now"));
    later = plan_with(live, CLSCAN_INT32, CLSCAN_ADD, 0);
    assert_true(is_measured(&later));
    assert_int_equal(clscan_config_explain(NULL, &live->info, &problem, MAX_COUNT / 4, 0, &later, NULL), CLSCAN_OK);
    assert_false(is_measured(&later)); /* it speaks for counts like its own */
}

/* What stands under DEVICE.json was made with a driver that is no more. */
static void an_older_config_does_not_hide_the_winner(void **state)
{
    const test_live *live = *state;
    const clscan_choice first = plan_with(live, CLSCAN_INT32, CLSCAN_ADD, BOUND_MS);
    clscan_choice choice = {.struct_size = sizeof choice};
    char name[96], text[FILE_BYTES], *driver;
    struct stat before, after;

    read_text(first.source, text);
    driver = strstr(text, live->info.driver_version);
    assert_non_null(driver);
    driver[0] ^= 1;
    snprintf(name, sizeof name, "clscan/%s.json", live->info.key);
    temporary_folder_write(home, name, text, strlen(text));
    assert_int_equal(unlink(first.source), 0);
    let_it_be_seen();
    assert_null(strstr(plan_with(live, CLSCAN_INT32, CLSCAN_ADD, 0).source, ".measured.json"));
    choice = plan_with(live, CLSCAN_INT32, CLSCAN_ADD, BOUND_MS);
    assert_true(is_measured(&choice));
    assert_int_equal(stat(choice.source, &before), 0);
    let_it_be_seen();
    choice = plan_with(live, CLSCAN_INT32, CLSCAN_ADD, BOUND_MS);
    assert_int_equal(stat(choice.source, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    choice = plan_with(live, CLSCAN_INT32, CLSCAN_ADD, 0);
    assert_true(is_measured(&choice));
}

/* Its entry says that 1 ms was too little for all candidates. */
static void what_had_too_little_time_is_measured_anew(void **state)
{
    const test_live *live = *state;
    const clscan_choice first = plan_with(live, CLSCAN_INT32, CLSCAN_ADD, BOUND_MS);
    char text[FILE_BYTES], *entry;
    struct stat before, after;
    FILE *file;

    read_text(first.source, text);
    entry = strstr(text, "\"reproducible\"");
    assert_non_null(entry);
    if (strstr(text, "\"unfinished_ms\"") != NULL) /* on a slow machine it says so already */
        *strstr(text, "\"unfinished_ms\"") = '\0';
    file = fopen(first.source, "w");
    assert_non_null(file);
    fprintf(file, "%.*s\"unfinished_ms\": 1, %s", (int)(entry - text), text, entry);
    fclose(file);
    let_it_be_seen();
    assert_int_equal(stat(first.source, &before), 0);
    plan_with(live, CLSCAN_INT32, CLSCAN_ADD, 1);
    assert_int_equal(stat(first.source, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    plan_with(live, CLSCAN_INT32, CLSCAN_ADD, BOUND_MS);
    assert_int_equal(stat(first.source, &after), 0);
    assert_int_not_equal(before.st_ino, after.st_ino);
}

/* An operator that takes long, so that one scan takes longer than the bound. A part of the elements foretells it, and
 * making a plan of programs that are there takes less time than that scan. */
static void a_scan_that_takes_longer_is_not_run(void **state)
{
    enum { COUNT = 40000 };
    const test_live *live = *state;
    const clscan_custom_operator slow = {.struct_size = sizeof slow,
                                         .function = "slow_add",
                                         .source = "int slow_add(int a, int b)\n"
                                                   "{\n"
                                                   "    uint x = (uint)a;\n"
                                                   "    for (uint i = 0; i < 4000; ++i)\n"
                                                   "        x = (x ^ x >> 7) * 1664525u + (uint)b;\n"
                                                   "    return a + b + (int)(x == 7u);\n"
                                                   "}\n",
                                         .identity = "0"};
    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_CUSTOM, .custom = &slow, .max_count = COUNT};
    const clscan_plan_options options = {.struct_size = sizeof options, .measure_ms = 100};
    clscan_case_fixture fixture;
    clscan_choice choice = {.struct_size = sizeof choice};
    cl_mem buffer = clCreateBuffer(live->context, CL_MEM_READ_WRITE, COUNT * sizeof(cl_int), NULL, NULL);
    const clscan_run_args args = {
        .struct_size = sizeof args, .in.buffer = buffer, .out.buffer = buffer, .count = COUNT};
    const cl_int zero = 0;
    clscan_plan *again = NULL;
    uint64_t begin_ns, made_ns, ran_ns;

    assert_non_null(buffer);
    test_prepare(live, &problem, NULL, &options, &fixture);
    assert_cl(clEnqueueFillBuffer(live->queue, buffer, &zero, sizeof zero, 0, COUNT * sizeof zero, 0, NULL, NULL));
    assert_cl(clFinish(live->queue));
    begin_ns = clscan__now_ns();
    assert_int_equal(clscan_plan_create(live->context, live->device, &problem, &options, &again, NULL), CLSCAN_OK);
    made_ns = clscan__now_ns();
    assert_int_equal(clscan_run(fixture.plan, fixture.workspace, live->queue, &args, 0, NULL, NULL, NULL), CLSCAN_OK);
    assert_cl(clFinish(live->queue));
    ran_ns = clscan__now_ns();
    assert_int_equal(clscan_plan_explain(fixture.plan, COUNT, 0, &choice, NULL), CLSCAN_OK);
    assert_false(is_measured(&choice));
    assert_true(made_ns - begin_ns < ran_ns - made_ns);
    clscan_plan_destroy(again);
    clscan_case_release(&fixture);
    clReleaseMemObject(buffer);
}

static void nothing_is_measured_unless_asked_for(void **state)
{
    const test_live *live = *state;
    const clscan_choice choice = plan_with(live, CLSCAN_INT32, CLSCAN_ADD, 0);

    assert_false(is_measured(&choice));
}

static void by_the_environment(void **state)
{
    const test_live *live = *state;
    clscan_choice choice;

    setenv("CLSCAN_MEASURE", "30s", 1);
    choice = plan_with(live, CLSCAN_FLOAT, CLSCAN_MUL, 0);
    unsetenv("CLSCAN_MEASURE");
    assert_true(is_measured(&choice));
}

/* How often something was measured, by the log. */
static void count_measured(clscan_log_level level, const char *text, void *count)
{
    (void)level;
    if (strncmp(text, "measured at first use", strlen("measured at first use")) == 0)
        atomic_fetch_add((atomic_int *)count, 1);
}

/* A file stands where the folder should be: the process keeps the winner. */
static void without_a_folder_the_plan_is_as_good(void **state)
{
    const test_live *live = *state;
    clscan_choice first = {.struct_size = sizeof first}, second = {.struct_size = sizeof second};
    atomic_int measured = 0;

    temporary_folder_write(home, "clscan", "", 0);
    clscan_log_set(CLSCAN_LOG_INFO, count_measured, &measured);
    first = plan_with(live, CLSCAN_INT32, CLSCAN_ADD, BOUND_MS);
    second = plan_with(live, CLSCAN_INT32, CLSCAN_ADD, BOUND_MS);
    clscan_log_set(CLSCAN_LOG_WARNING, NULL, NULL);
    assert_int_equal(measured, 1);
    assert_non_null(strstr(first.source, "not kept"));
    assert_non_null(strstr(first.reason, "measured"));
    assert_string_equal(first.source, second.source);
    assert_memory_equal(&first.variant, &second.variant, sizeof first.variant);
}

enum { THREADS = 3 };

static void *plan_in_thread(void *live)
{
    const clscan_choice choice = plan_with(live, CLSCAN_INT32, CLSCAN_ADD, BOUND_MS);

    return is_measured(&choice) ? live : NULL;
}

/* One measures, and the others find what it has found. */
static void several_at_once_measure_once(void **state)
{
    test_live *live = *state;
    pthread_t threads[THREADS];
    atomic_int measured = 0;

    clscan_log_set(CLSCAN_LOG_INFO, count_measured, &measured);
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, plan_in_thread, live), 0);
    for (int i = 0; i < THREADS; ++i) {
        void *found;

        assert_int_equal(pthread_join(threads[i], &found), 0);
        assert_non_null(found);
    }
    clscan_log_set(CLSCAN_LOG_WARNING, NULL, NULL);
    assert_int_equal(measured, 1);
}

static void impossible_times_are_refused(void **state)
{
    static const int64_t wrong[] = {-1, INT64_MIN, 86400001, INT64_MAX};
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MAX_COUNT);

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        const clscan_plan_options options = {.struct_size = sizeof options, .measure_ms = wrong[i]};
        clscan_plan *plan = NULL;
        clscan_error error;

        assert_int_equal(clscan_plan_create(live->context, live->device, &problem, &options, &plan, &error),
                         CLSCAN_ERROR_INVALID_VALUE);
        assert_non_null(strstr(error.message, "measure_ms"));
        assert_non_null(strstr(error.message, "86400000"));
        assert_null(plan);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_home, close_home)
    const struct CMUnitTest tests[] = {
        TEST(the_winner_serves_and_is_kept),
        TEST(an_older_config_does_not_hide_the_winner),
        TEST(what_had_too_little_time_is_measured_anew),
        TEST(a_scan_that_takes_longer_is_not_run),
        TEST(nothing_is_measured_unless_asked_for),
        TEST(by_the_environment),
        TEST(without_a_folder_the_plan_is_as_good),
        TEST(several_at_once_measure_once),
        TEST(impossible_times_are_refused),
    };
#undef TEST
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
