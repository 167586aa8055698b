#include "live.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ahead.h"
#include "failure.h"
#include "measure/case.h"
#include "measure/clock.h"
#include "pace.h"
#include "settle.h"
#include "timer.h"
#include "verdicts.h"

#define NS_PER_MS UINT64_C(1000000)
#define DEFAULT_PROBES 7
#define DEFAULT_PROBE_PAUSE_MS 500
#define AUTO_AHEAD_MOST 4

static const char *const own_command[] = {"/proc/self/exe", "--worker", NULL};

/* What the running worker has been brought to. */
typedef struct progress {
    tune_trial compiled; /* count 0: nothing; else the largest count it can run */
    tune_trial loaded;   /* the same */
} progress;

struct tune_live {
    char selector[64];
    char *command[TUNE_MAX_WORDS + 1];
    tune_live_options options; /* all filled in */
    clscan_device_info device;
    size_t device_index;
    tune_link link; /* to the worker that measures */
    progress worker;
    tune_ahead ahead;
    tune_verdicts verdicts;
    tune_pace pace;
    uint64_t opened_ns;
    char broken[256];
};

/* ---- Waiting ---- */

/* The devices's processor compiles, too. */
static bool ahead_disturbs(const tune_live *live)
{
    return live->device.device_class == CLSCAN_DEVICE_CLASS_CPU;
}

static void wait_for_something(tune_live *live, bool link_too)
{
    tune_process *list[1 + TUNE_MAX_AHEAD];
    uint64_t deadline_ns = UINT64_MAX;
    size_t count = 0;

    if (link_too) {
        list[count++] = &live->link.process;
        deadline_ns = live->link.deadline_ns;
    }
    count = tune_ahead_wait_list(&live->ahead, list, count, &deadline_ns);
    if (count > 0)
        tune_process_wait(list, count, deadline_ns);
}

/* Until the worker answers or fails; meanwhile others compile ahead. */
static tune_reply await(tune_live *live, bool may_compile, tune_answer *answer, char *reason)
{
    for (;;) {
        const tune_reply reply = tune_link_poll(&live->link, answer, reason);

        if (reply != TUNE_REPLY_PENDING)
            return reply;
        tune_ahead_step(&live->ahead, may_compile);
        wait_for_something(live, true);
    }
}

static bool any_ahead(const tune_live *live)
{
    for (size_t i = 0; i < live->ahead.worker_count; ++i)
        if (live->ahead.current[i] != NULL)
            return true;
    return false;
}

/* Before measuring on a CPU: let those that compile come to their end. They are not stopped where they are, since they
 * may hold a lock of the driver's cache. */
static void quiet(tune_live *live)
{
    while (any_ahead(live)) {
        wait_for_something(live, false);
        tune_ahead_step(&live->ahead, false);
    }
}

/* ---- Starting workers ---- */

static void break_off(tune_live *live, const char *format, ...) TUNE_PRINTF(2, 3);

static void break_off(tune_live *live, const char *format, ...)
{
    va_list arguments;

    tune_link_stop(&live->link);
    va_start(arguments, format);
    vsnprintf(live->broken, sizeof live->broken, format, arguments);
    va_end(arguments);
}

/* Ask a request about no trial. */
static bool ask_device(tune_live *live, tune_request_kind kind, tune_answer *answer, char *reason)
{
    tune_request request = {.kind = kind};
    tune_reply reply;

    tune_link_ask(&live->link, &request, live->options.deadline_ms[kind]);
    reply = await(live, false, answer, reason);
    if (reply == TUNE_REPLY_ANSWER && answer->trial.outcome == TUNE_OUTCOME_CORRECT)
        return true;
    if (reply == TUNE_REPLY_ANSWER) {
        snprintf(reason, sizeof answer->trial.reason, "%s", answer->trial.reason);
        free(answer->devices);
        tune_link_stop(&live->link);
    }
    return false;
}

/* Does a new worker see the device that this one is? */
static bool is_same_device(const clscan_device_info *a, const clscan_device_info *b)
{
    return strcmp(a->key, b->key) == 0 && strcmp(a->name, b->name) == 0 &&
           strcmp(a->driver_version, b->driver_version) == 0 && strcmp(a->platform_name, b->platform_name) == 0;
}

