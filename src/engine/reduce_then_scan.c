/* Totals of ranges, then scans of ranges: two launches, one if there is one range. Kernels:
 * cl/carries/reduce_then_scan.cl; in the reproducible order cl/reproducible/reduce_then_scan.cl, whose ranges are
 * 2^k tiles. */
#include "engine/strategy.h"

static clscan_status enqueue_ranges(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                                    const clscan__geometry *geometry, const clscan__run *run, bool reproducible,
                                    clscan_error *error)
{
    clscan_status status;
    clscan__arguments reduce = {.kernel = kernels[0]}, scan = {.kernel = kernels[1]};
    clscan__run_arguments values = clscan__run_arguments_of(run);

    values.tiles_per_range = geometry->tiles_per_range;
    if (reproducible)
        values.before = run->first / clscan_variant_tile_count(variant);
    clscan__arguments_run(&reduce, &values, run);
    if (reproducible)
        clscan__argument_buffer(&reduce, run->state_buffer);
    clscan__arguments_maps(&reduce, run);
    CLSCAN__TRY(clscan__arguments_status(&reduce, error));

    clscan__arguments_run(&scan, &values, run);
    if (reproducible)
        clscan__argument_buffer(&scan, run->state_buffer);
    clscan__arguments_maps(&scan, run);
    CLSCAN__TRY(clscan__arguments_status(&scan, error));

    /* Nobody needs the total of the last range. In the reproducible order it goes on from the nodes before it, and ends
     * with the nodes behind it. */
    if (geometry->ranges > 1)
        CLSCAN__TRY(clscan__sequence_kernel(sequence, kernels[0], geometry->ranges - 1, variant->work_group_size, false,
                                            error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, kernels[1], geometry->ranges, variant->work_group_size, true, error));

cleanup:
    return status;
}

static clscan_status enqueue(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                             const clscan__geometry *geometry, const clscan__run *run, clscan_error *error)
{
    return enqueue_ranges(sequence, kernels, variant, geometry, run, false, error);
}

static clscan_status enqueue_reproducible(clscan__sequence *sequence, cl_kernel const *kernels,
                                          const clscan_variant *variant, const clscan__geometry *geometry,
                                          const clscan__run *run, clscan_error *error)
{
    return enqueue_ranges(sequence, kernels, variant, geometry, run, true, error);
}

const clscan__strategy clscan__strategy_reduce_then_scan = {
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .kernel_names = {"clscan_reduce_ranges", "clscan_scan_ranges"},
    .enqueue = enqueue,
};

const clscan__strategy clscan__strategy_reproducible_reduce_then_scan = {
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .kernel_names = {"clscan_reduce_ranges", "clscan_scan_ranges"},
    .enqueue = enqueue_reproducible,
};
