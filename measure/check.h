/* Comparing buffers on the device: reading large ones back takes much longer than scanning them. */
#ifndef CLSCAN_MEASURE_CHECK_H
#define CLSCAN_MEASURE_CHECK_H

#include "measure.h"

/* Prove on all of the source and the target of `c` that differences are seen and equality as well; `note` says so where
 * they are not. Overwrites the target. False with the reason in `note` if a call failed. */
bool measure_check_prove(const measure_case *c, bool *proven, measure_note *note);

/* Enqueue a comparison of the first `bytes` of two buffers, bit for bit. */
bool measure_check_enqueue(const measure_device *device, cl_mem a, cl_mem b, uint64_t bytes, measure_note *note);

/* Enqueue a comparison of the target's first elements, as many as the output has, with what they must be: bit for bit,
 * or of elements that files describe as these say. */
bool measure_check_outputs(const measure_case *c, cl_mem expected, measure_note *note);

/* Wait, and say whether all comparisons since the last time found the same. */
bool measure_check_read(const measure_device *device, bool *same, measure_note *note);

#endif
