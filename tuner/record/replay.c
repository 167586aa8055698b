#include "record/replay.h"

#include <stdio.h>

/* The first trial of the trial's candidate in the log, which has the time that it took to prepare. */
static const tune_trial *first_of(const tune_memo *log, const tune_trial *trial)
{
    const tune_trial *first = NULL;
    double most_ns = -1;

    for (size_t i = 0; i < log->count; ++i) {
        tune_trial question = *log->trials[i];

        question.count = trial->count;
        if (tune_trial_same_question(&question, trial) &&
            log->trials[i]->compile_ns + log->trials[i]->validate_ns > most_ns) {
            first = log->trials[i];
            most_ns = first->compile_ns + first->validate_ns;
        }
    }
    return first;
}

static void evaluate(void *self, tune_trial *trial)
{
    tune_replay *replay = self;
    const tune_trial *known = tune_memo_find(replay->log, &trial->target, &trial->variant, trial->count);
    const tune_trial prepared = {.target = trial->target, .variant = trial->variant, .count = 1};

    ++replay->asked;
    if (known == NULL) {
        ++replay->unknown;
        trial->outcome = TUNE_OUTCOME_CONSTRAINTS;
        trial->inconclusive = true;
        snprintf(trial->reason, sizeof trial->reason, "not in the log");
        return;
    }
    replay->elapsed_s += known->ended_s - known->started_s - (known->compile_ns + known->validate_ns) * 1e-9;
    *trial = *known;
    /* Whatever the order in the log was, the first question is the one that waits. */
    trial->compile_ns = trial->validate_ns = 0;
    if (tune_memo_find(&replay->prepared, &trial->target, &trial->variant, 1) == NULL) {
        const tune_trial *first = first_of(replay->log, trial);

        tune_memo_put(&replay->prepared, &prepared);
        trial->compile_ns = first->compile_ns;
        trial->validate_ns = first->validate_ns;
        replay->elapsed_s += (first->compile_ns + first->validate_ns) * 1e-9;
    }
}

static double elapsed_s(void *self)
{
    return ((tune_replay *)self)->elapsed_s;
}

void tune_replay_open(tune_replay *replay, const tune_memo *log, tune_evaluator *evaluator)
{
    *replay = (tune_replay){.log = log};
    *evaluator = (tune_evaluator){.self = replay, .evaluate = evaluate, .elapsed_s = elapsed_s};
}

void tune_replay_close(tune_replay *replay)
{
    tune_memo_free(&replay->prepared);
}
