/* NumPy's .npy headers, versions 1 to 3: pure functions on memory. */
#ifndef CLSCAN_TOOLS_NPY_H
#define CLSCAN_TOOLS_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

/* The first bytes of a file tell how long its header is. */
#define NPY_PREFIX_BYTES 12

/* Longest header that is read. NumPy's own fit 128 bytes, structured types aside. */
#define NPY_MAX_HEADER_BYTES (1u << 20)

/* NumPy 2's own limit. */
#define NPY_MAX_DIMENSIONS 64

/* Longest description of an element type that is read, and its terminator; the most fields of one. */
#define NPY_DESCR_BYTES 1024
#define NPY_MAX_FIELDS 16

/* Longest name of a field that is kept, and its terminator. */
#define NPY_NAME_BYTES 32

/* Room that every header made here fits: 64 dimensions of 20 digits, and a description. */
#define NPY_RENDERED_BYTES 2624

/* The headers of all one-dimensional arrays of numbers made here have this length, whatever their count. Those of
 * records and of more dimensions may be longer, but none depends on the extent of the first dimension. */
#define NPY_RENDERED_1D_BYTES 128

typedef struct npy_header {
    clscan_type type;                           /* CLSCAN_TYPE_COUNT: another one */
    clscan_type fields[NPY_MAX_FIELDS];         /* of an element, in the order of memory; of a number itself */
    char names[NPY_MAX_FIELDS][NPY_NAME_BYTES]; /* "": it has none, or a longer one */
    size_t offset_bytes[NPY_MAX_FIELDS];
    unsigned field_count; /* 0: an element is only known to have so many bytes */
    bool is_boolean;      /* some are 0 and 1; their type is uint8 */
    size_t element_bytes;
    char descr[NPY_DESCR_BYTES];        /* the type as it stands in the header */
    unsigned dimensions;                /* 0: a scalar */
    uint64_t shape[NPY_MAX_DIMENSIONS]; /* elements along the last dimension are neighbours in memory */
    bool fortran;          /* the array has these dimensions the other way round, which makes a difference */
    uint64_t count;        /* elements; count times the element size does not overflow */
    uint64_t header_bytes; /* where the elements begin */
} npy_header;

/* Do these first bytes of a file, NPY_PREFIX_BYTES or all that it has, begin a .npy file? */
bool npy_begins(const void *data, size_t data_bytes);

/* Length of the whole header, magic included, from at least its first NPY_PREFIX_BYTES bytes (fewer only
 * where the file is shorter). Fails with CLSCAN_ERROR_FILE and the reason; the caller adds the file's
 * name. */
clscan_status npy_header_bytes(const void *data, size_t data_bytes, size_t *header_bytes, clscan_error *error);

/* Read a header. `data` holds at least npy_header_bytes() bytes, else the header is reported as truncated.
 * Accepts little-endian arrays of clscan's types. */
clscan_status npy_parse(const void *data, size_t data_bytes, npy_header *header, clscan_error *error);

/* The same, also of booleans, which are uint8 then: 0 and 1. */
clscan_status npy_parse_marks(const void *data, size_t data_bytes, npy_header *header, clscan_error *error);

/* As npy_parse(), also of structured types whose fields are clscan's, with padding as NumPy's align=True makes it, and
 * of complex numbers. */
clscan_status npy_parse_records(const void *data, size_t data_bytes, npy_header *header, clscan_error *error);

/* As npy_parse_records(), and of booleans. */
clscan_status npy_parse_keys(const void *data, size_t data_bytes, npy_header *header, clscan_error *error);

/* As npy_parse_keys(), and of all types whose elements have a fixed number of bytes, which is all that is read of types
 * that are none of these: strings, dates, structs in structs, big-endian numbers. */
clscan_status npy_parse_moved(const void *data, size_t data_bytes, npy_header *header, clscan_error *error);

/* What headers call a type, "<i4". `code` has at least 4 bytes. */
void npy_code(clscan_type type, char *code);

/* Write the header of an array of at most NPY_MAX_DIMENSIONS dimensions, version 1.0, padded so that the elements
 * are aligned to 64 bytes. `shape` and `fortran` are as of npy_header. Returns its length. */
size_t npy_render(clscan_type type, const uint64_t *shape, unsigned dimensions, bool fortran,
                  char text[NPY_RENDERED_BYTES]);

/* The same of elements whose type is described so, as npy_header.descr is. */
size_t npy_render_records(const char *descr, const uint64_t *shape, unsigned dimensions, bool fortran,
                          char text[NPY_RENDERED_BYTES]);

/* Do C and Fortran order differ for this shape? Where at most one dimension is longer than 1, or one is 0, NumPy writes
 * arrays as of C order, whatever they are. */
bool npy_orders_differ(const uint64_t *shape, unsigned dimensions);

/* "(3, 7)", as Python writes a shape, as far as there is room. Returns its length, or what it would be. */
size_t npy_print_shape(const uint64_t *shape, unsigned dimensions, bool fortran, char *text, size_t capacity_bytes);

#endif
