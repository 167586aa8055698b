/* A uniform sample without repetition, as large as budget or space allow. */
#include "search/strategies.h"
#include "search/walk.h"

static uint64_t shuffled(const tune_search *search, uint64_t position)
{
    const tune_search_setup *setup = tune_search_about(search);

    return tune_space_shuffled(setup->space, setup->seed, position);
}

static void search_sample(tune_search *search)
{
    const tune_search_setup *setup = tune_search_about(search);
    const uint64_t affordable = tune_search_affordable(search);
    tune_census census;

    tune_space_census(setup->space, &census);
    tune_search_expect(search,
                       affordable < census.legal * setup->count_count ? affordable : census.legal * setup->count_count);
    tune_walk(search, shuffled);
}

const tune_strategy tune_strategy_random = {"random", "legal points drawn at random, until the budget ends",
                                            search_sample};
