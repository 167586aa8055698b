/* One work-group walks all tiles: one launch. Kernel: cl/carries/single.cl. */
#include "engine/strategy.h"

static clscan_status enqueue(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                             const clscan__geometry *geometry, const clscan__run *run, clscan_error *error)
{
    clscan_status status;
    const clscan__run_arguments values = clscan__run_arguments_of(run);
    clscan__arguments arguments = {.kernel = kernels[0]};

    (void)geometry;
    clscan__arguments_run(&arguments, &values, run);
    clscan__arguments_maps(&arguments, run);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, kernels[0], 1, variant->work_group_size, true, error));

cleanup:
    return status;
}

const clscan__strategy clscan__strategy_single = {
    .carry = CLSCAN_CARRY_SINGLE,
    .kernel_names = {"clscan_single"},
    .enqueue = enqueue,
};
