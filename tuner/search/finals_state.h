/* The last comparison from the inside. Shared by finals.c, which measures, and finals_choose.c. */
#ifndef CLSCAN_TUNER_FINALS_STATE_H
#define CLSCAN_TUNER_FINALS_STATE_H

#include "search/search.h"

#define LEAST_ROUNDS 3u
#define MOST_ROUNDS 9u

typedef struct finalist {
    const tune_trial *trial; /* of the search */
    size_t count_index;
    bool is_default;
    bool out; /* is so much slower that more rounds will not help it */
    unsigned rounds;
    double logs[MOST_ROUNDS]; /* of its times */
    double copies_ns[MOST_ROUNDS];
} finalist;

typedef struct finals {
    tune_search *search;
    const tune_search_setup *setup;
    finalist *list; /* those of one variant are neighbours, so that it is compiled once for all its counts */
    size_t count;
    unsigned rounds;
    bool settled[TUNE_MAX_COUNTS]; /* no more rounds are needed at this count */
} finals;

/* Fill the list: as many as there is time for in `left_s` seconds, at least the fastest and the default of each count.
 * Returns false if memory ran out. */
bool tune_finals_choose(finals *f, double left_s);

#endif
