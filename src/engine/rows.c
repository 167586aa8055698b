/* Many rows in one run: one launch, or two where few long rows are cut into ranges. Kernels: cl/rows. */
#include "engine/rows.h"

#include "base/checked.h"
#include "common/short_rows.h"
#include "config/columns.h"
#include "config/constraints.h"
#include "config/reproducible.h"
#include "config/turns.h"
#include "config/variant.h"
#include "engine/strategy.h"
#include "engine/words.h"

/* As in geometry.c. */
#define MOST_WORK_GROUPS ((UINT64_C(1) << 31) - 1)

/* Where launching a work-group takes as long as a short row, a work-group takes several of the long ones. */
#define WALKERS_PER_CORE 16u

/* Of work-groups that share rows, so many hide each other's loads. */
#define GROUPS_PER_UNIT 4u

/* As in cl/rows/column_cursors.cl. */
#define COLUMN_LINE 16u

/* Ranges that one work-group each can walk, if the loops of the device end by themselves or not. */
static uint64_t needed_ranges(const clscan_variant *variant, const clscan_device_info *device, uint64_t tiles)
{
    return clscan__divide_up(tiles, clscan__turns_most_tiles(variant, device));
}

/* Ranges of all rows that fill the device. */
static uint64_t asked_ranges(const clscan_variant *variant, const clscan_device_info *device)
{
    return clscan__min_u64((uint64_t)device->compute_units * variant->work_groups_per_unit,
                           clscan__turns_most_ranges(device));
}

/* So many rows fill the device by a work-group each: cut into ranges they would be read twice. */
static uint64_t fewest_whole_rows(const clscan_device_info *device)
{
    return (uint64_t)device->compute_units + device->compute_units / 2;
}

/* Rows that a work-group takes of those that share one: as many as its tile holds, or fewer where rows are too few to
 * give each unit of the device several work-groups; but each work-item has an element. */
static uint64_t shared_rows(const clscan_variant *variant, const clscan_device_info *device, uint64_t tile,
                            uint64_t rows, uint64_t count)
{
    const uint64_t most = tile / count, least = clscan__divide_up(variant->work_group_size, count);
    const uint64_t fair = clscan__divide_up(rows, (uint64_t)device->compute_units * GROUPS_PER_UNIT);
    const uint64_t enough = fair > least ? fair : least;

    return clscan__min_u64(most, enough);
}

/* At most `rows`, and if they are enough so many that the rows of the next work-group begin with a whole vector. */
static uint64_t aligned_rows(uint64_t rows, uint64_t count, uint32_t vector_length)
{
    uint64_t step = vector_length;

    for (uint64_t even = count; even % 2 == 0 && step > 1; even /= 2)
        step /= 2;
    return rows < step ? rows : rows - rows % step;
}

/* Rows of a work-group that shares `pitch` places of its tile with each. */
static uint64_t group_rows(const clscan_variant *variant, const clscan_device_info *device, uint64_t tile,
                           uint64_t rows, uint64_t pitch)
{
    return aligned_rows(shared_rows(variant, device, tile, rows, pitch), pitch, variant->vector_length);
}

/* Tiles of a range: at least so many, which are no more than one work-group can walk. In the reproducible order a power
 * of two, as that is. */
static uint64_t range_of(uint64_t tiles, clscan__shape shape)
{
    uint64_t power = 1;

    while (power < tiles)
        power *= 2;
    return shape.ordered ? power : tiles;
}

clscan__rows_geometry clscan__rows_geometry_of(const clscan_variant *variant, clscan__shape shape,
                                               const clscan_device_info *device, uint64_t rows, uint64_t count)
{
    const uint32_t strip = clscan__short_strip(variant, shape.held_bytes, shape.sum_bytes, device);
    const uint64_t short_tile = clscan__short_tile(variant, strip);
    const uint64_t tiles = clscan__divide_up(count, clscan_variant_tile_count(variant));
    clscan__rows_geometry geometry = {0};
    uint64_t most, row_groups;

    if (count <= clscan__short_most(variant, strip, shape.ordered)) {
        geometry.rows_per_group =
            count == 0 ? variant->work_group_size : group_rows(variant, device, short_tile, rows, count);
        geometry.work_groups = clscan__divide_up(rows, geometry.rows_per_group);
        return geometry;
    }
    most = rows < fewest_whole_rows(device) ? asked_ranges(variant, device) / rows : 1;
    if (most < needed_ranges(variant, device, tiles))
        most = needed_ranges(variant, device, tiles);
    geometry.tiles_per_range = range_of(clscan__divide_up(tiles, clscan__min_u64(most, tiles)), shape);
    geometry.ranges = clscan__divide_up(tiles, geometry.tiles_per_range);
    row_groups = clscan__min_u64(rows, MOST_WORK_GROUPS / geometry.ranges);
    if (geometry.ranges == 1 && variant->work_group_size == 1 && device->max_loop_turns == 0)
        row_groups = clscan__min_u64(rows, (uint64_t)device->compute_units * WALKERS_PER_CORE);
    geometry.work_groups = row_groups * geometry.ranges;
    return geometry;
}

