/* Comparing outputs of elements that files describe on the device, field by field: padding may hold anything, and
 * floating-point numbers have a tolerance. */
#ifndef CLSCAN_MEASURE_DIFFERENCE_H
#define CLSCAN_MEASURE_DIFFERENCE_H

#include "command_line/description.h"
#include "element.h"
#include "measure.h"

/* Make the kernel, which the caller releases. It sees what measure_element_same() sees, but for the first element of an
 * exclusive scan. */
bool measure_difference_create(const measure_device *device, const measure_element *element, const element_scale *scale,
                               cl_kernel *kernel, measure_note *note);

/* Enqueue a comparison of the first `count` elements; device->found is as after measure_check_enqueue(). */
bool measure_difference_enqueue(const measure_device *device, cl_kernel kernel, cl_mem expected, cl_mem got,
                                uint64_t count, measure_note *note);

#endif
