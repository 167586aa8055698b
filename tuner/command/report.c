#include "command/report.h"

#include <inttypes.h>
#include <string.h>

#include "command/progress.h"
#include "common/printable.h"
#include "space/ladder.h"

void tune_report_lists(FILE *stream)
{
    fprintf(stream, "strategies:\n");
    for (size_t i = 0; tune_strategies[i] != NULL; ++i)
        fprintf(stream, "  %-12s%s%s\n", tune_strategies[i]->name, tune_strategies[i]->meaning,
                i == 0 ? " (default)" : "");
    fprintf(stream, "\nspaces:\n");
    for (int i = 0; i < TUNE_SPACE_COUNT; ++i)
        fprintf(stream, "  %-12s%s\n", tune_space_name_text((tune_space_name)i),
                tune_space_meaning((tune_space_name)i));
}

void tune_report_devices(FILE *stream, const clscan_device_info *devices, size_t count, size_t chosen)
{
    fprintf(stream, "devices:\n");
    for (size_t i = 0; i < count; ++i)
        fprintf(stream, "  %zu: %s, %s (%s)%s\n", i, devices[i].name, devices[i].platform_name, devices[i].key,
                i == chosen ? "; this one is tuned" : "");
}

static void report_ladder(FILE *stream, const tune_header_target *target)
{
    char count[TUNE_COUNT_TEXT_BYTES];

    for (size_t i = 0; i < target->count_count; ++i)
        fprintf(stream, " %s", tune_count_text(target->counts[i], count));
    fprintf(stream, "\n");
}

/* What a ladder leaves out. */
static void report_end(FILE *stream, const clscan_device_info *device, const tune_target *target)
{
    const uint64_t served = tune_ladder_served(device, target);
    char count[TUNE_COUNT_TEXT_BYTES];

    if (served < UINT64_MAX)
        fprintf(stream, "%-10snot from %s on, where plans take entries of another operation\n", "",
                tune_count_text(served + 1, count));
}

void tune_report_plan(FILE *stream, const tune_settings *settings, const tune_header *header, const char *output,
                      const char *journal)
{
    char text[TUNE_TARGET_TEXT_BYTES], duration[TUNE_DURATION_BYTES], path[SHOWN_PATH_BYTES];

    fprintf(stream, "device    %s (%s)\n          driver %s\n", header->device.name, header->device.key,
            header->device.driver_version);
    for (size_t i = 0; i < header->target_count; ++i) {
        fprintf(stream, "%-10s%s:", i == 0 ? "measured" : "", tune_target_text(&header->targets[i].target, text));
        report_ladder(stream, &header->targets[i]);
        report_end(stream, &header->device, &header->targets[i].target);
    }
    fprintf(stream, "search    %s, seed %" PRIu64 ", space %s%s%s\n", header->strategy, header->seed, header->space,
            header->only[0] != '\0' ? ", only " : "", header->only);
    fprintf(stream, "time      about %s\n", tune_duration(settings->budget_s, duration));
    if (journal != NULL)
        fprintf(stream, "journal   %s\n", clscan__printable(journal, path, sizeof path));
    fprintf(stream, "config    %s\n", clscan__printable(output, path, sizeof path));
}

void tune_report_space(FILE *stream, const tune_target *target, const tune_census *census)
{
    const char *about = census->exact ? "" : "about ";
    char text[TUNE_TARGET_TEXT_BYTES];

    fprintf(stream, "\n%s: %" PRIu64 " points, %s%" PRIu64 " of them legal; the others break\n",
            tune_target_text(target, text), census->points, about, census->legal);
    for (size_t i = 0; i < TUNE_MAX_PREDICATES && census->illegal[i].points > 0; ++i)
        fprintf(stream, "  %-24s%s%" PRIu64 "\n", census->illegal[i].predicate, about, census->illegal[i].points);
}

static double of_copy(const tune_trial *trial)
{
    return trial->copy_ns / trial->time_ns;
}

static void report_pick(FILE *stream, const tune_pick *pick)
{
    const bool default_is_right = pick->standard != NULL && pick->standard->outcome == TUNE_OUTCOME_CORRECT;
    char count[TUNE_COUNT_TEXT_BYTES], variant[256];

    clscan_variant_format(&pick->chosen->variant, variant, sizeof variant);
    fprintf(stream, "  %-9s %10.1f us %8.3f", tune_count_text(pick->chosen->count, count), pick->chosen->time_ns / 1e3,
            of_copy(pick->chosen));
    if (default_is_right)
        fprintf(stream, " %10.1f us %6.2fx", pick->standard->time_ns / 1e3,
                pick->standard->time_ns / pick->chosen->time_ns);
    else
        fprintf(stream, " %13s %7s", "failed", "");
    fprintf(stream, "  %s\n", variant);
    if (pick->standard != NULL && !default_is_right)
        fprintf(stream, "  %-9s the default failed: %s\n", "", pick->standard->reason);
}

