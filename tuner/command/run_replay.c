#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/progress.h"
#include "command/report.h"
#include "command/run.h"
#include "command_line/failure.h"
#include "command_line/named_file.h"
#include "output/classes.h"
#include "output/kept.h"
#include "record/replay.h"
#include "record/t4.h"
#include "search/decide.h"
#include "space/ladder.h"

/* The fastest right trial that the log has for a target at a count; NULL: none. */
static const tune_trial *best_in(const tune_memo *log, const tune_target *target, uint64_t count)
{
    const tune_trial *best = NULL;

    for (size_t i = 0; i < log->count; ++i) {
        const tune_trial *trial = log->trials[i];

        if (trial->outcome == TUNE_OUTCOME_CORRECT && trial->count == count &&
            tune_target_equal(&trial->target, target) && (best == NULL || trial->time_ns < best->time_ns))
            best = trial;
    }
    return best;
}

static uint64_t recorded_of(const tune_memo *log, const tune_target *target)
{
    uint64_t recorded = 0;

    for (size_t i = 0; i < log->count; ++i)
        recorded += tune_target_equal(&log->trials[i]->target, target);
    return recorded;
}

/* The parts of a target's time as in a run (run_target.c). */
#define SEARCH_SHARE 0.8
#define COMPARED_SHARE 0.95

/* One target of a log, searched again. */
typedef struct again {
    const tune_settings *settings;
    const tune_memo *log;
    const tune_header_target *recorded;
    clscan_device_info device; /* without the names whose configs are left out */
    uint64_t counts[TUNE_MAX_COUNTS];
    clscan_variant defaults[TUNE_MAX_COUNTS];
    tune_header_target target; /* what is searched: the two above */
    tune_space space;
    tune_hints hints;
    tune_decision decision;
    clscan__document entries; /* that a run would write */
} again;

static bool forget_name(char *name, const char *without)
{
    const bool is_meant = without != NULL && strcmp(name, without) == 0;

    if (is_meant)
        name[0] = '\0';
    return is_meant;
}

/* Returns whether it was one of the device's. */
static bool forget_names(clscan_device_info *device, const char *without)
{
    char *const names[] = {device->key, device->architecture, device->family, device->generic};
    bool is_meant = false;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        is_meant = forget_name(names[i], without) || is_meant;
    return is_meant;
}

/* What would serve a count untuned. */
static clscan_status find_default(const again *a, uint64_t count, clscan_variant *variant, clscan_error *error)
{
    clscan_status status;
    clscan_rows rows;
    const clscan_problem problem = tune_target_problem_at(&a->recorded->target, count, &rows);
    clscan_choice choice = {.struct_size = sizeof choice};

    TRY(clscan_config_explain(NULL, &a->device, &problem, count, 0, &choice, error));
    *variant = choice.variant;

cleanup:
    return status;
}

static bool is_wanted(const tune_settings *settings, uint64_t count)
{
    bool found = settings->count_count == 0;

    for (size_t i = 0; i < settings->count_count; ++i)
        found = found || settings->counts[i] == count;
    return found;
}

/* The counts, and what is the default there: what would serve untuned today. Where the log lacks that and no config is
 * left out, the default of the recorded run stands in for it. */
static clscan_status prepare(again *a, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const tune_header_target *recorded = a->recorded;

    forget_names(&a->device, a->settings->without);
    a->target = (tune_header_target){.target = recorded->target, .counts = a->counts, .defaults = a->defaults};
    for (size_t i = 0; i < recorded->count_count; ++i) {
        const uint64_t count = recorded->counts[i];
        clscan_variant *standard = &a->defaults[a->target.count_count];

        if (!is_wanted(a->settings, count))
            continue;
        TRY(find_default(a, count, standard, error));
        if (a->settings->without == NULL && tune_memo_find(a->log, &recorded->target, standard, count) == NULL)
            *standard = recorded->defaults[i];
        a->counts[a->target.count_count++] = count;
    }
    TRY(tune_hints_add_known(&a->hints, &a->device, &recorded->target, a->settings->without, error));

cleanup:
    return status;
}

/* What a run would write for what was decided. */
static clscan_status make_entries(again *a, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_header_target measured = a->target;
    tune_kept kept;

    measured.count_count = a->decision.count;
    if (tune_decision_is_whole(&a->decision))
        TRY(tune_decision_entries(&a->decision, &a->device, &a->entries, error));
    if (a->entries.entry_count > 0)
        TRY(tune_keep(&a->entries, NULL, &a->device, &measured, tune_clearly_beaten(&a->decision), &kept, error));

cleanup:
    return status;
}

/* By the entries; where there are none, what serves now. */
static clscan_status find_tuned(const again *a, uint64_t count, clscan_variant *variant, clscan_error *error)
{
    for (size_t i = 0; i < a->entries.entry_count; ++i)
        if (count <= a->entries.entries[i].largest_count) {
            *variant = a->entries.entries[i].variant;
            return CLSCAN_OK;
        }
    return find_default(a, count, variant, error);
}

#define PART_BYTES 16

