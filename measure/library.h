/* clscan itself as a contender. */
#ifndef CLSCAN_MEASURE_LIBRARY_H
#define CLSCAN_MEASURE_LIBRARY_H

#include "measure.h"

extern const measure_kind measure_library;

/* Is a run of the variant one launch, whose event tells its time? */
bool measure_is_one_launch(const clscan_variant *variant);

/* The variant that serves a prepared contender. */
clscan_variant measure_library_variant(const measure_contender *contender);

/* One clscan_run() and nothing else; for measuring what it costs the host. */
clscan_status measure_library_call(const measure_contender *contender, const measure_case *c);

#endif
