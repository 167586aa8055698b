/* The default strategy: what is known to be fast elsewhere, then one step of one parameter off the best and off the
 * best of each body; then a look at each kind of variant that a model ranks first, and a climb around the best of each
 * count. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/climb.h"
#include "search/strategies.h"

/* Of all legal trials of a small space, at most this part is asked. */
#define LARGEST_PART 0.14
/* Trials per count of the ladder in a large space. */
#define TRIALS_PER_COUNT 200u
/* Parts of the trials and of the time for known variants at counts where they served nobody, and for single steps. */
#define KNOWN_PART 0.15
#define STEPS_PART 0.5
/* How much slower than the best these should be at most (logarithm). */
#define UNPROMISING_STEP 0.4
/* The best of a body has its neighbours tried unless it is so many times slower than the best of all. */
#define BODY_RATIO 2.0
/* Part of the trials and of the time that looks at every kind of variant, before climbing begins. */
#define SCREENING_PART 0.2
/* Counts of the ladder that are looked at for that. */
#define SCREENED_COUNTS 4u
#define MOST_NEIGHBOURS 512u
#define MOST_KINDS (CLSCAN_BODY_COUNT * CLSCAN_CARRY_COUNT)
/* A candidate that should be this much slower than the best is not worth a trial (logarithm). */
#define UNPROMISING 1.1
/* One turn of so many goes to another kind than the best one's, while its best is not this much slower. */
#define RIVAL_TURNS 3u
#define RIVAL_RATIO 1.3
/* Turns at a count without a better candidate until it is left alone. */
#define PATIENCE 40u

/* The trials of the defaults are in the part as well. */
static uint64_t allowance(const tune_climb *c)
{
    const uint64_t counts = c->setup->count_count, part = (uint64_t)(LARGEST_PART * (double)(c->pool.legal * counts));
    const uint64_t trials = TRIALS_PER_COUNT * counts;

    uint64_t allowed = trials;

    if (trials > part)
        allowed = part > 2 * counts ? part - counts : counts;
    return c->setup->max_trials > 0 && c->setup->max_trials < allowed ? c->setup->max_trials : allowed;
}

/* Tell how many trials there will be, as far as that can be known. */
static void foretell(const tune_climb *c)
{
    const uint64_t affordable = tune_search_affordable(c->search);
    const uint64_t asked = tune_search_trial_count(c->search) - c->setup->count_count;

    tune_search_expect(c->search, asked + (c->left < affordable ? c->left : affordable));
}

/* A part of the trials and of the time that are left. */
typedef struct share {
    uint64_t reserve; /* trials that are for others */
    double end_s;     /* 0: none */
} share;

static share share_of(const tune_climb *c, double part)
{
    const double now_s = tune_search_elapsed_s(c->search);

    return (share){c->left - (uint64_t)(part * (double)c->left),
                   c->setup->deadline_s > 0 ? now_s + part * (c->setup->deadline_s - now_s) : 0};
}

static bool is_spent(const tune_climb *c, share s)
{
    return c->left <= s.reserve || (s.end_s > 0 && tune_search_elapsed_s(c->search) > s.end_s);
}

/* Kinds that have a candidate at a count, the most promising first. */
typedef struct kind_rank {
    size_t candidate;
    double time;
} kind_rank;

static int by_promise(const void *a, const void *b)
{
    const kind_rank *left = a, *right = b;

    if (left->time != right->time)
        return left->time < right->time ? -1 : 1;
    return left->candidate < right->candidate ? -1 : left->candidate > right->candidate;
}

static size_t rank_kinds(const tune_climb *c, size_t count_index, kind_rank ranks[MOST_KINDS])
{
    size_t count = 0;

    for (size_t kind = 0; kind < c->pool.kind_count; ++kind) {
        const size_t candidate = tune_climb_most_promising(c, count_index, kind);

        if (candidate != SIZE_MAX)
            ranks[count++] = (kind_rank){candidate, tune_pool_rank(&c->pool, candidate, count_index)};
    }
    qsort(ranks, count, sizeof *ranks, by_promise);
    return count;
}