void tune_report_decision(FILE *stream, const tune_decision *decision, const uint64_t *counts)
{
    char text[TUNE_TARGET_TEXT_BYTES], count[TUNE_COUNT_TEXT_BYTES];

    fprintf(stream, "%s (noise %.1f %%)\n  %-9s %13s %8s %13s %7s  %s\n", tune_target_text(&decision->target, text),
            decision->noise_floor * 100.0, "size", "tuned", "of copy", "default", "gain", "variant");
    for (size_t i = 0; i < decision->count; ++i) {
        const tune_pick *pick = &decision->picks[i];

        if (pick->chosen != NULL)
            report_pick(stream, pick);
        else if (pick->reason == TUNE_REASON_KEPT)
            fprintf(stream, "  %-9s nothing is chosen: the default could not be measured (%s)\n",
                    tune_count_text(counts[i], count), pick->standard->reason);
        else if (pick->standard == NULL)
            fprintf(stream, "  %-9s not measured\n", tune_count_text(counts[i], count));
        else
            fprintf(stream, "  %-9s nothing was right at this size (the default: %s)\n",
                    tune_count_text(counts[i], count), pick->standard->reason);
    }
}

void tune_gains_add(tune_gains *gains, const tune_decision *decision)
{
    for (size_t i = 0; i < decision->count; ++i) {
        const tune_pick *pick = &decision->picks[i];
        double gain;

        if (pick->chosen == NULL)
            continue;
        ++gains->sizes;
        if (pick->reason == TUNE_REASON_DEFAULT || pick->standard == NULL || pick->chosen == pick->standard)
            continue;
        ++gains->faster;
        gain = pick->standard->outcome == TUNE_OUTCOME_CORRECT ? pick->standard->time_ns / pick->chosen->time_ns : 0.0;
        if (gain > gains->best) {
            gains->best = gain;
            gains->best_target = decision->target;
            gains->best_count = pick->chosen->count;
        }
    }
}

void tune_report_gains(FILE *stream, const tune_gains *gains)
{
    char name[TUNE_TARGET_NAME_BYTES], count[TUNE_COUNT_TEXT_BYTES];

    if (gains->sizes == 0)
        return;
    if (gains->faster == 0) {
        fprintf(stream, "beyond the noise, nothing was faster than what clscan chose before; the config says "
                        "the same\n");
        return;
    }
    fprintf(stream, "better than what clscan chose so far at %zu of %zu sizes", gains->faster, gains->sizes);
    if (gains->best > 0.0) {
        tune_target_name(&gains->best_target, name);
        fprintf(stream, ", at most %.2f times as fast (%s at %s)", gains->best, name,
                tune_count_text(gains->best_count, count));
    }
    fprintf(stream, "\n");
}

static void report_best_of(FILE *stream, const tune_search *search, clscan__axis_id axis)
{
    const size_t last = tune_search_about(search)->count_count - 1;

    for (uint32_t value = 0; value < clscan__axes[axis].value_count; ++value) {
        const tune_trial *best = tune_best_with(search, last, axis, value);
        char variant[256];

        if (best == NULL)
            continue;
        clscan_variant_format(&best->variant, variant, sizeof variant);
        fprintf(stream, "    %-6s %-18s %10.1f us %6.3f  %s\n", clscan__axes[axis].name,
                clscan__axes[axis].values[value], best->time_ns / 1e3, of_copy(best), variant);
    }
}

void tune_report_bests(FILE *stream, const tune_search *search)
{
    const tune_search_setup *about = tune_search_about(search);
    char count[TUNE_COUNT_TEXT_BYTES];

    fprintf(stream, "  best of each body and of each carry at %s\n",
            tune_count_text(about->counts[about->count_count - 1], count));
    report_best_of(stream, search, CLSCAN__AXIS_BODY);
    report_best_of(stream, search, CLSCAN__AXIS_CARRY);
}

/* What those waited for that passed a deadline. */
typedef struct waits {
    char names[8][24];
    uint64_t counts[8];
    size_t count;
} waits;

/* A reason begins with the name of the step and a colon. That somebody stopped the worker tells more. */
static void add_wait(waits *w, const char *reason)
{
    const bool stopped = strstr(reason, "it was stopped") != NULL;
    char name[sizeof w->names[0]];
    size_t at = 0;

    snprintf(name, sizeof name, "%.*s", stopped ? (int)sizeof name : (int)strcspn(reason, ":"),
             stopped ? "worker stopped" : reason);
    while (at < w->count && strcmp(w->names[at], name) != 0)
        ++at;
    if (at == sizeof w->counts / sizeof w->counts[0])
        return;
    if (at == w->count)
        memcpy(w->names[w->count++], name, sizeof name);
    ++w->counts[at];
}

void tune_report_outcomes(FILE *stream, const tune_memo *trials)
{
    uint64_t outcomes[TUNE_OUTCOME_COUNT] = {0};
    waits w = {.count = 0};

    for (size_t i = 0; i < trials->count; ++i) {
        ++outcomes[trials->trials[i]->outcome];
        if (trials->trials[i]->outcome == TUNE_OUTCOME_TIMEOUT)
            add_wait(&w, trials->trials[i]->reason);
    }
    fprintf(stream, "%zu trials", trials->count);
    for (int i = 0; i < TUNE_OUTCOME_COUNT; ++i) {
        if (outcomes[i] > 0)
            fprintf(stream, ", %" PRIu64 " %s", outcomes[i], tune_outcome_name((tune_outcome)i));
        for (size_t at = 0; i == TUNE_OUTCOME_TIMEOUT && at < w.count; ++at)
            fprintf(stream, "%s%" PRIu64 " %s%s", at == 0 ? " (" : ", ", w.counts[at], w.names[at],
                    at + 1 == w.count ? ")" : "");
    }
    fprintf(stream, "\n");
}
