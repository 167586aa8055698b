#include "climb.h"

#include <math.h>

/* Part of the time that is left which one candidate may take to be prepared, and how many times what the quickest one
 * took it may take whatever is left. */
#define LARGEST_WAIT 0.06
#define ORDINARY_WAIT 3.0
/* A compiled candidate is measured at the other counts where it should be at most this much slower (logarithm). */
#define FOLLOWED 0.05

/* Measure a candidate at a count. Returns false if the search is over or all trials are spent. */
static bool spend_once(tune_climb *c, size_t candidate, size_t count_index)
{
    const tune_trial *before = tune_search_best(c->search, count_index);
    const clscan_variant variant = c->pool.candidates[candidate].variant;

    c->pool.candidates[candidate].outlooks[count_index].settled = true;
    if (tune_search_peek(c->search, &variant, c->setup->counts[count_index]) != NULL ||
        tune_search_hopeless(c->search, &variant, count_index))
        return true;
    if (c->left == 0 || tune_search_try(c->search, &variant, c->setup->counts[count_index]) == NULL)
        return false;
    --c->left;
    if (!tune_pool_learn(&c->pool, c->search))
        return false;
    c->idle[count_index] = tune_search_best(c->search, count_index) == before ? c->idle[count_index] + 1 : 0;
    return true;
}

/* Should a candidate be about as fast as the best at a count? */
static bool is_rival(const tune_climb *c, size_t candidate, size_t count_index)
{
    const tune_trial *best = tune_search_best(c->search, count_index);

    return !c->pool.candidates[candidate].outlooks[count_index].settled &&
           (best == NULL || tune_pool_predict(&c->pool, candidate, count_index) < log(best->time_ns) + FOLLOWED);
}

bool tune_climb_spend(tune_climb *c, size_t candidate, size_t count_index)
{
    if (!spend_once(c, candidate, count_index))
        return false;
    for (size_t i = 0; i < c->setup->count_count; ++i)
        if (is_rival(c, candidate, i) && !spend_once(c, candidate, i))
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

size_t tune_climb_most_promising(const tune_climb *c, size_t count_index, size_t kind)
{
    size_t best = SIZE_MAX;
    double best_time = 0;

    for (size_t i = 0; i < c->pool.count; ++i) {
        double time;

        if (c->pool.candidates[i].outlooks[count_index].settled ||
            (kind != SIZE_MAX && c->pool.candidates[i].kind != kind))
            continue;
        if (is_too_long(c, i))
            continue;
        time = tune_pool_rank(&c->pool, i, count_index);
        if (best == SIZE_MAX || time < best_time) {
            best = i;
            best_time = time;
        }
    }
    return best;
}
