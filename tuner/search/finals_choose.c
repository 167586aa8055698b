/* Who takes part in the last comparison. */
#include <math.h>
#include <stdlib.h>

#include "search/decide.h"
#include "search/finals_state.h"

/* Of each count take part: so many of the fastest, and those fastest ones of the counts beside it that are slower here
 * by no more than this part, since one variant for both is better than two. */
#define MOST_FASTEST 4u
#define SHARED_RATIO 1.05
#define MOST_FINALISTS (3u * MOST_FASTEST + 1u)

static bool is_right(const tune_trial *trial)
{
    return trial != NULL && trial->outcome == TUNE_OUTCOME_CORRECT && trial->variant.order != CLSCAN_ORDER_STATIC;
}

/* The fastest right trials at a count, ascending. Returns how many. */
static size_t fastest_at(const tune_search *search, size_t count_index, const tune_trial *best[], size_t capacity)
{
    const uint64_t count = tune_search_about(search)->counts[count_index];
    size_t found = 0;

    for (size_t i = 0; i < tune_search_trial_count(search); ++i) {
        const tune_trial *trial = tune_search_trial(search, i);
        size_t at = found;

        if (trial->count != count || !is_right(trial))
            continue;
        while (at > 0 && best[at - 1]->time_ns > trial->time_ns)
            --at;
        if (at == capacity)
            continue;
        found += found < capacity;
        for (size_t j = found - 1; j > at; --j)
            best[j] = best[j - 1];
        best[at] = trial;
    }
    return found;
}

static void add(finals *f, const tune_trial *trial, size_t count_index)
{
    for (size_t i = 0; i < f->count; ++i)
        if (f->list[i].trial == trial)
            return;
    f->list[f->count++] = (finalist){
        .trial = trial, .count_index = count_index, .is_default = trial == tune_search_default(f->search, count_index)};
}

static int by_variant(const void *a, const void *b)
{
    const finalist *left = a, *right = b;
    const int simpler =
        tune_compare_simplicity(&left->trial->variant, &right->trial->variant, left->trial->target.type);

    return simpler != 0 ? simpler : left->count_index < right->count_index ? -1 : 1;
}

static void add_count(finals *f, size_t count_index, size_t fastest)
{
    const tune_trial *here[MOST_FASTEST], *beside[MOST_FASTEST],
        *standard = tune_search_default(f->search, count_index);
    const size_t found = fastest_at(f->search, count_index, here, fastest);

    if (standard != NULL && tune_trial_is_unmeasured(standard))
        return; /* nothing will be chosen here */
    for (size_t i = 0; i < found; ++i)
        add(f, here[i], count_index);
    if (found > 0 && is_right(standard))
        add(f, standard, count_index);
    for (size_t side = 0; found > 0 && side < 2; ++side) {
        const size_t other = side == 0 ? count_index - 1 : count_index + 1;
        const size_t more = other < f->setup->count_count ? fastest_at(f->search, other, beside, fastest) : 0;

        for (size_t i = 0; i < more; ++i) {
            const tune_trial *trial = tune_search_peek(f->search, &beside[i]->variant, f->setup->counts[count_index]);

            if (is_right(trial) && trial->time_ns <= SHARED_RATIO * here[0]->time_ns)
                add(f, trial, count_index);
        }
    }
}

/* Seconds of one round: a measurement takes what it took in the search, without what was prepared then. */
static double round_s(const finals *f)
{
    double sum_s = 0;

    for (size_t i = 0; i < f->count; ++i) {
        const tune_trial *trial = f->list[i].trial;

        sum_s += fmax(0, trial->ended_s - trial->started_s - (trial->compile_ns + trial->validate_ns) * 1e-9);
    }
    return sum_s;
}

bool tune_finals_choose(finals *f, double left_s)
{
    size_t fastest = MOST_FASTEST;

    f->list = calloc(f->setup->count_count * MOST_FINALISTS, sizeof *f->list);
    if (f->list == NULL)
        return false;
    do {
        f->count = 0;
        for (size_t i = 0; i < f->setup->count_count; ++i)
            add_count(f, i, fastest);
    } while (LEAST_ROUNDS * round_s(f) > left_s && --fastest > 0);
    qsort(f->list, f->count, sizeof *f->list, by_variant);
    return true;
}
