#ifndef CLSCAN_TOOLS_CLOCK_H
#define CLSCAN_TOOLS_CLOCK_H

#include "measure/clock.h"

/* The host's monotonic clock. */
static inline double now_seconds(void)
{
    return 1e-9 * (double)measure_now();
}

#endif
