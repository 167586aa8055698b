/* The journal: what is written can be gone on with, wherever the process was killed; and logs are replayed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "config_file/axes.h"
#include "output/classes.h"
#include "record/journal.h"
#include "record/replay.h"
#include "rig.h"
#include "search/decide.h"
#include "space/random.h"
#include "temporary_folder.h"

/* Each is put on the disk, which may be slow. */
#define MOST_TRIALS 90

static clscan_error last_error;
/* Of the last call of tune(): how often the device was asked, and the fastest variant at the smallest count. */
static unsigned last_asked;
static clscan_variant last_best;
static const clscan_variant *fails_again; /* for the next ones */

static char *read_journal(size_t *size_bytes)
{
    FILE *file = fopen(temporary_file.path, "rb");
    char *text = malloc(1 << 22);

    assert_non_null(file);
    *size_bytes = fread(text, 1, 1 << 22, file);
    fclose(file);
    return text;
}

/* Start or go on, run, and close. Returns the entries that come out, as text. */
static char *tune(const synthetic_machine *machine, const char *only, const char *strategy)
{
    rig r;
    tune_header header;
    tune_decision decision;
    clscan__document entries = synthetic_config;
    char *text, *config = temporary_folder_path(temporary_file.folder, "config.json");
    FILE *file;

    rig_prepare(&r, machine, only, CLSCAN_INT32, 7);
    r.setup.max_trials = MOST_TRIALS;
    r.run.fails_again = fails_again;
    header = rig_header(&r, only, strategy);
    if (tune_journal_resume(temporary_file.path, &r.setup.journal, &last_error) != CLSCAN_OK &&
        tune_journal_create(temporary_file.path, &header, &r.setup.journal, &last_error) != CLSCAN_OK)
        fail_msg("%s", last_error.message);
    rig_run(&r, strategy);
    assert_int_equal(tune_settle(r.search, 100, 1e9, &decision, &last_error), CLSCAN_OK);
    assert_int_equal(tune_decision_entries(&decision, &machine->info, &entries, &last_error), CLSCAN_OK);
    if (tune_config_write(config, &entries, &last_error) != CLSCAN_OK)
        fail_msg("%s", last_error.message);
    file = fopen(config, "rb");
    text = calloc(1, 65536);
    assert_true(fread(text, 1, 65535, file) > 100);
    fclose(file);
    last_asked = r.run.asked;
    last_best = tune_search_best(r.search, 0)->variant;
    tune_journal_close(r.setup.journal);
    tune_header_free(&header);
    clscan__document_free(&entries);
    free(config);
    rig_finish(&r);
    return text;
}

static void what_is_written_is_read(void **state)
{
    rig r;
    tune_header header;
    tune_journal *journal;

    (void)state;
    rig_prepare(&r, &synthetic_gpu, rig_tiny_space, CLSCAN_INT32, 1);
    header = rig_header(&r, rig_tiny_space, "exhaustive");
    assert_int_equal(tune_journal_create(temporary_file.path, &header, &r.setup.journal, &last_error), CLSCAN_OK);
    r.run.failing_percent = 30;
    rig_run(&r, "exhaustive");
    assert_int_equal(tune_search_soak(r.search, tune_search_best(r.search, 0), 10), TUNE_OUTCOME_CORRECT);
    tune_journal_close(r.setup.journal);

    assert_int_equal(tune_journal_read(temporary_file.path, &journal, &last_error), CLSCAN_OK);
    assert_int_equal(tune_header_matches(tune_journal_about(journal), &header, &last_error), CLSCAN_OK);
    assert_memory_equal(&tune_journal_about(journal)->device, &header.device, sizeof header.device);
    assert_int_equal(tune_journal_trials(journal)->count, tune_search_trial_count(r.search));
    for (size_t i = 0; i < tune_search_trial_count(r.search); ++i)
        assert_memory_equal(tune_journal_trials(journal)->trials[i], tune_search_trial(r.search, i),
                            sizeof(tune_trial));
    assert_non_null(tune_journal_find_soak(journal, tune_search_best(r.search, 0)));
    assert_true(tune_journal_elapsed_s(journal) >= tune_search_elapsed_s(r.search));
    tune_journal_close(journal);
    tune_header_free(&header);
    rig_finish(&r);
}

/* Finished trials in the first `size_bytes` of a journal. */
static size_t count_finished(const char *text, size_t size_bytes)
{
    static const char start[] = "{\"finished\"";
    size_t count = 0;

    for (const char *end; (end = memchr(text, '\n', size_bytes)) != NULL; text = end + 1) {
        count += strncmp(text, start, sizeof start - 1) == 0;
        size_bytes -= (size_t)(end + 1 - text);
    }
    return count;
}

