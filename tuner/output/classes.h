/* From a decision to the entries of a config. */
#ifndef CLSCAN_TUNER_CLASSES_H
#define CLSCAN_TUNER_CLASSES_H

#include "output/config.h"
#include "search/decide.h"

/* Add one entry per size class. A class ends at the geometric middle between its last count and the next class's
 * first one, or before, where rows would no longer share a work-group as they did; the last class has no end. Counts
 * that keep what serves them have entries without a variant. tune_keep() fills these in, and gives back the counts that
 * no measurement speaks for. Without any chosen variant nothing is added. */
clscan_status tune_decision_entries(const tune_decision *decision, const clscan_device_info *device,
                                    clscan__document *entries, clscan_error *error);

/* Is it one without a variant? */
bool tune_entry_is_kept(const clscan__config_entry *entry);

#endif
