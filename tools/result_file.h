/* What the scan writes: raw elements or a .npy file. */
#ifndef CLSCAN_TOOLS_RESULT_FILE_H
#define CLSCAN_TOOLS_RESULT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "chunks.h"
#include "npy.h"
#include "output_file.h"

/* Set the first part, then call the functions in their order. */
typedef struct result_file {
    const char *name; /* "-": standard output */
    bool is_npy;
    clscan_type type;
    const char *descr; /* of records, as .npy headers write it; NULL: elements are numbers of `type` */
    unsigned dimensions;
    uint64_t shape[NPY_MAX_DIMENSIONS]; /* the first one COUNT_UNKNOWN: the commit says it */
    bool fortran;                       /* as of npy_header, like the shape */
    uint64_t size_bytes;                /* of all elements, where they are written out of order; 0: not known */

    output_file file;
    uint64_t header_bytes;
} result_file;

/* Open the file and write its header. `in_order` promises that the elements will be. */
clscan_status result_file_open(result_file *r, bool in_order, clscan_error *error);

/* Open what another process has opened: the path of its temporary file, and how long its header is. See
 * output_file_join(). */
clscan_status result_file_join(result_file *r, const char *path, uint64_t header_bytes, clscan_error *error);

/* Write elements that begin `at_bytes` after the first. */
clscan_status result_file_write(result_file *r, uint64_t at_bytes, const void *data, size_t size_bytes,
                                clscan_error *error);

/* Complete the file of `count` elements. On failure it is gone. */
clscan_status result_file_commit(result_file *r, uint64_t count, clscan_error *error);

#endif
