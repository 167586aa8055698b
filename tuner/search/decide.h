/* From the trials of a search to size classes, each with one variant.
 *
 * At each count of the ladder some variants are acceptable: those whose time differs from the fastest one's by no
 * more than the noise or TUNE_TIE, and does not exceed the default's; where there was a last comparison (finals.h), of
 * those that took part. Where the fastest is not ahead of the default by more than the noise, the default's variant is
 * the only acceptable one. Of all ways to take an acceptable variant at each count, that one is chosen which has the
 * fewest classes; among those, the simplest variants; among those, the fastest. */
#ifndef CLSCAN_TUNER_DECIDE_H
#define CLSCAN_TUNER_DECIDE_H

#include "search/search.h"

/* Variants whose times differ by no more than this part are equally fast. */
#define TUNE_TIE 0.01

/* Why a pick is not simply the fastest variant.
 *   name      text */
/* clang-format off */
#define TUNE_REASON_LIST(X)                                                      \
    X(FASTEST, "the fastest")                                                                  \
    X(DEFAULT, "the default: nothing is faster by more than the noise")                        \
    X(TIE,     "as fast as the fastest, and simpler or shared with other counts")              \
    X(KEPT,    "none: the default could not be measured, so nobody knows what would be faster")
/* clang-format on */

typedef enum tune_reason {
#define X(name, text) TUNE_REASON_##name,
    TUNE_REASON_LIST(X)
#undef X
} tune_reason;

/* What is chosen for one count of the ladder. */
typedef struct tune_pick {
    const tune_trial *chosen;   /* NULL: nothing was right at this count, or the reason is KEPT */
    const tune_trial *fastest;  /* the same */
    const tune_trial *standard; /* the default's; may have failed */
    double noise;               /* part of a time by which measurements at this count differ */
    double noise_ns;            /* between the fastest and the default */
    tune_reason reason;
} tune_pick;

typedef struct tune_decision {
    tune_target target;
    double noise_floor; /* part of a time by which repeated measurements differ, over all counts */
    tune_pick picks[TUNE_MAX_COUNTS];
    size_t count; /* of the ladder */
} tune_decision;

/* Decide by the trials that there are. CLSCAN_ERROR_OUT_OF_MEMORY. */
clscan_status tune_decide(const tune_search *search, tune_decision *decision, clscan_error *error);

/* Compare the fastest of each count once more (finals.h), until `end_s`; decide, soak what was chosen, and decide again
 * until every choice survived `runs` checked runs. Fails as tune_search_run() does. */
clscan_status tune_settle(tune_search *search, unsigned runs, double end_s, tune_decision *decision,
                          clscan_error *error);

const char *tune_reason_text(tune_reason reason);

/* Has the default been measured at every count? Without that, the entries of the counts that were would also serve the
 * others, and nobody knows how well. */
bool tune_decision_is_whole(const tune_decision *decision);

/* The default at the largest count, if what was chosen is clearly faster there; else NULL. */
const clscan_variant *tune_clearly_beaten(const tune_decision *decision);

/* Which of two variants is simpler? < 0: a, > 0: b. In this order: work-groups that do not wait for each other, one
 * launch, fewer registers of a work-item, which leaves some to the other operators of the class, less local memory and
 * registers in all, fewer work-items, the smaller values of the other parameters. */
int tune_compare_simplicity(const clscan_variant *a, const clscan_variant *b, const tune_target *target);

/* The fastest correct trial at a count among those with one choice on an axis: StreamScan's table 4. NULL: none. */
const tune_trial *tune_best_with(const tune_search *search, size_t count_index, clscan__axis_id axis, uint32_t value);

/* ---- the measurement as a whole ---- */

/* Part of a time by which repeated measurements of one thing differ: the quartiles of the copies beside the trials of
 * one count. */
double tune_noise_floor(const tune_search *search);
/* The same at one count of the ladder; the floor where too little was measured. */
double tune_noise_at(const tune_search *search, size_t count_index);
/* By which part the copies became slower (> 0) or faster from the first to the last quarter of the search. */
double tune_copy_drift(const tune_search *search);
/* How many times longer or shorter the default took in the last comparison than when the search began, where that
 * differs most; >= 1, and 1 if nothing was compared. Counts whose runs are so short that chance shows are left out.
 * *count says where. */
double tune_default_change(const tune_search *search, uint64_t *count);

#endif
