/* Other libraries' scans, and a plain loop. */
#ifndef CLSCAN_BENCH_PEERS_H
#define CLSCAN_BENCH_PEERS_H

#include "measure/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL-terminated. One that was not built is there too, with the reason. What has a name of two words, such as "cub
 * copy", comes with the peer that is called like the first. */
extern const measure_kind *const bench_peers[];

/* End the processes of peers that have one. */
void bench_peers_close(void);

extern const measure_kind bench_peer_serial;
extern const measure_kind bench_peer_serial_elements; /* the same of elements that are no scalars, by the device */
extern const measure_kind bench_peer_tbb;
extern const measure_kind bench_peer_boost;
extern const measure_kind bench_peer_cub;
extern const measure_kind bench_peer_cub_copy;
extern const measure_kind bench_peer_pyopencl;

#ifdef __cplusplus
}
#endif
#endif
