/* Tensors as the kernels for rows and columns take them. Pure. */
#ifndef CLSCAN_ENGINE_COLUMNS_H
#define CLSCAN_ENGINE_COLUMNS_H

#include <stdbool.h>

#include <clscan/rows.h>

#include "base/error.h"
#include "base/places.h"

/* Dimensions besides the axis. */
#define CLSCAN__OTHER_DIMENSIONS (CLSCAN_MOST_DIMENSIONS - 1)

/* How many, and from one to the next: elements in the input and in the output, numbers, and totals where they stand.
 * cl/rows/columns.cl takes just that. */
typedef struct clscan__dimension {
    uint64_t extent, in_stride, out_stride, numbers, total_stride;
} clscan__dimension;

typedef struct clscan__columns {
    bool needed; /* else rows with a pitch say all */
    uint64_t in_step, out_step;
    clscan__dimension
        others[CLSCAN__OTHER_DIMENSIONS]; /* the innermost first; those that are not there have one index */
} clscan__columns;

/* The rows of a run or a plan, taken apart. */
typedef struct clscan__run_rows {
    clscan_rows rows; /* with count and, unless columns are needed, pitches */
    clscan__columns columns;
    uint64_t in_span, out_span; /* elements from the first one to behind the last one */
    uint64_t total_span;        /* the same of totals */
} clscan__run_rows;

/* Take rows of `count` elements apart; `name` is the argument's. */
clscan_status clscan__rows_take_apart(const clscan_rows *given, uint64_t count, const char *name,
                                      clscan__run_rows *taken, clscan_error *error);

/* Do they say where totals stand? */
bool clscan__rows_place_totals(const clscan_rows *rows);

/* What rows have strides of. */
typedef enum clscan__side { CLSCAN__SIDE_IN, CLSCAN__SIDE_OUT, CLSCAN__SIDE_TOTAL } clscan__side;

/* Where the elements of rows of `count`, or their totals, stand, `bytes` each, in memory that has been found to hold
 * them. */
clscan__places clscan__rows_places(const clscan__columns *columns, clscan__side side, uint64_t count, size_t bytes);

#endif
