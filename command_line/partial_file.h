/* The temporary file that becomes an output when it is complete.
 *
 * It is hidden, lies in the folder of the output, where a rename cannot cross a file system, and is locked by the
 * process that writes it. What a process leaves behind that was killed is removed by the next one that makes such a
 * file in the folder. */
#ifndef CLSCAN_COMMAND_LINE_PARTIAL_FILE_H
#define CLSCAN_COMMAND_LINE_PARTIAL_FILE_H

#include <stdbool.h>

#include <clscan/clscan.h>

typedef struct partial_file {
    char *path;     /* NULL: there is none, and the rest does not count */
    int descriptor; /* -1: closed */
    int lock;       /* a duplicate that keeps the lock while `descriptor` is closed and the file renamed */
    bool joined;    /* it is another process's, which names or removes it */
    char *volatile *doomed;
} partial_file;

/* Make one beside `target`, readable and writable by its owner only; `name` is for messages. While it exists, `*doomed`
 * (may be NULL) is its path, for a signal handler that removes it. On failure there is none. */
clscan_status partial_file_create(partial_file *file, const char *target, const char *name, char *volatile *doomed,
                                  clscan_error *error);

/* Open for writing what another process has made, under the same path; `name` is for messages. */
clscan_status partial_file_join(partial_file *file, const char *path, const char *name, clscan_error *error);

/* Let it reach the disk, close it, and give it the name `target`, unless it is another process's. On failure it
 * remains, to be discarded. */
clscan_status partial_file_commit(partial_file *file, const char *target, const char *name, clscan_error *error);

/* Close it, and remove it unless it is another process's. Does nothing after a commit or where there is none. */
void partial_file_discard(partial_file *file);

#endif