/* One round over the kinds of variants at a count. Returns false if the search is over. */
static bool screen_count(tune_climb *c, size_t count_index)
{
    kind_rank ranks[MOST_KINDS];
    const size_t count = rank_kinds(c, count_index, ranks);

    for (size_t i = 0; i < count; ++i)
        tune_search_announce(c->search, &c->pool.candidates[ranks[i].candidate].variant, 1);
    for (size_t i = 0; i < count; ++i) {
        const tune_trial *best = tune_search_best(c->search, count_index);

        if (best != NULL &&
            tune_pool_predict(&c->pool, ranks[i].candidate, count_index) > log(best->time_ns) + UNPROMISING)
            continue;
        if (!tune_climb_spend(c, ranks[i].candidate, count_index))
            return false;
    }
    return true;
}

/* Look at each kind of variant at some counts, from the largest, until a share of the trials and of the time is
 * spent. */
static bool screen(tune_climb *c)
{
    const size_t counts = c->setup->count_count, steps = counts < SCREENED_COUNTS ? counts : SCREENED_COUNTS;
    const share s = share_of(c, SCREENING_PART);
    uint64_t before;

    do {
        before = c->left;
        for (size_t i = 0; i < steps && !is_spent(c, s); ++i)
            if (!screen_count(c, steps == 1 ? 0 : (counts - 1) * (steps - 1 - i) / (steps - 1)))
                return false;
    } while (!is_spent(c, s) && c->left < before);
    return true;
}

/* ---- What is known ---- */

static size_t find_candidate(const tune_climb *c, const clscan_variant *variant)
{
    for (size_t i = 0; i < c->pool.count; ++i)
        if (clscan__variant_equal(&c->pool.candidates[i].variant, variant))
            return i;
    return SIZE_MAX;
}

static bool served(const tune_hint *hint, uint64_t count)
{
    return hint->close && hint->smallest_count <= count && count <= hint->largest_count;
}

/* Each where it served somebody, from the smallest count on: where it is hopeless there, larger ones are spared.
 * Returns false if the search is over. */
static bool try_where_they_served(tune_climb *c)
{
    for (size_t i = 0; i < c->setup->hint_count; ++i) {
        const size_t candidate = find_candidate(c, &c->setup->hints[i].variant);

        for (size_t at = 0; candidate != SIZE_MAX && at < c->setup->count_count; ++at)
            if (served(&c->setup->hints[i], c->setup->counts[at]) && !tune_climb_spend(c, candidate, at))
                return false;
    }
    return true;
}

/* Each everywhere else, where that is promising. */
static bool try_elsewhere(tune_climb *c)
{
    const share s = share_of(c, KNOWN_PART);

    for (size_t i = 0; i < c->setup->hint_count; ++i) {
        const size_t candidate = find_candidate(c, &c->setup->hints[i].variant);

        for (size_t at = c->setup->count_count; candidate != SIZE_MAX && at-- > 0;) {
            if (is_spent(c, s))
                return true;
            if (!c->pool.candidates[candidate].outlooks[at].settled &&
                tune_climb_is_promising(c, candidate, at, UNPROMISING_STEP) && !tune_climb_spend(c, candidate, at))
                return false;
        }
    }
    return true;
}

static void announce_known(const tune_climb *c)
{
    clscan_variant *variants = malloc((c->setup->hint_count + 1) * sizeof *variants);
    size_t count = 0;

    for (size_t i = 0; variants != NULL && i < c->setup->hint_count; ++i)
        for (size_t at = 0; at < c->setup->count_count; ++at)
            if (served(&c->setup->hints[i], c->setup->counts[at]) &&
                tune_search_may_try(c->search, &c->setup->hints[i].variant)) {
                variants[count++] = c->setup->hints[i].variant;
                break;
            }
    tune_search_announce(c->search, variants, count);
    free(variants);
}

