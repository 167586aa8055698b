/** \file reference/ready.h
 * Ready-made elements (clscan/ready.h) on the host: those whose fields are numbers that a double holds.
 */
#ifndef CLSCAN_REFERENCE_READY_H
#define CLSCAN_REFERENCE_READY_H

#include <clscan/clscan.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLSCAN_READY_MOST_FIELDS 4

/** Combine elements whose fields are doubles here, whatever they are there. The three do not overlap. */
typedef void clscan_ready_combine(const double *left, const double *right, double *sum);

typedef struct clscan_ready_reals {
    const char *fields; /**< a letter each: f float, d double, i int, l long */
    clscan_ready_combine *combine;
} clscan_ready_reals;

/** Static; NULL for those that have wider integers, and for scalars. */
const clscan_ready_reals *clscan_ready_reals_of(clscan_ready ready);

/** Size of an element in memory. */
size_t clscan_ready_bytes(const clscan_ready_reals *of);

/** The fields of an element in memory, and back; long integers up to 2^53. */
void clscan_ready_load(const clscan_ready_reals *of, const void *element, double *fields);
void clscan_ready_store(const clscan_ready_reals *of, void *element, const double *fields);

#ifdef __cplusplus
}
#endif
#endif
