/* Successive halving over the counts: many candidates at the smallest one, the better half of them at the next. */
#include <stdlib.h>
#include <string.h>

#include "search/strategies.h"

/* Of each 2 trials about one candidate enters; without a budget there are so many. */
#define CANDIDATES 256u
#define FEWEST_CANDIDATES 8u

typedef struct contender {
    clscan_variant variant;
    double time_ns; /* at the last count; 0: not right */
} contender;

/* A random sample of legal points. Returns how many there are. */
static size_t draw(const tune_search *search, contender *pool, size_t capacity)
{
    const uint64_t points = tune_search_points(search), seed = tune_search_about(search)->seed;
    size_t count = 0;

    for (uint64_t i = 0; i < points && count < capacity; ++i) {
        tune_search_point(search, tune_shuffled(points, seed, i), &pool[count].variant);
        count += tune_search_may_try(search, &pool[count].variant);
    }
    return count;
}

/* Right before wrong, then fast before slow. */
static int by_time(const void *a, const void *b)
{
    const contender *left = a, *right = b;

    if ((left->time_ns > 0) != (right->time_ns > 0))
        return left->time_ns > 0 ? -1 : 1;
    if (left->time_ns < right->time_ns)
        return -1;
    if (left->time_ns > right->time_ns)
        return 1;
    return memcmp(&left->variant, &right->variant, sizeof left->variant);
}

/* Is it the first of its body and carry in the sorted pool? What suits small counts must not drive out all that suit
 * large ones. */
static bool is_first_of_kind(const contender *pool, size_t at)
{
    for (size_t i = 0; i < at; ++i)
        if (pool[i].variant.body == pool[at].variant.body && pool[i].variant.carry == pool[at].variant.carry)
            return false;
    return true;
}

/* Keep the better half, and the best of each kind. Returns how many are left. */
static size_t halve(contender *pool, size_t count)
{
    size_t kept = (count + 1) / 2;

    qsort(pool, count, sizeof *pool, by_time);
    for (size_t i = kept; i < count; ++i)
        if (pool[i].time_ns > 0 && is_first_of_kind(pool, i)) {
            const contender moved = pool[i];

            memmove(&pool[kept + 1], &pool[kept], (i - kept) * sizeof *pool);
            pool[kept++] = moved;
        }
    while (kept > 0 && pool[kept - 1].time_ns <= 0)
        --kept;
    return kept;
}

static void measure_all(tune_search *search, contender *pool, size_t count, size_t count_index)
{
    const tune_search_setup *setup = tune_search_about(search);

    for (size_t i = 0; i < count && !tune_search_over(search); ++i) {
        const tune_trial *trial = tune_search_try(search, &pool[i].variant, setup->counts[count_index]);

        if (i % 16 == 0 && count_index == 0)
            for (size_t next = i; next < i + 16 && next < count; ++next)
                tune_search_announce(search, &pool[next].variant, 1);
        pool[i].time_ns = trial != NULL && trial->outcome == TUNE_OUTCOME_CORRECT ? trial->time_ns : 0;
    }
}

static void search_halving(tune_search *search)
{
    const tune_search_setup *setup = tune_search_about(search);
    const uint64_t affordable = tune_search_affordable(search) / 2;
    const size_t wanted = affordable > CANDIDATES && setup->deadline_s <= 0 ? CANDIDATES
                          : affordable > 16 * CANDIDATES                    ? 16 * CANDIDATES
                          : affordable < FEWEST_CANDIDATES                  ? FEWEST_CANDIDATES
                                                                            : (size_t)affordable;
    contender *pool = calloc(wanted, sizeof *pool);
    size_t count = pool != NULL ? draw(search, pool, wanted) : 0;

    tune_search_expect(search, 2 * count);
    for (size_t i = 0; i < setup->count_count && count > 0 && !tune_search_over(search); ++i) {
        measure_all(search, pool, count, i);
        count = halve(pool, count);
    }
    free(pool);
}

const tune_strategy tune_strategy_halving = {
    "halving", "many random points at the smallest count, the better half of them at the next one", search_halving};
