/* Copies of the same bytes, and an empty kernel. */
#ifndef CLSCAN_BENCH_YARDSTICKS_H
#define CLSCAN_BENCH_YARDSTICKS_H

#include "bench.h"

/* Those that suit the device, written to `kinds`, which has room for BENCH_MAX_YARDSTICKS. */
#define BENCH_MAX_YARDSTICKS 5
size_t bench_yardsticks(const bench_device *device, bool with_empty, const bench_kind **kinds);

#endif
