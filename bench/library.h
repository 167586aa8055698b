/* clscan itself as a contender. */
#ifndef CLSCAN_BENCH_LIBRARY_H
#define CLSCAN_BENCH_LIBRARY_H

#include "bench.h"

extern const bench_kind bench_library;

/* The variant that serves a prepared contender. */
clscan_variant bench_library_variant(const bench_contender *contender);

/* One clscan_run() and nothing else; for measuring what it costs the host. */
clscan_status bench_library_call(const bench_contender *contender, const bench_case *c);

#endif
