#include "timing/first_use.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/log.h"
#include "common/clock.h"
#include "config/constraints.h"
#include "config/select.h"
#include "config/variant.h"
#include "element/problem.h"
#include "probe/consult.h"
#include "timing/bench.h"
#include "timing/kept.h"
#include "timing/openings.h"

/* Contenders that are kept for the last rounds: those at most so much slower than the fastest. */
#define MOST_FINALISTS 6u
#define FINAL_RATIO 1.25
#define MOST_ROUNDS 12u

/* How far from its size class an entry is worth a look: a factor of 2 to this. */
#define MOST_STEPS 7.0
#define TOO_FAR 1e9
/* Variants of one body and carry are much alike, so the first ones of all kinds come before the next ones. */
#define KIND_STEP 0.5
/* Compilers for CPUs take seconds for work-groups of several work-items, which are seldom faster. */
#define LARGE_GROUP_ON_CPU 1.0
/* A kind whose best is so much slower than the best of all has no winner. */
#define LOST_KIND_RATIO 1.5

#define ANY_TIME 1e30

/* What candidates take of the time; the rest is for rounds in turn, and a look at the outputs. */
#define SHARE_OF_TRIES 0.8

#define TOO_SHORT "%" PRIu64 " ms were over before anything could be compared"

/* Another process that measures goes on for its own bound, which is taken to be ours, and what it compiles then. */
#define COMPILING_NS UINT64_C(10000000000)

/* A winner serves counts that differ by no more than this factor; where no more elements were timed than a large scan
 * has, all larger ones. */
#define REACH 2u

typedef struct candidate {
    clscan_variant variant;
    double distance; /* from the problem, of the entry that is nearest */
} candidate;

typedef struct contest {
    clscan__bench bench;
    uint64_t bound_ns, end_ns;
    uint64_t tries_end_ns; /* from then on only rounds */
    candidate *candidates; /* the nearest first */
    size_t candidate_count;
    clscan__contender ordinary; /* what would run without a measurement */
    clscan__contender finalists[MOST_FINALISTS];
    size_t finalist_count;
    size_t taken; /* of the candidates; for the others there was no time */
    size_t tried, failed, skipped;
    size_t late; /* of those taken, for which there was no time either */
    char *outcome;
    double kinds_ns[CLSCAN_BODY_COUNT][CLSCAN_CARRY_COUNT]; /* the best of each; 0: none was timed */
} contest;

/* ---- Candidates ---- */

/* Do the names end alike, "-gpu" or "-cpu"? A device's own key need not end so. */
static double kind_distance(const char *match, const char *generic)
{
    const char *left = strrchr(match, '-'), *right = strrchr(generic, '-');

    if (left == NULL || right == NULL || (strcmp(left, "-cpu") != 0 && strcmp(left, "-gpu") != 0))
        return 2;
    return strcmp(left, right) == 0 ? 0 : 8;
}

/* Factors of 2 from a count to an entry's size class. */
static double steps_between(uint64_t count, const clscan_known_variant *known)
{
    double steps = 0;

    for (uint64_t end = known->largest_count; end<count; end = end> UINT64_MAX / 2 ? UINT64_MAX : 2 * end)
        ++steps;
    for (uint64_t end = known->smallest_count; end > count; end /= 2)
        ++steps;
    return steps;
}

static double distance_of(const clscan_known_variant *known, const clscan_device_info *info,
                          const clscan_problem *problem, uint64_t count)
{
    const clscan_operator_class wanted = clscan__problem_class(problem);
    const double steps = steps_between(count, known);

    if (steps > MOST_STEPS)
        return TOO_FAR;
    return steps + kind_distance(known->match, info->generic) + (known->operator_class != wanted ? 0.5 : 0) +
           (info->device_class == CLSCAN_DEVICE_CLASS_CPU && known->variant.work_group_size > 1 ? LARGE_GROUP_ON_CPU
                                                                                                : 0);
}

static int by_distance(const void *a, const void *b)
{
    const candidate *left = a, *right = b;
    const int variants = memcmp(&left->variant, &right->variant, sizeof left->variant);

    return left->distance < right->distance ? -1 : left->distance > right->distance ? 1 : variants;
}

static void add_candidate(contest *c, const clscan_variant *variant, double distance)
{
    for (size_t i = 0; i < c->candidate_count; ++i)
        if (clscan__variant_equal(&c->candidates[i].variant, variant)) {
            c->candidates[i].distance = distance < c->candidates[i].distance ? distance : c->candidates[i].distance;
            return;
        }
    c->candidates[c->candidate_count++] = (candidate){*variant, distance};
}

