#include "check_maps.h"

#include <stdlib.h>

#include "command_line/failure.h"
#include "map_reference.h"

static clscan_status allocate(unsigned char **memory, uint64_t count, clscan_error *error)
{
    *memory = malloc((size_t)count * sizeof(uint64_t));
    return *memory != NULL ? CLSCAN_OK : fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory to check the result");
}

static clscan_status allocate_for_store(map_checker *c, uint64_t count, clscan_error *error)
{
    clscan_status status;

    TRY(allocate(&c->previous, count, error));
    for (int i = 0; i < 4; ++i)
        TRY(allocate(&c->near[i / 2][i % 2], count, error));
    for (int i = 1; i < CHECK_MAPS_OUTPUTS; ++i)
        TRY(allocate(&c->outputs[i], count, error));
    c->known = malloc((size_t)count * sizeof *c->known);
    REQUIRE(c->known != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory to check the result");

cleanup:
    return status;
}

/* It has a queue of its own: the scan's belongs to another thread. */
clscan_status check_maps_prepare(map_checker *c, uint64_t count, uint64_t row_count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_int code;

    if (c->is_ready)
        return status;
    c->each = map_reference_each(c->maps);
    c->each.context = c->context;
    c->each.device = c->device;
    c->each.row_count = row_count;
    c->each.queue = clCreateCommandQueue(c->context, c->device, 0, &code);
    if (code != CL_SUCCESS)
        return fail_opencl(error, "clCreateCommandQueue", code);
    TRY(measure_map_each_create(&c->each, error));
    TRY(allocate(&c->values, count, error));
    TRY(allocate(&c->sums, count, error));
    TRY(allocate(&c->outputs[0], count, error));
    if (c->maps->store != NULL)
        TRY(allocate_for_store(c, count, error));
    c->is_ready = true;

cleanup:
    return status;
}

clscan_status check_maps_load(map_checker *c, const void *elements, uint64_t first, uint64_t count, clscan_error *error)
{
    return measure_map_each_load(&c->each, elements, first, count, c->values, error);
}

clscan_status check_maps_store(map_checker *c, const void *elements, uint64_t first, uint64_t count, bool bounds,
                               clscan_error *error)
{
    clscan_status status;

    TRY(measure_map_each_store(&c->each, elements, c->sums, c->previous, first, count, c->outputs[0], error));
    for (int i = 0; bounds && i < 4; ++i)
        TRY(measure_map_each_store(&c->each, elements, c->near[0][i / 2], c->near[1][i % 2], first, count,
                                   c->outputs[1 + i], error));

cleanup:
    return status;
}

clscan_status check_maps_convert(map_checker *c, uint64_t at, uint64_t count, clscan_error *error)
{
    return measure_map_each_store(&c->each, NULL, c->sums + at * clscan_type_size_bytes(c->each.sum), NULL, 0, count,
                                  c->outputs[0] + at * clscan_type_size_bytes(c->each.out), error);
}

void check_maps_release(map_checker *c)
{
    measure_map_each_release(&c->each);
    if (c->each.queue != NULL)
        clReleaseCommandQueue(c->each.queue);
    free(c->values);
    free(c->sums);
    free(c->previous);
    free(c->known);
    for (int i = 0; i < 4; ++i)
        free(c->near[i / 2][i % 2]);
    for (int i = 0; i < CHECK_MAPS_OUTPUTS; ++i)
        free(c->outputs[i]);
    *c = (map_checker){0};
}
