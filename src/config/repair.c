#include "config/repair.h"

#include <stdio.h>

#include "base/checked.h"
#include "base/shared.h"
#include "config/variant.h"

/* As the last resorts have. */
#define WORK_GROUPS_PER_UNIT 4u

/* Halve what a work-item takes. False where there is nothing left to halve. */
static bool halve(clscan_variant *variant)
{
    uint32_t *const sizes[] = {&variant->cached_pieces, &variant->vector_length, &variant->register_pieces,
                               &variant->local_pieces};
    const bool cached = clscan__variant_is_cached(variant), transposed = clscan__variant_is_transposed(variant);

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        /* A vector is the width of a load where rows are transposed, and of a row where they are cached. */
        if (*sizes[i] <= 1 || (sizes[i] == &variant->vector_length && (cached || transposed)))
            continue;
        *sizes[i] /= 2;
        return true;
    }
    return false;
}

/* On a CPU the elements of a vector are combined one by one if they are no scalars, and a copy of the operator stands
 * for each of all rows, which only takes long to compile. Plan and scan of 2^22 arg-max pairs took 3.4 s on PoCL 3.1 by
 * pairs in 2 rows instead of 23 s (2026-11-23). As many copies for single elements in 4 rows are up to 1.4 times as
 * fast, since twice as many of them do not wait for each other (docs/results/cpus.md). */
#define CACHED_ROWS 4u

static void take_single_elements(clscan_variant *variant)
{
    for (; variant->vector_length > 1; variant->vector_length /= 2)
        variant->cached_pieces *= 2;
    if (variant->interleaved_rows == 1)
        return;
    for (; variant->interleaved_rows < CACHED_ROWS && variant->cached_pieces > 1; variant->interleaved_rows *= 2)
        variant->cached_pieces /= 2;
    for (; variant->interleaved_rows > CACHED_ROWS; variant->interleaved_rows /= 2)
        variant->cached_pieces *= 2;
}

/* Without a landing zone the next tile would wait in registers too, which are not enough: so a work-group has one. */
static void keep_one_tile(clscan_variant *variant)
{
    variant->carry = CLSCAN_CARRY_LOOKBACK;
    variant->order = CLSCAN_ORDER_DYNAMIC;
    variant->work_groups_per_unit = 0;
    variant->landing_zones = 0;
}

/* Without a landing zone both tiles of a work-group are in registers. By clang 15 and ptxas, scans of maps and between
 * types spill up to 700 bytes of a work-item with the tiles of landing zones, and up to 44 bytes with these, which
 * selections and segments have, too. For 2^28 int32 that pass a map 128 bytes were the fastest of 14 tiles on an H200
 * (2026-11-28): 0.98 of a copy, and 0.95 with 96 bytes; but elements that are narrower than a word take turns in one,
 * and were faster with 96: int16 0.57, and 0.46 with 128. Where outputs are wider than inputs, a little more of the
 * device's registers and less of a work-item's was faster: 0.94 instead of 0.90 of a copy for 2^28 half to float on an
 * H200 (2026-11-26). A lane loads at least a word. */
#define TWO_TILES_WORK_GROUP_SIZE 256u
#define TWO_TILES_BYTES 128u
#define NARROW_BYTES 96u
#define WIDENED_WORK_GROUP_SIZE 320u
#define WIDENED_BYTES 80u
#define LEAST_LOAD_BYTES 4u

static void keep_two_tiles(clscan_variant *variant, clscan__shape shape)
{
    const bool widens = shape.output_bytes > shape.element_bytes;
    const uint32_t most_work_items = widens ? WIDENED_WORK_GROUP_SIZE : TWO_TILES_WORK_GROUP_SIZE;
    const uint32_t bytes = widens                                ? WIDENED_BYTES
                           : shape.held_bytes < LEAST_LOAD_BYTES ? NARROW_BYTES
                                                                 : TWO_TILES_BYTES;
    uint32_t pieces;

    if (variant->work_group_size > most_work_items)
        variant->work_group_size = most_work_items;
    while (variant->vector_length * shape.element_bytes < LEAST_LOAD_BYTES)
        variant->vector_length *= 2;
    pieces = bytes / (variant->vector_length * shape.held_bytes);
    variant->register_pieces = pieces > 0 ? pieces : 1;
    variant->landing_zones = 0;
}

