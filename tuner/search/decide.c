#include "search/decide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "config_file/axes.h"
#include "search/finals.h"
#include "trial/trial.h"

/* So many times as fast is more than what differs from one large count to the next. */
#define CLEARLY_AHEAD 1.1

const char *tune_reason_text(tune_reason reason)
{
    static const char *const texts[] = {
#define X(name, text) text,
        TUNE_REASON_LIST(X)
#undef X
    };

    return texts[reason];
}

/* Bytes of elements that a work-item has in registers: of two tiles, where the next one comes into registers as
 * well. */
static uint64_t held_bytes(const clscan_variant *variant, const clscan_problem *problem)
{
    const uint64_t tiles = variant->carry == CLSCAN_CARRY_LOOKAHEAD && variant->landing_zones == 0 ? 2 : 1;

    return clscan_variant_register_bytes(variant, problem) / variant->work_group_size * tiles;
}

int tune_compare_simplicity(const clscan_variant *a, const clscan_variant *b, const tune_target *target)
{
    const int waits = (a->order != CLSCAN_ORDER_NONE) - (b->order != CLSCAN_ORDER_NONE);
    const int launches = (a->carry == CLSCAN_CARRY_REDUCE_THEN_SCAN || a->carry == CLSCAN_CARRY_SCAN_THEN_ADD) -
                         (b->carry == CLSCAN_CARRY_REDUCE_THEN_SCAN || b->carry == CLSCAN_CARRY_SCAN_THEN_ADD);
    const clscan_problem problem = tune_target_shape(target);
    const uint64_t a_held = held_bytes(a, &problem), b_held = held_bytes(b, &problem);
    const uint64_t a_bytes = clscan_variant_local_bytes(a, &problem) + clscan_variant_register_bytes(a, &problem);
    const uint64_t b_bytes = clscan_variant_local_bytes(b, &problem) + clscan_variant_register_bytes(b, &problem);

    if (waits != 0 || launches != 0)
        return waits != 0 ? waits : launches;
    if (a_held != b_held)
        return a_held < b_held ? -1 : 1;
    if (a_bytes != b_bytes)
        return a_bytes < b_bytes ? -1 : 1;
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i) {
        const uint32_t a_value = clscan__param_get(&clscan__params[i], a);
        const uint32_t b_value = clscan__param_get(&clscan__params[i], b);

        if (a_value != b_value)
            return a_value < b_value ? -1 : 1;
    }
    return memcmp(a, b, sizeof *a);
}

const tune_trial *tune_best_with(const tune_search *search, size_t count_index, clscan__axis_id axis, uint32_t value)
{
    const uint64_t count = tune_search_about(search)->counts[count_index];
    const tune_trial *best = NULL;

    for (size_t i = 0; i < tune_search_trial_count(search); ++i) {
        const tune_trial *trial = tune_search_trial(search, i);

        if (trial->count == count && trial->outcome == TUNE_OUTCOME_CORRECT &&
            clscan__axis_get(&clscan__axes[axis], &trial->variant) == value &&
            (best == NULL || trial->time_ns < best->time_ns))
            best = trial;
    }
    return best;
}

/* Those that were compared know their noise. */
static double noise_between(const tune_trial *a, const tune_trial *b, double floor)
{
    const double spread_ns = fmax(a->spread_ns, b->spread_ns);

    return a->compared && b->compared ? spread_ns : fmax(spread_ns, floor * fmin(a->time_ns, b->time_ns));
}

static bool is_right(const tune_trial *trial)
{
    return trial != NULL && trial->outcome == TUNE_OUTCOME_CORRECT;
}

/* The fastest trial at a count that may be written: of those that were compared, if any were. The static order is there
 * to be measured only. */
static const tune_trial *fastest_at(const tune_search *search, size_t count_index)
{
    const uint64_t count = tune_search_about(search)->counts[count_index];
    const tune_trial *fastest = NULL;

    for (size_t i = 0; i < tune_search_trial_count(search); ++i) {
        const tune_trial *trial = tune_search_trial(search, i);

        if (trial->count != count || !is_right(trial) || clscan__variant_baseline(&trial->variant) != NULL)
            continue;
        if (fastest == NULL || trial->compared > fastest->compared ||
            (trial->compared == fastest->compared && trial->time_ns < fastest->time_ns))
            fastest = trial;
    }
    return fastest;
}

