/* Lengths of a selection: what it leaves is completed by cl/selection/lengths.cl, unit by unit. */
#ifndef CLSCAN_ENGINE_LENGTHS_H
#define CLSCAN_ENGINE_LENGTHS_H

#include "engine/plan.h"

#define CLSCAN__WALK_KERNEL "clscan_walk_lengths"
#define CLSCAN__MEND_KERNEL "clscan_mend_lengths"

typedef struct clscan__length_units {
    bool by_parts;     /* units are parts of the input, whose lengths a variant makes itself; else of the output */
    uint64_t elements; /* of a unit */
    uint64_t count;    /* that a run of so many elements may have */
} clscan__length_units;

/* Of a plan whose selection has lengths. */
clscan__length_units clscan__length_units_of(const clscan_plan *plan, const clscan_variant *variant, uint64_t count);

/* What units leave in the workspace, whatever class of the plan serves. 0 where there are no lengths. */
uint64_t clscan__length_marks_bytes(const clscan_plan *plan);

#endif
