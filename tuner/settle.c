/* What is chosen must survive many runs, and a second look. */
#include <math.h>

#include "command_line/failure.h"
#include "decide.h"

/* Soak each chosen variant at the largest count that it is chosen for. Returns false if one failed. */
static bool soak_all(tune_search *search, const tune_decision *decision, unsigned runs)
{
    bool survived = true;

    for (size_t at = 0; at < decision->count; ++at) {
        const tune_trial *chosen = decision->picks[at].chosen;
        const tune_trial *next = at + 1 < decision->count ? decision->picks[at + 1].chosen : NULL;

        if (chosen == NULL || (next != NULL && tune_same_variant(&chosen->variant, &next->variant)))
            continue;
        if (chosen->outcome == TUNE_OUTCOME_CORRECT)
            survived = tune_search_soak(search, chosen, runs) == TUNE_OUTCOME_CORRECT && survived;
    }
    return survived;
}

/* The time of a variant, measured anew; INFINITY if it was not right. */
static double measure_again(const tune_search *search, const tune_trial *trial)
{
    const tune_evaluator *evaluator = tune_search_about(search)->evaluator;
    tune_trial again = {.target = trial->target, .variant = trial->variant, .count = trial->count};

    evaluator->evaluate(evaluator->self, &again);
    return again.outcome == TUNE_OUTCOME_CORRECT ? again.time_ns : INFINITY;
}

/* A default that was measured at the beginning, and a choice that was measured long after it, may have met a device
 * that was not as fast or as busy. */
static void confirm_all(const tune_search *search, tune_decision *decision)
{
    const volatile sig_atomic_t *interrupted = tune_search_about(search)->interrupted;

    for (size_t at = 0; at < decision->count; ++at) {
        tune_pick *pick = &decision->picks[at];

        if (pick->chosen == NULL || pick->standard == NULL || pick->standard->outcome != TUNE_OUTCOME_CORRECT ||
            tune_same_variant(&pick->chosen->variant, &pick->standard->variant) ||
            (interrupted != NULL && *interrupted))
            continue;
        if (measure_again(search, pick->standard) <= measure_again(search, pick->chosen)) {
            pick->chosen = pick->standard;
            pick->reason = TUNE_REASON_UNCONFIRMED;
        }
    }
}

clscan_status tune_settle(tune_search *search, unsigned runs, tune_decision *decision, clscan_error *error)
{
    clscan_status status;
    bool survived;

    /* Each failure takes one variant out, so this ends. */
    do {
        TRY(tune_decide(search, decision, error));
        survived = soak_all(search, decision, runs);
        TRY(tune_search_status(search, error));
    } while (!survived);
    confirm_all(search, decision);

cleanup:
    return status;
}
