#include "command/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command/go_on.h"
#include "command/run_state.h"
#include "command/targets.h"
#include "command/turn.h"
#include "command_line/failure.h"
#include "common/printable.h"
#include "files/lock.h"
#include "files/save.h"
#include "measure/device.h"
#include "record/t4.h"

/* ---- Before the first trial: the device, what is tuned, the journal ---- */

static clscan_status find_device(tune_run_state *r, clscan_error *error)
{
    clscan_status status;
    const tune_live_options options = {.device = r->settings->device};
    clscan_device_info *devices = NULL;
    size_t count;

    TRY(tune_live_list(&options, &devices, &count, &r->device_index, error));
    if (count > 1) {
        tune_report_devices(stdout, devices, count, r->device_index);
        printf("\n");
    }
    r->header.device = devices[r->device_index];

cleanup:
    free(devices);
    return status;
}

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
    options->deadline_ms[TUNE_REQUEST_MEASURE] = part_of_budget(budget_s, 0.2, 2000, 30000);
    options->deadline_ms[TUNE_REQUEST_SOAK] = part_of_budget(budget_s, 0.05, 3000, 120000);
}

static clscan_status open_device(tune_run_state *r, clscan_error *error)
{
    clscan_status status;
    const uint64_t compilers = r->settings->compilers;
    tune_live_options options = {.device = r->settings->device,
                                 .interrupted = r->interrupted,
                                 .ahead = compilers == TUNE_COMPILERS_AUTO ? TUNE_AHEAD_AUTO : (int)compilers};

    set_deadlines(&options, r->settings->budget_s);
    TRY(tune_live_open(&options, &r->live, error));
    r->evaluator = tune_live_evaluator(r->live);

cleanup:
    return status;
}

static uint64_t seed_from_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return ((uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u) % 1000000000u + 1;
}

static clscan_status describe(tune_run_state *r, clscan_error *error)
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
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--only: longer than %zu characters", sizeof header->only - 1);
    return tune_targets_make(settings, header, error);
}

/* Count the space of a target; it is an error if nothing is in it. */
static clscan_status count_space(const tune_run_state *r, const tune_target *target, tune_census *census,
                                 clscan_error *error)
{
    clscan_status status;
    const char *only = r->settings->only;
    tune_space space = {0};
    clscan_error why = {0};

    status = tune_space_create(&space, r->settings->space, only, target, &r->header.device, &why);
    REQUIRE(status == CLSCAN_OK, status, "%s%s", only != NULL ? "--only: " : "", why.message);
    tune_space_census(&space, census);
    REQUIRE(census->legal > 0, CLSCAN_ERROR_INVALID_VALUE,
            "%s %s: no point of this space can run for %s; most break the rule %s", only != NULL ? "--only" : "--space",
            only != NULL ? only : tune_space_name_text(r->settings->space), tune_target_type_name(target),
            census->illegal[0].predicate);

cleanup:
    tune_space_free(&space);
    return status;
}

static clscan_status check_spaces(const tune_run_state *r, bool told, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < r->header.target_count; ++i) {
        const tune_target *target = &r->header.targets[i].target;
        tune_census census;

        TRY(count_space(r, target, &census, error));
        if (told)
            tune_report_space(stdout, target, &census);
    }

cleanup:
    return status;
}

static clscan_status start_journal(tune_run_state *r, clscan_error *error)
{
    clscan_status status;

    if (r->settings->journal != NULL)
        snprintf(r->journal_path, sizeof r->journal_path, "%s", r->settings->journal);
    else
        TRY(tune_place_new_journal(r->header.device.key, r->journal_path, error));
    TRY(tune_journal_create(r->journal_path, &r->header, &r->journal, error));

cleanup:
    return status;
}

static clscan_status resume_journal(tune_run_state *r, clscan_error *error)
{
    clscan_status status;
    tune_header now = {0};
    clscan_error why = {0};

    if (r->settings->journal != NULL)
        snprintf(r->journal_path, sizeof r->journal_path, "%s", r->settings->journal);
    else
        TRY(tune_place_newest_journal(r->header.device.key, r->journal_path, error));
    TRY(tune_journal_resume(r->journal_path, &r->journal, error));
    TRY(tune_header_copy(&now, tune_journal_about(r->journal), error));
    now.device = r->header.device;
    snprintf(now.clscan_version, sizeof now.clscan_version, "%s", clscan_version());
    REQUIRE(tune_header_matches(tune_journal_about(r->journal), &now, &why) == CLSCAN_OK, CLSCAN_ERROR_FILE,
            "%s: %s; start afresh, without --resume", r->journal_path, why.message);
    r->strategy = tune_strategy_find(now.strategy);
    REQUIRE(r->strategy != NULL, CLSCAN_ERROR_INVALID_VALUE, "%s: '%s' is no strategy of this version", r->journal_path,
            now.strategy);
    r->resumed_s = tune_journal_resumed_s(r->journal);
    r->elapsed_s = r->resumed_s;
    tune_header_free(&r->header);
    r->header = now;
    memset(&now, 0, sizeof now);

cleanup:
    tune_header_free(&now);
    return status;
}

