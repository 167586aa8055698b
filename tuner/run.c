#include "run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "decide.h"
#include "entries.h"
#include "failure.h"
#include "live.h"
#include "lock.h"
#include "places.h"
#include "progress.h"
#include "report.h"
#include "t4.h"
#include "targets.h"

/* The part of a target's time that the search may take; the rest is for soaking the winners. */
#define SEARCH_SHARE 0.9

/* Winners of one target are tried early in the next one. */
#define MAX_HINTS 64

typedef struct run {
    const tune_settings *settings;
    const volatile sig_atomic_t *interrupted;
    tune_header header;
    const tune_strategy *strategy;
    tune_live *live;
    tune_evaluator evaluator;
    int lock; /* -1: not held */
    tune_journal *journal;
    char journal_path[TUNE_PATH_BYTES];
    char output[TUNE_PATH_BYTES];
    tune_entries made;
    clscan_variant hints[MAX_HINTS];
    size_t hint_count;
    tune_progress progress;
    double resumed_s; /* of the run when this process took it over */
    double elapsed_s; /* the same now */
} run;

/* ---- Before the first trial ---- */

/* A part of the budget, in milliseconds, between two limits. */
static uint32_t part_of_budget(double budget_s, double part, uint32_t least_ms, uint32_t most_ms)
{
    const double part_ms = budget_s * 1e3 * part;

    return part_ms < least_ms ? least_ms : part_ms > most_ms ? most_ms : (uint32_t)part_ms;
}

/* No single candidate may take a large part of the time that all have. */
static void set_deadlines(tune_live_options *options, double budget_s)
{
    options->deadline_ms[TUNE_REQUEST_COMPILE] = part_of_budget(budget_s, 0.2, 5000, 120000);
    options->deadline_ms[TUNE_REQUEST_VALIDATE] = part_of_budget(budget_s, 0.2, 5000, 120000);
    options->deadline_ms[TUNE_REQUEST_SOAK] = part_of_budget(budget_s, 0.05, 3000, 120000);
}

static clscan_status open_device(run *r, clscan_error *error)
{
    clscan_status status;
    const uint64_t compilers = r->settings->compilers;
    tune_live_options options = {.device = r->settings->device,
                                 .interrupted = r->interrupted,
                                 .ahead = compilers == TUNE_COMPILERS_AUTO ? TUNE_AHEAD_AUTO : (int)compilers};
    bool busy;

    set_deadlines(&options, r->settings->budget_s);
    TUNE_TRY(tune_live_open(&options, &r->live, error));
    r->evaluator = tune_live_evaluator(r->live);
    r->header.device = *tune_live_device(r->live);
    TUNE_TRY(tune_lock_take(r->header.device.key, tune_live_device_index(r->live), r->settings->wait, &busy, &r->lock,
                            error));

cleanup:
    return status;
}

/* The file that will be written, and whether that can work; better known now than in an hour. */
static clscan_status check_output(run *r, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_entries old = {0};
    char folder[TUNE_PATH_BYTES];

    if (r->settings->output != NULL)
        snprintf(r->output, sizeof r->output, "%s", r->settings->output);
    else
        TUNE_TRY(tune_place_config(r->header.device.key, r->output, error));
    if (access(r->output, F_OK) == 0)
        TUNE_TRY(tune_entries_read(r->output, &old, error)); /* its other entries will stay */
    tune_place_folder(r->output, folder);
    while (access(folder, F_OK) != 0 && errno == ENOENT && strcmp(folder, "/") != 0 && strcmp(folder, ".") != 0)
        tune_place_folder(folder, folder);
    TUNE_REQUIRE(access(folder, W_OK) == 0, CLSCAN_ERROR_FILE, "%s: %s: %s; choose another place with --output",
                 r->output, folder, strerror(errno));

cleanup:
    tune_entries_free(&old);
    return status;
}

