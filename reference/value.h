/* What the reference's files share: the types that values have, and their loads and stores. */
#ifndef CLSCAN_REFERENCE_VALUE_H
#define CLSCAN_REFERENCE_VALUE_H

#include <stdint.h>
#include <string.h>

#include "reference.h"

/*    member   enum    OpenCL C  bits of half a word, for the packed sample operator */
/* clang-format off */
#define SIGNED_TYPES(X)   X(int8, INT8, "char") X(int16, INT16, "short") X(int32, INT32, "int") \
                          X(int64, INT64, "long")
#define UNSIGNED_TYPES(X) X(uint8, UINT8, "uchar") X(uint16, UINT16, "ushort") \
                          X(uint32, UINT32, "uint") X(uint64, UINT64, "ulong")
#define INTEGER_TYPES(X)  SIGNED_TYPES(X) UNSIGNED_TYPES(X)
#define FLOATING_TYPES(X) X(float32, FLOAT, "float") X(float64, DOUBLE, "double")
/* clang-format on */

/* Load and store of elements of `size` bytes: every member of the union starts at its first byte. */
static inline clscan_value load(clscan_type type, size_t size, const void *element)
{
    clscan_value value = {.bits = 0};
    if (type == CLSCAN_HALF) {
        uint16_t half;
        memcpy(&half, element, sizeof half);
        value.float32 = clscan_half_to_float(half);
    } else {
        memcpy(&value, element, size);
    }
    return value;
}

static inline void store(clscan_type type, size_t size, clscan_value value, void *element)
{
    if (type == CLSCAN_HALF) {
        const uint16_t half = clscan_half_from_float(value.float32);
        memcpy(element, &half, sizeof half);
    } else {
        memcpy(element, &value, size);
    }
}

#endif
