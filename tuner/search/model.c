#include "search/model.h"

#include <math.h>
#include <stdbool.h>

#include "config_file/axes.h"
#include "space/rows.h"
#include "trial/trial.h"

/* Figures per compute unit, where a copy was not measured. */
#define GPU_BYTES_PER_NS 20.0
#define CPU_BYTES_PER_NS 8.0
#define GPU_REGISTERS 65536.0
/* A compute unit has at least so many times the local memory that one work-group may have. */
#define LOCAL_MEMORIES 2.0
/* Registers of a work-item beside the elements of its tiles, in lookahead. */
#define OTHER_REGISTERS 40.0
#define MOST_ITEM_REGISTERS 255.0
/* Fewer work-items than these leave a compute unit idle between the instructions of one of them. */
#define BUSY_ITEMS 512.0
/* Loads of neighbours are fastest if so long, and lose this part for each factor of two. */
#define BEST_LOAD_BYTES 16.0
#define LOAD_LOSS 0.06
/* What waits longer, or has no tile at all, does no good: a small part, so that shapes are tried before these. */
#define IDLE_LOSS 0.003
/* The part of the shorter one of computing and moving data that does not hide behind the longer one. */
#define UNHIDDEN 0.1
/* Work-groups of one tile load nothing while they wait for what precedes it. */
#define WAITING_LOSS 0.15
/* CPUs have no shuffles: what they stand for passes through memory, and is long code. */
#define CPU_SHUFFLE_COST 6.0
/* Work-groups beyond the cores' number only wait for their turn. */
#define CPU_WAITER_LOSS 0.03
/* Tiles of a look-back that are passed in the time of one hop. */
#define TILES_PER_HOP 8.0

void tune_model_init(tune_model *model, const clscan_device_info *device, const tune_target *target)
{
    const double units = device->compute_units > 0 ? device->compute_units : 1;

    if (device->device_class == CLSCAN_DEVICE_CLASS_CPU)
        *model = (tune_model){.launch_ns = 8000,
                              .bytes_per_ns = units * CPU_BYTES_PER_NS,
                              .flight_bytes = units * 512,
                              .hop_ns = 150,
                              .item_bytes = 512,
                              .resident_items = 1,
                              .unit_registers = GPU_REGISTERS,
                              .latency_ns = 100,
                              .row_efficiency = 1.0,
                              .item_ns = 0.25,
                              .barrier_ns = 2,
                              .item_overhead_ns = 4,
                              .transpose_ns = 1.5};
    else
        *model = (tune_model){
            .launch_ns = 4000,
            .bytes_per_ns = units * GPU_BYTES_PER_NS,
            .flight_bytes = units * 20000,
            .hop_ns = 500,
            .item_bytes = 192,
            .resident_items = 2048,
            .unit_registers = device->register_file_bytes > 0 ? (double)device->register_file_bytes / 4 : GPU_REGISTERS,
            .latency_ns = 800,
            .row_efficiency = 0.4,
            .item_ns = 2,
            .barrier_ns = 25,
            .item_overhead_ns = 0,
            .transpose_ns = 0};
    model->device = *device;
    model->target = *target;
    model->problem = tune_target_shape(target);
    model->element_bytes = target->element_size_bytes;
}

void tune_model_calibrate(tune_model *model, double small_ns, double large_ns, double large_bytes)
{
    if (small_ns <= 0 || large_ns <= small_ns)
        return;
    model->launch_ns = small_ns;
    model->bytes_per_ns = large_bytes / (large_ns - small_ns);
}

/* Launches and traffic, in multiples of the input, by the carry. A carry that is not known here is taken for one that
 * reads and writes once; of reductions, that factor is the same for all. */
static double passes_of(const clscan_variant *variant)
{
    switch (variant->carry) {
    case CLSCAN_CARRY_REDUCE_THEN_SCAN:
        return 3;
    case CLSCAN_CARRY_SCAN_THEN_ADD:
        return 4;
    default:
        return 2;
    }
}

