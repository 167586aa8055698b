/* A recording for replays: what is known, what lies around the fastest, and everything else evenly. */
#include <stdlib.h>

#include "search/strategies.h"
#include "search/walk.h"

#define MOST_NEIGHBOURS 128u
/* Variants that are compiled ahead; the more, the less often all compilers wait for the last one. */
#define MOST_COLLECTED 64u
/* Random points of a block that are looked at for a legal one, at a time. */
#define DRAWS 200u

typedef struct sweep {
    tune_search *search;
    const tune_search_setup *setup;
    clscan_variant next[MOST_COLLECTED]; /* to be tried at every count */
    size_t count;
    uint64_t *positions; /* how far each block's random order has been drawn */
    size_t block;        /* whose turn it is */
} sweep;

static bool is_new(const sweep *s, const clscan_variant *variant)
{
    for (size_t i = 0; i < s->count; ++i)
        if (clscan__variant_equal(&s->next[i], variant))
            return false;
    for (size_t i = 0; i < s->setup->count_count; ++i)
        if (tune_search_peek(s->search, variant, s->setup->counts[i]) != NULL)
            return false;
    return true;
}

/* Try what was collected. */
static void try_collected(sweep *s)
{
    tune_search_announce(s->search, s->next, s->count);
    for (size_t i = 0; i < s->count && !tune_search_over(s->search); ++i)
        tune_walk_counts(s->search, &s->next[i]);
    s->count = 0;
}

static void collect(sweep *s, const clscan_variant *variant)
{
    if (!is_new(s, variant))
        return;
    s->next[s->count++] = *variant;
    if (s->count == MOST_COLLECTED)
        try_collected(s);
}

/* One step off the best of a body at a count (CLSCAN_BODY_COUNT: of all bodies). */
static void collect_beside(sweep *s, size_t count_index, uint32_t body)
{
    clscan_variant found[MOST_NEIGHBOURS];
    const tune_trial *best = NULL;
    size_t count;

    for (size_t i = 0; i < tune_search_trial_count(s->search); ++i) {
        const tune_trial *trial = tune_search_trial(s->search, i);

        if (trial->outcome == TUNE_OUTCOME_CORRECT && trial->count == s->setup->counts[count_index] &&
            (body == CLSCAN_BODY_COUNT || trial->variant.body == body) &&
            (best == NULL || trial->time_ns < best->time_ns))
            best = trial;
    }
    if (best == NULL)
        return;
    count = tune_space_neighbours(s->setup->space, &best->variant, TUNE_STEPS, found, MOST_NEIGHBOURS);
    for (size_t i = 0; i < count; ++i)
        if (is_new(s, &found[i]) && tune_search_may_try(s->search, &found[i])) {
            collect(s, &found[i]);
            return;
        }
}

/* The variants of a log are one block. */
static size_t block_count(const sweep *s)
{
    return s->setup->known != NULL ? 1 : s->setup->space->block_count;
}

static uint64_t points_of(const sweep *s, size_t block)
{
    return s->setup->known != NULL ? tune_search_points(s->search) : s->setup->space->blocks[block].points;
}

/* The next point of a block in random order. */
static void draw(sweep *s, size_t block, clscan_variant *variant)
{
    const uint64_t position = s->positions[block]++, seed = s->setup->seed;

    tune_search_point(s->search,
                      s->setup->known != NULL ? tune_shuffled(points_of(s, block), seed, position)
                                              : tune_block_shuffled(&s->setup->space->blocks[block], seed, position),
                      variant);
}

/* The next random legal point of the block whose turn it is. */
static void collect_random(sweep *s)
{
    const size_t block = s->block;

    s->block = (s->block + 1) % block_count(s);
    for (unsigned i = 0; i < DRAWS && s->positions[block] < points_of(s, block); ++i) {
        clscan_variant variant;

        draw(s, block, &variant);
        if (tune_search_may_try(s->search, &variant) && is_new(s, &variant)) {
            collect(s, &variant);
            return;
        }
    }
}

static bool is_drawn_out(const sweep *s)
{
    for (size_t i = 0; i < block_count(s); ++i)
        if (s->positions[i] < points_of(s, i))
            return false;
    return true;
}

static void search_evenly(tune_search *search)
{
    const tune_search_setup *setup = tune_search_about(search);
    sweep s = {.search = search, .setup = setup};

    s.positions = calloc(block_count(&s), sizeof *s.positions);
    tune_search_expect(search, tune_search_affordable(search));
    for (size_t i = 0; s.positions != NULL && i < setup->count_count; ++i)
        tune_walk_counts(search, &setup->defaults[i]);
    for (size_t i = 0; s.positions != NULL && i < setup->hint_count; ++i)
        if (tune_search_may_try(search, &setup->hints[i].variant))
            collect(&s, &setup->hints[i].variant);
    try_collected(&s);
    for (size_t turn = 0; s.positions != NULL && !tune_search_over(search); ++turn) {
        for (size_t i = 0; i < setup->count_count; ++i)
            collect_beside(&s, i, CLSCAN_BODY_COUNT);
        for (uint32_t body = 0; body < CLSCAN_BODY_COUNT; ++body)
            collect_beside(&s, (turn + body) % setup->count_count, body);
        for (size_t i = 0; i < setup->count_count + CLSCAN_BODY_COUNT; ++i)
            collect_random(&s);
        if (!is_drawn_out(&s))
            continue;
        if (s.count == 0)
            break;
        try_collected(&s);
    }
    try_collected(&s);
    free(s.positions);
}

const tune_strategy tune_strategy_sweep = {
    "sweep", "known variants, steps off the fastest, and every kind evenly, at all counts: a recording for replays",
    search_evenly};
