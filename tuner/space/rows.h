/* What rows read of a variant. Short ones share a work-group, whose kernel knows neither tiles nor bodies. */
#ifndef CLSCAN_TUNER_ROWS_H
#define CLSCAN_TUNER_ROWS_H

#include "space/space.h"

/* Work-groups of each compute unit that take ranges of few long rows, in every variant for rows: what is measured are
 * many, which read nothing of it. As variants have that take the place of one that waits (src/config/repair.c). */
#define TUNE_ROWS_WORK_GROUPS_PER_UNIT 4u

/* Rows of up to so many elements share a work-group. Targets of rows have no elements whose sums are larger. */
uint64_t tune_rows_shared(const tune_target *target, const clscan_device_info *device, const clscan_variant *variant);

/* Is the variant worth a measurement at a count beside `standard`, the default there? Not if the space is one for rows
 * of which several share a work-group, and it differs in what these do not read. True for all other targets. */
bool tune_rows_need_search(const tune_space *space, const clscan_variant *variant, const clscan_variant *standard,
                           uint64_t count);

/* Variants that differ from the default of a count in what short rows read, evenly spread; at most `capacity`. Returns
 * how many: 0 where rows do not share a work-group. */
size_t tune_rows_variants(const tune_space *space, const clscan_variant *standard, uint64_t count,
                          clscan_variant *variants, size_t capacity);

#endif
