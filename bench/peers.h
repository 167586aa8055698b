/* Other libraries' scans, and a plain loop. */
#ifndef CLSCAN_BENCH_PEERS_H
#define CLSCAN_BENCH_PEERS_H

#include "measure/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL-terminated. One that was not built is there too, with the reason. */
extern const measure_kind *const bench_peers[];

extern const measure_kind bench_peer_serial;
extern const measure_kind bench_peer_tbb;
extern const measure_kind bench_peer_boost;

#ifdef __cplusplus
}
#endif
#endif
