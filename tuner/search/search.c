#include "search/search_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command_line/failure.h"
#include "space/random.h"
#include "space/rows.h"

/* Of the time that is left, what the default of one count may take where counts may be left out; and what it takes. */
#define LONGEST_PART 0.2
#define TRIAL_RUNS 20.0
#define LOADED_BYTES_PER_NS 0.3
/* Of the time of a quick search, what the counts take that are looked at first. */
#define SOME_PART 0.75
/* A default is asked so often before it is given up. */
#define DEFAULT_ATTEMPTS 3u

/* Each variant of a log once. */
static clscan_status list_recorded(tune_search *search, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const tune_search_setup *setup = &search->setup;

    for (size_t i = 0; setup->known != NULL && i < setup->known->count; ++i) {
        const tune_trial *trial = setup->known->trials[i];
        const tune_trial once = {.target = setup->target, .variant = trial->variant};

        if (tune_target_equal(&trial->target, &setup->target))
            REQUIRE(tune_memo_put(&search->recorded, &once) != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
                    "no memory for the variants of a log");
    }

cleanup:
    return status;
}

clscan_status tune_search_create(const tune_search_setup *setup, tune_search **search, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_search *made = NULL;

    REQUIRE(setup->count_count >= 1 && setup->count_count <= TUNE_MAX_COUNTS, CLSCAN_ERROR_INVALID_VALUE,
            "%zu counts to measure; 1 to %d are possible", setup->count_count, TUNE_MAX_COUNTS);
    made = calloc(1, sizeof *made);
    REQUIRE(made != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a search");
    made->setup = made->whole = *setup;
    made->elapsed_s = setup->start_s;
    made->random_state = tune_mix(
        setup->seed ^ tune_mix(setup->target.element_size_bytes * 16u + (uint64_t)setup->target.operator_class));
    TRY(list_recorded(made, error));
    *search = made;
    made = NULL;

cleanup:
    tune_search_destroy(made);
    return status;
}

void tune_search_destroy(tune_search *search)
{
    if (search == NULL)
        return;
    tune_memo_free(&search->asked);
    tune_memo_free(&search->recorded);
    free(search);
}

bool tune_search_interrupted(const tune_search *search)
{
    return search->setup.interrupted != NULL && *search->setup.interrupted != 0;
}

bool tune_search_over(const tune_search *search)
{
    const tune_search_setup *setup = &search->setup;

    if (search->status != CLSCAN_OK || tune_search_interrupted(search))
        return true;
    return !search->overtime && ((setup->deadline_s > 0 && search->elapsed_s >= setup->deadline_s) ||
                                 (setup->max_trials > 0 && search->by_strategy >= setup->max_trials));
}

double tune_search_clock_s(const tune_search *search)
{
    const tune_search_setup *setup = &search->setup;
    const double before_s = setup->journal != NULL ? tune_journal_resumed_s(setup->journal) : 0;

    return before_s + setup->evaluator->elapsed_s(setup->evaluator->self);
}

static void write_date(char *text, size_t size_bytes)
{
    const time_t now = time(NULL);
    struct tm utc;

    if (gmtime_r(&now, &utc) == NULL || strftime(text, size_bytes, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        text[0] = '\0';
}

bool tune_search_keep_status(tune_search *search, clscan_status status)
{
    if (search->status == CLSCAN_OK)
        search->status = status;
    return status == CLSCAN_OK;
}

void tune_search_keep_evaluator(tune_search *search)
{
    const tune_evaluator *evaluator = search->setup.evaluator;
    const char *broken = evaluator->broken != NULL ? evaluator->broken(evaluator->self) : "";

    if (broken[0] != '\0')
        tune_search_keep_status(search, fail(&search->error, CLSCAN_ERROR_OPENCL, "%s", broken));
}

/* What ended because of a signal or the deadline says nothing about the candidate. */
static bool is_cut_off(const tune_search *search, const tune_trial *trial)
{
    const double deadline_s = search->setup.deadline_s;

    return (trial->outcome != TUNE_OUTCOME_CORRECT && tune_search_interrupted(search)) ||
           (trial->outcome == TUNE_OUTCOME_TIMEOUT && deadline_s > 0 && trial->ended_s >= deadline_s);
}

bool tune_search_is_default(const tune_search *search, const clscan_variant *variant)
{
    for (size_t i = 0; i < search->setup.count_count; ++i)
        if (clscan__variant_equal(&search->setup.defaults[i], variant))
            return true;
    return false;
}

void tune_search_ask(const tune_search *search, tune_trial *trial, unsigned runs)
{
    const tune_evaluator *evaluator = search->setup.evaluator;
    const bool insist = tune_search_is_default(search, &trial->variant);
    const tune_trial question = *trial;

    for (unsigned attempt = 0; attempt < (insist ? DEFAULT_ATTEMPTS : 1); ++attempt) {
        *trial = question;
        trial->insist = insist;
        if (runs > 0)
            evaluator->soak(evaluator->self, trial, runs);
        else
            evaluator->evaluate(evaluator->self, trial);
        if (!tune_trial_is_unmeasured(trial) || tune_search_interrupted(search) ||
            (evaluator->broken != NULL && evaluator->broken(evaluator->self)[0] != '\0'))
            break;
    }
    trial->insist = false;
}

/* Have the trial measured and journalled. Returns false if there is no answer. */
static bool measure(tune_search *search, tune_trial *trial)
{
    const tune_search_setup *setup = &search->setup;

    if (setup->journal != NULL &&
        !tune_search_keep_status(search, tune_journal_started(setup->journal, trial, &search->error)))
        return false;
    trial->started_s = tune_search_clock_s(search);
    tune_search_ask(search, trial, 0);
    trial->ended_s = tune_search_clock_s(search);
    write_date(trial->date, sizeof trial->date);
    if (is_cut_off(search, trial)) {
        search->elapsed_s = trial->ended_s;
        if (setup->journal != NULL)
            tune_search_keep_status(search, tune_journal_abandoned(setup->journal, trial, &search->error));
        return false;
    }
    if (setup->journal != NULL &&
        !tune_search_keep_status(search, tune_journal_finished(setup->journal, trial, &search->error)))
        return false;
    tune_search_keep_evaluator(search);
    return true;
}

/* Fill the answer from what is known without measuring. */
static bool recall(const tune_search *search, tune_trial *trial)
{
    const tune_search_setup *setup = &search->setup;
    const tune_trial *known = NULL;
    clscan_error error = {0};

    if (setup->journal != NULL)
        known = tune_memo_find(tune_journal_trials(setup->journal), &trial->target, &trial->variant, trial->count);
    if (known != NULL && !(known->inconclusive && tune_search_is_default(search, &trial->variant))) {
        *trial = *known;
        return true;
    }
    if (tune_space_check(setup->space, &trial->variant, 0, &error) == CLSCAN_OK)
        return false;
    trial->outcome = TUNE_OUTCOME_CONSTRAINTS;
    snprintf(trial->reason, sizeof trial->reason, "%.*s", (int)sizeof trial->reason - 1, error.message);
    trial->started_s = trial->ended_s = search->elapsed_s;
    return true;
}

void tune_search_note_best(tune_search *search, const tune_trial *trial)
{
    for (size_t i = 0; i < search->setup.count_count; ++i)
        if (search->setup.counts[i] == trial->count && trial->outcome == TUNE_OUTCOME_CORRECT &&
            (search->best[i] == NULL || trial->time_ns < search->best[i]->time_ns))
            search->best[i] = trial;
}

void tune_search_find_bests(tune_search *search)
{
    memset(search->best, 0, sizeof search->best);
    for (size_t i = 0; i < search->asked.count; ++i)
        tune_search_note_best(search, search->asked.trials[i]);
}

const tune_trial *tune_search_try(tune_search *search, const clscan_variant *variant, uint64_t count)
{
    const tune_search_setup *setup = &search->setup;
    tune_trial trial = {.target = setup->target, .variant = *variant, .count = count};
    const tune_trial *kept = tune_search_peek(search, variant, count);

    if (kept != NULL)
        return kept;
    if (tune_search_over(search))
        return NULL;
    trial.in_place = tune_space_check(setup->space, variant, 1, NULL) == CLSCAN_OK;
    if (!recall(search, &trial) && !measure(search, &trial))
        return NULL;
    if (trial.ended_s > search->elapsed_s)
        search->elapsed_s = trial.ended_s;
    search->by_strategy += search->defaults_done;
    kept = tune_memo_put(&search->asked, &trial);
    if (kept == NULL) {
        tune_search_keep_status(search, fail(&search->error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the trials"));
        return NULL;
    }
    tune_search_note_best(search, kept);
    if (setup->progress != NULL)
        setup->progress(setup->user, search, kept);
    return kept;
}

const tune_trial *tune_search_peek(const tune_search *search, const clscan_variant *variant, uint64_t count)
{
    return tune_memo_find(&search->asked, &search->setup.target, variant, count);
}

/* Would the default at a count take too much of the time that is left? By what it took at a smaller one: some twenty
 * runs beside as many copies, and input and expected output to be made. */
static bool is_too_long(const tune_search *search, const tune_trial *smaller, uint64_t count)
{
    const tune_search_setup *setup = &search->setup;
    const double elements = (double)tune_target_elements(&setup->target, count);
    const double bytes = elements * setup->target.element_size_bytes;
    double run_ns;

    if (!setup->quick || setup->deadline_s <= 0 || smaller == NULL || smaller->outcome != TUNE_OUTCOME_CORRECT)
        return false;
    run_ns =
        (smaller->time_ns + smaller->copy_ns) * elements / (double)tune_target_elements(&setup->target, smaller->count);
    return (TRIAL_RUNS * run_ns + bytes / LOADED_BYTES_PER_NS) * 1e-9 >
           LONGEST_PART * (setup->deadline_s - search->elapsed_s);
}

/* ---- The counts that are measured ---- */

/* From now on these, which are among those that were given. */
static void take_counts(tune_search *search, const uint64_t *counts, size_t count)
{
    const tune_search_setup *whole = &search->whole;
    size_t taken = 0;

    for (size_t i = 0; i < whole->count_count && taken < count; ++i)
        if (whole->counts[i] == counts[taken]) {
            search->counts[taken] = whole->counts[i];
            search->defaults[taken++] = whole->defaults[i];
        }
    search->setup.counts = search->counts;
    search->setup.defaults = search->defaults;
    search->setup.count_count = taken;
    tune_search_find_bests(search);
}

/* The first part of a quick search: some counts, and a part of the time. */
static void take_some(tune_search *search)
{
    const tune_search_setup *whole = &search->whole;
    uint64_t some[TUNE_MAX_COUNTS];

    take_counts(search, some, tune_quick_counts(whole->counts, whole->count_count, some));
    if (whole->deadline_s > 0)
        search->setup.deadline_s = whole->start_s + SOME_PART * (whole->deadline_s - whole->start_s);
}

static void measure_defaults(tune_search *search)
{
    const tune_search_setup *setup = &search->setup;

    for (size_t i = 0; i < setup->count_count; ++i) {
        if (i > 0 && is_too_long(search, tune_search_default(search, i - 1), setup->counts[i]))
            search->setup.count_count = i;
        else
            tune_search_try(search, &setup->defaults[i], setup->counts[i]);
    }
    search->defaults_done = true;
}

/* Nothing is chosen at this count, so that it keeps what serves it: what is best beside it may be slow here. */
static void leave_out(tune_search *search, const clscan_variant *standard, uint64_t count)
{
    const tune_trial trial = {.target = search->setup.target,
                              .variant = *standard,
                              .count = count,
                              .outcome = TUNE_OUTCOME_TIMEOUT,
                              .inconclusive = true,
                              .reason = "no time was left",
                              .started_s = search->elapsed_s,
                              .ended_s = search->elapsed_s};

    if (tune_memo_put(&search->asked, &trial) == NULL)
        tune_search_keep_status(search, fail(&search->error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the trials"));
}

/* How many counts are no larger. */
static size_t up_to(const tune_search_setup *setup, uint64_t largest)
{
    size_t count = 0;

    while (count < setup->count_count && setup->counts[count] <= largest)
        ++count;
    return count;
}

/* The second part: at all counts that there is time for, the default, and what is best at the counts beside. What is
 * best at one count may be slow at the next, so a size class must not end where nobody looked. */
static void look_between(tune_search *search)
{
    const tune_search_setup *whole = &search->whole;
    const double end_s = whole->deadline_s > 0 ? whole->deadline_s : HUGE_VAL;
    const uint64_t largest = search->counts[search->setup.count_count - 1];
    const tune_trial *smaller = NULL;

    search->setup.deadline_s = whole->deadline_s;
    take_counts(search, whole->counts, whole->count_count);
    search->overtime = true;
    for (size_t i = 0; i < whole->count_count && whole->counts[i] <= largest; ++i) {
        const uint64_t n = whole->counts[i];
        const tune_trial *standard = tune_search_default(search, i);

        if (standard == NULL && search->elapsed_s < end_s && !is_too_long(search, smaller, n))
            standard = tune_search_try(search, &whole->defaults[i], n);
        if (standard != NULL)
            smaller = standard;
        else if (search->status == CLSCAN_OK)
            leave_out(search, &whole->defaults[i], n);
    }
    search->setup.count_count = up_to(whole, largest);
    tune_search_spread(search, end_s);
}

clscan_status tune_search_run(tune_search *search, const tune_strategy *strategy, clscan_error *error)
{
    if (search->setup.quick)
        take_some(search);
    measure_defaults(search);
    if (!tune_search_over(search))
        strategy->search(search);
    if (search->setup.quick && search->status == CLSCAN_OK && !tune_search_interrupted(search))
        look_between(search);
    return tune_search_status(search, error);
}

clscan_status tune_search_status(const tune_search *search, clscan_error *error)
{
    if (search->status != CLSCAN_OK)
        return fail(error, search->status, "%s", search->error.message);
    return CLSCAN_OK;
}

/* ---- What is known ---- */

/* A candidate this many times slower than the best is given up, unless it catches up. */
#define HOPELESS_RATIO 4.0
/* The same, where only one smaller count tells. */
#define HOPELESS_AT_ONCE_RATIO 30.0

/* How many times slower than the best; 0: not measured there. */
static double slowness(const tune_search *search, const clscan_variant *variant, size_t count_index)
{
    const tune_trial *trial = tune_search_peek(search, variant, search->setup.counts[count_index]);
    const tune_trial *best = search->best[count_index];

    return trial == NULL || best == NULL || trial->outcome != TUNE_OUTCOME_CORRECT ? 0 : trial->time_ns / best->time_ns;
}

static bool has_failed(const tune_search *search, const clscan_variant *variant)
{
    for (size_t i = 0; i < search->setup.count_count; ++i) {
        const tune_trial *trial = tune_search_peek(search, variant, search->setup.counts[i]);

        if (trial != NULL && trial->outcome != TUNE_OUTCOME_CORRECT && !tune_trial_is_unknown(trial))
            return true;
    }
    return false;
}

bool tune_search_hopeless(const tune_search *search, const clscan_variant *variant, size_t count_index)
{
    const tune_search_setup *setup = &search->setup;
    double nearest = 0, farther = 0;

    if (clscan__variant_equal(&setup->defaults[count_index], variant))
        return false;
    if (has_failed(search, variant) ||
        !tune_rows_need_search(setup->space, variant, &setup->defaults[count_index], setup->counts[count_index]))
        return true;
    for (size_t i = count_index; i-- > 0 && farther == 0;) {
        const double ratio = slowness(search, variant, i);

        if (nearest == 0)
            nearest = ratio;
        else
            farther = ratio;
    }
    return nearest >= (farther == 0 ? HOPELESS_AT_ONCE_RATIO : HOPELESS_RATIO) && nearest >= farther;
}

bool tune_search_may_try(const tune_search *search, const clscan_variant *variant)
{
    const tune_search_setup *setup = &search->setup;
    bool is_known = setup->known == NULL;

    for (size_t i = 0; !is_known && i < setup->count_count; ++i)
        is_known = tune_memo_find(setup->known, &setup->target, variant, setup->counts[i]) != NULL;
    return is_known && tune_space_legal(setup->space, variant, NULL);
}

uint64_t tune_search_points(const tune_search *search)
{
    return search->setup.known != NULL ? search->recorded.count : search->setup.space->points;
}

void tune_search_point(const tune_search *search, uint64_t number, clscan_variant *variant)
{
    if (search->setup.known != NULL)
        *variant = search->recorded.trials[number]->variant;
    else
        tune_space_point(search->setup.space, number, variant);
}

void tune_search_announce(tune_search *search, const clscan_variant *variants, size_t count)
{
    const tune_evaluator *evaluator = search->setup.evaluator;

    if (evaluator->announce != NULL && count > 0)
        evaluator->announce(evaluator->self, &search->setup.target, variants, count);
}

uint64_t tune_search_random(tune_search *search, uint64_t bound)
{
    return tune_random_below(&search->random_state, bound);
}

void tune_search_expect(tune_search *search, uint64_t trials)
{
    search->expected = trials;
}

uint64_t tune_search_expected(const tune_search *search)
{
    const uint64_t all = search->expected + search->setup.count_count;

    return all > search->asked.count ? all : search->asked.count;
}

uint64_t tune_search_affordable(const tune_search *search)
{
    const tune_search_setup *setup = &search->setup;
    const double left_s = setup->deadline_s - search->elapsed_s, spent_s = search->elapsed_s - setup->start_s;
    uint64_t affordable = UINT64_MAX;

    if (tune_search_over(search))
        return 0;
    if (setup->max_trials > 0)
        affordable = setup->max_trials - search->by_strategy;
    if (setup->deadline_s > 0 && spent_s > 0) {
        const double fitting = left_s / spent_s * (double)search->asked.count;

        if (fitting < (double)affordable)
            affordable = (uint64_t)fitting;
    }
    return affordable;
}

const tune_search_setup *tune_search_about(const tune_search *search)
{
    return &search->setup;
}

const tune_trial *tune_search_best(const tune_search *search, size_t count_index)
{
    return search->best[count_index];
}

const tune_trial *tune_search_default(const tune_search *search, size_t count_index)
{
    return tune_search_peek(search, &search->setup.defaults[count_index], search->setup.counts[count_index]);
}

size_t tune_search_trial_count(const tune_search *search)
{
    return search->asked.count;
}

const tune_trial *tune_search_trial(const tune_search *search, size_t index)
{
    return search->asked.trials[index];
}

double tune_search_elapsed_s(const tune_search *search)
{
    return search->elapsed_s;
}