/* What was best at a neighbouring count and is not measured here. */
static size_t from_next_count(const tune_climb *c, size_t count_index)
{
    for (size_t step = 0; step < 2; ++step) {
        const size_t other = step == 0 ? count_index + 1 : count_index - 1;
        const tune_trial *best = other < c->setup->count_count ? tune_search_best(c->search, other) : NULL;

        const size_t candidate = best != NULL ? find_candidate(c, &best->variant) : SIZE_MAX;

        if (candidate != SIZE_MAX && !c->pool.candidates[candidate].outlooks[count_index].settled)
            return candidate;
    }
    return SIZE_MAX;
}

/* What is best at a count is tried at the counts beside it, until that changes nothing. */
static bool spread(tune_climb *c)
{
    bool any = true;

    while (any) {
        any = false;
        for (size_t i = 0; i < c->setup->count_count; ++i) {
            const size_t candidate = from_next_count(c, i);

            if (candidate == SIZE_MAX)
                continue;
            if (!tune_climb_spend(c, candidate, i))
                return false;
            any = true;
        }
    }
    return true;
}

static bool try_known(tune_climb *c)
{
    announce_known(c);
    return try_where_they_served(c) && spread(c) && try_elsewhere(c) && spread(c);
}

/* ---- One step of one parameter ---- */

static const tune_trial *best_of_body(const tune_climb *c, uint32_t body, size_t count_index)
{
    const tune_trial *best = NULL;

    for (size_t i = 0; i < tune_search_trial_count(c->search); ++i) {
        const tune_trial *trial = tune_search_trial(c->search, i);

        if (trial->outcome == TUNE_OUTCOME_CORRECT && trial->count == c->setup->counts[count_index] &&
            trial->variant.body == body && (best == NULL || trial->time_ns < best->time_ns))
            best = trial;
    }
    return best;
}

/* The most promising step that was not tried at a count: off the best, then off the best of each body. */
static size_t next_step(tune_climb *c, size_t count_index)
{
    const tune_trial *best = tune_search_best(c->search, count_index);
    size_t candidate = best != NULL ? tune_climb_beside(c, &best->variant, count_index) : SIZE_MAX;

    for (uint32_t body = 0; best != NULL && body < CLSCAN_BODY_COUNT; ++body) {
        const tune_trial *other = NULL;

        if (candidate != SIZE_MAX && tune_climb_is_promising(c, candidate, count_index, UNPROMISING_STEP))
            return candidate;
        candidate = SIZE_MAX;
        if (body != best->variant.body)
            other = best_of_body(c, body, count_index);
        if (other != NULL && other->time_ns <= BODY_RATIO * best->time_ns)
            candidate = tune_climb_beside(c, &other->variant, count_index);
    }
    return candidate != SIZE_MAX && tune_climb_is_promising(c, candidate, count_index, UNPROMISING_STEP) ? candidate
                                                                                                         : SIZE_MAX;
}

/* The counts in turn, until no single step promises anything or a share of the trials and of the time is spent. */
static bool try_steps(tune_climb *c)
{
    const share s = share_of(c, STEPS_PART);
    bool any = true;

    while (any && !is_spent(c, s)) {
        any = false;
        for (size_t i = c->setup->count_count; i-- > 0 && !is_spent(c, s);) {
            size_t candidate = from_next_count(c, i);

            if (candidate == SIZE_MAX)
                candidate = next_step(c, i);
            if (candidate == SIZE_MAX)
                continue;
            if (!tune_climb_spend(c, candidate, i))
                return false;
            any = true;
        }
        foretell(c);
    }
    return true;
}

/* ---- Climbing ---- */

/* Bring the neighbours of a trial's variant into the pool. */
static void widen(tune_climb *c, const tune_trial *around, size_t count_index)
{
    clscan_variant *found = malloc(MOST_NEIGHBOURS * sizeof *found);
    size_t count = 0;

    c->widened[count_index] = around;
    if (found != NULL)
        count = tune_space_neighbours(c->setup->space, &around->variant,
                                      TUNE_STEPS | TUNE_AXIS_CHANGES | TUNE_EXCHANGES, found, MOST_NEIGHBOURS);
    for (size_t i = 0; i < count; ++i)
        if (tune_search_may_try(c->search, &found[i]))
            tune_pool_add(&c->pool, c->search, &found[i]);
    free(found);
}

