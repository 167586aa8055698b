#include "search/climb.h"

#include <math.h>

/* Part of the time that is left which one candidate may take to be prepared, and how many times what the quickest one
 * took it may take whatever is left. */
#define LARGEST_WAIT 0.06
#define ORDINARY_WAIT 3.0
/* A compiled candidate is measured at the other counts where it should be at most this much slower (logarithm). */
#define FOLLOWED 0.05
/* One step in each parameter, and one leap, up and down. */
#define MOST_BESIDE (4u * CLSCAN_PARAM_COUNT)

/* Measure a candidate at a count. Returns false if the search is over or all trials are spent. */
static bool spend_once(tune_climb *c, size_t candidate, size_t count_index)
{
    const tune_trial *before = tune_search_best(c->search, count_index), *trial;
    const clscan_variant variant = c->pool.candidates[candidate].variant;

    c->pool.candidates[candidate].outlooks[count_index].settled = true;
    if (tune_search_peek(c->search, &variant, c->setup->counts[count_index]) != NULL ||
        tune_search_hopeless(c->search, &variant, count_index))
        return true;
    trial = c->left > 0 ? tune_search_try(c->search, &variant, c->setup->counts[count_index]) : NULL;
    if (trial == NULL || !tune_pool_learn(&c->pool, c->search))
        return false;
    if (tune_trial_is_unknown(trial))
        return true;
    --c->left;
    c->idle[count_index] = tune_search_best(c->search, count_index) == before ? c->idle[count_index] + 1 : 0;
    return true;
}

bool tune_climb_spend(tune_climb *c, size_t candidate, size_t count_index)
{
    if (!spend_once(c, candidate, count_index))
        return false;
    for (size_t i = 0; i < c->setup->count_count; ++i)
        if (!c->pool.candidates[candidate].outlooks[i].settled && tune_climb_is_promising(c, candidate, i, FOLLOWED) &&
            !spend_once(c, candidate, i))
            return false;
    return true;
}

/* Would it take too much of the time that is left to prepare the candidate? */
static bool is_too_long(const tune_climb *c, size_t candidate)
{
    const double left_s = c->setup->deadline_s - tune_search_elapsed_s(c->search);

    return c->setup->deadline_s > 0 && tune_pool_prepare_s(&c->pool, candidate) >
                                           fmax(LARGEST_WAIT * left_s, ORDINARY_WAIT * c->pool.least_prepare_s);
}

/* Take the candidate if it ranks before the best one so far. */
static void consider(const tune_climb *c, size_t candidate, size_t count_index, size_t *best, double *best_time)
{
    double time;

    if (c->pool.candidates[candidate].outlooks[count_index].settled || is_too_long(c, candidate))
        return;
    time = tune_pool_rank(&c->pool, candidate, count_index);
    if (*best == SIZE_MAX || time < *best_time) {
        *best = candidate;
        *best_time = time;
    }
}

size_t tune_climb_most_promising(const tune_climb *c, size_t count_index, size_t kind)
{
    size_t best = SIZE_MAX;
    double best_time = 0;

    for (size_t i = 0; i < c->pool.count; ++i)
        if (kind == SIZE_MAX || c->pool.candidates[i].kind == kind)
            consider(c, i, count_index, &best, &best_time);
    return best;
}

size_t tune_climb_beside(tune_climb *c, const clscan_variant *variant, size_t count_index)
{
    clscan_variant found[MOST_BESIDE];
    const size_t count = tune_space_neighbours(c->setup->space, variant, TUNE_STEPS, found, MOST_BESIDE);
    size_t best = SIZE_MAX;
    double best_time = 0;

    for (size_t i = 0; i < count; ++i) {
        const size_t candidate =
            tune_search_may_try(c->search, &found[i]) ? tune_pool_add(&c->pool, c->search, &found[i]) : SIZE_MAX;

        if (candidate != SIZE_MAX)
            consider(c, candidate, count_index, &best, &best_time);
    }
    return best;
}

bool tune_climb_is_promising(const tune_climb *c, size_t candidate, size_t count_index, double slack)
{
    const tune_trial *best = tune_search_best(c->search, count_index);

    return best == NULL || tune_pool_predict(&c->pool, candidate, count_index) <= log(best->time_ns) + slack;
}
