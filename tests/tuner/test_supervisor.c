/* The supervisor against workers that hang, crash, flood and lie. Started with --fake this program is such a worker. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "cmocka_all.h"
#include "common/clock.h"
#include "fake_worker.h"
#include "record/journal.h"
#include "search/search.h"
#include "temporary_folder.h"
#include "work/live.h"
#include "work/process.h"
#include "work/timer.h"

#define COUNT 1000 /* where the fake ones misbehave */
#define SMALL_COUNT 10

static volatile sig_atomic_t interrupted;

typedef struct bench {
    char *folder;
    tune_live *live;
    tune_evaluator evaluator;
} bench;

static tune_trial question(fake how, uint64_t count)
{
    return (tune_trial){.target = tune_target_of(CLSCAN_INT32, CLSCAN_ADD),
                        .variant = {.carry = CLSCAN_CARRY_SINGLE,
                                    .work_group_size = 1,
                                    .vector_length = 1,
                                    .register_pieces = how,
                                    .local_pieces = 1},
                        .count = count};
}

static tune_trial ask(bench *b, fake how, uint64_t count)
{
    tune_trial trial = question(how, count);

    b->evaluator.evaluate(b->evaluator.self, &trial);
    return trial;
}

static void expect_good(bench *b)
{
    const tune_trial trial = ask(b, FAKE_good, COUNT);

    assert_string_equal(trial.reason, "");
    assert_int_equal(trial.outcome, TUNE_OUTCOME_CORRECT);
    assert_true(trial.time_ns > 0);
    assert_string_equal(b->evaluator.broken(b->evaluator.self), "");
}

