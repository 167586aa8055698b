/* How far the threads of a pipeline are: they take turns at a ring of slots. */
#ifndef CLSCAN_TOOLS_RING_H
#define CLSCAN_TOOLS_RING_H

#include <stdbool.h>
#include <stdint.h>

#include <pthread.h>

#include <clscan/clscan.h>

typedef struct ring {
    unsigned slot_count;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changed;
    uint64_t read;      /* chunks */
    uint64_t submitted; /* chunks */
    uint64_t written;   /* chunks */
    bool input_ended;   /* no chunk comes after `read` */
    unsigned running;   /* threads */
    bool failed;
    clscan_error error; /* the first one */
} ring;

void ring_begin(ring *r, unsigned slot_count);

/* A thread is about to start, or has ended. */
void ring_enter(ring *r);
void ring_leave(ring *r);

/* One chunk more: `counter` is one of the ring's. */
void ring_advance(ring *r, uint64_t *counter);

/* All chunks have been read. */
void ring_end_input(ring *r);

/* Something failed: nobody needs to go on. The first error is kept. */
void ring_stop(ring *r, const clscan_error *error);

bool ring_has_failed(ring *r);

/* CLSCAN_OK, or the first error. */
clscan_status ring_status(ring *r, clscan_error *error);

/* Wait until the slot of `chunk` is free. Returns false if something failed. */
bool ring_wait_for_slot(ring *r, uint64_t chunk);

/* Wait until `counter`, one of the ring's, has passed `chunk`. Returns false if it never will. */
bool ring_wait_for_chunk(ring *r, const uint64_t *counter, uint64_t chunk);

/* Wait until all threads have ended, or, after a failure, for a moment. Returns whether some are left. */
bool ring_wait_for_end(ring *r);

void ring_release(ring *r);

#endif
