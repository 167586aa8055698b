/* A file that appears under its name only when it is complete. */
#ifndef CLSCAN_TOOLS_OUTPUT_FILE_H
#define CLSCAN_TOOLS_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>

#include <clscan/clscan.h>

#include "command_line/partial_file.h"
#include "spool.h"

/* Open at once, whose temporary files a signal removes; those of one thread. */
#define OUTPUT_FILES_MOST 16u

typedef struct output_file {
    const char *name;       /* for messages */
    char *target;           /* where it goes, symbolic links followed */
    partial_file temporary; /* beside the target, unless it is written directly */
    int descriptor;         /* of what is written directly; -1: not open */
    spool copy;             /* collects what is written out of order to what is no file */
} output_file;

/* One that is not open: a file that is released before it is opened. */
#define OUTPUT_FILE_CLOSED                            \
    {                                                 \
        .descriptor = -1, .copy = {.descriptor = -1 } \
    }

/* Fail where output_file_open() would, but early; leaves everything as it was. */
clscan_status output_file_probe(const char *name, clscan_error *error);

/* How many bytes there is room for where output_file_open() would make a file; UINT64_MAX: nothing says so, as of what
 * is written directly. A file that is replaced keeps its own until then. */
uint64_t output_file_room_bytes(const char *name);

/* Open `name` for writing ("-": standard output); a file that exists stays as it is until the commit. What exists and
 * is no regular file (a pipe, /dev/null) is written directly, or from a temporary file at the commit if it is not
 * written `in_order`; fails where that has no room for `size_bytes`, 0 if these are not known. Removes the temporary
 * file also when a signal ends the program. On failure nothing is left. io_interrupt() ends the wait for a pipe's
 * reader. */
clscan_status output_file_open(output_file *file, const char *name, bool in_order, uint64_t size_bytes,
                               clscan_error *error);

/* Open for writing at any place what another process has opened: `path` is that of its temporary file. Here the commit
 * only lets it reach the disk and closes it, the other process names or removes it. */
clscan_status output_file_join(output_file *file, const char *name, const char *path, clscan_error *error);

/* Write at a place of the file; a file that was opened `in_order` is written from its begin to its end. */
clscan_status output_file_write(output_file *file, uint64_t at_bytes, const void *data, size_t size_bytes,
                                clscan_error *error);

/* Close the file and give it its name. On failure the temporary file is gone. */
clscan_status output_file_commit(output_file *file, clscan_error *error);

/* Close and remove what is not committed. After a commit or a failed open it does nothing. */
void output_file_discard(output_file *file);

/* Describe what `name` names, standard output included. Returns whether it exists. */
bool output_stat(const char *name, struct stat *about);

#endif
