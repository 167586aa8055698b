/* clscan-bench: see docs/benchmarking.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/case.h"
#include "measure/contenders.h"
#include "measure/library.h"
#include "measure/yardsticks.h"
#include "options.h"
#include "overhead.h"
#include "report.h"

#define EXIT_CODE_FAILURE 1
#define EXIT_CODE_USAGE 2

#define MAX_CONTENDERS (MEASURE_MAX_YARDSTICKS + 1 + BENCH_MAX_STRATEGIES + BENCH_MAX_VARIANTS + BENCH_MAX_PEERS)

/* Everything a case needs, for passing down. */
typedef struct session {
    const bench_options *options;
    measure_device *device;
    bench_report *report;
    measure_contender *contenders; /* room for MAX_CONTENDERS */
    size_t round;
} session;

static measure_contender *add(measure_contender *contenders, size_t *count, const measure_kind *kind, const char *name,
                              const char *request)
{
    measure_contender *added = &contenders[(*count)++];

    memset(added, 0, sizeof *added);
    added->kind = kind;
    added->request = request;
    snprintf(added->name, sizeof added->name, "%s", name);
    return added;
}

static size_t add_library(const session *s, size_t count)
{
    const bench_options *options = s->options;
    const bool is_cpu = s->device->threads != NULL;

    if (options->configured)
        add(s->contenders, &count, &measure_library, "clscan config", NULL);
    for (size_t i = 0; i < options->strategy_count; ++i) {
        const bench_strategy *strategy = options->strategies[i];
        const char *text = is_cpu ? strategy->for_cpu : strategy->for_gpu;
        char name[MEASURE_NAME_BYTES];

        snprintf(name, sizeof name, "clscan %s", strategy->name);
        add(s->contenders, &count, &measure_library, name, text);
    }
    for (size_t i = 0; i < options->variant_count; ++i)
        add(s->contenders, &count, &measure_library, "clscan", options->variants[i]);
    return count;
}

static size_t add_contenders(const session *s)
{
    const bench_options *options = s->options;
    const measure_kind *kinds[MEASURE_MAX_YARDSTICKS];
    const size_t yardstick_count = measure_yardsticks(s->device, options->mode == BENCH_MODE_LATENCY, kinds);
    size_t count = 0;

    for (size_t i = 0; i < yardstick_count; ++i)
        add(s->contenders, &count, kinds[i], kinds[i]->name, NULL);
    count = add_library(s, count);
    for (size_t i = 0; i < options->peer_count; ++i)
        add(s->contenders, &count, options->peers[i], options->peers[i]->name, NULL);
    return count;
}

static bool run_throughput(const session *s, const measure_case *c)
{
    const size_t count = add_contenders(s);

    measure_contenders(c, s->contenders, count, s->options->runs);
    bench_report_case(s->report, c, s->round, s->options->runs, s->contenders, count);
    measure_release(s->contenders, count);
    return true;
}

static bool run_overhead(const session *s, const measure_case *c)
{
    const size_t count = add_library(s, 0);
    char text[MEASURE_NAME_BYTES];
    bool good = true;

    bench_describe_problem(&c->problem, text, sizeof text);
    printf("\n%s: host time of a call\n%14s %14s %8s\n", text, "clscan_run ns", "bare calls ns", "ratio");
    for (size_t i = 0; i < count; ++i) {
        measure_contender *contender = &s->contenders[i];
        double call_ns = 0, bare_ns = 0;

        measure_prepare(c, contender);
        if (contender->outcome == MEASURE_OK)
            measure_case_validate(c, contender);
        if (contender->outcome == MEASURE_OK &&
            !bench_overhead_measure(c, contender, s->options->runs, &call_ns, &bare_ns))
            contender->outcome = MEASURE_FAILED;
        if (contender->outcome == MEASURE_OK)
            printf("%14.0f %14.0f %8.2f  %s: %s (%s)\n", call_ns, bare_ns, call_ns / bare_ns, contender->name,
                   contender->variant, contender->one_command ? "one launch" : "several launches");
        else
            printf("%38s  %s: %s (%s)\n", bench_outcome_name(contender->outcome), contender->name, contender->variant,
                   contender->note.text);
        good = good && contender->outcome != MEASURE_WRONG && contender->outcome != MEASURE_FAILED;
    }
    measure_release(s->contenders, count);
    return good;
}

static bool is_defined(clscan_type type, clscan_operator op)
{
    const bool is_floating = type == CLSCAN_HALF || type == CLSCAN_FLOAT || type == CLSCAN_DOUBLE;
    const bool is_bitwise = op == CLSCAN_AND || op == CLSCAN_OR || op == CLSCAN_XOR;

    return !(is_floating && is_bitwise);
}

