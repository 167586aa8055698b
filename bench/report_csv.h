/* One row per contender of a case. */
#ifndef CLSCAN_BENCH_REPORT_CSV_H
#define CLSCAN_BENCH_REPORT_CSV_H

#include <stdio.h>

#include "columns.h"

void bench_csv_header(FILE *csv);
void bench_csv_row(FILE *csv, const bench_row *row);

#endif
