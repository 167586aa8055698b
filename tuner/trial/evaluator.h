/* Who answers trials: the live device behind worker processes, or a recorded log. */
#ifndef CLSCAN_TUNER_EVALUATOR_H
#define CLSCAN_TUNER_EVALUATOR_H

#include <stddef.h>

#include "trial/trial.h"

typedef struct tune_evaluator {
    void *self;
    /* Fill the answer of *trial, whose question is set and whose answer is zeroed. Never fails: what goes wrong is
     * an outcome. */
    void (*evaluate)(void *self, tune_trial *trial);
    /* These candidates will probably be asked soon: may compile them ahead. May be NULL. */
    void (*announce)(void *self, const tune_target *target, const clscan_variant *variants, size_t count);
    /* Run a winner `runs` times with checks between: writes outcome, reason and inconclusive of *trial, and no other
     * field. May be NULL: nothing is soaked. */
    void (*soak)(void *self, tune_trial *trial, unsigned runs);
    /* Seconds since it was opened; of a log, the recorded durations of what was asked. */
    double (*elapsed_s)(void *self);
    /* Why nothing more can be asked ("the device does not answer"), "" as long as it can. May be NULL. */
    const char *(*broken)(void *self);
} tune_evaluator;

#endif
