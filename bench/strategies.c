#include "strategies.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
const bench_strategy bench_strategies[] = {
    {"single",
     "strided+kogge_stone+single+none work_group_size=256 vector_length=4 register_pieces=4 local_pieces=0",
     "cached_rows+kogge_stone+single+none work_group_size=1 vector_length=16 cached_pieces=512 "
     "interleaved_rows=4 streaming_stores=1"},
    {"adjacent",
     "coalesced+kogge_stone+adjacent+dynamic work_group_size=512 vector_length=1 register_pieces=1 "
     "local_pieces=1 thread_group_size=32 tiles_per_work_group=1 poll_delay=0",
     "cached_rows+kogge_stone+adjacent+persistent work_group_size=1 vector_length=16 cached_pieces=512 "
     "interleaved_rows=4 streaming_stores=1 work_groups_per_unit=1 tiles_per_work_group=1 poll_delay=0"},
    {"lightscan",
     "subgroup_rows+subgroup+adjacent+cyclic work_group_size=512 vector_length=4 register_pieces=8 local_pieces=0 "
     "work_groups_per_unit=2 tiles_per_work_group=1 poll_delay=0",
     "cached_rows+kogge_stone+adjacent+cyclic work_group_size=1 vector_length=16 cached_pieces=512 "
     "interleaved_rows=4 streaming_stores=1 work_groups_per_unit=1 tiles_per_work_group=1 poll_delay=0"},
    {"lookback",
     "subgroup_rows+subgroup+lookback+dynamic work_group_size=256 vector_length=4 register_pieces=4 local_pieces=0 "
     "poll_delay=0",
     "cached_rows+kogge_stone+lookback+persistent work_group_size=1 vector_length=16 cached_pieces=512 "
     "interleaved_rows=4 streaming_stores=1 work_groups_per_unit=1 poll_delay=0"},
    {"reduce_then_scan",
     "coalesced+kogge_stone+reduce_then_scan+none work_group_size=256 vector_length=1 register_pieces=0 "
     "local_pieces=1 thread_group_size=32 work_groups_per_unit=8",
     "cached_rows+kogge_stone+reduce_then_scan+none work_group_size=1 vector_length=16 cached_pieces=512 "
     "interleaved_rows=4 streaming_stores=1 work_groups_per_unit=1"},
    {"scan_then_add",
     "coalesced+kogge_stone+scan_then_add+none work_group_size=256 vector_length=1 register_pieces=0 "
     "local_pieces=1 thread_group_size=32 work_groups_per_unit=8",
     "cached_rows+kogge_stone+scan_then_add+none work_group_size=1 vector_length=16 cached_pieces=512 "
     "interleaved_rows=4 streaming_stores=1 work_groups_per_unit=1"},
    {NULL, NULL, NULL},
};
/* clang-format on */

/* The next smaller shape, or false. Tiles of cached_rows are as large as their one work-item's rows. */
static bool halve(clscan_variant *shape)
{
    uint32_t *const size = shape->work_group_size > 1 ? &shape->work_group_size : &shape->cached_pieces;

    *size /= 2;
    return *size > 0;
}

const char *bench_strategy_shape(const bench_strategy *strategy, const clscan_device_info *device,
                                 const measure_problem *problem, char variant[MEASURE_NAME_BYTES])
{
    const char *const sample = device->device_class == CLSCAN_DEVICE_CLASS_CPU ? strategy->for_cpu : strategy->for_gpu;
    const clscan_problem asked = measure_clscan_problem(problem);
    clscan_variant shape;
    clscan_error error;
    bool is_left = clscan_variant_parse(sample, &shape, &error) == CLSCAN_OK;

    for (; is_left; is_left = halve(&shape)) {
        if (clscan_variant_check(&shape, &asked, measure_scans_in_place(problem), device, &error) != CLSCAN_OK)
            continue;
        clscan_variant_format(&shape, variant, MEASURE_NAME_BYTES);
        return variant;
    }
    snprintf(variant, MEASURE_NAME_BYTES, "%s", sample);
    return variant;
}

const bench_strategy *bench_strategy_find(const char *name)
{
    for (const bench_strategy *strategy = bench_strategies; strategy->name != NULL; ++strategy) {
        if (strcmp(strategy->name, name) == 0)
            return strategy;
    }
    return NULL;
}
