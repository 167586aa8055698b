#include "search/strategies.h"

#include <string.h>

const tune_strategy *const tune_strategies[] = {&tune_strategy_staged, &tune_strategy_halving,
                                                &tune_strategy_random, &tune_strategy_exhaustive,
                                                &tune_strategy_sweep,  NULL};

const tune_strategy *tune_strategy_find(const char *name)
{
    for (size_t i = 0; tune_strategies[i] != NULL; ++i)
        if (strcmp(tune_strategies[i]->name, name) == 0)
            return tune_strategies[i];
    return NULL;
}
