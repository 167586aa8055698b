/* What everything else stands on: checked sizes, places, text, files, log, errors and their names. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/places.h"
#include "base/text.h"
#include "cmocka_all.h"
#include "random.h"
#include "temporary_folder.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* places.h */

enum { MEMORY_BYTES = 400 };

/* Mark the bytes of places: a digit of `number` for each step. */
static void mark(const clscan__places *places, uint64_t begin, bool *used)
{
    uint64_t numbers = 1;

    for (size_t i = 0; i < places->count; ++i)
        numbers *= places->steps[i].extent;
    for (uint64_t number = 0; number < numbers; ++number) {
        uint64_t at = begin, rest = number;

        for (size_t i = 0; i < places->count; ++i) {
            at += rest % places->steps[i].extent * places->steps[i].bytes;
            rest /= places->steps[i].extent;
        }
        for (uint64_t byte = 0; byte < places->element_bytes; ++byte)
            used[at + byte] = true;
    }
}

static uint64_t below(uint32_t *random, uint64_t end)
{
    return (next_random(random) >> 8) % end;
}

static clscan__places any_places(uint32_t *random)
{
    clscan__places places = {.element_bytes = 1 + below(random, 4), .count = below(random, 4)};

    for (size_t i = 0; i < places.count; ++i)
        places.steps[i] = (clscan__place_step){below(random, 5), below(random, 25)};
    return places;
}

/* Of few elements the answer is exact, whatever the steps. */
static void places_meet_where_bytes_do(void **state)
{
    (void)state;
    uint32_t random = 1;
    unsigned met = 0, wrong = 0;

    for (unsigned i = 0; i < 20000; ++i) {
        const clscan__places a = any_places(&random), b = any_places(&random);
        const uint64_t a_begin = below(&random, 30), b_begin = below(&random, 30);
        bool of_a[MEMORY_BYTES] = {false}, of_b[MEMORY_BYTES] = {false}, meet = false;

        mark(&a, a_begin, of_a);
        mark(&b, b_begin, of_b);
        for (size_t k = 0; k < MEMORY_BYTES; ++k)
            meet = meet || (of_a[k] && of_b[k]);
        met += meet;
        wrong += meet != clscan__places_meet(&a, a_begin, &b, b_begin);
    }
    assert_int_equal(wrong, 0);
    assert_in_range(met, 1000, 19000);
}

/* Steps that are the same are told apart however many elements there are; for others the answer may be yes. */
static void places_of_large_tensors_meet(void **state)
{
    (void)state;
    static const uint64_t many = 1000003;
    const clscan__places rows = {.element_bytes = 4, .count = 3, .steps = {{many, 32}, {5, 4}, {many, 32 * many}}};
    const clscan__places last = {.element_bytes = 4, .count = 2, .steps = {{many, 32}, {many, 32 * many}}};
    const clscan__places other = {.element_bytes = 1, .count = 2, .steps = {{many, 34}, {many, 102}}};
    const clscan__places even = {.element_bytes = 1, .count = 2, .steps = {{many, 38}, {many, 58}}};

    assert_false(clscan__places_meet(&rows, 0, &last, 20));
    assert_false(clscan__places_meet(&rows, 12, &last, 8));
    assert_true(clscan__places_meet(&rows, 0, &last, 17));
    assert_true(clscan__places_meet(&rows, 0, &last, 29));
    assert_true(clscan__places_meet(&rows, 12, &last, 9));
    assert_true(clscan__places_meet(&other, 0, &even, 1)); /* they do not: it would take long to tell */
}

/* checked.h */

