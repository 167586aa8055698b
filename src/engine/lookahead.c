/* A bounded number of work-groups combine the totals that all publish: one launch. Kernel: cl/carry_lookahead.cl. */
#include "engine/strategy.h"

static clscan_status enqueue(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                             const clscan__geometry *geometry, const clscan__run *run, clscan_error *error)
{
    clscan_status status;
    clscan__arguments arguments = {.kernel = kernels[0]};

    clscan__arguments_waiting(&arguments, run);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(
        clscan__sequence_kernel(sequence, kernels[0], geometry->work_groups, variant->work_group_size, true, error));

cleanup:
    return status;
}

const clscan__strategy clscan__strategy_lookahead = {
    .carry = CLSCAN_CARRY_LOOKAHEAD,
    .kernel_names = {"clscan_lookahead"},
    .enqueue = enqueue,
};
