/* Comparing outputs on the device: reading large ones back would take much longer than scanning them. */
#ifndef CLSCAN_MEASURE_CHECK_H
#define CLSCAN_MEASURE_CHECK_H

#include "measure.h"

typedef struct measure_check {
    cl_kernel kernel;
    cl_mem expected; /* the case's expected output */
    cl_mem found;    /* not 0 once a difference was seen */
} measure_check;

/* For `c` and its prefixes, which have no offsets. Overwrites the target, to prove that differences are seen and
 * equality as well. On failure nothing needs to be destroyed. */
bool measure_check_create(const measure_case *c, measure_check *check, measure_note *note);
void measure_check_destroy(measure_check *check);

/* Enqueue a comparison of the target with the expected output, bit for bit. */
bool measure_check_enqueue(const measure_check *check, const measure_case *c, measure_note *note);

/* Wait, and say whether all comparisons since the last time found the same. */
bool measure_check_read(const measure_check *check, const measure_case *c, bool *same, measure_note *note);

#endif
