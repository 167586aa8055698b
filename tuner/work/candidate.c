#include "work/candidate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "measure/case.h"
#include "measure/device.h"
#include "measure/library.h"
#include "measure/measure.h"
#include "reference/reference.h"
#include "space/rows.h"
#include "trial/trial.h"

const clscan_sample_operator *tune_target_sample(const tune_target *target)
{
    return target->op == CLSCAN_CUSTOM && !tune_target_has_element(target)
               ? clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, tune_target_sum_type(target))
               : NULL;
}

void tune_candidate_release(tune_candidate *candidate)
{
    clscan_case_release(&candidate->timed);
    clscan_case_release(&candidate->mixed);
    *candidate = (tune_candidate){0};
}

/* Of a build log the first line that speaks of an error tells most, else the last one that is not empty. */
static const char *telling_line(const char *log)
{
    const char *line = "";

    while (*log != '\0') {
        const size_t bytes = strcspn(log, "\n");
        const char *found = strstr(log, "error");

        if (found != NULL && found < log + bytes)
            return log;
        if (strspn(log, " \t\r") < bytes)
            line = log;
        log += bytes + (log[bytes] == '\n');
    }
    return line;
}

static void settle_compiling(tune_trial *trial, clscan_status status, const clscan_error *error)
{
    switch (status) {
    case CLSCAN_ERROR_ILLEGAL_VARIANT:
    case CLSCAN_ERROR_DEVICE_LIMIT:
    case CLSCAN_ERROR_UNSUPPORTED_TYPE:
        (void)tune_conclude(trial, TUNE_OUTCOME_CONSTRAINTS, "%s", error->message);
        break;
    case CLSCAN_ERROR_BUILD:
    case CLSCAN_ERROR_OPERATOR_SOURCE:
        (void)tune_conclude(trial, TUNE_OUTCOME_COMPILE, "%.120s: %.120s", error->message,
                            telling_line(error->build_log));
        break;
    default:
        (void)tune_conclude(trial, TUNE_OUTCOME_RUNTIME, "%s", error->message);
    }
}

static clscan_status prepare_fixture(clscan_case_fixture *fixture, const measure_device *device,
                                     const clscan_problem *problem, const clscan_sample_operator *sample,
                                     const clscan_variant *variant, clscan_error *error)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};

    fixture->context = device->context;
    fixture->device = device->id;
    fixture->queue = device->queue;
    return clscan_case_prepare(fixture, problem, sample, &options, error);
}

/* As many as any run has. */
static void add_rows(tune_candidate *candidate, clscan_problem *problem)
{
    const tune_trial *about = &candidate->about;
    const uint64_t timed = tune_target_rows(&about->target, about->count);

    if (problem->rows == NULL)
        return;
    candidate->rows = (clscan_rows){.struct_size = sizeof candidate->rows,
                                    .count = timed > TUNE_VALIDATION_COUNT ? timed : TUNE_VALIDATION_COUNT};
    problem->rows = &candidate->rows;
}

/* Functions x -> a x + b, composed: every element changes all results behind it. They need two bytes; of one byte there
 * is keep_last, which is forward, since backwards it would keep the first one that it meets. In a reproducible plan
 * every grouping but the right one shows, so it is products. */
static const clscan_sample_operator *choose_mixed(tune_candidate *candidate)
{
    const tune_target *target = &candidate->about.target;
    static const clscan_type unsigned_types[] = {CLSCAN_UINT16, CLSCAN_UINT32, CLSCAN_UINT64};
    const clscan_type type = target->type;
    clscan_problem *problem = &candidate->mixed_problem;
    const clscan_sample_operator *sample = clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, tune_target_sum_type(target));

    if (tune_target_is_other(target)) {
        *problem = tune_target_problem(target);
        problem->op = CLSCAN_CUSTOM;
        problem->custom = &sample->custom;
        problem->max_count = TUNE_VALIDATION_COUNT;
        add_rows(candidate, problem);
        return sample;
    }
    if (target->reproducible) {
        *problem = tune_target_problem(target);
        problem->op = CLSCAN_MUL;
        problem->form = CLSCAN_EXCLUSIVE;
        problem->direction = CLSCAN_REVERSE;
        problem->max_count = TUNE_VALIDATION_COUNT;
        candidate->mixed_generator = CLSCAN_GENERATE_NEAR_ONE;
        return NULL;
    }
    *problem = (clscan_problem){.struct_size = sizeof *problem,
                                .type = type,
                                .op = CLSCAN_CUSTOM,
                                .form = CLSCAN_EXCLUSIVE,
                                .max_count = TUNE_VALIDATION_COUNT};
    candidate->mixed_generator = CLSCAN_GENERATE_MOSTLY_ZERO;
    for (size_t i = 0; i < sizeof unsigned_types / sizeof unsigned_types[0]; ++i)
        if (clscan_type_size_bytes(unsigned_types[i]) == clscan_type_size_bytes(type)) {
            sample = clscan_sample_find(CLSCAN_SAMPLE_AFFINE, unsigned_types[i]);
            problem->type = unsigned_types[i];
            problem->direction = CLSCAN_REVERSE;
            candidate->mixed_generator = CLSCAN_GENERATE_FACTORS;
        }
    problem->custom = &sample->custom;
    return sample;
}