static const tune_trial *best_of_kind(const tune_climb *c, size_t kind, size_t count_index)
{
    const tune_trial *best = NULL;

    for (size_t i = 0; i < tune_search_trial_count(c->search); ++i) {
        const tune_trial *trial = tune_search_trial(c->search, i);

        if (trial->outcome == TUNE_OUTCOME_CORRECT && trial->count == c->setup->counts[count_index] &&
            tune_pool_kind(&trial->variant) == kind && (best == NULL || trial->time_ns < best->time_ns))
            best = trial;
    }
    return best;
}

/* The most promising candidate of a kind that is close behind the best one; SIZE_MAX if there is none. The kinds take
 * turns. */
static size_t from_rival(tune_climb *c, size_t count_index)
{
    const tune_trial *best = tune_search_best(c->search, count_index);

    for (size_t i = 0; best != NULL && i < c->pool.kind_count; ++i) {
        const size_t kind = (c->turns[count_index] / RIVAL_TURNS + i) % c->pool.kind_count;
        const tune_trial *rival = best_of_kind(c, kind, count_index);

        if (rival == NULL || rival == best || rival->time_ns > RIVAL_RATIO * best->time_ns)
            continue;
        widen(c, rival, count_index);
        return tune_climb_most_promising(c, count_index, kind);
    }
    return SIZE_MAX;
}

/* What to try next at a count; SIZE_MAX: nothing. */
static size_t next_candidate(tune_climb *c, size_t count_index)
{
    const tune_trial *best = tune_search_best(c->search, count_index);
    size_t candidate = from_next_count(c, count_index);

    if (candidate == SIZE_MAX && ++c->turns[count_index] % RIVAL_TURNS == 0)
        candidate = from_rival(c, count_index);
    if (candidate == SIZE_MAX && c->turns[count_index] % RIVAL_TURNS == 1)
        candidate = next_step(c, count_index);
    if (candidate != SIZE_MAX)
        return candidate;
    if (best != NULL && c->widened[count_index] != best)
        widen(c, best, count_index);
    return tune_climb_most_promising(c, count_index, SIZE_MAX);
}

/* One trial at a count. Returns false if there is nothing more to try, or the search is over. */
static bool take_turn(tune_climb *c, size_t count_index)
{
    const tune_trial *best = tune_search_best(c->search, count_index);
    const size_t candidate = c->idle[count_index] < PATIENCE ? next_candidate(c, count_index) : SIZE_MAX;

    if (candidate == SIZE_MAX ||
        (best != NULL && tune_pool_predict(&c->pool, candidate, count_index) > log(best->time_ns) + UNPROMISING))
        return false;
    return tune_climb_spend(c, candidate, count_index);
}

/* The counts in turn, so that a budget which ends early ends for all of them. */
static void climb_all(tune_climb *c)
{
    bool any = true;

    memset(c->idle, 0, sizeof c->idle);
    while (any && c->left > 0 && !tune_search_over(c->search)) {
        any = false;
        foretell(c);
        for (size_t i = c->setup->count_count; i-- > 0;)
            any = take_turn(c, i) || any;
    }
}

static void search_staged(tune_search *search)
{
    tune_climb c = {.search = search, .setup = tune_search_about(search)};

    if (tune_pool_create(&c.pool, search) && tune_pool_learn(&c.pool, search)) {
        c.left = allowance(&c);
        foretell(&c);
        if (try_known(&c) && try_steps(&c) && screen(&c))
            climb_all(&c);
    }
    tune_pool_free(&c.pool);
}

const tune_strategy tune_strategy_staged = {
    "staged", "known variants, single steps off the best, then each kind by a model, and a climb at each count",
    search_staged};
