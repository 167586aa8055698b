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

/* Check `count` elements of `out` against those of `in`, block by block in the order of the scan. Each `row_count` of
 * them are a scan of their own. */
clscan_status file_check(checker *check, const file_elements *in, const file_elements *out, uint64_t count,
                         uint64_t row_count, clscan_error *error);

#endif
