/* How steady the device was while it was measured, by the copies beside the trials. */
#include <math.h>
#include <stdlib.h>

#include "search/decide.h"
#include "search/median.h"

/* Fewer copies say nothing. */
#define FEWEST_COPIES 4u
/* A floor below or above these is an accident of few copies, or of a device whose quartiles mean nothing. */
#define LEAST_NOISE 0.002
#define MOST_NOISE 0.10
/* Shorter runs differ by chance. */
#define LEAST_STEADY_NS 50e3

/* Times of the copies beside the trials of one count, in the order of measuring. Returns how many. */
static size_t copies_of(const tune_search *search, uint64_t count, double *times_ns)
{
    size_t found = 0;

    for (size_t i = 0; i < tune_search_trial_count(search); ++i) {
        const tune_trial *trial = tune_search_trial(search, i);

        if (trial->count == count && trial->copy_ns > 0)
            times_ns[found++] = trial->copy_ns;
    }
    return found;
}

static double within_limits(double noise)
{
    return fmax(LEAST_NOISE, fmin(MOST_NOISE, noise));
}

double tune_noise_at(const tune_search *search, size_t count_index)
{
    double *times_ns = malloc((tune_search_trial_count(search) + 1) * sizeof *times_ns);
    const size_t found =
        times_ns == NULL ? 0 : copies_of(search, tune_search_about(search)->counts[count_index], times_ns);
    const double noise = found < FEWEST_COPIES ? tune_noise_floor(search) : within_limits(tune_spread(times_ns, found));

    free(times_ns);
    return noise;
}

double tune_noise_floor(const tune_search *search)
{
    const tune_search_setup *setup = tune_search_about(search);
    double *times_ns = malloc((tune_search_trial_count(search) + 1) * sizeof *times_ns);
    double spreads[TUNE_MAX_COUNTS];
    size_t spread_count = 0;
    double floor = LEAST_NOISE;

    for (size_t i = 0; times_ns != NULL && i < setup->count_count; ++i) {
        const size_t found = copies_of(search, setup->counts[i], times_ns);

        if (found < FEWEST_COPIES)
            continue;
        spreads[spread_count++] = tune_spread(times_ns, found);
    }
    free(times_ns);
    if (spread_count > 0)
        floor = tune_median(spreads, spread_count);
    return within_limits(floor);
}

double tune_copy_drift(const tune_search *search)
{
    const tune_search_setup *setup = tune_search_about(search);
    double *times_ns = malloc((tune_search_trial_count(search) + 1) * sizeof *times_ns);
    double drifts[TUNE_MAX_COUNTS];
    size_t drift_count = 0;

    for (size_t i = 0; times_ns != NULL && i < setup->count_count; ++i) {
        const size_t found = copies_of(search, setup->counts[i], times_ns), quarter = found / 4;

        if (quarter < 2)
            continue;
        drifts[drift_count++] = tune_median(times_ns + found - quarter, quarter) / tune_median(times_ns, quarter) - 1;
    }
    free(times_ns);
    return drift_count > 0 ? tune_median(drifts, drift_count) : 0;
}

double tune_default_change(const tune_search *search, uint64_t *count)
{
    const tune_search_setup *setup = tune_search_about(search);
    double most = 1;

    *count = setup->counts[0];
    for (size_t i = 0; i < setup->count_count; ++i) {
        const tune_trial *trial = tune_search_default(search, i);
        double ratio;

        if (trial == NULL || !trial->compared || trial->outcome != TUNE_OUTCOME_CORRECT ||
            trial->time_ns < LEAST_STEADY_NS)
            continue;
        ratio = fmax(trial->searched_ns / trial->time_ns, trial->time_ns / trial->searched_ns);
        if (ratio > most) {
            most = ratio;
            *count = setup->counts[i];
        }
    }
    return most;
}
