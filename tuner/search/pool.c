#include "search/pool.h"

#include <math.h>
#include <stdlib.h>

/* Weights: how far a measurement reaches, and how much the model is trusted against it. */
#define STEP 1.2
#define GROUP_SCAN_STEP 0.7
#define KIND_STEP 3.0
#define COUNT_STEP 0.35
#define TRUST 0.25
/* A failure counts as so many times slower than expected: its neighbours are likely to fail as well. */
#define FAILURE_PENALTY 2.0
/* A candidate is set back that takes much longer to prepare than the quickest one: by this for each e times more. */
#define PREPARE_SETBACK 0.1
#define MUCH_LONGER 8.0

static tune_place place_of(const clscan_variant *variant)
{
    tune_place place;

    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i)
        place.axes[i] = clscan__axis_get(&clscan__axes[i], variant);
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        place.params[i] = log2f(1.0f + (float)clscan__param_get(&clscan__params[i], variant));
    return place;
}

/* Steps between two points; a parameter that only one of them has is not counted, their axes differ. */
static double distance(const tune_place *a, const tune_place *b)
{
    double steps = 0;

    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i)
        if (a->axes[i] != b->axes[i])
            steps += i == CLSCAN__AXIS_GROUP_SCAN ? GROUP_SCAN_STEP : KIND_STEP;
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if ((a->params[i] > 0) == (b->params[i] > 0) || clscan__params[i].min == 0)
            steps += STEP * fabs((double)a->params[i] - (double)b->params[i]);
    return steps;
}

size_t tune_pool_kind(const clscan_variant *variant)
{
    return (size_t)variant->body * CLSCAN_CARRY_COUNT + variant->carry;
}

/* What one measurement says. */
typedef struct tune_lesson {
    tune_place place;
    float correction;
    float prepare; /* the same of the time to prepare it; 0 if it was prepared before */
    bool prepared;
    float weights[TUNE_MAX_COUNTS]; /* how much it says of each count of the ladder */
} tune_lesson;

static void teach(tune_candidate *candidate, const tune_lesson *from, size_t count_count)
{
    const float nearness = (float)exp(-distance(&candidate->place, &from->place));

    for (size_t i = 0; i < count_count; ++i) {
        candidate->outlooks[i].correction += nearness * from->weights[i] * from->correction;
        candidate->outlooks[i].weight += nearness * from->weights[i];
    }
    if (from->prepared) {
        candidate->prepare.correction += nearness * from->prepare;
        candidate->prepare.weight += nearness;
    }
}

static bool is_prepared(const tune_pool *pool, const clscan_variant *variant)
{
    for (size_t i = 0; i < pool->count; ++i)
        if (clscan__variant_equal(&pool->candidates[i].variant, variant))
            return pool->candidates[i].prepare.settled;
    return false;
}

/* Seconds that went into preparing the trial's candidate; 0 if it was prepared before: loading it again takes next to
 * nothing. A failure may have no more to show than how long it took. */
static double prepare_s_of(const tune_pool *pool, const tune_trial *trial)
{
    const double known_s = (trial->compile_ns + trial->validate_ns) * 1e-9;

    if (is_prepared(pool, &trial->variant))
        return 0;
    return known_s > 0 || trial->outcome == TUNE_OUTCOME_CORRECT ? known_s : trial->ended_s - trial->started_s;
}

static tune_lesson lesson_of(const tune_pool *pool, const tune_search_setup *setup, const tune_trial *trial)
{
    const double expected_ns = tune_model_time_ns(&pool->model, &trial->variant, trial->count);
    const double correction =
        trial->outcome == TUNE_OUTCOME_CORRECT ? log(trial->time_ns / expected_ns) : FAILURE_PENALTY;
    /* One absurd point must not speak for all its neighbours. */
    tune_lesson lesson = {.place = place_of(&trial->variant), .correction = (float)fmax(-3, fmin(3, correction))};
    const double prepare_s = prepare_s_of(pool, trial);

    if (tune_trial_is_unknown(trial))
        return lesson; /* all weights are 0 */
    if (prepare_s > 0) {
        lesson.prepared = true;
        lesson.prepare = (float)log(prepare_s / tune_model_prepare_s(&pool->model, &trial->variant));
    }
    for (size_t i = 0; i < setup->count_count; ++i)
        lesson.weights[i] = (float)exp(-COUNT_STEP * fabs(log2((double)setup->counts[i]) - log2((double)trial->count)));
    return lesson;
}

/* Room for one more than the `count` items that are there. NULL: no memory, and nothing is changed. */
static void *with_room(void *items, size_t count, size_t *capacity, size_t item_bytes)
{
    const size_t more = *capacity == 0 ? 256 : 2 * *capacity;
    void *grown;

    if (count < *capacity)
        return items;
    grown = realloc(items, more * item_bytes);
    if (grown != NULL)
        *capacity = more;
    return grown;
}

