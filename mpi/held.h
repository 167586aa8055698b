/* What a run keeps of what its caller gave: the call that begins it returns before the scan is enqueued. */
#ifndef CLSCAN_MPI_HELD_H
#define CLSCAN_MPI_HELD_H

#include <clscan/plan.h>

#include "base/error.h"

/* Bytes of the largest initial value, and of the largest value that a map has as an argument. */
#define CLSCAN__HELD_BYTES 128

/* All zero: nothing is held. */
typedef struct clscan__held {
    clscan_run_args args;   /* all that it points to is below, or the caller's and not looked at */
    cl_command_queue queue; /* all objects are retained */
    cl_event *events;
    cl_uint event_count;
    cl_event summed; /* of the reduction: PoCL 3.1 ends the process when a command fails whose event was released */
    cl_mem buffers[4 + CLSCAN_MOST_MAP_ARGUMENTS];
    size_t buffer_count;
    clscan_memory map_arguments[CLSCAN_MOST_MAP_ARGUMENTS];
    unsigned char initial[CLSCAN__HELD_BYTES];
    uint64_t first;        /* elements of the whole scan before those of all ranks; not in `args` */
    unsigned char *before; /* the state they have left, if there are any; a copy */
    void *after;           /* the caller's memory for the state behind the last part; NULL: it is not wanted */
    unsigned char values[CLSCAN_MOST_MAP_ARGUMENTS][CLSCAN__HELD_BYTES];
} clscan__held;

/* Hold arguments that clscan_run_check() has accepted. `value_bytes` has the size of each value of the maps; 0: it is a
 * buffer. Drop it, also after a failure. */
clscan_status clscan__hold(clscan__held *held, cl_command_queue queue, const clscan_run_args *args, size_t sum_bytes,
                           const size_t *value_bytes, cl_uint wait_count, const cl_event *wait_list,
                           clscan_error *error);

/* Hold what a later part of a scan goes on from: clscan_run_args.first, and .state of so many values in front. */
clscan_status clscan__hold_state(clscan__held *held, const clscan_run_args *args, size_t sum_bytes, size_t value_count,
                                 clscan_error *error);
void clscan__drop(clscan__held *held);

#endif
