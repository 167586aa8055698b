/* Copies with different loops (docs/benchmarks.md, suite copy). */
#ifndef CLSCAN_BENCH_LOOPS_H
#define CLSCAN_BENCH_LOOPS_H

#include "measure/measure.h"

/* A copy, but never the yardstick. The contender's request says how its work-items share the elements of 4 bytes:
 * "no_loop vector_length=2 work_group_size=256", one vector each; "grid_stride vector_length=1 work_group_size=256
 * work_groups=1024", each again and again behind all others; or "sequences ...", where as many neighbouring work-items
 * as a sub-group has go through a sequence of their own. */
extern const measure_kind bench_loop_copy;

/* Can the device run it? The reason against it goes to `note`. */
bool bench_loop_check(const char *request, const measure_case *c, measure_note *note);

#endif
