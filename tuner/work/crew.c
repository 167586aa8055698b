#include "work/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command_line/failure.h"
#include "common/clock.h"

#define NS_PER_MS UINT64_C(1000000)
#define DEFAULT_PROBES 6
#define DEFAULT_PROBE_PAUSE_MS 500
#define AUTO_AHEAD_MOST 8

/* Others wait for these before they measure on a CPU. */
#define AHEAD_DEADLINE_MS 20000

static const char *const own_command[] = {"/proc/self/exe", "--worker", NULL};

/* ---- Waiting ---- */

/* What compiles runs on the device itself. */
static bool ahead_disturbs(const tune_crew *crew)
{
    return crew->device.device_class == CLSCAN_DEVICE_CLASS_CPU;
}

static void wait_for_something(tune_crew *crew, bool link_too)
{
    tune_process *list[1 + TUNE_MAX_AHEAD];
    _Static_assert(sizeof list / sizeof list[0] <= TUNE_MAX_WAITED, "all workers are waited for at once");
    uint64_t deadline_ns = UINT64_MAX;
    size_t count = 0;

    if (link_too) {
        list[count++] = &crew->link.process;
        deadline_ns = crew->link.deadline_ns;
    }
    count = tune_ahead_wait_list(&crew->ahead, list, count, &deadline_ns);
    if (count > 0)
        tune_process_wait(list, count, deadline_ns);
}

/* Must a request about a trial end before its deadline? */
static bool is_over(const tune_crew *crew, const char **why)
{
    if (!crew->may_cut)
        return false;
    if (crew->options.interrupted != NULL && *crew->options.interrupted != 0)
        *why = "interrupted";
    else if (crew->end_ns != 0 && clscan__now_ns() >= crew->end_ns)
        *why = "cut off, the time for the search is over";
    else
        return false;
    return true;
}

static bool any_ahead(const tune_crew *crew)
{
    for (size_t i = 0; i < crew->ahead.worker_count; ++i)
        if (crew->ahead.current[i] != NULL)
            return true;
    return false;
}

/* Before measuring on a CPU: let those that compile come to their end. They are not stopped where they are, since they
 * may hold a lock of the driver's cache. */
static void quiet(tune_crew *crew)
{
    const char *why;

    while (any_ahead(crew) && !is_over(crew, &why)) {
        wait_for_something(crew, false);
        tune_ahead_step(&crew->ahead, false);
    }
}

static bool is_disturbed(const tune_crew *crew, tune_request_kind kind)
{
    return ahead_disturbs(crew) && (kind == TUNE_REQUEST_MEASURE || kind == TUNE_REQUEST_SOAK);
}

tune_reply tune_crew_ask(tune_crew *crew, tune_request *request, uint32_t deadline_ms, tune_answer *answer,
                         char reason[TUNE_REASON_BYTES])
{
    const bool alone = is_disturbed(crew, request->kind);
    const char *why;

    crew->cut_off = false;
    if (alone)
        quiet(crew);
    tune_link_ask(&crew->link, request, deadline_ms);
    for (;;) {
        const tune_reply reply = tune_link_poll(&crew->link, answer, reason);

        if (reply != TUNE_REPLY_PENDING)
            return reply;
        if (is_over(crew, &why)) {
            tune_write_reason(reason, "%s: %s", tune_request_name(request->kind), why);
            tune_link_stop(&crew->link);
            crew->cut_off = true;
            return TUNE_REPLY_TIMEOUT;
        }
        tune_ahead_step(&crew->ahead, !alone);
        wait_for_something(crew, true);
    }
}

void tune_crew_let_ahead_finish(tune_crew *crew, const tune_trial *trial)
{
    const char *why;

    while (tune_ahead_claims(&crew->ahead, &trial->target, &trial->variant) && !is_over(crew, &why)) {
        wait_for_something(crew, false);
        tune_ahead_step(&crew->ahead, true);
    }
}

/* ---- Starting workers ---- */

