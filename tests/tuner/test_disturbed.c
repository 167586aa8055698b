/* Whole runs of the tuner whose workers are killed, stopped and slowed, whose disk is full, that meet another one, and
 * that are killed themselves. Times come from a formula, so whether a config is slower than what served before is known
 * exactly. Started with --tune this program is a tuner, with --worker one of its workers. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "command/run.h"
#include "command/settings.h"
#include "problem_of.h"
#include "synthetic.h"
#include "temporary_folder.h"
#include "trial/trial.h"
#include "work/process.h"
#include "work/protocol.h"

/* What a worker does at some of all measurements of a test, which are numbered from 1 by a file that grows. */
#define ENVIRONMENT "CLSCAN_TEST_DISTURBANCE" /* KIND FIRST LAST EVERY FILE */
#define FILE_LIMIT "CLSCAN_TEST_FILE_BYTES"   /* that files may have */
#define SLOWER 5.0

typedef struct disturbance {
    const char *kind; /* "none", "kill", "stop", "slow": the worker; "parent": kills the tuner */
    unsigned first, last, every;
} disturbance;

static const uint64_t counts[] = {1 << 12, 1 << 20, 1 << 26};
#define COUNTS (sizeof counts / sizeof counts[0])

/* ---- The worker ---- */

static unsigned number_measurement(const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct stat about = {.st_size = 0};

    if (file < 0 || write(file, ".", 1) != 1 || fstat(file, &about) != 0)
        exit(EXIT_FAILURE);
    close(file);
    return (unsigned)about.st_size;
}

/* How many times slower than ever the measurement is. */
static double disturb(void)
{
    char kind[16] = "none", path[1024] = "";
    unsigned first = 0, last = 0, every = 1, number;

    if (sscanf(getenv(ENVIRONMENT), "%15s %u %u %u %1023[^\n]", kind, &first, &last, &every, path) != 5)
        exit(EXIT_FAILURE);
    number = number_measurement(path);
    if (number < first || number > last || (number - first) % every != 0)
        return 1;
    if (strcmp(kind, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(kind, "stop") == 0)
        raise(SIGSTOP);
    if (strcmp(kind, "parent") == 0) {
        const struct timespec moment = {.tv_nsec = 1000000};
        const pid_t tuner = getppid();

        kill(tuner, SIGKILL);
        while (getppid() == tuner) /* nothing must be answered */
            nanosleep(&moment, NULL);
        _exit(EXIT_SUCCESS);
    }
    return strcmp(kind, "slow") == 0 ? SLOWER : 1;
}

static void measure(tune_trial *trial)
{
    const double slower = disturb();

    trial->time_ns = slower * synthetic_time_ns(&synthetic_gpu, &trial->target, &trial->variant, trial->count);
    trial->host_time_ns = trial->time_ns;
    trial->copy_ns = slower * (synthetic_gpu.launch_ns + 2.0 * (double)trial->count * trial->target.element_size_bytes /
                                                             synthetic_gpu.bytes_per_ns);
    trial->runs = 11;
}

static int work(void)
{
    char *line = malloc(TUNE_LINE_BYTES);

    alarm(60); /* a worker must not outlive a test that fails */
    while (line != NULL && fgets(line, (int)TUNE_LINE_BYTES, stdin) != NULL) {
        tune_request request = {0};
        tune_answer answer = {0};
        clscan_device_info device = synthetic_gpu.info;
        char *text;

        if (tune_request_read(line, &request, NULL) != CLSCAN_OK)
            return EXIT_FAILURE;
        answer.id = request.id;
        answer.trial = request.about;
        if (request.kind == TUNE_REQUEST_DESCRIBE) {
            answer.devices = &device;
            answer.device_count = 1;
        }
        if (request.kind == TUNE_REQUEST_MEASURE)
            measure(&answer.trial);
        text = tune_answer_write(&answer);
        if (fputs(text, stdout) == EOF || fflush(stdout) != 0)
            return EXIT_FAILURE;
        free(text);
    }
    free(line);
    return EXIT_SUCCESS;
}

/* ---- The tuner ---- */

static int tune(int argc, char **argv)
{
    static volatile sig_atomic_t interrupted;
    tune_settings settings;
    clscan_error error = {0};
    int exit_code;

    if (getenv(FILE_LIMIT) != NULL) {
        const rlim_t bytes = (rlim_t)strtoull(getenv(FILE_LIMIT), NULL, 10);

        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, bytes});
    }
    if (!tune_settings_read(argc, argv, &settings, &exit_code))
        return exit_code;
    if (tune_run(&settings, &interrupted, &error) == CLSCAN_OK)
        return EXIT_SUCCESS;
    fprintf(stderr, "%s\n", error.message);
    return EXIT_FAILURE;
}

/* ---- The test ---- */

typedef struct place {
    char *folder, *config, *journal, *numbers;
} place;

