/* Files that describe an element type of the user's with its operator (docs/element-files.md). */
#ifndef CLSCAN_COMMAND_LINE_ELEMENT_FILE_H
#define CLSCAN_COMMAND_LINE_ELEMENT_FILE_H

#include "description.h"

#define ELEMENT_FILE_MOST_BYTES (64u << 10)
#define ELEMENT_FILE_VERSION 1
#define ELEMENT_MOST_FILES 64u /* different ones, of a process */

/* Read such a file. CLSCAN_ERROR_FILE where it cannot be read; else errors of config files, with the place. */
clscan_status element_file_read(const char *path, const element_description **found, clscan_error *error);

/* The same of its text, and of what jansson made of that. `source` names it in messages. The same document gives the
 * same description each time. */
clscan_status element_file_parse(const char *text, size_t text_bytes, const char *source,
                                 const element_description **found, clscan_error *error);
clscan_status element_file_from_json(const json_t *document, const char *source, const element_description **found,
                                     clscan_error *error);

#endif
