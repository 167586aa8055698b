/* What is chosen must be ahead in the last comparison, and survive many runs. */
#include "command_line/failure.h"
#include "search/decide.h"
#include "search/finals.h"

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

clscan_status tune_settle(tune_search *search, unsigned runs, double end_s, tune_decision *decision,
                          clscan_error *error)
{
    clscan_status status;
    bool survived;

    tune_search_spread(search, end_s);
    TRY(tune_finals(search, end_s, error));
    /* Each failure takes one variant out, so this ends. */
    do {
        TRY(tune_decide(search, decision, error));
        survived = soak_all(search, decision, runs);
        TRY(tune_search_status(search, error));
    } while (!survived);

cleanup:
    return status;
}