/* Inputs land in vectors of 16 bytes, and stay in registers as they are in memory: so many vectors by how many times as
 * wide outputs are. The fastest of 12 to 18 tiles each for 2^28 elements on an H200
 * (docs/results/nvidia-h200-kernels.md). */
#define LANDING_BYTES 16u

static void land_inputs(clscan_variant *variant, clscan__shape shape)
{
    const uint32_t times_as_wide = shape.output_bytes / shape.element_bytes;

    variant->vector_length = LANDING_BYTES / shape.element_bytes;
    variant->work_group_size = times_as_wide > 4 ? 256 : 320;
    if (times_as_wide == 1)
        variant->register_pieces = shape.element_bytes == 4 ? 7 : 9;
    else
        variant->register_pieces = times_as_wide == 2 ? 6 : 3;
}

/* The same, or the tile as it was measured, if that is legal; else nothing changes. */
static bool land(clscan_variant *variant, bool as_measured, clscan__shape shape, const clscan_problem *problem,
                 int in_place, const clscan_device_info *device)
{
    clscan_variant landed = *variant;
    clscan__violation unused;

    if (shape.landing_bytes == 0)
        return false;
    if (!as_measured)
        land_inputs(&landed, shape);
    if (!clscan__variant_is_legal(&landed, problem, in_place, device, &unused))
        return false;
    *variant = landed;
    return true;
}

/* Whatever is converted, or passes a map, has one of these two instead of the tile of scalars that stay as they are. Up
 * to 4 bytes two tiles in registers are as fast. */
#define MOST_TWO_TILES_BYTES 4u

static void fit_converted(clscan_variant *variant, clscan__shape shape, const clscan_problem *problem, int in_place,
                          const clscan_device_info *device)
{
    const bool is_slow = shape.held_bytes > MOST_TWO_TILES_BYTES || shape.element_bytes == 1;

    if (!is_slow || !land(variant, false, shape, problem, in_place, device))
        keep_two_tiles(variant, shape);
}

/* Tiles of as many bytes where elements are larger, or leave more behind in local memory: shorter vectors first, so
 * that loads are no wider than they were, and fewer rows then. */
static void take_fewer_rows(clscan_variant *variant, const clscan__config_key *measured, const clscan__wanted *wanted)
{
    const uint64_t row_bytes = (uint64_t)variant->vector_length * measured->element_size_bytes;
    const uint64_t tile_bytes =
        (uint64_t)variant->vector_length * variant->register_pieces * clscan__key_kept_bytes(measured);
    uint64_t rows;

    while (variant->vector_length > 1 && (uint64_t)variant->vector_length * wanted->size_bytes > row_bytes)
        variant->vector_length /= 2;
    rows = tile_bytes / ((uint64_t)variant->vector_length * wanted->kept_bytes);
    if (rows < variant->register_pieces)
        variant->register_pieces = rows > 0 ? (uint32_t)rows : 1;
}

/* Halve a tile until it has no more bytes than it was measured with. */
static void halve_to(clscan_variant *variant, uint64_t measured_bytes, uint64_t bytes)
{
    while (measured_bytes < bytes && halve(variant))
        measured_bytes *= 2;
}

/* The same of segments, whose lanes hold sums and a mark of each (cl/bodies/marked_rows.cl), in vectors of 16 bytes. By
 * flags of a byte the fastest of ten tiles for 2^28 int32 on an H200 (docs/results/nvidia-h200-2026-11-22.md). */
#define TWO_MARKED_TILES_BYTES 112u
#define LEAST_REGISTER_BYTES 4u

static void keep_two_marked_tiles(clscan_variant *variant, clscan__shape shape)
{
    const uint32_t sum_bytes = shape.marked_bytes > LEAST_REGISTER_BYTES ? shape.marked_bytes : LEAST_REGISTER_BYTES;
    uint32_t pieces;

    if (variant->work_group_size > TWO_TILES_WORK_GROUP_SIZE)
        variant->work_group_size = TWO_TILES_WORK_GROUP_SIZE;
    while (variant->vector_length > 1 && variant->vector_length * sum_bytes > LANDING_BYTES)
        variant->vector_length /= 2;
    pieces = TWO_MARKED_TILES_BYTES / (variant->vector_length * sum_bytes);
    variant->register_pieces = pieces > 0 ? pieces : 1;
    variant->landing_zones = 0;
}

