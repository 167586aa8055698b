/* Threads that copy elements between the caller's memory and memory that the driver has pinned, and move them from
 * there to the device, or back: one job after the other, piece by piece. A copy by one thread is slower than a link, so
 * several share a job, each with a piece on the link while others copy; and each device has two of these, one for each
 * way. */
#ifndef CLSCAN_DEVICES_COPIER_H
#define CLSCAN_DEVICES_COPIER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* What copiers have in common whose jobs wait for each other's. */
typedef struct clscan__copier_desk {
    pthread_mutex_t lock; /* of all jobs */
    pthread_cond_t changed;
} clscan__copier_desk;

typedef struct clscan__copy {
    const void *from; /* to the device: the caller's memory; NULL: from the device */
    void *to;         /* from the device: the caller's memory */
    cl_mem buffer;    /* of the device */
    size_t size_bytes;
    cl_event wait;              /* from the device: the scan, whose event stays until the job is taken */
    struct clscan__copy *after; /* to the device: the job that has to leave the buffer before; NULL: none */
    clscan_error error;         /* valid when it is done */
    clscan_status status;
    size_t begun_bytes, ended_bytes; /* by threads; of the first pieces, and of some */
    bool done;                       /* to the device: all is there */
    struct clscan__copy *next;
} clscan__copy;

typedef struct clscan__copier clscan__copier;

/* Has `thread_count` threads, or as many of them as can be had, at least 1. `queue`, which is in order and of the
 * context, is used by them alone, and outlives the copier as the desk does. */
clscan_status clscan__copier_create(clscan__copier_desk *desk, cl_context context, cl_command_queue queue,
                                    size_t thread_count, clscan__copier **made, clscan_error *error);

/* Waits for all jobs. NULL does nothing. */
void clscan__copier_destroy(clscan__copier *copier);

/* Hand over a job that stays where it is until it was taken; `after` is one of the desk that was handed over before. */
void clscan__copier_post(clscan__copier *copier, clscan__copy *copy);

/* Wait until a job is done; how it went. */
clscan_status clscan__copier_take(clscan__copier_desk *desk, clscan__copy *copy, clscan_error *error);

#endif
