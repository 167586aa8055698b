/* What travels between the devices of one run: host memory, and user events that hold those who wait for it.
 *
 * The sums arrive, one of each part but the last. If there are several, the host combines them, or the first device
 * where the operator is the caller's or what travels are nodes (nodes.h); then the carries go to the devices behind.
 * Contexts share no events of their own, so each step waits for a user event, which a thread of the group sets when the
 * step before has come (courier.h).
 * Every user event is set, whatever fails, and also while the run is still being enqueued: a driver may block in a call
 * whose command waits.
 *
 * A run that may wait itself needs neither the thread nor user events. */
#ifndef CLSCAN_DEVICES_EXCHANGE_H
#define CLSCAN_DEVICES_EXCHANGE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include <clscan/devices.h>
#include <clscan/types.h>

#include "base/error.h"
#include "devices/pinned.h"

/* How far a run is enqueued. */
typedef enum clscan__exchange_stage {
    CLSCAN__SUMS_ENQUEUED,
    CLSCAN__COMBINATION_ENQUEUED, /* if there is one */
    CLSCAN__ALL_ENQUEUED,
    CLSCAN__NOT_ENQUEUED /* the rest never will be; what was enqueued ends, with any values */
} clscan__exchange_stage;

/* How the host combines sums (host_combine.h). */
typedef struct clscan__exchange_host {
    clscan_type type;
    clscan_operator op;
    bool reverse;
    size_t scalars; /* of what travels from one device; 0: the host does not combine */
} clscan__exchange_host;

typedef struct clscan__exchange {
    size_t count;                      /* of sums, and of carries */
    size_t parts[CLSCAN_MOST_DEVICES]; /* whose sums they are, for messages */
    size_t value_bytes;
    clscan__exchange_host host;
    unsigned char *values;
    clscan__pinned *borrowed;      /* where they are; NULL: in memory of its own */
    cl_event sums_are_there;       /* NULL: nothing is held there */
    cl_event *carries_are_there;   /* the same; one for each carry */
    cl_event *sums;                /* taken; here and below NULL: not enqueued */
    cl_event *carries;             /* given */
    cl_event given, taken;         /* all sums, and all carries */
    pthread_mutex_t lock;          /* of `stage` */
    pthread_cond_t changed;        /* the stage */
    clscan__exchange_stage stage;  /* told by who enqueues; events of later stages are not read before */
    struct clscan__exchange *next; /* the courier's */
} clscan__exchange;

/* Of `count` sums, those of `parts`, which become as many carries. The values are in `pinned`, unless somebody else has
 * that, or it is NULL.
 * The exchange ends with clscan__exchange_serve(), or with clscan__exchange_end(). */
clscan_status clscan__exchange_create(size_t count, const size_t *parts, size_t value_bytes,
                                      const clscan__exchange_host *host, clscan__pinned *pinned,
                                      clscan__exchange **made, clscan_error *error);

typedef enum clscan__exchange_step {
    CLSCAN__TAKE_SUM,     /* from a device */
    CLSCAN__GIVE_SUMS,    /* all, to where they are combined */
    CLSCAN__TAKE_CARRIES, /* all, from there */
    CLSCAN__GIVE_CARRY    /* to a device */
} clscan__exchange_step;

/* Where an exchange is served: make the user event that holds what gives sums to the device that combines them, or a
 * carry to a device. The context is that device's. */
clscan_status clscan__exchange_hold(clscan__exchange *exchange, clscan__exchange_step step, size_t index,
                                    cl_context context, clscan_error *error);

/* Enqueue the transfer of a step between `buffer`, from that byte on, and value `index`, or all. *event is the
 * exchange's. */
clscan_status clscan__exchange_transfer(clscan__exchange *exchange, clscan__exchange_step step, size_t index,
                                        cl_command_queue queue, cl_mem buffer, size_t offset_bytes, cl_uint wait_count,
                                        const cl_event *wait_list, cl_event *event, clscan_error *error);

/* Say how far the run is enqueued. After one of the last two the exchange is no longer the caller's. */
void clscan__exchange_tell(clscan__exchange *exchange, clscan__exchange_stage stage);

/* From when the sums are enqueued, or failed to be: wait for each step, let the next one go, and free the exchange when
 * nothing uses it any more. */
void clscan__exchange_serve(clscan__exchange *exchange);

/* For a run that waits itself: wait for a sum, which is enqueued; when all are there, combine them if the host does; or
 * wait for what the device makes of them. */
clscan_status clscan__exchange_take_sum(const clscan__exchange *exchange, size_t index, clscan_error *error);
void clscan__exchange_combine(clscan__exchange *exchange);
clscan_status clscan__exchange_take_carries(const clscan__exchange *exchange, clscan_error *error);

/* End it where no courier serves it; waits until nothing uses its memory. NULL does nothing. */
void clscan__exchange_end(clscan__exchange *exchange);

#endif
