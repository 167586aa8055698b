#include "config/repair.h"

#include <stdio.h>

#include "base/checked.h"
#include "config/short_rows.h"
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
 * for each of all rows, which only takes long to compile. Plan and scan of 2^22 arg-max pairs took 3.4 s on PoCL 3.1
 * instead of 23 s (2026-11-23), and the scan was no slower. */
#define MOST_CACHED_VECTOR 2u
#define MOST_CACHED_ROWS 2u

static void shorten_vectors(clscan_variant *variant)
{
    for (; variant->vector_length > MOST_CACHED_VECTOR; variant->vector_length /= 2)
        variant->cached_pieces *= 2;
    if (variant->interleaved_rows > MOST_CACHED_ROWS)
        variant->interleaved_rows = MOST_CACHED_ROWS;
}

/* What a tile has of elements of 8 bytes or more where rows of sub-groups stay in registers: so much that NVIDIA's
 * compiler hardly spills for compute capability 9.0, and about as many bytes are on their way as of scalars. */
typedef struct wide_tile {
    uint32_t most_bytes; /* of an element */
    uint32_t work_group_size, register_pieces, work_groups_per_unit;
} wide_tile;

static const wide_tile wide_tiles[] = {{16, 320, 7, 2}, {32, 128, 5, 3}, {64, 256, 2, 1}};
#define WIDE_TILE_COUNT (sizeof wide_tiles / sizeof wide_tiles[0])
#define LEAST_WIDE_BYTES 8u
#define LANDING_BYTES 16u /* of a vector that is copied at once */

/* Without a landing zone the next tile would wait in registers too, which are not enough: so a work-group has one. */
static void keep_one_tile(clscan_variant *variant)
{
    variant->carry = CLSCAN_CARRY_LOOKBACK;
    variant->order = CLSCAN_ORDER_DYNAMIC;
    variant->work_groups_per_unit = 0;
    variant->landing_zones = 0;
}

/* An entry that goes ahead, for elements that stay as they are in memory. */
static void fit_ahead(clscan_variant *variant, clscan__shape shape, const clscan_problem *problem, int in_place,
                      const clscan_device_info *device)
{
    clscan__violation unused;

    for (size_t i = 0; i < WIDE_TILE_COUNT && shape.held_bytes >= LEAST_WIDE_BYTES; ++i)
        if (shape.held_bytes <= wide_tiles[i].most_bytes) {
            variant->vector_length = shape.held_bytes < LANDING_BYTES ? LANDING_BYTES / shape.held_bytes : 1;
            variant->work_group_size = wide_tiles[i].work_group_size;
            variant->register_pieces = wide_tiles[i].register_pieces;
            variant->work_groups_per_unit = wide_tiles[i].work_groups_per_unit;
            break;
        }
    if (variant->landing_zones == 0 || !clscan__variant_is_legal(variant, problem, in_place, device, &unused))
        keep_one_tile(variant);
}

/* An entry that goes ahead, for selections, whose tiles are gathered in local memory: three quarters of the 48 KiB that
 * NVIDIA gives a work-group. Of 14 tiles for int32 this was the fastest for 2^28 elements by flags of a byte, half of
 * them kept, and one in a hundred, on an H200 (2026-11-24). */
#define SELECTED_WORK_GROUP_SIZE 256u
#define SELECTED_WORK_GROUPS_PER_UNIT 2u
#define SELECTED_VECTOR_LENGTH 8u
#define SELECTED_ROWS 8u
#define SELECTED_ELEMENTS 40u /* of a work-item, at most */
#define SELECTED_BYTES 144u   /* of these, at most */

static uint32_t least(uint32_t left, uint32_t right)
{
    return left < right ? left : right;
}

static void fit_selection(clscan_variant *variant, clscan__shape shape)
{
    const uint32_t bytes = shape.element_bytes;
    const uint32_t most_bytes = bytes > shape.gathered_bytes ? bytes : shape.gathered_bytes;
    uint32_t vector = 1, rows;

    while (2 * vector <= SELECTED_VECTOR_LENGTH && 2 * vector * bytes <= LANDING_BYTES)
        vector *= 2;
    rows = least(SELECTED_ROWS, least(SELECTED_ELEMENTS / vector, SELECTED_BYTES / (vector * most_bytes)));
    variant->vector_length = vector;
    variant->work_group_size = SELECTED_WORK_GROUP_SIZE;
    variant->register_pieces = rows > 0 ? rows : 1;
    variant->work_groups_per_unit = SELECTED_WORK_GROUPS_PER_UNIT;
    variant->landing_zones = 0;
}

/* The same for segments, whose sums stay in registers: the fastest of ten tiles for 2^28 int32 on an H200 (2026-11-24):
 * scans by flags of a byte reach 0.89 of a copy's speed, by offsets 0.83 and by keys of 4 bytes 0.95. */
typedef struct segments_tile {
    uint32_t work_group_size, register_pieces;
} segments_tile;

static const segments_tile reductions = {320, 5}, scans_by_keys = {320, 4}, other_scans = {256, 7};
#define SEGMENTS_WORK_GROUPS_PER_UNIT 2u
#define SEGMENTS_ROW_BYTES 16u /* of a work-item: a vector, of sums that take a register at least */
#define SEGMENTS_BYTES 112u    /* of its rows, at most */

static void fit_segments(clscan_variant *variant, clscan__shape shape, clscan_segments_by by)
{
    const segments_tile tile = shape.gathered_bytes > 0 ? reductions
                               : by == CLSCAN_BY_KEYS   ? scans_by_keys
                                                        : other_scans;
    const uint32_t bytes = shape.marked_bytes > 4 ? shape.marked_bytes : 4;

    variant->vector_length = bytes < SEGMENTS_ROW_BYTES ? SEGMENTS_ROW_BYTES / bytes : 1;
    variant->work_group_size = tile.work_group_size;
    variant->register_pieces =
        bytes < SEGMENTS_ROW_BYTES ? tile.register_pieces : least(tile.register_pieces, SEGMENTS_BYTES / bytes);
    variant->work_groups_per_unit = SEGMENTS_WORK_GROUPS_PER_UNIT;
    variant->landing_zones = 0;
}