uint64_t clscan__rows_totals_bytes(const clscan_variant *variant, clscan__shape shape, const clscan_device_info *device,
                                   uint64_t most_rows, uint64_t most_count)
{
    const uint64_t asked = asked_ranges(variant, device);
    const uint64_t needed =
        needed_ranges(variant, device, clscan__divide_up(most_count, clscan_variant_tile_count(variant)));
    const uint64_t forced = needed > 1 ? most_rows * needed : 0;

    return (asked > forced ? asked : forced) * shape.sum_bytes;
}

/* From so many bytes on a launch for each of several rows costs less than reading them twice: on an H200 rows of 16 MiB
 * reach 0.5 of a copy's speed that way and 0.6 the other way, rows of 32 MiB 0.7 (2026-11-23). One row is a scan of
 * its own from where it has several tiles. */
#define LONE_ROW_BYTES (UINT64_C(1) << 18)
#define ONE_OF_FEW_BYTES (UINT64_C(1) << 25)

bool clscan__rows_are_long(clscan__shape shape, uint64_t most_count)
{
    return most_count >= LONE_ROW_BYTES / shape.element_bytes;
}

/* Where work-groups may wait for each other, few rows are chains in one launch. Longer ones are faster alone: on an
 * H100 16 rows of 64 MiB reach 0.93 of a copy's speed as chains and 0.86 alone, 8 rows of 128 MiB 0.90 and 0.94
 * (2026-11-25). */
#define LONE_NOT_CHAINED_BYTES (UINT64_C(1) << 27)

static bool are_cut(const clscan_variant *variant, clscan__shape shape, const clscan_device_info *device, uint64_t rows,
                    uint64_t count, uint64_t least_bytes)
{
    return rows > 0 && count >= least_bytes / shape.element_bytes &&
           clscan__rows_geometry_of(variant, shape, device, rows, count).ranges > 1;
}

bool clscan__rows_are_lone(const clscan_variant *variant, clscan__shape shape, const clscan_device_info *device,
                           uint64_t rows, uint64_t count, bool may_chain)
{
    const uint64_t of_few_bytes = may_chain ? LONE_NOT_CHAINED_BYTES : ONE_OF_FEW_BYTES;

    return are_cut(variant, shape, device, rows, count, rows == 1 ? LONE_ROW_BYTES : of_few_bytes);
}

bool clscan__rows_are_chained(const clscan_variant *variant, clscan__shape shape, const clscan_device_info *device,
                              uint64_t rows, uint64_t count)
{
    return are_cut(variant, shape, device, rows, count, LONE_ROW_BYTES);
}

/* A chain of larger tiles has fewer links, and its tiles need not be even: of 2^26 int32 in rows of 2^19 to 2^23
 * elements, 12 vectors of 4 for each work-item reach 0.92 to 0.82 of a copy's speed on an H200, 8 reach 0.89 to 0.76,
 * and 16 reach 0.79 to 0.74; int16 gains as much, uint8 and int64 lose (2026-11-23). */
#define LONG_PIECES 8u
#define LEAST_LINKED_BYTES 2u
#define MOST_LINKED_BYTES 4u

static uint32_t chained_pieces(const clscan_variant *variant, clscan__shape shape)
{
    const bool gains = variant->register_pieces >= LONG_PIECES && shape.held_bytes >= LEAST_LINKED_BYTES &&
                       shape.held_bytes <= MOST_LINKED_BYTES;

    return variant->register_pieces + (gains ? variant->register_pieces / 2 : 0);
}

