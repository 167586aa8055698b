#include "work/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "common/clock.h"
#include "measure/case.h"
#include "trial/trial.h"
#include "work/pace.h"
#include "work/timer.h"
#include "work/verdicts.h"

#define SOAK_MS 5000

/* What the worker that measures has been brought to. */
typedef struct progress {
    unsigned generation; /* of that worker */
    tune_trial compiled; /* count 0: nothing; else the largest count it can run */
    tune_trial loaded;   /* the same */
} progress;

struct tune_live {
    tune_crew crew;
    bool cut_off; /* the last step was: that says nothing of the candidate */
    progress worker;
    tune_verdicts verdicts;
    tune_pace pace;
    uint64_t opened_ns;
};

/* ---- Opening ---- */

clscan_status tune_live_list(const tune_live_options *options, clscan_device_info **devices, size_t *count,
                             size_t *chosen, clscan_error *error)
{
    return tune_crew_list(options, devices, count, chosen, error);
}

clscan_status tune_live_open(const tune_live_options *options, tune_live **live, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_live *made = calloc(1, sizeof *made);

    REQUIRE(made != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the supervisor of workers");
    made->opened_ns = clscan__now_ns();
    TRY(tune_crew_open(&made->crew, options, error));
    *live = made;
    made = NULL; /* now the caller's */

cleanup:
    free(made);
    return status;
}

void tune_live_close(tune_live *live)
{
    if (live == NULL)
        return;
    tune_crew_close(&live->crew);
    tune_verdicts_free(&live->verdicts);
    tune_pace_free(&live->pace);
    free(live);
}

const clscan_device_info *tune_live_device(const tune_live *live)
{
    return &live->crew.device;
}

size_t tune_live_device_index(const tune_live *live)
{
    return live->crew.device_index;
}

void tune_live_set_end(tune_live *live, double end_s)
{
    live->crew.end_ns = end_s > 0 ? live->opened_ns + (uint64_t)(end_s * 1e9) : 0;
}

uint64_t tune_live_largest_count(const tune_live *live, clscan_type type)
{
    const uint64_t size = clscan_type_size_bytes(type);
    uint64_t count = 0;

    for (uint64_t step = UINT64_C(1) << 50; step > 0; step /= 2) {
        const measure_problem problem = {.type = type, .count = count + step, .bytes = (count + step) * size};
        measure_note note;

        if (measure_case_obstacle(&live->crew.device, &problem, 1, &note) == NULL)
            count += step;
    }
    return count;
}

/* ---- Steps of a trial ---- */

/* What a step without an answer says of the candidate. */
static tune_outcome outcome_of(tune_reply reply, tune_request_kind kind)
{
    if (reply == TUNE_REPLY_TIMEOUT)
        return TUNE_OUTCOME_TIMEOUT;
    if (reply == TUNE_REPLY_GONE && kind == TUNE_REQUEST_COMPILE)
        return TUNE_OUTCOME_COMPILE;
    return TUNE_OUTCOME_RUNTIME;
}

/* What a worker found out, added to what is known from the steps before. The question, and what the search notes beside
 * it, stay. */
static void merge(tune_trial *trial, const tune_trial *found)
{
    trial->outcome = found->outcome;
    memcpy(trial->reason, found->reason, sizeof trial->reason);
#define TAKE(field)        \
    if (found->field != 0) \
        trial->field = found->field;
    TAKE(compile_ns)
    TAKE(validate_ns)
    TAKE(kernel_work_group_size)
    TAKE(local_bytes)
    TAKE(private_bytes)
#undef TAKE
    trial->time_ns = found->time_ns;
    trial->spread_ns = found->spread_ns;
    trial->host_time_ns = found->host_time_ns;
    trial->copy_ns = found->copy_ns;
    trial->runs = found->runs;
    if (found->revision[0] != '\0')
        memcpy(trial->revision, found->revision, sizeof trial->revision);
}

/* What a worker is told to keep to, well before its deadline. */
static uint32_t limit_of(tune_request_kind kind, uint32_t deadline_ms)
{
    const uint32_t third_ms = deadline_ms / 3;

    return kind == TUNE_REQUEST_SOAK && third_ms > SOAK_MS ? SOAK_MS : third_ms;
}

/* One request about the trial; its outcome, and true if that is `correct`. A worker that failed is replaced, also one
 * that found a wrong answer: what it has on the device may be damaged. */
static bool step(tune_live *live, tune_request_kind kind, tune_trial *trial, unsigned runs)
{
    const uint32_t deadline_ms = tune_pace_deadline(&live->pace, kind, trial, live->crew.options.deadline_ms[kind]);
    tune_request request = {.kind = kind, .about = *trial, .runs = runs, .limit_ms = limit_of(kind, deadline_ms)};
    tune_answer answer = {0};
    char reason[TUNE_REASON_BYTES];
    tune_reply reply;
    const uint64_t begin = clscan__now_ns();

    reply = tune_crew_ask(&live->crew, &request, deadline_ms, &answer, reason);
    live->cut_off = live->crew.cut_off;
    if (reply != TUNE_REPLY_ANSWER) {
        (void)tune_conclude(trial, outcome_of(reply, kind), "%s", reason);
        trial->inconclusive = true;
        tune_crew_recover(&live->crew, true);
        return false;
    }
    merge(trial, &answer.trial);
    free(answer.devices);
    if (trial->outcome == TUNE_OUTCOME_CORRECT)
        tune_pace_note(&live->pace, kind, trial, clscan__now_ns() - begin);
    else if (trial->outcome != TUNE_OUTCOME_CONSTRAINTS && trial->outcome != TUNE_OUTCOME_COMPILE)
        tune_crew_recover(&live->crew, true);
    return trial->outcome == TUNE_OUTCOME_CORRECT;
}

/* The trial's outcome holds at larger counts, too; or, if it is that grave, at all. */
static void judge(tune_live *live, const tune_trial *trial, uint64_t least_count)
{
    if (!live->cut_off)
        tune_verdicts_add(&live->verdicts, trial, least_count);
}

/* From which count on a failed preparation is to be expected again. What memory ran out for may go well with less. */
static uint64_t least_failing_count(const tune_trial *trial)
{
    return trial->outcome == TUNE_OUTCOME_RUNTIME ? trial->count : 0;
}

/* What was read back after compiling holds for all trials of a candidate. What compiling took, the first one says. */
static void take_compiled(tune_trial *trial, const tune_trial *compiled)
{
    trial->kernel_work_group_size = compiled->kernel_work_group_size;
    trial->local_bytes = compiled->local_bytes;
    trial->private_bytes = compiled->private_bytes;
    memcpy(trial->revision, compiled->revision, sizeof trial->revision);
}

/* A plan has a largest count and a largest number of rows, and the shorter rows are, the more there are of them. */
static bool is_compiled_for(const tune_trial *compiled, const tune_trial *trial)
{
    return compiled->count > 0 && tune_trial_same_candidate(compiled, trial) && compiled->count >= trial->count &&
           tune_target_rows(&compiled->target, compiled->count) >= tune_target_rows(&trial->target, trial->count);
}

/* Compile, and validate unless that was done by a worker before. */
static bool prepare(tune_live *live, tune_trial *trial)
{
    if (is_compiled_for(&live->worker.compiled, trial)) {
        take_compiled(trial, &live->worker.compiled);
        return true;
    }
    live->worker.compiled = (tune_trial){0};
    tune_crew_let_ahead_finish(&live->crew, trial);
    if (!step(live, TUNE_REQUEST_COMPILE, trial, 0) ||
        (!tune_verdicts_is_valid(&live->verdicts, trial) && !step(live, TUNE_REQUEST_VALIDATE, trial, 0))) {
        judge(live, trial, least_failing_count(trial));
        return false;
    }
    tune_verdicts_set_valid(&live->verdicts, trial);
    live->worker.compiled = *trial;
    return true;
}

static bool load(tune_live *live, tune_trial *trial)
{
    const tune_trial *loaded = &live->worker.loaded;

    if (tune_target_load_serves(&loaded->target, loaded->count, &trial->target, trial->count))
        return true;
    live->worker.loaded = (tune_trial){0};
    if (!step(live, TUNE_REQUEST_LOAD, trial, 0))
        return false;
    live->worker.loaded = *trial;
    return true;
}

/* Bring a worker to where it can run the trial. */
static bool make_ready(tune_live *live, tune_trial *trial)
{
    if (live->crew.broken[0] == '\0' && !tune_crew_alive(&live->crew))
        tune_crew_recover(&live->crew, false); /* ended between two trials, which is not this one's fault */
    if (live->crew.broken[0] != '\0') {
        trial->inconclusive = true;
        return tune_conclude(trial, TUNE_OUTCOME_RUNTIME, "%s", live->crew.broken);
    }
    if (live->worker.generation != live->crew.generation)
        live->worker = (progress){.generation = live->crew.generation};
    return prepare(live, trial) && load(live, trial);
}

/* ---- The evaluator ---- */

static void run_trial(tune_live *live, tune_trial *trial)
{
    if (tune_verdicts_find(&live->verdicts, trial) || !make_ready(live, trial))
        return;
    if (step(live, TUNE_REQUEST_MEASURE, trial, 0))
        trial->inconclusive = !tune_timer_check(trial);
    else if (trial->outcome == TUNE_OUTCOME_CORRECTNESS)
        judge(live, trial, 0);
    else if (trial->outcome == TUNE_OUTCOME_TIMEOUT)
        judge(live, trial, trial->count);
}

static void live_evaluate(void *self, tune_trial *trial)
{
    tune_live *live = self;

    live->crew.may_cut = true;
    run_trial(live, trial);
    live->crew.may_cut = false;
}

static void live_announce(void *self, const tune_target *target, const clscan_variant *variants, size_t count)
{
    tune_live *live = self;

    tune_ahead_announce(&live->crew.ahead, target, variants, count);
}

static void live_soak(void *self, tune_trial *trial, unsigned runs)
{
    tune_live *live = self;
    tune_trial soaked = {
        .target = trial->target, .variant = trial->variant, .count = trial->count, .insist = trial->insist};

    if (!tune_verdicts_find(&live->verdicts, &soaked) && make_ready(live, &soaked) &&
        !step(live, TUNE_REQUEST_SOAK, &soaked, runs))
        judge(live, &soaked, 0);
    trial->outcome = soaked.outcome;
    trial->inconclusive = soaked.inconclusive;
    memcpy(trial->reason, soaked.reason, sizeof trial->reason);
}

static double live_elapsed_s(void *self)
{
    const tune_live *live = self;

    return (double)(clscan__now_ns() - live->opened_ns) * 1e-9;
}

static const char *live_broken(void *self)
{
    const tune_live *live = self;

    return live->crew.broken;
}

tune_evaluator tune_live_evaluator(tune_live *live)
{
    return (tune_evaluator){.self = live,
                            .evaluate = live_evaluate,
                            .announce = live_announce,
                            .soak = live_soak,
                            .elapsed_s = live_elapsed_s,
                            .broken = live_broken};
}
