/* Compiled programs shared in memory, kept on disk and saved as blobs, and what a plan tells about its kernels. */
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cache_rig.h"
#include "cmocka_all.h"
#include "live.h"
#include "temporary_folder.h"

enum { LINE_BYTES = 512 };

extern char **environ;
static const char *program_path;
static char **first_environment; /* before any platform was loaded */

/* Make a plan with a workspace, and run it once. */
static void prepare(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                    const clscan_plan_options *options, clscan_case_fixture *fixture)
{
    const clscan_case test = {.count = TEST_SUM_COUNT, .total = 1, .seed = 5};

    test_prepare(live, problem, sample, options, fixture);
    assert_int_equal(test_case(fixture, &test), 0);
}

/* The same, and give all back. */
static void live_through(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                         const clscan_plan_options *options)
{
    clscan_case_fixture fixture;

    prepare(live, problem, sample, options, &fixture);
    clscan_case_release(&fixture);
}

/* ---- Disk ---- */

static void programs_come_back_from_disk(void **state)
{
    const test_live *live = *state;
    clscan_cache_counters change = {.struct_size = sizeof change};
    clscan_cache_info info = {.struct_size = sizeof info};

    live_through(live, &test_sum, NULL, &test_plain);
    change = test_cache_happened();
    assert_int_equal(change.compiled, 1);
    assert_int_equal(change.disk_misses, 1);
    assert_int_equal(change.stored, 1);
    live_through(live, &test_sum, NULL, &test_plain);
    change = test_cache_happened();
    assert_int_equal(change.compiled, 0);
    assert_int_equal(change.disk_hits, 1);
    assert_int_equal(change.stored, 0);
    assert_int_equal(clscan_cache_describe(&info, NULL), CLSCAN_OK);
    assert_string_equal(info.folder, test_cache_folder);
    assert_int_equal(info.entry_count, 1);
    assert_true(info.size_bytes > 0);
    assert_int_equal(clscan_cache_clear(NULL, NULL), CLSCAN_OK);
    live_through(live, &test_sum, NULL, &test_plain);
    assert_int_equal(test_cache_happened().compiled, 1);
}

/* Each of these needs another program than the one before it in the table, and than the first. */
static void other_programs_are_not_taken(void **state)
{
    const test_live *live = *state;
    clscan_variant other = test_small;
    clscan_problem problems[7];
    clscan_plan_options options[7];

    other.vector_length = 4;
    for (size_t i = 0; i < 7; ++i) {
        problems[i] = test_sum;
        options[i] = test_plain;
    }
    problems[1].type = CLSCAN_INT32;
    problems[2].op = CLSCAN_MAX;
    problems[3].form = CLSCAN_EXCLUSIVE;
    problems[4].direction = CLSCAN_REVERSE;
    options[5].variant = &other;
    options[6].count_events = 1;
    for (size_t i = 0; i < 7; ++i) {
        clscan_cache_counters change = {.struct_size = sizeof change};

        live_through(live, &problems[i], NULL, &options[i]);
        change = test_cache_happened();
        if (change.compiled != 1 || change.disk_hits != 0 || change.rejected != 0)
            fail_msg("problem %zu took a program that was there before", i);
    }
    for (size_t i = 0; i < 7; ++i)
        live_through(live, &problems[i], NULL, &options[i]);
    assert_int_equal(test_cache_happened().disk_hits, 7);
}

static void damaged_files_are_replaced(void **state)
{
    const test_live *live = *state;
    char command[256];
    clscan_cache_counters change = {.struct_size = sizeof change};

    live_through(live, &test_sum, NULL, &test_plain);
    snprintf(command, sizeof command, "for file in %s/*.bin; do printf x >>$file; done", test_cache_folder);
    assert_int_equal(system(command), 0);
    test_cache_happened();
    live_through(live, &test_sum, NULL, &test_plain);
    change = test_cache_happened();
    assert_int_equal(change.rejected, 1);
    assert_int_equal(change.compiled, 1);
    assert_int_equal(change.stored, 1);
    live_through(live, &test_sum, NULL, &test_plain);
    assert_int_equal(test_cache_happened().disk_hits, 1);
}

static void keep_line(clscan_log_level level, const char *text, void *line)
{
    (void)level;
    snprintf(line, LINE_BYTES, "%s", text);
}

