/* Text of the kernel files: embedded, or from the folder that CLSCAN_KERNEL_DIR names. */
#ifndef CLSCAN_PROGRAM_SOURCE_H
#define CLSCAN_PROGRAM_SOURCE_H

#include "base/text.h"

/* Append the file `name` ("carries/walk.cl") behind a #line directive, so that compilers report its own lines.
 * CLSCAN_ERROR_FILE if CLSCAN_KERNEL_DIR is set and lacks the file. */
clscan_status clscan__source_append(clscan__text *text, const char *name, clscan_error *error);

#endif
