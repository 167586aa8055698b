#include "config/rows.h"

#include <stdio.h>

#include "base/checked.h"
#include "common/short_rows.h"
#include "config/columns.h"
#include "config/constraints.h"
#include "config/repair.h"
#include "config/variant.h"

/* Parts of a copy's speed on an H200 (int32, 2026-11-23). Rows of up to 4096 elements, which share a work-group:
 * 0.96 to 0.98 with 128 work-items, 0.92 to 0.97 with 256, 0.72 to 0.92 with 448. Longer ones have lengths that
 * are powers of two as a rule, and tiles that are not leave work-items idle where a work-group walks a row: 8192
 * elements reach 0.70 with tiles of 448 x 24 elements and 0.97 with 256 x 32. */
#define SHORT_ROWS_WORK_GROUP_SIZE 128u
#define LONG_ROWS_WORK_GROUP_SIZE 256u

/* Rows that one work-group walks each, of as many elements as the plan knows. */
static bool rows_are_walked(const clscan_variant *variant, const clscan_problem *problem)
{
    const clscan_rows *rows = problem->rows;

    return rows != NULL && rows->count > 1 && clscan__rows_are_in_order(rows) && clscan__problem_is_plain(problem) &&
           problem->count_bytes == 0 && variant->body == CLSCAN_BODY_SUBGROUP_ROWS &&
           variant->carry == CLSCAN_CARRY_REDUCE_THEN_SCAN;
}

bool clscan__rows_are_loose(const clscan_variant *variant, const clscan_problem *problem, uint64_t count)
{
    const clscan_rows *rows = problem->rows;
    const uint64_t pitch = rows == NULL || rows->in_pitch == 0 ? count : rows->in_pitch;

    return rows_are_walked(variant, problem) && !clscan__problem_is_ordered(problem) &&
           pitch % variant->vector_length != 0;
}

/* Rows of up to so many elements share a work-group of the variant's size. */
static uint64_t most_of_short(const clscan_variant *variant, const clscan_problem *problem,
                              const clscan_device_info *device)
{
    const clscan__shape shape = clscan__problem_shape(problem);

    return clscan__short_most(variant, clscan__short_strip(variant, shape.held_bytes, shape.sum_bytes, device),
                              shape.ordered);
}

static clscan_variant with_small_work_groups(const clscan_variant *variant)
{
    clscan_variant small = *variant;

    if (small.work_group_size > SHORT_ROWS_WORK_GROUP_SIZE)
        small.work_group_size = SHORT_ROWS_WORK_GROUP_SIZE;
    return small;
}

