#include "search/walk.h"

void tune_walk_counts(tune_search *search, const clscan_variant *variant)
{
    const tune_search_setup *setup = tune_search_about(search);

    for (size_t i = 0; i < setup->count_count && !tune_search_over(search); ++i)
        if (!tune_search_hopeless(search, variant, i))
            tune_search_try(search, variant, setup->counts[i]);
}

uint64_t tune_walk_trials(const tune_search *search)
{
    const tune_search_setup *setup = tune_search_about(search);
    tune_census census = {.legal = tune_search_points(search)};

    if (setup->known == NULL)
        tune_space_census(setup->space, &census);
    return census.legal * setup->count_count;
}

void tune_walk(tune_search *search, tune_walk_order *order)
{
    const uint64_t points = tune_search_points(search);
    uint64_t position = 0;

    while (position < points && !tune_search_over(search)) {
        clscan_variant ahead[TUNE_WALK_AHEAD];
        size_t count = 0;

        for (; position < points && count < TUNE_WALK_AHEAD; ++position) {
            tune_search_point(search, order(search, position), &ahead[count]);
            count += tune_search_may_try(search, &ahead[count]);
        }
        tune_search_announce(search, ahead, count);
        for (size_t i = 0; i < count && !tune_search_over(search); ++i)
            tune_walk_counts(search, &ahead[i]);
    }
}
