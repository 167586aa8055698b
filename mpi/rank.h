/* What a rank does on its own device. Nothing here calls MPI. */
#ifndef CLSCAN_MPI_RANK_H
#define CLSCAN_MPI_RANK_H

#include <stdbool.h>

#include "devices/bound.h"
#include "devices/nodes.h"
#include "held.h"

/* What a rank of an ordered problem has besides (ordered.h). */
typedef struct clscan__ordered {
    clscan__folder folder;
    clscan__node *gathered; /* of all ranks */
    cl_mem nodes;           /* values of this rank's nodes, then of those of all ranks before */
    cl_mem values;          /* a state, and a total, on their way to the host */
    size_t depth;           /* values that have come from there */
    cl_mem state;           /* of scans */
    cl_event last;          /* of the last scan, and of who reads what it has left there; NULL: nothing does */
    cl_event scanned;       /* of that scan, if its state is read; as clscan__held.summed */
} clscan__ordered;

typedef struct clscan__rank {
    size_t index, count; /* of this rank, and of all */
    bool reverse;
    bool scan_reads;                               /* has the problem an input? Not if a load map generates elements */
    bool sum_reads;                                /* the same of the problem of sums */
    uint64_t sum_argument_count;                   /* of its map */
    size_t value_bytes[CLSCAN_MOST_MAP_ARGUMENTS]; /* of what maps have as arguments; 0: a buffer */
    size_t sum_bytes;                              /* of one */
    cl_context context;                            /* retained */
    cl_command_queue queue;                        /* in-order: binds, and combines */
    clscan__bound_plan scan;
    clscan__bound_plan sum;     /* none where the scan ends */
    clscan__bound_plan combine; /* none where no more than one sum can come before */
    cl_mem value;               /* a sum, or the combination of several */
    cl_mem sums;                /* those to combine */
    bool is_ordered;
    clscan__ordered ordered; /* if it is; then there is no `combine` */
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

/* Arguments of the reduction of a part. */
clscan_run_args clscan__rank_sum_args(const clscan__rank *rank, const clscan_run_args *given);

/* One run, as the caller gives it. */
typedef struct clscan__rank_run {
    cl_command_queue queue;
    const clscan_run_args *args;
    cl_uint wait_count;
    const cl_event *wait_list;
} clscan__rank_run;

/* Check all that can be before the others are asked, and hold the run. *misses: all is well if there is something
 * before this rank's part; else `error` says what it misses, though the call succeeds. */
clscan_status clscan__rank_take(const clscan__rank *rank, const clscan__rank_run *run, clscan__held *held, bool *misses,
                                clscan_error *error);

/* Enqueue the reduction of the part into host memory. *came is an event of that; NULL: there is no sum that others are
 * to know. */
clscan_status clscan__rank_sum(const clscan__rank *rank, clscan__held *held, void *sum, cl_event *came,
                               clscan_error *error);

/* Enqueue the combination of the `count` sums that come before, in memory order, to the beginning of `sums`. *came is
 * an event of that; NULL: there are not several. */
clscan_status clscan__rank_combine(const clscan__rank *rank, void *sums, size_t count, cl_event *came,
                                   clscan_error *error);

/* Enqueue the scan behind `before`; NULL: nothing comes before. *event is one of it. */
clscan_status clscan__rank_scan(const clscan__rank *rank, const clscan__held *held, const void *before, cl_event *event,
                                clscan_error *error);

#endif