static void sums_and_products_that_do_not_fit_are_told(void **state)
{
    (void)state;
    static const struct {
        uint64_t a, b;
        bool sum_fits, product_fits;
    } cases[] = {
        {0, 0, true, true},
        {0, UINT64_MAX, true, true},
        {1, UINT64_MAX, false, true},
        {1, UINT64_MAX - 1, true, true},
        {2, UINT64_MAX / 2, true, true},
        {2, UINT64_MAX / 2 + 1, true, false},
        {UINT32_MAX, UINT32_MAX, true, true},
        {UINT64_C(1) << 32, UINT32_MAX, true, true},
        {UINT64_C(1) << 32, UINT64_C(1) << 32, true, false}, /* wraps to 0 */
        {UINT64_C(1) << 63, UINT64_C(1) << 63, false, false},
        {UINT64_C(0x5555555555555556), 3, true, false}, /* wraps to 2 */
        {UINT64_C(0x5555555555555555), 3, true, true},
        {UINT64_MAX, UINT64_MAX, false, false},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        for (int swapped = 0; swapped < 2; ++swapped) {
            const uint64_t a = swapped ? cases[i].b : cases[i].a, b = swapped ? cases[i].a : cases[i].b;
            uint64_t result;

            assert_int_equal(clscan__add_u64(a, b, &result), cases[i].sum_fits);
            if (cases[i].sum_fits)
                assert_true(result == a + b && result >= a);
            assert_int_equal(clscan__mul_u64(a, b, &result), cases[i].product_fits);
            if (cases[i].product_fits)
                assert_true(result == a * b);
        }
}

static void small_integer_helpers(void **state)
{
    (void)state;
    assert_true(clscan__divide_up(0, 7) == 0);
    assert_true(clscan__divide_up(1, 7) == 1);
    assert_true(clscan__divide_up(7, 7) == 1);
    assert_true(clscan__divide_up(8, 7) == 2);
    assert_true(clscan__divide_up(UINT64_MAX, 1) == UINT64_MAX);
    assert_true(clscan__divide_up(UINT64_MAX, 2) == UINT64_C(1) << 63);
    assert_true(clscan__divide_up(UINT64_MAX, UINT64_MAX) == 1);
    assert_true(clscan__min_u64(3, 4) == 3 && clscan__min_u64(4, 3) == 3 && clscan__min_u64(5, 5) == 5);
    assert_true(clscan__min_u64(UINT64_MAX, UINT64_C(1) << 32) == UINT64_C(1) << 32);
    assert_false(clscan__is_power_of_two(0));
    for (unsigned bit = 0; bit < 64; ++bit) {
        assert_true(clscan__is_power_of_two(UINT64_C(1) << bit));
        assert_false(clscan__is_power_of_two(UINT64_C(1) << bit | UINT64_C(1) << (bit + 1) % 64));
    }
    assert_true(clscan__align_up(0, 256) == 0);
    assert_true(clscan__align_up(1, 256) == 256);
    assert_true(clscan__align_up(256, 256) == 256);
    assert_true(clscan__align_up(257, 256) == 512);
    assert_true(clscan__align_up((UINT64_C(1) << 32) + 1, 256) == (UINT64_C(1) << 32) + 256);
    assert_true(clscan__align_up(13, 1) == 13);
}

/* text.h */

static void text_grows(void **state)
{
    (void)state;
    clscan__text text = {0};
    char *string = NULL;

    for (int i = 0; i < 10000; ++i)
        clscan__text_append(&text, "%04d", i);
    clscan__text_append_bytes(&text, "with\0zero", 9);
    assert_int_equal(text.length_bytes, 40009);
    assert_int_equal(clscan__text_take(&text, &string, NULL), CLSCAN_OK);
    assert_null(text.data);
    assert_int_equal(text.length_bytes, 0);
    for (int i = 0; i < 10000; ++i) {
        char number[16];

        snprintf(number, sizeof number, "%04d", i);
        assert_memory_equal(string + 4 * i, number, 4);
    }
    assert_memory_equal(string + 40000, "with\0zero", 10); /* and the terminator */
    free(string);
}

/* One byte at a time, so that every capacity is met to the byte; its end is guarded by the sanitizer. */
static void text_is_terminated_at_every_length(void **state)
{
    (void)state;
    clscan__text text = {0};

    for (size_t length = 1; length <= 2000; ++length) {
        if (length % 2 == 0)
            clscan__text_append(&text, "%c", 'x');
        else
            clscan__text_append_bytes(&text, "x", 1);
        assert_int_equal(strlen(text.data), length);
        assert_true(text.capacity_bytes > length);
    }
    clscan__text_free(&text);
    assert_null(text.data);
    clscan__text_free(&text);
}

static void empty_text_is_a_string(void **state)
{
    (void)state;
    clscan__text text = {0};
    char *string = NULL;

    assert_int_equal(clscan__text_take(&text, &string, NULL), CLSCAN_OK);
    assert_string_equal(string, "");
    free(string);
    clscan__text_append(&text, "%s", "");
    clscan__text_append_bytes(&text, "", 0);
    assert_int_equal(clscan__text_take(&text, &string, NULL), CLSCAN_OK);
    assert_string_equal(string, "");
    free(string);
}

static void failed_text_stays_failed(void **state)
{
    (void)state;
    clscan__text text = {0};
    char *string = NULL;
    clscan_error error = {0};

    clscan__text_append(&text, "before");
    text.failed = true;
    clscan__text_append(&text, "after");
    clscan__text_append_bytes(&text, "after", 5);
    assert_int_equal(text.length_bytes, strlen("before"));
    assert_int_equal(clscan__text_take(&text, &string, &error), CLSCAN_ERROR_OUT_OF_MEMORY);
    assert_int_equal(error.status, CLSCAN_ERROR_OUT_OF_MEMORY);
    assert_null(string);
    assert_null(text.data);
    assert_false(text.failed);
}

/* file.h */

static int make_folder(void **state)
{
    *state = temporary_folder_create();
    return 0;
}

static int remove_folder(void **state)
{
    temporary_folder_remove(*state);
    return 0;
}

static void files_are_read_whole(void **state)
{
    static const struct {
        const char *data;
        size_t data_bytes, max_bytes;
        clscan_status status;
        const char *reason;
    } cases[] = {
        {"text\n", 5, 100, CLSCAN_OK, "an ordinary file"},
        {"", 0, 100, CLSCAN_OK, "an empty file"},
        {"", 0, 0, CLSCAN_OK, "an empty file, and nothing allowed"},
        {"a\0b\0", 4, 100, CLSCAN_OK, "zeros inside and at the end"},
        {"12345678", 8, 8, CLSCAN_OK, "as long as allowed"},
        {"123456789", 9, 8, CLSCAN_ERROR_CONFIG_SIZE, "one byte too long"},
        {"1", 1, 0, CLSCAN_ERROR_CONFIG_SIZE, "one byte, and nothing allowed"},
    };
    char *path = temporary_folder_path(*state, "file");

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        char *data = NULL;
        size_t data_bytes = 12345;
        clscan_error error = {0};
        clscan_status status;

        temporary_folder_write(*state, "file", cases[i].data, cases[i].data_bytes);
        status = clscan__file_read(path, cases[i].max_bytes, CLSCAN_ERROR_CONFIG_SIZE, &data, &data_bytes, &error);
        if (status != cases[i].status)
            fail_msg("%s: %s", cases[i].reason, clscan_status_name(status));
        if (status == CLSCAN_OK) {
            assert_int_equal(data_bytes, cases[i].data_bytes);
            assert_memory_equal(data, cases[i].data, data_bytes);
            assert_int_equal(data[data_bytes], '\0');
        } else {
            assert_null(data);
            assert_int_equal(data_bytes, 12345);
            assert_non_null(strstr(error.message, path));
        }
        free(data);
    }
    free(path);
}

