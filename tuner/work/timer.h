/* Whether the times of a trial can be true. */
#ifndef CLSCAN_TUNER_TIMER_H
#define CLSCAN_TUNER_TIMER_H

#include "trial/trial.h"

/* Compare the time of a correct trial with the host's clock, and with the copy of the same bytes. If they cannot all
 * be true the outcome becomes `runtime`, and the result is false. A time that is the host's own is believed. */
bool tune_timer_check(tune_trial *trial);

#endif
