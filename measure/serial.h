/* Scans of elements whose operator the host does not have: by kernels that are compiled from the element's and the
 * operator's source alone, and share nothing with the library's. Each work-item goes through a block of elements one
 * after the other, and one work-item through the totals of blocks; none waits for another. */
#ifndef CLSCAN_MEASURE_SERIAL_H
#define CLSCAN_MEASURE_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "measure.h"

/* Set the first part and zero the rest. */
typedef struct measure_serial {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue; /* in order */
    const clscan_element *element;
    const clscan_custom_operator *custom;
    clscan_form form;
    clscan_direction direction;

    cl_program program;
    cl_kernel sum, carry_on, scan, loop;
    cl_mem carry;         /* all elements before the next piece, and the initial value */
    cl_mem sums;          /* of the blocks of a piece */
    uint64_t most_blocks; /* that these have room for */
    bool has_carry;
} measure_serial;

/* Compile. On failure, too, release it. */
bool measure_serial_prepare(measure_serial *serial, measure_note *note);

/* A scan begins, with an initial value or NULL. */
bool measure_serial_begin(measure_serial *serial, const void *initial, measure_note *note);

/* Scan the next `count` elements in the order of the scan, which begin at `first` in `in` and, apart, at 0 in `out`;
 * they are `count` in the order of memory. Enqueued. What an exclusive scan has first without initial value is the
 * identity, or without one nothing that is looked at. */
bool measure_serial_next(measure_serial *serial, cl_mem in, uint64_t first, uint64_t count, cl_mem out,
                         measure_note *note);

/* All `count` elements, 1 or more, by one work-item in one go, as a loop on the host would. Enqueued. */
bool measure_serial_loop(measure_serial *serial, cl_mem in, uint64_t count, cl_mem out, cl_event *event,
                         measure_note *note);

void measure_serial_release(measure_serial *serial);

#endif