/* Live through a plan, and expect that its program was found on disk, or put there if it `may_compile`. If something
 * else happened, the counters and the library's last word on it say what. */
static bool finds_or_stores(const test_live *live, bool may_compile)
{
    char line[LINE_BYTES] = "nothing was logged";
    clscan_cache_counters change = {.struct_size = sizeof change};

    clscan_log_set(CLSCAN_LOG_INFO, keep_line, line);
    test_cache_happened();
    live_through(live, &test_sum, NULL, &test_plain);
    clscan_log_set(CLSCAN_LOG_WARNING, NULL, NULL);
    change = test_cache_happened();
    if (change.compiled == 0 ? change.disk_hits == 1 : may_compile && change.compiled == 1 && change.stored == 1)
        return true;
    fprintf(stderr, "expected one program from disk%s:", may_compile ? ", or stored" : "");
#define X(name, meaning) fprintf(stderr, " %s %llu", #name, (unsigned long long)change.name);
    CLSCAN_CACHE_COUNTER_LIST(X)
#undef X
    fprintf(stderr, "; %s\n", line);
    return false;
}

/* PoCL 5 sets variables for itself with which other processes see no other platform. */
static char **copy_environment(void)
{
    size_t count = 0;
    char **copy;

    while (environ[count] != NULL)
        ++count;
    copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy != NULL && i < count; ++i)
        copy[i] = strdup(environ[i]);
    return copy;
}

/* Other processes of this program, which make one plan each at the same time. */
static void processes_share_a_folder(void **state)
{
    enum { PROCESSES = 4 };
    char *const arguments[] = {(char *)program_path, "child", test_cache_folder, NULL};
    pid_t children[PROCESSES];

    for (unsigned i = 0; i < PROCESSES; ++i)
        assert_int_equal(posix_spawn(&children[i], program_path, NULL, NULL, arguments, first_environment), 0);
    for (unsigned i = 0; i < PROCESSES; ++i) {
        int result = -1;
        assert_int_equal(waitpid(children[i], &result, 0), children[i]);
        assert_int_equal(result, 0);
    }
    assert_true(finds_or_stores(*state, false));
}

static int live_as_child(char *folder)
{
    void *state = NULL;
    bool shared;

    test_cache_folder = folder;
    if (test_live_setup(&state) != 0)
        return 1;
    test_cache_set_mode(CLSCAN_CACHE_ON);
    shared = finds_or_stores(state, true);
    return test_live_teardown(&state) != 0 || !shared;
}

static void modes_are_obeyed(void **state)
{
    const test_live *live = *state;
    static const struct {
        clscan_cache_mode mode;
        uint64_t compiled, memory_hits, stored;
    } cases[] = {{CLSCAN_CACHE_OFF, 2, 0, 0}, {CLSCAN_CACHE_MEMORY, 1, 1, 0}, {CLSCAN_CACHE_ON, 1, 1, 1}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_case_fixture first, second;
        clscan_cache_counters change = {.struct_size = sizeof change};

        test_cache_set_mode(cases[i].mode);
        prepare(live, &test_sum, NULL, &test_plain, &first);
        prepare(live, &test_sum, NULL, &test_plain, &second);
        clscan_case_release(&first);
        clscan_case_release(&second);
        change = test_cache_happened();
        assert_int_equal(change.compiled, cases[i].compiled);
        assert_int_equal(change.memory_hits, cases[i].memory_hits);
        assert_int_equal(change.stored, cases[i].stored);
        assert_int_equal(clscan_cache_serves(&live->info, NULL), cases[i].mode == CLSCAN_CACHE_ON);
    }
}

/* ---- Memory ---- */