size_t tune_pool_add(tune_pool *pool, const tune_search *search, const clscan_variant *variant)
{
    const tune_search_setup *setup = tune_search_about(search);
    tune_candidate *added, *roomy;

    for (size_t i = 0; i < pool->count; ++i)
        if (clscan__variant_equal(&pool->candidates[i].variant, variant))
            return i;
    roomy = with_room(pool->candidates, pool->count, &pool->capacity, sizeof *roomy);
    if (roomy == NULL)
        return SIZE_MAX;
    pool->candidates = roomy;
    added = &pool->candidates[pool->count];
    *added = (tune_candidate){.variant = *variant,
                              .place = place_of(variant),
                              .kind = tune_pool_kind(variant),
                              .outlooks = calloc(setup->count_count, sizeof *added->outlooks)};
    if (added->outlooks == NULL)
        return SIZE_MAX;
    for (size_t i = 0; i < setup->count_count; ++i)
        added->outlooks[i].log_model = (float)log(tune_model_time_ns(&pool->model, variant, setup->counts[i]));
    added->prepare.log_model = (float)log(tune_model_prepare_s(&pool->model, variant));
    for (size_t i = 0; i < pool->learned; ++i)
        teach(added, &pool->lessons[i], setup->count_count);
    return pool->count++;
}

static void note_prepared(tune_pool *pool, const tune_trial *trial)
{
    const double prepare_s = prepare_s_of(pool, trial);

    if (tune_trial_is_unknown(trial))
        return;
    if (trial->outcome == TUNE_OUTCOME_CORRECT && prepare_s > 0 &&
        (pool->least_prepare_s == 0 || prepare_s < pool->least_prepare_s))
        pool->least_prepare_s = prepare_s;
    for (size_t i = 0; i < pool->count; ++i)
        if (clscan__variant_equal(&pool->candidates[i].variant, &trial->variant))
            pool->candidates[i].prepare.settled = true;
}

bool tune_pool_learn(tune_pool *pool, const tune_search *search)
{
    const tune_search_setup *setup = tune_search_about(search);

    for (; pool->learned < tune_search_trial_count(search); ++pool->learned) {
        tune_lesson *roomy = with_room(pool->lessons, pool->learned, &pool->lesson_capacity, sizeof *roomy);

        if (roomy == NULL)
            return false;
        pool->lessons = roomy;
        pool->lessons[pool->learned] = lesson_of(pool, setup, tune_search_trial(search, pool->learned));
        note_prepared(pool, tune_search_trial(search, pool->learned));
        for (size_t i = 0; i < pool->count; ++i)
            teach(&pool->candidates[i], &pool->lessons[pool->learned], setup->count_count);
    }
    return true;
}

double tune_pool_predict(const tune_pool *pool, size_t candidate, size_t count_index)
{
    const tune_outlook *outlook = &pool->candidates[candidate].outlooks[count_index];

    return (double)outlook->log_model + (double)outlook->correction / ((double)outlook->weight + TRUST);
}

double tune_pool_prepare_s(const tune_pool *pool, size_t candidate)
{
    const tune_outlook *prepare = &pool->candidates[candidate].prepare;

    return prepare->settled
               ? 0
               : exp((double)prepare->log_model + (double)prepare->correction / ((double)prepare->weight + TRUST));
}

double tune_pool_rank(const tune_pool *pool, size_t candidate, size_t count_index)
{
    const double prepare_s = tune_pool_prepare_s(pool, candidate);
    double setback = 0;

    if (prepare_s > 0 && pool->least_prepare_s > 0)
        setback = fmax(0, log(prepare_s / pool->least_prepare_s / MUCH_LONGER));
    return tune_pool_predict(pool, candidate, count_index) + PREPARE_SETBACK * setback;
}

void tune_pool_free(tune_pool *pool)
{
    for (size_t i = 0; i < pool->count; ++i)
        free(pool->candidates[i].outlooks);
    free(pool->candidates);
    free(pool->lessons);
    *pool = (tune_pool){.count = 0};
}

/* ---- Which candidates a search begins with ---- */

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
        if (list->items[i].time_ns == time_ns && clscan__variant_equal(&list->items[i].variant, variant))
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

    tune_model_init(&pool->model, &setup->space->device, &setup->target);
    if (small != NULL && large != NULL)
        tune_model_calibrate(&pool->model, small->copy_ns, large->copy_ns,
                             2.0 * (double)tune_target_elements(&setup->target, setup->counts[last]) *
                                 setup->target.element_size_bytes);
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
