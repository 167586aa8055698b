/* Whether a file or folder is what it was when it was read. */
#ifndef CLSCAN_BASE_STAMP_H
#define CLSCAN_BASE_STAMP_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

typedef struct clscan__stamp {
    bool exists;
    dev_t device;
    ino_t inode;
    off_t size_bytes;
    struct timespec modified, changed;
} clscan__stamp;

/* Look before reading, so that a change meanwhile shows later. */
clscan__stamp clscan__stamp_of(const char *path);
bool clscan__stamp_equal(const clscan__stamp *left, const clscan__stamp *right);

/* Did the last change happen long enough before `now` that a later one must show? */
bool clscan__stamp_is_settled(const clscan__stamp *stamp, time_t now);

#endif
