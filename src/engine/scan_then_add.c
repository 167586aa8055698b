/* Scans of ranges, then what precedes each is added: two launches, one if there is one range. Kernels:
 * cl/carries/scan_then_add.cl. */
#include "engine/strategy.h"

static clscan_status enqueue(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                             const clscan__geometry *geometry, const clscan__run *run, clscan_error *error)
{
    clscan_status status;
    clscan__arguments scan = {.kernel = kernels[0]}, add = {.kernel = kernels[1]};
    clscan__run_arguments values = clscan__run_arguments_of(run);
    const bool one_range = geometry->ranges == 1;

    values.tiles_per_range = geometry->tiles_per_range;
    clscan__arguments_run(&scan, &values, run);
    CLSCAN__TRY(clscan__arguments_status(&scan, error));
    clscan__arguments_run(&add, &values, run);
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
