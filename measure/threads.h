/* Threads that wait for work, for a memcpy with all of them: starting threads would cost more than small
 * copies do. */
#ifndef CLSCAN_MEASURE_THREADS_H
#define CLSCAN_MEASURE_THREADS_H

#include <stddef.h>

typedef struct measure_threads measure_threads;
typedef void measure_work(void *user, unsigned part, unsigned parts);

/* NULL if there is no memory or no thread. The caller's thread is one of `count`. */
measure_threads *measure_threads_create(unsigned count);
void measure_threads_destroy(measure_threads *threads);

/* Call work(user, part, parts) for every part below `parts`, which is at most `count`; part 0 in this thread.
 * Returns when all are done. */
void measure_threads_run(measure_threads *threads, unsigned parts, measure_work *work, void *user);

#endif
