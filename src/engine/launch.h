/* A sequence of commands on one queue, each after the one before, also where the queue is out-of-order. */
#ifndef CLSCAN_ENGINE_LAUNCH_H
#define CLSCAN_ENGINE_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* More events than these are joined by a marker. */
#define CLSCAN__JOINED_EVENTS 16

typedef struct clscan__sequence {
    cl_command_queue queue;
    bool out_of_order;
    cl_uint wait_count; /* what the next command waits for */
    const cl_event *wait_list;
    /* What later commands must wait for besides the queue's order: the dependency, then the last command where it has
     * an event. Owned; NULL: nothing. */
    cl_event last;
    bool want_last; /* make an event for the last command also where the queue is in-order */
    cl_event joined[CLSCAN__JOINED_EVENTS];
    cl_event marker; /* of what did not fit there; owned */
    bool begun;      /* was a command enqueued? The first one waits for what is in wait_list then */
} clscan__sequence;

/* Begin a sequence that waits for `wait_list` and for `dependency` (NULL: none), which it owns on success. */
clscan_status clscan__sequence_begin(clscan__sequence *sequence, cl_command_queue queue, bool out_of_order,
                                     cl_uint wait_count, const cl_event *wait_list, cl_event dependency,
                                     clscan_error *error);

/* Let the first command wait for one more event, which lives until then. */
clscan_status clscan__sequence_await(clscan__sequence *sequence, cl_event event, clscan_error *error);

/* Give the caller an event of the last command, for which want_last was set. */
clscan_status clscan__sequence_event(clscan__sequence *sequence, cl_event *event, clscan_error *error);

/* Enqueue a kernel whose arguments are set. `final`: no command follows. */
clscan_status clscan__sequence_kernel(clscan__sequence *sequence, cl_kernel kernel, uint64_t work_groups,
                                      uint32_t work_group_size, bool final, clscan_error *error);

/* Fill a part of a buffer with a pattern. */
clscan_status clscan__sequence_fill(clscan__sequence *sequence, cl_mem buffer, const void *pattern,
                                    size_t pattern_bytes, uint64_t offset_bytes, uint64_t size_bytes,
                                    clscan_error *error);

/* Copy from one buffer to another. */
clscan_status clscan__sequence_copy(clscan__sequence *sequence, cl_mem from, uint64_t from_bytes, cl_mem to,
                                    uint64_t to_bytes, uint64_t size_bytes, clscan_error *error);

/* Enqueue nothing but a place in the order. Final. */
clscan_status clscan__sequence_marker(clscan__sequence *sequence, clscan_error *error);

/* Release what the sequence owns. */
void clscan__sequence_end(clscan__sequence *sequence);

#endif
