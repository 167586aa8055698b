/* The state of the staged search, and its one move: to measure a candidate. */
#ifndef CLSCAN_TUNER_CLIMB_H
#define CLSCAN_TUNER_CLIMB_H

#include "search/pool.h"

typedef struct tune_climb {
    tune_search *search;
    const tune_search_setup *setup;
    tune_pool pool;
    uint64_t left;                  /* trials */
    unsigned idle[TUNE_MAX_COUNTS]; /* turns since the best at a count changed */
    unsigned turns[TUNE_MAX_COUNTS];
    const tune_trial *widened[TUNE_MAX_COUNTS]; /* whose neighbours were last brought into the pool */
} tune_climb;

/* Measure a candidate at a count, and, now that it is compiled and validated, at the other counts where it should do
 * well. Returns false if the search is over or all trials are spent. */
bool tune_climb_spend(tune_climb *c, size_t candidate, size_t count_index);

/* The candidate, of one kind or of all (SIZE_MAX), that ranks first of those not measured at a count; SIZE_MAX if there
 * is none. */
size_t tune_climb_most_promising(const tune_climb *c, size_t count_index, size_t kind);

/* The same of the points that are one step of one parameter off the variant, which are brought into the pool. */
size_t tune_climb_beside(tune_climb *c, const clscan_variant *variant, size_t count_index);

/* Should the candidate be no more than `slack` (logarithm) slower than the best at a count? */
bool tune_climb_is_promising(const tune_climb *c, size_t candidate, size_t count_index, double slack);

#endif
