#include "program/pool.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct pooled {
    cl_device_id device;
    clscan__key *key;
    cl_program program;
    uint64_t asked; /* when, by the pool's clock */
} pooled;

struct clscan__pool {
    clscan__pool *next;
    cl_context context;
    unsigned users;
    uint64_t clock;
    size_t count;
    pooled programs[CLSCAN__POOL_CAPACITY];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list and every pool in it */
static clscan__pool *pools;

clscan_status clscan__pool_open(cl_context context, clscan__pool **pool, clscan_error *error)
{
    clscan__pool *found;

    pthread_mutex_lock(&lock);
    for (found = pools; found != NULL && found->context != context; found = found->next)
        continue;
    if (found == NULL && (found = calloc(1, sizeof *found)) != NULL) {
        found->context = context;
        found->next = pools;
        pools = found;
    }
    if (found != NULL)
        ++found->users;
    pthread_mutex_unlock(&lock);
    if (found == NULL)
        return clscan__error_set(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a context's programs");
    *pool = found;
    return CLSCAN_OK;
}

static void forget(const pooled *item)
{
    clReleaseProgram(item->program);
    clscan__key_release(item->key);
}

void clscan__pool_close(clscan__pool *pool)
{
    bool last;

    if (pool == NULL)
        return;
    pthread_mutex_lock(&lock);
    last = --pool->users == 0;
    if (last) {
        clscan__pool **link = &pools;
        while (*link != pool)
            link = &(*link)->next;
        *link = pool->next;
    }
    pthread_mutex_unlock(&lock);
    if (!last)
        return;
    for (size_t i = 0; i < pool->count; ++i)
        forget(&pool->programs[i]);
    free(pool);
}

static pooled *find(clscan__pool *pool, cl_device_id device, const clscan__key *key)
{
    for (size_t i = 0; i < pool->count; ++i)
        if (pool->programs[i].device == device && clscan__key_equal(pool->programs[i].key, key))
            return &pool->programs[i];
    return NULL;
}

cl_program clscan__pool_find(clscan__pool *pool, cl_device_id device, const clscan__key *key)
{
    cl_program program = NULL;
    pooled *found;

    pthread_mutex_lock(&lock);
    found = find(pool, device, key);
    if (found != NULL && clRetainProgram(found->program) == CL_SUCCESS) {
        program = found->program;
        found->asked = ++pool->clock;
    }
    pthread_mutex_unlock(&lock);
    return program;
}

static pooled *least_asked(clscan__pool *pool)
{
    pooled *least = pool->programs;

    for (size_t i = 1; i < pool->count; ++i)
        if (pool->programs[i].asked < least->asked)
            least = &pool->programs[i];
    return least;
}

void clscan__pool_add(clscan__pool *pool, cl_device_id device, clscan__key *key, cl_program program)
{
    pooled old = {0};

    pthread_mutex_lock(&lock);
    /* Two plans that were made at once built it both; one of the programs is enough. */
    if (find(pool, device, key) == NULL && clRetainProgram(program) == CL_SUCCESS) {
        pooled *place = pool->count < CLSCAN__POOL_CAPACITY ? &pool->programs[pool->count++] : least_asked(pool);
        old = *place;
        *place = (pooled){device, clscan__key_retain(key), program, ++pool->clock};
    }
    pthread_mutex_unlock(&lock);
    if (old.program != NULL)
        forget(&old);
}