/* A part of a speed as text; NAN: nobody knows. */
static const char *part_text(double part, char text[PART_BYTES])
{
    if (isnan(part))
        return "-";
    snprintf(text, PART_BYTES, "%.3f", part);
    return text;
}

/* The speed of a variant as a part of the best of the log's; NAN if the log lacks it. */
static double part_of(const again *a, const tune_trial *best, const clscan_variant *variant)
{
    const tune_trial *trial = tune_memo_find(a->log, &a->recorded->target, variant, best->count);

    if (trial == NULL || tune_trial_is_unmeasured(trial))
        return NAN;
    return trial->outcome != TUNE_OUTCOME_CORRECT ? 0 : best->time_ns / trial->time_ns;
}

/* At every count of the log: how near to its best what serves there comes, untuned and tuned. Counts that were left out
 * are among them, since entries serve these as well; where the log can say nothing of that, they have no line. */
static clscan_status compare(const again *a, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    double least_untuned = NAN, least_tuned = NAN; /* for fmin() as if it were not there */
    char untuned_text[PART_BYTES], tuned_text[PART_BYTES];

    printf("  %-9s %13s %8s %8s  of the best of the log\n", "size", "best", "untuned", "tuned");
    for (size_t i = 0; i < a->recorded->count_count; ++i) {
        const uint64_t count = a->recorded->counts[i];
        const tune_trial *best = best_in(a->log, &a->recorded->target, count);
        char name[TUNE_COUNT_TEXT_BYTES];
        clscan_variant variant;
        double untuned, tuned;

        if (best == NULL)
            continue;
        TRY(find_default(a, count, &variant, error));
        untuned = part_of(a, best, &variant);
        TRY(find_tuned(a, count, &variant, error));
        tuned = part_of(a, best, &variant);
        if (!is_wanted(a->settings, count) && isnan(untuned) && isnan(tuned))
            continue;
        least_untuned = fmin(least_untuned, untuned);
        least_tuned = fmin(least_tuned, tuned);
        printf("  %-9s %10.1f us %8s %8s\n", tune_count_text(count, name), best->time_ns / 1e3,
               part_text(untuned, untuned_text), part_text(tuned, tuned_text));
    }
    printf("  at least %s untuned, %s tuned\n\n", part_text(least_untuned, untuned_text),
           part_text(least_tuned, tuned_text));

cleanup:
    return status;
}

static bool has_count(const tune_header_target *target, uint64_t count)
{
    for (size_t i = 0; i < target->count_count; ++i)
        if (target->counts[i] == count)
            return true;
    return false;
}

static bool has_wanted_count(const tune_settings *settings, const tune_header_target *target)
{
    for (size_t i = 0; i < target->count_count; ++i)
        if (is_wanted(settings, target->counts[i]))
            return true;
    return false;
}

/* Has some target that can be replayed the count? */
static bool is_recorded(const tune_header *header, const tune_memo *log, uint64_t count)
{
    for (size_t i = 0; i < header->target_count; ++i)
        if (has_count(&header->targets[i], count) && recorded_of(log, &header->targets[i].target) > 0)
            return true;
    return false;
}

static clscan_status check_sizes(const tune_settings *settings, const tune_header *header, const tune_memo *log,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char missing[TUNE_MAX_COUNTS * (TUNE_COUNT_TEXT_BYTES + 2)] = "", text[TUNE_COUNT_TEXT_BYTES];
    size_t used = 0;

    for (size_t i = 0; i < settings->count_count; ++i)
        if (!is_recorded(header, log, settings->counts[i]))
            used += (size_t)snprintf(missing + used, sizeof missing - used, "%s%s", used > 0 ? ", " : "",
                                     tune_count_text(settings->counts[i], text));
    REQUIRE(used == 0, CLSCAN_ERROR_INVALID_VALUE, "--sizes: %s has no trials of %s elements", settings->replay,
            missing);

cleanup:
    return status;
}

