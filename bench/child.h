/* A program on the other end of two pipes, which answers lines with lines. */
#ifndef CLSCAN_BENCH_CHILD_H
#define CLSCAN_BENCH_CHILD_H

#include <sys/types.h>

#include "measure/measure.h"

#define BENCH_CHILD_LINE_BYTES 512
/* A child that neither answers nor takes what it is sent for so long is ended. */
#define BENCH_CHILD_PATIENCE_S 120

typedef struct bench_child {
    pid_t pid; /* 0: not running */
    int to;
    int from;
    char buffer[1 << 16]; /* read, but not asked for yet */
    size_t begin, end;
} bench_child;

/* `arguments` ends with NULL; the first is the program's path. Its standard error stays ours. */
bool bench_child_start(bench_child *child, char *const arguments[], measure_note *note);

/* After a failure of one of these the child has been ended. A line has no end of line in `line`. */
bool bench_child_say(bench_child *child, measure_note *note, const char *format, ...) MEASURE_PRINTF(3, 4);
bool bench_child_write(bench_child *child, const void *bytes, size_t size_bytes, measure_note *note);
bool bench_child_line(bench_child *child, char (*line)[BENCH_CHILD_LINE_BYTES], measure_note *note);
bool bench_child_read(bench_child *child, void *bytes, size_t size_bytes, measure_note *note);

/* Close the pipes, which ends a child that works, and wait for it. Harmless if none is running. */
void bench_child_stop(bench_child *child);

#endif