static clscan_status compile(tune_candidate *candidate, const measure_device *device, clscan_error *error)
{
    const tune_target *target = &candidate->about.target;
    const clscan_variant *variant = &candidate->about.variant;
    const clscan_sample_operator *sample = tune_target_sample(target);
    const clscan_sample_operator *mixed;
    clscan_problem *timed = &candidate->timed_problem;
    clscan_status status;

    *timed = tune_target_problem(target);
    status = clscan_variant_check(variant, timed, 0, &device->info, error);
    if (status != CLSCAN_OK)
        return status;
    candidate->in_place = tune_target_output_bytes(target) == target->element_size_bytes &&
                          clscan_variant_check(variant, timed, 1, &device->info, NULL) == CLSCAN_OK;
    if (sample != NULL)
        timed->custom = &sample->custom;
    timed->max_count = candidate->about.count > TUNE_VALIDATION_COUNT ? candidate->about.count : TUNE_VALIDATION_COUNT;
    add_rows(candidate, timed);
    status = prepare_fixture(&candidate->timed, device, timed, sample, variant, error);
    if (status != CLSCAN_OK || tune_target_has_element(target) || clscan__config_operation_selects(target->operation))
        return status;
    mixed = choose_mixed(candidate);
    return prepare_fixture(&candidate->mixed, device, &candidate->mixed_problem, mixed, variant, error);
}

/* What the compiler made of the kernels. Where a work-group of the variant's size does not fit, the kernels cannot
 * run. */
static void read_limits(const tune_candidate *candidate, tune_trial *trial)
{
    const uint32_t wanted = candidate->about.variant.work_group_size;
    clscan_kernel_info info = {.struct_size = sizeof info};
    clscan_error error = {0};

    if (clscan_plan_kernel_info(candidate->timed.plan, candidate->about.count, 0, &info, &error) != CLSCAN_OK) {
        (void)tune_conclude(trial, TUNE_OUTCOME_RUNTIME, "%s", error.message);
        return;
    }
    trial->kernel_work_group_size = info.work_group_size < UINT32_MAX ? (uint32_t)info.work_group_size : UINT32_MAX;
    trial->local_bytes = info.local_bytes;
    trial->private_bytes = info.private_bytes;
    snprintf(trial->revision, sizeof trial->revision, "%s", info.revision);
    if (info.work_group_size > 0 && info.work_group_size < wanted)
        (void)tune_conclude(trial, TUNE_OUTCOME_CONSTRAINTS,
                            "compiled, the kernels run in work-groups of at most %" PRIu64 " work-items, not %" PRIu32,
                            info.work_group_size, wanted);
}

void tune_candidate_compile(tune_candidate *candidate, measure_device *device, tune_trial *trial)
{
    const uint64_t begin = clscan__now_ns();
    clscan_error error = {0};
    clscan_status status;

    tune_candidate_release(candidate);
    candidate->about = *trial;
    candidate->device = device;
    status = compile(candidate, device, &error);
    trial->compile_ns = (double)(clscan__now_ns() - begin);
    if (status != CLSCAN_OK) {
        settle_compiling(trial, status, &error);
        tune_candidate_release(candidate);
        return;
    }
    read_limits(candidate, trial);
    candidate->compiled = trial->outcome == TUNE_OUTCOME_CORRECT;
}

/* ---- As a contender ---- */

