/* Time that only goes forward, for durations. */
#ifndef CLSCAN_COMMON_CLOCK_H
#define CLSCAN_COMMON_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CLSCAN__NS_PER_MS UINT64_C(1000000)

static inline uint64_t clscan__now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static inline double clscan__now_seconds(void)
{
    return 1e-9 * (double)clscan__now_ns();
}

#endif