static void living_plans_share_programs(void **state)
{
    const test_live *live = *state;
    clscan_case_fixture first, second, third;
    test_live other = *live;
    cl_int code;

    test_cache_set_mode(CLSCAN_CACHE_MEMORY);
    prepare(live, &test_sum, NULL, &test_plain, &first);
    prepare(live, &test_sum, NULL, &test_plain, &second);
    assert_int_equal(test_cache_happened().memory_hits, 1);
    /* The one that compiled goes first, and the other runs on. */
    clscan_case_release(&first);
    assert_int_equal(test_case(&second, &(clscan_case){.count = TEST_SUM_COUNT}), 0);
    /* As long as a plan lives, so do the programs of the ones before it. */
    prepare(live, &test_sum, NULL, &test_plain, &first);
    assert_int_equal(test_cache_happened().memory_hits, 1);
    clscan_case_release(&first);
    /* A program belongs to its context. */
    other.context = clCreateContext(NULL, 1, &live->device, NULL, NULL, &code);
    assert_cl(code);
    other.queue = clCreateCommandQueue(other.context, live->device, 0, &code);
    assert_cl(code);
    prepare(&other, &test_sum, NULL, &test_plain, &third);
    assert_int_equal(test_cache_happened().compiled, 1);
    clscan_case_release(&third);
    clReleaseCommandQueue(other.queue);
    clReleaseContext(other.context);
    /* Nothing is kept beyond the last plan. */
    clscan_case_release(&second);
    live_through(live, &test_sum, NULL, &test_plain);
    assert_int_equal(test_cache_happened().compiled, 1);
}

static const test_live *shared_live;

/* The last plan of the context comes and goes while others are made. */
static void *make_plans(void *failures)
{
    for (unsigned i = 0; i < 6; ++i) {
        clscan_plan *plan = NULL;

        if (clscan_plan_create(shared_live->context, shared_live->device, &test_sum, &test_plain, &plan, NULL) !=
            CLSCAN_OK)
            ++*(unsigned *)failures;
        clscan_plan_destroy(plan);
    }
    return NULL;
}

static void threads_may_make_the_same_plan(void **state)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    unsigned failures[THREADS] = {0};
    clscan_cache_counters change = {.struct_size = sizeof change};

    shared_live = *state;
    for (unsigned i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, make_plans, &failures[i]), 0);
    for (unsigned i = 0; i < THREADS; ++i) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(failures[i], 0);
    }
    change = test_cache_happened();
    assert_int_equal(change.compiled + change.disk_hits + change.memory_hits, 6 * THREADS);
    assert_int_equal(change.rejected, 0);
}

/* The file may change while the text that includes it does not. */
static void programs_that_include_files_are_not_kept(void **state)
{
    static const char *const spellings[] = {"#include", "# \tinclude", "%:include"};
    const test_live *live = *state;
    char *path = temporary_folder_path(test_cache_folder, "operator.h");
    char source[512];
    const clscan_custom_operator custom = {
        .struct_size = sizeof custom, .source = source, .function = "plus", .identity = "0"};
    clscan_problem problem = test_sum;

    problem.op = CLSCAN_CUSTOM;
    problem.custom = &custom;
    temporary_folder_write(test_cache_folder, "operator.h", "#define PLUS +\n", 15);
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; ++i) {
        clscan_plan *plans[2] = {NULL, NULL};
        clscan_error error;
        clscan_cache_counters change = {.struct_size = sizeof change};

        snprintf(source, sizeof source, "%s \"%s\"\nuint plus(uint a, uint b) { return a PLUS b; }", spellings[i],
                 path);
        /* Compilers may refuse to open files. */
        if (clscan_plan_create(live->context, live->device, &problem, &test_plain, &plans[0], &error) ==
            CLSCAN_ERROR_OPERATOR_SOURCE)
            continue;
        assert_status(CLSCAN_OK,
                      clscan_plan_create(live->context, live->device, &problem, &test_plain, &plans[1], &error),
                      &error);
        change = test_cache_happened();
        assert_int_equal(change.compiled, 2);
        assert_int_equal(change.stored + change.memory_hits + change.disk_misses, 0);
        clscan_plan_destroy(plans[0]);
        clscan_plan_destroy(plans[1]);
    }
    free(path);
}

/* ---- Blobs ---- */