static void a_journal_that_is_cut_after_any_byte_opens(void **state)
{
    char *text;
    size_t size_bytes, header_bytes;

    (void)state;
    free(tune(&synthetic_gpu, rig_tiny_space, "staged"));
    text = read_journal(&size_bytes);
    header_bytes = (size_t)(strchr(text, '\n') - text) + 1;
    size_bytes = header_bytes + 2500; /* a few trials */
    for (size_t cut = 0; cut <= size_bytes; ++cut) {
        tune_journal *journal = NULL;

        temporary_folder_write(temporary_file.folder, "run.jsonl", text, cut);
        assert_int_equal(tune_journal_resume(temporary_file.path, &journal, &last_error),
                         cut < header_bytes ? CLSCAN_ERROR_FILE : CLSCAN_OK);
        if (journal != NULL)
            assert_int_equal(tune_journal_trials(journal)->count, count_finished(text, cut));
        tune_journal_close(journal);
    }
    free(text);
}

/* Cut here and there, each time go on to the end: the same entries come out. */
static void a_journal_that_is_cut_anywhere_goes_on(void **state)
{
    char *whole = tune(&synthetic_gpu, rig_tiny_space, "staged"), *text;
    size_t size_bytes;

    (void)state;
    text = read_journal(&size_bytes);
    assert_true(size_bytes > 5000);
    for (size_t i = 0; i <= 12; ++i) {
        char *again;

        temporary_folder_write(temporary_file.folder, "run.jsonl", text,
                               i == 12 ? size_bytes : tune_mix(i) % size_bytes);
        again = tune(&synthetic_gpu, rig_tiny_space, "staged");
        assert_string_equal(again, whole);
        free(again);
    }
    free(text);
    free(whole);
}

