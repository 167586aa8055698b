/* The order of a workspace's runs: one after the other, whatever their queues, also behind runs that fail.
 *
 * A run that fails for an event of the caller's ends before those in front of it, and so does all that waits for it. So
 * an event of the last run is not enough: each queue that has something unfinished is remembered, and has a tail. */
#ifndef CLSCAN_ENGINE_ORDER_H
#define CLSCAN_ENGINE_ORDER_H

#include "engine/launch.h"

/* All that the workspace has on a queue is done when the event is complete. */
typedef struct clscan__tail {
    cl_command_queue queue; /* retained */
    cl_event event;
    bool awaited; /* a command on a later queue waits for it */
} clscan__tail;

/* All zeros before the first command. */
typedef struct clscan__order {
    cl_command_queue queue; /* of the last command, retained; NULL before the first */
    bool out_of_order;
    cl_event last;       /* on an out-of-order queue, what the next command there must wait for; NULL: nothing */
    clscan__tail *tails; /* of the queues before, while they are not known to be done */
    size_t tail_count, tail_capacity;
} clscan__order;

/* Begin commands on `queue`, after the caller's events and after all in front of them. *failed: something in front had
 * failed, so that nobody knows what it left behind. Nothing is lost if this fails. */
clscan_status clscan__order_begin(clscan__order *order, clscan__sequence *sequence, cl_command_queue queue,
                                  cl_uint wait_count, const cl_event *wait_list, bool *failed, clscan_error *error);

/* End them, whether they were all enqueued or not. */
void clscan__order_end(clscan__order *order, clscan__sequence *sequence);

/* Release what is held. What is enqueued goes on. */
void clscan__order_close(clscan__order *order);

#endif