/* Work-groups of one launch. */
static double groups_of(const tune_model *model, const clscan_variant *variant, double tiles)
{
    if (variant->carry == CLSCAN_CARRY_SINGLE)
        return 1;
    if (variant->tiles_per_work_group > 0)
        tiles = ceil(tiles / variant->tiles_per_work_group);
    if (variant->work_groups_per_unit > 0)
        return fmin(tiles, (double)model->device.compute_units * variant->work_groups_per_unit);
    return tiles;
}

/* Work-groups that one compute unit holds at a time, by work-items, registers and local memory. */
static double resident_per_unit(const tune_model *model, const clscan_variant *variant, double item_bytes,
                                double local_bytes)
{
    const double by_items = model->resident_items / variant->work_group_size;
    const double by_registers = by_items * model->item_bytes / fmax(item_bytes + 64, 96) * 0.75;
    const double by_local = (double)model->device.local_memory_bytes * LOCAL_MEMORIES / (local_bytes + 1);

    if (model->device.device_class == CLSCAN_DEVICE_CLASS_CPU)
        return 1;
    return fmax(1, floor(fmin(fmin(by_items, by_registers), by_local)));
}

/* Part of the bandwidth that the accesses of a tile leave. */
static double access_efficiency(const tune_model *model, const clscan_variant *variant, double item_bytes)
{
    const double load_bytes = (double)variant->vector_length * model->element_bytes;
    double efficiency = model->device.device_class == CLSCAN_DEVICE_CLASS_CPU || load_bytes >= 4 ? 1.0 : 0.8;

    if (variant->carry == CLSCAN_CARRY_ALL_TOTALS)
        efficiency *= 1 - WAITING_LOSS;
    if (variant->body == CLSCAN_BODY_STRIDED && variant->register_pieces + variant->local_pieces > 1)
        efficiency *= fmin(1, model->row_efficiency * fmax(1, load_bytes / 16));
    if (item_bytes > model->item_bytes)
        efficiency *= model->item_bytes / item_bytes; /* spilling */
    return efficiency;
}

/* Of the bandwidth, what lookahead reaches. Its work-groups stay, so all of them must fit on their compute units at
 * once, with the registers for the tile that is scanned and, without a landing zone, for the next one; what does not
 * fit is spilled, or waits for its turn. Bytes are asked for a tile ahead, and loads of neighbours overlap as chance
 * has it. */
static double lookahead_efficiency(const tune_model *model, const clscan_variant *variant, double groups)
{
    const double units = model->device.compute_units > 0 ? model->device.compute_units : 1;
    const double per_unit = ceil(groups / units), items = per_unit * variant->work_group_size;
    const double tile_bytes = (double)clscan_variant_register_bytes(variant, &model->problem);
    const double item_registers =
        tile_bytes / variant->work_group_size / 4 * (variant->landing_zones > 0 ? 1 : 2) + OTHER_REGISTERS;
    const double local_bytes = per_unit * (double)clscan_variant_local_bytes(variant, &model->problem);
    const double asked_bytes = groups / units * tile_bytes;
    const double needed_bytes = model->bytes_per_ns / units * model->latency_ns;
    const double registers = fmin(model->unit_registers / items, MOST_ITEM_REGISTERS);
    const double fit = fmin(fmin(registers / item_registers, model->resident_items / items),
                            (double)model->device.local_memory_bytes * LOCAL_MEMORIES / local_bytes);
    const double load_bytes = (double)variant->vector_length * model->element_bytes;

    return fmin(1, fit) * fmin(1, sqrt(items / BUSY_ITEMS)) * (1 - exp(-asked_bytes / needed_bytes)) *
           (1 - LOAD_LOSS * fabs(log2(load_bytes / BEST_LOAD_BYTES))) *
           (1 - IDLE_LOSS * log2((1.0 + variant->poll_delay) * variant->work_groups_per_unit));
}

