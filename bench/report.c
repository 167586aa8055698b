#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "measure/contenders.h"

static const char *const clocks[] = {"host", "kernel", "queue"};

const char *bench_outcome_name(measure_outcome outcome)
{
    static const char *const names[] = {"ok", "unavailable", "illegal", "WRONG", "failed"};

    return names[outcome];
}

bool bench_report_open(const char *csv_path, bench_report *report, measure_note *note)
{
    *report = (bench_report){0};
    if (csv_path == NULL)
        return true;
    report->csv = fopen(csv_path, "w");
    if (report->csv == NULL)
        return measure_fail(note, "%s: %s", csv_path, strerror(errno));
    fputs("round,device,driver,type,op,form,direction,in_place,count,contender,variant,status,clock,runs,"
          "median_ns,lower_quartile_ns,upper_quartile_ns,minimum_ns,gb_per_s,of_copy,note\n",
          report->csv);
    return true;
}

bool bench_report_close(bench_report *report, measure_note *note)
{
    FILE *csv = report->csv;
    bool written;

    report->csv = NULL;
    if (csv == NULL)
        return true;
    written = !ferror(csv);
    if (fclose(csv) != 0)
        written = false;
    return written || measure_fail(note, "the CSV file could not be written");
}

/* A field in quotes, on one line. */
static void print_text(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text != '\0'; ++text) {
        if (*text == '"')
            putc('"', file);
        putc(*text == '\n' || *text == '\r' ? ' ' : *text, file);
    }
    putc('"', file);
}

void bench_describe_problem(const measure_problem *problem, char *text, size_t size_bytes)
{
    snprintf(text, size_bytes, "%s %s %s %s%s, %" PRIu64 " elements", clscan_type_name(problem->type),
             clscan_operator_name(problem->op), problem->form == CLSCAN_INCLUSIVE ? "inclusive" : "exclusive",
             problem->direction == CLSCAN_FORWARD ? "forward" : "reverse", problem->in_place ? " in place" : "",
             problem->count);
}

void bench_report_device(const measure_device *device)
{
    printf("%s, %s, driver %s\n", device->info.name, device->info.device_version, device->info.driver_version);
    printf("key %s, %u compute units, mechanism %s, times by %s\n", device->info.key, device->info.compute_units,
           clscan_mechanism_name(device->info.mechanism), device->host_clock ? "the host's clock" : "profiling events");
}

void bench_report_skipped(const measure_problem *problem, const char *reason)
{
    char text[MEASURE_NAME_BYTES];

    bench_describe_problem(problem, text, sizeof text);
    printf("\n%s: skipped, %s\n", text, reason);
}

static double rate(const measure_problem *problem, double nanoseconds)
{
    return 2.0 * (double)problem->bytes / nanoseconds;
}

static void print_line(const measure_problem *problem, const measure_contender *contender,
                       const measure_contender *copy)
{
    const measure_statistics *s = &contender->statistics;

    if (contender->outcome != MEASURE_OK) {
        printf("%58s  %s", bench_outcome_name(contender->outcome), contender->name);
    } else {
        printf("%10.1f %10.1f %10.1f %8.2f", s->median * 1e-3, s->lower_quartile * 1e-3, s->upper_quartile * 1e-3,
               rate(problem, s->median));
        if (copy != NULL)
            printf(" %8.3f", copy->statistics.median / s->median);
        else
            printf(" %8s", "-");
        printf(" %7s  %s%s", clocks[contender->clock], contender->name, contender == copy ? " = copy" : "");
    }
    if (contender->variant[0] != '\0')
        printf(": %s", contender->variant);
    if (contender->note.text[0] != '\0')
        printf(" (%s)", contender->note.text);
    putchar('\n');
}

static void print_row(FILE *csv, const measure_case *c, size_t round, size_t runs, const measure_contender *contender,
                      const measure_contender *copy)
{
    const measure_problem *problem = &c->problem;
    const measure_statistics *s = &contender->statistics;

    fprintf(csv, "%zu,", round);
    print_text(csv, c->device->info.name);
    putc(',', csv);
    print_text(csv, c->device->info.driver_version);
    fprintf(csv, ",%s,%s,%s,%s,%d,%" PRIu64 ",", clscan_type_name(problem->type), clscan_operator_name(problem->op),
            problem->form == CLSCAN_INCLUSIVE ? "inclusive" : "exclusive",
            problem->direction == CLSCAN_FORWARD ? "forward" : "reverse", problem->in_place, problem->count);
    print_text(csv, contender->name);
    putc(',', csv);
    print_text(csv, contender->variant);
    fprintf(csv, ",%s,", bench_outcome_name(contender->outcome));
    if (contender->outcome == MEASURE_OK) {
        fprintf(csv, "%s,%zu,%.0f,%.0f,%.0f,%.0f,%.4f,", clocks[contender->clock], runs, s->median, s->lower_quartile,
                s->upper_quartile, s->minimum, rate(problem, s->median));
        if (copy != NULL)
            fprintf(csv, "%.4f", copy->statistics.median / s->median);
    } else {
        fputs(",,,,,,,", csv);
    }
    putc(',', csv);
    print_text(csv, contender->note.text);
    putc('\n', csv);
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
        print_line(&c->problem, &contenders[i], copy);
        if (report->csv != NULL)
            print_row(report->csv, c, round, runs, &contenders[i], copy);
        if (contenders[i].outcome == MEASURE_WRONG || contenders[i].outcome == MEASURE_FAILED)
            report->failed = true;
    }
    fflush(stdout);
    if (report->csv != NULL)
        fflush(report->csv);
}
