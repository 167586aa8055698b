/* A run of a group of devices while it is enqueued: what it has, and what its parts are asked. */
#ifndef CLSCAN_DEVICES_RUN_H
#define CLSCAN_DEVICES_RUN_H

#include "devices/exchange.h"
#include "devices/group.h"

/* A run while it is enqueued. Takers are the parts that have something to do, in the order of memory: those with
 * elements, and where the scan begins and ends if an initial value is there or a total is wanted. */
typedef struct clscan__group_run {
    clscan_devices *group;
    const clscan_devices_args *args;
    const clscan__run_start *start; /* NULL: the scan begins here */
    clscan_part parts[CLSCAN_MOST_DEVICES];
    clscan_rows rows[CLSCAN_MOST_DEVICES]; /* of parts, where each has a part of each row */
    uint64_t row_count;                    /* 1 if the problem has no rows */
    size_t takers[CLSCAN_MOST_DEVICES], taker_count;
    uint64_t firsts[CLSCAN_MOST_DEVICES]; /* of takers, where the problem is ordered: elements of the scan before */
    clscan__exchange *exchange;           /* NULL for one taker */
    bool is_sent;                         /* the exchange, to the courier */
    bool carries_came;                    /* of a run that waits: they are in the exchange */
    cl_event *waits;                      /* room for a wait list */
    cl_event summed[CLSCAN_MOST_DEVICES]; /* of takers; NULL: none yet */
    cl_event events[CLSCAN_MOST_DEVICES]; /* of parts */
} clscan__group_run;

/* The taker where the scan begins, and where it ends. */
static inline size_t clscan__taker_begin(const clscan__group_run *run)
{
    return run->group->reverse ? run->taker_count - 1 : 0;
}

static inline size_t clscan__taker_end(const clscan__group_run *run)
{
    return run->group->reverse ? 0 : run->taker_count - 1;
}

/* All takers but the last have a sum, and all but the first a carry: the combination of all sums before. Of the
 * exchange's values the scan, in the problem's direction, makes the one the other in place. */
static inline size_t clscan__sum_index(const clscan__group_run *run, size_t taker)
{
    return run->group->reverse ? taker - 1 : taker;
}

static inline size_t clscan__carry_index(const clscan__group_run *run, size_t taker)
{
    return run->group->reverse ? taker : taker - 1;
}

/* What stands where in the values that a part of an ordered problem receives. */
enum { CLSCAN__CARRY_STATE, CLSCAN__CARRY_INITIAL = CLSCAN__MOST_STATE_NODES, CLSCAN__CARRY_TOTAL };

/* ---- What parts are asked (run_args.c) ---- */

/* Elements of the scan before the run. */
uint64_t clscan__start_of(const clscan__group_run *run);
/* Of the state that the run goes on from. */
size_t clscan__start_bytes(const clscan__group_run *run);

/* What a taker sends or receives, in its device's memory: the first row's; the others' follow. */
clscan_memory clscan__taker_value(const clscan__group_run *run, size_t taker, uint64_t which);
size_t clscan__value_bytes(const clscan__group_run *run, size_t taker, uint64_t which); /* where it stands */
clscan_memory clscan__carry_value(const clscan__group_run *run, size_t taker, uint64_t which);

/* Does the scan of a taker only tell the total of those before it, by nodes? */
bool clscan__tells_total(const clscan__group_run *run, size_t taker);

/* An empty part need not have buffers. `room` is for its rows, of which each has a carry of its own. */
clscan_run_args clscan__scan_args(const clscan__group_run *run, size_t taker, clscan_rows *room);
clscan_run_args clscan__sum_args(const clscan__group_run *run, size_t taker, clscan_rows *room);

/* ---- Who takes part (run_parts.c) ---- */

/* Check what the caller says of each part, events included. */
clscan_status clscan__take_parts(clscan__group_run *run, clscan_error *error);
/* Find who takes part, and check what each is asked. */
clscan_status clscan__take_takers(clscan__group_run *run, clscan_error *error);

/* ---- What becomes of the sums (run_sums.c) ---- */

/* What comes before the run, for the folder. */
clscan_status clscan__put_start_of_fold(const clscan__group_run *run, clscan_error *error);
/* Make carries of the sums, on a device. */
clscan_status clscan__enqueue_combination(clscan__group_run *run, clscan_error *error);

#endif
