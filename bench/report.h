/* The table on stdout and the rows of the CSV file. */
#ifndef CLSCAN_BENCH_REPORT_H
#define CLSCAN_BENCH_REPORT_H

#include <stdio.h>

#include "measure/measure.h"

typedef struct bench_report {
    FILE *csv;   /* NULL: none */
    bool failed; /* a contender was wrong or failed */
} bench_report;

bool bench_report_open(const char *csv_path, bench_report *report, measure_note *note);

/* False if the CSV file could not be written to its end. */
bool bench_report_close(bench_report *report, measure_note *note);

void bench_report_device(const measure_device *device);
void bench_report_skipped(const measure_problem *problem, const char *reason);
void bench_report_case(bench_report *report, const measure_case *c, size_t round, size_t runs,
                       const measure_contender *contenders, size_t count);

/* "ok", "WRONG", ... Static. */
const char *bench_outcome_name(measure_outcome outcome);

/* "int32 add inclusive forward, 1024 elements". */
void bench_describe_problem(const measure_problem *problem, char *text, size_t size_bytes);

#endif
