/* The programs that the living plans of one context share.
 *
 * A context has a pool from its first plan to its last one, so the pool never keeps a context alive. */
#ifndef CLSCAN_PROGRAM_POOL_H
#define CLSCAN_PROGRAM_POOL_H

#include "program/key.h"

/* Programs that a pool remembers; the one that was not asked for longest makes room. */
#define CLSCAN__POOL_CAPACITY 64u

typedef struct clscan__pool clscan__pool;

/* The context's pool; each call wants one close(). The caller keeps the context alive until then. */
clscan_status clscan__pool_open(cl_context context, clscan__pool **pool, clscan_error *error);
void clscan__pool_close(clscan__pool *pool); /* NULL does nothing */

/* A program that was added with this key for this device, retained for the caller; NULL if there is none. */
cl_program clscan__pool_find(clscan__pool *pool, cl_device_id device, const clscan__key *key);

/* Remember a built program. What cannot be remembered is not. */
void clscan__pool_add(clscan__pool *pool, cl_device_id device, clscan__key *key, cl_program program);

#endif
