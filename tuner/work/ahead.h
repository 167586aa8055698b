/* Workers that compile candidates before they are asked for, so that the worker that measures finds them in a cache of
 * compiled programs. What goes wrong here is forgotten: it shows again, and counts, when the candidate is tried. */
#ifndef CLSCAN_TUNER_AHEAD_H
#define CLSCAN_TUNER_AHEAD_H

#include <stddef.h>

#include "work/link.h"

#define TUNE_MAX_AHEAD 16

/* Zero it to begin; then set links[].command and .selector, worker_count, deadline_ms and validates. */
typedef struct tune_ahead {
    tune_link links[TUNE_MAX_AHEAD];
    tune_trial *current[TUNE_MAX_AHEAD]; /* what each is at; NULL: idle */
    size_t worker_count;
    uint32_t deadline_ms;
    bool validates; /* also run the candidates, where the driver compiles at the first run */
    unsigned failures;
    tune_trial *queue; /* candidates to come: queue[first .. count - 1] */
    size_t first, count, capacity;
} tune_ahead;

/* Replace the queue. */
void tune_ahead_announce(tune_ahead *ahead, const tune_target *target, const clscan_variant *variants, size_t count);

/* It is being tried now: take it out of the queue. True while a worker is still at it. */
bool tune_ahead_claims(tune_ahead *ahead, const tune_target *target, const clscan_variant *variant);

/* Take answers, and, if `more`, give out work; without waiting. */
void tune_ahead_step(tune_ahead *ahead, bool more);

/* Processes to wait for, added to a list; lowers *deadline_ns to the earliest of theirs. Returns the new length. */
size_t tune_ahead_wait_list(tune_ahead *ahead, tune_process **list, size_t count, uint64_t *deadline_ns);

void tune_ahead_close(tune_ahead *ahead);

#endif
