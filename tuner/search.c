#include "search_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command_line/failure.h"
#include "random.h"

clscan_status tune_search_create(const tune_search_setup *setup, tune_search **search, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_search *made = NULL;

    REQUIRE(setup->count_count >= 1 && setup->count_count <= TUNE_MAX_COUNTS, CLSCAN_ERROR_INVALID_VALUE,
            "%zu counts to measure; 1 to %d are possible", setup->count_count, TUNE_MAX_COUNTS);
    made = calloc(1, sizeof *made);
    REQUIRE(made != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a search");
    made->setup = *setup;
    made->elapsed_s = setup->start_s;
    made->random_state = tune_mix(
        setup->seed ^ tune_mix(setup->target.element_size_bytes * 16u + (uint64_t)setup->target.operator_class));
    *search = made;

cleanup:
    return status;
}

void tune_search_destroy(tune_search *search)
{
    if (search == NULL)
        return;
    tune_memo_free(&search->asked);
    free(search);
}

static bool is_interrupted(const tune_search *search)
{
    return search->setup.interrupted != NULL && *search->setup.interrupted != 0;
}

bool tune_search_over(const tune_search *search)
{
    const tune_search_setup *setup = &search->setup;

    return search->status != CLSCAN_OK || is_interrupted(search) ||
           (setup->deadline_s > 0 && search->elapsed_s >= setup->deadline_s) ||
           (setup->max_trials > 0 && search->by_strategy >= setup->max_trials);
}

/* Seconds of the run now, over all its parts. */
static double clock_s(const tune_search *search)
{
    const tune_search_setup *setup = &search->setup;
    const double before_s = setup->journal != NULL ? tune_journal_resumed_s(setup->journal) : 0;

    return before_s + setup->evaluator->elapsed_s(setup->evaluator->self);
}

static void write_date(char *text, size_t size_bytes)
{
    const time_t now = time(NULL);
    struct tm utc;

    if (gmtime_r(&now, &utc) == NULL || strftime(text, size_bytes, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        text[0] = '\0';
}

/* Keep the first failure: it ends the search. */
static bool keep_status(tune_search *search, clscan_status status)
{
    if (search->status == CLSCAN_OK)
        search->status = status;
    return status == CLSCAN_OK;
}

/* End the search if nothing more can be asked. */
static void keep_evaluator(tune_search *search)
{
    const tune_evaluator *evaluator = search->setup.evaluator;
    const char *broken = evaluator->broken != NULL ? evaluator->broken(evaluator->self) : "";

    if (broken[0] != '\0')
        keep_status(search, fail(&search->error, CLSCAN_ERROR_OPENCL, "%s", broken));
}

/* What ended because of a signal or the deadline says nothing about the candidate. */
static bool is_cut_off(const tune_search *search, const tune_trial *trial)
{
    const double deadline_s = search->setup.deadline_s;

    return (trial->outcome != TUNE_OUTCOME_CORRECT && is_interrupted(search)) ||
           (trial->outcome == TUNE_OUTCOME_TIMEOUT && deadline_s > 0 && trial->ended_s >= deadline_s);
}

/* Have the trial measured and journalled. Returns false if there is no answer. */
static bool measure(tune_search *search, tune_trial *trial)
{
    const tune_search_setup *setup = &search->setup;
    const tune_evaluator *evaluator = setup->evaluator;

    if (setup->journal != NULL && !keep_status(search, tune_journal_started(setup->journal, trial, &search->error)))
        return false;
    trial->started_s = clock_s(search);
    evaluator->evaluate(evaluator->self, trial);
    trial->ended_s = clock_s(search);
    write_date(trial->date, sizeof trial->date);
    if (is_cut_off(search, trial)) {
        search->elapsed_s = trial->ended_s;
        if (setup->journal != NULL)
            keep_status(search, tune_journal_abandoned(setup->journal, trial, &search->error));
        return false;
    }
    if (setup->journal != NULL && !keep_status(search, tune_journal_finished(setup->journal, trial, &search->error)))
        return false;
    keep_evaluator(search);
    return true;
}

/* Fill the answer from what is known without measuring. */
static bool recall(const tune_search *search, tune_trial *trial)
{
    const tune_search_setup *setup = &search->setup;
    const tune_trial *known = NULL;
    clscan_error error = {0};

    if (setup->journal != NULL)
        known = tune_memo_find(tune_journal_trials(setup->journal), &trial->target, &trial->variant, trial->count);
    if (known != NULL) {
        *trial = *known;
        return true;
    }
    if (clscan_variant_check(&trial->variant, trial->target.type, 0, &setup->space->device, &error) == CLSCAN_OK)
        return false;
    trial->outcome = TUNE_OUTCOME_CONSTRAINTS;
    snprintf(trial->reason, sizeof trial->reason, "%.*s", (int)sizeof trial->reason - 1, error.message);
    trial->started_s = trial->ended_s = search->elapsed_s;
    return true;
}

static void note_best(tune_search *search, const tune_trial *trial)
{
    for (size_t i = 0; i < search->setup.count_count; ++i)
        if (search->setup.counts[i] == trial->count && trial->outcome == TUNE_OUTCOME_CORRECT &&
            (search->best[i] == NULL || trial->time_ns < search->best[i]->time_ns))
            search->best[i] = trial;
}

const tune_trial *tune_search_try(tune_search *search, const clscan_variant *variant, uint64_t count)
{
    const tune_search_setup *setup = &search->setup;
    tune_trial trial = {.target = setup->target, .variant = *variant, .count = count};
    const tune_trial *kept = tune_search_peek(search, variant, count);

    if (kept != NULL)
        return kept;
    if (tune_search_over(search))
        return NULL;
    trial.in_place = clscan_variant_check(variant, setup->target.type, 1, &setup->space->device, NULL) == CLSCAN_OK;
    if (!recall(search, &trial) && !measure(search, &trial))
        return NULL;
    if (trial.ended_s > search->elapsed_s)
        search->elapsed_s = trial.ended_s;
    search->by_strategy += search->defaults_done;
    kept = tune_memo_put(&search->asked, &trial);
    if (kept == NULL) {
        keep_status(search, fail(&search->error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the trials"));
        return NULL;
    }
    note_best(search, kept);
    if (setup->progress != NULL)
        setup->progress(setup->user, search, kept);
    return kept;
}

const tune_trial *tune_search_peek(const tune_search *search, const clscan_variant *variant, uint64_t count)
{
    return tune_memo_find(&search->asked, &search->setup.target, variant, count);
}

clscan_status tune_search_run(tune_search *search, const tune_strategy *strategy, clscan_error *error)
{
    const tune_search_setup *setup = &search->setup;

    for (size_t i = 0; i < setup->count_count; ++i)
        tune_search_try(search, &setup->defaults[i], setup->counts[i]);
    search->defaults_done = true;
    if (!tune_search_over(search))
        strategy->search(search);
    return tune_search_status(search, error);
}

clscan_status tune_search_status(const tune_search *search, clscan_error *error)
{
    if (search->status != CLSCAN_OK)
        return fail(error, search->status, "%s", search->error.message);
    return CLSCAN_OK;
}

/* After a variant turned out to be wrong: none of its trials counts. */
static void condemn(tune_search *search, const tune_trial *soaked)
{
    for (size_t i = 0; i < search->asked.count; ++i) {
        tune_trial *trial = search->asked.trials[i];

        if (tune_same_variant(&trial->variant, &soaked->variant)) {
            trial->outcome = soaked->outcome;
            snprintf(trial->reason, sizeof trial->reason, "soaking: %.200s", soaked->reason);
        }
    }
    memset(search->best, 0, sizeof search->best);
    for (size_t i = 0; i < search->asked.count; ++i)
        note_best(search, search->asked.trials[i]);
}

/* Have the evaluator soak, and journal it. Returns false if there is no answer. */
static bool soak(tune_search *search, tune_trial *trial, unsigned runs)
{
    const tune_search_setup *setup = &search->setup;
    const tune_evaluator *evaluator = setup->evaluator;

    if (evaluator->soak == NULL)
        return false;
    trial->started_s = clock_s(search);
    evaluator->soak(evaluator->self, trial, runs);
    trial->ended_s = clock_s(search);
    trial->runs = runs;
    keep_evaluator(search);
    if (search->status != CLSCAN_OK)
        return false;
    return setup->journal == NULL || keep_status(search, tune_journal_soaked(setup->journal, trial, &search->error));
}

tune_outcome tune_search_soak(tune_search *search, const tune_trial *trial, unsigned runs)
{
    const tune_journal *journal = search->setup.journal;
    const tune_trial *known = journal != NULL ? tune_journal_find_soak(journal, trial) : NULL;
    tune_trial soaked = known != NULL ? *known : *trial;

    if (known == NULL && !soak(search, &soaked, runs))
        return TUNE_OUTCOME_CORRECT;
    if (soaked.ended_s > search->elapsed_s)
        search->elapsed_s = soaked.ended_s;
    if (soaked.outcome != TUNE_OUTCOME_CORRECT)
        condemn(search, &soaked);
    return soaked.outcome;
}
