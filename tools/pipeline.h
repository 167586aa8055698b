/* A file's way through the device, or through several: one thread reads, the caller's feeds the device, one writes,
 * each on another chunk. */
#ifndef CLSCAN_TOOLS_PIPELINE_H
#define CLSCAN_TOOLS_PIPELINE_H

#include <stdint.h>

#include <clscan/clscan.h>

#include "check.h"
#include "device_stage.h"
#include "input_file.h"
#include "progress.h"
#include "result_file.h"

/* Scan a chunk from the slot's host_in to its host_out, and wait for that. Chunks come in the order of the scan. */
typedef clscan_status pipeline_scan(void *user, slot *s, clscan_error *error);

typedef struct pipeline_parts {
    input_file *in;
    device_stage *stage;
    pipeline_scan *scan; /* instead of the stage's device: of `stage` only the layout and the host memory of slots, and
                            busy_seconds, are used then. NULL: the device */
    void *user;
    result_file *out;
    checker *check; /* NULL: do not check */
    progress *progress;
} pipeline_parts;

/* What the parts were busy with; what they waited for each other does not count. */
typedef struct pipeline_times {
    uint64_t chunks;
    double read_seconds;
    double device_seconds;
    double check_seconds;
    double write_seconds;
} pipeline_times;

/* Scan the whole file, and open and write the output, but do not commit it. Fails with what went wrong first; all
 * threads have ended then. */
clscan_status pipeline_run(const pipeline_parts *parts, pipeline_times *times, clscan_error *error);

#endif