bool clscan__rows_chain(clscan_variant *variant, const clscan_problem *problem, int in_place,
                        const clscan_device_info *device)
{
    clscan__violation unused;
    uint64_t tiles, work_groups;

    variant->carry = CLSCAN_CARRY_LOOKBACK;
    variant->order = CLSCAN_ORDER_DYNAMIC;
    variant->work_groups_per_unit = 0;
    variant->register_pieces = chained_pieces(variant, clscan__problem_shape(problem));
    tiles = clscan__divide_up(problem->max_count, clscan_variant_tile_count(variant));
    return problem->rows->count > 1 && clscan__variant_is_legal(variant, problem, in_place, device, &unused) &&
           clscan__mul_u64(tiles, clscan__min_u64(fewest_whole_rows(device), problem->rows->count), &work_groups) &&
           work_groups <= clscan__min_u64(MOST_WORK_GROUPS, clscan__most_tickets(device->mechanism));
}

/* Memory for words has a bound, and so have tiles in all. */
#define MOST_JOINED_TILES (UINT64_C(1) << 21)

static uint32_t power_of_two_to(uint32_t value)
{
    uint32_t power = 1;

    while (power <= value / 2)
        power *= 2;
    return power;
}

/* That is nearer to `value`, the larger one in the middle. */
static uint32_t power_of_two_near(uint32_t value)
{
    const uint32_t power = power_of_two_to(value);

    return value - power < 2 * power - value ? power : 2 * power;
}

static bool is_gapless(uint64_t pitch, uint64_t count)
{
    return pitch == 0 || pitch == count;
}

/* Wider sums are published in several words. */
#define WORD_BYTES 4u

bool clscan__rows_join(clscan_variant *variant, const clscan_problem *problem, int in_place,
                       const clscan_device_info *device)
{
    const clscan_rows *rows = problem->rows;
    const clscan__shape shape = clscan__problem_shape(problem);
    clscan__violation unused;

    if (variant->carry != CLSCAN_CARRY_LOOKAHEAD || !shape.plain || rows->dimensions > 0 || rows->count < 2 ||
        !is_gapless(rows->in_pitch, problem->max_count) || !is_gapless(rows->out_pitch, problem->max_count))
        return false;
    /* Rows are powers of two more often than multiples of anything else. */
    variant->work_group_size = power_of_two_near(variant->work_group_size);
    variant->register_pieces = power_of_two_to(variant->register_pieces);
    /* The same tile by half the work-items, in more work-groups: 2^27 int64 in rows of 2^20 reach 0.96 of a copy's
     * speed that way on an H200, 0.93 with as many work-groups as before, and 0.90 without (2026-11-26). */
    if (shape.sum_bytes > WORD_BYTES && !shape.ordered && variant->work_group_size > 1) {
        variant->work_group_size /= 2;
        variant->register_pieces *= 2;
        ++variant->work_groups_per_unit;
    }
    return problem->max_count % clscan_variant_tile_count(variant) == 0 &&
           clscan__variant_is_legal(variant, problem, in_place, device, &unused);
}

bool clscan__rows_are_joined(const clscan_variant *joined, const clscan__run *run)
{
    const uint64_t tile = clscan_variant_tile_count(joined), count = run->count, rows = run->rows.count;

    return clscan__rows_are_long(run->shape, count) && count % tile == 0 &&
           rows <= MOST_JOINED_TILES / (count / tile) &&
           rows * count <= clscan__geometry_most_elements(joined, run->device) &&
           (rows == 1 || (run->rows.in_pitch == count && run->rows.out_pitch == count)) &&
           run->in_offset % joined->vector_length == 0 && run->out_offset % joined->vector_length == 0;
}

uint64_t clscan__rows_words_bytes(const clscan_variant *variant, clscan__shape shape, const clscan_device_info *device,
                                  uint64_t most_rows, uint64_t most_count)
{
    const uint64_t tiles = clscan__divide_up(most_count, clscan_variant_tile_count(variant));
    const uint64_t joined = most_rows < MOST_JOINED_TILES / tiles ? most_rows * tiles : MOST_JOINED_TILES;

    if (variant->carry == CLSCAN_CARRY_LOOKAHEAD)
        return clscan__published_bytes(device, joined, shape.sum_bytes);
    return clscan__min_u64(fewest_whole_rows(device), most_rows) *
           clscan__published_bytes(device, tiles, shape.sum_bytes);
}

static clscan__rows_arguments rows_arguments_of(const clscan__run *run)
{
    return (clscan__rows_arguments){
        .count = run->rows.count,
        .count_offset = run->row_count_offset,
        .in_pitch = run->rows.in_pitch,
        .out_pitch = run->rows.out_pitch,
        .initial_pitch = run->rows.initial_pitch,
        .total_pitch = run->rows.total_pitch,
    };
}

