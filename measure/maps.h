/* Scans and reductions between several types, of what expressions make of elements. */
#ifndef CLSCAN_MEASURE_MAPS_H
#define CLSCAN_MEASURE_MAPS_H

#include "measure.h"

/* Read what is combined: a type, or a ready-made accumulator of sums, "compensated_float". */
clscan_status measure_maps_read_accumulator(const char *text, measure_maps *maps, clscan_error *error);

/* Can a problem with maps be measured? An error names the option of clscan-bench that cannot be. */
clscan_status measure_maps_check(const measure_problem *problem, clscan_error *error);

/* Fill the expected output of a case with maps from its input, on the host but for expressions, which the device
 * evaluates for each element alone; and find how many elements may be summed up exactly. */
bool measure_maps_scan(measure_case *c, const void *elements, measure_note *note);

#endif
