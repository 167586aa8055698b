/* What tests of rows have in common: a plan, its workspace, and buffers. */
#ifndef CLSCAN_TESTS_ROW_RIG_H
#define CLSCAN_TESTS_ROW_RIG_H

#include "live.h"

typedef struct row_rig {
    const test_live *live;
    clscan_problem problem; /* the plan's, but without rows */
    const clscan_sample_operator *sample;
    clscan_plan *plan;
    clscan_workspace *workspace;
    test_arrays arrays; /* whose input the test fills in */
    cl_mem totals, initials;
    size_t element_bytes, sum_bytes;
    uint64_t row_count_bytes; /* 0: the host tells how many rows there are */
    uint64_t first;           /* elements before the first row, as the test wants them */
    uint32_t refused;         /* counts on the device that were too large, by now */
} row_rig;

/* Arrays of `elements` elements, and room for so many totals and initial values. */
void row_rig_open(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                  const clscan_rows *rows, const clscan_plan_options *options, uint64_t elements, uint64_t totals,
                  uint64_t initials, row_rig *r);
void row_rig_close(row_rig *r);

#endif
