/* Have offsets that come of lengths wrapped, or is a length negative? In host memory, chunk by chunk. */
#ifndef CLSCAN_TOOLS_OFFSETS_CHECK_H
#define CLSCAN_TOOLS_OFFSETS_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/clscan.h>

/* Set the first part, zero the rest. */
typedef struct offsets_checker {
    const char *name; /* of the lengths, for messages */
    clscan_type in;
    clscan_type out;
    bool maps; /* lengths are no elements, but what an expression makes of them */

    bool begun;
    uint64_t latest, latest_length; /* 64 bits of each */
    uint64_t count;                 /* offsets so far */
} offsets_checker;

/* Can anything be seen? Sums of floating-point numbers do not wrap; what an expression makes is only known to be no
 * negative length where offsets have no sign. */
bool offsets_check_sees(clscan_type in, clscan_type out, clscan_operator op, bool maps);

/* Are the elements of the input looked at? */
bool offsets_check_reads(const offsets_checker *c);

/* The next `count` offsets at `got`, in order, and as many elements at `in`, of which each is to lie between an offset
 * and the next, and not to be negative. Fails with the first offset for which that is not so. */
clscan_status offsets_check(offsets_checker *c, const void *in, const void *got, uint64_t count, clscan_error *error);

/* The same of matrices, each of `count` rows of offsets and one of totals, in whose columns offsets follow each other.
 * Lengths have no total. */
clscan_status offsets_check_matrices(offsets_checker *c, const void *in, const void *got, uint64_t matrices,
                                     uint64_t count, uint64_t columns, clscan_error *error);

/* The last offset of a row, which has no element: the total. What follows is of another row. */
clscan_status offsets_check_total(offsets_checker *c, const void *total, clscan_error *error);

#endif
