/* Is a result of structs right? Against a serial scan on the device, compiled from the operator alone
 * (measure/serial.h), piece by piece, elements in host memory. */
#ifndef CLSCAN_TOOLS_CHECK_STRUCTS_H
#define CLSCAN_TOOLS_CHECK_STRUCTS_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "command_line/description.h"
#include "measure/serial.h"

/* Set the first part, zero the rest. */
typedef struct struct_checker {
    const element_description *type; /* NULL: elements are no structs */
    cl_context context;
    cl_device_id device;

    bool is_ready;
    measure_serial serial;
    cl_mem in, out;
    unsigned char *expected;
    element_scale scale; /* of what was compared since the scan began */
} struct_checker;

/* Check the next elements, as check_chunk() says. `begins`: those are the first of a scan with this initial value, or
 * NULL. Integers must agree exactly, floating-point numbers within their tolerance (element_same()). */
clscan_status check_structs(struct_checker *c, clscan_form form, clscan_direction direction, bool begins,
                            const void *initial, const void *in, const void *got, uint64_t first, uint64_t count,
                            clscan_error *error);

void check_structs_release(struct_checker *c);

#endif
