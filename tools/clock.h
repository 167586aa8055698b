#ifndef CLSCAN_TOOLS_CLOCK_H
#define CLSCAN_TOOLS_CLOCK_H

#include <time.h>

/* The host's monotonic clock. */
static inline double now_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