static measure_outcome kind_prepare(measure_contender *contender, const measure_case *c)
{
    const tune_candidate *candidate = contender->state;

    (void)c;
    contender->one_command = measure_is_one_launch(&candidate->about.variant, NULL);
    return MEASURE_OK;
}

static bool enqueue(const clscan_case_fixture *fixture, const measure_case *c, cl_event *event, measure_note *note)
{
    clscan_error error = {0};
    measure_run run;

    measure_run_make(c, &run);
    if (clscan_run(fixture->plan, fixture->workspace, c->device->queue, &run.args, 0, NULL, event, &error) == CLSCAN_OK)
        return true;
    return measure_fail(note, "%s", error.message);
}

static bool kind_enqueue(measure_contender *contender, const measure_case *c, cl_event *event)
{
    const tune_candidate *candidate = contender->state;

    return enqueue(&candidate->timed, c, event, &contender->note);
}

const measure_kind tune_candidate_kind = {.name = "candidate",
                                          .scans = true,
                                          .reduces = true,
                                          .segments = true,
                                          .selects = true,
                                          .maps = true,
                                          .prepare = kind_prepare,
                                          .enqueue = kind_enqueue};

bool tune_candidate_counted(const measure_case *c, bool *right, measure_note *note)
{
    const uint64_t expected = c->problem.selects ? c->problem.kept_count : c->problem.segment_count;
    cl_uint number = 0; /* of more bits the lowest */

    *right = true;
    if (c->number == NULL)
        return true;
    MEASURE_TRY(note, clEnqueueReadBuffer,
                (c->device->queue, c->number, CL_TRUE, 0, sizeof number, &number, 0, NULL, NULL));
    *right = number == (cl_uint)expected;
    if (!*right)
        measure_fail(note, "the number is %u, not %" PRIu64, (unsigned)number, expected);
    return true;
}

/* ---- Validation ----
 *
 * Where mistakes show: at the edges of tiles, with more tiles than can run at once, in repeats, in place. */

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

/* What stands behind an output must be what it was. */
#define GUARD_BYTES 4096u

/* The first `count` elements of a case. Apart, all of the target is poisoned before. */
static bool run_prefix(validation *v, const measure_case *all, uint64_t count, bool *right, measure_note *note)
{
    const measure_case c = measure_case_prefix(all, count);
    measure_contender scan = {.kind = &tune_candidate_kind, .state = (void *)v->candidate};
    unsigned char guard[GUARD_BYTES];

    *right = false;
    if (c.problem.in_place ? !measure_case_reset(&c, note)
                           : !measure_device_fill(c.device, c.target, 0xa5, all->problem.bytes, note))
        return false;
    if (!scan.kind->enqueue(&scan, &c, NULL))
        return measure_fail(note, "%s", scan.note.text);
    if (!measure_case_compare(&c, right, note))
        return false;
    if (!*right || c.problem.in_place)
        return true;
    MEASURE_TRY(note, clEnqueueReadBuffer,
                (c.device->queue, c.target, CL_TRUE, c.problem.bytes, sizeof guard, guard, 0, NULL, NULL));
    for (size_t i = 0; i < sizeof guard && *right; ++i)
        if (guard[i] != 0xa5) {
            measure_fail(note, "byte %zu behind the output was overwritten", i);
            *right = false;
        }
    return true;
}

/* Elements that are no numbers: the scan that is timed, whose operator does not commute as a rule. */
static bool run_elements(validation *v, const uint64_t *counts, size_t count_count, bool in_place)
{
    const tune_target *target = &v->candidate->about.target;
    uint64_t most = 0;
    measure_problem problem = {
        .type = target->type, .element = &target->element, .op = target->op, .in_place = in_place};
    measure_note note = {""};
    measure_case all;
    bool right = true;

    for (size_t i = 0; i < count_count; ++i)
        most = counts[i] > most ? counts[i] : most;
    problem.count = most + GUARD_BYTES;
    problem.bytes = problem.count * target->element_size_bytes;
    if (!measure_case_create(v->candidate->device, &problem, &all, &note))
        return tune_conclude(v->trial, TUNE_OUTCOME_RUNTIME, "%s", note.text);
    for (size_t i = 0; i < count_count && right; ++i) {
        if (counts[i] == 0)
            continue;
        if (!run_prefix(v, &all, counts[i], &right, &note)) {
            right = tune_conclude(v->trial, TUNE_OUTCOME_RUNTIME, "%s", note.text);
        } else if (!right) {
            (void)tune_conclude(v->trial, TUNE_OUTCOME_CORRECTNESS, "%" PRIu64 " elements%s: %s", counts[i],
                                in_place ? " in place" : "", note.text);
        }
    }
    measure_case_destroy(&all);
    return right;
}