/* The limit is asked for before anything is read: a terabyte of nothing is refused at once. */
static void too_large_files_are_not_read(void **state)
{
    char *path = temporary_folder_path(*state, "sparse");
    char *data = NULL;
    size_t data_bytes = 0;

    temporary_folder_write(*state, "sparse", "", 0);
    if (truncate(path, (off_t)1 << 40) != 0)
        print_message("the file system makes no sparse file of that size\n");
    else
        assert_int_equal(clscan__file_read(path, 1 << 20, CLSCAN_ERROR_CONFIG_SIZE, &data, &data_bytes, NULL),
                         CLSCAN_ERROR_CONFIG_SIZE);
    assert_null(data);
    free(path);
}

static void what_is_no_file_is_refused(void **state)
{
    char *missing = temporary_folder_path(*state, "missing");
    const char *const paths[] = {missing, *state, "", "/dev/null"};

    for (size_t i = 0; i < COUNT_OF(paths); ++i) {
        char *data = NULL;
        size_t data_bytes = 12345;
        clscan_error error = {0};

        assert_int_equal(clscan__file_read(paths[i], 100, CLSCAN_ERROR_CONFIG_SIZE, &data, &data_bytes, &error),
                         CLSCAN_ERROR_FILE);
        assert_int_equal(error.status, CLSCAN_ERROR_FILE);
        assert_int_equal(strncmp(error.message, paths[i], strlen(paths[i])), 0);
        assert_null(data);
        assert_int_equal(data_bytes, 12345);
    }
    free(missing);
}

