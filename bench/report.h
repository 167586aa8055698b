/* The table on stdout and the rows of the CSV file. */
#ifndef CLSCAN_BENCH_REPORT_H
#define CLSCAN_BENCH_REPORT_H

#include <stdio.h>

#include "bench.h"

typedef struct bench_report {
    FILE *csv;   /* NULL: none */
    bool failed; /* a contender was wrong or failed */
} bench_report;

bool bench_report_open(const char *csv_path, bench_report *report, bench_note *note);

/* False if the CSV file could not be written to its end. */
bool bench_report_close(bench_report *report, bench_note *note);

void bench_report_device(const bench_device *device);
void bench_report_skipped(const bench_problem *problem, const char *reason);
void bench_report_case(bench_report *report, const bench_case *c, size_t round, size_t runs,
                       const bench_contender *contenders, size_t count);

/* "ok", "WRONG", ... Static. */
const char *bench_outcome_name(bench_outcome outcome);

/* "int32 add inclusive forward, 1024 elements". */
void bench_describe_problem(const bench_problem *problem, char *text, size_t size_bytes);

#endif