/* CLSCAN_RUN_PARAMETERS and CLSCAN_ROWS_PARAMETERS of kernels (cl/rows/arguments.cl), then those of maps. */
static void arguments_rows(clscan__arguments *arguments, const clscan__run_arguments *values,
                           const clscan__rows_arguments *rows, const clscan__run *run)
{
    clscan__arguments_run(arguments, values, run);
    clscan__argument(arguments, sizeof *rows, rows);
    if (run->row_count_buffer != NULL)
        clscan__argument_buffer(arguments, run->row_count_buffer);
    clscan__arguments_maps(arguments, run);
}

/* Rows with narrow gaps stand in local memory as they do in the input, so that whole vectors are loaded, and stored
 * where the output has the same gaps. Wider ones would leave too little room for elements. An input whose rows overlap
 * has no such places. */
static uint64_t staged_pitch_of(const clscan_variant *variant, const clscan__run *run, uint64_t tile)
{
    const uint64_t pitch = run->rows.count > 1 ? run->rows.in_pitch : run->count;
    const bool fits = pitch >= run->count && pitch <= tile && pitch <= 2 * run->count;

    return run->shape.plain && variant->work_group_size > 1 && fits ? pitch : 0;
}

static clscan_status enqueue_short(clscan__sequence *sequence, cl_kernel kernel, const clscan_variant *variant,
                                   const clscan__rows_geometry *geometry, const clscan__run *run, clscan_error *error)
{
    clscan_status status;
    const uint64_t tile = clscan__short_tile(
        variant, clscan__short_strip(variant, run->shape.held_bytes, run->shape.sum_bytes, run->device));
    const clscan__run_arguments values = clscan__run_arguments_of(run);
    clscan__rows_arguments rows = rows_arguments_of(run);
    clscan__arguments arguments = {.kernel = kernel};

    rows.per_group = geometry->rows_per_group;
    rows.staged_pitch = staged_pitch_of(variant, run, tile);
    if (rows.staged_pitch > run->count)
        rows.per_group = group_rows(variant, run->device, tile, run->rows.count, rows.staged_pitch);
    arguments_rows(&arguments, &values, &rows, run);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, kernel, clscan__divide_up(run->rows.count, rows.per_group),
                                        variant->work_group_size, true, error));

cleanup:
    return status;
}

static clscan__run_arguments values_of(const clscan__rows_geometry *geometry, const clscan__run *run)
{
    clscan__run_arguments values = clscan__run_arguments_of(run);

    values.tiles_per_range = geometry->tiles_per_range;
    values.ranges = geometry->ranges;
    return values;
}

/* Of each row the totals of so many ranges, from the first on. */
static clscan_status enqueue_ranges(clscan__sequence *sequence, cl_kernel kernel, const clscan_variant *variant,
                                    const clscan__rows_geometry *geometry, const clscan__run *run, uint64_t reduced,
                                    clscan_error *error)
{
    clscan_status status;
    const clscan__run_arguments values = values_of(geometry, run);
    clscan__rows_arguments rows = rows_arguments_of(run);
    clscan__arguments arguments = {.kernel = kernel};

    rows.reduced = reduced;
    arguments_rows(&arguments, &values, &rows, run);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(
        clscan__sequence_kernel(sequence, kernel, run->rows.count * reduced, variant->work_group_size, false, error));

cleanup:
    return status;
}

static clscan_status enqueue_long(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                                  const clscan__rows_geometry *geometry, const clscan__run *run, clscan_error *error)
{
    clscan_status status;
    const clscan__run_arguments values = values_of(geometry, run);
    const clscan__rows_arguments rows = rows_arguments_of(run);
    clscan__arguments scan = {.kernel = kernels[1]};

    if (geometry->ranges > 1)
        CLSCAN__TRY(enqueue_ranges(sequence, kernels[0], variant, geometry, run, geometry->ranges - 1, error));
    arguments_rows(&scan, &values, &rows, run);
    CLSCAN__TRY(clscan__arguments_status(&scan, error));

    CLSCAN__TRY(
        clscan__sequence_kernel(sequence, kernels[1], geometry->work_groups, variant->work_group_size, true, error));

cleanup:
    return status;
}