/* What is in the journal, the last comparison included, is not measured again. */
static void a_journal_of_a_whole_run_answers_everything(void **state)
{
    char *first = tune(&synthetic_gpu, rig_tiny_space, "staged"), *second;

    (void)state;
    assert_true(last_asked > 10);
    second = tune(&synthetic_gpu, rig_tiny_space, "staged");
    assert_int_equal(last_asked, 0);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

/* What is wrong in the last comparison is chosen nowhere, in this run and in those that go on with its journal. */
static void the_journal_knows_what_failed_in_the_end(void **state)
{
    clscan_variant unsteady;
    size_t size_bytes;
    char *first, *second, *text;

    (void)state;
    free(tune(&synthetic_gpu, rig_tiny_space, "staged"));
    unsteady = last_best;
    unlink(temporary_file.path);
    fails_again = &unsteady;
    first = tune(&synthetic_gpu, rig_tiny_space, "staged");
    assert_false(clscan__variant_equal(&last_best, &unsteady));
    text = read_journal(&size_bytes);
    text[size_bytes] = '\0';
    assert_non_null(strstr(text, "element 5 should be 6, is 7"));
    fails_again = NULL;
    second = tune(&synthetic_gpu, rig_tiny_space, "staged");
    assert_false(clscan__variant_equal(&last_best, &unsteady));
    assert_int_equal(last_asked, 0);
    assert_string_equal(first, second);
    free(text);
    free(first);
    free(second);
}

static void interrupt_sometimes(void *user, const tune_search *search, const tune_trial *trial)
{
    rig *r = user;

    (void)trial;
    (void)search;
    if (tune_mix(r->run.asked + r->setup.seed) % 9 == 0)
        r->interrupted = 1;
}

/* A run that is ended again and again asks what the undisturbed one asks, and decides the same. */
static void a_run_in_many_parts_is_one_run(void **state)
{
    char *whole, *parts = NULL;
    unsigned pieces = 0;
    bool ended = false;

    (void)state;
    whole = tune(&synthetic_cpu, rig_reduced_space, "staged");
    unlink(temporary_file.path);
    while (!ended) {
        rig r;
        tune_header header;
        unsigned asked;

        rig_prepare(&r, &synthetic_cpu, rig_reduced_space, CLSCAN_INT32, 7);
        header = rig_header(&r, rig_reduced_space, "staged");
        if (tune_journal_resume(temporary_file.path, &r.setup.journal, &last_error) != CLSCAN_OK)
            assert_int_equal(tune_journal_create(temporary_file.path, &header, &r.setup.journal, &last_error),
                             CLSCAN_OK);
        r.setup.max_trials = MOST_TRIALS;
        r.setup.progress = interrupt_sometimes;
        r.setup.user = &r;
        rig_run(&r, "staged");
        asked = r.run.asked;
        ended = r.interrupted == 0;
        assert_true(asked > 0 || ended);
        tune_journal_close(r.setup.journal);
        tune_header_free(&header);
        rig_finish(&r);
        assert_true(++pieces < 1000);
    }
    assert_true(pieces > 3);
    parts = tune(&synthetic_cpu, rig_reduced_space, "staged");
    assert_string_equal(parts, whole);
    free(parts);
    free(whole);
}

static tune_journal *start(rig *r, tune_header *header)
{
    tune_journal *journal;

    rig_prepare(r, &synthetic_gpu, rig_tiny_space, CLSCAN_INT32, 1);
    *header = rig_header(r, rig_tiny_space, "staged");
    assert_int_equal(tune_journal_create(temporary_file.path, header, &journal, &last_error), CLSCAN_OK);
    return journal;
}

static void a_trial_that_was_started_twice_is_a_timeout(void **state)
{
    rig r;
    tune_header header;
    tune_journal *journal = start(&r, &header);
    const tune_trial deadly = {.target = r.setup.target, .variant = r.defaults[2], .count = rig_counts[2]};
    const tune_trial harmless = {.target = r.setup.target, .variant = r.defaults[1], .count = rig_counts[1]};
    const tune_trial *known;

    (void)state;
    assert_int_equal(tune_journal_started(journal, &deadly, &last_error), CLSCAN_OK);
    assert_int_equal(tune_journal_started(journal, &harmless, &last_error), CLSCAN_OK);
    tune_journal_close(journal);
    assert_int_equal(tune_journal_resume(temporary_file.path, &journal, &last_error), CLSCAN_OK);
    assert_int_equal(tune_journal_trials(journal)->count, 0); /* once may be bad luck */
    assert_int_equal(tune_journal_started(journal, &deadly, &last_error), CLSCAN_OK);
    assert_int_equal(tune_journal_started(journal, &harmless, &last_error), CLSCAN_OK);
    assert_int_equal(tune_journal_abandoned(journal, &harmless, &last_error), CLSCAN_OK); /* Ctrl-C */
    tune_journal_close(journal);
    assert_int_equal(tune_journal_resume(temporary_file.path, &journal, &last_error), CLSCAN_OK);
    assert_int_equal(tune_journal_trials(journal)->count, 1);
    known = tune_journal_trials(journal)->trials[0];
    assert_true(tune_trial_same_question(known, &deadly));
    assert_int_equal(known->outcome, TUNE_OUTCOME_TIMEOUT);
    assert_string_equal(known->reason, "started twice, never finished");

    r.setup.journal = journal;
    rig_run(&r, "staged");
    assert_int_equal(tune_search_default(r.search, 2)->outcome, TUNE_OUTCOME_TIMEOUT);
    assert_int_equal(tune_search_default(r.search, 1)->outcome, TUNE_OUTCOME_CORRECT);
    tune_journal_close(journal);
    tune_header_free(&header);
    rig_finish(&r);
}

/* A power cut may leave a last line of the right length and the wrong bytes. */
static void a_last_line_of_garbage_is_cut_off(void **state)
{
    rig r;
    tune_header header;
    tune_journal *journal = start(&r, &header);
    const tune_trial trial = {.target = r.setup.target, .variant = r.defaults[0], .count = 5, .time_ns = 1};
    size_t whole_bytes, size_bytes;
    char *text;

    (void)state;
    assert_int_equal(tune_journal_finished(journal, &trial, &last_error), CLSCAN_OK);
    tune_journal_close(journal);
    text = read_journal(&whole_bytes);
    memcpy(text + whole_bytes, "\0\0\0\0\0\0\n", 7);
    temporary_folder_write(temporary_file.folder, "run.jsonl", text, whole_bytes + 7);
    free(text);
    assert_int_equal(tune_journal_resume(temporary_file.path, &journal, &last_error), CLSCAN_OK);
    assert_int_equal(tune_journal_trials(journal)->count, 1);
    tune_journal_close(journal);
    free(read_journal(&size_bytes));
    assert_int_equal(size_bytes, whole_bytes);
    tune_header_free(&header);
    rig_finish(&r);
}

static void other_runs_are_refused_by_name(void **state)
{
    rig r;
    tune_header header, other;
    tune_journal *journal = start(&r, &header);
    static const struct {
        size_t offset_bytes;
        const char *named;
    } texts[] = {
        {offsetof(tune_header, device.key), "device"},
        {offsetof(tune_header, device.driver_version), "driver"},
        {offsetof(tune_header, device.platform_name), "platform"},
        {offsetof(tune_header, clscan_version), "version"},
        {offsetof(tune_header, space), "space"},
        {offsetof(tune_header, only), "restriction"},
        {offsetof(tune_header, strategy), "strategy"},
    };

    (void)state;
    assert_int_equal(tune_header_matches(tune_journal_about(journal), &header, &last_error), CLSCAN_OK);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        char *text = (char *)&header + texts[i].offset_bytes;
        const char first = text[0];

        text[0] = '#';
        assert_int_equal(tune_header_matches(tune_journal_about(journal), &header, &last_error),
                         CLSCAN_ERROR_INVALID_VALUE);
        assert_non_null(strstr(last_error.message, texts[i].named));
        text[0] = first;
    }
    assert_int_equal(tune_header_copy(&other, &header, &last_error), CLSCAN_OK);
    ++other.seed;
    assert_int_not_equal(tune_header_matches(&header, &other, &last_error), CLSCAN_OK);
    --other.seed;
    other.targets[0].target.operation = CLSCAN__CONFIG_SELECT;
    assert_int_not_equal(tune_header_matches(&header, &other, &last_error), CLSCAN_OK);
    other.targets[0].target.operation = CLSCAN__CONFIG_SCAN;
    ++other.targets[0].counts[RIG_COUNTS - 1];
    assert_int_not_equal(tune_header_matches(&header, &other, &last_error), CLSCAN_OK);
    tune_header_free(&other);
    tune_journal_close(journal);
    tune_header_free(&header);
    rig_finish(&r);
}

