#include "engine/lengths.h"

#include "base/checked.h"
#include "device/shuffles.h"
#include "element/selection.h"

/* Places that one work-item walks: so few that many are busy, and no more turns than any device's loops may have. */
enum { WALKED = 256 };

enum { MARK_BYTES = 2 * sizeof(cl_ulong) };

clscan__length_units clscan__length_units_of(const clscan_plan *plan, const clscan_variant *variant, uint64_t count)
{
    clscan__length_units units = {.elements = WALKED};

    if (variant->body == CLSCAN_BODY_SUBGROUP_ROWS) {
        units.by_parts = true;
        units.elements = (uint64_t)clscan__shuffle_width(&plan->info, variant->work_group_size) *
                         variant->vector_length * variant->register_pieces;
    }
    units.count = clscan__divide_up(count, units.elements);
    return units;
}

/* Of two and more elements. What is no part leaves in the place of marks where each of them ends. */
static uint64_t run_ends_bytes(const clscan_plan *plan)
{
    const uint64_t bytes = plan->problem.max_count / 2 * clscan__problem_length_bytes(&plan->problem);

    return clscan__divide_up(bytes, MARK_BYTES) * MARK_BYTES;
}

uint64_t clscan__length_marks_bytes(const clscan_plan *plan)
{
    uint64_t most = 0;

    if (clscan__problem_length_bytes(&plan->problem) == 0)
        return 0;
    for (size_t i = 0; i < plan->compiled_count; ++i) {
        const clscan_variant *variant = &plan->compiled[i].variant;
        const clscan__length_units units = clscan__length_units_of(plan, variant, plan->problem.max_count);
        /* The parts of a tile leave a mark each, also those behind the end of the input. */
        const uint64_t all = units.count + clscan_variant_tile_count(variant) / units.elements;
        const bool leaves_ends = clscan__problem_selects_long_runs(&plan->problem) && !units.by_parts;
        const uint64_t bytes = leaves_ends ? run_ends_bytes(plan) : (1 + all) * MARK_BYTES;

        most = most > bytes ? most : bytes;
    }
    return most;
}
