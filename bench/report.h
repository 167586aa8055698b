/* What is told of each case: the table on stdout, the rows of the CSV and the JSON file. */
#ifndef CLSCAN_BENCH_REPORT_H
#define CLSCAN_BENCH_REPORT_H

#include <stdio.h>

#include "measure/measure.h"
#include "report_json.h"

typedef struct bench_report {
    FILE *csv; /* NULL: none */
    bench_json json;
    const struct bench_experiment *experiment; /* what the next cases belong to, or NULL */
    bool failed;                               /* a contender was wrong or failed, or a file could not be written */
    measure_note note;                         /* why a file could not be written; "" if all could */
} bench_report;

/* Paths may be NULL. argc and argv are the command line, which the JSON file repeats. */
bool bench_report_open(const char *csv_path, const char *json_path, int argc, char **argv, bench_report *report,
                       measure_note *note);

/* False if a file could not be written to its end. */
bool bench_report_close(bench_report *report, measure_note *note);

void bench_report_device(bench_report *report, const measure_device *device);
void bench_report_skipped(bench_report *report, const measure_problem *problem, const char *reason);
void bench_report_case(bench_report *report, const measure_case *c, size_t round, size_t runs,
                       const measure_contender *contenders, size_t count);

/* "int32 add inclusive forward, 1024 elements". */
void bench_describe_problem(const measure_problem *problem, char *text, size_t size_bytes);

#endif
