/* The right answer of scans of rows. */
#ifndef CLSCAN_MEASURE_ROWS_H
#define CLSCAN_MEASURE_ROWS_H

#include <reference.h>

#include "measure.h"

/* What a target holds before a run that is judged, unless it is in place, and so what gaps between rows, or behind what
 * is kept of a column, still hold behind it. */
#define MEASURE_SPOILED_BYTE 0xa5

/* Elements that one and the same index along the axis has side by side; 1: elements of a row lie so. */
uint64_t measure_rows_columns(const clscan_rows *rows);

/* Columns that are gathered together: a line of a cache has several of them. */
#define MEASURE_GATHERED_COLUMNS 64

/* Neighbouring columns between memory where they stand side by side, `step` elements from one index to the next, and
 * memory where each is a row. */
void measure_rows_gather(uint64_t size, uint64_t length, uint64_t step, uint64_t columns, const unsigned char *from,
                         unsigned char *rows);
void measure_rows_scatter(uint64_t size, uint64_t length, uint64_t step, uint64_t columns, const unsigned char *rows,
                          unsigned char *to);

/* Rows of so many elements get outputs of one more, the last of which is the total. */
void measure_rows_place_offsets(clscan_rows *rows, uint64_t length);

/* Elements of the output from the first one of the first row to the total of that. */
uint64_t measure_rows_total_offset(const clscan_rows *rows, uint64_t length);

/* Scan each row of the problem where it stands; a reduction, which has no columns, keeps the last of each, one behind
 * the other. */
bool measure_rows_scan(const measure_problem *problem, const clscan_reference *what, void *elements,
                       measure_note *note);

#endif