static void blobs_make_plans(void **state)
{
    const test_live *live = *state;
    clscan_case_fixture fixture;
    clscan_plan_options options = test_plain;
    clscan_problem other = test_sum;
    clscan_cache_counters change = {.struct_size = sizeof change};
    clscan_error error;
    char *blob;
    size_t size_bytes = 0, again_bytes = 0;

    test_cache_set_mode(CLSCAN_CACHE_OFF);
    prepare(live, &test_sum, NULL, &test_plain, &fixture);
    assert_status(CLSCAN_OK, clscan_plan_save(fixture.plan, NULL, 0, &size_bytes, &error), &error);
    assert_true(size_bytes > 1000);
    blob = calloc(1, size_bytes + 1);
    assert_non_null(blob);
    assert_int_equal(clscan_plan_save(fixture.plan, blob, size_bytes - 1, &again_bytes, &error),
                     CLSCAN_ERROR_BUFFER_TOO_SMALL);
    assert_int_equal(again_bytes, size_bytes);
    assert_int_equal(blob[0], 0);
    /* Any alignment will do. */
    assert_status(CLSCAN_OK, clscan_plan_save(fixture.plan, blob + 1, size_bytes, &again_bytes, &error), &error);
    assert_int_equal(again_bytes, size_bytes);
    clscan_case_release(&fixture);
    test_cache_happened();

    options.blob = blob + 1;
    options.blob_bytes = size_bytes;
    prepare(live, &test_sum, NULL, &options, &fixture);
    change = test_cache_happened();
    assert_int_equal(change.blob_hits, 1);
    assert_int_equal(change.compiled, 0);
    /* A plan that was made of a blob can be saved as well. */
    assert_status(CLSCAN_OK, clscan_plan_save(fixture.plan, NULL, 0, &size_bytes, &error), &error);
    clscan_case_release(&fixture);

    other.op = CLSCAN_MIN;
    live_through(live, &other, NULL, &options);
    change = test_cache_happened();
    assert_int_equal(change.compiled, 1);
    assert_int_equal(change.rejected, 0);

    clscan_log_set(CLSCAN_LOG_OFF, NULL, NULL);
    blob[options.blob_bytes / 2] ^= 1;
    live_through(live, &test_sum, NULL, &options);
    change = test_cache_happened();
    assert_int_equal(change.compiled, 1);
    assert_int_equal(change.rejected, 1);
    clscan_log_set(CLSCAN_LOG_WARNING, NULL, NULL);
    free(blob);
}

/* ---- Kernels ---- */

static void plans_tell_about_their_kernels(void **state)
{
    const test_live *live = *state;
    clscan_case_fixture compiled, taken;
    clscan_kernel_info info = {.struct_size = sizeof info};
    clscan_error error;

    prepare(live, &test_sum, NULL, &test_plain, &compiled);
    assert_status(CLSCAN_OK, clscan_plan_kernel_info(compiled.plan, TEST_SUM_COUNT, 0, &info, &error), &error);
    assert_int_equal(strspn(info.revision, "0123456789abcdef"), 16);
    assert_int_equal(strlen(info.revision), 16);
    assert_true(info.work_group_size >= test_small.work_group_size);
    assert_true(info.local_bytes <= live->info.local_memory_bytes);
    assert_int_equal(info.sub_group_size, live->info.sub_group_size);
    assert_int_equal(info.from_cache, 0);
    assert_true(info.build_time_ns > 0);
    prepare(live, &test_sum, NULL, &test_plain, &taken);
    assert_status(CLSCAN_OK, clscan_plan_kernel_info(taken.plan, 0, 1, &info, &error), &error);
    assert_int_equal(info.from_cache, 1);
    clscan_case_release(&compiled);
    clscan_case_release(&taken);
}

/* ---- Arguments ---- */

