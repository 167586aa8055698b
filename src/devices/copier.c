#include "devices/copier.h"

#include <stdlib.h>
#include <string.h>

#include "devices/pinned.h"

/* Long beside what a command costs: pieces of 1 MiB were a fifth slower (2^28 int32, an H100, busy host). */
#define PIECE_BYTES ((size_t)4 << 20)

struct clscan__copier {
    clscan__copier_desk *desk;
    cl_command_queue queue;
    clscan__pinned *staging;    /* a piece for each thread */
    clscan__copy *first, **end; /* jobs that are not done */
    bool dismissed;
    size_t thread_count;
    struct worker {
        clscan__copier *copier;
        pthread_t thread;
    } workers[]; /* thread_count */
};

typedef struct piece {
    clscan__copy *copy;
    size_t offset_bytes, size_bytes;
} piece;

static clscan_status to_device(const clscan__copier *copier, const piece *mine, void *staging, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan__copy *copy = mine->copy;

    memcpy(staging, (const unsigned char *)copy->from + mine->offset_bytes, mine->size_bytes);
    pthread_mutex_lock(&copier->desk->lock);
    while (copy->after != NULL && !copy->after->done)
        pthread_cond_wait(&copier->desk->changed, &copier->desk->lock);
    pthread_mutex_unlock(&copier->desk->lock);
    CLSCAN__TRY_CL(clEnqueueWriteBuffer, (copier->queue, copy->buffer, CL_TRUE, mine->offset_bytes, mine->size_bytes,
                                          staging, 0, NULL, NULL));

cleanup:
    return status;
}

static clscan_status from_device(const clscan__copier *copier, const piece *mine, void *staging, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan__copy *copy = mine->copy;

    CLSCAN__TRY_CL(clEnqueueReadBuffer, (copier->queue, copy->buffer, CL_TRUE, mine->offset_bytes, mine->size_bytes,
                                         staging, 1, &copy->wait, NULL));
    memcpy((unsigned char *)copy->to + mine->offset_bytes, staging, mine->size_bytes);

cleanup:
    return status;
}

/* The first piece that nobody has; false: there is none for now. Called with the lock. */
static bool find_piece(clscan__copier *copier, piece *found)
{
    for (clscan__copy *copy = copier->first; copy != NULL; copy = copy->next) {
        const size_t left = copy->size_bytes - copy->begun_bytes;

        if (left == 0)
            continue;
        *found = (piece){
            .copy = copy, .offset_bytes = copy->begun_bytes, .size_bytes = left < PIECE_BYTES ? left : PIECE_BYTES};
        copy->begun_bytes += found->size_bytes;
        return true;
    }
    return false;
}

/* Of the jobs that are done the first ones leave. Called with the lock. */
static void drop_done(clscan__copier *copier)
{
    while (copier->first != NULL && copier->first->ended_bytes == copier->first->size_bytes) {
        clscan__copy *copy = copier->first;

        copier->first = copy->next;
        if (copier->first == NULL)
            copier->end = &copier->first;
        copy->done = true; /* from here on it is the caller's */
    }
    pthread_cond_broadcast(&copier->desk->changed);
}

static void *serve(void *user)
{
    const struct worker *self = user;
    clscan__copier *copier = self->copier;
    void *staging = clscan__pinned_bytes(copier->staging) + (size_t)(self - copier->workers) * PIECE_BYTES;
    piece mine;

    pthread_mutex_lock(&copier->desk->lock);
    for (;;) {
        clscan_error error;
        clscan_status status;

        if (!find_piece(copier, &mine)) {
            if (copier->dismissed)
                break;
            pthread_cond_wait(&copier->desk->changed, &copier->desk->lock);
            continue;
        }
        pthread_mutex_unlock(&copier->desk->lock);
        status = mine.copy->from != NULL ? to_device(copier, &mine, staging, &error)
                                         : from_device(copier, &mine, staging, &error);
        pthread_mutex_lock(&copier->desk->lock);
        if (status != CLSCAN_OK && mine.copy->status == CLSCAN_OK) {
            mine.copy->status = status;
            mine.copy->error = error;
        }
        mine.copy->ended_bytes += mine.size_bytes;
        drop_done(copier);
    }
    pthread_mutex_unlock(&copier->desk->lock);
    return NULL;
}

clscan_status clscan__copier_create(clscan__copier_desk *desk, cl_context context, cl_command_queue queue,
                                    size_t thread_count, clscan__copier **made, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__copier *copier = calloc(1, sizeof *copier + thread_count * sizeof copier->workers[0]);

    CLSCAN__REQUIRE(copier != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for %zu threads", thread_count);
    copier->end = &copier->first;
    copier->desk = desk;
    copier->queue = queue;
    CLSCAN__TRY(clscan__pinned_create(context, queue, thread_count * PIECE_BYTES, &copier->staging, error));
    for (; copier->thread_count < thread_count; ++copier->thread_count) {
        struct worker *worker = &copier->workers[copier->thread_count];

        worker->copier = copier;
        if (pthread_create(&worker->thread, NULL, serve, worker) != 0)
            break;
    }
    CLSCAN__REQUIRE(copier->thread_count > 0, CLSCAN_ERROR_OUT_OF_MEMORY, "a thread could not be started");
    *made = copier;
    copier = NULL;

cleanup:
    clscan__copier_destroy(copier);
    return status;
}

void clscan__copier_destroy(clscan__copier *copier)
{
    if (copier == NULL)
        return;
    pthread_mutex_lock(&copier->desk->lock);
    copier->dismissed = true;
    pthread_cond_broadcast(&copier->desk->changed);
    pthread_mutex_unlock(&copier->desk->lock);
    for (size_t i = 0; i < copier->thread_count; ++i)
        pthread_join(copier->workers[i].thread, NULL);
    clscan__pinned_release(copier->staging);
    free(copier);
}

void clscan__copier_post(clscan__copier *copier, clscan__copy *copy)
{
    pthread_mutex_lock(&copier->desk->lock);
    copy->next = NULL;
    copy->status = CLSCAN_OK;
    copy->begun_bytes = copy->ended_bytes = 0;
    copy->done = false;
    *copier->end = copy;
    copier->end = &copy->next;
    pthread_cond_broadcast(&copier->desk->changed);
    pthread_mutex_unlock(&copier->desk->lock);
}

clscan_status clscan__copier_take(clscan__copier_desk *desk, clscan__copy *copy, clscan_error *error)
{
    pthread_mutex_lock(&desk->lock);
    while (!copy->done)
        pthread_cond_wait(&desk->changed, &desk->lock);
    pthread_mutex_unlock(&desk->lock);
    if (copy->status != CLSCAN_OK && error != NULL)
        *error = copy->error;
    return copy->status;
}
