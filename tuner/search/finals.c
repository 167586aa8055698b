#include "search/finals.h"

#include <math.h>
#include <stdlib.h>

#include "command_line/failure.h"
#include "search/decide.h"
#include "search/finals_state.h"

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

static int by_value(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;

    return left < right ? -1 : left > right ? 1 : 0;
}

static double median_of(const double *values, unsigned count)
{
    double sorted[MOST_ROUNDS];

    for (unsigned i = 0; i < count; ++i)
        sorted[i] = values[i];
    qsort(sorted, count, sizeof *sorted, by_value);
    return sorted[count / 2];
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

    REQUIRE(tune_finals_choose(&f, end_s - tune_search_elapsed_s(search)), CLSCAN_ERROR_OUT_OF_MEMORY,
            "no memory for the last comparison");
    if (!recall(&f) && play(&f, end_s))
        for (size_t i = 0; i < setup->count_count && revise(&f, i); ++i)
            ;
    TRY(tune_search_status(search, error));

cleanup:
    free(f.list);
    return status;
}