static uint64_t seed_from_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return ((uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u) % 1000000000u + 1;
}

/* What a fresh run is. */
static clscan_status describe(run *r, clscan_error *error)
{
    const tune_settings *settings = r->settings;
    tune_header *header = &r->header;

    snprintf(header->clscan_version, sizeof header->clscan_version, "%s", clscan_version());
    snprintf(header->space, sizeof header->space, "%s", tune_space_name_text(settings->space));
    snprintf(header->strategy, sizeof header->strategy, "%s", settings->strategy->name);
    header->seed = settings->seed != 0 ? settings->seed : seed_from_clock();
    r->strategy = settings->strategy;
    if (settings->only != NULL &&
        (size_t)snprintf(header->only, sizeof header->only, "%s", settings->only) >= sizeof header->only)
        return tune_fail(error, CLSCAN_ERROR_INVALID_VALUE, "--only: longer than %zu characters",
                         sizeof header->only - 1);
    return tune_targets_make(settings, header, error);
}

static clscan_status start_journal(run *r, clscan_error *error)
{
    clscan_status status;

    if (r->settings->journal != NULL)
        snprintf(r->journal_path, sizeof r->journal_path, "%s", r->settings->journal);
    else
        TUNE_TRY(tune_place_new_journal(r->header.device.key, r->journal_path, error));
    TUNE_TRY(tune_journal_create(r->journal_path, &r->header, &r->journal, error));

cleanup:
    return status;
}

/* Everything but the device comes from the journal. */
static clscan_status resume_journal(run *r, clscan_error *error)
{
    clscan_status status;
    tune_header now = {0};

    if (r->settings->journal != NULL)
        snprintf(r->journal_path, sizeof r->journal_path, "%s", r->settings->journal);
    else
        TUNE_TRY(tune_place_newest_journal(r->header.device.key, r->journal_path, error));
    TUNE_TRY(tune_journal_resume(r->journal_path, &r->journal, error));
    TUNE_TRY(tune_header_copy(&now, tune_journal_about(r->journal), error));
    now.device = r->header.device;
    snprintf(now.clscan_version, sizeof now.clscan_version, "%s", clscan_version());
    TUNE_TRY(tune_header_matches(tune_journal_about(r->journal), &now, error));
    r->strategy = tune_strategy_find(now.strategy);
    TUNE_REQUIRE(r->strategy != NULL, CLSCAN_ERROR_INVALID_VALUE, "%s: '%s' is no strategy of this version",
                 r->journal_path, now.strategy);
    r->resumed_s = tune_journal_resumed_s(r->journal);
    r->elapsed_s = r->resumed_s;
    tune_header_free(&r->header);
    r->header = now;
    memset(&now, 0, sizeof now);

cleanup:
    tune_header_free(&now);
    return status;
}

/* ---- Results ---- */

static void describe_provenance(const run *r, tune_provenance *provenance)
{
    const time_t now = time(NULL);
    struct tm parts;

    snprintf(provenance->origin, sizeof provenance->origin, "tuned");
    strftime(provenance->date, sizeof provenance->date, "%Y-%m-%d", gmtime_r(&now, &parts));
    snprintf(provenance->device, sizeof provenance->device, "%s", r->header.device.name);
    snprintf(provenance->driver, sizeof provenance->driver, "%s", r->header.device.driver_version);
    snprintf(provenance->platform, sizeof provenance->platform, "%s", r->header.device.platform_name);
    snprintf(provenance->clscan_version, sizeof provenance->clscan_version, "%s", r->header.clscan_version);
    snprintf(provenance->journal, sizeof provenance->journal, "%s", tune_place_name(r->journal_path));
}

