/* Kernels that go over all of a buffer, in any size: fill, differ. */
#ifndef CLSCAN_MEASURE_SWEEP_H
#define CLSCAN_MEASURE_SWEEP_H

#include "measure.h"

/* Set the last four arguments of `kernel`, which say how its work-items share `bytes` bytes, and enqueue it.
 * `arguments` come before them, and are set. */
bool measure_sweep(const measure_device *device, cl_kernel kernel, cl_uint arguments, uint64_t bytes,
                   measure_note *note);

/* The same of so many units of any size, all of which come to `whole`, the first of those four arguments. */
bool measure_sweep_units(const measure_device *device, cl_kernel kernel, cl_uint arguments, uint64_t whole,
                         uint64_t units, measure_note *note);

#endif
