#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "columns.h"
#include "measure/contenders.h"
#include "report_csv.h"

bool bench_report_open(const char *csv_path, const char *json_path, int argc, char **argv, bench_report *report,
                       measure_note *note)
{
    *report = (bench_report){0};
    if (!bench_json_open(json_path, argc, argv, &report->json, note))
        return false;
    if (csv_path == NULL)
        return true;
    report->csv = fopen(csv_path, "w");
    if (report->csv == NULL)
        return measure_fail(note, "%s: %s", csv_path, strerror(errno));
    bench_csv_header(report->csv);
    return true;
}

bool bench_report_close(bench_report *report, measure_note *note)
{
    FILE *csv = report->csv;
    bool written = csv == NULL || !ferror(csv);

    if (csv != NULL && fclose(csv) != 0)
        written = false;
    report->csv = NULL;
    bench_json_close(&report->json);
    if (report->note.text[0] != '\0')
        return measure_fail(note, "%s", report->note.text);
    return written || measure_fail(note, "the CSV file could not be written");
}

void bench_describe_problem(const measure_problem *problem, char *text, size_t size_bytes)
{
    snprintf(text, size_bytes, "%s %s %s %s%s, %" PRIu64 " elements", clscan_type_name(problem->type),
             clscan_operator_name(problem->op), problem->form == CLSCAN_INCLUSIVE ? "inclusive" : "exclusive",
             problem->direction == CLSCAN_FORWARD ? "forward" : "reverse", problem->in_place ? " in place" : "",
             problem->count);
}

static void write_json(bench_report *report)
{
    if (report->note.text[0] == '\0' && !bench_json_write(&report->json, &report->note))
        report->failed = true;
}

void bench_report_device(bench_report *report, const measure_device *device)
{
    printf("%s, %s, driver %s\n", device->info.name, device->info.device_version, device->info.driver_version);
    printf("key %s, %u compute units, mechanism %s, times by %s\n", device->info.key, device->info.compute_units,
           clscan_mechanism_name(device->info.mechanism), device->host_clock ? "the host's clock" : "profiling events");
    bench_json_device(&report->json, device);
    write_json(report);
}

void bench_report_skipped(bench_report *report, const measure_problem *problem, const char *reason)
{
    char text[MEASURE_NAME_BYTES];

    bench_describe_problem(problem, text, sizeof text);
    printf("\n%s: skipped, %s\n", text, reason);
    bench_json_skipped(&report->json, problem, reason);
    write_json(report);
}

static void print_line(const bench_row *row)
{
    const measure_contender *contender = row->contender;
    const measure_statistics *s = &contender->statistics;

    if (contender->outcome != MEASURE_OK) {
        printf("%58s  %s", bench_outcome_name(contender->outcome), contender->name);
    } else {
        printf("%10.1f %10.1f %10.1f %8.2f", s->median * 1e-3, s->lower_quartile * 1e-3, s->upper_quartile * 1e-3,
               bench_rate(&row->c->problem, s->median));
        if (row->copy != NULL)
            printf(" %8.3f", row->copy->statistics.median / s->median);
        else
            printf(" %8s", "-");
        printf(" %7s  %s%s", bench_clock_name(contender->clock), contender->name,
               contender == row->copy ? " = copy" : "");
    }
    if (contender->variant[0] != '\0')
        printf(": %s", contender->variant);
    if (contender->note.text[0] != '\0')
        printf(" (%s)", contender->note.text);
    putchar('\n');
}

void bench_report_case(bench_report *report, const measure_case *c, size_t round, size_t runs,
                       const measure_contender *contenders, size_t count)
{
    const measure_contender *copy = measure_fastest_copy(contenders, count);
    char text[MEASURE_NAME_BYTES];

    bench_describe_problem(&c->problem, text, sizeof text);
    printf("\n%s\n%10s %10s %10s %8s %8s %7s\n", text, "median us", "quartile 1", "quartile 3", "GB/s", "of copy",
           "clock");
    for (size_t i = 0; i < count; ++i) {
        const bench_row row = {.round = round, .runs = runs, .c = c, .contender = &contenders[i], .copy = copy};

        print_line(&row);
        if (report->csv != NULL)
            bench_csv_row(report->csv, &row);
        bench_json_row(&report->json, &row);
        if (contenders[i].outcome == MEASURE_WRONG || contenders[i].outcome == MEASURE_FAILED)
            report->failed = true;
    }
    fflush(stdout);
    if (report->csv != NULL)
        fflush(report->csv);
    write_json(report);
}