/* Copy speed and noise are those of the target that shows the worst noise and the fastest copy. */
static void note_measurement(tune_provenance *provenance, const tune_decision *decision)
{
    for (size_t i = 0; i < decision->count; ++i) {
        const tune_trial *trial = decision->picks[i].chosen;
        double gb_per_s;

        if (trial == NULL || trial->copy_ns <= 0.0)
            continue;
        gb_per_s = 2.0 * (double)trial->count * trial->target.element_size_bytes / trial->copy_ns;
        if (gb_per_s > provenance->copy_gb_per_s)
            provenance->copy_gb_per_s = gb_per_s;
    }
    if (decision->noise_floor * 100.0 > provenance->noise_percent)
        provenance->noise_percent = decision->noise_floor * 100.0;
}

/* Write what is known so far, beside what the file has on other problems. */
static clscan_status write_config(run *r, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_entries all = {0}, old = {0};

    if (r->made.count == 0)
        return CLSCAN_OK;
    all.provenance = r->made.provenance;
    snprintf(all.match, sizeof all.match, "%s", r->header.device.key);
    for (size_t i = 0; i < r->made.count; ++i)
        TUNE_TRY(tune_entries_add(&all, &r->made.items[i], error));
    if (access(r->output, F_OK) == 0) {
        TUNE_TRY(tune_entries_read(r->output, &old, error));
        TUNE_TRY(tune_entries_merge(&all, &old, error));
    }
    TUNE_TRY(tune_entries_write(r->output, &all, error));

cleanup:
    tune_entries_free(&all);
    tune_entries_free(&old);
    return status;
}

static void keep_hints(run *r, const tune_decision *decision)
{
    for (size_t i = 0; i < decision->count && r->hint_count < MAX_HINTS; ++i) {
        if (decision->picks[i].chosen != NULL)
            r->hints[r->hint_count++] = decision->picks[i].chosen->variant;
    }
}

/* ---- Targets ---- */

static clscan_status settle_target(run *r, tune_search *search, clscan_error *error)
{
    clscan_status status;
    tune_decision decision;
    const double drift = tune_copy_drift(search);

    tune_progress_clear(&r->progress);
    TUNE_TRY(tune_settle(search, (unsigned)r->settings->soak_runs, &decision, error));
    tune_report_decision(stdout, &decision);
    if (!r->settings->quick)
        tune_report_bests(stdout, search);
    if (drift > 2.0 * decision.noise_floor || drift < -2.0 * decision.noise_floor)
        printf("  the copy became %.1f %% %s meanwhile: the device's speed drifts\n",
               (drift > 0.0 ? drift : -drift) * 100.0, drift > 0.0 ? "slower" : "faster");
    printf("\n");
    fflush(stdout);
    TUNE_TRY(tune_decision_entries(&decision, &r->made, error));
    note_measurement(&r->made.provenance, &decision);
    keep_hints(r, &decision);
    TUNE_TRY(write_config(r, error));

cleanup:
    return status;
}

static clscan_status tune_target_at(run *r, size_t index, clscan_error *error)
{
    clscan_status status;
    const tune_header_target *target = &r->header.targets[index];
    const double share_s = (r->settings->budget_s - r->elapsed_s) / (double)(r->header.target_count - index);
    tune_space space = {0};
    tune_space_name space_name = TUNE_SPACE_DEFAULT;
    tune_search *search = NULL;
    tune_search_setup setup = {.target = target->target,
                               .space = &space,
                               .counts = target->counts,
                               .count_count = target->count_count,
                               .defaults = target->defaults,
                               .hints = r->hints,
                               .hint_count = r->hint_count,
                               .evaluator = &r->evaluator,
                               .journal = r->journal,
                               .seed = r->header.seed,
                               .deadline_s = r->elapsed_s + (share_s > 0.0 ? share_s * SEARCH_SHARE : 1e-3),
                               .max_trials = r->settings->max_trials,
                               .start_s = r->elapsed_s,
                               .interrupted = r->interrupted,
                               .progress = tune_progress_trial,
                               .user = &r->progress};

    tune_space_name_from_text(r->header.space, &space_name);
    TUNE_TRY(tune_space_create(&space, space_name, r->header.only[0] != '\0' ? r->header.only : NULL,
                               target->target.type, &r->header.device, error));
    TUNE_TRY(tune_search_create(&setup, &search, error));
    tune_live_set_end(r->live, setup.deadline_s - r->resumed_s);
    tune_progress_target(&r->progress, &target->target, target->count_count, r->elapsed_s);
    TUNE_TRY(tune_search_run(search, r->strategy, error));
    TUNE_TRY(settle_target(r, search, error));
    r->elapsed_s = tune_search_elapsed_s(search);

cleanup:
    tune_search_destroy(search);
    tune_space_free(&space);
    return status;
}

