/* Trying legal points one after the other. */
#ifndef CLSCAN_TUNER_WALK_H
#define CLSCAN_TUNER_WALK_H

#include "search/search.h"

/* Candidates that are announced at a time. */
#define TUNE_WALK_AHEAD 16

/* Try a candidate at every count of the ladder where there is hope. */
void tune_walk_counts(tune_search *search, const clscan_variant *variant);

/* Number of the point at a position of the walk. */
typedef uint64_t tune_walk_order(const tune_search *search, uint64_t position);

/* How many trials a walk is. */
uint64_t tune_walk_trials(const tune_search *search);

/* Try every legal point that may be drawn at every count, in an order, until the search is over. */
void tune_walk(tune_search *search, tune_walk_order *order);

#endif
