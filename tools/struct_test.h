/* Structs and vectors, tested on a device: variants that the configs choose for them, against serial scans. */
#ifndef CLSCAN_TOOLS_STRUCT_TEST_H
#define CLSCAN_TOOLS_STRUCT_TEST_H

#include <stdbool.h>

#include <clscan/clscan.h>

#include "measure/element.h"
#include "target.h"
#include "variant_test.h"

/* A scan of an element, less its max_count. */
typedef struct struct_scan {
    const measure_element *element;
    clscan_form form;
    clscan_direction direction;
} struct_scan;

/* The problem for the library. */
clscan_problem struct_problem(const struct_scan *scan);

/* As variant_test(). The reference of vectors is a loop on the host, that of structs one on the device, which shares
 * nothing with the library (measure/serial.h). */
variant_verdict struct_test(const target *t, const struct_scan *scan, const variant_use *use, bool quick,
                            unsigned *cases);

#endif