/* ---- The run ---- */

/* A CPU that is measured is a CPU that others should leave alone. The workers have ended by now, so that what they
 * spent is known. */
static void report_busy(const tune_run_state *r)
{
    tune_busy now;
    char text[256];

    if (r->header.device.device_class == CLSCAN_DEVICE_CLASS_CPU && r->busy.cores > 0 && tune_busy_now(&now) &&
        tune_busy_between(&r->busy, &now, text, sizeof text))
        printf("busy: %s\n", text);
}

static void report_end(const tune_run_state *r)
{
    const char *advice = measure_device_advice(&r->header.device);
    char path[SHOWN_PATH_BYTES];

    tune_report_outcomes(stdout, tune_journal_trials(r->journal));
    report_busy(r);
    if (advice != NULL)
        printf("note: %s\n", advice);
    tune_report_gains(stdout, &r->gains);
    if (r->results.made.entry_count > 0)
        printf("written to %s\n", clscan__printable(r->results.path, path, sizeof path));
    if (*r->interrupted) {
        printf("interrupted; to go on:\n  ");
        tune_go_on_print(stdout, r->settings, r->journal_path);
    }
    fflush(stdout);
}

static clscan_status tune_all(tune_run_state *r, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (!tune_busy_now(&r->busy))
        r->busy.cores = 0;
    tune_progress_begin(&r->progress, stderr, r->header.target_count, r->settings->budget_s);
    TRY(tune_results_describe(&r->results, &r->header, r->journal_path, error));
    for (size_t i = 0; i < r->header.target_count && !*r->interrupted; ++i)
        TRY(tune_run_target(r, i, error));
    tune_live_close(r->live);
    r->live = NULL;
    report_end(r);

cleanup:
    tune_progress_clear(&r->progress);
    if (status != CLSCAN_OK) {
        fprintf(stderr,
                "What was measured is kept. When the cause below is gone, or with another --output, go on:\n  ");
        tune_go_on_print(stderr, r->settings, r->journal_path);
    }
    return status;
}

static clscan_status write_t4(const tune_run_state *r, clscan_error *error)
{
    clscan_error why = {0};
    const clscan_status status = tune_t4_write(r->settings->t4, &r->header, tune_journal_trials(r->journal), &why);

    if (status == CLSCAN_OK)
        return CLSCAN_OK;
    return fail(error, status, "%s; the journal gives it, too: clscan-tune --replay %s --t4 FILE", why.message,
                r->journal_path);
}

/* From here on something is written. First what would be a pity to find out at the end. */
static clscan_status go(tune_run_state *r, clscan_error *error)
{
    clscan_status status;
    const tune_settings *settings = r->settings;

    TRY(tune_save_try(r->results.path, "--output", error));
    if (settings->t4 != NULL)
        TRY(tune_save_try(settings->t4, "--t4", error));
    TRY(tune_turn_take(settings, &r->header.device, r->device_index, &r->lock, error));
    TRY(open_device(r, error));
    TRY(settings->resume ? resume_journal(r, error) : start_journal(r, error));
    tune_report_plan(stdout, settings, &r->header, r->results.path, r->journal_path);
    printf("\n");
    fflush(stdout);
    TRY(tune_all(r, error));
    if (settings->t4 != NULL)
        TRY(write_t4(r, error));

cleanup:
    return status;
}

clscan_status tune_run(const tune_settings *settings, const volatile sig_atomic_t *interrupted, clscan_error *error)
{
    clscan_status status;
    tune_run_state r = {.settings = settings, .interrupted = interrupted, .lock = -1};

    TRY(find_device(&r, error));
    TRY(tune_results_open(&r.results, settings->output, &r.header.device, error));
    if (!settings->resume) {
        TRY(describe(&r, error));
        if (settings->dry_run)
            tune_report_plan(stdout, settings, &r.header, r.results.path, settings->journal);
        TRY(check_spaces(&r, settings->dry_run, error));
    }
    if (!settings->dry_run)
        TRY(go(&r, error));

cleanup:
    tune_results_free(&r.results);
    tune_hints_free(&r.winners);
    if (r.journal != NULL)
        tune_journal_close(r.journal);
    if (r.live != NULL)
        tune_live_close(r.live);
    if (r.lock >= 0)
        tune_lock_release(r.lock);
    tune_header_free(&r.header);
    return status;
}