/* The yardsticks of a count. */
static tune_pick measure_up(const tune_search *search, size_t count_index)
{
    tune_pick pick = {.fastest = fastest_at(search, count_index),
                      .standard = tune_search_default(search, count_index),
                      .noise = tune_noise_at(search, count_index)};

    if (pick.standard != NULL && tune_trial_is_unmeasured(pick.standard)) {
        pick.reason = TUNE_REASON_KEPT;
        pick.fastest = NULL;
    }
    if (pick.fastest == NULL)
        return pick;
    pick.noise_ns = is_right(pick.standard) ? noise_between(pick.fastest, pick.standard, pick.noise) : 0;
    if (is_right(pick.standard) && pick.fastest->time_ns >= pick.standard->time_ns - pick.noise_ns)
        pick.reason = TUNE_REASON_DEFAULT;
    return pick;
}

static bool is_acceptable(const tune_pick *pick, const tune_trial *trial)
{
    double most_ns;

    if (!is_right(trial) || pick->fastest == NULL || clscan__variant_baseline(&trial->variant) != NULL ||
        trial->compared < pick->fastest->compared)
        return false;
    if (pick->reason == TUNE_REASON_DEFAULT)
        return trial == pick->standard;
    if (is_right(pick->standard) && trial->time_ns > pick->standard->time_ns)
        return false;
    most_ns = pick->fastest->time_ns +
              fmax(TUNE_TIE * pick->fastest->time_ns, noise_between(pick->fastest, trial, pick->noise));
    return trial->time_ns <= most_ns;
}

/* What a choice for the counts so far costs; the first that differs decides. */
typedef struct cost {
    uint64_t classes;
    uint64_t complexity; /* ranks in the order of simplicity, summed */
    double slowness;     /* times over the fastest ones', summed */
} cost;

static bool is_cheaper(const cost *a, const cost *b)
{
    if (a->classes != b->classes)
        return a->classes < b->classes;
    if (a->complexity != b->complexity)
        return a->complexity < b->complexity;
    return a->slowness < b->slowness;
}

/* The variants that are acceptable somewhere, from the simplest on. */
typedef struct contest {
    const tune_search *search;
    const tune_trial **samples; /* one trial of each */
    size_t variant_count;
    cost *costs;     /* [count of the ladder][variant]: classes 0 where it is not acceptable */
    size_t *parents; /* the variant at the last count before, on the cheapest way here */
} contest;

static int by_simplicity(const void *a, const void *b)
{
    const tune_trial *left = *(const tune_trial *const *)a, *right = *(const tune_trial *const *)b;

    return tune_compare_simplicity(&left->variant, &right->variant, &left->target);
}

static bool collect(contest *c, const tune_decision *decision)
{
    const tune_search_setup *setup = tune_search_about(c->search);
    const size_t trial_count = tune_search_trial_count(c->search);
    size_t found = 0;

    c->samples = malloc((trial_count + 1) * sizeof *c->samples);
    if (c->samples == NULL)
        return false;
    for (size_t i = 0; i < trial_count; ++i) {
        const tune_trial *trial = tune_search_trial(c->search, i);

        for (size_t at = 0; at < decision->count; ++at)
            if (setup->counts[at] == trial->count && is_acceptable(&decision->picks[at], trial))
                c->samples[found++] = trial;
    }
    qsort(c->samples, found, sizeof *c->samples, by_simplicity);
    for (size_t i = 0; i < found; ++i)
        if (i == 0 || !clscan__variant_equal(&c->samples[i]->variant, &c->samples[c->variant_count - 1]->variant))
            c->samples[c->variant_count++] = c->samples[i];
    c->costs = calloc(decision->count * c->variant_count + 1, sizeof *c->costs);
    c->parents = calloc(decision->count * c->variant_count + 1, sizeof *c->parents);
    return c->costs != NULL && c->parents != NULL;
}

/* The cheapest way to have `variant` at a count, given the costs at the last count before (NULL: none). */
static void extend(contest *c, const tune_decision *decision, size_t at, size_t variant, const cost *before)
{
    const tune_pick *pick = &decision->picks[at];
    const uint64_t count = tune_search_about(c->search)->counts[at];
    const tune_trial *trial = tune_search_peek(c->search, &c->samples[variant]->variant, count);
    cost *cheapest = &c->costs[at * c->variant_count + variant];

    if (trial == NULL || !is_acceptable(pick, trial))
        return;
    for (size_t i = 0; i < (before != NULL ? c->variant_count : 1); ++i) {
        cost way = before != NULL ? before[i] : (cost){0, 0, 0};

        if (before != NULL && way.classes == 0)
            continue;
        way.classes += before == NULL || i != variant;
        way.complexity += variant;
        way.slowness += trial->time_ns / pick->fastest->time_ns;
        if (cheapest->classes == 0 || is_cheaper(&way, cheapest)) {
            *cheapest = way;
            c->parents[at * c->variant_count + variant] = i;
        }
    }
}

