/* One scan of a file's elements, from upload to statistics. */
#ifndef CLSCAN_TOOLS_SCAN_JOB_H
#define CLSCAN_TOOLS_SCAN_JOB_H

#include <stdbool.h>
#include <stdio.h>

#include <clscan/clscan.h>

#include "input_file.h"
#include "output_file.h"
#include "target.h"

/* A scan in the making. Zero it, set the first part, call the functions in their order; release always. */
typedef struct scan_job {
    const target *where; /* started */
    const input_file *in;
    clscan_operator op;
    clscan_form form;
    clscan_direction direction;
    const void *initial; /* of the accumulator type; NULL: none */
    bool in_place;       /* one buffer for input and output */
    bool keep;           /* keep input and output in host memory, for scan_job_check() */

    clscan_plan *plan;
    clscan_workspace *workspace;
    cl_mem in_buffer;
    cl_mem out_buffer; /* in place: in_buffer */
    unsigned char *chunk;
    unsigned char *kept_in;
    unsigned char *kept_out;
} scan_job;

/* Compile the plan and allocate the device's memory, or say what does not fit. */
clscan_status scan_job_prepare(scan_job *job, clscan_error *error);

/* Read the file and scan it. */
clscan_status scan_job_run(const scan_job *job, clscan_error *error);

/* Write the result. */
clscan_status scan_job_write(const scan_job *job, output_file *out, clscan_error *error);

/* Compare what was written with the serial reference; see check_result(). */
clscan_status scan_job_check(const scan_job *job, uint64_t *compared, clscan_error *error);

/* Run again and again beside copies of the same bytes, and print what came out. */
clscan_status scan_job_measure(const scan_job *job, FILE *stream, clscan_error *error);

void scan_job_release(scan_job *job);

#endif
