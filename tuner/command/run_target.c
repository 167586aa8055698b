/* One target of a tuning run. */
#include <stdio.h>
#include <string.h>

#include "command/run_state.h"
#include "command_line/failure.h"
#include "search/decide.h"

/* The parts of a target's time when the search ends, and the last comparison; the rest is for soaking the winners. */
#define SEARCH_SHARE 0.8
#define COMPARED_SHARE 0.95
/* A default that took so many times longer at one end of a search than at the other was not alone on the device. */
#define UNSTEADY_RATIO 1.15

static clscan_status keep_winners(tune_run_state *r, const tune_decision *decision, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < decision->count; ++i) {
        const tune_trial *chosen = decision->picks[i].chosen;

        if (chosen != NULL)
            TRY(tune_hints_add(&r->winners,
                               &(tune_hint){.variant = chosen->variant,
                                            .smallest_count = chosen->count,
                                            .largest_count = chosen->count,
                                            .close = true},
                               error));
    }

cleanup:
    return status;
}

/* Say if the measurements are not to be trusted. */
static void report_steadiness(const tune_search *search, const tune_decision *decision)
{
    const double drift = tune_copy_drift(search);
    uint64_t count;
    const double change = tune_default_change(search, &count);
    char text[TUNE_COUNT_TEXT_BYTES];

    if (drift > 2.0 * decision->noise_floor || drift < -2.0 * decision->noise_floor)
        printf("  the copy became %.1f %% %s meanwhile: the device's speed drifts\n",
               (drift > 0.0 ? drift : -drift) * 100.0, drift > 0.0 ? "slower" : "faster");
    if (change > UNSTEADY_RATIO)
        printf(
            "  busy: the times of the default at %s, early and late, differ by a factor of %.2f; tune when the device "
            "is idle\n",
            tune_count_text(count, text), change);
}

static void report_target(const tune_run_state *r, const tune_search *search, const tune_decision *decision)
{
    tune_report_decision(stdout, decision, tune_search_about(search)->counts);
    if (!r->settings->quick)
        tune_report_bests(stdout, search);
    report_steadiness(search, decision);
    if (!tune_decision_is_whole(decision))
        printf("  the config gets no entries of this kind, since not all sizes were measured\n");
    printf("\n");
    fflush(stdout);
}

/* Say which size classes stay as they were. */
static void report_kept(const tune_kept *kept)
{
    char count[TUNE_COUNT_TEXT_BYTES];

    if (kept->below[0] != '\0')
        printf("  up to %s, which was not measured, the config keeps what %s says\n",
               tune_count_text(kept->reach.first - 1, count), kept->below);
    if (kept->above[0] != '\0')
        printf("  above %s, which was not measured, the config keeps what %s says\n",
               tune_count_text(kept->reach.last, count), kept->above);
    if (kept->below[0] != '\0' || kept->above[0] != '\0')
        printf("\n");
    fflush(stdout);
}

static clscan_status settle_target(tune_run_state *r, const tune_header_target *target, tune_search *search,
                                   double end_s, clscan_error *error)
{
    clscan_status status;
    tune_header_target measured = *target;
    uint64_t counts[TUNE_MAX_COUNTS];
    tune_decision decision;
    tune_kept kept;

    tune_progress_soaking(&r->progress);
    tune_live_set_end(r->live, 0.0);
    TRY(tune_settle(search, (unsigned)r->settings->soak_runs, end_s, &decision, error));
    tune_progress_clear(&r->progress);
    report_target(r, search, &decision);
    TRY(keep_winners(r, &decision, error));
    if (tune_decision_is_whole(&decision)) {
        tune_gains_add(&r->gains, &decision);
        /* --quick may leave out some. */
        memcpy(counts, tune_search_about(search)->counts, decision.count * sizeof *counts);
        measured.counts = counts;
        measured.count_count = decision.count;
        TRY(tune_results_add(&r->results, &decision, &r->header.device, &measured, &kept, error));
        TRY(tune_results_write(&r->results, error));
        report_kept(&kept);
    }

cleanup:
    return status;
}

clscan_status tune_run_target(tune_run_state *r, size_t index, clscan_error *error)
{
    clscan_status status;
    const tune_header_target *target = &r->header.targets[index];
    const double share_s = (r->settings->budget_s - r->elapsed_s) / (double)(r->header.target_count - index);
    tune_space space = {0};
    tune_space_name space_name = TUNE_SPACE_DEFAULT;
    tune_hints hints = {.count = 0};
    tune_search *search = NULL;
    tune_search_setup setup = {.target = target->target,
                               .space = &space,
                               .counts = target->counts,
                               .count_count = target->count_count,
                               .defaults = target->defaults,
                               .evaluator = &r->evaluator,
                               .journal = r->journal,
                               .seed = r->header.seed,
                               .deadline_s = r->elapsed_s + (share_s > 0.0 ? share_s * SEARCH_SHARE : 1e-3),
                               .quick = r->settings->quick && r->settings->count_count == 0,
                               .max_trials = r->settings->max_trials,
                               .start_s = r->elapsed_s,
                               .interrupted = r->interrupted,
                               .progress = tune_progress_trial,
                               .user = &r->progress};

    tune_space_name_from_text(r->header.space, &space_name);
    TRY(tune_space_create(&space, space_name, r->header.only[0] != '\0' ? r->header.only : NULL, &target->target,
                          &r->header.device, error));
    TRY(tune_hints_add_all(&hints, &r->winners, error));
    TRY(tune_hints_add_known(&hints, &r->header.device, &target->target, NULL, error));
    TRY(tune_hints_add_rows(&hints, &space, target->counts, target->defaults, target->count_count, error));
    setup.hints = hints.items;
    setup.hint_count = hints.count;
    TRY(tune_search_create(&setup, &search, error));
    tune_live_set_end(r->live, setup.deadline_s - r->resumed_s);
    tune_progress_target(&r->progress, &target->target, target->count_count, r->elapsed_s);
    TRY(tune_search_run(search, r->strategy, error));
    TRY(settle_target(r, target, search, r->elapsed_s + share_s * COMPARED_SHARE, error));
    r->elapsed_s = tune_search_elapsed_s(search);

cleanup:
    tune_search_destroy(search);
    tune_hints_free(&hints);
    tune_space_free(&space);
    return status;
}
