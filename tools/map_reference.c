#include "map_reference.h"

static clscan_status load_each(void *context, const void *elements, uint64_t count, void *sums, clscan_error *error)
{
    return measure_map_each_load(context, elements, 0, count, sums, error);
}

static clscan_status store_each(void *context, const void *elements, const void *sums, const void *previous,
                                uint64_t count, void *outputs, clscan_error *error)
{
    return measure_map_each_store(context, elements, sums, previous, 0, count, outputs, error);
}

measure_map_each map_reference_each(const scan_maps *maps)
{
    return (measure_map_each){
        .in = maps->in,
        .sum = clscan_type_accumulator(maps->out),
        .out = maps->out,
        .load = maps->load != NULL ? &maps->maps[0] : NULL,
        .store = maps->store != NULL ? &maps->maps[1] : NULL,
    };
}

clscan_status map_reference_create(map_reference *r, const target *where, const scan_maps *maps, clscan_error *error)
{
    r->each = map_reference_each(maps);
    r->each.context = where->context;
    r->each.device = where->device;
    r->each.queue = where->queue;
    r->maps = (clscan_case_maps){
        .output = maps->out,
        .arguments = r->arguments,
        .argument_count = scan_maps_arguments(maps, &r->index_of_first, r->arguments),
        .context = &r->each,
        .load = load_each,
        .store = store_each,
    };
    return measure_map_each_create(&r->each, error);
}

void map_reference_release(map_reference *r)
{
    measure_map_each_release(&r->each);
}