/* Ask a request about no trial. */
static bool ask_device(tune_crew *crew, tune_request_kind kind, tune_answer *answer, char *reason)
{
    tune_request request = {.kind = kind};
    tune_reply reply;

    reply = tune_crew_ask(crew, &request, crew->options.deadline_ms[kind], answer, reason);
    if (reply == TUNE_REPLY_ANSWER && answer->trial.outcome == TUNE_OUTCOME_CORRECT)
        return true;
    if (reply == TUNE_REPLY_ANSWER) {
        tune_write_reason(reason, "%s", answer->trial.reason);
        free(answer->devices);
        tune_link_stop(&crew->link);
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
static bool start_worker(tune_crew *crew, bool probed, char *reason)
{
    tune_answer answer = {0};
    bool same;

    tune_link_stop(&crew->link);
    ++crew->generation;
    if (!ask_device(crew, TUNE_REQUEST_DESCRIBE, &answer, reason))
        return false;
    same = answer.device_count > 0 && is_same_device(&answer.devices[answer.chosen], &crew->device);
    free(answer.devices);
    if (!same) {
        tune_link_stop(&crew->link);
        tune_write_reason(reason, "another device stands where %.100s was", crew->device.name);
        return false;
    }
    return !probed || ask_device(crew, TUNE_REQUEST_PROBE, &answer, reason);
}

bool tune_crew_alive(tune_crew *crew)
{
    return tune_link_alive(&crew->link);
}

void tune_crew_recover(tune_crew *crew, bool probed)
{
    const bool may_cut = crew->may_cut;
    char reason[TUNE_REASON_BYTES] = "";

    crew->may_cut = false;
    for (unsigned attempt = 0; attempt < crew->options.probes; ++attempt) {
        if (attempt > 0) {
            const uint64_t pause_ms = (uint64_t)crew->options.probe_pause_ms << (attempt - 1);
            const struct timespec pause = {.tv_sec = (time_t)(pause_ms / 1000),
                                           .tv_nsec = (long)(pause_ms % 1000 * NS_PER_MS)};

            nanosleep(&pause, NULL);
        }
        if (start_worker(crew, probed || attempt > 0, reason)) {
            crew->may_cut = may_cut;
            return;
        }
    }
    tune_link_stop(&crew->link);
    tune_write_reason(crew->broken, "the device does not come back after %u attempts: %s", crew->options.probes,
                      reason);
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

clscan_status tune_crew_list(const tune_live_options *options, clscan_device_info **devices, size_t *count,
                             size_t *chosen, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_crew crew = {.options = *options};
    tune_answer answer = {0};
    char reason[TUNE_REASON_BYTES] = "";

    fill_in(&crew.options);
    crew.link = (tune_link){.command = crew.options.command, .selector = options->device};
    REQUIRE(ask_device(&crew, TUNE_REQUEST_DESCRIBE, &answer, reason) && answer.device_count > 0,
            CLSCAN_ERROR_NO_DEVICE, "%s", reason[0] != '\0' ? reason : "there is no device");
    *devices = answer.devices;
    *count = answer.device_count;
    *chosen = answer.chosen;

cleanup:
    tune_link_stop(&crew.link);
    return status;
}

static clscan_status copy_command(tune_crew *crew, clscan_error *error)
{
    const char *const *words = crew->options.command;
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; words[i] != NULL && i < TUNE_MAX_WORDS; ++i) {
        crew->command[i] = strdup(words[i]);
        REQUIRE(crew->command[i] != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a worker's command");
    }
    crew->options.command = (const char *const *)crew->command;

cleanup:
    return status;
}

clscan_status tune_crew_open(tune_crew *crew, const tune_live_options *options, clscan_error *error)
{
    clscan_status status;
    clscan_device_info *devices = NULL;
    size_t count;

    *crew = (tune_crew){.options = *options};
    fill_in(&crew->options);
    TRY(tune_crew_list(&crew->options, &devices, &count, &crew->device_index, error));
    crew->device = devices[crew->device_index];
    snprintf(crew->selector, sizeof crew->selector, "%zu", crew->device_index); /* a name may fit another one later */
    TRY(copy_command(crew, error));
    crew->link = (tune_link){.command = crew->options.command, .selector = crew->selector};
    crew->ahead.worker_count = (size_t)crew->options.ahead;
    crew->ahead.deadline_ms = crew->options.deadline_ms[TUNE_REQUEST_COMPILE] < AHEAD_DEADLINE_MS
                                  ? crew->options.deadline_ms[TUNE_REQUEST_COMPILE]
                                  : AHEAD_DEADLINE_MS;
    crew->ahead.validates = ahead_disturbs(crew); /* drivers of CPUs, like PoCL, compile when a kernel first runs */
    for (size_t i = 0; i < crew->ahead.worker_count; ++i)
        crew->ahead.links[i] = crew->link;
    tune_crew_recover(crew, true);
    REQUIRE(crew->broken[0] == '\0', CLSCAN_ERROR_NO_DEVICE, "%s", crew->broken);

cleanup:
    free(devices);
    if (status != CLSCAN_OK)
        tune_crew_close(crew);
    return status;
}

void tune_crew_close(tune_crew *crew)
{
    tune_ahead_close(&crew->ahead);
    tune_link_stop(&crew->link);
    for (size_t i = 0; i < TUNE_MAX_WORDS; ++i)
        free(crew->command[i]);
    *crew = (tune_crew){0};
}
