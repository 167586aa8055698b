/* One scan of a file's elements, from the device's memory to statistics. */
#ifndef CLSCAN_TOOLS_SCAN_JOB_H
#define CLSCAN_TOOLS_SCAN_JOB_H

#include <stdbool.h>
#include <stdio.h>

#include <clscan/clscan.h>

#include "check.h"
#include "device_stage.h"
#include "initials_file.h"
#include "input_file.h"
#include "pipeline.h"
#include "progress.h"
#include "result_file.h"
#include "scan_sums.h"
#include "segment_file.h"
#include "target.h"

/* A scan in the making. Zero it, set the first part, call the functions in their order; release always. */
typedef struct scan_job {
    const target *where; /* started */
    input_file *in;      /* no stream if the scan is reverse */
    result_file *out;
    clscan_operator op;
    clscan_form form;
    clscan_direction direction;
    const void *initial;     /* of the accumulator type, for every row; NULL: none */
    initials_file *initials; /* open: one for each row, checked, or segment; NULL: `initial` serves all */
    uint64_t row_count;      /* elements of a row, at least 1; COUNT_UNKNOWN: all elements are one row */
    uint64_t columns;        /* a row is a matrix of so many columns, which are the scans; 1: the row is */
    uint64_t chunk_bytes;    /* largest chunk; 0: no wish */
    bool reproducible;       /* the same bits on every device and with chunks of every size */
    uint64_t measure_ms;     /* to measure at first use; 0: as the environment says */
    scan_maps maps;          /* outputs of another type, and what is done on the way */
    bool offsets;            /* the total follows the outputs of each row; forward, not in place if there are several */
    result_file *sums;       /* of each row, in the order of the file, or segment; NULL: not wanted */
    segment_file *segments;  /* open; one row of known length, without offsets and check; NULL: one segment */
    bool in_place;           /* one buffer for input and output */
    bool check;              /* compare with the serial reference */
    progress_mode progress;

    clscan_plan *plan;
    clscan_plan *segment_plan; /* of whole segments, where these pass in several chunks; else NULL */
    segment_heads heads;       /* the same */
    scan_sums row_sums;        /* or those of segments */
    device_stage stage;
    checker checker;
    offsets_checker lengths; /* where offsets may wrap */
    bool checks_lengths;
    pipeline_times times;
    double total_seconds; /* from the first read to the commit */
} scan_job;

/* Compile the plan and allocate memory, or say what does not fit. */
clscan_status scan_job_prepare(scan_job *job, clscan_error *error);

/* Scan the file and write the output. On failure the output is as before, unless it is written directly. */
clscan_status scan_job_run(scan_job *job, clscan_error *error);

/* Print what was done and how long it took. Where all was one chunk and one row, run it again and again beside copies
 * of the same bytes. */
clscan_status scan_job_report(scan_job *job, FILE *stream, clscan_error *error);

void scan_job_release(scan_job *job);

#endif
