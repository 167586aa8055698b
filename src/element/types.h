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

/* Unsigned OpenCL C type of that many bytes: "uchar", "ushort", "uint", "ulong". */
const char *clscan__unsigned_cl_name(size_t size_bytes);

#endif