/* A new worker, that has found the device, and, if `probed`, has run a scan on it. */
static bool start_worker(tune_live *live, bool probed, char *reason)
{
    tune_answer answer = {0};
    bool same;

    tune_link_stop(&live->link);
    live->worker = (progress){0};
    if (!ask_device(live, TUNE_REQUEST_DESCRIBE, &answer, reason))
        return false;
    same = answer.device_count > 0 && is_same_device(&answer.devices[answer.chosen], &live->device);
    free(answer.devices);
    if (!same) {
        tune_link_stop(&live->link);
        snprintf(reason, sizeof live->broken, "another device stands where %.100s was", live->device.name);
        return false;
    }
    return !probed || ask_device(live, TUNE_REQUEST_PROBE, &answer, reason);
}

/* After a hang a device may need a while. */
static void recover(tune_live *live, bool probed)
{
    char reason[256] = "";

    for (unsigned attempt = 0; attempt < live->options.probes; ++attempt) {
        if (attempt > 0) {
            const uint64_t pause_ms = (uint64_t)live->options.probe_pause_ms << (attempt - 1);
            const struct timespec pause = {.tv_sec = (time_t)(pause_ms / 1000),
                                           .tv_nsec = (long)(pause_ms % 1000 * NS_PER_MS)};

            nanosleep(&pause, NULL);
        }
        if (start_worker(live, probed || attempt > 0, reason))
            return;
    }
    break_off(live, "the device does not come back after %u attempts: %.180s", live->options.probes, reason);
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

/* What a worker found out, added to what is known from the steps before. */
static void merge(tune_trial *trial, const tune_trial *found)
{
    const tune_trial known = *trial;

    *trial = *found;
    trial->target = known.target;
    trial->variant = known.variant;
    trial->count = known.count;
#define KEEP(field)        \
    if (found->field == 0) \
        trial->field = known.field;
    KEEP(compile_ns)
    KEEP(validate_ns)
    KEEP(kernel_work_group_size)
    KEEP(local_bytes)
    KEEP(private_bytes)
#undef KEEP
    if (found->revision[0] == '\0')
        memcpy(trial->revision, known.revision, sizeof trial->revision);
}

/* One request about the trial; its outcome, and true if that is `correct`. A worker that failed is replaced, also one
 * that found a wrong answer: what it has on the device may be damaged. */
static bool step(tune_live *live, tune_request_kind kind, tune_trial *trial, unsigned runs)
{
    const bool is_quiet = ahead_disturbs(live) && kind != TUNE_REQUEST_COMPILE && kind != TUNE_REQUEST_VALIDATE;
    const uint32_t deadline_ms = tune_pace_deadline(&live->pace, kind, trial, live->options.deadline_ms[kind]);
    tune_request request = {.kind = kind, .about = *trial, .runs = runs, .limit_ms = deadline_ms / 3};
    tune_answer answer = {0};
    char reason[256];
    tune_reply reply;
    uint64_t begin;

    if (is_quiet)
        quiet(live);
    begin = measure_now();
    tune_link_ask(&live->link, &request, deadline_ms);
    reply = await(live, !is_quiet, &answer, reason);
    if (reply != TUNE_REPLY_ANSWER) {
        (void)tune_settle(trial, outcome_of(reply, kind), "%s", reason);
        recover(live, true);
        return false;
    }
    merge(trial, &answer.trial);
    free(answer.devices);
    if (trial->outcome == TUNE_OUTCOME_CORRECT)
        tune_pace_note(&live->pace, kind, trial, measure_now() - begin);
    else if (trial->outcome != TUNE_OUTCOME_CONSTRAINTS && trial->outcome != TUNE_OUTCOME_COMPILE)
        recover(live, true);
    return trial->outcome == TUNE_OUTCOME_CORRECT;
}

static bool same_candidate(const tune_trial *a, const tune_trial *b)
{
    return a->target.type == b->target.type && a->target.op == b->target.op &&
           memcmp(&a->variant, &b->variant, sizeof a->variant) == 0;
}

/* If another worker is compiling the candidate, it is there sooner than a second time. */
static void let_ahead_finish(tune_live *live, const tune_trial *trial)
{
    while (tune_ahead_claims(&live->ahead, &trial->target, &trial->variant)) {
        wait_for_something(live, false);
        tune_ahead_step(&live->ahead, true);
    }
}

/* From which count on a failed preparation is to be expected again. What memory ran out for may go well with less. */
static uint64_t least_failing_count(const tune_trial *trial)
{
    return trial->outcome == TUNE_OUTCOME_RUNTIME ? trial->count : 0;
}

/* Compile, and validate unless that was done by a worker before. */
static bool prepare(tune_live *live, tune_trial *trial)
{
    const bool is_compiled = live->worker.compiled.count > 0 && same_candidate(&live->worker.compiled, trial);

    if (is_compiled && live->worker.compiled.count >= trial->count)
        return true;
    live->worker.compiled = (tune_trial){0};
    let_ahead_finish(live, trial);
    if (!step(live, TUNE_REQUEST_COMPILE, trial, 0) ||
        (!tune_verdicts_is_valid(&live->verdicts, trial) && !step(live, TUNE_REQUEST_VALIDATE, trial, 0))) {
        tune_verdicts_add(&live->verdicts, trial, least_failing_count(trial));
        return false;
    }
    tune_verdicts_set_valid(&live->verdicts, trial);
    live->worker.compiled = *trial;
    return true;
}

static bool load(tune_live *live, tune_trial *trial)
{
    const tune_trial *loaded = &live->worker.loaded;

    if (loaded->count >= trial->count && loaded->target.type == trial->target.type &&
        loaded->target.op == trial->target.op)
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
    if (live->broken[0] == '\0' && !tune_link_alive(&live->link))
        recover(live, false); /* ended between two trials, which is not this one's fault */
    if (live->broken[0] != '\0')
        return tune_settle(trial, TUNE_OUTCOME_RUNTIME, "%s", live->broken);
    return prepare(live, trial) && load(live, trial);
}

/* ---- The evaluator ---- */

static void live_evaluate(void *self, tune_trial *trial)
{
    tune_live *live = self;

    if (tune_verdicts_find(&live->verdicts, trial) || !make_ready(live, trial))
        return;
    if (step(live, TUNE_REQUEST_MEASURE, trial, 0))
        (void)tune_timer_check(trial);
    else if (trial->outcome == TUNE_OUTCOME_CORRECTNESS)
        tune_verdicts_add(&live->verdicts, trial, 0);
    else if (trial->outcome == TUNE_OUTCOME_TIMEOUT)
        tune_verdicts_add(&live->verdicts, trial, trial->count);
}

static void live_announce(void *self, const tune_target *target, const clscan_variant *variants, size_t count)
{
    tune_live *live = self;

    tune_ahead_announce(&live->ahead, target, variants, count);
}

static void live_soak(void *self, tune_trial *trial, unsigned runs)
{
    tune_live *live = self;
    tune_trial soaked = {.target = trial->target, .variant = trial->variant, .count = trial->count};

    if (!tune_verdicts_find(&live->verdicts, &soaked) && make_ready(live, &soaked) &&
        !step(live, TUNE_REQUEST_SOAK, &soaked, runs))
        tune_verdicts_add(&live->verdicts, &soaked, 0);
    trial->outcome = soaked.outcome;
    memcpy(trial->reason, soaked.reason, sizeof trial->reason);
}

static double live_elapsed_s(void *self)
{
    const tune_live *live = self;

    return (double)(measure_now() - live->opened_ns) * 1e-9;
}

static const char *live_broken(void *self)
{
    const tune_live *live = self;

    return live->broken;
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

/* ---- Opening ---- */

static void fill_in(tune_live_options *options)
{
    static const uint32_t deadlines_ms[] = {
#define X(name, text, deadline_ms, meaning) deadline_ms,
        TUNE_REQUEST_LIST(X)
#undef X
    };
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);

    if (options->command == NULL)
        options->command = own_command;
    if (options->ahead == TUNE_AHEAD_AUTO)
        options->ahead = cores - 1 < AUTO_AHEAD_MOST ? (int)cores - 1 : AUTO_AHEAD_MOST;
    if (options->ahead < 0)
        options->ahead = 0;
    if (options->ahead > TUNE_MAX_AHEAD)
        options->ahead = TUNE_MAX_AHEAD;
    if (options->probes == 0)
        options->probes = DEFAULT_PROBES;
    if (options->probe_pause_ms == 0)
        options->probe_pause_ms = DEFAULT_PROBE_PAUSE_MS;
    for (int kind = 0; kind < TUNE_REQUEST_COUNT; ++kind)
        if (options->deadline_ms[kind] == 0)
            options->deadline_ms[kind] = deadlines_ms[kind];
}

clscan_status tune_live_list(const tune_live_options *options, clscan_device_info **devices, size_t *count,
                             size_t *chosen, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_live live = {.options = *options};
    tune_answer answer = {0};
    char reason[256] = "";

    fill_in(&live.options);
    live.link = (tune_link){.command = live.options.command, .selector = options->device};
    TUNE_REQUIRE(ask_device(&live, TUNE_REQUEST_DESCRIBE, &answer, reason) && answer.device_count > 0,
                 CLSCAN_ERROR_NO_DEVICE, "%s", reason[0] != '\0' ? reason : "there is no device");
    *devices = answer.devices;
    *count = answer.device_count;
    *chosen = answer.chosen;

cleanup:
    tune_link_stop(&live.link);
    return status;
}

static clscan_status copy_command(tune_live *live, clscan_error *error)
{
    const char *const *words = live->options.command;
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; words[i] != NULL && i < TUNE_MAX_WORDS; ++i) {
        live->command[i] = strdup(words[i]);
        TUNE_REQUIRE(live->command[i] != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a worker's command");
    }
    live->options.command = (const char *const *)live->command;

cleanup:
    return status;
}

clscan_status tune_live_open(const tune_live_options *options, tune_live **live, clscan_error *error)
{
    clscan_status status;
    tune_live *made = calloc(1, sizeof *made);
    clscan_device_info *devices = NULL;
    size_t count;

    TUNE_REQUIRE(made != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the supervisor of workers");
    made->options = *options;
    made->opened_ns = measure_now();
    fill_in(&made->options);
    TUNE_TRY(tune_live_list(&made->options, &devices, &count, &made->device_index, error));
    made->device = devices[made->device_index];
    snprintf(made->selector, sizeof made->selector, "%zu", made->device_index); /* a name may fit another one later */
    TUNE_TRY(copy_command(made, error));
    made->link = (tune_link){.command = made->options.command, .selector = made->selector};
    made->ahead.worker_count = (size_t)made->options.ahead;
    made->ahead.deadline_ms = made->options.deadline_ms[TUNE_REQUEST_COMPILE];
    for (size_t i = 0; i < made->ahead.worker_count; ++i)
        made->ahead.links[i] = made->link;
    recover(made, true);
    TUNE_REQUIRE(made->broken[0] == '\0', CLSCAN_ERROR_NO_DEVICE, "%s", made->broken);
    *live = made;
    made = NULL;

cleanup:
    free(devices);
    tune_live_close(made);
    return status;
}

void tune_live_close(tune_live *live)
{
    if (live == NULL)
        return;
    tune_ahead_close(&live->ahead);
    tune_link_stop(&live->link);
    tune_verdicts_free(&live->verdicts);
    tune_pace_free(&live->pace);
    for (size_t i = 0; i < TUNE_MAX_WORDS; ++i)
        free(live->command[i]);
    free(live);
}

const clscan_device_info *tune_live_device(const tune_live *live)
{
    return &live->device;
}

size_t tune_live_device_index(const tune_live *live)
{
    return live->device_index;
}

uint64_t tune_live_largest_count(const tune_live *live, clscan_type type)
{
    const uint64_t size = clscan_type_size_bytes(type);
    uint64_t count = 0;

    for (uint64_t step = UINT64_C(1) << 50; step > 0; step /= 2) {
        const measure_problem problem = {.type = type, .count = count + step, .bytes = (count + step) * size};
        measure_note note;

        if (measure_case_obstacle(&live->device, &problem, 1, &note) == NULL)
            count += step;
    }
    return count;
}
