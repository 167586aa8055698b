#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command_line/failure.h"
#include "decide.h"
#include "progress.h"
#include "replay.h"
#include "report.h"
#include "run.h"
#include "t4.h"

/* The fastest right trial that the log has for a target at a count; NULL: none. */
static const tune_trial *best_in(const tune_memo *log, const tune_target *target, uint64_t count)
{
    const tune_trial *best = NULL;

    for (size_t i = 0; i < log->count; ++i) {
        const tune_trial *trial = log->trials[i];

        if (trial->outcome == TUNE_OUTCOME_CORRECT && trial->count == count &&
            tune_target_equal(&trial->target, target) && (best == NULL || trial->time_ns < best->time_ns))
            best = trial;
    }
    return best;
}

static uint64_t recorded_of(const tune_memo *log, const tune_target *target)
{
    uint64_t recorded = 0;

    for (size_t i = 0; i < log->count; ++i)
        recorded += tune_target_equal(&log->trials[i]->target, target);
    return recorded;
}

static void compare(const tune_memo *log, const tune_decision *decision)
{
    double worst = 1.0;

    for (size_t i = 0; i < decision->count; ++i) {
        const tune_trial *chosen = decision->picks[i].chosen;
        const tune_trial *best = chosen == NULL ? NULL : best_in(log, &decision->target, chosen->count);
        char count[TUNE_COUNT_TEXT_BYTES];

        if (best == NULL)
            continue;
        printf("  %-8s %.3f of the log's best time\n", tune_count_text(chosen->count, count),
               chosen->time_ns / best->time_ns);
        if (chosen->time_ns / best->time_ns > worst)
            worst = chosen->time_ns / best->time_ns;
    }
    printf("  at most %.1f %% slower than the best of the log\n\n", (worst - 1.0) * 100.0);
}

static clscan_status replay_target(const tune_settings *settings, const volatile sig_atomic_t *interrupted,
                                   const tune_header *header, const tune_header_target *target, const tune_memo *log,
                                   clscan_error *error)
{
    clscan_status status;
    tune_replay replay;
    tune_evaluator evaluator;
    tune_space space = {0};
    tune_space_name space_name = TUNE_SPACE_DEFAULT;
    tune_search *search = NULL;
    tune_decision decision;
    const uint64_t recorded = recorded_of(log, &target->target);
    uint64_t asked, unknown;
    const tune_strategy *strategy =
        settings->strategy != NULL ? settings->strategy : tune_strategy_find(header->strategy);
    const tune_search_setup setup = {.target = target->target,
                                     .space = &space,
                                     .counts = target->counts,
                                     .count_count = target->count_count,
                                     .defaults = target->defaults,
                                     .evaluator = &evaluator,
                                     .seed = settings->seed != 0 ? settings->seed : header->seed,
                                     .deadline_s = settings->budget_given ? settings->budget_s : 0.0,
                                     .max_trials = settings->max_trials,
                                     .interrupted = interrupted};

    tune_replay_open(&replay, log, &evaluator);
    REQUIRE(strategy != NULL, CLSCAN_ERROR_INVALID_VALUE,
            "%s: '%s' is no strategy of this version; name one with --strategy", settings->replay, header->strategy);
    tune_space_name_from_text(header->space, &space_name);
    TRY(tune_space_create(&space, space_name, header->only[0] != '\0' ? header->only : NULL, target->target.type,
                          target->target.reproducible, &header->device, error));
    TRY(tune_search_create(&setup, &search, error));
    TRY(tune_search_run(search, strategy, error));
    asked = replay.asked - replay.unknown;
    unknown = replay.unknown;
    TRY(tune_settle(search, 0, HUGE_VAL, &decision, error));
    tune_report_decision(stdout, &decision, target->counts);
    printf("  %s asked %" PRIu64 " of %" PRIu64 " recorded trials (%.1f %%), and %" PRIu64 " that the log lacks\n",
           strategy->name, asked, recorded, 100.0 * (double)asked / (double)recorded, unknown);
    compare(log, &decision);

cleanup:
    tune_search_destroy(search);
    tune_space_free(&space);
    tune_replay_close(&replay);
    return status;
}

/* A journal, or a T4 file that this program wrote. */
static clscan_status read_log(const char *path, tune_journal **journal, tune_header *header, tune_memo *trials,
                              clscan_error *error)
{
    clscan_error about_t4;
    const clscan_status status = tune_journal_read(path, journal, error);

    /* The first error stands: what is neither is more likely meant to be a journal. */
    return status == CLSCAN_OK || tune_t4_read(path, header, trials, &about_t4) == CLSCAN_OK ? CLSCAN_OK : status;
}

clscan_status tune_run_replay(const tune_settings *settings, const volatile sig_atomic_t *interrupted,
                              clscan_error *error)
{
    clscan_status status;
    tune_journal *journal = NULL;
    tune_header header_of_t4 = {0};
    tune_memo trials_of_t4 = {0};
    const tune_header *header = &header_of_t4;
    const tune_memo *trials = &trials_of_t4;

    TRY(read_log(settings->replay, &journal, &header_of_t4, &trials_of_t4, error));
    if (journal != NULL) {
        header = tune_journal_about(journal);
        trials = tune_journal_trials(journal);
    }
    for (size_t i = 0; i < header->target_count && !*interrupted; ++i)
        TRY(replay_target(settings, interrupted, header, &header->targets[i], trials, error));
    if (settings->t4 != NULL && !*interrupted)
        TRY(tune_t4_write(settings->t4, header, trials, error));

cleanup:
    if (journal != NULL)
        tune_journal_close(journal);
    tune_header_free(&header_of_t4);
    tune_memo_free(&trials_of_t4);
    return status;
}
