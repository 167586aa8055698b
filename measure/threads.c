#include "threads.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct worker {
    pthread_t thread;
    measure_threads *threads;
    unsigned part;
} worker;

struct measure_threads {
    pthread_mutex_t mutex;
    pthread_cond_t begin;
    pthread_cond_t done;
    unsigned worker_count; /* that have started */
    unsigned generation;   /* of the work below; workers wait for it to change */
    unsigned running;
    unsigned parts;
    bool stop;
    measure_work *work;
    void *user;
    worker workers[];
};

static void *work_loop(void *user)
{
    const worker *self = user;
    measure_threads *threads = self->threads;
    unsigned seen = 0;

    pthread_mutex_lock(&threads->mutex);
    for (;;) {
        while (threads->generation == seen && !threads->stop)
            pthread_cond_wait(&threads->begin, &threads->mutex);
        if (threads->stop)
            break;
        seen = threads->generation;
        if (self->part >= threads->parts)
            continue;
        pthread_mutex_unlock(&threads->mutex);
        threads->work(threads->user, self->part, threads->parts);
        pthread_mutex_lock(&threads->mutex);
        if (--threads->running == 0)
            pthread_cond_signal(&threads->done);
    }
    pthread_mutex_unlock(&threads->mutex);
    return NULL;
}

measure_threads *measure_threads_create(unsigned count)
{
    measure_threads *threads = calloc(1, sizeof *threads + count * sizeof threads->workers[0]);

    if (threads == NULL)
        return NULL;
    pthread_mutex_init(&threads->mutex, NULL);
    pthread_cond_init(&threads->begin, NULL);
    pthread_cond_init(&threads->done, NULL);
    for (unsigned part = 1; part < count; ++part) {
        worker *next = &threads->workers[threads->worker_count];

        next->threads = threads;
        next->part = part;
        if (pthread_create(&next->thread, NULL, work_loop, next) != 0) {
            measure_threads_destroy(threads);
            return NULL;
        }
        ++threads->worker_count;
    }
    return threads;
}

void measure_threads_destroy(measure_threads *threads)
{
    if (threads == NULL)
        return;
    pthread_mutex_lock(&threads->mutex);
    threads->stop = true;
    pthread_cond_broadcast(&threads->begin);
    pthread_mutex_unlock(&threads->mutex);
    for (unsigned i = 0; i < threads->worker_count; ++i)
        pthread_join(threads->workers[i].thread, NULL);
    pthread_cond_destroy(&threads->done);
    pthread_cond_destroy(&threads->begin);
    pthread_mutex_destroy(&threads->mutex);
    free(threads);
}

void measure_threads_run(measure_threads *threads, unsigned parts, measure_work *work, void *user)
{
    if (parts > 1) {
        pthread_mutex_lock(&threads->mutex);
        threads->work = work;
        threads->user = user;
        threads->parts = parts;
        threads->running = parts - 1;
        ++threads->generation;
        pthread_cond_broadcast(&threads->begin);
        pthread_mutex_unlock(&threads->mutex);
    }
    work(user, 0, parts);
    if (parts > 1) {
        pthread_mutex_lock(&threads->mutex);
        while (threads->running != 0)
            pthread_cond_wait(&threads->done, &threads->mutex);
        pthread_mutex_unlock(&threads->mutex);
    }
}
