#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "columns.h"
#include "common/printable.h"
#include "measure/case.h"
#include "measure/contenders.h"
#include "measure/device.h"
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
    snprintf(text, size_bytes, "%s %s%s%s %s%s%s, %" PRIu64 " elements", measure_type_name(problem),
             problem->selects ? "" : measure_operator_name(problem), problem->selects ? "" : " ",
             measure_form_name(problem), problem->direction == CLSCAN_FORWARD ? "forward" : "reverse",
             problem->in_place ? " in place" : "", problem->reproducible ? " reproducible" : "", problem->count);
    if (problem->rows.count > 0) {
        const size_t length = strlen(text);

        snprintf(text + length, size_bytes - length, " in %" PRIu64 " rows of %" PRIu64, problem->rows.count,
                 measure_scan_count(problem));
    }
    for (uint32_t i = 0; i < problem->rows.dimensions; ++i) {
        const size_t length = strlen(text);

        if (i == 0)
            snprintf(text + length, size_bytes - length, " along axis %" PRIu32 " of %" PRIu64, problem->rows.axis,
                     problem->rows.extents[i]);
        else
            snprintf(text + length, size_bytes - length, " x %" PRIu64, problem->rows.extents[i]);
    }
    if (problem->rows.in_pitch > 0) {
        const size_t length = strlen(text);

        snprintf(text + length, size_bytes - length, " with a pitch of %" PRIu64, problem->rows.in_pitch);
    }
    if (problem->cluster > 0) {
        const size_t length = strlen(text);

        snprintf(text + length, size_bytes - length, ", kept in clusters of %" PRIu32, problem->cluster);
    }
    if (problem->segment_length > 0) {
        const size_t length = strlen(text);

        snprintf(text + length, size_bytes - length, " in segments of %s %" PRIu64 " by %s",
                 problem->power_law ? "1 to" : "about", problem->segment_length,
                 clscan_segments_by_name(problem->segments.by));
    }
    if (problem->maps != NULL) {
        const char *load = measure_load_text(problem), *store = measure_store_text(problem);
        const size_t length = strlen(text);

        snprintf(text + length, size_bytes - length, ", sums of %s, outputs of %s%s%s%s%s",
                 measure_accumulator_name(problem), clscan_type_name(measure_output_type(problem)),
                 load[0] != '\0' ? ", load " : "", load, store[0] != '\0' ? ", store " : "", store);
        clscan__make_printable(text);
    }
    if (problem->in_offset > 0 || problem->out_offset > 0) {
        const size_t length = strlen(text);

        snprintf(text + length, size_bytes - length, ", from %" PRIu64 " to %" PRIu64, problem->in_offset,
                 problem->out_offset);
    }
}

static void write_json(bench_report *report)
{
    if (report->note.text[0] == '\0' && !bench_json_write(&report->json, &report->note))
        report->failed = true;
}

static const char *clocks_of(const measure_device *device)
{
    if (device->both_clocks)
        return "profiling events and by the host's clock";
    return device->host_clock ? "the host's clock" : "profiling events";
}

void bench_report_device(bench_report *report, const measure_device *device)
{
    const char *advice = measure_device_advice(&device->info);

    printf("%s, %s, driver %s\n", device->info.name, device->info.device_version, device->info.driver_version);
    printf("key %s, %u compute units, mechanism %s, times by %s\n", device->info.key, device->info.compute_units,
           clscan_mechanism_name(device->info.mechanism), clocks_of(device));
    if (advice != NULL)
        printf("note: %s\n", advice);
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

/* A contender's rate as a part of the copy's. */
static void print_of_copy(const bench_row *row, double copy_ns, double time_ns)
{
    if (copy_ns > 0 && !row->contender->kind->idle)
        printf(" %8.3f", bench_of_copy(row, copy_ns, time_ns));
    else
        printf(" %8s", "-");
}

/* The same of what only reads, where something does. */
static void print_of_read(const bench_row *row)
{
    const double time_ns = row->contender->statistics.median;

    if (row->read != NULL && row->contender->kind->idle)
        printf(" %8s", "-");
    else if (row->read != NULL)
        printf(" %8.3f", bench_of_read(row, row->read->statistics.median, time_ns));
}

/* Median, quartiles, rate and what of the copy that is; then the median of the second clock. */
static void print_figures(const bench_row *row)
{
    const measure_contender *contender = row->contender;
    const measure_statistics *s = &contender->statistics;

    printf("%10.1f %10.1f %10.1f", s->median * 1e-3, s->lower_quartile * 1e-3, s->upper_quartile * 1e-3);
    if (contender->kind->idle)
        printf(" %8s", "-");
    else
        printf(" %8.2f", bench_rate(row, s->median));
    print_of_copy(row, row->copy != NULL ? row->copy->statistics.median : 0, s->median);
    print_of_read(row);
    printf(" %7s", bench_clock_name(contender->clock));
    if (row->host_copy == NULL)
        return;
    printf(" %10.1f", contender->host_statistics.median * 1e-3);
    print_of_copy(row, row->host_copy->host_statistics.median, contender->host_statistics.median);
}

static void print_line(const bench_row *row)
{
    const measure_contender *contender = row->contender;
    uint64_t local_bytes = 0, register_bytes = 0;

    if (contender->outcome == MEASURE_OK)
        print_figures(row);
    else
        printf("%*s", (row->host_copy != NULL ? 78 : 58) + (row->read != NULL ? 9 : 0),
               bench_outcome_name(contender->outcome));
    printf("  %s%s", contender->name, contender == row->copy ? " = copy" : "");
    if (contender->variant[0] != '\0')
        printf(": %s", contender->variant);
    if (row->experiment != NULL && bench_working_set(row, &local_bytes, &register_bytes))
        printf(" [LMS %.4g KiB, RS %.4g KiB]", (double)local_bytes / 1024, (double)register_bytes / 1024);
    if (contender->note.text[0] != '\0')
        printf(" (%s)", contender->note.text);
    putchar('\n');
}

static void print_heading(const measure_case *c, bool with_reads, bool both_clocks)
{
    char text[MEASURE_NAME_BYTES];

    bench_describe_problem(&c->problem, text, sizeof text);
    printf("\n%s%s\n%10s %10s %10s %8s %8s", text, c->rotation != NULL ? ", cold caches" : "", "median us",
           "quartile 1", "quartile 3", "GB/s", "of copy");
    if (with_reads)
        printf(" %8s", "of read");
    printf(" %7s", "clock");
    if (both_clocks)
        printf(" %10s %8s", "host us", "of copy");
    putchar('\n');
}

void bench_report_case(bench_report *report, const measure_case *c, size_t round, size_t runs,
                       const measure_contender *contenders, size_t count)
{
    bench_row row = {.experiment = report->experiment, .round = round, .runs = runs, .c = c};

    row.copy = measure_fastest_copy(contenders, count);
    row.read = measure_fastest_read(contenders, count);
    row.host_copy = c->device->both_clocks ? measure_fastest_copy_by_host(contenders, count) : NULL;
    print_heading(c, row.read != NULL, row.host_copy != NULL);
    for (size_t i = 0; i < count; ++i) {
        row.contender = &contenders[i];
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