static place make_place(void)
{
    place p = {.folder = temporary_folder_create()};

    p.config = temporary_folder_path(p.folder, "tuned.json");
    p.journal = temporary_folder_path(p.folder, "run.jsonl");
    p.numbers = temporary_folder_path(p.folder, "numbers");
    return p;
}

static void remove_place(place *p)
{
    free(p->config);
    free(p->journal);
    free(p->numbers);
    temporary_folder_remove(p->folder);
}

static pid_t start(const place *p, const disturbance *how, const char *const *more, const char *journal)
{
    static const char only[] = "body=strided|coalesced,group_scan=kogge_stone,work_group_size=64:256,vector_length=1|4,"
                               "register_pieces=0|1|4,local_pieces=0|1,thread_group_size=32,work_groups_per_unit=4|16,"
                               "tiles_per_work_group=1,poll_delay=0";
    const char *fresh[] = {"--types",        "int32",  "--classes", "builtin", "--sizes",
                           "2^12,2^20,2^26", "--seed", "7",         "--only",  only,
                           "--soak",         "3",      "--trials",  "60",      NULL};
    const char *words[40] = {"/proc/self/exe", "--tune",  "--budget",  "10s",  "--compilers", "0",
                             "--output",       p->config, "--journal", journal};
    size_t count = 10;
    char text[1200];
    pid_t child;

    for (size_t i = 0; more == NULL && fresh[i] != NULL; ++i)
        words[count++] = fresh[i];
    for (size_t i = 0; more != NULL && more[i] != NULL; ++i)
        words[count++] = more[i];
    snprintf(text, sizeof text, "%s %u %u %u %s", how->kind, how->first, how->last, how->every, p->numbers);
    setenv(ENVIRONMENT, text, 1);
    setenv("HOME", p->folder, 1);
    setenv("XDG_RUNTIME_DIR", p->folder, 1);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CACHE_HOME");
    child = fork();
    if (child == 0) {
        const int quiet = open("/dev/null", O_WRONLY);

        dup2(quiet, STDOUT_FILENO);
        dup2(quiet, STDERR_FILENO);
        execv(words[0], (char *const *)words);
        _exit(127);
    }
    assert_true(child > 0);
    return child;
}

/* The exit code; -1: it was killed. */
static int finish(pid_t child)
{
    int status = 0;

    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static unsigned measured(const place *p)
{
    struct stat about;

    return stat(p->numbers, &about) == 0 ? (unsigned)about.st_size : 0;
}

static double time_of(const clscan_config *config, uint64_t count)
{
    const tune_target target = tune_target_of(CLSCAN_INT32, CLSCAN_ADD);
    clscan_choice choice = {.struct_size = sizeof choice};

    assert_int_equal(clscan_config_explain(config, &synthetic_gpu.info, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), count, 0,
                                           &choice, NULL),
                     CLSCAN_OK);
    return synthetic_time_ns(&synthetic_gpu, &target, &choice.variant, count);
}

/* At how many counts is the config faster than what serves without it? It must be slower at none. */
static size_t count_gains(const place *p, const char *what)
{
    clscan_config *config = NULL;
    size_t gains = 0;

    if (access(p->config, F_OK) != 0)
        return 0;
    assert_int_equal(clscan_config_load(p->config, &config, NULL), CLSCAN_OK);
    for (size_t i = 0; i < COUNTS; ++i) {
        const double before_ns = time_of(NULL, counts[i]), now_ns = time_of(config, counts[i]);

        if (now_ns > before_ns)
            fail_msg("%s: at %" PRIu64 " the config takes %.0f ns, before it was %.0f", what, counts[i], now_ns,
                     before_ns);
        gains += now_ns < 0.95 * before_ns;
    }
    clscan_config_destroy(config);
    return gains;
}

/* Trials that were started and did not end, and such as ended twice with an answer. */
static size_t count_lost(const place *p, size_t *repeated)
{
    FILE *file = fopen(p->journal, "r");
    json_t *started = json_object(), *finished = json_object();
    char line[1 << 16];
    size_t lost = 0;
    const char *key;
    json_t *unused;

    *repeated = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        json_t *object = json_loads(line, 0, NULL);
        const char *kind = json_object_iter_key(json_object_iter(object));
        const json_t *trial = json_object_get(object, kind != NULL ? kind : "");
        char name[600];

        snprintf(name, sizeof name, "%s %lld", json_string_value(json_object_get(trial, "variant")),
                 (long long)json_integer_value(json_object_get(trial, "count")));
        if (kind != NULL && strcmp(kind, "started") == 0)
            json_object_set_new(started, name, json_true());
        if (kind != NULL && strcmp(kind, "finished") == 0) {
            *repeated += json_object_get(finished, name) != NULL;
            json_object_set_new(finished, name, json_true());
        }
        json_decref(object);
    }
    fclose(file);
    json_object_foreach(started, key, unused) lost += json_object_get(finished, key) == NULL;
    json_decref(started);
    json_decref(finished);
    return lost;
}

static const disturbance undisturbed = {"none", 0, 0, 1};
static const char *const resume[] = {"--resume", "--trials", "60", "--soak", "3", NULL};

