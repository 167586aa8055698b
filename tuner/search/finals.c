#include "search/finals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "search/decide.h"
#include "search/median.h"

#define LEAST_ROUNDS 3u
#define MOST_ROUNDS 9u

typedef struct finalist {
    const tune_trial *trial; /* of the search */
    size_t count_index;
    bool is_default;
    bool out; /* is so much slower that more rounds will not help it */
    unsigned rounds;
    double logs[MOST_ROUNDS]; /* of its times */
    double copies_ns[MOST_ROUNDS];
} finalist;

typedef struct finals {
    tune_search *search;
    const tune_search_setup *setup;
    finalist *list; /* those of one variant are neighbours, so that it is compiled once for all its counts */
    size_t count;
    unsigned rounds;
    bool settled[TUNE_MAX_COUNTS]; /* no more rounds are needed at this count */
} finals;

/* ---- Who takes part ---- */

/* Of each count take part: so many of the fastest, and those fastest ones of the counts beside it that are slower here
 * by no more than this part, since one variant for both is better than two. */
#define MOST_FASTEST 4u
#define SHARED_RATIO 1.05
#define MOST_FINALISTS (3u * MOST_FASTEST + 1u)

static bool is_right(const tune_trial *trial)
{
    return trial != NULL && trial->outcome == TUNE_OUTCOME_CORRECT && clscan__variant_baseline(&trial->variant) == NULL;
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
    const int simpler = tune_compare_simplicity(&left->trial->variant, &right->trial->variant, &left->trial->target);

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

/* Fill the list: as many as there is time for in `left_s` seconds, at least the fastest and the default of each count.
 * Returns false if memory ran out. */
static bool choose(finals *f, double left_s)
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

/* The noise that is small enough. */
#define WANTED_NOISE (TUNE_TIE / 2)

/* ---- Rounds ---- */

static bool is_interrupted(const finals *f)
{
    return f->setup->interrupted != NULL && *f->setup->interrupted != 0;
}

/* Returns false if the round did not come to its end. */
static bool measure(finals *f, finalist *who)
{
    tune_trial again = {.target = who->trial->target, .variant = who->trial->variant, .count = who->trial->count};

    if (who->out || f->settled[who->count_index] || who->trial->outcome != TUNE_OUTCOME_CORRECT)
        return true;
    if (!tune_search_measure_again(f->search, &again))
        return false;
    if (again.outcome == TUNE_OUTCOME_CORRECT) {
        who->logs[who->rounds] = log(again.time_ns);
        who->copies_ns[who->rounds++] = again.copy_ns;
    }
    return true;
}

/* There and back again: what drifts, and what is compiled anew for each variant, counts for all alike. */
static bool play_round(finals *f)
{
    for (size_t i = 0; i < f->count; ++i)
        if (is_interrupted(f) || !measure(f, &f->list[f->rounds % 2 == 0 ? i : f->count - 1 - i]))
            return false;
    ++f->rounds;
    return true;
}

/* The mean of the logarithms of a's times over b's, and twice its standard error. */
static double compare(const finalist *a, const finalist *b, double *error)
{
    const unsigned rounds = a->rounds < b->rounds ? a->rounds : b->rounds;
    double mean = 0, squares = 0;

    for (unsigned i = 0; i < rounds; ++i)
        mean += (a->logs[i] - b->logs[i]) / rounds;
    for (unsigned i = 0; i < rounds; ++i)
        squares += (a->logs[i] - b->logs[i] - mean) * (a->logs[i] - b->logs[i] - mean);
    *error = rounds > 1 ? 2 * sqrt(squares / (rounds - 1) / rounds) : INFINITY;
    return mean;
}

static bool takes_part(const finalist *who, size_t count_index)
{
    return who->count_index == count_index && who->rounds >= LEAST_ROUNDS &&
           who->trial->outcome == TUNE_OUTCOME_CORRECT;
}

static const finalist *best_of(const finals *f, size_t count_index)
{
    const finalist *best = NULL;
    double error;

    for (size_t i = 0; i < f->count; ++i)
        if (takes_part(&f->list[i], count_index) && !f->list[i].out &&
            (best == NULL || compare(&f->list[i], best, &error) < 0))
            best = &f->list[i];
    return best;
}

/* Who cannot become as fast as the best, and where all that matters is known. The default stays: it is the
 * yardstick. */
static void judge(finals *f, size_t count_index)
{
    const finalist *best = best_of(f, count_index);

    f->settled[count_index] = true;
    for (size_t i = 0; best != NULL && i < f->count; ++i) {
        finalist *who = &f->list[i];
        double error, slower;

        if (!takes_part(who, count_index) || who == best || who->out)
            continue;
        slower = compare(who, best, &error);
        if (slower > TUNE_TIE + 1.5 * error)
            who->out = !who->is_default;
        else if (error > WANTED_NOISE)
            f->settled[count_index] = false;
    }
}

static bool is_settled(const finals *f)
{
    for (size_t i = 0; i < f->setup->count_count; ++i)
        if (!f->settled[i])
            return false;
    return true;
}

/* Returns false if the rounds were cut short. */
static bool play(finals *f, double end_s)
{
    double took_s = 0;

    while (f->rounds < MOST_ROUNDS && !is_settled(f)) {
        const double before_s = tune_search_elapsed_s(f->search);

        if (f->rounds >= LEAST_ROUNDS && before_s + took_s > end_s)
            break;
        if (!play_round(f))
            return false;
        took_s = tune_search_elapsed_s(f->search) - before_s;
        for (size_t i = 0; f->rounds >= LEAST_ROUNDS && i < f->setup->count_count; ++i)
            judge(f, i);
    }
    return true;
}

/* ---- Results ---- */

/* Their order stays: rounds of one trial stand beside those of another. */
static double median_of(const double *values, unsigned count)
{
    double sorted[MOST_ROUNDS];

    memcpy(sorted, values, count * sizeof *values);
    return tune_median(sorted, count);
}

/* Times are those of the count's best, and how much slower one was than it beside it. */
static bool revise(finals *f, size_t count_index)
{
    const finalist *best = best_of(f, count_index);
    const double best_ns = best != NULL ? exp(median_of(best->logs, best->rounds)) : 0;
    const double copy_ns = best != NULL ? median_of(best->copies_ns, best->rounds) : 0;

    for (size_t i = 0; best != NULL && i < f->count; ++i) {
        const finalist *who = &f->list[i];
        tune_trial compared = *who->trial;
        double error = 0;

        if (!takes_part(who, count_index))
            continue;
        compared.time_ns = best_ns * exp(who == best ? 0 : compare(who, best, &error));
        compared.spread_ns = error * compared.time_ns;
        compared.copy_ns = copy_ns;
        compared.runs = who->rounds;
        compared.started_s = compared.ended_s = tune_search_elapsed_s(f->search);
        if (!tune_search_revise(f->search, &compared))
            return false;
    }
    return true;
}

/* Were all of them compared before the run was interrupted? Then take over what came out. */
static bool recall(finals *f)
{
    for (size_t i = 0; i < f->count; ++i)
        if (tune_search_compared(f->search, f->list[i].trial) == NULL)
            return false;
    for (size_t i = 0; i < f->count; ++i)
        if (!tune_search_revise(f->search, tune_search_compared(f->search, f->list[i].trial)))
            return false;
    return true;
}

clscan_status tune_finals(tune_search *search, double end_s, clscan_error *error)
{
    const tune_search_setup *setup = tune_search_about(search);
    clscan_status status = CLSCAN_OK;
    finals f = {.search = search, .setup = setup};

    tune_search_recall_failures(search);
    REQUIRE(choose(&f, end_s - tune_search_elapsed_s(search)), CLSCAN_ERROR_OUT_OF_MEMORY,
            "no memory for the last comparison");
    if (!recall(&f) && play(&f, end_s))
        for (size_t i = 0; i < setup->count_count && revise(&f, i); ++i)
            ;
    TRY(tune_search_status(search, error));

cleanup:
    free(f.list);
    return status;
}
