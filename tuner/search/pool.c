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

    for (size_t i = 0; i < TUNE_AXIS_COUNT; ++i)
        place.axes[i] = tune_field_get(variant, tune_axes[i].offset_bytes);
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        place.params[i] = log2f(1.0f + (float)tune_field_get(variant, tune_params[i].offset_bytes));
    return place;
}

/* Steps between two points; a parameter that only one of them has is not counted, their axes differ. */
static double distance(const tune_place *a, const tune_place *b)
{
    double steps = 0;

    for (size_t i = 0; i < TUNE_AXIS_COUNT; ++i)
        if (a->axes[i] != b->axes[i])
            steps += i == TUNE_AXIS_group_scan ? GROUP_SCAN_STEP : KIND_STEP;
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if ((a->params[i] > 0) == (b->params[i] > 0) || tune_params[i].min == 0)
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

/* Seconds that went into preparing the trial's candidate; 0 if it was prepared before. A failure may have no more to
 * show than how long it took. */
static double prepare_s_of(const tune_trial *trial)
{
    const double known_s = (trial->compile_ns + trial->validate_ns) * 1e-9;

    return known_s > 0 || trial->outcome == TUNE_OUTCOME_CORRECT ? known_s : trial->ended_s - trial->started_s;
}

static tune_lesson lesson_of(const tune_pool *pool, const tune_search_setup *setup, const tune_trial *trial)
{
    const double expected_ns = tune_model_time_ns(&pool->model, &trial->variant, trial->count);
    const double correction =
        trial->outcome == TUNE_OUTCOME_CORRECT ? log(trial->time_ns / expected_ns) : FAILURE_PENALTY;
    /* One absurd point must not speak for all its neighbours. */
    tune_lesson lesson = {.place = place_of(&trial->variant), .correction = (float)fmax(-3, fmin(3, correction))};
    const double prepare_s = prepare_s_of(trial);

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

static bool grow(tune_pool *pool)
{
    const size_t capacity = pool->capacity == 0 ? 256 : 2 * pool->capacity;
    tune_candidate *grown = realloc(pool->candidates, capacity * sizeof *grown);

    if (grown == NULL)
        return false;
    pool->candidates = grown;
    pool->capacity = capacity;
    return true;
}

size_t tune_pool_add(tune_pool *pool, const tune_search *search, const clscan_variant *variant)
{
    const tune_search_setup *setup = tune_search_about(search);
    tune_candidate *added;

    for (size_t i = 0; i < pool->count; ++i)
        if (tune_same_variant(&pool->candidates[i].variant, variant))
            return i;
    if (pool->count == pool->capacity && !grow(pool))
        return SIZE_MAX;
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
    const double prepare_s = prepare_s_of(trial);

    if (trial->outcome == TUNE_OUTCOME_CORRECT && prepare_s > 0 &&
        (pool->least_prepare_s == 0 || prepare_s < pool->least_prepare_s))
        pool->least_prepare_s = prepare_s;
    for (size_t i = 0; i < pool->count; ++i)
        if (tune_same_variant(&pool->candidates[i].variant, &trial->variant))
            pool->candidates[i].prepare.settled = true;
}

bool tune_pool_learn(tune_pool *pool, const tune_search *search)
{
    const tune_search_setup *setup = tune_search_about(search);

    for (; pool->learned < tune_search_trial_count(search); ++pool->learned) {
        if (pool->learned == pool->lesson_capacity) {
            const size_t capacity = pool->lesson_capacity == 0 ? 256 : 2 * pool->lesson_capacity;
            tune_lesson *grown = realloc(pool->lessons, capacity * sizeof *grown);

            if (grown == NULL)
                return false;
            pool->lessons = grown;
            pool->lesson_capacity = capacity;
        }
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
