#include "devices/courier.h"

#include <pthread.h>
#include <stdlib.h>

struct clscan__courier {
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    clscan__exchange *first, **end; /* those that wait to be served */
    bool busy;                      /* serves one that is not among them */
    bool dismissed;
    bool alone; /* nobody will join the thread */
};

static void destroy(clscan__courier *courier)
{
    pthread_cond_destroy(&courier->changed);
    pthread_mutex_destroy(&courier->lock);
    free(courier);
}

/* The next one to serve; NULL when there will be none. */
static clscan__exchange *next(clscan__courier *courier)
{
    clscan__exchange *exchange;

    pthread_mutex_lock(&courier->lock);
    courier->busy = false;
    while (courier->first == NULL && !courier->dismissed)
        pthread_cond_wait(&courier->changed, &courier->lock);
    exchange = courier->first;
    if (exchange != NULL) {
        courier->first = exchange->next;
        if (courier->first == NULL)
            courier->end = &courier->first;
        courier->busy = true;
    }
    pthread_mutex_unlock(&courier->lock);
    return exchange;
}

static void *serve(void *user)
{
    clscan__courier *courier = user;
    clscan__exchange *exchange;

    while ((exchange = next(courier)) != NULL)
        clscan__exchange_serve(exchange);
    if (courier->alone)
        destroy(courier);
    return NULL;
}

clscan_status clscan__courier_create(clscan__courier **made, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__courier *courier = calloc(1, sizeof *courier);

    CLSCAN__REQUIRE(courier != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a thread");
    courier->end = &courier->first;
    pthread_mutex_init(&courier->lock, NULL);
    pthread_cond_init(&courier->changed, NULL);
    if (pthread_create(&courier->thread, NULL, serve, courier) != 0) {
        destroy(courier);
        return clscan__error_set(error, CLSCAN_ERROR_OUT_OF_MEMORY, "a thread could not be started");
    }
    *made = courier;

cleanup:
    return status;
}

void clscan__courier_dismiss(clscan__courier *courier)
{
    pthread_t thread;
    bool alone;

    if (courier == NULL)
        return;
    thread = courier->thread;
    pthread_mutex_lock(&courier->lock);
    courier->dismissed = true;
    courier->alone = alone = courier->busy || courier->first != NULL;
    pthread_cond_signal(&courier->changed);
    pthread_mutex_unlock(&courier->lock);
    if (alone) {
        pthread_detach(thread);
        return;
    }
    pthread_join(thread, NULL);
    destroy(courier);
}

void clscan__courier_send(clscan__courier *courier, clscan__exchange *exchange)
{
    pthread_mutex_lock(&courier->lock);
    exchange->next = NULL;
    *courier->end = exchange;
    courier->end = &exchange->next;
    pthread_cond_signal(&courier->changed);
    pthread_mutex_unlock(&courier->lock);
}
