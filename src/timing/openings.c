#include "timing/openings.h"

#include <pthread.h>
#include <unistd.h>

size_t clscan__openings_at_once(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores < 1 ? 1 : cores > CLSCAN__MOST_OPENINGS ? CLSCAN__MOST_OPENINGS : (size_t)cores;
}

static void *go(void *argument)
{
    clscan__opening *opening = argument;

    opening->status = clscan__contender_open(opening->bench, &opening->contender, &opening->why);
    return NULL;
}

void clscan__openings_go(clscan__opening *openings, size_t count)
{
    pthread_t threads[CLSCAN__MOST_OPENINGS];
    size_t started = 0;

    /* The first one is this thread's, and what finds no thread is, too. */
    while (started + 1 < count && pthread_create(&threads[started], NULL, go, &openings[started + 1]) == 0)
        ++started;
    for (size_t i = 0; i < count; i += i == 0 ? started + 1 : 1)
        go(&openings[i]);
    for (size_t i = 0; i < started; ++i)
        pthread_join(threads[i], NULL);
}
