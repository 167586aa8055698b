/* How far the scan of a file is, on stderr. */
#ifndef CLSCAN_TOOLS_PROGRESS_H
#define CLSCAN_TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pthread.h>

#include "command_line/options.h"

/* clang-format off */
#define PROGRESS_LIST(X)                                                      \
    X(AUTO,  auto)  /* a bar on a terminal, else lines */                     \
    X(BAR,   bar)                                                             \
    X(LINES, lines) /* one every ten seconds, and one at the end */           \
    X(NONE,  none)
/* clang-format on */

#define X(name, text) PROGRESS_##name,
typedef enum progress_mode { PROGRESS_LIST(X) PROGRESS_COUNT } progress_mode;
#undef X

#define PROGRESS_DEVICES_BYTES 96

typedef struct progress {
    progress_mode mode; /* BAR, LINES or NONE */
    bool always;        /* the last line also of a short job */
    const char *label;  /* before every line */
    uint64_t read_bytes;
    uint64_t written_bytes;
    uint64_t total_bytes;                 /* of the input; COUNT_UNKNOWN */
    char devices[PROGRESS_DEVICES_BYTES]; /* what several have done, to be put behind a line; "": one */
    double begin;
    double next; /* when to print again */
    bool printed;
    pthread_mutex_t lock;
} progress;

/* Reader of a progress_mode. */
option_reader read_progress;

/* Begin to count. Nothing is printed for what is done in a moment, unless a mode was asked for. `label` is kept. */
void progress_begin(progress *p, const char *label, progress_mode wanted, uint64_t total_bytes);

/* So much was read, and so much written. Thread-safe. */
void progress_add(progress *p, uint64_t read_bytes, uint64_t written_bytes);

/* Several devices have done so much. Of many the least and the most is shown. Thread-safe. */
void progress_devices(progress *p, const double *bytes, size_t count);

/* Say how it ended, or leave an empty line for the error. */
void progress_end(progress *p, bool success);

#endif
