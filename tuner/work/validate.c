/* Where mistakes show: at the edges of tiles, with more tiles than can run at once, in repeats, in place. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "measure/clock.h"
#include "reference/reference.h"
#include "trial/conclude.h"
#include "work/candidate.h"

#define REPEATS 6 /* of a count with several tiles, with other data each time */
#define SEED UINT64_C(20131)

/* Larger counts are left to the measurements, which check their outputs as well. Sums of generated floating-point
 * numbers are exact up to here. */
#define MAX_EXACT_COUNT (UINT64_C(1) << 20)

/* How many work-groups may be on a device at once, at most. */
#define ITEMS_PER_UNIT 2048u
#define GROUPS_PER_UNIT 32u

typedef struct validation {
    const tune_candidate *candidate;
    tune_trial *trial;
    uint64_t cases;
} validation;

/* What the reference module says is a description of the case, and then what is wrong. */
static const char *message_of(const char *text)
{
    const char *seed = strstr(text, " seed=");
    const char *message = seed != NULL ? strstr(seed, ": ") : NULL;

    return message != NULL ? message + 2 : text;
}

/* Does the reproducible order decide the bits? A custom operator has inputs of its own. */
static bool shows_grouping(const clscan_problem *problem)
{
    return problem->reproducible && problem->op != CLSCAN_CUSTOM;
}

static bool run_case(validation *v, const clscan_case_fixture *fixture, uint64_t count, bool in_place)
{
    const clscan_problem *problem = fixture->problem;
    const clscan_case test = {.count = count,
                              .in_place = in_place,
                              .generator = fixture == &v->candidate->mixed ? v->candidate->mixed_generator
                                           : shows_grouping(problem)
                                               ? CLSCAN_GENERATE_WIDE
                                               : clscan_generator_for(problem->type, problem->op, problem->direction),
                              .seed = SEED + v->cases++};
    char text[CLSCAN_CASE_TEXT_BYTES];
    const clscan_case_result result = clscan_case_run(fixture, &test, text, sizeof text);

    if (result == CLSCAN_CASE_RIGHT)
        return true;
    return tune_conclude(v->trial, result == CLSCAN_CASE_WRONG ? TUNE_OUTCOME_CORRECTNESS : TUNE_OUTCOME_RUNTIME,
                         "%" PRIu64 " elements%s, %s %s: %s", count, in_place ? " in place" : "",
                         problem->direction == CLSCAN_REVERSE ? "reverse" : "forward",
                         problem->custom != NULL ? problem->custom->function : clscan_operator_name(problem->op),
                         message_of(text));
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Tiles such that every work-group that can run at once has more than one. */
static uint64_t enough_tiles(const clscan_variant *variant, uint32_t units)
{
    const uint64_t resident =
        units *
        least(GROUPS_PER_UNIT, 1 + ITEMS_PER_UNIT / (variant->work_group_size > 0 ? variant->work_group_size : 1));

    if (variant->work_groups_per_unit > 0)
        return 2 * (uint64_t)units * variant->work_groups_per_unit + 1;
    return 2 * resident * (variant->tiles_per_work_group > 0 ? variant->tiles_per_work_group : 1) + 1;
}

static bool run_edges(validation *v, const clscan_case_fixture *fixture, bool in_place, uint64_t limit)
{
    const uint64_t tile = clscan_variant_tile_count(&v->candidate->about.variant);
    const uint64_t counts[] = {1, tile - 1, tile, tile + 1, 3 * tile + tile / 3 + 1};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        if (counts[i] > 0 && counts[i] <= limit && !run_case(v, fixture, counts[i], in_place))
            return false;
    return true;
}

static bool run_all(validation *v)
{
    const tune_candidate *candidate = v->candidate;
    const clscan_variant *variant = &candidate->about.variant;
    const clscan_type type = candidate->about.target.type;
    const uint64_t limit = clscan_reference_is_floating(type) ? MAX_EXACT_COUNT : TUNE_VALIDATION_COUNT;
    const uint64_t tile = clscan_variant_tile_count(variant);
    const uint64_t several = least(limit, 7 * tile + tile / 2 + 1);
    clscan_device_info info;
    uint64_t many;

    if (clscan_device_describe(candidate->timed.device, &info, NULL) != CLSCAN_OK)
        return tune_conclude(v->trial, TUNE_OUTCOME_RUNTIME, "the device cannot be described");
    many = least(limit, enough_tiles(variant, info.compute_units) * tile + tile / 3 + 1);
    for (int in_place = 0; in_place <= candidate->in_place; ++in_place)
        if (!run_edges(v, &candidate->timed, in_place, limit) || !run_edges(v, &candidate->mixed, in_place, limit))
            return false;
    for (int i = 0; i < REPEATS; ++i)
        if (!run_case(v, i % 2 == 0 ? &candidate->timed : &candidate->mixed, several,
                      candidate->in_place && i % 3 == 2))
            return false;
    return run_case(v, &candidate->timed, many, false) && run_case(v, &candidate->mixed, many, candidate->in_place);
}

void tune_candidate_validate(tune_candidate *candidate, tune_trial *trial)
{
    validation v = {.candidate = candidate, .trial = trial};
    const uint64_t begin = measure_now();

    if (!candidate->compiled)
        (void)tune_conclude(trial, TUNE_OUTCOME_RUNTIME, "validate: nothing is compiled");
    else if (run_all(&v))
        trial->outcome = TUNE_OUTCOME_CORRECT;
    trial->validate_ns = (double)(measure_now() - begin);
}