static void files_that_are_no_journals_are_refused(void **state)
{
    static const struct {
        const char *text, *named;
    } cases[] = {
        {"", "nothing is recorded"},
        {"{\"clscan_tune_jour", "nothing is recorded"},
        {"hello\n\n", "line 1"},
        {"{\"results\": []}\n", "not a journal"},
        {"{\"clscan_tune_journal\": 2}\n", "version 2"},
    };
    rig r;
    tune_header header;
    tune_journal *journal = start(&r, &header), *second;
    size_t size_bytes;
    char *text;

    (void)state;
    assert_int_equal(tune_journal_create(temporary_file.path, &header, &second, &last_error),
                     CLSCAN_ERROR_FILE); /* it exists */
    tune_journal_close(journal);
    text = read_journal(&size_bytes);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        temporary_folder_write(temporary_file.folder, "run.jsonl", cases[i].text, strlen(cases[i].text));
        assert_int_equal(tune_journal_resume(temporary_file.path, &journal, &last_error), CLSCAN_ERROR_FILE);
        assert_non_null(strstr(last_error.message, "run.jsonl"));
        if (strstr(last_error.message, cases[i].named) == NULL)
            fail_msg("%s", last_error.message);
    }
    /* A bad line in the middle is no torn one: nothing is cut off behind it. */
    strcpy(text + size_bytes, "{\"sang\": {}}\n{\"started\": {}}\n");
    temporary_folder_write(temporary_file.folder, "run.jsonl", text, strlen(text));
    assert_int_equal(tune_journal_resume(temporary_file.path, &journal, &last_error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(last_error.message, "line 2"));
    free(text);
    text = read_journal(&size_bytes);
    assert_non_null(strstr(text, "started"));
    free(text);
    unlink(temporary_file.path);
    assert_int_equal(tune_journal_resume(temporary_file.path, &journal, &last_error), CLSCAN_ERROR_FILE);
    tune_header_free(&header);
    rig_finish(&r);
}

/* A full disk ends the search with the file's name; what was written before is whole. */
static void a_full_disk_ends_the_search(void **state)
{
    rig r;
    tune_header header;
    struct rlimit limit, before;
    tune_journal *journal = start(&r, &header);
    tune_search *search;
    size_t size_bytes;

    (void)state;
    free(read_journal(&size_bytes));
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = size_bytes + 2000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    r.setup.journal = journal;
    assert_int_equal(tune_search_create(&r.setup, &search, &last_error), CLSCAN_OK);
    assert_int_equal(tune_search_run(search, tune_strategy_find("exhaustive"), &last_error), CLSCAN_ERROR_FILE);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_non_null(strstr(last_error.message, temporary_file.path));
    assert_true(tune_search_trial_count(search) < 10);
    tune_search_destroy(search);
    tune_journal_close(journal);
    assert_int_equal(tune_journal_resume(temporary_file.path, &journal, &last_error), CLSCAN_OK);
    assert_true(tune_journal_trials(journal)->count > 0);
    tune_journal_close(journal);
    tune_header_free(&header);
    rig_finish(&r);
}

