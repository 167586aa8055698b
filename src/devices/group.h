/* A group of devices, and what each has for its runs. */
#ifndef CLSCAN_DEVICES_GROUP_H
#define CLSCAN_DEVICES_GROUP_H

#include <stdatomic.h>
#include <stdbool.h>

#include <clscan/devices.h>

#include "devices/bound.h"
#include "devices/courier.h"
#include "devices/measured.h"
#include "devices/nodes.h"
#include "devices/pinned.h"

/* A device of the group. A sum leaves behind its reduction, and a carry comes before its scan, on the caller's queue:
 * so nothing waits across queues but the combination.
 *
 * A run enqueues all sums on all devices before all that waits for them. So whatever waits, waits for what was enqueued
 * before it, and groups that share in-order queues cannot wait for each other in a circle. */
typedef struct clscan__lane {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue; /* the caller's */
    bool is_cpu;
    bool out_of_order; /* the queue; else it keeps apart what runs write to `values` */
    clscan__bound_plan scan;
    clscan__bound_plan sum; /* none where the scan ends, and for rows, whose plan makes totals alone, too */
    cl_mem values;          /* CLSCAN__VALUE_COUNT times group->slot_values, of the accumulator type */
    cl_event sum_read;      /* of the last run out of order; until then its sum stands in `values`. NULL: nothing */
    cl_event scanned;       /* the same of the carry */
} clscan__lane;

enum { CLSCAN__VALUE_SUM, CLSCAN__VALUE_CARRY, CLSCAN__VALUE_COUNT }; /* what stands where in clscan__lane.values */

struct clscan_devices {
    atomic_flag busy;                    /* a thread is inside a call */
    atomic_flag host_busy;               /* the same of scans of host memory, which make such calls */
    struct clscan__host_room *host_room; /* of these (host.h); NULL: none yet */
    bool deals;                          /* the problem has rows, each of one device: no sums, no courier */
    bool splits;                         /* it has rows, of which each device has a part */
    clscan_rows rows;                    /* of the problem, where devices share them, else one */
    clscan__courier *courier;            /* none for one device */
    clscan__lane *lanes;
    size_t count;
    clscan__exchange_host host; /* how the host combines sums; of a row */
    clscan__bound_plan combine; /* on the first device, where the host cannot; none for up to two devices, of which only
                                   one has a sum */
    cl_command_queue combining; /* in-order, of the first device: the caller's goes on with the first scan. None where
                                   nothing travels */
    clscan__pinned *travelling; /* room for what travels in a run, lent to one at a time; NULL for one device, for more
                                   than MOST_PINNED_BYTES, and where there is no such memory */
    cl_mem sums;                /* where it does that, in place; of nodes one slot more, for what a run goes on from */
    bool is_ordered;            /* reproducible, and not the same in every grouping: instead of a sum travel nodes */
    clscan__folder folder;      /* if it is, with `combining` and `sums`, instead of `combine` */
    cl_mem states;              /* the same: what becomes of `sums` */
    size_t slot_values;         /* values that a part sends, and receives: one for each row, or CLSCAN__PART_VALUES */
    size_t sum_bytes;           /* of one of a row */
    size_t in_bytes, out_bytes; /* of an element */
    uint64_t max_count;         /* of a part */
    clscan__group_document *measured; /* NULL: nothing is known of such a group */
    bool reverse;
    bool scan_reads;             /* has the problem an input? Not if a load map generates elements */
    bool sum_reads;              /* the same of the problem of sums */
    uint64_t sum_argument_count; /* of its map */
};

/* Where a run goes on in a scan of an ordered group. */
typedef struct clscan__run_start {
    uint64_t first;    /* elements of the whole scan before it; a multiple of CLSCAN_REPRODUCIBLE_STEP */
    const void *state; /* what they have left (clscan_run_args.state), in host memory; read during the call */
} clscan__run_start;

/* As clscan_devices_run(). With a start, which is there for ordered groups only, each part leaves the state behind it
 * on its device; NULL: the scan begins here. */
clscan_status clscan__devices_run_from(clscan_devices *group, const clscan_devices_args *args,
                                       const clscan__run_start *start, cl_event *events, clscan_error *error);

/* Wait for such a run's state behind the part of a device, which has elements; `scanned` is the part's event. The state
 * has so many elements of the whole scan before it. */
clscan_status clscan__devices_take_state(clscan_devices *group, size_t index, cl_event scanned, uint64_t first,
                                         void *state, clscan_error *error);

#endif