static bool run_all_elements(validation *v, uint64_t several, uint64_t many)
{
    const uint64_t tile = clscan_variant_tile_count(&v->candidate->about.variant);
    const uint64_t counts[] = {1, tile - 1, tile, tile + 1, 3 * tile + tile / 3 + 1, several, several, several, many};

    return run_elements(v, counts, sizeof counts / sizeof counts[0], false) &&
           (!v->candidate->in_place || run_elements(v, counts, sizeof counts / sizeof counts[0], true));
}

/* ---- Other operations ---- */

/* One case of a selection, of segments, of a reduction, of rows, or of sums of another type: all of its output,
 * how many there are, and, unless it is in place, what stands behind them, which must be what it was. The input begins
 * where the guard ends, so that there is one. */
static bool run_other_case(const clscan_case_fixture *fixture, const measure_case *c, bool *right, measure_note *note)
{
    const uint64_t output_bytes = measure_output_bytes(&c->problem);
    unsigned char guard[GUARD_BYTES];

    if (!(c->problem.in_place
              ? measure_case_reset(c, note)
              : measure_device_fill(c->device, c->target, 0xa5, measure_buffer_bytes(&c->problem), note)) ||
        !enqueue(fixture, c, NULL, note) || !measure_case_compare(c, right, note))
        return false;
    if (!*right || c->problem.in_place)
        return true;
    MEASURE_TRY(note, clEnqueueReadBuffer,
                (c->device->queue, c->target, CL_TRUE, output_bytes, sizeof guard, guard, 0, NULL, NULL));
    for (size_t i = 0; i < sizeof guard && *right; ++i)
        if (guard[i] != 0xa5) {
            measure_fail(note, "byte %zu behind the output was overwritten", i);
            *right = false;
        }
    return !*right || tune_candidate_counted(c, right, note);
}

/* Bytes in front of an input such that as long an output and a guard have room where it has. */
static uint64_t guard_bytes(const measure_problem *what)
{
    const uint64_t out_bytes = measure_output_bytes(what),
                   longer = out_bytes > what->bytes ? out_bytes - what->bytes : 0;

    return GUARD_BYTES + (longer + GUARD_BYTES - 1) / GUARD_BYTES * GUARD_BYTES;
}

/* `what` is measured of so many elements: with which operator and where the fixture says. */
static bool run_other_problem(validation *v, const clscan_case_fixture *fixture, measure_problem what, uint64_t count,
                              unsigned runs)
{
    const tune_target *target = &v->candidate->about.target;
    const bool mixed = fixture == &v->candidate->mixed;
    measure_note note = {""};
    measure_case c;
    bool right = true, done = true;

    if (mixed) {
        what.op = CLSCAN_CUSTOM;
        what.sample = fixture->sample;
    }
    what.in_offset += guard_bytes(&what) / target->element_size_bytes;
    if (what.in_place)
        what.out_offset = what.in_offset;
    if (!measure_case_create(v->candidate->device, &what, &c, &note))
        return tune_conclude(v->trial, TUNE_OUTCOME_RUNTIME, "%s", note.text);
    for (unsigned run = 0; run < runs && done && right; ++run)
        done = run_other_case(fixture, &c, &right, &note);
    measure_case_destroy(&c);
    if (done && right)
        return true;
    return tune_conclude(v->trial, done ? TUNE_OUTCOME_CORRECTNESS : TUNE_OUTCOME_RUNTIME,
                         "%" PRIu64 " elements%s%s: %s", count, what.in_place ? " in place" : "",
                         mixed ? ", keep_last" : "", note.text);
}

static bool run_other_count(validation *v, const clscan_case_fixture *fixture, uint64_t count, unsigned runs)
{
    const tune_target *target = &v->candidate->about.target;

    return run_other_problem(v, fixture, tune_target_measured(target, tune_target_sample(target), count), count, runs);
}

