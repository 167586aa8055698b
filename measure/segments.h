/* Segments of a case: lengths from 1 to twice the mean, as one likes. */
#ifndef CLSCAN_MEASURE_SEGMENTS_H
#define CLSCAN_MEASURE_SEGMENTS_H

#include <reference.h>

#include "measure.h"

/* Write where segments of the case begin to a buffer of its own, and make expected, which is the input, the answer. */
bool measure_segments_fill(measure_case *c, const clscan_reference *what, measure_note *note);

#endif
