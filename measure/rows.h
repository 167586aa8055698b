/* The right answer of scans of rows. */
#ifndef CLSCAN_MEASURE_ROWS_H
#define CLSCAN_MEASURE_ROWS_H

#include <reference.h>

#include "measure.h"

/* What a target holds before a run that is judged, unless it is in place, and so what gaps between rows, or behind what
 * is kept of a column, still hold behind it. */
#define MEASURE_SPOILED_BYTE 0xa5

/* Scan each row of the problem where it stands; a reduction, which has no columns, keeps the last of each, one behind
 * the other. */
bool measure_rows_scan(const measure_problem *problem, const clscan_reference *what, void *elements,
                       measure_note *note);

#endif
