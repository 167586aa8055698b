/* A reduction of each segment of a file, whose results become files. */
#ifndef CLSCAN_TOOLS_SEGMENT_SUMS_H
#define CLSCAN_TOOLS_SEGMENT_SUMS_H

#include <stdint.h>

#include <clscan/clscan.h>

#include "initials_file.h"
#include "input_file.h"
#include "scan_maps.h"
#include "segment_file.h"
#include "target.h"

/* Set all but `number`. */
typedef struct segment_sums {
    const target *where; /* started */
    input_file *in;
    segment_file *segments; /* open */
    scan_maps *maps;
    clscan_operator op;                /* of numbers */
    const void *initial;               /* of the accumulator type; NULL: none */
    initials_file *initials;           /* open: one for each segment; NULL: `initial` serves all */
    uint64_t chunk_bytes;              /* largest chunk; 0: all at once, if the device has room for that */
    const char *sums, *keys, *offsets; /* names of files; NULL: not wanted */
    uint64_t number;                   /* of segments */
} segment_sums;

/* Reduce, and write the files, each of which appears under its name when it is complete. */
clscan_status segment_sums_run(segment_sums *job, clscan_error *error);

#endif
