/* Rows, segments, selections and repetitions, tested on a device with the variants that its plans choose: against
 * serial loops. */
#ifndef CLSCAN_TOOLS_OPERATION_TEST_H
#define CLSCAN_TOOLS_OPERATION_TEST_H

#include <clscan/clscan.h>

#include "target.h"

typedef struct operation_tally {
    unsigned plans, failed, skipped, cases; /* skipped: the device has no such plans */
} operation_tally;

/* Test each operation on elements of a type that the device has. Prints a line for each, and what is wrong to stderr.
 * Adds to *sum. Fails only where the host or the device lacks memory. */
clscan_status operation_test(const target *t, clscan_type type, operation_tally *sum, clscan_error *error);

#endif
