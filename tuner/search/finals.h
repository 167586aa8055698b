/* The last comparison: the fastest variants of each count, and the default, measured again and again in turn.
 *
 * In a search each variant has its own minute, and what differs from minute to minute counts as noise. Here that is the
 * same for all, so that small differences show. */
#ifndef CLSCAN_TUNER_FINALS_H
#define CLSCAN_TUNER_FINALS_H

#include "search/search.h"

/* Hold the finals of all counts, unless the journal has them, and give the trials of those who took part their new
 * times (tune_search_revise()). Rounds go on until the noise between the best and its rivals is small, and are few
 * where that would take longer than until `end_s`, seconds of the run. An interrupt leaves all times as they are. Who
 * fails is out. Returns the failure that ended the search, if one did. */
clscan_status tune_finals(tune_search *search, double end_s, clscan_error *error);

#endif
