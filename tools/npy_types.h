/* How .npy headers begin, and what they call the element types. */
#ifndef CLSCAN_TOOLS_NPY_TYPES_H
#define CLSCAN_TOOLS_NPY_TYPES_H

#include <clscan/clscan.h>

#define NPY_MAGIC "\x93NUMPY"
#define NPY_MAGIC_BYTES 6

static const struct {
    const char *code; /* kind and size as NumPy writes them */
    clscan_type type;
} npy_types[] = {
    {"i1", CLSCAN_INT8},  {"u1", CLSCAN_UINT8},  {"i2", CLSCAN_INT16},  {"u2", CLSCAN_UINT16},
    {"i4", CLSCAN_INT32}, {"u4", CLSCAN_UINT32}, {"i8", CLSCAN_INT64},  {"u8", CLSCAN_UINT64},
    {"f2", CLSCAN_HALF},  {"f4", CLSCAN_FLOAT},  {"f8", CLSCAN_DOUBLE},
};

#endif
