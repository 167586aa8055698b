/* Whether other programs use the processors while this one measures. */
#ifndef CLSCAN_TUNER_BUSY_H
#define CLSCAN_TUNER_BUSY_H

#include <stdbool.h>
#include <stddef.h>

/* Processor time until now, in seconds, as Linux counts it. */
typedef struct tune_busy {
    double all_s;    /* spent by anybody, without what was stolen */
    double stolen_s; /* spent by other virtual machines while this one wanted to run */
    double own_s;    /* spent by this process and those of its children that have ended */
    double clock_s;  /* the time itself */
    unsigned cores;
} tune_busy;

/* Read `all_s`, `stolen_s` and `cores` from the text of /proc/stat, whose times are in `ticks_per_s`. Returns false if
 * it is no such text. */
bool tune_busy_parse(const char *stat, double ticks_per_s, tune_busy *busy);

/* How it is now. Returns false where the system does not say. */
bool tune_busy_now(tune_busy *busy);

/* If others used much of the processors between the two, write a sentence about it, else "". Returns whether they
 * did. */
bool tune_busy_between(const tune_busy *begin, const tune_busy *end, char *text, size_t size_bytes);

#endif