static bool run_all_other(validation *v, uint64_t several, uint64_t many)
{
    const uint64_t tile = clscan_variant_tile_count(&v->candidate->about.variant);
    const uint64_t counts[] = {1, tile - 1, tile, tile + 1, 3 * tile + tile / 3 + 1, several, many};
    const clscan_case_fixture *fixtures[] = {&v->candidate->timed, &v->candidate->mixed};

    for (size_t f = 0; f < sizeof fixtures / sizeof fixtures[0]; ++f)
        for (size_t i = 0; fixtures[f]->plan != NULL && i < sizeof counts / sizeof counts[0]; ++i)
            if (counts[i] > 0 && counts[i] <= TUNE_VALIDATION_COUNT &&
                !run_other_count(v, fixtures[f], counts[i], counts[i] == several ? REPEATS / 2 : 1))
                return false;
    return true;
}

/* So many elements in all are enough for several work-groups of short rows; and of long rows there are at least so
 * many, too few to fill a GPU. */
#define ROWS_ELEMENTS (UINT64_C(1) << 17)
#define FEWEST_ROWS 3u

/* Rows that share a work-group, around what one takes, and those that are walked tile by tile, around a tile. Their
 * inputs begin anywhere, so that they are read by vectors and one by one. */
static bool run_rows(validation *v, const clscan_case_fixture *fixture, uint64_t count, bool in_place)
{
    const tune_target *target = &v->candidate->about.target;
    measure_problem what = tune_target_measured(target, tune_target_sample(target), count);

    what.rows.count = 1 + (ROWS_ELEMENTS / count > FEWEST_ROWS ? ROWS_ELEMENTS / count : FEWEST_ROWS);
    what.count = what.rows.count * count;
    what.bytes = what.count * target->element_size_bytes;
    what.in_offset = v->cases++ % 2;
    what.in_place = in_place;
    return what.count > TUNE_VALIDATION_COUNT || run_other_problem(v, fixture, what, count, 1);
}

static bool run_all_rows(validation *v, const clscan_device_info *info)
{
    const tune_candidate *candidate = v->candidate;
    const clscan_variant *variant = &candidate->about.variant;
    const uint64_t tile = clscan_variant_tile_count(variant);
    const uint64_t shared = tune_rows_shared(&candidate->about.target, info, variant);
    const uint64_t counts[] = {
        1, 2, 7, 33, shared / 3, shared, tile - 1, tile, tile + 1, shared + 1, 3 * tile + tile / 3 + 1};
    const clscan_case_fixture *fixtures[] = {&candidate->timed, &candidate->mixed};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        for (int which = 0; which < 4; ++which)
            if (counts[i] > 0 && (which / 2 == 0 || candidate->in_place) &&
                !run_rows(v, fixtures[which % 2], counts[i], which / 2 == 1))
                return false;
    return true;
}

static bool run_all(validation *v)
{
    const tune_candidate *candidate = v->candidate;
    const clscan_variant *variant = &candidate->about.variant;
    const clscan_type type = candidate->about.target.type;
    const uint64_t limit = !tune_target_has_element(&candidate->about.target) && clscan_reference_is_floating(type)
                               ? MAX_EXACT_COUNT
                               : TUNE_VALIDATION_COUNT;
    const uint64_t tile = clscan_variant_tile_count(variant);
    const uint64_t several = least(limit, 7 * tile + tile / 2 + 1);
    clscan_device_info info = {.struct_size = sizeof info};
    uint64_t many;

    if (clscan_device_describe(candidate->timed.device, &info, NULL) != CLSCAN_OK)
        return tune_conclude(v->trial, TUNE_OUTCOME_RUNTIME, "the device cannot be described");
    many = least(limit, enough_tiles(variant, info.compute_units) * tile + tile / 3 + 1);
    if (clscan__config_operation_has_rows(candidate->about.target.operation))
        return run_all_rows(v, &info);
    if (tune_target_is_other(&candidate->about.target))
        return run_all_other(v, several, many);
    if (tune_target_has_element(&candidate->about.target))
        return run_all_elements(v, several, many);
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
    const uint64_t begin = clscan__now_ns();

    if (!candidate->compiled)
        (void)tune_conclude(trial, TUNE_OUTCOME_RUNTIME, "validate: nothing is compiled");
    else if (run_all(&v))
        trial->outcome = TUNE_OUTCOME_CORRECT;
    trial->validate_ns = (double)(clscan__now_ns() - begin);
}
