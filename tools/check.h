/* Is a result right? Against the serial reference, elements in host memory. */
#ifndef CLSCAN_TOOLS_CHECK_H
#define CLSCAN_TOOLS_CHECK_H

#include <stdint.h>

#include <clscan/clscan.h>

typedef struct check_job {
    clscan_type type;
    clscan_operator op; /* not CLSCAN_CUSTOM */
    clscan_form form;
    clscan_direction direction;
    const void *initial; /* of the accumulator type; NULL: none */
    const void *in;
    const void *got;
    uint64_t count;
} check_job;

/* Integers, min and max must agree exactly. Sums and products of floating-point numbers depend on the
 * grouping of the operands; they must agree within the error bound that holds for every grouping. From where
 * on some grouping could overflow or underflow nothing can be said; `compared` receives how many elements
 * were compared. Fails with the first wrong element. */
clscan_status check_result(const check_job *job, uint64_t *compared, clscan_error *error);

#endif