static void check_listing(const char *folder, const char *suffix, const char *const *names, size_t name_count)
{
    char **paths = NULL;
    size_t count = 12345;

    assert_int_equal(clscan__folder_list(folder, suffix, &paths, &count, NULL), CLSCAN_OK);
    assert_int_equal(count, name_count);
    for (size_t i = 0; i < count; ++i) {
        char *path = temporary_folder_path(folder, names[i]);

        assert_string_equal(paths[i], path);
        free(path);
        free(paths[i]);
    }
    free(paths);
}

static void folders_are_listed_by_name(void **state)
{
    static const char *const files[] = {"b.json", "a.json", "10.json", "9.json", "B.json", "a.json.bak",
                                        "json",   "a",      "x.cl",    "ajson",  "a.jso"};
    static const char *const json[] = {"10.json", "9.json", "B.json", "a.json", "b.json"};
    static const char *const cl[] = {"x.cl"};
    char *missing = temporary_folder_path(*state, "missing");
    char *file = temporary_folder_path(*state, "a");

    check_listing(*state, ".json", NULL, 0);
    for (size_t i = 0; i < COUNT_OF(files); ++i)
        temporary_folder_write(*state, files[i], "", 0);
    check_listing(*state, ".json", json, COUNT_OF(json));
    check_listing(*state, ".cl", cl, COUNT_OF(cl));
    check_listing(*state, ".none", NULL, 0);
    check_listing(*state, ".longer-than-any-of-the-names", NULL, 0);
    check_listing(missing, ".json", NULL, 0);
    check_listing(file, ".json", NULL, 0); /* a file holds no files */
    free(missing);
    free(file);
}

static void folders_that_cannot_be_opened_are_errors(void **state)
{
    (void)state;
    char name[10000];
    char **paths = NULL;
    size_t count = 12345;
    clscan_error error = {0};

    memset(name, 'x', sizeof name - 1);
    name[0] = '/';
    name[sizeof name - 1] = '\0';
    assert_int_equal(clscan__folder_list(name, "", &paths, &count, &error), CLSCAN_ERROR_FILE);
    assert_int_equal(error.status, CLSCAN_ERROR_FILE);
    assert_null(paths);
    assert_int_equal(count, 0);
}

static char *copy_of(const char *text)
{
    char *copy = NULL;

    if (text != NULL) {
        copy = malloc(strlen(text) + 1);
        assert_non_null(copy);
        strcpy(copy, text);
    }
    return copy;
}

static void set_variable(const char *name, const char *value)
{
    if (value != NULL)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void users_folder_follows_the_environment(void **state)
{
    (void)state;
    static const struct {
        const char *base, *home, *folder, *reason;
    } cases[] = {
        {"/x", "/home/u", "/x/clscan", "XDG_CONFIG_HOME comes first"},
        {"/x", NULL, "/x/clscan", "and is enough"},
        {NULL, "/home/u", "/home/u/.config/clscan", "its default"},
        {"", "/home/u", "/home/u/.config/clscan", "empty means unset"},
        {"relative", "/home/u", "/home/u/.config/clscan", "a relative path is to be ignored"},
        {"/with space", "/home/u", "/with space/clscan", "a blank is a character"},
        {NULL, NULL, NULL, "nothing is known"},
        {NULL, "", NULL, "empty means unset"},
        {NULL, "home/u", NULL, "a relative home is to be ignored too"},
        {"/x", "home/u", "/x/clscan", "and is not needed"},
        {"relative", NULL, NULL, "nothing that can be used"},
    };
    char *old_base = copy_of(getenv("XDG_CONFIG_HOME")), *old_home = copy_of(getenv("HOME"));

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        char *folder = NULL;

        set_variable("XDG_CONFIG_HOME", cases[i].base);
        set_variable("HOME", cases[i].home);
        assert_int_equal(clscan__user_config_folder(&folder, NULL), CLSCAN_OK);
        if ((folder == NULL) != (cases[i].folder == NULL) || (folder != NULL && strcmp(folder, cases[i].folder) != 0))
            fail_msg("%s: %s", cases[i].reason, folder == NULL ? "none" : folder);
        free(folder);
    }
    set_variable("XDG_CONFIG_HOME", old_base);
    set_variable("HOME", old_home);
    free(old_base);
    free(old_home);
}

