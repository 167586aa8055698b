/* How long a step may take, by what the first right candidate took for it: the default entry, which is measured
 * first. A candidate that needs many times as long will not win. */
#ifndef CLSCAN_TUNER_PACE_H
#define CLSCAN_TUNER_PACE_H

#include <stddef.h>
#include <stdint.h>

#include "work/protocol.h"

/* Zero it to begin. */
typedef struct tune_pace {
    struct tune_pace_mark {
        tune_request_kind kind;
        tune_target target;
        uint64_t count; /* 0: of no matter */
        uint64_t took_ns;
    } * marks;
    size_t count, capacity;
} tune_pace;

/* Put down what a successful step took, unless it is known. */
void tune_pace_note(tune_pace *pace, tune_request_kind kind, const tune_trial *trial, uint64_t took_ns);

/* At most `most_ms`; a part of it where the pace is known. */
uint32_t tune_pace_deadline(const tune_pace *pace, tune_request_kind kind, const tune_trial *trial, uint32_t most_ms);

void tune_pace_free(tune_pace *pace);

#endif
