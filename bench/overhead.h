/* What clscan_run() costs the host. */
#ifndef CLSCAN_BENCH_OVERHEAD_H
#define CLSCAN_BENCH_OVERHEAD_H

#include "measure/measure.h"

/* Times calls of a prepared contender of the library, and of the bare OpenCL calls of the same launch, in
 * turn; writes the median over `runs` batches of the mean nanoseconds per call. */
bool bench_overhead_measure(const measure_case *c, measure_contender *contender, size_t runs, double *call_ns,
                            double *bare_ns);

#endif
