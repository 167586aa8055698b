/* A file's way through the device, or through several: one thread reads, the caller's feeds the device, one writes,
 * each on another chunk. */
#ifndef CLSCAN_TOOLS_PIPELINE_H
#define CLSCAN_TOOLS_PIPELINE_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "check.h"
#include "device_stage.h"
#include "input_file.h"
#include "offsets_check.h"
#include "progress.h"
#include "result_file.h"

/* Scan a chunk from the slot's host_in to its host_out, and wait for that. Chunks come in the order of the scan, to the
 * caller's thread. */
typedef clscan_status pipeline_scan(void *user, slot *s, clscan_error *error);

/* One of several processes, each of which has a part of every chunk: all scan the same chunk at the same time. Those of
 * a process lie anywhere in the file, and may be empty. */
typedef struct pipeline_together {
    /* Where this process's part of a chunk lies in the file, in elements. Returns false behind the last chunk, which is
     * the same one for all. Called by the thread that reads. */
    bool (*place)(void *user, uint64_t chunk, uint64_t *first, uint64_t *count);
    /* All processes say how they fare, and learn whether one has failed, before each chunk and after the last one was
     * written; none calls anything of the others after a failure. Called by the caller's thread. */
    clscan_status (*agree)(void *user, clscan_status status, clscan_error *error);
} pipeline_together;

typedef struct pipeline_parts {
    input_file *in;
    device_stage *stage;
    pipeline_scan *scan; /* instead of the stage's device: of `stage` only the layout and the host memory of slots, and
                            busy_seconds, are used then. NULL: the device */
    const pipeline_together *together; /* with `scan`, whose outcome is the same for all; without `check`, and `out` is
                                          open before. NULL: this process has all */
    void *user;
    result_file *out;
    checker *check;           /* NULL: do not check */
    offsets_checker *offsets; /* forward, where outputs are offsets that may wrap; NULL: they are not */
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

/* Scan the whole file, and open and write the output, but do not commit it. Fails with what went wrong first, together
 * with others as they have agreed; all threads have ended then. */
clscan_status pipeline_run(const pipeline_parts *parts, pipeline_times *times, clscan_error *error);

#endif
