#include "command/run.h"

#include <stdio.h>

#include "command/go_on.h"
#include "command/run_state.h"
#include "command/turn.h"
#include "command_line/failure.h"
#include "common/printable.h"
#include "files/lock.h"
#include "files/save.h"
#include "record/t4.h"

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
    char path[SHOWN_PATH_BYTES];

    tune_report_outcomes(stdout, tune_journal_trials(r->journal));
    report_busy(r);
    tune_report_gains(stdout, &r->gains);
    if (r->results.made.count > 0)
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
    tune_results_describe(&r->results, &r->header, r->journal_path);
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

    TRY(tune_save_try(r->results.path, error));
    if (settings->t4 != NULL)
        TRY(tune_save_try(settings->t4, error));
    TRY(tune_turn_take(settings, &r->header.device, r->device_index, &r->lock, error));
    TRY(tune_run_open_device(r, error));
    TRY(settings->resume ? tune_run_resume_journal(r, error) : tune_run_start_journal(r, error));
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

    TRY(tune_run_find_device(&r, error));
    TRY(tune_results_open(&r.results, settings->output, &r.header.device, error));
    if (!settings->resume) {
        TRY(tune_run_describe(&r, error));
        if (settings->dry_run)
            tune_report_plan(stdout, settings, &r.header, r.results.path, settings->journal);
        TRY(tune_run_check_spaces(&r, settings->dry_run, error));
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