/* Segments that are told by bits land, where the device can copy so; the others have two tiles in registers. */
static void fit_segments(clscan_variant *variant, clscan__shape shape, const clscan_problem *problem, int in_place,
                         const clscan_device_info *device)
{
    const bool whole_vectors = variant->vector_length * shape.element_bytes == LANDING_BYTES;

    if (land(variant, whole_vectors, shape, problem, in_place, device))
        return;
    if (shape.marked_bytes > 0)
        keep_two_marked_tiles(variant, shape);
    else
        keep_two_tiles(variant, shape);
}

/* Of an entry for what the problem does, what was measured stays as far as it goes. */
static void fit_own(clscan_variant *variant, const clscan__config_key *measured, const clscan__wanted *wanted,
                    clscan__shape shape, const clscan_problem *problem, int in_place, const clscan_device_info *device)
{
    if (variant->body == CLSCAN_BODY_SUBGROUP_ROWS)
        take_fewer_rows(variant, measured, wanted);
    else
        halve_to(variant, clscan__key_kept_bytes(measured), wanted->kept_bytes);
    if (variant->landing_zones > 0)
        fit_segments(variant, shape, problem, in_place, device);
}

/* Of an entry for scans or reductions of scalars. Elements that stay as they are in memory keep its tile if they are
 * less than twice as large, and go ahead if they can land as they are. */
static void fit_scan(clscan_variant *variant, const clscan__config_key *measured, clscan__shape shape,
                     const clscan_problem *problem, int in_place, const clscan_device_info *device)
{
    const bool goes_ahead = shape.stays && variant->carry == CLSCAN_CARRY_LOOKAHEAD;
    clscan__violation unused;

    if (clscan__variant_is_cached(variant) && !shape.has_lanes)
        take_single_elements(variant);
    if (!shape.stays && variant->landing_zones > 0)
        fit_converted(variant, shape, problem, in_place, device);
    else
        halve_to(variant, goes_ahead ? 2u * measured->element_size_bytes - 1 : measured->element_size_bytes,
                 clscan__variant_held_bytes(variant, shape));
    if (goes_ahead &&
        (variant->landing_zones == 0 || !clscan__variant_is_legal(variant, problem, in_place, device, &unused)))
        keep_one_tile(variant);
}

bool clscan__variant_fit(clscan_variant *variant, const clscan__config_key *measured, const clscan__wanted *wanted,
                         const clscan_problem *problem, int in_place, const clscan_device_info *device,
                         clscan__violation *violation)
{
    const clscan__shape shape = clscan__problem_shape(problem);
    clscan__violation unused;

    if (!shape.plain && wanted->own)
        fit_own(variant, measured, wanted, shape, problem, in_place, device);
    else if (!shape.plain)
        fit_scan(variant, measured, shape, problem, in_place, device);
    /* The elements that the entry was measured with may have filled lines where these do not. */
    if (variant->vector_length < CLSCAN__LEAST_LANES && !shape.fills_lines)
        variant->streaming_stores = 0;
    if (clscan__variant_is_legal(variant, problem, in_place, device, violation))
        return true;
    while (!shape.plain && halve(variant))
        if (clscan__variant_is_legal(variant, problem, in_place, device, &unused))
            return true;
    return false;
}

clscan_variant clscan__variant_without_waiting(const clscan_variant *variant, const clscan_problem *problem,
                                               int in_place, const clscan_device_info *device)
{
    clscan_variant repaired = *variant;
    clscan__violation unused;

    repaired.carry =
        clscan__problem_reduces_all(problem) ? CLSCAN_CARRY_REDUCE_THEN_COMBINE : CLSCAN_CARRY_REDUCE_THEN_SCAN;
    repaired.order = CLSCAN_ORDER_NONE;
    repaired.work_groups_per_unit = WORK_GROUPS_PER_UNIT;
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (!clscan__param_needed(&repaired, &clscan__params[i]))
            clscan__param_set(&clscan__params[i], &repaired, 0);
    return clscan__variant_is_legal(&repaired, problem, in_place, device, &unused)
               ? repaired
               : clscan__selector_last_resort(problem);
}
