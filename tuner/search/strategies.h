/* The strategies there are; each is a file strategy_NAME.c. */
#ifndef CLSCAN_TUNER_STRATEGIES_H
#define CLSCAN_TUNER_STRATEGIES_H

#include "search/search.h"

extern const tune_strategy tune_strategy_staged;
extern const tune_strategy tune_strategy_halving;
extern const tune_strategy tune_strategy_random;
extern const tune_strategy tune_strategy_exhaustive;
extern const tune_strategy tune_strategy_sweep;

#endif
