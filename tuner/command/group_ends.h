/* Are the parts of a group right? What is scanned are ones, so the last output of a part says it. */
#ifndef CLSCAN_TUNER_GROUP_ENDS_H
#define CLSCAN_TUNER_GROUP_ENDS_H

#include <stdbool.h>

#include <clscan/devices.h>

/* Compare the last output of each part, of int32, with what `ends` says; 0: the part is empty. `poison`: overwrite it
 * instead, before a run. */
clscan_status tune_group_ends_check(const clscan_member *members, const clscan_part *parts, size_t count,
                                    const uint64_t *ends, bool poison, clscan_error *error);

#endif
