/* From a decision to the entries of a config. */
#ifndef CLSCAN_TUNER_CLASSES_H
#define CLSCAN_TUNER_CLASSES_H

#include "output/entries.h"
#include "search/decide.h"

/* Add one entry per size class. A class ends at the geometric middle between its last count and the next class's
 * first one; the last class has no end. Counts that keep what serves them have entries without a variant, `kept`.
 * Without any chosen variant nothing is added. */
clscan_status tune_decision_entries(const tune_decision *decision, tune_entries *entries, clscan_error *error);

#endif
