/* Is a file right that others have written? It is compared with the serial reference. */
#ifndef CLSCAN_TOOLS_FILE_CHECK_H
#define CLSCAN_TOOLS_FILE_CHECK_H

#include <stdint.h>

#include "check.h"

/* Elements in a file. */
typedef struct file_elements {
    const char *path;
    const char *name; /* for messages */
    uint64_t offset_bytes;
} file_elements;

/* Check the elements of `out` against those of `in`, without maps and totals, block by block in the order of the scan.
 * The checker says how many there are. */
clscan_status file_check(checker *check, const file_elements *in, const file_elements *out, clscan_error *error);

#endif
