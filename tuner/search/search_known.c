/* What a search knows, and what follows from it. */

#include "search/search_state.h"
#include "space/random.h"

/* A candidate this many times slower than the best is given up, unless it catches up. */
#define HOPELESS_RATIO 4.0
/* The same, where only one smaller count tells. */
#define HOPELESS_AT_ONCE_RATIO 30.0

/* How many times slower than the best; 0: not measured there. */
static double slowness(const tune_search *search, const clscan_variant *variant, size_t count_index)
{
    const tune_trial *trial = tune_search_peek(search, variant, search->setup.counts[count_index]);
    const tune_trial *best = search->best[count_index];

    return trial == NULL || best == NULL || trial->outcome != TUNE_OUTCOME_CORRECT ? 0 : trial->time_ns / best->time_ns;
}

static bool has_failed(const tune_search *search, const clscan_variant *variant)
{
    for (size_t i = 0; i < search->setup.count_count; ++i) {
        const tune_trial *trial = tune_search_peek(search, variant, search->setup.counts[i]);

        if (trial != NULL && trial->outcome != TUNE_OUTCOME_CORRECT && !tune_trial_is_unknown(trial))
            return true;
    }
    return false;
}

bool tune_search_hopeless(const tune_search *search, const clscan_variant *variant, size_t count_index)
{
    double nearest = 0, farther = 0;

    if (tune_same_variant(&search->setup.defaults[count_index], variant))
        return false;
    if (has_failed(search, variant))
        return true;
    for (size_t i = count_index; i-- > 0 && farther == 0;) {
        const double ratio = slowness(search, variant, i);

        if (nearest == 0)
            nearest = ratio;
        else
            farther = ratio;
    }
    return nearest >= (farther == 0 ? HOPELESS_AT_ONCE_RATIO : HOPELESS_RATIO) && nearest >= farther;
}

bool tune_search_may_try(const tune_search *search, const clscan_variant *variant)
{
    const tune_search_setup *setup = &search->setup;
    bool is_known = setup->known == NULL;

    for (size_t i = 0; !is_known && i < setup->count_count; ++i)
        is_known = tune_memo_find(setup->known, &setup->target, variant, setup->counts[i]) != NULL;
    return is_known && tune_space_legal(setup->space, variant, NULL);
}

void tune_search_announce(tune_search *search, const clscan_variant *variants, size_t count)
{
    const tune_evaluator *evaluator = search->setup.evaluator;

    if (evaluator->announce != NULL && count > 0)
        evaluator->announce(evaluator->self, &search->setup.target, variants, count);
}

uint64_t tune_search_random(tune_search *search, uint64_t bound)
{
    return tune_random_below(&search->random_state, bound);
}

void tune_search_expect(tune_search *search, uint64_t trials)
{
    search->expected = trials;
}

uint64_t tune_search_expected(const tune_search *search)
{
    const uint64_t all = search->expected + search->setup.count_count;

    return all > search->asked.count ? all : search->asked.count;
}

uint64_t tune_search_affordable(const tune_search *search)
{
    const tune_search_setup *setup = &search->setup;
    const double left_s = setup->deadline_s - search->elapsed_s, spent_s = search->elapsed_s - setup->start_s;
    uint64_t affordable = UINT64_MAX;

    if (tune_search_over(search))
        return 0;
    if (setup->max_trials > 0)
        affordable = setup->max_trials - search->by_strategy;
    if (setup->deadline_s > 0 && spent_s > 0) {
        const double fitting = left_s / spent_s * (double)search->asked.count;

        if (fitting < (double)affordable)
            affordable = (uint64_t)fitting;
    }
    return affordable;
}

const tune_search_setup *tune_search_about(const tune_search *search)
{
    return &search->setup;
}

const tune_trial *tune_search_best(const tune_search *search, size_t count_index)
{
    return search->best[count_index];
}

const tune_trial *tune_search_default(const tune_search *search, size_t count_index)
{
    return tune_search_peek(search, &search->setup.defaults[count_index], search->setup.counts[count_index]);
}

size_t tune_search_trial_count(const tune_search *search)
{
    return search->asked.count;
}

const tune_trial *tune_search_trial(const tune_search *search, size_t index)
{
    return search->asked.trials[index];
}

double tune_search_elapsed_s(const tune_search *search)
{
    return search->elapsed_s;
}
