/* Whether plans measure at first use, and how long. */
#ifndef CLSCAN_TIMING_SETTINGS_H
#define CLSCAN_TIMING_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* A day. */
#define CLSCAN__MEASURE_MOST_MS 86400000

/* The time bound in force for a plan whose options say `asked_ms`, at most a day: CLSCAN_MEASURE's where they say 0.
 * 0: do not measure. */
uint64_t clscan__measure_bound_ns(int64_t asked_ms);

/* Read "5s", "500ms" or "off". Returns false for anything else, and for no time at all. */
bool clscan__measure_bound_parse(const char *text, uint64_t *bound_ns);

#endif
