/* Device time of the scan of a file, beside copies of the same bytes: with the plan, the workspace and the buffers that
 * are there anyway. Contenders of the module measure/ bring data of their own. */
#ifndef CLSCAN_TOOLS_SCAN_TIMING_H
#define CLSCAN_TOOLS_SCAN_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

/* Less than this is not worth a measurement. */
#define SCAN_TIMING_MIN_BYTES 1024

typedef struct scan_timing_setup {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue; /* in order, with profiling, idle */
    const clscan_plan *plan;
    clscan_workspace *workspace;
    const clscan_run_args *args; /* runs again and again; in place it scans its own results */
    uint64_t data_bytes;         /* bytes of the input; at least SCAN_TIMING_MIN_BYTES */
    int several_launches;        /* the scan's event covers only the last of its launches */
} scan_timing_setup;

typedef struct scan_timing {
    unsigned turns;
    bool on_host;          /* by the host's clock, because the device's profiling times make no sense */
    double scan_seconds;   /* median */
    double copy_seconds;   /* median of the faster copy */
    const char *copy_name; /* which copy that was */
} scan_timing;

/* Scan, buffer copy and copy kernel in turns, for about two seconds. Overwrites the output; where input and
 * output are the same buffer, its halves. */
clscan_status scan_timing_take(const scan_timing_setup *setup, scan_timing *result, clscan_error *error);

#endif
