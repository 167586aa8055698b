/* Giving a trial its outcome. */
#ifndef CLSCAN_TUNER_CONCLUDE_H
#define CLSCAN_TUNER_CONCLUDE_H

#include "command_line/printf_like.h"
#include "trial/trial.h"

/* Set outcome and reason, and return false, so that a caller can return its result. The reason is cut to one line of
 * plain ASCII, since drivers and compilers write whatever they like. */
bool tune_conclude(tune_trial *trial, tune_outcome outcome, const char *format, ...) PRINTF_LIKE(3, 4);

/* Only the reason, or why a worker failed. */
void tune_write_reason(char reason[TUNE_REASON_BYTES], const char *format, ...) PRINTF_LIKE(2, 3);

#endif