/* The nearest first, and the kinds in turn. */
static void sort_candidates(contest *c)
{
    unsigned seen[CLSCAN_BODY_COUNT][CLSCAN_CARRY_COUNT] = {{0}};

    if (c->candidate_count == 0)
        return;
    qsort(c->candidates, c->candidate_count, sizeof *c->candidates, by_distance);
    for (size_t i = 0; i < c->candidate_count; ++i) {
        const clscan_variant *variant = &c->candidates[i].variant;

        c->candidates[i].distance += KIND_STEP * seen[variant->body][variant->carry]++;
    }
    qsort(c->candidates, c->candidate_count, sizeof *c->candidates, by_distance);
}

static clscan_status find_candidates(contest *c, clscan_error *error)
{
    clscan_status status;
    const clscan_device_info *info = c->bench.info;
    clscan_known_variant *list = NULL;
    size_t count = 0, listed;

    CLSCAN__TRY(clscan_config_list(NULL, info, c->bench.problem, NULL, 0, 0, &listed, error));
    list = calloc(listed + 1, sizeof *list);
    c->candidates = calloc(listed + 1, sizeof *c->candidates);
    CLSCAN__REQUIRE(list != NULL && c->candidates != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the candidates");
    CLSCAN__TRY(clscan_config_list(NULL, info, c->bench.problem, list, sizeof *list, listed, &count, error));
    for (size_t i = 0; i < listed && i < count; ++i) {
        const double distance = distance_of(&list[i], info, c->bench.problem, c->bench.count);

        if (distance < TOO_FAR && !clscan__variant_equal(&list[i].variant, &c->ordinary.variant))
            add_candidate(c, &list[i].variant, distance);
    }
    sort_candidates(c);

cleanup:
    free(list);
    return status;
}

/* ---- Timing ---- */

static double best_of(const contest *c)
{
    double best_ns = c->ordinary.time_ns;

    for (size_t i = 0; i < c->finalist_count; ++i)
        best_ns = c->finalists[i].time_ns < best_ns ? c->finalists[i].time_ns : best_ns;
    return best_ns;
}

static bool may_win(const contest *c, const clscan__contender *contender)
{
    return contender->time_ns <= FINAL_RATIO * best_of(c);
}

/* Keep it in its place among the finalists, if it may still win; whoever is out is closed. */
static void admit(contest *c, clscan__contender *contender)
{
    size_t at = c->finalist_count;

    if (!may_win(c, contender)) {
        clscan__contender_close(contender);
        return;
    }
    while (at > 0 && c->finalists[at - 1].time_ns > contender->time_ns)
        --at;
    if (at == MOST_FINALISTS) {
        clscan__contender_close(contender);
        return;
    }
    if (c->finalist_count == MOST_FINALISTS)
        clscan__contender_close(&c->finalists[--c->finalist_count]);
    memmove(&c->finalists[at + 1], &c->finalists[at], (c->finalist_count - at) * sizeof *c->finalists);
    c->finalists[at] = *contender;
    ++c->finalist_count;
}

static void note_kind(contest *c, const clscan__contender *contender)
{
    double *best_ns = &c->kinds_ns[contender->variant.body][contender->variant.carry];

    *best_ns = *best_ns == 0 || contender->time_ns < *best_ns ? contender->time_ns : *best_ns;
}

/* A first round, for one that has just been timed: the time may be over before there is another. */
static clscan_status time_in_turn(contest *c, clscan__contender *contender, clscan_error *error)
{
    const clscan_status status = clscan__contender_time(&c->bench, &c->ordinary, error);

    if (status == CLSCAN_OK)
        clscan__contender_count_round(contender, &c->ordinary);
    return status;
}

/* What fails is no reason to give up: others may not. */
static void try_candidate(contest *c, clscan__opening *opening)
{
    clscan__contender *contender = &opening->contender;
    static const char *const words[] = {[CLSCAN__PROMISING] = "",
                                        [CLSCAN__HOPELESS] = " by a part of the elements",
                                        [CLSCAN__TOO_LATE] = ", as far as the time allowed"};
    const uint64_t begin_ns = clscan__now_ns();
    clscan__prospect prospect = CLSCAN__TOO_LATE;
    char text[256];

    ++c->tried;
    if (opening->status == CLSCAN_OK && begin_ns < c->end_ns)
        opening->status = clscan__contender_try(&c->bench, contender, best_of(c), c->end_ns, &prospect, &opening->why);
    if (opening->status == CLSCAN_OK && prospect == CLSCAN__PROMISING && may_win(c, contender))
        opening->status = time_in_turn(c, contender, &opening->why);
    clscan_variant_format(&contender->variant, text, sizeof text);
    if (opening->status != CLSCAN_OK) {
        ++c->failed;
        clscan__log(CLSCAN_LOG_INFO, "measuring at first use: %s failed: %s", text, opening->why.message);
    } else {
        clscan__log(CLSCAN_LOG_DEBUG, "measuring at first use: %s takes %.1f us%s; measured for %.0f ms", text,
                    contender->time_ns / 1e3, words[prospect], (double)(clscan__now_ns() - begin_ns) / 1e6);
        c->late += prospect == CLSCAN__TOO_LATE;
    }
    if (opening->status == CLSCAN_OK && contender->time_ns > 0)
        note_kind(c, contender);
    if (opening->status != CLSCAN_OK || prospect != CLSCAN__PROMISING)
        clscan__contender_close(contender);
    else
        admit(c, contender);
}

/* Take the next candidates that may win, so many at most. */
static size_t take_candidates(contest *c, clscan__opening *openings, size_t most)
{
    size_t count = 0;

    for (; c->taken < c->candidate_count && count < most; ++c->taken) {
        const clscan_variant *variant = &c->candidates[c->taken].variant;

        if (c->kinds_ns[variant->body][variant->carry] > LOST_KIND_RATIO * best_of(c))
            ++c->skipped;
        else
            openings[count++] = (clscan__opening){.bench = &c->bench, .contender.variant = *variant};
    }
    return count;
}

/* Some are compiled at once, and then timed while nothing is compiled. `batch_ns`: what that takes, as far as the
 * ordinary one tells. */
static void try_all(contest *c, uint64_t batch_ns)
{
    const uint64_t begin_ns = clscan__now_ns();
    const size_t at_once = clscan__openings_at_once();
    clscan__opening openings[CLSCAN__MOST_OPENINGS];
    size_t count;

    note_kind(c, &c->ordinary);
    while (clscan__now_ns() + batch_ns <= c->tries_end_ns && (count = take_candidates(c, openings, at_once)) > 0) {
        clscan__openings_go(openings, count);
        for (size_t i = 0; i < count; ++i)
            try_candidate(c, &openings[i]);
        batch_ns = (clscan__now_ns() - begin_ns) / c->tried * at_once;
    }
}

/* Would the time be over? */
static bool is_over_after(const contest *c, double more_ns)
{
    return (double)clscan__now_ns() + more_ns > (double)c->end_ns;
}

/* In turn, so that what else the machine does counts for all alike. */
static clscan_status compare_times(contest *c, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const double outputs_ns = 2 * c->ordinary.time_ns;

    for (unsigned round = 0; round < MOST_ROUNDS; ++round) {
        if (is_over_after(c, outputs_ns + c->ordinary.time_ns))
            goto cleanup;
        CLSCAN__TRY(clscan__contender_time(&c->bench, &c->ordinary, error));
        for (size_t i = 0; i < c->finalist_count; ++i) {
            if (is_over_after(c, outputs_ns + c->finalists[i].time_ns))
                goto cleanup;
            CLSCAN__TRY(clscan__contender_time(&c->bench, &c->finalists[i], error));
            clscan__contender_count_round(&c->finalists[i], &c->ordinary);
        }
    }

cleanup:
    return status;
}

/* The fastest whose output is the ordinary one's, of those that there is time to look at. */
static clscan_status find_winner(contest *c, const clscan__contender **winner, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    bool out[MOST_FINALISTS] = {false}, looked = false;

    *winner = &c->ordinary;
    for (;;) {
        size_t best = MOST_FINALISTS;
        bool same = false;

        for (size_t i = 0; i < c->finalist_count; ++i)
            if (!out[i] && clscan__contender_is_ahead(&c->finalists[i], &c->ordinary) &&
                (best == MOST_FINALISTS || c->finalists[i].time_ns < c->finalists[best].time_ns))
                best = i;
        if (best == MOST_FINALISTS)
            break;
        if (looked && is_over_after(c, 0)) {
            ++c->late;
            break;
        }
        looked = true;
        CLSCAN__TRY(clscan__contender_compare(&c->bench, &c->ordinary, &c->finalists[best], &same, error));
        if (same) {
            *winner = &c->finalists[best];
            break;
        }
        out[best] = true;
        clscan__log(
            CLSCAN_LOG_WARNING,
            "measuring at first use: a candidate gave another result than what runs ordinarily, and is left out");
    }

cleanup:
    return status;
}

/* ---- The whole ---- */

/* Might a longer measurement find another winner? */
static bool is_unfinished(const contest *c)
{
    return c->taken < c->candidate_count || c->late > 0 ||
           (c->finalist_count > 0 && c->finalists[0].rounds < CLSCAN__FEW_ROUNDS);
}

/* Was any, or is there none? */
static bool is_compared(const contest *c)
{
    return c->tried > c->late || c->candidate_count == 0;
}

static clscan__config_entry entry_of(const contest *c, const clscan__contender *winner)
{
    const clscan_problem *problem = c->bench.problem;
    const uint64_t count = c->bench.count;
    clscan__config_entry entry = {
        .key = {.operation = CLSCAN__CONFIG_SCAN,
                .element_size_bytes = (uint32_t)clscan_type_size_bytes(problem->type),
                .operator_class = clscan__problem_class(problem),
                .reproducible = clscan__problem_is_ordered(problem)},
        .smallest_count = count / REACH + 1,
        .largest_count = count < problem->max_count || count > UINT64_MAX / REACH ? UINT64_MAX : count * REACH,
        .unfinished_ms = is_unfinished(c) ? c->bound_ns / CLSCAN__NS_PER_MS : 0,
        .variant = winner->variant,
    };

    clscan_variant_revision(&winner->variant, problem, c->bench.info, entry.revision, NULL);
    return entry;
}

static void report(const contest *c, const clscan__contender *winner)
{
    const char *const words = is_unfinished(c) ? ", as far as the time allowed" : "";
    char text[256];

    clscan_variant_format(&winner->variant, text, sizeof text);
    clscan__log(CLSCAN_LOG_INFO,
                "measured at first use, %" PRIu64
                " elements, %zu of %zu candidates, %zu left out: %s, %.1f us; without: %.1f us",
                c->bench.count, c->tried, c->candidate_count, c->skipped, text, winner->time_ns / 1e3,
                c->ordinary.time_ns / 1e3);
    if (winner == &c->ordinary)
        snprintf(c->outcome, CLSCAN__OUTCOME_BYTES, "measured now, none of %zu others was faster than its %.1f us%s",
                 c->tried + c->skipped, winner->time_ns / 1e3, words);
    else
        snprintf(c->outcome, CLSCAN__OUTCOME_BYTES, "measured now, %.1f us instead of %.1f us%s", winner->time_ns / 1e3,
                 c->ordinary.time_ns / 1e3, words);
}

/* Open and time what would run without a measurement. *spent_ns: what a candidate may take, too. */
static clscan_status try_ordinary(contest *c, uint64_t *spent_ns, clscan_error *error)
{
    clscan_status status;
    const uint64_t begin_ns = clscan__now_ns();
    clscan__prospect prospect;

    CLSCAN__TRY(clscan__contender_open(&c->bench, &c->ordinary, error));
    CLSCAN__TRY(clscan__contender_try(&c->bench, &c->ordinary, ANY_TIME, c->end_ns, &prospect, error));
    CLSCAN__REQUIRE(prospect == CLSCAN__PROMISING, CLSCAN_ERROR_DEVICE_LIMIT, TOO_SHORT,
                    c->bound_ns / CLSCAN__NS_PER_MS);
    *spent_ns = clscan__now_ns() - begin_ns;

cleanup:
    return status;
}

static clscan_status hold(contest *c, const clscan__measured_file *file, clscan_config **config, clscan_error *error)
{
    clscan_status status;
    const clscan__contender *winner;
    clscan__config_entry entry;
    uint64_t now_ns, ordinary_ns = 0;

    CLSCAN__TRY(clscan__bench_open(&c->bench, error));
    CLSCAN__TRY(find_candidates(c, error));
    CLSCAN__TRY(try_ordinary(c, &ordinary_ns, error));
    now_ns = clscan__min_u64(clscan__now_ns(), c->end_ns);
    c->tries_end_ns = now_ns + (uint64_t)(SHARE_OF_TRIES * (double)(c->end_ns - now_ns));
    try_all(c, ordinary_ns);
    CLSCAN__TRY(compare_times(c, error));
    CLSCAN__REQUIRE(is_compared(c), CLSCAN_ERROR_DEVICE_LIMIT, TOO_SHORT, c->bound_ns / CLSCAN__NS_PER_MS);
    CLSCAN__TRY(find_winner(c, &winner, error));
    entry = entry_of(c, winner);
    CLSCAN__TRY(clscan__measured_keep(file, c->bench.info, &entry, config, error));
    report(c, winner);

cleanup:
    for (size_t i = 0; i < c->finalist_count; ++i)
        clscan__contender_close(&c->finalists[i]);
    clscan__contender_close(&c->ordinary);
    clscan__bench_close(&c->bench);
    free(c->candidates);
    return status;
}

/* Is there anything to measure? Then the ordinary choice for the largest count. */
static bool find_ordinary(const clscan_device_info *info, const clscan_problem *problem, uint64_t bound_ns,
                          clscan_variant *variant)
{
    clscan__selector *selector = NULL;
    clscan_choice choice;
    bool settled = true;

    if (clscan__selector_create(NULL, &selector, NULL) != CLSCAN_OK)
        return false;
    settled = clscan__selector_is_settled(selector, info, problem, problem->max_count, bound_ns);
    clscan__selector_choose(selector, info, problem, problem->max_count, 0, &choice);
    *variant = choice.variant;
    clscan__selector_destroy(selector);
    return !settled;
}

/* Candidates may wait where the ordinary choice does not. What the probe takes, once for a device, is no measuring. */
static clscan_status probe(contest *c, clscan_device_info *info, bool *forbids, clscan_error *error)
{
    const uint64_t begin_ns = clscan__now_ns();
    const clscan_status status =
        clscan__probe_consult(c->bench.context, c->bench.device, &c->bench.options, info, forbids, error);

    c->end_ns += clscan__now_ns() - begin_ns;
    return status;
}

/* A scan of scalars of one type is measured, and nothing else. */
static const char *why_unmeasured(const clscan_problem *problem)
{
    return problem->operation != CLSCAN_SCAN                 ? "it is no scan"
           : problem->rows != NULL                           ? "it has rows"
           : problem->segments != NULL                       ? "it has segments"
           : problem->load != NULL || problem->store != NULL ? "it has maps"
           : problem->element != NULL                        ? "elements are no scalars"
                                                             : "elements, sums and outputs differ in type";
}

static void CLSCAN__PRINTF(3, 4)
    give_up(char outcome[CLSCAN__OUTCOME_BYTES], clscan_log_level level, const char *format, ...)
{
    char why[CLSCAN__OUTCOME_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    clscan__log(level, "not measured at first use: %s", why);
    snprintf(outcome, CLSCAN__OUTCOME_BYTES, "not measured: %.*s",
             (int)(CLSCAN__OUTCOME_BYTES - sizeof "not measured: "), why);
}

void clscan__measure_first_use(cl_context context, cl_device_id device, clscan_device_info *info,
                               const clscan_problem *problem, const clscan_plan_options *options, uint64_t bound_ns,
                               clscan_config **config, char outcome[CLSCAN__OUTCOME_BYTES])
{
    const uint64_t begin_ns = clscan__now_ns();
    clscan_problem timed = *problem;
    contest c = {.bench = {.context = context, .device = device, .info = info, .problem = &timed},
                 .bound_ns = bound_ns,
                 .outcome = outcome};
    clscan__measured_file file;
    clscan_error why = {0};
    bool mine, forbids;

    *config = NULL;
    outcome[0] = '\0';
    timed.count_bytes = 0;
    if (!clscan__problem_shape(problem).plain || problem->operation != CLSCAN_SCAN || problem->rows != NULL) {
        give_up(outcome, CLSCAN_LOG_INFO, "%s", why_unmeasured(problem));
        return;
    }
    if (!find_ordinary(info, problem, bound_ns, &c.ordinary.variant))
        return;
    if (options != NULL)
        c.bench.options = *options;
    c.bench.options.struct_size = sizeof c.bench.options;
    /* An exclusive scan without an identity has no first element to compare. */
    if (problem->custom != NULL && problem->custom->identity == NULL)
        timed.form = CLSCAN_INCLUSIVE;
    clscan__measured_open(&file, info, bound_ns + COMPILING_NS, &mine);
    if (!mine) {
        give_up(outcome, CLSCAN_LOG_WARNING, "another process was still measuring on this device after %" PRIu64 " ms",
                (clscan__now_ns() - begin_ns) / CLSCAN__NS_PER_MS);
        return;
    }
    c.end_ns = clscan__now_ns() + bound_ns;
    /* Another one may have measured meanwhile; and where nothing may wait, another entry serves. */
    if (find_ordinary(info, problem, bound_ns, &c.ordinary.variant)) {
        if (probe(&c, info, &forbids, &why) != CLSCAN_OK)
            give_up(outcome, CLSCAN_LOG_WARNING, "%s", why.message);
        else if ((!forbids || find_ordinary(info, problem, bound_ns, &c.ordinary.variant)) &&
                 hold(&c, &file, config, &why) != CLSCAN_OK)
            give_up(outcome, CLSCAN_LOG_WARNING, "%s", why.message);
    }
    clscan__measured_close(&file);
}
