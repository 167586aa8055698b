/* Device time of a scan, beside copies of the same bytes. */
#ifndef CLSCAN_TOOLS_MEASURE_H
#define CLSCAN_TOOLS_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

/* Most turns that are measured. */
#define MEASURE_TURNS 21

/* Less than this is not worth a measurement. */
#define MEASURE_MIN_BYTES 1024

typedef struct measure_setup {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue; /* in order, with profiling, idle */
    const clscan_plan *plan;
    clscan_workspace *workspace;
    const clscan_run_args *args; /* runs again and again; in place it scans its own results */
    uint64_t data_bytes;         /* bytes of the input; at least MEASURE_MIN_BYTES */
    int several_launches;        /* the scan's event covers only the last of its launches */
} measure_setup;

typedef struct measurement {
    unsigned turns;
    bool on_host;          /* by the host's clock, because the device's profiling times make no sense */
    double scan_seconds;   /* median */
    double copy_seconds;   /* median of the faster copy */
    const char *copy_name; /* which copy that was */
} measurement;

/* Scan, buffer copy and copy kernel in turns, for about two seconds. Overwrites the output; where input and
 * output are the same buffer, its halves. */
clscan_status measure_scan(const measure_setup *setup, measurement *result, clscan_error *error);

/* The monotonic clock. */
double now_seconds(void);

/* Median; reorders `values`. `count` is at least 1. */
double median(double *values, size_t count);

#endif
