/* Files that are named on the command line, to be read. */
#ifndef CLSCAN_COMMAND_LINE_NAMED_FILE_H
#define CLSCAN_COMMAND_LINE_NAMED_FILE_H

#include <jansson.h>

#include <clscan/clscan.h>

/* Open a regular file. Anything else is CLSCAN_ERROR_FILE at once, where it would keep a reader waiting, too: a FIFO, a
 * terminal. The caller closes *descriptor. */
clscan_status named_file_open(const char *path, int *descriptor, clscan_error *error);

/* Read the text of such a file, of `most_bytes` at most, which the caller frees; a terminator stands behind it. */
clscan_status named_file_text(const char *path, size_t most_bytes, char **text, size_t *size_bytes,
                              clscan_error *error);

/* Read a JSON document of such a file; the caller's. CLSCAN_ERROR_FILE also says where it is not JSON. */
clscan_status named_file_json(const char *path, json_t **document, clscan_error *error);

#endif
