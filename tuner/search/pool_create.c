/* Which candidates a search begins with: of every kind and every count, those that the model ranks first. */
#include <stdlib.h>

#include "search/pool.h"

/* Points of a space that are ranked. Blocks are of very different sizes, so each has the same share, of which a random
 * sample is taken where it has more points. */
#define MOST_RANKED 60000u
/* Points of one kind that are kept for one count. */
#define KEPT 40u
/* So many of them are starts from which the model is followed to where no step makes it faster. */
#define STARTS 3u
#define MOST_STEPS 512u

/* The points of one kind that the model ranks first at one count, in order. */
typedef struct ranking {
    struct ranked {
        clscan_variant variant;
        double time_ns;
    } items[KEPT];
    size_t count;
} ranking;

static void rank(ranking *list, const clscan_variant *variant, double time_ns)
{
    size_t at;

    if (list->count == KEPT && list->items[KEPT - 1].time_ns <= time_ns)
        return;
    for (size_t i = 0; i < list->count; ++i)
        if (list->items[i].time_ns == time_ns && tune_same_variant(&list->items[i].variant, variant))
            return;
    at = list->count < KEPT ? list->count++ : KEPT - 1;
    for (; at > 0 && list->items[at - 1].time_ns > time_ns; --at)
        list->items[at] = list->items[at - 1];
    list->items[at].variant = *variant;
    list->items[at].time_ns = time_ns;
}

static void rank_everywhere(const tune_pool *pool, const tune_search_setup *setup, const clscan_variant *variant,
                            ranking *lists)
{
    for (size_t c = 0; c < setup->count_count; ++c)
        rank(&lists[tune_pool_kind(variant) * setup->count_count + c], variant,
             tune_model_time_ns(&pool->model, variant, setup->counts[c]));
}

static void rank_block(tune_pool *pool, const tune_search *search, const tune_space_block *block, ranking *lists)
{
    const tune_search_setup *setup = tune_search_about(search);
    const uint64_t share = MOST_RANKED / setup->space->block_count + 1;
    const uint64_t asked = block->points < share ? block->points : share;
    uint64_t legal = 0;

    for (uint64_t i = 0; i < asked; ++i) {
        clscan_variant variant;

        tune_space_point(setup->space, tune_block_shuffled(block, setup->seed, i), &variant);
        if (!tune_space_legal(setup->space, &variant, NULL))
            continue;
        ++legal;
        if (tune_search_may_try(search, &variant))
            rank_everywhere(pool, setup, &variant, lists);
    }
    pool->legal += (uint64_t)((double)legal * ((double)block->points / (double)(asked > 0 ? asked : 1)));
}

/* A sample seldom has the model's best point, but points from which steps lead there; what is passed by is ranked. */
static void follow(const tune_pool *pool, const tune_search *search, ranking *list, struct ranked at, uint64_t count)
{
    clscan_variant next[MOST_STEPS];
    bool better;

    do {
        const size_t found = tune_space_neighbours(tune_search_about(search)->space, &at.variant,
                                                   TUNE_STEPS | TUNE_EXCHANGES, next, MOST_STEPS);

        better = false;
        for (size_t i = 0; i < found; ++i) {
            const double time_ns = tune_model_time_ns(&pool->model, &next[i], count);

            if (!tune_search_may_try(search, &next[i]))
                continue;
            rank(list, &next[i], time_ns);
            if (time_ns < at.time_ns) {
                at = (struct ranked){next[i], time_ns};
                better = true;
            }
        }
    } while (better);
}

static void refine(const tune_pool *pool, const tune_search *search, ranking *list, uint64_t count)
{
    const ranking sampled = *list;

    for (size_t i = 0; i < sampled.count && i < STARTS; ++i)
        follow(pool, search, list, sampled.items[i], count);
}

/* The copies that were measured beside the defaults tell launch time and bandwidth. */
static void calibrate(tune_pool *pool, const tune_search *search)
{
    const tune_search_setup *setup = tune_search_about(search);
    const size_t last = setup->count_count - 1;
    const tune_trial *small = tune_search_default(search, 0), *large = tune_search_default(search, last);

    tune_model_init(&pool->model, &setup->space->device, setup->target.type);
    if (small != NULL && large != NULL)
        tune_model_calibrate(&pool->model, small->copy_ns, large->copy_ns,
                             2.0 * (double)setup->counts[last] * setup->target.element_size_bytes);
}

bool tune_pool_create(tune_pool *pool, const tune_search *search)
{
    const tune_search_setup *setup = tune_search_about(search);
    const size_t kinds = CLSCAN_BODY_COUNT * CLSCAN_CARRY_COUNT, list_count = kinds * setup->count_count;
    ranking *lists = calloc(list_count, sizeof *lists);
    bool added = lists != NULL;

    *pool = (tune_pool){.kind_count = kinds};
    calibrate(pool, search);
    for (size_t i = 0; added && i < setup->space->block_count; ++i)
        rank_block(pool, search, &setup->space->blocks[i], lists);
    for (size_t i = 0; added && i < list_count; ++i)
        refine(pool, search, &lists[i], setup->counts[i % setup->count_count]);
    for (size_t i = 0; added && i < list_count; ++i)
        for (size_t j = 0; added && j < lists[i].count; ++j)
            added = tune_pool_add(pool, search, &lists[i].items[j].variant) != SIZE_MAX;
    for (size_t i = 0; added && i < setup->hint_count; ++i)
        if (tune_search_may_try(search, &setup->hints[i].variant))
            added = tune_pool_add(pool, search, &setup->hints[i].variant) != SIZE_MAX;
    for (size_t i = 0; added && i < setup->count_count; ++i)
        added = tune_pool_add(pool, search, &setup->defaults[i]) != SIZE_MAX;
    for (size_t i = 0; added && setup->known != NULL && i < setup->known->count; ++i)
        if (tune_target_equal(&setup->known->trials[i]->target, &setup->target) &&
            tune_search_may_try(search, &setup->known->trials[i]->variant))
            added = tune_pool_add(pool, search, &setup->known->trials[i]->variant) != SIZE_MAX;
    free(lists);
    return added;
}
