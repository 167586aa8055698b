/* Many short rows in one launch, one work-item a row: a run of the library for each would cost more than its scan. */
#ifndef CLSCAN_TOOLS_SHORT_ROWS_H
#define CLSCAN_TOOLS_SHORT_ROWS_H

#include <stdint.h>

#include <clscan/clscan.h>

#include "target.h"

/* Longer rows are worth a run each. */
#define SHORT_ROW_MAX_COUNT 4096u

typedef struct short_rows {
    cl_program program;
    cl_kernel kernel;
    uint32_t row_count;
} short_rows;

/* Compile the kernel for a problem with a built-in operator. `initial` is of the accumulator type; NULL: none. */
clscan_status short_rows_prepare(short_rows *s, const target *where, const clscan_problem *problem, const void *initial,
                                 uint32_t row_count, clscan_error *error);

/* Enqueue the scan of `rows` rows from the begin of `in` to that of `out`, which may be the same buffer. */
clscan_status short_rows_run(short_rows *s, const target *where, cl_mem in, cl_mem out, uint64_t rows,
                             cl_uint wait_count, const cl_event *wait_list, cl_event *ran, clscan_error *error);

void short_rows_release(short_rows *s);

#endif
