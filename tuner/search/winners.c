/* What a search asks of its winners. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "search/search_state.h"

/* After a variant turned out to be wrong: none of its trials counts. `when` it did, for the reason. */
static void condemn(tune_search *search, const tune_trial *wrong, const char *when)
{
    for (size_t i = 0; i < search->asked.count; ++i) {
        tune_trial *trial = search->asked.trials[i];

        if (clscan__variant_equal(&trial->variant, &wrong->variant)) {
            trial->outcome = wrong->outcome;
            trial->inconclusive = wrong->inconclusive;
            snprintf(trial->reason, sizeof trial->reason, "%s: %.200s", when, wrong->reason);
        }
    }
    tune_search_find_bests(search);
}

/* ---- The counts beside ---- */

/* Returns whether there was something to measure. */
static bool spread_to(tune_search *search, size_t count_index, size_t other)
{
    const tune_search_setup *setup = &search->setup;
    const tune_trial *best = other < setup->count_count ? search->best[other] : NULL;

    return best != NULL && tune_search_peek(search, &best->variant, setup->counts[count_index]) == NULL &&
           !tune_search_hopeless(search, &best->variant, count_index) &&
           tune_search_try(search, &best->variant, setup->counts[count_index]) != NULL;
}

void tune_search_spread(tune_search *search, double end_s)
{
    bool any = true;

    search->overtime = true;
    while (any) {
        any = false;
        for (size_t i = 0; i < search->setup.count_count && search->elapsed_s < end_s; ++i) {
            any = spread_to(search, i, i - 1) || any;
            any = spread_to(search, i, i + 1) || any;
        }
    }
    search->overtime = false;
}

/* ---- The last comparison ---- */

bool tune_search_measure_again(tune_search *search, tune_trial *again)
{
    tune_search_ask(search, again, 0);
    search->elapsed_s = fmax(search->elapsed_s, tune_search_clock_s(search));
    tune_search_keep_evaluator(search);
    if (search->status != CLSCAN_OK || tune_search_interrupted(search))
        return false;
    if (again->outcome == TUNE_OUTCOME_CORRECT)
        return true;
    condemn(search, again, "measured again");
    return search->setup.journal == NULL || again->inconclusive ||
           tune_search_keep_status(search, tune_journal_compared(search->setup.journal, again, &search->error));
}

void tune_search_recall_failures(tune_search *search)
{
    for (size_t i = 0; i < search->asked.count; ++i) {
        const tune_trial *compared = tune_search_compared(search, search->asked.trials[i]);

        if (compared != NULL && compared->outcome != TUNE_OUTCOME_CORRECT)
            condemn(search, compared, "measured again");
    }
}

const tune_trial *tune_search_compared(const tune_search *search, const tune_trial *trial)
{
    const tune_journal *journal = search->setup.journal;

    return journal != NULL ? tune_journal_find_compared(journal, trial) : NULL;
}

bool tune_search_revise(tune_search *search, const tune_trial *compared)
{
    tune_trial *trial = tune_memo_find(&search->asked, &compared->target, &compared->variant, compared->count);
    tune_journal *journal = search->setup.journal;

    if (journal != NULL && tune_journal_find_compared(journal, compared) == NULL &&
        !tune_search_keep_status(search, tune_journal_compared(journal, compared, &search->error)))
        return false;
    if (!trial->compared)
        trial->searched_ns = trial->time_ns;
    trial->compared = true;
    trial->time_ns = compared->time_ns;
    trial->spread_ns = compared->spread_ns;
    trial->copy_ns = compared->copy_ns;
    tune_search_find_bests(search);
    return true;
}

/* ---- Soaking ---- */

/* Have the evaluator soak, and journal it. Returns false if there is no answer. */
static bool soak(tune_search *search, tune_trial *trial, unsigned runs)
{
    const tune_search_setup *setup = &search->setup;
    const tune_evaluator *evaluator = setup->evaluator;

    if (evaluator->soak == NULL)
        return false;
    trial->started_s = tune_search_clock_s(search);
    tune_search_ask(search, trial, runs);
    trial->ended_s = tune_search_clock_s(search);
    trial->runs = runs;
    tune_search_keep_evaluator(search);
    if (search->status != CLSCAN_OK)
        return false;
    return setup->journal == NULL ||
           tune_search_keep_status(search, tune_journal_soaked(setup->journal, trial, &search->error));
}

tune_outcome tune_search_soak(tune_search *search, const tune_trial *trial, unsigned runs)
{
    const tune_journal *journal = search->setup.journal;
    const tune_trial *known = journal != NULL ? tune_journal_find_soak(journal, trial) : NULL;
    const bool is_known = known != NULL && !(known->inconclusive && tune_search_is_default(search, &trial->variant));
    tune_trial soaked = is_known ? *known : *trial;

    if (!is_known && !soak(search, &soaked, runs))
        return TUNE_OUTCOME_CORRECT;
    if (soaked.ended_s > search->elapsed_s)
        search->elapsed_s = soaked.ended_s;
    if (soaked.outcome != TUNE_OUTCOME_CORRECT)
        condemn(search, &soaked, "soaking");
    return soaked.outcome;
}
