#include "record/replay.h"

#include <stdio.h>

/* Seconds of preparing the trial's candidate, which the log has in the first trial of the candidate. */
static double prepare_s(const tune_memo *log, const tune_trial *trial)
{
    double most_ns = 0;

    for (size_t i = 0; i < log->count; ++i) {
        tune_trial question = *log->trials[i];

        question.count = trial->count;
        if (tune_trial_same_question(&question, trial) &&
            log->trials[i]->compile_ns + log->trials[i]->validate_ns > most_ns)
            most_ns = log->trials[i]->compile_ns + log->trials[i]->validate_ns;
    }
    return most_ns * 1e-9;
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
    if (tune_memo_find(&replay->prepared, &trial->target, &trial->variant, 1) == NULL) {
        tune_memo_put(&replay->prepared, &prepared);
        replay->elapsed_s += prepare_s(replay->log, trial);
    }
    *trial = *known;
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