/* From a tile's first load to its last store, if it were alone. */
static double tile_latency_ns(const tune_model *model, const clscan_variant *variant, double tile_count)
{
    const double per_item = tile_count / variant->work_group_size, steps = log2(variant->work_group_size) + 1;
    const double scan_steps = variant->group_scan == CLSCAN_GROUP_SCAN_BRENT_KUNG ? 2 * steps : steps;
    double latency_ns = per_item * model->item_ns + scan_steps * model->barrier_ns;

    /* The work-items of a work-group follow each other on one core; short vectors leave its lanes empty. */
    if (model->device.device_class == CLSCAN_DEVICE_CLASS_CPU) {
        latency_ns = tile_count * model->item_ns * (1 + 2.0 / variant->vector_length) +
                     variant->work_group_size * model->item_overhead_ns * scan_steps;
        if (variant->body == CLSCAN_BODY_SUBGROUP_ROWS)
            latency_ns *= CPU_SHUFFLE_COST;
        if (variant->order != CLSCAN_ORDER_NONE && variant->work_groups_per_unit > 1)
            latency_ns *= 1 + CPU_WAITER_LOSS * log2(variant->work_groups_per_unit);
    }
    if (variant->thread_group_size > 0)
        latency_ns += tile_count * model->transpose_ns;
    if (variant->body == CLSCAN_BODY_MATRIX)
        latency_ns *= 1.15;
    return latency_ns;
}

double tune_model_prepare_s(const tune_model *model, const clscan_variant *variant)
{
    const double item_bytes =
        (double)clscan_variant_register_bytes(variant, &model->problem) / variant->work_group_size;
    const double unrolled = item_bytes / model->element_bytes;

    const bool is_cpu = model->device.device_class == CLSCAN_DEVICE_CLASS_CPU;
    const double shuffles = is_cpu && variant->body == CLSCAN_BODY_SUBGROUP_ROWS ? CPU_SHUFFLE_COST : 1;

    return 0.5 * (1 + unrolled / 32) * (passes_of(variant) > 2 ? 1.5 : 1) * shuffles;
}

/* Of the bandwidth, what a variant reaches when so many of its work-groups run at once, each with so many elements. */
static double efficiency_of(const tune_model *model, const clscan_variant *variant, double active, double tile_count)
{
    const double item_bytes =
        (double)clscan_variant_register_bytes(variant, &model->problem) / variant->work_group_size;
    const double flight_bytes = active * tile_count * model->element_bytes;

    if (variant->carry == CLSCAN_CARRY_LOOKAHEAD && model->device.device_class != CLSCAN_DEVICE_CLASS_CPU)
        return lookahead_efficiency(model, variant, active);
    return fmin(1, flight_bytes / model->flight_bytes) * access_efficiency(model, variant, item_bytes);
}

/* From the first work-group's start until the last one knows what precedes it, if tiles take no time: each tile, or
 * range of tiles, waits for the one before it; or looks back at many at once; or, ahead, at what is there already; or,
 * one tile per work-group, twice as far as a hop for each generation of work-groups. */
static double chain_ns(const tune_model *model, const clscan_variant *variant, double tiles, double active,
                       double latency_ns)
{
    if (variant->carry == CLSCAN_CARRY_ALL_TOTALS)
        return active > 1 ? 2 * model->hop_ns * ceil(tiles / active) : 0;
    if (variant->carry == CLSCAN_CARRY_LOOKAHEAD)
        return latency_ns + (active > 1 ? 2 * model->hop_ns : 0) +
               ceil(active / variant->work_group_size) * log2(2.0 * variant->work_group_size) * model->barrier_ns;
    if (variant->carry == CLSCAN_CARRY_LOOKBACK)
        return latency_ns + tiles * model->hop_ns / TILES_PER_HOP;
    if (variant->tiles_per_work_group > 0)
        return latency_ns +
               ceil(tiles / variant->tiles_per_work_group) *
                   (model->hop_ns + 0.3 * variant->poll_delay + (variant->tiles_per_work_group - 1) * latency_ns * 0.5);
    return 0;
}