static void workers_are_disturbed(void **state)
{
    static const struct {
        disturbance how;
        bool gains; /* something is found all the same */
    } rows[] = {
        {{"none", 0, 0, 1}, true},
        {{"kill", 1, 1, 1}, true},  /* the default of the first count */
        {{"kill", 2, 2, 1}, true},  /* of the second one */
        {{"kill", 1, 3, 1}, true},  /* the first one, as often as it is tried */
        {{"kill", 1, 9, 1}, false}, /* all of them */
        {{"kill", 5, 1000, 7}, true},
        {{"kill", 60, 1000, 3}, false}, /* most of all in the last comparison */
        {{"stop", 2, 2, 1}, true},
        {{"slow", 1, 3, 1}, true}, /* the defaults */
        {{"slow", 1, 30, 1}, true},
        {{"slow", 60, 90, 1}, true}, /* the end of the search and the beginning of the comparison */
        {{"slow", 1, 1000, 4}, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        place p = make_place();
        char what[64];
        size_t gains;

        snprintf(what, sizeof what, "%s %u to %u, every %u", rows[i].how.kind, rows[i].how.first, rows[i].how.last,
                 rows[i].how.every);
        if (finish(start(&p, &rows[i].how, NULL, p.journal)) != EXIT_SUCCESS)
            fail_msg("%s: the run failed", what);
        gains = count_gains(&p, what);
        if (rows[i].gains && gains == 0)
            fail_msg("%s: nothing was gained", what);
        assert_true(measured(&p) >= rows[i].how.first); /* it happened */
        remove_place(&p);
    }
}

/* It is killed nine times, at every tenth of its measurements, and resumed each time. */
static void the_tuner_is_killed_again_and_again(void **state)
{
    place p = make_place();
    disturbance how = {.kind = "parent"};
    size_t kills = 0, lost, repeated;
    int code;

    (void)state;
    assert_int_equal(finish(start(&p, &undisturbed, NULL, p.journal)), EXIT_SUCCESS);
    how.first = how.every = measured(&p) / 10;
    how.last = 9 * how.every;
    remove_place(&p);

    p = make_place();
    code = finish(start(&p, &how, NULL, p.journal));
    while (code == -1) {
        assert_true(++kills <= 9);
        (void)count_gains(&p, "killed");
        lost = count_lost(&p, &repeated);
        assert_true(lost <= 1 && repeated == 0);
        code = finish(start(&p, &how, resume, p.journal));
    }
    assert_int_equal(code, EXIT_SUCCESS);
    assert_int_equal(kills, 9);
    assert_true(count_gains(&p, "resumed") > 0);
    assert_true(count_lost(&p, &repeated) <= 1 && repeated == 0);
    remove_place(&p);
}

/* The disk takes so much and no more; then there is room again. */
static void the_disk_is_full(void **state)
{
    static const char *const limits[] = {"1000", "66000", "70000"};

    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        place p = make_place();
        int code;

        setenv(FILE_LIMIT, limits[i], 1);
        code = finish(start(&p, &undisturbed, NULL, p.journal));
        unsetenv(FILE_LIMIT);
        (void)count_gains(&p, "disk full");
        if (i == 0)
            assert_true(code == EXIT_FAILURE &&
                        access(p.journal, F_OK) != 0); /* that is known before the first trial */
        if (code != EXIT_SUCCESS && access(p.journal, F_OK) == 0)
            assert_int_equal(finish(start(&p, &undisturbed, resume, p.journal)), EXIT_SUCCESS);
        assert_true(i == 0 || count_gains(&p, "room again") > 0);
        remove_place(&p);
    }
}

/* The second one waits for the first one, and finds what it wrote. */
static void two_tuners_at_once(void **state)
{
    static const char *const waits[] = {"--types",        "int32",    "--classes", "builtin", "--sizes",
                                        "2^12,2^20,2^26", "--trials", "60",        "--soak",  "3",
                                        "--seed",         "8",        "--wait",    NULL};
    place p = make_place();
    char *other = temporary_folder_path(p.folder, "other.jsonl");
    const pid_t one = start(&p, &undisturbed, NULL, p.journal), two = start(&p, &undisturbed, waits, other);

    (void)state;
    assert_int_equal(finish(one), EXIT_SUCCESS);
    assert_int_equal(finish(two), EXIT_SUCCESS);
    assert_true(count_gains(&p, "two at once") > 0);
    free(other);
    remove_place(&p);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_are_disturbed),
        cmocka_unit_test(the_tuner_is_killed_again_and_again),
        cmocka_unit_test(the_disk_is_full),
        cmocka_unit_test(two_tuners_at_once),
    };

    if (argc > 1 && strcmp(argv[1], "--worker") == 0)
        return work();
    if (argc > 1 && strcmp(argv[1], "--tune") == 0)
        return tune(argc - 1, argv + 1);
    unsetenv("CLSCAN_CONFIG");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