static void report_end(const run *r)
{
    uint64_t outcomes[TUNE_OUTCOME_COUNT] = {0};
    const tune_memo *trials = tune_journal_trials(r->journal);

    for (size_t i = 0; i < trials->count; ++i)
        ++outcomes[trials->trials[i]->outcome];
    tune_report_outcomes(stdout, outcomes);
    if (r->made.count > 0)
        printf("written to %s\n", r->output);
    if (*r->interrupted)
        printf("interrupted; to go on: clscan-tune --resume --journal %s\n", r->journal_path);
}

static clscan_status tune_all(run *r, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    tune_progress_begin(&r->progress, stderr, r->header.target_count, r->settings->budget_s);
    describe_provenance(r, &r->made.provenance);
    for (size_t i = 0; i < r->header.target_count && !*r->interrupted; ++i)
        TUNE_TRY(tune_target_at(r, i, error));
    report_end(r);

cleanup:
    tune_progress_clear(&r->progress);
    if (status != CLSCAN_OK)
        fprintf(stderr, "what was measured is in %s; 'clscan-tune --resume --journal' goes on with it\n",
                r->journal_path);
    return status;
}

/* What --dry-run says needs the device's description, and neither its lock nor a journal. */
static clscan_status say_plan(run *r, clscan_error *error)
{
    clscan_status status;
    const tune_live_options options = {.device = r->settings->device};
    clscan_device_info *devices = NULL;
    size_t count, chosen;

    TUNE_TRY(tune_live_list(&options, &devices, &count, &chosen, error));
    tune_report_devices(stdout, devices, count, chosen);
    printf("\n");
    r->header.device = devices[chosen];
    TUNE_TRY(check_output(r, error));
    TUNE_TRY(describe(r, error));
    TUNE_TRY(tune_report_plan(stdout, r->settings, &r->header, r->output, r->settings->journal, error));

cleanup:
    free(devices);
    return status;
}

clscan_status tune_run(const tune_settings *settings, const volatile sig_atomic_t *interrupted, clscan_error *error)
{
    clscan_status status;
    run r = {.settings = settings, .interrupted = interrupted, .lock = -1};

    if (settings->dry_run) {
        status = say_plan(&r, error);
        goto cleanup;
    }
    TUNE_TRY(open_device(&r, error));
    TUNE_TRY(check_output(&r, error));
    if (settings->resume) {
        TUNE_TRY(resume_journal(&r, error));
    } else {
        TUNE_TRY(describe(&r, error));
        TUNE_TRY(start_journal(&r, error));
    }
    TUNE_TRY(tune_report_plan(stdout, settings, &r.header, r.output, r.journal_path, error));
    printf("\n");
    fflush(stdout);
    TUNE_TRY(tune_all(&r, error));
    if (settings->t4 != NULL)
        TUNE_TRY(tune_t4_write(settings->t4, &r.header, tune_journal_trials(r.journal), error));

cleanup:
    tune_entries_free(&r.made);
    if (r.journal != NULL)
        tune_journal_close(r.journal);
    if (r.live != NULL)
        tune_live_close(r.live);
    if (r.lock >= 0)
        tune_lock_release(r.lock);
    tune_header_free(&r.header);
    return status;
}
