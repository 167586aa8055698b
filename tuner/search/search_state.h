/* A search from the inside. Shared by search.c and winners.c. */
#ifndef CLSCAN_TUNER_SEARCH_STATE_H
#define CLSCAN_TUNER_SEARCH_STATE_H

#include "search/search.h"

struct tune_search {
    tune_search_setup setup; /* with the counts that are measured now */
    tune_search_setup whole; /* as it was given */
    uint64_t counts[TUNE_MAX_COUNTS];
    clscan_variant defaults[TUNE_MAX_COUNTS];
    tune_memo asked;
    tune_memo recorded; /* in a replay: each variant of the log, at no count */
    const tune_trial *best[TUNE_MAX_COUNTS];
    uint64_t random_state;
    uint64_t expected;
    uint64_t by_strategy; /* trials asked after the defaults */
    bool defaults_done;
    bool overtime; /* deadline and max_trials count no more */
    double elapsed_s;
    clscan_status status;
    clscan_error error;
};

/* Is the variant what the runtime chooses at some count of the ladder? */
bool tune_search_is_default(const tune_search *search, const clscan_variant *variant);
/* Have the evaluator measure the trial, or soak it if `runs` is not 0. A default whose answer is inconclusive is asked
 * again, with another worker: with the yardstick gone, anything that works would win. */
void tune_search_ask(const tune_search *search, tune_trial *trial, unsigned runs);
/* Seconds of the run now, over all its parts. */
double tune_search_clock_s(const tune_search *search);
bool tune_search_interrupted(const tune_search *search);
/* Keep the first failure: it ends the search. Returns whether this is none. */
bool tune_search_keep_status(tune_search *search, clscan_status status);
/* End the search if nothing more can be asked. */
void tune_search_keep_evaluator(tune_search *search);
/* The trial may be the fastest of its count. */
void tune_search_note_best(tune_search *search, const tune_trial *trial);
/* Forget which are the fastest, and look for them anew. */
void tune_search_find_bests(tune_search *search);

#endif
