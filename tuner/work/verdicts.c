#include "work/verdicts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "trial/trial.h"

static tune_verdict *find(const tune_verdicts *verdicts, const tune_trial *trial, bool valid)
{
    for (size_t i = verdicts->count; i-- > 0;) {
        tune_verdict *verdict = &verdicts->items[i];

        if ((verdict->trial.outcome == TUNE_OUTCOME_CORRECT) == valid && trial->count >= verdict->least_count &&
            !(trial->insist && verdict->trial.inconclusive) && tune_trial_same_candidate(&verdict->trial, trial))
            return verdict;
    }
    return NULL;
}

void tune_verdicts_add(tune_verdicts *verdicts, const tune_trial *trial, uint64_t least_count)
{
    if (verdicts->count == verdicts->capacity) {
        const size_t capacity = verdicts->capacity > 0 ? 2 * verdicts->capacity : 64;
        tune_verdict *grown = realloc(verdicts->items, capacity * sizeof *grown);

        if (grown == NULL)
            return; /* it will be found out again */
        verdicts->items = grown;
        verdicts->capacity = capacity;
    }
    verdicts->items[verdicts->count++] = (tune_verdict){*trial, least_count};
}

bool tune_verdicts_find(const tune_verdicts *verdicts, tune_trial *trial)
{
    const tune_verdict *verdict = find(verdicts, trial, false);

    if (verdict == NULL)
        return false;
    (void)tune_conclude(trial, verdict->trial.outcome, "%s", verdict->trial.reason);
    trial->inconclusive = verdict->trial.inconclusive;
    return true;
}

void tune_verdicts_set_valid(tune_verdicts *verdicts, const tune_trial *trial)
{
    tune_trial valid = *trial;

    if (tune_verdicts_is_valid(verdicts, trial))
        return;
    valid.outcome = TUNE_OUTCOME_CORRECT;
    tune_verdicts_add(verdicts, &valid, 0);
}

bool tune_verdicts_is_valid(const tune_verdicts *verdicts, const tune_trial *trial)
{
    return find(verdicts, trial, true) != NULL;
}

void tune_verdicts_free(tune_verdicts *verdicts)
{
    free(verdicts->items);
    *verdicts = (tune_verdicts){0};
}
