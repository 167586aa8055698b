/* What a rank does on its own device. Nothing here calls MPI. */
#ifndef CLSCAN_MPI_RANK_H
#define CLSCAN_MPI_RANK_H

#include <stdbool.h>

#include "devices/bound.h"

typedef struct clscan__rank {
    size_t index, count; /* of this rank, and of all */
    bool reverse;
    bool scan_reads;             /* has the problem an input? Not if a load map generates elements */
    bool sum_reads;              /* the same of the problem of sums */
    uint64_t sum_argument_count; /* of its map */
    size_t sum_bytes;            /* of one */
    cl_context context;          /* retained */
    cl_command_queue queue;      /* in-order: binds, and combines */
    clscan__bound_plan scan;
    clscan__bound_plan sum;     /* none where the scan ends */
    clscan__bound_plan combine; /* none where no more than one sum can come before */
    cl_mem value;               /* a sum, or the combination of several */
    cl_mem sums;                /* those to combine */
} clscan__rank;

/* The ranks where the scan begins and ends. */
size_t clscan__rank_begin(const clscan__rank *rank);
size_t clscan__rank_end(const clscan__rank *rank);

/* Does the sum of another rank come before this one's part? */
bool clscan__rank_follows(const clscan__rank *rank, size_t other);

/* Fill one that has `index` and `count` only, for a taken problem (element/problem.h). Close it, also after a
 * failure. */
clscan_status clscan__rank_open(clscan__rank *rank, cl_context context, cl_device_id device,
                                const clscan_problem *problem, const clscan_plan_options *options, clscan_error *error);
void clscan__rank_close(clscan__rank *rank);

/* One run, as the caller gives it. */
typedef struct clscan__rank_run {
    cl_command_queue queue;
    const clscan_run_args *args; /* taken (base/structs.h) */
    cl_uint wait_count;
    const cl_event *wait_list;
} clscan__rank_run;

/* Check what ranks differ in, and reduce the part. Waits for the sum. *has_sum: the others are to know it. */
clscan_status clscan__rank_sum(const clscan__rank *rank, const clscan__rank_run *run, void *sum, bool *has_sum,
                               clscan_error *error);

/* Enqueue the scan, after the combination of the `count` sums that come before, in memory order. It overwrites
 * `sums`. Waits for the combination. `event` may be NULL. */
clscan_status clscan__rank_scan(const clscan__rank *rank, const clscan__rank_run *run, void *sums, size_t count,
                                cl_event *event, clscan_error *error);

#endif
