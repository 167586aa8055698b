/* The carries of the reproducible order. Kernels: cl/carry_reduce_then_scan_reproducible.cl, whose ranges are 2^k tiles, and
 * cl/carry_lookahead_reproducible.cl. */
#include "config/reproducible.h"
#include "engine/strategy.h"

static clscan_status enqueue(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                             const clscan__geometry *geometry, const clscan__run *run, clscan_error *error)
{
    clscan_status status;
    clscan__arguments reduce = {.kernel = kernels[0]}, scan = {.kernel = kernels[1]};
    const uint64_t before = run->first / clscan_variant_tile_count(variant);
    const uint64_t totals_bytes = run->workspace_offset_bytes + run->layout.totals_bytes;

    clscan__argument_buffer(&reduce, run->in);
    clscan__argument_u64(&reduce, run->in_offset);
    clscan__argument_u64(&reduce, run->count);
    clscan__argument_u64(&reduce, before);
    clscan__argument_u64(&reduce, geometry->tiles_per_range);
    clscan__argument_buffer(&reduce, run->state_buffer);
    clscan__argument_u64(&reduce, run->state_offset);
    clscan__argument_buffer(&reduce, run->workspace);
    clscan__argument_u64(&reduce, totals_bytes);
    CLSCAN__TRY(clscan__arguments_status(&reduce, error));

    clscan__arguments_data(&scan, run);
    clscan__arguments_ends(&scan, run);
    clscan__argument_u64(&scan, before);
    clscan__argument_u64(&scan, geometry->tiles_per_range);
    clscan__argument_buffer(&scan, run->state_buffer);
    clscan__argument_u64(&scan, run->state_offset);
    clscan__argument_buffer(&scan, run->workspace);
    clscan__argument_u64(&scan, totals_bytes);
    CLSCAN__TRY(clscan__arguments_status(&scan, error));

    /* The last range goes on from the nodes before it, and ends with the nodes behind it. */
    if (geometry->ranges > 1)
        CLSCAN__TRY(clscan__sequence_kernel(sequence, kernels[0], geometry->ranges - 1, variant->work_group_size, false,
                                            error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, kernels[1], geometry->ranges, variant->work_group_size, true, error));

cleanup:
    return status;
}

const clscan__strategy clscan__strategy_reproducible = {
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .kernel_names = {"clscan_reduce_ranges", "clscan_scan_ranges"},
    .enqueue = enqueue,
};

static clscan_status enqueue_lookahead(clscan__sequence *sequence, cl_kernel const *kernels,
                                       const clscan_variant *variant, const clscan__geometry *geometry,
                                       const clscan__run *run, clscan_error *error)
{
    clscan_status status;
    clscan__arguments arguments = {.kernel = kernels[0]};
    const uint64_t stack_bytes = run->workspace_offset_bytes + run->layout.totals_bytes;

    clscan__arguments_waiting(&arguments, run);
    clscan__argument_u64(&arguments, run->first / clscan_variant_tile_count(variant));
    clscan__argument_u64(&arguments, stack_bytes);
    clscan__argument_buffer(&arguments, run->state_buffer);
    clscan__argument_u64(&arguments, run->state_offset);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));

    /* Work-groups that begin late read the state when others may have replaced it. */
    if (run->first > 0)
        CLSCAN__TRY(clscan__sequence_copy(sequence, run->state_buffer, run->state_offset * run->initial_bytes,
                                          run->workspace, stack_bytes, CLSCAN__MOST_NODES * run->initial_bytes, error));
    CLSCAN__TRY(
        clscan__sequence_kernel(sequence, kernels[0], geometry->work_groups, variant->work_group_size, true, error));

cleanup:
    return status;
}

const clscan__strategy clscan__strategy_reproducible_lookahead = {
    .carry = CLSCAN_CARRY_LOOKAHEAD,
    .kernel_names = {"clscan_lookahead"},
    .enqueue = enqueue_lookahead,
};
