/* StreamScan's search: every legal point at every count. */
#include "search/strategies.h"
#include "search/walk.h"

static uint64_t in_order(const tune_search *search, uint64_t position)
{
    (void)search;
    return position;
}

static void search_all(tune_search *search)
{
    tune_search_expect(search, tune_walk_trials(search));
    tune_walk(search, in_order);
}

const tune_strategy tune_strategy_exhaustive = {
    "exhaustive", "every legal point at every count (StreamScan's search); for restricted spaces", search_all};
