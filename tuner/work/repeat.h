/* Running a compiled candidate on loaded data: to time it, or to see whether it stays right. */
#ifndef CLSCAN_TUNER_REPEAT_H
#define CLSCAN_TUNER_REPEAT_H

#include "trial/trial.h"
#include "work/candidate.h"
#include "work/load.h"

/* Time the candidate at trial->count beside the fastest copy, until the spread is small or the limit is reached; check
 * the output before and after. Fills outcome, reason, times and runs. */
void tune_measure(tune_candidate *candidate, tune_load *load, uint32_t limit_ms, tune_trial *trial);

/* Run the candidate `runs` times at trial->count, each time checked, or as often as the limit allows: trial->runs. */
void tune_soak(tune_candidate *candidate, tune_load *load, unsigned runs, uint32_t limit_ms, tune_trial *trial);

#endif