bool clscan__variant_fit(clscan_variant *variant, uint32_t measured_bytes, const clscan_problem *problem, int in_place,
                         const clscan_device_info *device, clscan__violation *violation)
{
    const clscan__shape shape = clscan__problem_shape(problem);
    clscan__violation unused;

    if (shape.plain)
        return clscan__variant_is_legal(variant, problem, in_place, device, violation);
    variant->streaming_stores = 0;
    if (clscan__variant_is_cached(variant))
        shorten_vectors(variant);
    if (shape.stays && variant->carry == CLSCAN_CARRY_LOOKAHEAD) {
        fit_ahead(variant, shape, problem, in_place, device);
    } else if (shape.marked_bytes > 0 && variant->carry == CLSCAN_CARRY_LOOKAHEAD) {
        if (problem->segments != NULL)
            fit_segments(variant, shape, problem->segments->by);
        else
            fit_selection(variant, shape);
    } else {
        variant->landing_zones = 0;
        for (uint64_t bytes = measured_bytes; bytes < clscan__variant_held_bytes(variant, shape) && halve(variant);)
            bytes *= 2;
    }
    if (clscan__variant_is_legal(variant, problem, in_place, device, violation))
        return true;
    while (halve(variant))
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
        problem->operation == CLSCAN_REDUCE ? CLSCAN_CARRY_REDUCE_THEN_COMBINE : CLSCAN_CARRY_REDUCE_THEN_SCAN;
    repaired.order = CLSCAN_ORDER_NONE;
    repaired.work_groups_per_unit = WORK_GROUPS_PER_UNIT;
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (!clscan__param_needed(&repaired, &clscan__params[i]))
            clscan__param_set(&clscan__params[i], &repaired, 0);
    return clscan__variant_is_legal(&repaired, problem, in_place, device, &unused)
               ? repaired
               : clscan__selector_last_resort(problem);
}

/* Parts of a copy's speed on an H200 (int32, 2026-11-23). Rows of up to 4096 elements, which share a work-group:
 * 0.96 to 0.98 with 128 work-items, 0.92 to 0.97 with 256, 0.72 to 0.92 with 448. Longer ones have lengths that
 * are powers of two as a rule, and tiles that are not leave work-items idle where a work-group walks a row: 8192
 * elements reach 0.70 with tiles of 448 x 24 elements and 0.97 with 256 x 32. */
#define SHORT_ROWS_WORK_GROUP_SIZE 128u
#define LONG_ROWS_WORK_GROUP_SIZE 256u

/* Do rows of `count` elements share a work-group of the variant's size? */
static bool are_short(const clscan_variant *variant, const clscan_problem *problem, uint64_t count,
                      const clscan_device_info *device)
{
    const clscan__shape shape = clscan__problem_shape(problem);
    const uint32_t strip = clscan__short_strip(variant, shape.held_bytes, shape.sum_bytes, device);

    return count <= clscan__short_tile(variant, strip);
}

static clscan_variant with_small_work_groups(const clscan_variant *variant)
{
    clscan_variant small = *variant;

    if (small.work_group_size > SHORT_ROWS_WORK_GROUP_SIZE)
        small.work_group_size = SHORT_ROWS_WORK_GROUP_SIZE;
    return small;
}

/* Tiles of a power of two, of no more than a row if that goes: a tile that is not full is loaded element by element. */
static clscan_variant with_even_tiles(const clscan_variant *variant, uint64_t count)
{
    clscan_variant even = *variant;

    if (variant->body != CLSCAN_BODY_SUBGROUP_ROWS || variant->work_group_size < LONG_ROWS_WORK_GROUP_SIZE)
        return even;
    even.work_group_size = LONG_ROWS_WORK_GROUP_SIZE;
    even.register_pieces = 1;
    while (2 * even.register_pieces * even.work_group_size <= variant->register_pieces * variant->work_group_size)
        even.register_pieces *= 2;
    while (even.register_pieces > 1 && clscan_variant_tile_count(&even) > count)
        even.register_pieces /= 2;
    return even;
}

static void shape_for_rows(clscan_variant *variant, const clscan_problem *problem, uint64_t count, int in_place,
                           const clscan_device_info *device)
{
    clscan__violation unused;
    clscan_variant shaped = with_small_work_groups(variant);

    if (!are_short(&shaped, problem, count, device))
        shaped = with_even_tiles(variant, count);
    if (clscan__variant_is_legal(&shaped, problem, in_place, device, &unused))
        *variant = shaped;
}

void clscan__choose_for_rows(const clscan__selector *selector, const clscan_device_info *device,
                             const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice)
{
    uint64_t elements;

    if (!clscan__mul_u64(count, problem->rows->count, &elements))
        elements = UINT64_MAX;
    clscan__selector_choose(selector, device, problem, elements, in_place, choice);
    if (choice->variant.carry != CLSCAN_CARRY_REDUCE_THEN_SCAN) {
        choice->variant = clscan__variant_without_waiting(&choice->variant, problem, in_place, device);
        snprintf(choice->reason, sizeof choice->reason, "rows take the tile body of the entry for as many elements");
    }
    shape_for_rows(&choice->variant, problem, count, in_place, device);
    choice->revision[0] = '\0'; /* no entry was measured with the kernels for rows */
    choice->largest_count = UINT64_MAX;
}