static void open_live(bench *b, int ahead)
{
    const char *const command[] = {"/proc/self/exe", "--fake", b->folder, NULL};
    tune_live_options options = {
        .command = command, .ahead = ahead, .interrupted = &interrupted, .probes = 3, .probe_pause_ms = 10};
    clscan_error error = {0};

    for (int kind = 0; kind < TUNE_REQUEST_COUNT; ++kind)
        options.deadline_ms[kind] = 5000;
    options.deadline_ms[TUNE_REQUEST_COMPILE] = 1000;
    if (tune_live_open(&options, &b->live, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    b->evaluator = tune_live_evaluator(b->live);
    expect_good(b); /* sets the pace, so that a hang costs a fifth of the deadline */
}

static int set_up(void **state)
{
    bench *b = calloc(1, sizeof *b);

    b->folder = temporary_folder_create();
    open_live(b, 0);
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    bench *b = *state;

    tune_live_close(b->live);
    temporary_folder_remove(b->folder);
    free(b);
    return 0;
}

/* One lost trial for each, with the right class; afterwards all is well. */
static void every_misbehaviour_costs_one_trial(void **state)
{
    static const struct {
        fake how;
        tune_outcome outcome;
        const char *in_reason;
        bool replaced; /* does another process answer afterwards? */
    } rows[] = {
        {FAKE_good, TUNE_OUTCOME_CORRECT, "", false},
        {FAKE_noisy, TUNE_OUTCOME_CORRECT, "", false},
        {FAKE_hang, TUNE_OUTCOME_TIMEOUT, "measure: no answer within", true},
        {FAKE_crash, TUNE_OUTCOME_RUNTIME, "signal 11", true},
        {FAKE_leave, TUNE_OUTCOME_RUNTIME, "exited with code 0", true},
        {FAKE_leave_child, TUNE_OUTCOME_RUNTIME, "exited with code 0", true},
        {FAKE_wrong, TUNE_OUTCOME_CORRECTNESS, "element 7", true},
        {FAKE_out_of_memory, TUNE_OUTCOME_RUNTIME, "CL_OUT_OF_RESOURCES", true},
        {FAKE_zero_time, TUNE_OUTCOME_RUNTIME, "timer", false},
        {FAKE_fast_time, TUNE_OUTCOME_RUNTIME, "timer", false},
        {FAKE_slow_host, TUNE_OUTCOME_RUNTIME, "timer", false},
        {FAKE_flood, TUNE_OUTCOME_RUNTIME, "without end", true},
        {FAKE_flood_lines, TUNE_OUTCOME_RUNTIME, "not for you", true},
        {FAKE_flood_errors, TUNE_OUTCOME_CORRECT, "", false},
        {FAKE_garbage, TUNE_OUTCOME_RUNTIME, "Segmentation fault (not really)", true},
        {FAKE_other_answer, TUNE_OUTCOME_RUNTIME, "another question", true},
        {FAKE_no_outcome, TUNE_OUTCOME_RUNTIME, "outcome", true},
        {FAKE_half_line, TUNE_OUTCOME_TIMEOUT, "measure: no answer within", true},
        {FAKE_refuse, TUNE_OUTCOME_COMPILE, "too many registers", false},
        {FAKE_crash_compiling, TUNE_OUTCOME_COMPILE, "LLVM ERROR: out of luck", true},
        {FAKE_hang_compiling, TUNE_OUTCOME_TIMEOUT, "compile: no answer within", true},
        {FAKE_dies_at_times, TUNE_OUTCOME_CORRECT, "", false},
        {FAKE_stops_at_times, TUNE_OUTCOME_CORRECT, "", false},
    };
    bench *b = *state;

    assert_int_equal(sizeof rows / sizeof rows[0], FAKE_COUNT);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const tune_trial before = ask(b, FAKE_good, COUNT);
        const tune_trial trial = ask(b, rows[i].how, COUNT);
        const tune_trial after = ask(b, FAKE_good, COUNT);

        if (trial.outcome != rows[i].outcome || strstr(trial.reason, rows[i].in_reason) == NULL)
            fail_msg("row %zu: %s: %s", i, tune_outcome_name(trial.outcome), trial.reason);
        if ((before.private_bytes != after.private_bytes) != rows[i].replaced)
            fail_msg("row %zu: the worker was %sreplaced", i, rows[i].replaced ? "not " : "");
        expect_good(b);
    }
}

static void noise_is_reported(void **state)
{
    const tune_trial trial = ask(*state, FAKE_noisy, COUNT);

    assert_int_equal(trial.outcome, TUNE_OUTCOME_CORRECT);
    assert_true(trial.spread_ns > 0.29 * trial.time_ns);
}

/* What is known is not tried again: these would cost a second each. */
static void a_verdict_holds_where_it_must(void **state)
{
    bench *b = *state;
    uint64_t begin;

    assert_int_equal(ask(b, FAKE_wrong, SMALL_COUNT).outcome, TUNE_OUTCOME_CORRECT);
    assert_int_equal(ask(b, FAKE_wrong, COUNT).outcome, TUNE_OUTCOME_CORRECTNESS);
    assert_int_equal(ask(b, FAKE_wrong, SMALL_COUNT + 1).outcome, TUNE_OUTCOME_CORRECTNESS); /* wrong anywhere: never */
    assert_int_equal(ask(b, FAKE_hang, COUNT).outcome, TUNE_OUTCOME_TIMEOUT);
    assert_int_equal(ask(b, FAKE_hang, SMALL_COUNT).outcome, TUNE_OUTCOME_CORRECT);
    begin = clscan__now_ns();
    assert_int_equal(ask(b, FAKE_hang, 2 * COUNT).outcome, TUNE_OUTCOME_TIMEOUT);
    assert_int_equal(ask(b, FAKE_hang_compiling, COUNT).outcome, TUNE_OUTCOME_TIMEOUT);
    assert_int_equal(ask(b, FAKE_hang_compiling, COUNT).outcome, TUNE_OUTCOME_TIMEOUT);
    assert_true(clscan__now_ns() - begin < UINT64_C(1900000000));
}

/* A worker compiles a candidate once, for several counts. */
static void every_trial_knows_its_kernels(void **state)
{
    static const uint64_t counts[] = {COUNT, SMALL_COUNT, COUNT};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        assert_string_equal(ask(*state, FAKE_noisy, counts[i]).revision, FAKE_REVISION);
}

static void what_the_search_notes_is_left_alone(void **state)
{
    bench *b = *state;
    tune_trial trial = question(FAKE_good, COUNT);

    trial.in_place = true;
    trial.started_s = 1.5;
    b->evaluator.evaluate(b->evaluator.self, &trial);
    assert_int_equal(trial.outcome, TUNE_OUTCOME_CORRECT);
    assert_true(trial.in_place && trial.started_s == 1.5);
}

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* A trial that hangs is cut off by an interrupt, and by the end of the time for the search. */
static void a_trial_is_cut_off(void **state)
{
    bench *b = *state;
    const uint64_t begin = clscan__now_ns();
    const struct sigaction action = {.sa_handler = interrupt};
    const struct itimerval soon = {.it_value.tv_usec = 200000};
    tune_trial trial;

    tune_live_set_end(b->live, b->evaluator.elapsed_s(b->evaluator.self) + 0.2);
    trial = ask(b, FAKE_hang, COUNT);
    assert_int_equal(trial.outcome, TUNE_OUTCOME_TIMEOUT);
    assert_non_null(strstr(trial.reason, "cut off"));
    tune_live_set_end(b->live, 0);
    assert_int_equal(ask(b, FAKE_hang, SMALL_COUNT).outcome, TUNE_OUTCOME_CORRECT);
    trial = ask(b, FAKE_hang, COUNT); /* that it was cut off is no verdict */
    assert_non_null(strstr(trial.reason, "no answer within"));
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    trial = ask(b, FAKE_half_line, COUNT);
    assert_int_equal(trial.outcome, TUNE_OUTCOME_TIMEOUT);
    assert_non_null(strstr(trial.reason, "interrupted"));
    tune_live_set_end(b->live, 0.001);
    trial = question(FAKE_good, COUNT + 1);
    b->evaluator.soak(b->evaluator.self, &trial, 10); /* what will be written is still soaked */
    assert_int_equal(trial.outcome, TUNE_OUTCOME_CORRECT);
    interrupted = 0;
    tune_live_set_end(b->live, 0);
    expect_good(b);
    assert_true(clscan__now_ns() - begin < UINT64_C(2900000000)); /* each of the three would take more than a second */
}

static void soaking_fails_like_measuring(void **state)
{
    bench *b = *state;
    tune_trial trial = ask(b, FAKE_good, COUNT);

    b->evaluator.soak(b->evaluator.self, &trial, 1000);
    assert_int_equal(trial.outcome, TUNE_OUTCOME_CORRECT);
    assert_true(trial.time_ns > 0);
    trial = question(FAKE_crash, COUNT);
    b->evaluator.soak(b->evaluator.self, &trial, 1000);
    assert_int_equal(trial.outcome, TUNE_OUTCOME_RUNTIME);
    expect_good(b);
}

static void let_probes_fail(bench *b, const char *text)
{
    temporary_folder_write(b->folder, FAKE_PROBES, text, strlen(text));
}

static void a_device_that_comes_back_is_waited_for(void **state)
{
    bench *b = *state;

    let_probes_fail(b, "2\n");
    assert_int_equal(ask(b, FAKE_hang, COUNT).outcome, TUNE_OUTCOME_TIMEOUT);
    expect_good(b);
}

static void a_device_that_does_not_come_back_ends_the_tuning(void **state)
{
    bench *b = *state;
    tune_trial trial;

    let_probes_fail(b, "1000\n");
    assert_int_equal(ask(b, FAKE_hang, COUNT).outcome, TUNE_OUTCOME_TIMEOUT); /* true of the candidate */
    assert_string_not_equal(b->evaluator.broken(b->evaluator.self), "");
    trial = ask(b, FAKE_good, COUNT);
    assert_int_equal(trial.outcome, TUNE_OUTCOME_RUNTIME);
    assert_string_equal(trial.reason, b->evaluator.broken(b->evaluator.self));
}

static void no_search(tune_search *search)
{
    (void)search;
}

/* What a search that tries the defaults alone says of the default `how`, which misbehaves so many times. */
static tune_trial search_default(bench *b, fake how, const char *times, const char *journal_path, bool resumed)
{
    static const tune_strategy strategy = {"none", "", no_search};
    static const uint64_t counts[] = {COUNT};
    const clscan_variant defaults[] = {question(how, COUNT).variant};
    tune_header header = {.device = *tune_live_device(b->live), .seed = 1};
    tune_space space;
    tune_search_setup setup = {.target = question(how, COUNT).target,
                               .space = &space,
                               .counts = counts,
                               .count_count = 1,
                               .defaults = defaults,
                               .evaluator = &b->evaluator};
    tune_search *search;
    tune_trial trial;
    clscan_error error = {0};

    temporary_folder_write(b->folder, FAKE_TIMES, times, strlen(times));
    snprintf(header.clscan_version, sizeof header.clscan_version, "0.1.0");
    assert_int_equal(tune_header_add(&header, &setup.target, counts, defaults, 1, &error), CLSCAN_OK);
    if (resumed)
        assert_int_equal(tune_journal_resume(journal_path, &setup.journal, &error), CLSCAN_OK);
    else
        assert_int_equal(tune_journal_create(journal_path, &header, &setup.journal, &error), CLSCAN_OK);
    assert_int_equal(tune_space_create(&space, TUNE_SPACE_DEFAULT, NULL, &(tune_target){.type = CLSCAN_INT32},
                                       &header.device, &error),
                     CLSCAN_OK);
    assert_int_equal(tune_search_create(&setup, &search, &error), CLSCAN_OK);
    assert_int_equal(tune_search_run(search, &strategy, &error), CLSCAN_OK);
    trial = *tune_search_default(search, 0);
    tune_search_destroy(search);
    tune_space_free(&space);
    tune_header_free(&header);
    tune_journal_close(setup.journal);
    return trial;
}

/* Else anything that works would be faster than it. */
static void a_default_without_an_answer_is_tried_again(void **state)
{
    static const fake lost[] = {FAKE_dies_at_times, FAKE_stops_at_times};
    bench *b = *state;

    for (size_t i = 0; i < 2; ++i) {
        char *once = temporary_folder_path(b->folder, i == 0 ? "a" : "b");
        char *often = temporary_folder_path(b->folder, i == 0 ? "c" : "d");
        tune_trial trial = search_default(b, lost[i], "1\n", once, false);

        assert_string_equal(trial.reason, "");
        assert_int_equal(trial.outcome, TUNE_OUTCOME_CORRECT);
        trial = search_default(b, lost[i], "1000\n", often, false);
        assert_int_not_equal(trial.outcome, TUNE_OUTCOME_CORRECT);
        assert_true(tune_trial_is_unmeasured(&trial));
        assert_non_null(strstr(trial.reason, i == 0 ? "signal 9" : "stopped"));
        trial = search_default(b, lost[i], "0\n", often, true);
        assert_int_equal(trial.outcome, TUNE_OUTCOME_CORRECT);
        assert_false(tune_trial_is_unmeasured(&trial));
        free(once);
        free(often);
    }
}

static void what_goes_wrong_ahead_does_no_harm(void **state)
{
    bench *b = *state;
    const tune_target target = tune_target_of(CLSCAN_INT32, CLSCAN_ADD);
    clscan_variant variants[FAKE_COUNT];

    for (int how = 0; how < FAKE_COUNT; ++how)
        variants[how] = question((fake)how, COUNT).variant;
    tune_live_close(b->live);
    open_live(b, 3);
    b->evaluator.announce(b->evaluator.self, &target, variants, FAKE_COUNT);
    for (int i = 0; i < 10; ++i)
        expect_good(b);
    b->evaluator.announce(b->evaluator.self, &target, variants, FAKE_COUNT);
    assert_int_equal(ask(b, FAKE_crash_compiling, COUNT).outcome, TUNE_OUTCOME_COMPILE);
    expect_good(b);
}

static unsigned count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    unsigned count = 0;

    assert_non_null(folder);
    while (readdir(folder) != NULL)
        ++count;
    closedir(folder);
    return count;
}

