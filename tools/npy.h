/* NumPy's .npy headers, versions 1 to 3: pure functions on memory. */
#ifndef CLSCAN_TOOLS_NPY_H
#define CLSCAN_TOOLS_NPY_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

/* The first bytes of a file tell how long its header is. */
#define NPY_PREFIX_BYTES 12

/* Longest header that is read. NumPy's own fit 128 bytes, structured types aside. */
#define NPY_MAX_HEADER_BYTES (1u << 20)

/* Room that every header made here fits. */
#define NPY_RENDERED_BYTES 128

typedef struct npy_header {
    clscan_type type;
    uint64_t count;        /* elements; count times the element size does not overflow */
    uint64_t header_bytes; /* where the elements begin */
} npy_header;

/* Length of the whole header, magic included, from at least its first NPY_PREFIX_BYTES bytes (fewer only
 * where the file is shorter). Fails with CLSCAN_ERROR_FILE and the reason; the caller adds the file's
 * name. */
clscan_status npy_header_bytes(const void *data, size_t data_bytes, size_t *header_bytes, clscan_error *error);

/* Read a header. `data` holds at least npy_header_bytes() bytes, else the header is reported as truncated.
 * Accepts one-dimensional little-endian arrays of clscan's types, in C order. */
clscan_status npy_parse(const void *data, size_t data_bytes, npy_header *header, clscan_error *error);

/* Write the header of a one-dimensional array, version 1.0, padded so that the elements are aligned to 64
 * bytes. Returns its length. */
size_t npy_render(clscan_type type, uint64_t count, char text[NPY_RENDERED_BYTES]);

#endif
