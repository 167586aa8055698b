/* Element types as kernels see them. */
#ifndef CLSCAN_ELEMENT_TYPES_H
#define CLSCAN_ELEMENT_TYPES_H

#include <stdbool.h>

#include <clscan/types.h>

bool clscan__type_is_valid(clscan_type type);
bool clscan__type_is_floating(clscan_type type); /* half, float, double */
bool clscan__type_is_signed(clscan_type type);   /* signed integers */

/* "char" for CLSCAN_INT8; "half" for CLSCAN_HALF. */
const char *clscan__type_cl_name(clscan_type type);

/* Size of what travels between work-items for elements of this type: of its accumulator. */
size_t clscan__type_sum_bytes(clscan_type type);

/* A type of the caller's, as kernels see it: a struct, or a vector of OpenCL C. */
typedef struct clscan__custom_type {
    const char *name;   /* in OpenCL C */
    const char *source; /* OpenCL C that declares it; "" for a type of the language */
    size_t size_bytes;  /* 1 to CLSCAN__MOST_SUM_BYTES */
    size_t align_bytes;
} clscan__custom_type;

/* What travels between work-items has no more bytes. */
#define CLSCAN__MOST_SUM_BYTES 64u

/* Unsigned OpenCL C type of that many bytes: "uchar", "ushort", "uint", "ulong". */
const char *clscan__unsigned_cl_name(size_t size_bytes);

#endif