static void wrong_arguments_are_refused(void **state)
{
    const test_live *live = *state;
    clscan_cache_options options = {.struct_size = sizeof options};
    clscan_plan_options plan_options = test_plain;
    clscan_case_fixture fixture;
    clscan_kernel_info info = {.struct_size = sizeof info};
    clscan_plan *plan = NULL;
    size_t size_bytes;

    options.struct_size = 0;
    assert_int_equal(clscan_cache_set(&options, NULL), CLSCAN_ERROR_STRUCT_SIZE);
    options.struct_size = sizeof options;
    options.reserved = 1;
    assert_int_equal(clscan_cache_set(&options, NULL), CLSCAN_ERROR_INVALID_VALUE);
    options.reserved = 0;
    options.mode = CLSCAN_CACHE_MODE_COUNT;
    assert_int_equal(clscan_cache_set(&options, NULL), CLSCAN_ERROR_INVALID_VALUE);
    options.mode = CLSCAN_CACHE_ON;
    options.folder = "relative";
    assert_int_equal(clscan_cache_set(&options, NULL), CLSCAN_ERROR_INVALID_VALUE);
    assert_int_equal(clscan_cache_statistics(NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_cache_describe(NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_cache_list(NULL, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_cache_serves(NULL, NULL), 0);
    plan_options.blob_bytes = 1;
    assert_int_equal(clscan_plan_create(live->context, live->device, &test_sum, &plan_options, &plan, NULL),
                     CLSCAN_ERROR_INVALID_VALUE);
    prepare(live, &test_sum, NULL, &test_plain, &fixture);
    assert_int_equal(clscan_plan_save(NULL, NULL, 0, &size_bytes, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_plan_save(fixture.plan, NULL, 0, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_plan_save(fixture.plan, NULL, 8, &size_bytes, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_plan_kernel_info(NULL, 1, 0, &info, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_plan_kernel_info(fixture.plan, 1, 0, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_plan_kernel_info(fixture.plan, TEST_SUM_COUNT + 1, 0, &info, NULL),
                     CLSCAN_ERROR_COUNT_TOO_LARGE);
    clscan_case_release(&fixture);
}

/* The environment is asked for every plan. */
static void the_environment_decides(void **state)
{
    const test_live *live = *state;
    static const struct {
        const char *word;
        clscan_cache_mode mode;
    } cases[] = {{"auto", CLSCAN_CACHE_AUTO}, {"off", CLSCAN_CACHE_OFF}, {"memory", CLSCAN_CACHE_MEMORY},
                 {"on", CLSCAN_CACHE_ON},     {"", CLSCAN_CACHE_AUTO},   {"/some/folder", CLSCAN_CACHE_AUTO},
                 {"Off", CLSCAN_CACHE_MEMORY}};
    char *before = getenv("CLSCAN_CACHE") != NULL ? strdup(getenv("CLSCAN_CACHE")) : NULL;
    clscan_cache_info info = {.struct_size = sizeof info};

    (void)live;
    clscan_log_set(CLSCAN_LOG_OFF, NULL, NULL);
    assert_int_equal(clscan_cache_set(NULL, NULL), CLSCAN_OK);
    setenv("CLSCAN_CACHE_MAX_BYTES", "12345", 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        setenv("CLSCAN_CACHE", cases[i].word, 1);
        assert_int_equal(clscan_cache_describe(&info, NULL), CLSCAN_OK);
        assert_int_equal(info.mode, cases[i].mode);
        assert_int_equal(info.max_bytes, 12345);
        assert_int_equal(strcmp(info.folder, "/some/folder") == 0, cases[i].word[0] == '/');
    }
    setenv("CLSCAN_CACHE_MAX_BYTES", "12 MB", 1);
    assert_int_equal(clscan_cache_describe(&info, NULL), CLSCAN_OK);
    assert_true(info.max_bytes == CLSCAN_CACHE_DEFAULT_MAX_BYTES);
    /* The application's word counts more, but for "off". */
    test_cache_set_mode(CLSCAN_CACHE_ON);
    assert_int_equal(clscan_cache_describe(&info, NULL), CLSCAN_OK);
    assert_int_equal(info.mode, CLSCAN_CACHE_ON);
    setenv("CLSCAN_CACHE", "off", 1);
    assert_int_equal(clscan_cache_describe(&info, NULL), CLSCAN_OK);
    assert_int_equal(info.mode, CLSCAN_CACHE_OFF);
    unsetenv("CLSCAN_CACHE");
    unsetenv("CLSCAN_CACHE_MAX_BYTES");
    if (before != NULL)
        setenv("CLSCAN_CACHE", before, 1);
    free(before);
    clscan_log_set(CLSCAN_LOG_WARNING, NULL, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_cache_setup, test_cache_teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(programs_come_back_from_disk),
        TEST(other_programs_are_not_taken),
        TEST(damaged_files_are_replaced),
        TEST(processes_share_a_folder),
        TEST(modes_are_obeyed),
        TEST(living_plans_share_programs),
        TEST(threads_may_make_the_same_plan),
        TEST(programs_that_include_files_are_not_kept),
        TEST(blobs_make_plans),
        TEST(plans_tell_about_their_kernels),
        TEST(wrong_arguments_are_refused),
        TEST(the_environment_decides),
    };

    program_path = argv[0];
    first_environment = copy_environment();
    if (argc == 3 && strcmp(argv[1], "child") == 0)
        return live_as_child(argv[2]);
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
