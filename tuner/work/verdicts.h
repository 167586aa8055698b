/* Candidates that need not be tried, or validated, again. */
#ifndef CLSCAN_TUNER_VERDICTS_H
#define CLSCAN_TUNER_VERDICTS_H

#include <stdbool.h>
#include <stddef.h>

#include "trial/trial.h"

typedef struct tune_verdict {
    tune_trial trial; /* its outcome and reason are the verdict; `correct`: validated */
    uint64_t least_count;
} tune_verdict;

/* Zero it to begin. */
typedef struct tune_verdicts {
    tune_verdict *items;
    size_t count, capacity;
} tune_verdicts;

/* The trial's outcome holds for its candidate at every count from `least_count` on. */
void tune_verdicts_add(tune_verdicts *verdicts, const tune_trial *trial, uint64_t least_count);
/* Is there a verdict on the trial that is not `correct`? Then fills its outcome and reason. With trial->insist, one
 * that is inconclusive is none. */
bool tune_verdicts_find(const tune_verdicts *verdicts, tune_trial *trial);

/* Has a worker found the candidate to be right? */
void tune_verdicts_set_valid(tune_verdicts *verdicts, const tune_trial *trial);
bool tune_verdicts_is_valid(const tune_verdicts *verdicts, const tune_trial *trial);

void tune_verdicts_free(tune_verdicts *verdicts);

#endif
