/* Is a result right? Numbers against the serial reference, with maps around it; structs against a serial scan on the
 * device. Chunk by chunk, elements in host memory. */
#ifndef CLSCAN_TOOLS_CHECK_H
#define CLSCAN_TOOLS_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "check_maps.h"
#include "check_structs.h"
#include "chunks.h"
#include "initials_file.h"
#include "reference/reference.h"

/* What is known about all groupings of the operands of a row so far, in the order of the scan. */
typedef struct error_bound {
    bool is_open;      /* some grouping may have left the range of the type, or outputs tell nothing of sums */
    double operations; /* roundings in the longest chain */
    double magnitude;  /* add: sum of |x|, which bounds every partial sum */
    double exponents;  /* mul: sum of |log2 |x||, which bounds the exponent of every partial product */
} error_bound;

/* What is known about the outputs of a store map, of a row so far. */
typedef struct stored_outputs {
    bool tell_nothing; /* of sums, from here on */
    double largest;    /* |output| */
} stored_outputs;

/* Set the first part, zero the rest. */
typedef struct checker {
    clscan_type type;   /* of outputs, and without maps of elements */
    clscan_operator op; /* not CLSCAN_CUSTOM */
    clscan_form form;
    row_layout rows;
    bool totals;                   /* behind the outputs of each row; forward, and without a store map */
    const void *initial;           /* of the accumulator type; NULL: none */
    const initials_file *initials; /* loaded: one for each row; NULL: `initial` serves all */
    struct_checker structs;        /* its first part; with a type there, the first two above say nothing */
    map_checker maps;              /* its first part; with maps there, elements are of another type */

    uint64_t compared; /* elements */
    bool has_carry;
    clscan_value carry;
    error_bound bound;
    stored_outputs stored;
    unsigned char *expected;
} checker;

/* Check the chunk with the positions begin .. begin + count - 1: `in` points to its elements in memory order, `got` to
 * their outputs, with the totals of rows that end there. Chunks come in the order of the scan.
 *
 * Integers, min and max must agree exactly. Sums and products of floating-point numbers depend on the
 * grouping of the operands; they must agree within the error bound that holds for every grouping. From where
 * on some grouping could overflow or underflow nothing can be said; `compared` tells how many elements
 * were compared. A store map is applied to the reference's sum, and to the smallest and the largest sums within
 * its bound: the result must lie among these outputs, or about as near. Where they are far apart, as the sines of large
 * sums are, nothing can be said from there on, either. Fails with the first wrong element. */
clscan_status check_chunk(checker *c, const void *in, const void *got, uint64_t begin, uint64_t count,
                          clscan_error *error);

/* Check the total of a row of numbers whose elements were the last to be checked, the file's row `row`. */
clscan_status check_total(const checker *c, const void *got, uint64_t row, clscan_error *error);

void check_release(checker *c);

#endif
