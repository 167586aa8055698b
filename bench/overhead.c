#include "overhead.h"

#include <stdlib.h>

#include "common/clock.h"
#include "measure/device.h"
#include "measure/library.h"
#include "measure/statistics.h"

/* So many calls are in flight before the queue is drained, outside of the timed part: more could fill a
 * driver's queue, and then the host would be timed waiting for the device. */
#define CALLS 200

typedef struct bare_launch {
    cl_kernel kernel;
    size_t global;
    size_t local;
} bare_launch;

static uint64_t divide_up(uint64_t value, uint64_t divisor)
{
    return value / divisor + (value % divisor != 0);
}

/* As many work-groups as the variant's first launch, as far as a variant tells: one for `single`, a bounded
 * number for carries with a limit per compute unit, else one per tile. */
static void shape_of(const clscan_variant *variant, const measure_case *c, bare_launch *bare)
{
    const uint64_t tile = clscan_variant_tile_count(variant);
    uint64_t groups = divide_up(c->problem.count, tile > 0 ? tile : 1);

    if (variant->carry == CLSCAN_CARRY_SINGLE)
        groups = 1;
    if (variant->work_groups_per_unit > 0) {
        const uint64_t bound = (uint64_t)variant->work_groups_per_unit * c->device->info.compute_units;

        groups = groups < bound ? groups : bound;
    }
    bare->local = variant->work_group_size > 0 ? variant->work_group_size : 1;
    bare->global = (size_t)groups * bare->local;
}

/* Arguments as a scan kernel has: a struct of 23 numbers, and five buffers. */
static bool call_bare(const bare_launch *bare, const measure_case *c, measure_note *note)
{
    const cl_mem buffers[] = {c->source, c->target, c->device->scratch, c->device->scratch, c->device->scratch};
    const cl_ulong numbers[23] = {0};

    MEASURE_TRY(note, clSetKernelArg, (bare->kernel, 0, sizeof numbers, numbers));
    for (cl_uint i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        MEASURE_TRY(note, clSetKernelArg, (bare->kernel, 1 + i, sizeof buffers[i], &buffers[i]));
    MEASURE_TRY(note, clEnqueueNDRangeKernel,
                (c->device->queue, bare->kernel, 1, NULL, &bare->global, &bare->local, 0, NULL, NULL));
    return true;
}

static bool time_library(const measure_case *c, measure_contender *contender, uint64_t *nanoseconds)
{
    const uint64_t begin = clscan__now_ns();

    for (int i = 0; i < CALLS; ++i) {
        const clscan_status status = measure_library_call(contender, c);

        if (status != CLSCAN_OK)
            return measure_fail(&contender->note, "clscan_run: %s", clscan_status_message(status));
    }
    *nanoseconds = clscan__now_ns() - begin;
    MEASURE_TRY(&contender->note, clFinish, (c->device->queue));
    return true;
}

static bool time_bare(const measure_case *c, const bare_launch *bare, uint64_t *nanoseconds, measure_note *note)
{
    const uint64_t begin = clscan__now_ns();

    for (int i = 0; i < CALLS; ++i) {
        if (!call_bare(bare, c, note))
            return false;
    }
    *nanoseconds = clscan__now_ns() - begin;
    MEASURE_TRY(note, clFinish, (c->device->queue));
    return true;
}

bool bench_overhead_measure(const measure_case *c, measure_contender *contender, size_t runs, double *call_ns,
                            double *bare_ns)
{
    const clscan_variant variant = measure_library_variant(contender);
    uint64_t *times = calloc(2 * runs, sizeof *times);
    bare_launch bare = {0};
    bool done = false;

    if (times == NULL)
        return measure_fail(&contender->note, "no host memory");
    shape_of(&variant, c, &bare);
    if (!measure_device_kernel(c->device, "arguments", &bare.kernel, &contender->note))
        goto cleanup;
    for (size_t run = 0; run <= runs; ++run) { /* run 0 warms up; run 1 writes over it */
        const size_t place = run > 0 ? run - 1 : 0;

        if (!time_library(c, contender, &times[place]) || !time_bare(c, &bare, &times[runs + place], &contender->note))
            goto cleanup;
    }
    *call_ns = measure_summarise(times, runs).median / CALLS;
    *bare_ns = measure_summarise(times + runs, runs).median / CALLS;
    done = true;

cleanup:
    if (bare.kernel != NULL)
        clReleaseKernel(bare.kernel);
    free(times);
    return done;
}
