/* A search from the inside. Shared by search.c, which asks, and search_known.c. */
#ifndef CLSCAN_TUNER_SEARCH_STATE_H
#define CLSCAN_TUNER_SEARCH_STATE_H

#include "search.h"

struct tune_search {
    tune_search_setup setup;
    tune_memo asked;
    const tune_trial *best[TUNE_MAX_COUNTS];
    uint64_t random_state;
    uint64_t expected;
    uint64_t by_strategy; /* trials asked after the defaults */
    bool defaults_done;
    double elapsed_s;
    clscan_status status;
    clscan_error error;
};

#endif
