#include "base/stamp.h"

/* A file that changes twice within a tick of the file system's clock may look the same after both. */
#define SETTLED_S 2

clscan__stamp clscan__stamp_of(const char *path)
{
    struct stat about;

    if (stat(path, &about) != 0)
        return (clscan__stamp){0};
    return (clscan__stamp){true, about.st_dev, about.st_ino, about.st_size, about.st_mtim, about.st_ctim};
}

static bool same_time(const struct timespec *left, const struct timespec *right)
{
    return left->tv_sec == right->tv_sec && left->tv_nsec == right->tv_nsec;
}

bool clscan__stamp_equal(const clscan__stamp *left, const clscan__stamp *right)
{
    return left->exists == right->exists && left->device == right->device && left->inode == right->inode &&
           left->size_bytes == right->size_bytes && same_time(&left->modified, &right->modified) &&
           same_time(&left->changed, &right->changed);
}

bool clscan__stamp_is_settled(const clscan__stamp *stamp, time_t now)
{
    return !stamp->exists || (stamp->modified.tv_sec < now - SETTLED_S && stamp->changed.tv_sec < now - SETTLED_S);
}
