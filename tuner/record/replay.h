/* An evaluator that answers from a log: searches without a device, to compare strategies and to test them. */
#ifndef CLSCAN_TUNER_REPLAY_H
#define CLSCAN_TUNER_REPLAY_H

#include "record/memo.h"
#include "trial/evaluator.h"

typedef struct tune_replay {
    const tune_memo *log; /* borrowed */
    double elapsed_s;     /* recorded durations of what was asked; a candidate's compilation is counted once */
    tune_memo prepared;   /* candidates that were asked before */
    uint64_t asked;
    uint64_t unknown; /* asked, and not in the log: answered as `constraints` */
} tune_replay;

/* Fill *evaluator; both live until tune_replay_close(). */
void tune_replay_open(tune_replay *replay, const tune_memo *log, tune_evaluator *evaluator);
void tune_replay_close(tune_replay *replay);

#endif
