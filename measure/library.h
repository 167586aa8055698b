/* clscan itself as a contender. */
#ifndef CLSCAN_MEASURE_LIBRARY_H
#define CLSCAN_MEASURE_LIBRARY_H

#include "measure.h"

extern const measure_kind measure_library;

/* The same with the count in device memory, where there may be as many elements as the case's buffers hold. */
extern const measure_kind measure_library_counted;

/* What the library is asked for by one run of a case, with what that points to: it must stay where it is. */
typedef struct measure_run {
    clscan_run_args args;
    clscan_rows rows;
    clscan_selection selection;
    clscan_column columns[MEASURE_COLUMNS - 1];
    clscan_segment_sums sums;
} measure_run;

void measure_run_make(const measure_case *c, measure_run *run);

/* Is a run of the variant one launch, whose event tells its time? Not where offsets say where segments begin, which
 * other commands make marks of before. `segments` is NULL if there are none. */
bool measure_is_one_launch(const clscan_variant *variant, const clscan_segments *segments);

/* The variant that serves a prepared contender. */
clscan_variant measure_library_variant(const measure_contender *contender);

/* One clscan_run() and nothing else; for measuring what it costs the host. */
clscan_status measure_library_call(const measure_contender *contender, const measure_case *c);

#endif