static void nothing_is_left_behind(void **state)
{
    bench *b = *state;
    unsigned before;

    tune_live_close(b->live);
    b->live = NULL;
    before = count_descriptors();
    open_live(b, 2);
    (void)ask(b, FAKE_crash, COUNT);
    (void)ask(b, FAKE_leave_child, COUNT);
    (void)ask(b, FAKE_hang, COUNT);
    tune_live_close(b->live);
    b->live = NULL;
    assert_int_equal(count_descriptors(), before);
    assert_true(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

static void a_worker_that_cannot_start_is_an_error(void **state)
{
    const char *const commands[][2] = {{"/no/such/program", NULL}, {"/bin/false", NULL}};

    (void)state;
    for (size_t i = 0; i < 2; ++i) {
        const tune_live_options options = {.command = commands[i], .probes = 1};
        tune_live *live = NULL;
        clscan_error error = {0};

        assert_int_equal(tune_live_open(&options, &live, &error), CLSCAN_ERROR_NO_DEVICE);
        assert_string_not_equal(error.message, "");
        assert_null(live);
    }
}

static void writing_to_one_that_does_not_read_ends_at_the_deadline(void **state)
{
    const char *const command[] = {"/bin/sleep", NULL};
    static char text[1 << 20];
    tune_process process;

    (void)state;
    memset(text, 'x', sizeof text);
    assert_true(tune_process_start(&process, command, "1000"));
    assert_false(tune_process_write(&process, text, sizeof text, clscan__now_ns() + 50000000));
    tune_process_stop(&process, false);
    assert_int_equal(process.pid, 0);
}

static void times_must_be_possible(void **state)
{
    static const struct {
        double time_ns, host_ns, copy_ns;
        bool possible;
    } rows[] = {
        {1e6, 1.05e6, 0.9e6, true}, {1e6, 1.05e6, 1.4e6, true}, {1e6, 1.05e6, 1.6e6, false},
        {0, 1e6, 1e6, false},       {1e6, 2e6, 1e6, true},      {1e6, 4e6, 1e6, false},
        {1e6, 0.9e6, 1e6, true},    {1e6, 0.5e6, 1e6, false},   {2e3, 100e3, 6e3, true}, /* launches dominate */
        {1e6, 1e6, 1.6e6, true},    {1e6, 0, 1e6, false},       {1e6, 1e6, 0, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        tune_trial trial = {.time_ns = rows[i].time_ns, .host_time_ns = rows[i].host_ns, .copy_ns = rows[i].copy_ns};

        if (tune_timer_check(&trial) != rows[i].possible)
            fail_msg("row %zu: %s", i, trial.reason);
        assert_int_equal(trial.outcome, rows[i].possible ? TUNE_OUTCOME_CORRECT : TUNE_OUTCOME_RUNTIME);
    }
}

int main(int argc, char **argv)
{
#define WITH_LIVE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_LIVE(every_misbehaviour_costs_one_trial),
        WITH_LIVE(noise_is_reported),
        WITH_LIVE(a_verdict_holds_where_it_must),
        WITH_LIVE(every_trial_knows_its_kernels),
        WITH_LIVE(what_the_search_notes_is_left_alone),
        WITH_LIVE(a_trial_is_cut_off),
        WITH_LIVE(soaking_fails_like_measuring),
        WITH_LIVE(a_device_that_comes_back_is_waited_for),
        WITH_LIVE(a_device_that_does_not_come_back_ends_the_tuning),
        WITH_LIVE(a_default_without_an_answer_is_tried_again),
        WITH_LIVE(what_goes_wrong_ahead_does_no_harm),
        WITH_LIVE(nothing_is_left_behind),
        cmocka_unit_test(a_worker_that_cannot_start_is_an_error),
        cmocka_unit_test(writing_to_one_that_does_not_read_ends_at_the_deadline),
        cmocka_unit_test(times_must_be_possible),
    };

    if (argc > 2 && strcmp(argv[1], "--fake") == 0)
        return fake_worker_run(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
