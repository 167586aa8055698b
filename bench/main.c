/* clscan-bench: see docs/benchmarking.md. */
#include <stdio.h>
#include <stdlib.h>

#include "command_line/failure.h"
#include "members.h"
#include "options.h"
#include "report.h"
#include "session.h"
#include "suite_run.h"
#include "suites.h"

static int list(void)
{
    cl_device_id devices[64];
    size_t count = 0;
    clscan_error error;

    printf("devices:\n");
    if (clscan_device_list(devices, sizeof devices / sizeof devices[0], &count, &error) != CLSCAN_OK)
        printf("  none: %s\n", error.message);
    for (size_t i = 0; i < count && i < sizeof devices / sizeof devices[0]; ++i) {
        clscan_device_info info = {.struct_size = sizeof info};

        if (clscan_device_describe(devices[i], &info, &error) == CLSCAN_OK)
            printf("  %zu  %s (%s, %s)\n", i, info.name, info.platform_name, info.key);
        else
            printf("  %zu  %s\n", i, error.message);
    }
    printf("\nstrategies:\n  config: what the configs choose\n");
    for (const bench_strategy *strategy = bench_strategies; strategy->name != NULL; ++strategy)
        printf("  %s\n      GPUs: %s\n      CPUs: %s\n", strategy->name, strategy->for_gpu, strategy->for_cpu);
    printf("\nsuites and their experiments:\n");
    for (const bench_experiment *one = bench_experiments; one->suite != NULL; ++one)
        printf("  %s %s: %s\n", one->suite, one->name, one->title);
    printf("\npeers:\n");
    for (const measure_kind *const *peer = bench_peers; *peer != NULL; ++peer)
        printf("  %s%s%s\n", (*peer)->name, (*peer)->missing != NULL ? ": " : "",
               (*peer)->missing != NULL ? (*peer)->missing : "");
    return EXIT_CODE_OK;
}

static measure_clock_choice clock_of(const bench_options *options)
{
    if (options->latency)
        return MEASURE_CLOCK_BY_HOST;
    if (bench_suite_has_groups(options->suite))
        return options->clock == MEASURE_CLOCK_AUTO ? MEASURE_CLOCK_BY_HOST : options->clock;
    /* Papers tell kernel times and times of calls. */
    if (options->suite != NULL && options->clock == MEASURE_CLOCK_AUTO)
        return MEASURE_CLOCK_BY_BOTH;
    return options->clock;
}

static int run(bench_options *options, int argc, char **argv, measure_note *note)
{
    measure_device device = {0};
    bench_report report = {0};
    bench_session session = {.options = options, .device = &device, .report = &report};
    char first[MEASURE_NAME_BYTES];
    bool done = false;

    session.maps = bench_options_maps(options);
    session.lineup = calloc(1, sizeof *session.lineup);
    if (session.lineup == NULL) {
        measure_fail(note, "no host memory");
        goto cleanup;
    }
    if (!bench_report_open(options->csv, options->json, argc, argv, &report, note) ||
        !measure_device_open(bench_groups_first(options, &first), clock_of(options), &device, note))
        goto cleanup;
    if (options->cache_mib != 0)
        device.cache_bytes = (uint64_t)options->cache_mib << 20;
    bench_report_device(&report, &device);
    done = true;
    if (options->suite != NULL)
        done = bench_suite_run(&session, note);
    else
        bench_session_run(&session);

cleanup:
    if (!bench_report_close(&report, note))
        done = false;
    bench_peers_close();
    measure_device_close(&device);
    free(session.lineup);
    if (!done)
        complain("%s", note->text);
    return done && !report.failed ? EXIT_CODE_OK : EXIT_CODE_FAILURE;
}

int main(int argc, char **argv)
{
    bench_options options;
    measure_note note = {""};
    int code;

    set_program_name("clscan-bench");
    if (bench_options_parse(argc, argv, &options, &code))
        code = options.list ? list() : run(&options, argc, argv, &note);
    bench_options_free(&options);
    return code;
}
