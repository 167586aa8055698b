/* Trials by their question. */
#ifndef CLSCAN_TUNER_MEMO_H
#define CLSCAN_TUNER_MEMO_H

#include <stddef.h>
#include <stdint.h>

#include "trial/trial.h"

/* Zero it to begin. Trials stay where they are until it is freed. */
typedef struct tune_memo {
    tune_trial **trials; /* in the order of adding */
    size_t count;
    size_t capacity;
    size_t *slots; /* 1 + index of the trial; 0: free */
    size_t slot_count;
} tune_memo;

/* Copy `trial` in, in place of one with the same question. NULL if memory ran out. */
tune_trial *tune_memo_put(tune_memo *memo, const tune_trial *trial);
/* NULL if the question was never put. */
tune_trial *tune_memo_find(const tune_memo *memo, const tune_target *target, const clscan_variant *variant,
                           uint64_t count);
void tune_memo_free(tune_memo *memo);

#endif
