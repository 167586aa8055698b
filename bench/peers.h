/* Other libraries' scans, and a plain loop. */
#ifndef CLSCAN_BENCH_PEERS_H
#define CLSCAN_BENCH_PEERS_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL-terminated. One that was not built is there too, with the reason. */
extern const bench_kind *const bench_peers[];

extern const bench_kind bench_peer_serial;
extern const bench_kind bench_peer_tbb;
extern const bench_kind bench_peer_boost;

#ifdef __cplusplus
}
#endif
#endif
