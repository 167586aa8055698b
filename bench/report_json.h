/* The JSON file: one object for a run of the program. It is replaced as a whole after every case, so that it is
 * complete up to there whenever the program ends. */
#ifndef CLSCAN_BENCH_REPORT_JSON_H
#define CLSCAN_BENCH_REPORT_JSON_H

#include <jansson.h>

#include "columns.h"

/* Changes when a key changes its meaning or goes; new keys may come at any time. */
#define BENCH_JSON_FORMAT 1

typedef struct bench_json {
    const char *path; /* NULL: no file is wanted, and nothing below is used */
    json_t *root;
    bool good; /* false: no memory */
} bench_json;

/* Writes a first file, so that a path that cannot be written shows before anything is measured. */
bool bench_json_open(const char *path, int argc, char **argv, bench_json *json, measure_note *note);

void bench_json_device(bench_json *json, const measure_device *device);
void bench_json_row(bench_json *json, const bench_row *row);
void bench_json_skipped(bench_json *json, const measure_problem *problem, const char *reason);

/* Bring the file up to date. */
bool bench_json_write(const bench_json *json, measure_note *note);

/* Frees; does not write. */
void bench_json_close(bench_json *json);

#endif
