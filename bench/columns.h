/* What a row says: one list for the CSV file and the JSON file. */
#ifndef CLSCAN_BENCH_COLUMNS_H
#define CLSCAN_BENCH_COLUMNS_H

#include "measure/measure.h"

/* One contender of one case. */
typedef struct bench_row {
    const struct bench_experiment *experiment; /* of a suite, or NULL */
    size_t round;
    size_t runs;
    const measure_case *c;
    const measure_contender *contender;
    const measure_contender *copy;      /* the fastest, or NULL */
    const measure_contender *read;      /* the fastest that only reads, or NULL */
    const measure_contender *host_copy; /* by the host's clock, where both clocks are used */
} bench_row;

typedef enum bench_value_kind {
    BENCH_VALUE_NONE, /* an empty field, null in JSON */
    BENCH_VALUE_TEXT,
    BENCH_VALUE_WORD, /* a text that needs no quotes */
    BENCH_VALUE_COUNT,
    BENCH_VALUE_TRUTH,
    BENCH_VALUE_REAL
} bench_value_kind;

typedef struct bench_value {
    bench_value_kind kind;
    const char *text;
    uint64_t count; /* also of BENCH_VALUE_TRUTH */
    double real;
    int decimals;
} bench_value;

typedef struct bench_column {
    const char *name;
    bench_value (*value)(const bench_row *row);
    bool of_run; /* the same in all rows: JSON says it once, elsewhere */
} bench_column;

extern const bench_column bench_columns[]; /* ends with a NULL name */

/* "ok", "WRONG", ... Static. */
const char *bench_outcome_name(measure_outcome outcome);
/* "host", "kernel" or "queue". Static. */
const char *bench_clock_name(measure_clock clock);

/* StreamScan's LMS and RS: what a work-group of the row's variant holds in local memory and in registers. False if the
 * row has no variant. */
bool bench_working_set(const bench_row *row, uint64_t *local_bytes, uint64_t *register_bytes);

/* GB/s of bytes read plus bytes written. */
double bench_rate(const bench_row *row, double time_ns);

/* The same as a part of the rate of a copy. */
double bench_of_copy(const bench_row *row, double copy_ns, double time_ns);

/* The same as a part of the rate of what only reads. */
double bench_of_read(const bench_row *row, double read_ns, double time_ns);

#endif