static clscan_status enqueue_totals(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                                    const clscan__rows_geometry *geometry, const clscan__run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan__rows_arguments rows = rows_arguments_of(run);
    const uint64_t ranges = geometry->ranges > 1 ? geometry->ranges : 1;
    clscan__run_arguments values = clscan__run_arguments_of(run);
    clscan__arguments arguments = {.kernel = kernels[3]};

    /* In the reproducible order the last range is no node. */
    if (ranges > 1)
        CLSCAN__TRY(enqueue_ranges(sequence, kernels[0], variant, geometry, run,
                                   run->shape.ordered ? ranges - 1 : ranges, error));
    values.ranges = ranges;
    values.tiles_per_range =
        ranges > 1 ? geometry->tiles_per_range
                   : range_of(clscan__divide_up(run->count, clscan_variant_tile_count(variant)), run->shape);
    arguments_rows(&arguments, &values, &rows, run);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, kernels[3], clscan__min_u64(run->rows.count, MOST_WORK_GROUPS),
                                        variant->work_group_size, true, error));

cleanup:
    return status;
}

/* Lines of memory, so that all of what a row of columns fetches is used. */
#define LINE_BYTES 128u
#define LEAST_LINE_BYTES 32u
#define FEWEST_LANES 32u

/* Loops of the device that do not end by themselves go so often round for a tile of columns, read off the kernel. */
#define TURNS_PER_COLUMN_TILE 64u

static bool divides(uint32_t lanes, const clscan_variant *variant)
{
    return variant->work_group_size % lanes == 0;
}

static uint64_t column_blocks(const clscan__columns *columns, uint64_t lanes)
{
    uint64_t blocks = clscan__divide_up(columns->others[0].extent, lanes);

    for (size_t d = 1; d < CLSCAN__OTHER_DIMENSIONS; ++d)
        blocks *= columns->others[d].extent;
    return blocks;
}

/* Work-items side by side, with `width` columns each: whole lines; fewer where there are not so many columns, or where
 * it takes more work-groups to fill the device. */
static uint32_t column_lanes(const clscan_variant *variant, const clscan__run *run, uint32_t width)
{
    const uint32_t bytes = (uint32_t)run->shape.element_bytes * width;
    const uint64_t wanted = (uint64_t)run->device->compute_units * variant->work_groups_per_unit;
    uint32_t lanes;

    if (run->shape.ordered) /* a work-item for each run of a row of the reproducible order */
        return variant->work_group_size > 1 ? variant->work_group_size / CLSCAN__ROW_RUNS : 1;
    lanes = bytes * FEWEST_LANES >= LINE_BYTES ? FEWEST_LANES : LINE_BYTES / bytes;

    while (lanes > 1 && (!divides(lanes, variant) || lanes / 2 * width >= run->columns.others[0].extent ||
                         (lanes * bytes > LEAST_LINE_BYTES && column_blocks(&run->columns, lanes * width) < wanted)))
        lanes /= 2;
    return lanes;
}

static clscan_status enqueue_columns(clscan__sequence *sequence, cl_kernel kernel, const clscan_variant *variant,
                                     const clscan__run *run, clscan_error *error)
{
    clscan_status status;
    const clscan__run_arguments values = clscan__run_arguments_of(run);
    const uint32_t width = clscan__column_width(variant, run->shape.plain, run->shape.ordered, run->shape.held_bytes);
    const uint32_t lanes = column_lanes(variant, run, width);
    clscan__columns_arguments columns = {
        .in_step = run->columns.in_step,
        .out_step = run->columns.out_step,
        .initial_pitch = run->rows.initial_pitch,
        .lanes = lanes,
    };
    clscan__arguments arguments = {.kernel = kernel};
    const uint64_t tiles = clscan__divide_up(run->count, variant->work_group_size / lanes);
    const uint64_t work_groups =
        column_blocks(&run->columns, variant->work_group_size == 1 ? COLUMN_LINE : lanes * width);

    CLSCAN__REQUIRE(run->device->max_loop_turns == 0 ||
                        tiles <= run->device->max_loop_turns / 2 / TURNS_PER_COLUMN_TILE,
                    CLSCAN_ERROR_DEVICE_LIMIT,
                    "a column has %llu elements, more than loops of at most %u turns can walk on this device",
                    (unsigned long long)run->count, (unsigned)run->device->max_loop_turns);
    for (size_t d = 0; d < CLSCAN__OTHER_DIMENSIONS; ++d) {
        columns.others[4 * d] = run->columns.others[d].extent;
        columns.others[4 * d + 1] = run->columns.others[d].in_stride;
        columns.others[4 * d + 2] = run->columns.others[d].out_stride;
        columns.others[4 * d + 3] = run->columns.others[d].numbers;
        columns.total_strides[d] = run->columns.others[d].total_stride;
    }
    clscan__arguments_run(&arguments, &values, run);
    clscan__argument(&arguments, sizeof columns, &columns);
    clscan__arguments_maps(&arguments, run);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, kernel, clscan__min_u64(work_groups, MOST_WORK_GROUPS),
                                        variant->work_group_size, true, error));