/* Tiles of a power of two, of no more than a row if that goes: a tile that is not full is loaded element by element. */
static clscan_variant with_even_tiles(const clscan_variant *variant, bool ordered, uint64_t count)
{
    clscan_variant even = *variant;

    /* In the reproducible order each sub-group has a block, and tiles are powers of two. */
    while (ordered && variant->body == CLSCAN_BODY_SUBGROUP_ROWS && even.work_group_size > SHORT_ROWS_WORK_GROUP_SIZE &&
           (even.work_group_size > LONG_ROWS_WORK_GROUP_SIZE || clscan_variant_tile_count(&even) > count))
        even.work_group_size /= 2;
    if (ordered)
        return even;
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

/* Elements of a row up to which no larger tile of the variant is even. */
static uint64_t most_of_even_tiles(const clscan_variant *variant, bool ordered, const clscan_variant *even)
{
    const uint64_t twice = 2 * clscan_variant_tile_count(even);
    const clscan_variant larger = with_even_tiles(variant, ordered, twice);

    return clscan_variant_tile_count(&larger) > clscan_variant_tile_count(even) ? twice - 1 : UINT64_MAX;
}

/* Tiles that rows fill. Rows of 10007 int32 reach 0.95 of a copy's speed on an H200 with 320 x 16 elements, 0.93 with
 * 256 x 16, and 0.66 with 512 x 16, for which a device has too few registers (2026-11-26). */
static const uint32_t filled_work_group_sizes[] = {128, 256, 320};
#define FEWEST_FILLED_PIECES 2u
#define FILLED_PIECES 4u /* so many numbers of them */
#define FILLED_TILES (sizeof filled_work_group_sizes / sizeof filled_work_group_sizes[0] * FILLED_PIECES)
#define MOST_FILLED_BYTES 80u
/* In the reproducible order a sub-group has a block, so only their number varies. */
static const uint32_t ordered_work_group_sizes[] = {64, 128, 256};
#define ORDERED_TILES (sizeof ordered_work_group_sizes / sizeof ordered_work_group_sizes[0])

static uint64_t padded(const clscan_variant *variant, uint64_t count)
{
    const uint64_t tile = clscan_variant_tile_count(variant);

    return (count + tile - 1) / tile * tile;
}

/* The variant with tile `number`; false if that takes too many registers, or rows would share a work-group. */
static bool with_tile(size_t number, const clscan_variant *variant, const clscan_problem *problem, uint64_t count,
                      const clscan_device_info *device, clscan_variant *filled)
{
    const uint32_t vector_bytes = variant->vector_length * clscan__problem_shape(problem).held_bytes;

    *filled = *variant;
    if (clscan__problem_is_ordered(problem)) {
        filled->work_group_size = ordered_work_group_sizes[number];
    } else {
        filled->work_group_size = filled_work_group_sizes[number / FILLED_PIECES];
        filled->register_pieces = FEWEST_FILLED_PIECES + (uint32_t)(number % FILLED_PIECES);
        if (filled->register_pieces * vector_bytes > MOST_FILLED_BYTES)
            return false;
    }
    return most_of_short(filled, problem, device) < count;
}

/* The largest tile of those that a row nearly fills: with a thirtieth more elements at most than the best. Of those,
 * the one of most work-items. */
static clscan_variant with_filled_tiles(const clscan_variant *variant, const clscan_problem *problem, uint64_t count,
                                        const clscan_device_info *device)
{
    const size_t tiles = clscan__problem_is_ordered(problem) ? ORDERED_TILES : FILLED_TILES;
    clscan_variant best = *variant, filled;
    uint64_t least = UINT64_MAX, best_tile = 0;

    for (size_t i = 0; i < tiles; ++i)
        if (with_tile(i, variant, problem, count, device, &filled))
            least = clscan__min_u64(least, padded(&filled, count));
    for (size_t i = 0; i < tiles; ++i) {
        if (!with_tile(i, variant, problem, count, device, &filled) || padded(&filled, count) > least + least / 30 ||
            clscan_variant_tile_count(&filled) < best_tile)
            continue;
        best = filled;
        best_tile = clscan_variant_tile_count(&filled);
    }
    return best;
}

/* Returns the elements of a row up to which the answer is the same. */
static uint64_t shape_for_rows(clscan_variant *variant, const clscan_problem *problem, uint64_t count, int in_place,
                               const clscan_device_info *device)
{
    const bool ordered = clscan__problem_is_ordered(problem);
    clscan__violation unused;
    clscan_variant shaped = with_small_work_groups(variant);
    uint64_t largest = most_of_short(&shaped, problem, device);

    if (count > largest) {
        shaped = with_even_tiles(variant, ordered, count);
        largest = most_of_even_tiles(variant, ordered, &shaped);
    }
    if (!ordered && !clscan__rows_are_in_order(problem->rows))
        clscan__shape_for_columns(&shaped);
    if (clscan__variant_is_legal(&shaped, problem, in_place, device, &unused))
        *variant = shaped;
    return largest;
}

void clscan__choose_by_elements(const clscan__selector *selector, const clscan_device_info *device,
                                const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice)
{
    const uint64_t rows = problem->rows->count;
    uint64_t elements, largest;

    if (!clscan__mul_u64(count, rows, &elements))
        elements = UINT64_MAX;
    clscan__selector_choose(selector, device, problem, elements, in_place, choice);
    if (choice->variant.carry != CLSCAN_CARRY_REDUCE_THEN_SCAN) {
        choice->variant = clscan__variant_without_waiting(&choice->variant, problem, in_place, device);
        snprintf(choice->reason, sizeof choice->reason, "rows take the tile body of the entry for as many elements");
    }
    largest = shape_for_rows(&choice->variant, problem, count, in_place, device);
    choice->revision[0] = '\0'; /* the entry was not measured with the kernels for rows */
    if (choice->largest_count < UINT64_MAX && rows > 0)
        largest = clscan__min_u64(largest, choice->largest_count / rows);
    choice->largest_count = largest;
}

void clscan__choose_for_rows(const clscan__selector *selector, const clscan_device_info *device,
                             const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice)
{
    uint64_t limit = UINT64_MAX;

    if (clscan__rows_are_in_order(problem->rows)) {
        if (clscan__selector_choose_rows(selector, device, problem, count, in_place, choice))
            return;
        limit = choice->largest_count;
    }
    clscan__choose_by_elements(selector, device, problem, count, in_place, choice);
    choice->largest_count = clscan__min_u64(choice->largest_count, limit);
}

/* Elements of 8 bytes stay as they are: rows of 10007 int64 reached 0.66 of a copy's speed with the tiles that they
 * have else, and 0.60 with these; rows of 10000 0.86 and 0.84. */
#define MOST_FILLED_ELEMENT_BYTES 4u

void clscan__fill_rows(clscan_choice *choice, const clscan_problem *problem, uint64_t count, int in_place,
                       const clscan_device_info *device)
{
    const clscan_variant small = with_small_work_groups(&choice->variant);
    const bool ordered = clscan__problem_is_ordered(problem);
    const bool loose = clscan__rows_are_loose(&choice->variant, problem, count);
    clscan__violation unused;
    clscan_variant filled;

    if (!rows_are_walked(&choice->variant, problem) || count <= most_of_short(&small, problem, device) ||
        (!ordered && clscan__problem_shape(problem).held_bytes > MOST_FILLED_ELEMENT_BYTES))
        return;
    filled = with_filled_tiles(&choice->variant, problem, count, device);
    /* A tile that was measured is left for one that saves an eighth. */
    if (!loose && padded(&choice->variant, count) < padded(&filled, count) + padded(&filled, count) / 8)
        return;
    if (!clscan__variant_is_legal(&filled, problem, in_place, device, &unused))
        return;
    choice->variant = filled;
    choice->revision[0] = '\0'; /* nothing was measured with these kernels */
}