/* A log of everything answers another strategy without a device: how strategies are compared. */
static void a_log_is_replayed(void **state)
{
    rig all, r;
    tune_memo log = {.count = 0};
    tune_replay replay;
    tune_evaluator evaluator;
    tune_trial unknown = {.target = tune_target_of(CLSCAN_INT32, CLSCAN_ADD), .count = 12345};

    (void)state;
    rig_prepare(&all, &synthetic_gpu, rig_reduced_space, CLSCAN_INT32, 7);
    rig_run(&all, "exhaustive");
    for (size_t i = 0; i < tune_search_trial_count(all.search); ++i)
        assert_non_null(tune_memo_put(&log, tune_search_trial(all.search, i)));
    tune_replay_open(&replay, &log, &evaluator);

    rig_prepare(&r, &synthetic_gpu, rig_reduced_space, CLSCAN_INT32, 7);
    r.setup.evaluator = &evaluator;
    rig_run(&r, "staged");
    assert_int_equal(r.run.asked, 0);
    assert_int_equal(replay.asked, tune_search_trial_count(r.search));
    assert_true(replay.asked < log.count / 4);
    for (size_t i = 0; i < RIG_COUNTS; ++i)
        assert_true(tune_search_best(r.search, i)->time_ns <= 1.03 * tune_search_best(all.search, i)->time_ns);
    /* The time that the trials took when they were recorded, and no more. */
    assert_true(tune_search_elapsed_s(r.search) > 10);
    assert_true(tune_search_elapsed_s(r.search) < tune_search_elapsed_s(all.search));

    replay.unknown = 0;
    evaluator.evaluate(evaluator.self, &unknown);
    assert_int_equal(unknown.outcome, TUNE_OUTCOME_CONSTRAINTS);
    assert_string_equal(unknown.reason, "not in the log");
    assert_int_equal(replay.unknown, 1);
    tune_replay_close(&replay);
    tune_memo_free(&log);
    rig_finish(&r);
    rig_finish(&all);
}

static void drivers_may_write_what_they_like(void **state)
{
    rig r;
    tune_header header;
    tune_journal *journal = start(&r, &header);
    tune_trial trial = {.target = r.setup.target,
                        .variant = r.defaults[0],
                        .count = 5,
                        .outcome = TUNE_OUTCOME_COMPILE,
                        .reason = "error: \xff\xfe \"x\"\n\tline 2"};

    (void)state;
    assert_int_equal(tune_journal_finished(journal, &trial, &last_error), CLSCAN_OK);
    tune_journal_close(journal);
    assert_int_equal(tune_journal_resume(temporary_file.path, &journal, &last_error), CLSCAN_OK);
    assert_string_equal(tune_journal_trials(journal)->trials[0]->reason, "error: ?? \"x\"\n\tline 2");
    tune_journal_close(journal);
    tune_header_free(&header);
    rig_finish(&r);
}

/* Journals that were recorded once stay readable. scripts/plot-tuning is tested with the same files. */
static void a_recorded_journal_is_read(void **state)
{
    tune_journal *journal;

    (void)state;
    if (tune_journal_read(CLSCAN_FIXTURES "/tuning/staged.jsonl", &journal, &last_error) != CLSCAN_OK)
        fail_msg("%s", last_error.message);
    assert_int_equal(tune_journal_trials(journal)->count, 65);
    assert_string_equal(tune_journal_about(journal)->device.key, "imagined-gpu");
    tune_journal_close(journal);
}

int main(void)
{
#define TEST(name) temporary_file_test(name, "run.jsonl")
    const struct CMUnitTest tests[] = {
        TEST(what_is_written_is_read),
        TEST(a_journal_that_is_cut_after_any_byte_opens),
        TEST(a_journal_that_is_cut_anywhere_goes_on),
        TEST(a_journal_of_a_whole_run_answers_everything),
        TEST(the_journal_knows_what_failed_in_the_end),
        TEST(a_run_in_many_parts_is_one_run),
        TEST(a_trial_that_was_started_twice_is_a_timeout),
        TEST(a_last_line_of_garbage_is_cut_off),
        TEST(other_runs_are_refused_by_name),
        TEST(files_that_are_no_journals_are_refused),
        TEST(a_full_disk_ends_the_search),
        TEST(a_log_is_replayed),
        TEST(drivers_may_write_what_they_like),
        TEST(a_recorded_journal_is_read),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
