#ifndef CLSCAN_MEASURE_CLOCK_H
#define CLSCAN_MEASURE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* The host's monotonic clock. */
static inline uint64_t measure_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

#endif
