#include "report.h"

#include <inttypes.h>
#include <string.h>

#include "failure.h"
#include "progress.h"

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

static void report_census(FILE *stream, const tune_space *space)
{
    tune_census census;
    const char *about;

    tune_space_census(space, &census);
    about = census.exact ? "" : "about ";
    fprintf(stream, "%s%" PRIu64 " points, %s%" PRIu64 " of them legal", about, census.points, about, census.legal);
    for (size_t i = 0; i < TUNE_MAX_PREDICATES && census.illegal[i].points > 0; ++i)
        fprintf(stream, "%s %s %s%" PRIu64, i == 0 ? ";" : ",", census.illegal[i].predicate, about,
                census.illegal[i].points);
    fprintf(stream, "\n");
}

static void report_ladder(FILE *stream, const tune_header_target *target)
{
    char count[TUNE_COUNT_TEXT_BYTES];

    for (size_t i = 0; i < target->count_count; ++i)
        fprintf(stream, " %s", tune_count_text(target->counts[i], count));
    fprintf(stream, "\n");
}

clscan_status tune_report_plan(FILE *stream, const tune_settings *settings, const tune_header *header,
                               const char *output, const char *journal, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_space space = {0};
    tune_space_name space_name = TUNE_SPACE_DEFAULT;
    char duration[TUNE_DURATION_BYTES];

    fprintf(stream, "device    %s (%s)\n          driver %s\n", header->device.name, header->device.key,
            header->device.driver_version);
    fprintf(stream, "strategy  %s, seed %" PRIu64 ", space %s%s%s\n", header->strategy, header->seed, header->space,
            header->only[0] != '\0' ? ", only " : "", header->only);
    fprintf(stream, "time      about %s in all, %zu targets\n", tune_duration(settings->budget_s, duration),
            header->target_count);
    if (journal != NULL)
        fprintf(stream, "journal   %s\n", journal);
    if (output != NULL)
        fprintf(stream, "config    %s\n", output);
    tune_space_name_from_text(header->space, &space_name);
    for (size_t i = 0; i < header->target_count; ++i) {
        const tune_header_target *target = &header->targets[i];
        char name[TUNE_TARGET_NAME_BYTES];

        tune_target_name(&target->target, name);
        fprintf(stream, "\n%s, by %s of %s\n  sizes", name, clscan_operator_name(target->target.op),
                clscan_type_name(target->target.type));
        report_ladder(stream, target);
        TUNE_TRY(tune_space_create(&space, space_name, header->only[0] != '\0' ? header->only : NULL,
                                   target->target.type, &header->device, error));
        fprintf(stream, "  space ");
        report_census(stream, &space);
        tune_space_free(&space);
        memset(&space, 0, sizeof space);
    }

cleanup:
    tune_space_free(&space);
    return status;
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
    fprintf(stream, "  %-8s %10.1f us %6.3f", tune_count_text(pick->chosen->count, count), pick->chosen->time_ns / 1e3,
            of_copy(pick->chosen));
    if (default_is_right)
        fprintf(stream, " %10.1f us %6.2fx", pick->standard->time_ns / 1e3,
                pick->standard->time_ns / pick->chosen->time_ns);
    else
        fprintf(stream, " %10s    %6s ", "failed", "");
    fprintf(stream, "  %s\n", variant);
}

void tune_report_decision(FILE *stream, const tune_decision *decision)
{
    char name[TUNE_TARGET_NAME_BYTES];

    tune_target_name(&decision->target, name);
    fprintf(stream, "%s (noise %.1f %%)\n  %-8s %13s %6s %13s %7s  %s\n", name, decision->noise_floor * 100.0, "size",
            "tuned", "of copy", "default", "gain", "variant");
    for (size_t i = 0; i < decision->count; ++i) {
        if (decision->picks[i].chosen != NULL)
            report_pick(stream, &decision->picks[i]);
        else
            fprintf(stream, "  nothing was right at this size\n");
    }
}

static void report_best_of(FILE *stream, const tune_search *search, tune_axis_id axis)
{
    const size_t last = tune_search_about(search)->count_count - 1;

    for (uint32_t value = 0; value < tune_axes[axis].value_count; ++value) {
        const tune_trial *best = tune_best_with(search, last, axis, value);
        char variant[256];

        if (best == NULL)
            continue;
        clscan_variant_format(&best->variant, variant, sizeof variant);
        fprintf(stream, "  %-6s %-18s %10.1f us %6.3f  %s\n", tune_axes[axis].name, tune_axes[axis].values[value],
                best->time_ns / 1e3, of_copy(best), variant);
    }
}

void tune_report_bests(FILE *stream, const tune_search *search)
{
    const tune_search_setup *about = tune_search_about(search);
    char count[TUNE_COUNT_TEXT_BYTES];

    fprintf(stream, "best of each body and carry at %s\n",
            tune_count_text(about->counts[about->count_count - 1], count));
    report_best_of(stream, search, TUNE_AXIS_body);
    report_best_of(stream, search, TUNE_AXIS_carry);
}

void tune_report_outcomes(FILE *stream, const uint64_t outcomes[TUNE_OUTCOME_COUNT])
{
    uint64_t all = 0;

    for (int i = 0; i < TUNE_OUTCOME_COUNT; ++i)
        all += outcomes[i];
    fprintf(stream, "%" PRIu64 " trials", all);
    for (int i = 0; i < TUNE_OUTCOME_COUNT; ++i) {
        if (outcomes[i] > 0)
            fprintf(stream, ", %" PRIu64 " %s", outcomes[i], tune_outcome_name((tune_outcome)i));
    }
    fprintf(stream, "\n");
}
