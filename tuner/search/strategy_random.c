/* A uniform sample without repetition, as large as budget or space allow. */
#include "search/strategies.h"
#include "search/walk.h"

static uint64_t shuffled(const tune_search *search, uint64_t position)
{
    return tune_shuffled(tune_search_points(search), tune_search_about(search)->seed, position);
}

static void search_sample(tune_search *search)
{
    const uint64_t affordable = tune_search_affordable(search), all = tune_walk_trials(search);

    tune_search_expect(search, affordable < all ? affordable : all);
    tune_walk(search, shuffled);
}

const tune_strategy tune_strategy_random = {"random", "legal points drawn at random, until the budget ends",
                                            search_sample};
