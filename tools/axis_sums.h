/* A reduction along an axis of an array in a file, as numpy.sum(array, axis) makes it, whose values become a file. */
#ifndef CLSCAN_TOOLS_AXIS_SUMS_H
#define CLSCAN_TOOLS_AXIS_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "initials_file.h"
#include "input_file.h"
#include "scan_maps.h"
#include "target.h"

/* Set all but `number`. */
typedef struct axis_sums {
    const target *where; /* started */
    input_file *in;      /* whose number of elements is known */
    scan_maps *maps;     /* without a store map */
    clscan_operator op;  /* of numbers */
    bool reproducible;
    unsigned axis;           /* of the array's dimensions */
    const void *initial;     /* of the accumulator type; NULL: none */
    initials_file *initials; /* open and checked: one for each value; NULL: `initial` serves all */
    uint64_t chunk_bytes;    /* largest chunk; 0: not given */
    const char *sums;        /* name of the file */
    uint64_t number;         /* of values */
} axis_sums;

/* Reduce chunk by chunk, and write the file, which appears under its name when it is complete. */
clscan_status axis_sums_run(axis_sums *job, clscan_error *error);

#endif
