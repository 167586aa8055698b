/* Totals of ranges, then scans of ranges: two launches, one if there is one range. Kernels:
 * cl/carries/reduce_then_scan.cl; in the reproducible order cl/reproducible/reduce_then_scan.cl, whose ranges are
 * 2^k tiles. */
#include "engine/strategy.h"

/* Last arguments in the reproducible order: the tiles before the input, and the nodes of the stack of their number. */
static void arguments_stack(clscan__arguments *arguments, const clscan_variant *variant, const clscan__run *run)
{
    clscan__argument_u64(arguments, run->first / clscan_variant_tile_count(variant));
    clscan__argument_buffer(arguments, run->state_buffer);
    clscan__argument_u64(arguments, run->state_offset);
}

static clscan_status enqueue_ranges(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                                    const clscan__geometry *geometry, const clscan__run *run, bool reproducible,
                                    clscan_error *error)
{
    clscan_status status;
    clscan__arguments reduce = {.kernel = kernels[0]}, scan = {.kernel = kernels[1]};
    const uint64_t totals_bytes = run->workspace_offset_bytes + run->layout.totals_bytes;

    clscan__argument_buffer(&reduce, run->in);
    clscan__argument_u64(&reduce, run->in_offset);
    clscan__argument_u64(&reduce, run->count);
    clscan__argument_u64(&reduce, geometry->tiles_per_range);
    clscan__argument_buffer(&reduce, run->workspace);
    clscan__argument_u64(&reduce, totals_bytes);
    if (reproducible)
        arguments_stack(&reduce, variant, run);
    clscan__arguments_maps(&reduce, run);
    CLSCAN__TRY(clscan__arguments_status(&reduce, error));

    clscan__arguments_data(&scan, run);
    clscan__arguments_ends(&scan, run);
    clscan__argument_u64(&scan, geometry->tiles_per_range);
    clscan__argument_buffer(&scan, run->workspace);
    clscan__argument_u64(&scan, totals_bytes);
    if (reproducible)
        arguments_stack(&scan, variant, run);
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