/* log.h */

#define LINES_OF_ALL_LEVELS 4

static void log_all_levels(void)
{
    clscan__log(CLSCAN_LOG_ERROR, "number %d", 1);
    clscan__log(CLSCAN_LOG_WARNING, "number %d", 2);
    clscan__log(CLSCAN_LOG_INFO, "number %d", 3);
    clscan__log(CLSCAN_LOG_DEBUG, "number %d", 4);
}

/* What a new process writes to stderr. CLSCAN_LOG is read once in a process, so each case has its own. */
static void log_of_a_child(const char *wanted, const clscan_log_level *set, char *text, size_t text_bytes)
{
    int ends[2];
    pid_t child;
    size_t length = 0;
    ssize_t got;
    int how;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        set_variable("CLSCAN_LOG", wanted);
        if (set != NULL)
            clscan_log_set(*set, NULL, NULL);
        log_all_levels();
        _exit(0);
    }
    close(ends[1]);
    while (length + 1 < text_bytes && (got = read(ends[0], text + length, text_bytes - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
}

#define ERROR_LINE "clscan: error: number 1\n"
#define WARNING_LINE "clscan: warning: number 2\n"
#define INFO_LINE "clscan: info: number 3\n"
#define DEBUG_LINE "clscan: debug: number 4\n"

/* Must come before every other test that logs: a child inherits what its parent has read. */
static void environment_sets_the_level(void **state)
{
    (void)state;
    static const clscan_log_level off = CLSCAN_LOG_OFF, info = CLSCAN_LOG_INFO;
    static const struct {
        const char *wanted;
        const clscan_log_level *set;
        const char *text, *reason;
    } cases[] = {
        {NULL, NULL, ERROR_LINE WARNING_LINE, "the default"},
        {"off", NULL, "", "silence"},
        {"error", NULL, ERROR_LINE, "the first level"},
        {"warning", NULL, ERROR_LINE WARNING_LINE, "the default by name"},
        {"info", NULL, ERROR_LINE WARNING_LINE INFO_LINE, "more"},
        {"debug", NULL, ERROR_LINE WARNING_LINE INFO_LINE DEBUG_LINE, "all"},
        {"", NULL, ERROR_LINE WARNING_LINE, "empty is no level"},
        {"DEBUG", NULL, ERROR_LINE WARNING_LINE, "neither is another case"},
        {"debugging", NULL, ERROR_LINE WARNING_LINE, "nor more than a name"},
        {"debug", &off, "", "a call goes over the environment"},
        {"off", &info, ERROR_LINE WARNING_LINE INFO_LINE, "a call goes over the environment"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        char text[1024];

        log_of_a_child(cases[i].wanted, cases[i].set, text, sizeof text);
        if (strcmp(text, cases[i].text) != 0)
            fail_msg("%s: \"%s\"", cases[i].reason, text);
    }
}

typedef struct logged {
    size_t count;
    clscan_log_level levels[LINES_OF_ALL_LEVELS];
    char last[2048];
} logged;

static void remember(clscan_log_level level, const char *text, void *user)
{
    logged *lines = user;

    assert_true(lines->count < LINES_OF_ALL_LEVELS);
    lines->levels[lines->count++] = level;
    snprintf(lines->last, sizeof lines->last, "%s", text);
}

static void callback_receives_lines_up_to_the_level(void **state)
{
    (void)state;
    for (int level = CLSCAN_LOG_OFF; level <= CLSCAN_LOG_DEBUG; ++level) {
        logged lines = {0};

        clscan_log_set((clscan_log_level)level, remember, &lines);
        log_all_levels();
        assert_int_equal(lines.count, level);
        for (int line = 0; line < level; ++line)
            assert_int_equal(lines.levels[line], CLSCAN_LOG_ERROR + line);
        for (int asked = CLSCAN_LOG_ERROR; asked <= CLSCAN_LOG_DEBUG; ++asked)
            assert_int_equal(clscan__log_enabled((clscan_log_level)asked) != 0, asked <= level);
        if (level > CLSCAN_LOG_OFF) {
            char want[32];

            snprintf(want, sizeof want, "number %d", level);
            assert_string_equal(lines.last, want); /* neither prefix nor newline */
        }
    }
    clscan_log_set(CLSCAN_LOG_OFF, NULL, NULL);
}

static void long_lines_are_cut(void **state)
{
    (void)state;
    static char line[5000];
    logged lines = {0};

    memset(line, 'x', sizeof line - 1);
    clscan_log_set(CLSCAN_LOG_ERROR, remember, &lines);
    clscan__log(CLSCAN_LOG_ERROR, "%s", line);
    clscan_log_set(CLSCAN_LOG_OFF, NULL, NULL);
    assert_int_equal(lines.count, 1);
    assert_in_range(strlen(lines.last), 256, 1023);
    assert_int_equal(strspn(lines.last, "x"), strlen(lines.last));
}

/* error.h and status.h */

static void errors_hold_status_and_message(void **state)
{
    (void)state;
    static char word[5000];
    clscan_error error;

    memset(&error, 0xa5, sizeof error);
    assert_int_equal(clscan__error_set(&error, CLSCAN_ERROR_OVERLAP, "%s overlaps %d", "in", 7), CLSCAN_ERROR_OVERLAP);
    assert_int_equal(error.status, CLSCAN_ERROR_OVERLAP);
    assert_string_equal(error.message, "in overlaps 7");
    assert_int_equal(error.cl_code, 0);
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 0);
    assert_string_equal(error.build_log, "");

    memset(word, 'x', sizeof word - 1);
    clscan__error_set(&error, CLSCAN_ERROR_FILE, "%s", word);
    assert_int_equal(strlen(error.message), CLSCAN_ERROR_MESSAGE_BYTES - 1);

    assert_int_equal(clscan__error_opencl(&error, "clFinish", -5), CLSCAN_ERROR_OPENCL);
    assert_string_equal(error.message, "clFinish failed: CL_OUT_OF_RESOURCES (-5)");
    assert_int_equal(error.status, CLSCAN_ERROR_OPENCL);
    assert_int_equal(error.cl_code, -5);

    assert_int_equal(clscan__error_set(NULL, CLSCAN_ERROR_FILE, "nobody asks"), CLSCAN_ERROR_FILE);
    assert_int_equal(clscan__error_opencl(NULL, "clFinish", -5), CLSCAN_ERROR_OPENCL);
}

static clscan_status leaves_early(int step, int *cleanups, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__TRY(step == 0 ? CLSCAN_ERROR_FILE : CLSCAN_OK);
    CLSCAN__TRY_CL(abs, (step == 1 ? -30 : 0)); /* abs() stands for a call of OpenCL: 0 is success */
    CLSCAN__REQUIRE(step != 2, CLSCAN_ERROR_INVALID_VALUE, "step is %d", step);

cleanup:
    ++*cleanups;
    return status;
}

static void statements_that_try_go_through_cleanup(void **state)
{
    (void)state;
    clscan_error error = {0};
    int cleanups = 0;

    assert_int_equal(leaves_early(0, &cleanups, &error), CLSCAN_ERROR_FILE);
    assert_int_equal(leaves_early(1, &cleanups, &error), CLSCAN_ERROR_OPENCL);
    assert_int_equal(error.cl_code, 30);
    assert_int_equal(strncmp(error.message, "abs failed: ", strlen("abs failed: ")), 0);
    assert_int_equal(leaves_early(2, &cleanups, &error), CLSCAN_ERROR_INVALID_VALUE);
    assert_string_equal(error.message, "step is 2");
    assert_int_equal(leaves_early(3, &cleanups, &error), CLSCAN_OK);
    assert_int_equal(cleanups, 4);
}

/* Numbers are part of the binary interface. */
static const struct {
    int number;
    const char *name;
} statuses[] = {
    {0, "CLSCAN_OK"},
    {10, "CLSCAN_ERROR_NULL_ARGUMENT"},
    {11, "CLSCAN_ERROR_STRUCT_SIZE"},
    {12, "CLSCAN_ERROR_INVALID_VALUE"},
    {13, "CLSCAN_ERROR_COUNT_TOO_LARGE"},
    {14, "CLSCAN_ERROR_BUFFER_TOO_SMALL"},
    {15, "CLSCAN_ERROR_BUFFER_ACCESS"},
    {16, "CLSCAN_ERROR_OVERLAP"},
    {17, "CLSCAN_ERROR_WRONG_CONTEXT"},
    {18, "CLSCAN_ERROR_NO_IDENTITY"},
    {19, "CLSCAN_ERROR_MEMORY_KIND"},
    {20, "CLSCAN_ERROR_NO_PLATFORM"},
    {21, "CLSCAN_ERROR_NO_DEVICE"},
    {22, "CLSCAN_ERROR_UNSUPPORTED_TYPE"},
    {23, "CLSCAN_ERROR_DEVICE_LIMIT"},
    {30, "CLSCAN_ERROR_ILLEGAL_VARIANT"},
    {31, "CLSCAN_ERROR_CONFIG_SYNTAX"},
    {32, "CLSCAN_ERROR_CONFIG_SCHEMA"},
    {33, "CLSCAN_ERROR_CONFIG_VERSION"},
    {34, "CLSCAN_ERROR_CONFIG_SIZE"},
    {40, "CLSCAN_ERROR_BUILD"},
    {41, "CLSCAN_ERROR_OPERATOR_SOURCE"},
    {42, "CLSCAN_ERROR_ELEMENT_SOURCE"},
    {43, "CLSCAN_ERROR_MAP_SOURCE"},
    {50, "CLSCAN_ERROR_WORKSPACE_UNBOUND"},
    {51, "CLSCAN_ERROR_WORKSPACE_BUSY"},
    {52, "CLSCAN_ERROR_WORKSPACE_SIZE"},
    {60, "CLSCAN_ERROR_OPENCL"},
    {61, "CLSCAN_ERROR_OUT_OF_MEMORY"},
    {62, "CLSCAN_ERROR_FILE"},
    {63, "CLSCAN_ERROR_MPI"},
};

static void statuses_have_names_and_messages(void **state)
{
    (void)state;
#define X(name, value, message) +1
    assert_int_equal(COUNT_OF(statuses), 0 CLSCAN_STATUS_LIST(X));
#undef X
    for (size_t i = 0; i < COUNT_OF(statuses); ++i) {
        const clscan_status status = (clscan_status)statuses[i].number;

        assert_string_equal(clscan_status_name(status), statuses[i].name);
        assert_true(strlen(clscan_status_message(status)) > 0);
        assert_string_not_equal(clscan_status_message(status), "unknown status");
        for (size_t j = 0; j < i; ++j) /* a message says which status it is */
            assert_string_not_equal(clscan_status_message(status),
                                    clscan_status_message((clscan_status)statuses[j].number));
    }
}

static void unknown_statuses_are_named_so(void **state)
{
    (void)state;
    static const int numbers[] = {-1, 1, 9, 24, 35, 64, 1000, INT_MAX, INT_MIN};

    for (size_t i = 0; i < COUNT_OF(numbers); ++i) {
        assert_string_equal(clscan_status_name((clscan_status)numbers[i]), "CLSCAN_UNKNOWN");
        assert_string_equal(clscan_status_message((clscan_status)numbers[i]), "unknown status");
    }
}

/* Numbers of OpenCL 1.2, from the specification rather than from a header. */
static void opencl_codes_have_names(void **state)
{
    (void)state;
    static const struct {
        int first;
        const char *names[20]; /* of first, first - 1, ... */
    } runs[] = {
        /* clang-format off */
        {0,
         {"CL_SUCCESS", "CL_DEVICE_NOT_FOUND", "CL_DEVICE_NOT_AVAILABLE", "CL_COMPILER_NOT_AVAILABLE",
          "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY",
          "CL_PROFILING_INFO_NOT_AVAILABLE", "CL_MEM_COPY_OVERLAP", "CL_IMAGE_FORMAT_MISMATCH",
          "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_BUILD_PROGRAM_FAILURE", "CL_MAP_FAILURE",
          "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
          "CL_COMPILE_PROGRAM_FAILURE", "CL_LINKER_NOT_AVAILABLE", "CL_LINK_PROGRAM_FAILURE",
          "CL_DEVICE_PARTITION_FAILED", "CL_KERNEL_ARG_INFO_NOT_AVAILABLE"}},
        {-30,
         {"CL_INVALID_VALUE", "CL_INVALID_DEVICE_TYPE", "CL_INVALID_PLATFORM", "CL_INVALID_DEVICE",
          "CL_INVALID_CONTEXT", "CL_INVALID_QUEUE_PROPERTIES", "CL_INVALID_COMMAND_QUEUE", "CL_INVALID_HOST_PTR",
          "CL_INVALID_MEM_OBJECT", "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", "CL_INVALID_IMAGE_SIZE",
          "CL_INVALID_SAMPLER", "CL_INVALID_BINARY", "CL_INVALID_BUILD_OPTIONS", "CL_INVALID_PROGRAM",
          "CL_INVALID_PROGRAM_EXECUTABLE", "CL_INVALID_KERNEL_NAME", "CL_INVALID_KERNEL_DEFINITION",
          "CL_INVALID_KERNEL", "CL_INVALID_ARG_INDEX"}},
        {-50,
         {"CL_INVALID_ARG_VALUE", "CL_INVALID_ARG_SIZE", "CL_INVALID_KERNEL_ARGS", "CL_INVALID_WORK_DIMENSION",
          "CL_INVALID_WORK_GROUP_SIZE", "CL_INVALID_WORK_ITEM_SIZE", "CL_INVALID_GLOBAL_OFFSET",
          "CL_INVALID_EVENT_WAIT_LIST", "CL_INVALID_EVENT", "CL_INVALID_OPERATION", "CL_INVALID_GL_OBJECT",
          "CL_INVALID_BUFFER_SIZE", "CL_INVALID_MIP_LEVEL", "CL_INVALID_GLOBAL_WORK_SIZE", "CL_INVALID_PROPERTY",
          "CL_INVALID_IMAGE_DESCRIPTOR", "CL_INVALID_COMPILER_OPTIONS", "CL_INVALID_LINKER_OPTIONS",
          "CL_INVALID_DEVICE_PARTITION_COUNT"}},
        {-1001, {"CL_PLATFORM_NOT_FOUND_KHR"}},
        /* clang-format on */
    };
    static const int unknown[] = {1, -20, -29, -1000, -1002, -9999, INT_MAX, INT_MIN};

    for (size_t i = 0; i < COUNT_OF(runs); ++i)
        for (int j = 0; j < 20 && runs[i].names[j] != NULL; ++j)
            assert_string_equal(clscan_cl_error_name(runs[i].first - j), runs[i].names[j]);
    for (size_t i = 0; i < COUNT_OF(unknown); ++i)
        assert_string_equal(clscan_cl_error_name(unknown[i]), "CL_UNKNOWN_ERROR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(environment_sets_the_level), /* first: see there */
        cmocka_unit_test(callback_receives_lines_up_to_the_level),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(places_meet_where_bytes_do),
        cmocka_unit_test(places_of_large_tensors_meet),
        cmocka_unit_test(sums_and_products_that_do_not_fit_are_told),
        cmocka_unit_test(small_integer_helpers),
        cmocka_unit_test(text_grows),
        cmocka_unit_test(text_is_terminated_at_every_length),
        cmocka_unit_test(empty_text_is_a_string),
        cmocka_unit_test(failed_text_stays_failed),
        cmocka_unit_test_setup_teardown(files_are_read_whole, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(too_large_files_are_not_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_no_file_is_refused, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(folders_are_listed_by_name, make_folder, remove_folder),
        cmocka_unit_test(folders_that_cannot_be_opened_are_errors),
        cmocka_unit_test(users_folder_follows_the_environment),
        cmocka_unit_test(errors_hold_status_and_message),
        cmocka_unit_test(statements_that_try_go_through_cleanup),
        cmocka_unit_test(statuses_have_names_and_messages),
        cmocka_unit_test(unknown_statuses_are_named_so),
        cmocka_unit_test(opencl_codes_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
