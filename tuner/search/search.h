/* The search of one target: asks for trials, and remembers all answers. */
#ifndef CLSCAN_TUNER_SEARCH_H
#define CLSCAN_TUNER_SEARCH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/journal.h"
#include "search/hints.h"
#include "space/ladder.h"
#include "space/space.h"
#include "trial/evaluator.h"
#include "trial/trial.h"

typedef struct tune_search tune_search;

typedef struct tune_strategy {
    const char *name;
    const char *meaning; /* one line for the help */
    void (*search)(tune_search *search);
} tune_strategy;

/* Ends with NULL; the first is the default. */
extern const tune_strategy *const tune_strategies[];
/* NULL: there is none of that name. */
const tune_strategy *tune_strategy_find(const char *name);

/* All pointers are borrowed until tune_search_destroy(). */
typedef struct tune_search_setup {
    tune_target target;
    const tune_space *space;
    const uint64_t *counts;         /* the ladder: counts to measure, ascending */
    size_t count_count;             /* 1 to TUNE_MAX_COUNTS */
    const clscan_variant *defaults; /* what the runtime chooses at each count of the ladder */
    const tune_hint *hints;         /* worth an early trial: winners of other devices and targets; may be NULL */
    size_t hint_count;
    const tune_memo *known; /* of a replay: only what it has at some count is worth a trial; NULL: all is */
    const tune_evaluator *evaluator;
    tune_journal *journal; /* NULL: none is kept */
    uint64_t seed;
    double start_s;    /* seconds of the run when this search begins: tune_search_elapsed_s() of the one before */
    double deadline_s; /* seconds of the run when it must end; 0: none */
    /* Search at the counts of tune_quick_counts() only, without the largest if measuring the default there would take
     * too long; then measure at those between what is best beside them. tune_search_about() has the counts that were
     * measured. */
    bool quick;
    uint64_t max_trials;                      /* trials beside those of the defaults; 0: no limit */
    const volatile sig_atomic_t *interrupted; /* not 0: end; may be NULL */
    /* After each trial, also those that the journal answers. May be NULL. */
    void (*progress)(void *user, const tune_search *search, const tune_trial *trial);
    void *user;
} tune_search_setup;

clscan_status tune_search_create(const tune_search_setup *setup, tune_search **search, clscan_error *error);
void tune_search_destroy(tune_search *search);

/* Measure the default at every count of the ladder, then let the strategy search. Returns CLSCAN_OK also when
 * deadline or interrupt ended it; else the error of the journal, or CLSCAN_ERROR_OPENCL if the evaluator broke. */
clscan_status tune_search_run(tune_search *search, const tune_strategy *strategy, clscan_error *error);

/* ---- for strategies ---- */

/* The answer of a trial: remembered, from the journal, or measured now. NULL: the search is over. Lives as long
 * as the search. */
const tune_trial *tune_search_try(tune_search *search, const clscan_variant *variant, uint64_t count);
/* The failure that ended the search, if one did: of the journal, the evaluator or memory. */
clscan_status tune_search_status(const tune_search *search, clscan_error *error);
/* Did deadline, interrupt, max_trials or a failure end the search? */
bool tune_search_over(const tune_search *search);
/* The answer if it was asked for already, else NULL. */
const tune_trial *tune_search_peek(const tune_search *search, const clscan_variant *variant, uint64_t count);
/* Is the variant in the space, legal, and, in a replay, in the log? */
bool tune_search_may_try(const tune_search *search, const clscan_variant *variant);
/* How many points may be drawn: those of the space; in a replay the variants of the log, beside which the space has
 * far too many. Not all of them may be tried. */
uint64_t tune_search_points(const tune_search *search);
/* The point of a number: 0 .. tune_search_points() - 1. */
void tune_search_point(const tune_search *search, uint64_t number, clscan_variant *variant);
/* Is it pointless to measure the variant at counts[count_index]? It failed at another count, it differs from the
 * default in something that rows of this length do not read, or it was 4 times slower than the best at smaller counts
 * and does not catch up. Never said of a default. */
bool tune_search_hopeless(const tune_search *search, const clscan_variant *variant, size_t count_index);
void tune_search_announce(tune_search *search, const clscan_variant *variants, size_t count);
/* Uniform in 0 .. bound - 1. */
uint64_t tune_search_random(tune_search *search, uint64_t bound);
/* How many trials the strategy thinks it will ask in all, for an estimate of the time. */
void tune_search_expect(tune_search *search, uint64_t trials);
/* How many more trials fit before the deadline, going by those so far; UINT64_MAX without one. */
uint64_t tune_search_affordable(const tune_search *search);

/* ---- what is known ---- */

const tune_search_setup *tune_search_about(const tune_search *search);
/* The fastest correct trial at counts[count_index]; NULL if there is none. */
const tune_trial *tune_search_best(const tune_search *search, size_t count_index);
/* The default's trial at counts[count_index]; NULL before it was measured. */
const tune_trial *tune_search_default(const tune_search *search, size_t count_index);
/* All trials, in the order of asking. */
size_t tune_search_trial_count(const tune_search *search);
const tune_trial *tune_search_trial(const tune_search *search, size_t index);
uint64_t tune_search_expected(const tune_search *search);
/* Seconds of the run at the end of the last trial. */
double tune_search_elapsed_s(const tune_search *search);

/* Measure a trial that was measured before once more: fill the answer of *again. Neither the journal nor what is known
 * changes, but that a variant which fails now counts nowhere any more; the journal then says why. Returns false if the
 * search cannot go on, or an interrupt makes the answer worthless. Neither deadline nor max_trials keep it from being
 * done. */
bool tune_search_measure_again(tune_search *search, tune_trial *again);
/* Which variants failed so before the run was interrupted, by the journal: they count nowhere. */
void tune_search_recall_failures(tune_search *search);

/* What is fastest at a count is measured at the counts beside it as well, until nothing is missing or `end_s`, seconds
 * of the run. Neither deadline nor max_trials keep it from being done. */
void tune_search_spread(tune_search *search, double end_s);

/* What the last comparison said of a trial, by the journal; NULL: nothing. */
const tune_trial *tune_search_compared(const tune_search *search, const tune_trial *trial);
/* Give a known trial the times of the last comparison, and journal it. Returns false if the search cannot go on. */
bool tune_search_revise(tune_search *search, const tune_trial *compared);

/* Soak a winner: `runs` checked runs at the trial's count, unless the journal knows the outcome. A failure becomes
 * the outcome of every trial of the variant, so that it is chosen nowhere. Returns the outcome. Neither deadline nor
 * interrupt keep it from being done: what is written was soaked. */
tune_outcome tune_search_soak(tune_search *search, const tune_trial *trial, unsigned runs);

#endif
