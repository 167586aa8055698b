/* Scans of ranges, then what precedes each is added: two launches, one if there is one range. Kernels:
 * cl/carries/scan_then_add.cl. */
#include "engine/strategy.h"

static clscan_status enqueue(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                             const clscan__geometry *geometry, const clscan__run *run, clscan_error *error)
{
    clscan_status status;
    clscan__arguments scan = {.kernel = kernels[0]}, add = {.kernel = kernels[1]};
    const uint64_t totals_bytes = run->workspace_offset_bytes + run->layout.totals_bytes;
    const bool one_range = geometry->ranges == 1;

    clscan__arguments_data(&scan, run);
    clscan__arguments_ends(&scan, run);
    clscan__argument_u64(&scan, geometry->tiles_per_range);
    clscan__argument_buffer(&scan, run->workspace);
    clscan__argument_u64(&scan, totals_bytes);
    clscan__arguments_count(&scan, run);
    CLSCAN__TRY(clscan__arguments_status(&scan, error));

    clscan__argument_buffer(&add, run->out);
    clscan__argument_u64(&add, run->out_offset);
    clscan__argument_u64(&add, run->count);
    clscan__argument_u32(&add, run->flags);
    clscan__argument_buffer(&add, run->total_buffer);
    clscan__argument_u64(&add, run->total_offset);
    clscan__argument_u64(&add, geometry->tiles_per_range);
    clscan__argument_buffer(&add, run->workspace);
    clscan__argument_u64(&add, totals_bytes);
    clscan__arguments_count(&add, run);
    CLSCAN__TRY(clscan__arguments_status(&add, error));

    CLSCAN__TRY(
        clscan__sequence_kernel(sequence, kernels[0], geometry->ranges, variant->work_group_size, one_range, error));
    if (!one_range)
        CLSCAN__TRY(
            clscan__sequence_kernel(sequence, kernels[1], geometry->ranges - 1, variant->work_group_size, true, error));

cleanup:
    return status;
}

const clscan__strategy clscan__strategy_scan_then_add = {
    .carry = CLSCAN_CARRY_SCAN_THEN_ADD,
    .reads_output = true,
    .kernel_names = {"clscan_scan_ranges", "clscan_add_ranges"},
    .enqueue = enqueue,
};
