/* A file that all ranks have open, each of which reads or writes a part of its own, by MPI's parallel I/O. */
#ifndef CLSCAN_MPI_TOOLS_SHARED_FILE_H
#define CLSCAN_MPI_TOOLS_SHARED_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "ranks.h"

typedef struct shared_file {
    const char *name; /* for messages */
    MPI_File file;    /* MPI_FILE_NULL: not open */
} shared_file;

/* Collective: open `path` for reading, or what exists there for writing. All ranks agree on the outcome. */
clscan_status shared_file_open(shared_file *file, const ranks *r, const char *path, const char *name, bool writes,
                               clscan_error *error);

/* Move bytes between the file, from `at_bytes` on, and the beginning of a buffer, in pieces that pass through the host.
 * Not collective. */
clscan_status shared_file_read(const shared_file *file, uint64_t at_bytes, uint64_t size_bytes, cl_command_queue queue,
                               cl_mem buffer, clscan_error *error);
clscan_status shared_file_write(const shared_file *file, uint64_t at_bytes, uint64_t size_bytes, cl_command_queue queue,
                                cl_mem buffer, clscan_error *error);

/* Collective: close it, after what was written has reached the file. Does nothing if it is not open. */
clscan_status shared_file_close(shared_file *file, const ranks *r, clscan_error *error);

#endif
