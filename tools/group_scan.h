/* One scan of a file's elements over several devices: blocks of the file in host memory, each spread over the devices
 * by the library. */
#ifndef CLSCAN_TOOLS_GROUP_SCAN_H
#define CLSCAN_TOOLS_GROUP_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <clscan/clscan.h>
#include <clscan/devices.h>

#include "input_file.h"
#include "progress.h"
#include "result_file.h"
#include "scan_maps.h"

/* What is wanted. All elements are one row. */
typedef struct group_scan {
    const char *devices; /* "all", or selectors with commas between; a device may be there twice */
    const char *shares;  /* of the devices: numbers with commas between; NULL: what was measured, or as much for all */
    const char *config;  /* file, or NULL */
    input_file *in;      /* no stream if the scan is reverse */
    result_file *out;
    clscan_operator op;
    clscan_form form;
    clscan_direction direction;
    const void *initial;  /* of the accumulator type; NULL: none */
    uint64_t chunk_bytes; /* largest part of a device; 0: no wish */
    uint64_t measure_ms;
    FILE *measured; /* what that came to is told to; NULL: nothing is */
    bool reproducible;
    bool check; /* compare with the serial reference */
    progress_mode progress;
    scan_maps maps; /* outputs of another type, without expressions */

    uint64_t compared; /* elements, by the check */
} group_scan;

/* Scan the file and write the output. On failure the output is as before, unless it is written directly. The devices
 * and what each does are told to `stream` (NULL: nothing is). */
clscan_status group_scan_run(group_scan *scan, FILE *stream, clscan_error *error);

#endif