static clscan_status replay_target(const tune_settings *settings, const volatile sig_atomic_t *interrupted,
                                   const tune_header *header, const tune_header_target *target, const tune_memo *log,
                                   size_t *left_out, clscan_error *error)
{
    clscan_status status;
    tune_replay replay;
    tune_evaluator evaluator;
    tune_space_name space_name = TUNE_SPACE_DEFAULT;
    tune_search *search = NULL;
    const tune_strategy *strategy =
        settings->strategy != NULL ? settings->strategy : tune_strategy_find(header->strategy);
    /* --quick has one target, else all share the budget. */
    const double share_s = settings->quick          ? settings->budget_s
                           : settings->budget_given ? settings->budget_s / (double)header->target_count
                                                    : 0.0;
    again a = {.settings = settings, .log = log, .recorded = target, .device = header->device};
    tune_search_setup setup = {.target = target->target,
                               .space = &a.space,
                               .counts = a.counts,
                               .defaults = a.defaults,
                               .known = log,
                               .evaluator = &evaluator,
                               .seed = settings->seed != 0 ? settings->seed : header->seed,
                               .deadline_s = share_s * SEARCH_SHARE,
                               .quick = settings->quick && settings->count_count == 0,
                               .max_trials = settings->max_trials,
                               .interrupted = interrupted};
    uint64_t asked;

    tune_replay_open(&replay, log, &evaluator);
    REQUIRE(strategy != NULL, CLSCAN_ERROR_INVALID_VALUE,
            "%s: '%s' is no strategy of this version; name one with --strategy", settings->replay, header->strategy);
    tune_space_name_from_text(header->space, &space_name);
    TRY(tune_space_create(&a.space, space_name, header->only[0] != '\0' ? header->only : NULL, &target->target,
                          &header->device, error));
    TRY(prepare(&a, error));
    setup.count_count = a.target.count_count;
    setup.hints = a.hints.items;
    setup.hint_count = a.hints.count;
    TRY(tune_search_create(&setup, &search, error));
    TRY(tune_search_run(search, strategy, error));
    asked = replay.asked - replay.unknown;
    TRY(tune_settle(search, 0, share_s > 0 ? share_s * COMPARED_SHARE : HUGE_VAL, &a.decision, error));
    /* --quick may leave out some. */
    memcpy(a.counts, tune_search_about(search)->counts, a.decision.count * sizeof *a.counts);
    tune_report_decision(stdout, &a.decision, a.counts);
    printf("  %s asked %" PRIu64 " of %" PRIu64
           " recorded trials (%.1f %%) in %.1f s of the recorded time, and %" PRIu64 " that the log lacks\n",
           strategy->name, asked, recorded_of(log, &target->target),
           100.0 * (double)asked / (double)recorded_of(log, &target->target), replay.elapsed_s, replay.unknown);
    TRY(make_entries(&a, error));
    TRY(compare(&a, error));
    *left_out += a.hints.left_out;

cleanup:
    tune_search_destroy(search);
    tune_space_free(&a.space);
    tune_hints_free(&a.hints);
    clscan__document_free(&a.entries);
    tune_replay_close(&replay);
    return status;
}

#define GZIP_MAGIC "\x1f\x8b"

/* Recorded journals are kept compressed. */
static clscan_status check_unpacked(const char *path, clscan_error *error)
{
    clscan_status status;
    char *text = NULL;
    size_t size_bytes = 0;

    TRY(named_file_text(path, sizeof GZIP_MAGIC - 1, &text, &size_bytes, error));
    REQUIRE(size_bytes < sizeof GZIP_MAGIC - 1 || memcmp(text, GZIP_MAGIC, sizeof GZIP_MAGIC - 1) != 0,
            CLSCAN_ERROR_FILE, "%s is compressed; unpack it first: gunzip --keep %s", path, path);

cleanup:
    free(text);
    return status;
}

/* A journal, or a T4 file that this program wrote. */
static clscan_status read_log(const char *path, tune_journal **journal, tune_header *header, tune_memo *trials,
                              clscan_error *error)
{
    clscan_error about_t4;
    const clscan_status status = tune_journal_read(path, journal, error);

    /* The first error stands: what is neither is more likely meant to be a journal. */
    return status == CLSCAN_OK || tune_t4_read(path, header, trials, &about_t4) == CLSCAN_OK ? CLSCAN_OK : status;
}

clscan_status tune_run_replay(const tune_settings *settings, const volatile sig_atomic_t *interrupted,
                              clscan_error *error)
{
    clscan_status status;
    tune_journal *journal = NULL;
    tune_header header_of_t4 = {0};
    tune_memo trials_of_t4 = {0};
    const tune_header *header = &header_of_t4;
    const tune_memo *trials = &trials_of_t4;
    clscan_device_info device;
    size_t left_out = 0;

    TRY(check_unpacked(settings->replay, error));
    TRY(read_log(settings->replay, &journal, &header_of_t4, &trials_of_t4, error));
    if (journal != NULL) {
        header = tune_journal_about(journal);
        trials = tune_journal_trials(journal);
    }
    TRY(check_sizes(settings, header, trials, error));
    printf("recorded on %s (%s)\n", header->device.name, header->device.key);
    fflush(stdout);
    for (size_t i = 0; i < header->target_count && !*interrupted; ++i) {
        const tune_header_target *target = &header->targets[i];
        char text[TUNE_TARGET_TEXT_BYTES];

        if (recorded_of(trials, &target->target) == 0)
            printf("%s: the log has no trial of it\n\n", tune_target_text(&target->target, text));
        else if (!has_wanted_count(settings, target))
            printf("%s: the log has none of these sizes of it\n\n", tune_target_text(&target->target, text));
        else
            TRY(replay_target(settings, interrupted, header, target, trials, &left_out, error));
    }
    device = header->device;
    if (settings->without != NULL && left_out == 0 && !forget_names(&device, settings->without))
        complain(
            "--without %s left out nothing: the device has the names %s, %s, %s and %s, and no other config of that "
            "name is known",
            settings->without, device.key, device.architecture, device.family, device.generic);
    if (settings->t4 != NULL && !*interrupted)
        TRY(tune_t4_write(settings->t4, header, trials, error));

cleanup:
    if (journal != NULL)
        tune_journal_close(journal);
    tune_header_free(&header_of_t4);
    tune_memo_free(&trials_of_t4);
    return status;
}
