/* A file that appears under its name only when it is complete. */
#ifndef CLSCAN_TOOLS_OUTPUT_FILE_H
#define CLSCAN_TOOLS_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/stat.h>

#include <clscan/clscan.h>

typedef struct output_file {
    const char *name; /* as the user wrote it */
    char *target;     /* where it goes, symbolic links followed */
    char *temporary;  /* beside the target; NULL when writing directly */
    int descriptor;   /* -1: not open */
} output_file;

/* Fail where output_file_open() would, but early; leaves everything as it was. */
clscan_status output_file_probe(const char *name, clscan_error *error);

/* Open `name` for writing; a file that exists stays as it is until the commit. What exists and is no regular
 * file (a pipe, /dev/null) is written directly. Removes the temporary file also when a signal ends the
 * program; one output file at a time. On failure nothing is left. */
clscan_status output_file_open(output_file *file, const char *name, clscan_error *error);

clscan_status output_file_write(output_file *file, const void *data, size_t size_bytes, clscan_error *error);

/* Close the file and give it its name. On failure the temporary file is gone. */
clscan_status output_file_commit(output_file *file, clscan_error *error);

/* Close and remove what is not committed. After a commit or a failed open it does nothing. */
void output_file_discard(output_file *file);

/* Is what `name` names (if it exists) the same file as `about`? */
bool output_is_file(const char *name, const struct stat *about);

#endif
