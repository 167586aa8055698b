/* Rows of a rank's own: each is a scan, and nothing travels between ranks. */
#ifndef CLSCAN_MPI_TOOLS_OWN_ROWS_H
#define CLSCAN_MPI_TOOLS_OWN_ROWS_H

#include "tools/device_stage.h"
#include "tools/target.h"

/* Zero it before; release it also after a failure. */
typedef struct own_rows {
    const target *where;
    uint64_t row_count;  /* elements of a row */
    const void *initial; /* of each row, in host memory; NULL: none */
    clscan_plan *plan;
    clscan_workspace *workspace;
} own_rows;

/* `problem` is that of one row, of up to problem->max_count elements, of which there are up to `most_rows` at once. Not
 * collective. */
clscan_status own_rows_create(own_rows *rows, const target *where, const clscan_problem *problem, uint64_t most_rows,
                              const void *initial, clscan_error *error);

/* Enqueue the scan of the whole rows that are in `s`. */
clscan_status own_rows_run(const own_rows *rows, const slot *s, clscan_error *error);

void own_rows_release(own_rows *rows);

#endif
