/* Temporary files without a name, which vanish with the process. */
#ifndef CLSCAN_TOOLS_SPOOL_H
#define CLSCAN_TOOLS_SPOOL_H

#include <stdint.h>

#include <clscan/clscan.h>

#include "progress.h"

typedef struct spool {
    int descriptor; /* -1: not open */
    char name[256]; /* "FOLDER (temporary file)", for messages; the folder is $TMPDIR or /tmp */
} spool;

/* Open one for reading and writing. Fails at once where its folder has no room for `needed_bytes`; 0: nobody knows how
 * many there will be. */
clscan_status spool_open(spool *s, uint64_t needed_bytes, clscan_error *error);

/* How many bytes there is room for in a folder, or beside a file; UINT64_MAX: nothing says so. */
uint64_t folder_room_bytes(const char *path);

/* Copy bytes to where `to` was written last, until `from` ends; `from_bytes` as in read_all(). `shown` may be NULL. */
clscan_status copy_rest(int from, const char *from_name, uint64_t from_bytes, int to, const char *to_name,
                        progress *shown, uint64_t *copied_bytes, clscan_error *error);

#endif