static void run_problem(const session *s, clscan_type type, clscan_operator op, uint64_t count)
{
    const bench_options *options = s->options;
    const measure_problem problem = {.type = type,
                                     .op = op,
                                     .form = options->exclusive ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE,
                                     .direction = options->reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD,
                                     .in_place = options->in_place,
                                     .count = count,
                                     .bytes = count * clscan_type_size_bytes(type)};
    measure_case c;
    measure_note note;
    const char *obstacle = measure_case_obstacle(&s->device->info, &problem, 0, &note);

    if (obstacle != NULL) {
        bench_report_skipped(&problem, obstacle);
        return;
    }
    if (!measure_case_create(s->device, &problem, &c, &note)) {
        bench_report_skipped(&problem, note.text);
        s->report->failed = true;
        return;
    }
    if (!(options->mode == BENCH_MODE_OVERHEAD ? run_overhead(s, &c) : run_throughput(s, &c)))
        s->report->failed = true;
    measure_case_destroy(&c);
}

static void run_all(session *s)
{
    const bench_options *options = s->options;

    for (s->round = 1; s->round <= options->rounds; ++s->round) {
        for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
            for (int op = 0; op < CLSCAN_CUSTOM; ++op) {
                if (!options->types[type] || !options->operators[op] ||
                    !is_defined((clscan_type)type, (clscan_operator)op))
                    continue;
                for (size_t i = 0; i < options->size_count; ++i)
                    run_problem(s, (clscan_type)type, (clscan_operator)op, options->sizes[i]);
            }
        }
    }
}

static int list(void)
{
    cl_device_id devices[64];
    size_t count = 0;
    clscan_error error;

    printf("devices:\n");
    if (clscan_device_list(devices, sizeof devices / sizeof devices[0], &count, &error) != CLSCAN_OK)
        printf("  none: %s\n", error.message);
    for (size_t i = 0; i < count && i < sizeof devices / sizeof devices[0]; ++i) {
        clscan_device_info info;

        if (clscan_device_describe(devices[i], &info, &error) == CLSCAN_OK)
            printf("  %zu  %s (%s, %s)\n", i, info.name, info.platform_name, info.key);
        else
            printf("  %zu  %s\n", i, error.message);
    }
    printf("\nstrategies:\n  config: what the configs choose\n");
    for (const bench_strategy *strategy = bench_strategies; strategy->name != NULL; ++strategy)
        printf("  %s\n      GPUs: %s\n      CPUs: %s\n", strategy->name, strategy->for_gpu, strategy->for_cpu);
    printf("\npeers:\n");
    for (const measure_kind *const *peer = bench_peers; *peer != NULL; ++peer)
        printf("  %s%s%s\n", (*peer)->name, (*peer)->missing != NULL ? ": " : "",
               (*peer)->missing != NULL ? (*peer)->missing : "");
    return EXIT_SUCCESS;
}

static int run(const bench_options *options, measure_note *note)
{
    measure_device device = {0};
    bench_report report = {0};
    session s = {.options = options, .device = &device, .report = &report};
    const measure_clock_choice clock = options->mode == BENCH_MODE_LATENCY ? MEASURE_CLOCK_BY_HOST : options->clock;
    bool done = false;

    s.contenders = calloc(MAX_CONTENDERS, sizeof *s.contenders);
    if (s.contenders == NULL) {
        measure_fail(note, "no host memory");
        goto cleanup;
    }
    if (!bench_report_open(options->csv, &report, note) || !measure_device_open(options->device, clock, &device, note))
        goto cleanup;
    bench_report_device(&device);
    run_all(&s);
    done = true;

cleanup:
    if (!bench_report_close(&report, note))
        done = false;
    measure_device_close(&device);
    free(s.contenders);
    if (!done)
        fprintf(stderr, "clscan-bench: %s\n", note->text);
    return done && !report.failed ? EXIT_SUCCESS : EXIT_CODE_FAILURE;
}

int main(int argc, char **argv)
{
    bench_options options;
    measure_note note = {""};
    int code = EXIT_SUCCESS;

    if (!bench_options_parse(argc, argv, &options, &note)) {
        fprintf(stderr, "clscan-bench: %s\nTry 'clscan-bench --help'.\n", note.text);
        code = EXIT_CODE_USAGE;
    } else if (options.mode == BENCH_MODE_HELP) {
        bench_options_help();
    } else if (options.mode == BENCH_MODE_LIST) {
        code = list();
    } else {
        code = run(&options, &note);
    }
    bench_options_free(&options);
    return code;
}
