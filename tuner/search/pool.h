/* Candidates that are worth a look, and what they should cost by the model and by all that was measured so far.
 *
 * A prediction is the model's time, corrected by what the model got wrong about measured points nearby: a weighted
 * mean of the logarithms of measured over expected time, where the weight falls with the number of steps between two
 * points and between two counts. */
#ifndef CLSCAN_TUNER_POOL_H
#define CLSCAN_TUNER_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "search/model.h"
#include "search/search.h"

/* Where a variant stands in the space, for distances. */
typedef struct tune_place {
    float params[CLSCAN_PARAM_COUNT]; /* log2 of one more than the value */
    uint32_t axes[CLSCAN__AXIS_COUNT];
} tune_place;

/* What is known of one candidate at one count. */
typedef struct tune_outlook {
    float log_model;  /* of the model's time */
    float correction; /* sum of weighted corrections */
    float weight;     /* sum of weights */
    bool settled;     /* measured, or hopeless */
} tune_outlook;

typedef struct tune_candidate {
    clscan_variant variant;
    tune_place place;
    size_t kind;            /* number of its body and carry; kinds are 0 .. kind_count - 1 */
    tune_outlook *outlooks; /* one per count of the ladder */
    tune_outlook prepare;   /* the same of the time to compile and validate it; settled: that was done */
} tune_candidate;

typedef struct tune_pool {
    tune_model model;
    struct tune_lesson *lessons; /* one per trial that the corrections hold */
    size_t learned, lesson_capacity;
    tune_candidate *candidates;
    size_t count, capacity;
    size_t kind_count;
    double least_prepare_s; /* of all candidates that were prepared */
    uint64_t legal;         /* points of the whole space; an estimate if it is large */
} tune_pool;

/* Number of the variant's body and carry. */
size_t tune_pool_kind(const clscan_variant *variant);

/* Fill the pool: of every kind and every count of the ladder the points that the model ranks first, and the hints.
 * Returns false if memory ran out. */
bool tune_pool_create(tune_pool *pool, const tune_search *search);
void tune_pool_free(tune_pool *pool);

/* Put a variant in. Returns its position, or SIZE_MAX if memory ran out. */
size_t tune_pool_add(tune_pool *pool, const tune_search *search, const clscan_variant *variant);

/* Take in the trials that were measured since the last call. Returns false if memory ran out. */
bool tune_pool_learn(tune_pool *pool, const tune_search *search);

/* Logarithm of the time that a candidate should take at a count of the ladder. */
double tune_pool_predict(const tune_pool *pool, size_t candidate, size_t count_index);

/* Seconds that it should take to compile and validate a candidate; 0 if that was done. */
double tune_pool_prepare_s(const tune_pool *pool, size_t candidate);

/* As tune_pool_predict(), but worse for candidates that take long to prepare: in that time others can be measured. */
double tune_pool_rank(const tune_pool *pool, size_t candidate, size_t count_index);

#endif
