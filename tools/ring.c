#include "ring.h"

#include <time.h>

#define NS_PER_S 1000000000L
#define MOMENT_NS 10000000L

void ring_begin(ring *r, unsigned slot_count)
{
    *r = (ring){.slot_count = slot_count};
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
}

void ring_enter(ring *r)
{
    pthread_mutex_lock(&r->lock);
    ++r->running;
    pthread_mutex_unlock(&r->lock);
}

void ring_leave(ring *r)
{
    pthread_mutex_lock(&r->lock);
    --r->running;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void ring_stop(ring *r, const clscan_error *error)
{
    pthread_mutex_lock(&r->lock);
    if (!r->failed)
        r->error = *error;
    r->failed = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

bool ring_has_failed(ring *r)
{
    bool failed;

    pthread_mutex_lock(&r->lock);
    failed = r->failed;
    pthread_mutex_unlock(&r->lock);
    return failed;
}

clscan_status ring_status(ring *r, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    pthread_mutex_lock(&r->lock);
    if (r->failed) {
        *error = r->error;
        status = error->status;
    }
    pthread_mutex_unlock(&r->lock);
    return status;
}

void ring_advance(ring *r, uint64_t *counter)
{
    pthread_mutex_lock(&r->lock);
    ++*counter;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void ring_end_input(ring *r)
{
    pthread_mutex_lock(&r->lock);
    r->input_ended = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

bool ring_wait_for_slot(ring *r, uint64_t chunk)
{
    bool go_on;

    pthread_mutex_lock(&r->lock);
    while (!r->failed && chunk >= r->written + r->slot_count)
        pthread_cond_wait(&r->changed, &r->lock);
    go_on = !r->failed;
    pthread_mutex_unlock(&r->lock);
    return go_on;
}

bool ring_wait_for_chunk(ring *r, const uint64_t *counter, uint64_t chunk)
{
    bool go_on;

    pthread_mutex_lock(&r->lock);
    while (!r->failed && *counter <= chunk && !(r->input_ended && r->read <= chunk))
        pthread_cond_wait(&r->changed, &r->lock);
    go_on = !r->failed && *counter > chunk;
    pthread_mutex_unlock(&r->lock);
    return go_on;
}

bool ring_wait_for_end(ring *r)
{
    bool some_left;

    pthread_mutex_lock(&r->lock);
    while (r->running > 0 && !r->failed)
        pthread_cond_wait(&r->changed, &r->lock);
    if (r->running > 0) {
        struct timespec until;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += MOMENT_NS;
        if (until.tv_nsec >= NS_PER_S) {
            until.tv_nsec -= NS_PER_S;
            ++until.tv_sec;
        }
        pthread_cond_timedwait(&r->changed, &r->lock, &until);
    }
    some_left = r->running > 0;
    pthread_mutex_unlock(&r->lock);
    return some_left;
}

void ring_release(ring *r)
{
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
}
