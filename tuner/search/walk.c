#include "search/walk.h"

void tune_walk_counts(tune_search *search, const clscan_variant *variant)
{
    const tune_search_setup *setup = tune_search_about(search);

    for (size_t i = 0; i < setup->count_count && !tune_search_over(search); ++i)
        if (!tune_search_hopeless(search, variant, i))
            tune_search_try(search, variant, setup->counts[i]);
}

void tune_walk(tune_search *search, tune_walk_order *order)
{
    const tune_space *space = tune_search_about(search)->space;
    uint64_t position = 0;

    while (position < space->points && !tune_search_over(search)) {
        clscan_variant ahead[TUNE_WALK_AHEAD];
        size_t count = 0;

        for (; position < space->points && count < TUNE_WALK_AHEAD; ++position) {
            tune_space_point(space, order(search, position), &ahead[count]);
            count += tune_space_legal(space, &ahead[count], NULL);
        }
        tune_search_announce(search, ahead, count);
        for (size_t i = 0; i < count && !tune_search_over(search); ++i)
            tune_walk_counts(search, &ahead[i]);
    }
}
