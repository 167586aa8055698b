/* Launches and memory for a run over rows (cl/rows). Pure. */
#ifndef CLSCAN_ENGINE_ROWS_H
#define CLSCAN_ENGINE_ROWS_H

#include "element/problem.h"
#include "engine/geometry.h"
#include "engine/strategy.h"

/* `ranges` are those of each row; 0: rows are short, and each work-group takes `rows_per_group` of them. */
typedef struct clscan__rows_geometry {
    uint64_t rows_per_group;
    uint64_t ranges;
    uint64_t tiles_per_range;
    uint64_t work_groups;
} clscan__rows_geometry;

/* For `rows` rows of `count` elements; at least one row. */
clscan__rows_geometry clscan__rows_geometry_of(const clscan_variant *variant, clscan__shape shape,
                                               const clscan_device_info *device, uint64_t rows, uint64_t count);

/* Bytes of the totals of ranges that any run over so many rows and elements, or fewer, needs. */
uint64_t clscan__rows_totals_bytes(const clscan_variant *variant, clscan__shape shape, const clscan_device_info *device,
                                   uint64_t most_rows, uint64_t most_count);

/* Are rows of so many elements long enough for other ways than many shorter ones take? */
bool clscan__rows_are_long(clscan__shape shape, uint64_t most_count);

/* Is that faster than one launch for all of these rows, of the kernels here? So it is where they would be cut into
 * ranges, and read twice; one row on its own also if it is shorter. `may_chain`: there is the way below. */
bool clscan__rows_are_lone(const clscan_variant *variant, clscan__shape shape, const clscan_device_info *device,
                           uint64_t rows, uint64_t count, bool may_chain);

/* Where work-groups may wait, such rows are chains of tiles in one launch. Make a variant for rows one for that; false
 * if it would not be legal. */
bool clscan__rows_chain(clscan_variant *variant, const clscan_problem *problem, int in_place,
                        const clscan_device_info *device);
bool clscan__rows_are_chained(const clscan_variant *variant, clscan__shape shape, const clscan_device_info *device,
                              uint64_t rows, uint64_t count);
/* Where work-groups may wait, rows of whole tiles without gaps between them are walked as one input. Make the variant
 * of a scan of all their elements one for that; false if the problem's rows are no such, or if it would not be
 * legal. */
bool clscan__rows_join(clscan_variant *variant, const clscan_problem *problem, int in_place,
                       const clscan_device_info *device);
bool clscan__rows_are_joined(const clscan_variant *joined, const clscan__run *run);

/* Memory for the words of all runs by a variant that one of these two has made. */
uint64_t clscan__rows_words_bytes(const clscan_variant *variant, clscan__shape shape, const clscan_device_info *device,
                                  uint64_t most_rows, uint64_t most_count);

const clscan__strategy *clscan__rows_strategy(const clscan_variant *variant, bool reproducible);

#endif
