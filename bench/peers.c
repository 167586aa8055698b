#include "peers.h"

/* The build defines BENCH_HAS_... for each toolkit it found. */
#ifndef BENCH_HAS_TBB
const measure_kind bench_peer_tbb = {.name = "tbb", .missing = "no C++ compiler or no TBB when this was built"};
#endif
#ifndef BENCH_HAS_BOOST
const measure_kind bench_peer_boost = {.name = "boost",
                                       .missing = "no C++ compiler or no Boost.Compute when this was built"};
#endif

const measure_kind *const bench_peers[] = {&bench_peer_serial,
                                           &bench_peer_tbb,
                                           &bench_peer_boost,
                                           &bench_peer_cub,
                                           &bench_peer_cub_copy,
                                           &bench_peer_pyopencl,
                                           NULL};