cleanup:
    return status;
}

/* Does the kernel for rows that share a work-group leave out the outputs? Not where one work-item walks rows in the
 * reproducible order, block by block. */
static bool short_rows_have_totals(const clscan_variant *variant, clscan__shape shape)
{
    return !shape.ordered || variant->work_group_size > 1;
}

static clscan_status enqueue(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                             const clscan__geometry *ignored, const clscan__run *run, clscan_error *error)
{
    const clscan__rows_geometry geometry =
        clscan__rows_geometry_of(variant, run->shape, run->device, run->rows.count, run->count);

    (void)ignored;
    if (run->columns.needed)
        return enqueue_columns(sequence, kernels[4], variant, run, error);
    if (run->totals_only && !(geometry.ranges == 0 && short_rows_have_totals(variant, run->shape)))
        return enqueue_totals(sequence, kernels, variant, &geometry, run, error);
    return geometry.ranges == 0 ? enqueue_short(sequence, kernels[2], variant, &geometry, run, error)
                                : enqueue_long(sequence, kernels, variant, &geometry, run, error);
}

/* In one launch whose work-groups wait for each other. */
static clscan_status enqueue_waiting(clscan__sequence *sequence, cl_kernel kernel, const clscan_variant *variant,
                                     const clscan__run_arguments *values, uint64_t work_groups, const clscan__run *run,
                                     clscan_error *error)
{
    clscan_status status;
    const clscan__rows_arguments rows = rows_arguments_of(run);
    clscan__arguments arguments = {.kernel = kernel};

    arguments_rows(&arguments, values, &rows, run);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, kernel, work_groups, variant->work_group_size, true, error));

cleanup:
    return status;
}

static clscan_status enqueue_chained(clscan__sequence *sequence, cl_kernel const *kernels,
                                     const clscan_variant *variant, const clscan__geometry *ignored,
                                     const clscan__run *run, clscan_error *error)
{
    clscan__run_arguments values = clscan__run_arguments_of(run);

    (void)ignored;
    values.ranges = clscan__divide_up(run->count, clscan_variant_tile_count(variant));
    return enqueue_waiting(sequence, kernels[0], variant, &values, run->rows.count * values.ranges, run, error);
}

static clscan_status enqueue_joined(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                                    const clscan__geometry *ignored, const clscan__run *run, clscan_error *error)
{
    const clscan__geometry geometry =
        clscan__geometry_of(variant, run->shape.sum_bytes, run->device, run->rows.count * run->count);
    clscan__run_arguments values = clscan__run_arguments_of(run);

    (void)ignored;
    values.tiles_per_range = run->count / clscan_variant_tile_count(variant);
    return enqueue_waiting(sequence, kernels[0], variant, &values, geometry.work_groups, run, error);
}

const clscan__strategy *clscan__rows_strategy(const clscan_variant *variant, bool reproducible)
{
    if (variant->carry == CLSCAN_CARRY_LOOKAHEAD)
        return &clscan__strategy_joined_rows;
    if (reproducible)
        return &clscan__strategy_reproducible_rows;
    return clscan__variant_has_order(variant) ? &clscan__strategy_chained_rows : &clscan__strategy_rows;
}

const clscan__strategy clscan__strategy_chained_rows = {
    .carry = CLSCAN_CARRY_LOOKBACK,
    .kernel_names = {"clscan_scan_chained_rows"},
    .enqueue = enqueue_chained,
};

const clscan__strategy clscan__strategy_joined_rows = {
    .carry = CLSCAN_CARRY_LOOKAHEAD,
    .kernel_names = {"clscan_scan_joined_rows"},
    .enqueue = enqueue_joined,
};

const clscan__strategy clscan__strategy_rows = {
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .kernel_names = {"clscan_reduce_long_rows", "clscan_scan_long_rows", "clscan_scan_short_rows", "clscan_total_rows",
                     "clscan_scan_columns"},
    .enqueue = enqueue,
};

const clscan__strategy clscan__strategy_reproducible_rows = {
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .kernel_names = {"clscan_reduce_long_rows", "clscan_scan_long_rows", "clscan_scan_short_rows", "clscan_total_rows",
                     "clscan_scan_columns"},
    .enqueue = enqueue,
};