/* The cheapest variant to have at a count. There is one: the fastest is acceptable. */
static size_t cheapest_at(const contest *c, size_t at)
{
    const cost *row = &c->costs[at * c->variant_count];
    size_t cheapest = SIZE_MAX;

    for (size_t i = 0; i < c->variant_count; ++i)
        if (row[i].classes > 0 && (cheapest == SIZE_MAX || is_cheaper(&row[i], &row[cheapest])))
            cheapest = i;
    return cheapest;
}

/* Follow the cheapest way back from the last count. */
static void trace_back(const contest *c, tune_decision *decision)
{
    const tune_search_setup *setup = tune_search_about(c->search);
    size_t variant = SIZE_MAX;

    for (size_t at = decision->count; at-- > 0;) {
        tune_pick *pick = &decision->picks[at];

        if (pick->fastest == NULL)
            continue;
        if (variant == SIZE_MAX)
            variant = cheapest_at(c, at);
        pick->chosen = tune_search_peek(c->search, &c->samples[variant]->variant, setup->counts[at]);
        if (pick->reason == TUNE_REASON_FASTEST && pick->chosen != pick->fastest)
            pick->reason = TUNE_REASON_TIE;
        variant = c->parents[at * c->variant_count + variant];
    }
}

clscan_status tune_decide(const tune_search *search, tune_decision *decision, clscan_error *error)
{
    const tune_search_setup *setup = tune_search_about(search);
    contest c = {.search = search};
    clscan_status status = CLSCAN_OK;
    const cost *before = NULL;

    *decision =
        (tune_decision){.target = setup->target, .noise_floor = tune_noise_floor(search), .count = setup->count_count};
    for (size_t at = 0; at < decision->count; ++at)
        decision->picks[at] = measure_up(search, at);
    REQUIRE(collect(&c, decision), CLSCAN_ERROR_OUT_OF_MEMORY, "no memory to decide");
    for (size_t at = 0; at < decision->count; ++at) {
        if (decision->picks[at].fastest == NULL)
            continue;
        for (size_t variant = 0; variant < c.variant_count; ++variant)
            extend(&c, decision, at, variant, before);
        before = &c.costs[at * c.variant_count];
    }
    trace_back(&c, decision);

cleanup:
    free(c.samples);
    free(c.costs);
    free(c.parents);
    return status;
}

bool tune_decision_is_whole(const tune_decision *decision)
{
    for (size_t i = 0; i < decision->count; ++i)
        if (decision->picks[i].standard == NULL)
            return false;
    return true;
}

const clscan_variant *tune_clearly_beaten(const tune_decision *decision)
{
    const tune_pick *last = &decision->picks[decision->count - 1];

    if (last->chosen == NULL || !is_right(last->standard) ||
        last->standard->time_ns < CLEARLY_AHEAD * last->chosen->time_ns + last->noise_ns)
        return NULL;
    return &last->standard->variant;
}

/* ---- What is chosen must be ahead in the last comparison, and survive many runs ---- */

/* Soak each chosen variant at the largest count that it is chosen for. Returns false if one failed. */
static bool soak_all(tune_search *search, const tune_decision *decision, unsigned runs)
{
    bool survived = true;

    for (size_t at = 0; at < decision->count; ++at) {
        const tune_trial *chosen = decision->picks[at].chosen;
        const tune_trial *next = at + 1 < decision->count ? decision->picks[at + 1].chosen : NULL;

        if (chosen == NULL || (next != NULL && clscan__variant_equal(&chosen->variant, &next->variant)))
            continue;
        if (chosen->outcome == TUNE_OUTCOME_CORRECT)
            survived = tune_search_soak(search, chosen, runs) == TUNE_OUTCOME_CORRECT && survived;
    }
    return survived;
}

clscan_status tune_settle(tune_search *search, unsigned runs, double end_s, tune_decision *decision,
                          clscan_error *error)
{
    clscan_status status;
    bool survived;

    tune_search_spread(search, end_s);
    TRY(tune_finals(search, end_s, error));
    /* Each failure takes one variant out, so this ends. */
    do {
        TRY(tune_decide(search, decision, error));
        survived = soak_all(search, decision, runs);
        TRY(tune_search_status(search, error));
    } while (!survived);

cleanup:
    return status;
}
