/* Threads that wait for work, for a memcpy with all of them: starting threads would cost more than small
 * copies do. */
#ifndef CLSCAN_BENCH_THREADS_H
#define CLSCAN_BENCH_THREADS_H

#include <stddef.h>

typedef struct bench_threads bench_threads;
typedef void bench_work(void *user, unsigned part, unsigned parts);

/* NULL if there is no memory or no thread. The caller's thread is one of `count`. */
bench_threads *bench_threads_create(unsigned count);
void bench_threads_destroy(bench_threads *threads);

/* Call work(user, part, parts) for every part below `parts`, which is at most `count`; part 0 in this thread.
 * Returns when all are done. */
void bench_threads_run(bench_threads *threads, unsigned parts, bench_work *work, void *user);

#endif
