/* A child process that answers lines with lines, and that may hang, crash, flood or lie. Its parent never waits for it
 * without a limit. */
#ifndef CLSCAN_TUNER_PROCESS_H
#define CLSCAN_TUNER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TUNE_MAX_WORDS 16              /* of a command */
#define TUNE_LINE_BYTES (256u * 1024u) /* longest line that is read, its end included */
#define TUNE_TAIL_BYTES 1024u          /* kept of what the child wrote to stderr last */

/* All descriptors close on exec, so no other child keeps them open. */
typedef struct tune_process {
    pid_t pid; /* 0: none is running; also the id of its process group */
    int to;    /* its stdin; -1 where closed, as below */
    int from;  /* its stdout */
    int errors;
    char *line; /* TUNE_LINE_BYTES */
    size_t line_bytes;
    size_t taken_bytes; /* of the line that was given out last */
    char tail[TUNE_TAIL_BYTES];
    size_t tail_bytes;
    char end[160]; /* how it ended, "exited with code 1"; "" if it had to be killed or still runs */
} tune_process;

typedef enum tune_reading {
    TUNE_READING_LINE,
    TUNE_READING_NOTHING, /* yet */
    TUNE_READING_TOO_LONG,
    TUNE_READING_END /* the child closed its stdout */
} tune_reading;

/* Start `command`, NULL-terminated, with `argument` behind it if that is not NULL, in a process group of its own. The
 * first word is a path. Ignores SIGPIPE in this process from now on, and starts the child with the default actions.
 * False with errno; then nothing needs to be stopped. */
bool tune_process_start(tune_process *process, const char *const *command, const char *argument);

/* Write a whole text; waits for a child that does not read until `deadline_ns` of clscan__now_ns(). */
bool tune_process_write(tune_process *process, const char *text, size_t text_bytes, uint64_t deadline_ns);

/* Take a line that has arrived, without its end; valid until the next call. */
tune_reading tune_process_take(tune_process *process, char **line);

/* Has it ended? What it wrote may still be to be taken. */
bool tune_process_ended(const tune_process *process);

/* What it is doing, in words: "it was stopped", "it was computing"; "" where the system does not say. Static. */
const char *tune_process_doing(const tune_process *process);

/* Processes that are waited for at once. */
#define TUNE_MAX_WAITED 32

/* Wait until one of the processes, at most TUNE_MAX_WAITED, has something to be taken, or until the deadline, or
 * shortly, so that the caller can see whether one has ended. What they write to stderr goes to their tails
 * meanwhile. */
void tune_process_wait(tune_process *const *processes, size_t count, uint64_t deadline_ns);

/* End it if it runs: by closing its stdin if it is `idle`, by killing its group otherwise; reap it and close all. Sets
 * `end` if it had ended by itself. One that a driver holds in the kernel, so that not even SIGKILL ends it, is given up
 * after some seconds. */
void tune_process_stop(tune_process *process, bool idle);

/* The last line, or part of a line, that the child wrote to stderr; "" if none. At most `size_bytes`. */
void tune_process_last_words(const tune_process *process, char *text, size_t size_bytes);

#endif
