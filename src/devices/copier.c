#include "devices/copier.h"

#include <stdlib.h>
#include <string.h>

struct clscan__copier {
    clscan__copier_desk *desk;
    pthread_t thread;
    cl_command_queue queue;
    clscan__copy *first, **end;
    bool dismissed;
};

static clscan_status to_device(const clscan__copier *copier, clscan__copy *copy, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    memcpy(copy->staging, copy->from, copy->size_bytes);
    pthread_mutex_lock(&copier->desk->lock);
    while (copy->after != NULL && !copy->after->done)
        pthread_cond_wait(&copier->desk->changed, &copier->desk->lock);
    pthread_mutex_unlock(&copier->desk->lock);
    CLSCAN__TRY_CL(clEnqueueWriteBuffer,
                   (copier->queue, copy->buffer, CL_TRUE, 0, copy->size_bytes, copy->staging, 0, NULL, NULL));

cleanup:
    return status;
}

static clscan_status from_device(const clscan__copier *copier, clscan__copy *copy, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__TRY_CL(clEnqueueReadBuffer,
                   (copier->queue, copy->buffer, CL_TRUE, 0, copy->size_bytes, copy->staging, 1, &copy->wait, NULL));
    memcpy(copy->to, copy->staging, copy->size_bytes);

cleanup:
    return status;
}

/* The next job; NULL when there will be none. */
static clscan__copy *next(clscan__copier *copier)
{
    clscan__copy *copy;

    pthread_mutex_lock(&copier->desk->lock);
    while (copier->first == NULL && !copier->dismissed)
        pthread_cond_wait(&copier->desk->changed, &copier->desk->lock);
    copy = copier->first;
    pthread_mutex_unlock(&copier->desk->lock);
    return copy;
}

static void *serve(void *user)
{
    clscan__copier *copier = user;
    clscan__copy *copy;

    while ((copy = next(copier)) != NULL) {
        copy->status =
            copy->from != NULL ? to_device(copier, copy, &copy->error) : from_device(copier, copy, &copy->error);
        pthread_mutex_lock(&copier->desk->lock);
        copier->first = copy->next;
        if (copier->first == NULL)
            copier->end = &copier->first;
        copy->done = true; /* from here on it is the caller's */
        pthread_cond_broadcast(&copier->desk->changed);
        pthread_mutex_unlock(&copier->desk->lock);
    }
    return NULL;
}

clscan_status clscan__copier_create(clscan__copier_desk *desk, cl_command_queue queue, clscan__copier **made,
                                    clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__copier *copier = calloc(1, sizeof *copier);

    CLSCAN__REQUIRE(copier != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a thread");
    copier->end = &copier->first;
    copier->desk = desk;
    copier->queue = queue;
    if (pthread_create(&copier->thread, NULL, serve, copier) != 0) {
        free(copier);
        return clscan__error_set(error, CLSCAN_ERROR_OUT_OF_MEMORY, "a thread could not be started");
    }
    *made = copier;

cleanup:
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
    pthread_join(copier->thread, NULL);
    free(copier);
}

void clscan__copier_post(clscan__copier *copier, clscan__copy *copy)
{
    pthread_mutex_lock(&copier->desk->lock);
    copy->next = NULL;
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