static double one_time_ns(const tune_model *model, const clscan_variant *variant, uint64_t count)
{
    const double size_bytes = model->element_bytes;
    const double tile_count = (double)clscan_variant_tile_count(variant);
    const double tiles = ceil((double)count / tile_count), groups = groups_of(model, variant, tiles);
    const double item_bytes =
        (double)clscan_variant_register_bytes(variant, &model->problem) / variant->work_group_size;
    const double local_bytes = (double)clscan_variant_local_bytes(variant, &model->problem);
    const double units = model->device.compute_units > 0 ? model->device.compute_units : 1;
    const bool adds_up = variant->carry == CLSCAN_CARRY_LOOKAHEAD || variant->carry == CLSCAN_CARRY_ALL_TOTALS;
    const double active = variant->carry == CLSCAN_CARRY_LOOKAHEAD
                              ? groups
                              : fmin(groups, units * resident_per_unit(model, variant, item_bytes, local_bytes));
    const double bandwidth =
        model->bytes_per_ns * efficiency_of(model, variant, active, fmin(tile_count, (double)count));
    const double latency_ns = tile_latency_ns(model, variant, tile_count);
    const bool two_launches = passes_of(variant) > 2 && groups > 1;
    const double passes = two_launches ? passes_of(variant) : 2;
    const double stream_ns = passes * (double)count * size_bytes / bandwidth;
    const double rounds_ns = ceil(tiles / active) * latency_ns * (two_launches ? 1.5 : 1);
    const double work_ns = fmax(stream_ns, rounds_ns) + UNHIDDEN * fmin(stream_ns, rounds_ns);
    const double waits_ns = chain_ns(model, variant, tiles, active, latency_ns);

    return (two_launches ? 2 : 1) * model->launch_ns + (adds_up ? work_ns + waits_ns : fmax(work_ns, waits_ns));
}

/* One launch whose work-groups know nothing of each other: each has several short rows, or walks a long one, of whose
 * last tile some work-items have nothing. */
static double rows_time_ns(const tune_model *model, const clscan_variant *variant, uint64_t count)
{
    const uint64_t rows = tune_target_rows(&model->target, count);
    const uint64_t shared = tune_rows_shared(&model->target, &model->device, variant);
    const bool are_short = count <= shared;
    const double elements = (double)rows * (double)count;
    const double tile_count = (double)(are_short ? shared : clscan_variant_tile_count(variant));
    const double groups = are_short ? ceil((double)rows / floor(tile_count / (double)count)) : (double)rows;
    const double tiles = are_short ? 1 : ceil((double)count / tile_count);
    const double item_bytes =
        are_short ? 0 : (double)clscan_variant_register_bytes(variant, &model->problem) / variant->work_group_size;
    const double local_bytes =
        are_short ? tile_count * model->element_bytes : (double)clscan_variant_local_bytes(variant, &model->problem);
    const double units = model->device.compute_units > 0 ? model->device.compute_units : 1;
    const double active = fmin(groups, units * resident_per_unit(model, variant, item_bytes, local_bytes));
    const double held_count = are_short ? tile_count : fmin(tile_count, (double)count);
    const double efficiency = efficiency_of(model, variant, active, held_count);
    const double stream_ns = 2 * elements * model->element_bytes / (model->bytes_per_ns * efficiency);
    const double rounds_ns = ceil(groups / active) * tiles * tile_latency_ns(model, variant, tile_count);

    return model->launch_ns + fmax(stream_ns, rounds_ns) + UNHIDDEN * fmin(stream_ns, rounds_ns);
}

double tune_model_time_ns(const tune_model *model, const clscan_variant *variant, uint64_t count)
{
    if (tune_target_rows(&model->target, count) > 0)
        return rows_time_ns(model, variant, count);
    return one_time_ns(model, variant, count);
}
