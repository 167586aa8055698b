/* The carries whose work-groups wait for each other: one launch. Kernels: cl/carries/chained.cl,
 * cl/carries/all_totals.cl and cl/carries/lookahead_kernels.cl. */
#include "config/reproducible.h"
#include "engine/strategy.h"

static clscan_status enqueue(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                             const clscan__geometry *geometry, const clscan__run *run, clscan_error *error)
{
    clscan_status status;
    const clscan__run_arguments values = clscan__run_arguments_of(run);
    clscan__arguments arguments = {.kernel = kernels[0]};

    clscan__arguments_run(&arguments, &values, run);
    clscan__arguments_maps(&arguments, run);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(
        clscan__sequence_kernel(sequence, kernels[0], geometry->work_groups, variant->work_group_size, true, error));

cleanup:
    return status;
}

/* Of two kernels the one for the way in which the vectors of input and output lie to each other. Should the buffers
 * themselves not begin where vectors do, the kernel sees that, and is slow. */
static clscan_status enqueue_lookahead(clscan__sequence *sequence, cl_kernel const *kernels,
                                       const clscan_variant *variant, const clscan__geometry *geometry,
                                       const clscan__run *run, clscan_error *error)
{
    const bool shifted =
        run->plain && run->in_offset % variant->vector_length != run->out_offset % variant->vector_length;

    return enqueue(sequence, kernels + shifted, variant, geometry, run, error);
}

static clscan_status enqueue_reproducible(clscan__sequence *sequence, cl_kernel const *kernels,
                                          const clscan_variant *variant, const clscan__geometry *geometry,
                                          const clscan__run *run, clscan_error *error)
{
    clscan_status status;
    clscan__run_arguments values = clscan__run_arguments_of(run);
    clscan__arguments arguments = {.kernel = kernels[0]};
    const uint64_t node_bytes = run->shape.sum_bytes;

    values.before = run->first / clscan_variant_tile_count(variant);
    clscan__arguments_run(&arguments, &values, run);
    clscan__argument_buffer(&arguments, run->state_buffer);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));

    /* Work-groups that begin late read the state when others may have replaced it. */
    if (run->first > 0)
        CLSCAN__TRY(clscan__sequence_copy(sequence, run->state_buffer, run->state_offset * node_bytes, run->workspace,
                                          values.totals_bytes, CLSCAN__MOST_NODES * node_bytes, error));
    CLSCAN__TRY(
        clscan__sequence_kernel(sequence, kernels[0], geometry->work_groups, variant->work_group_size, true, error));

cleanup:
    return status;
}

const clscan__strategy clscan__strategy_adjacent = {
    .carry = CLSCAN_CARRY_ADJACENT,
    .kernel_names = {"clscan_waiting"},
    .enqueue = enqueue,
};

const clscan__strategy clscan__strategy_lookback = {
    .carry = CLSCAN_CARRY_LOOKBACK,
    .kernel_names = {"clscan_waiting"},
    .enqueue = enqueue,
};

const clscan__strategy clscan__strategy_all_totals = {
    .carry = CLSCAN_CARRY_ALL_TOTALS,
    .kernel_names = {"clscan_waiting"},
    .enqueue = enqueue,
};

const clscan__strategy clscan__strategy_lookahead = {
    .carry = CLSCAN_CARRY_LOOKAHEAD,
    .kernel_names = {"clscan_waiting", "clscan_waiting_shifted"},
    .enqueue = enqueue_lookahead,
};

const clscan__strategy clscan__strategy_reproducible_lookahead = {
    .carry = CLSCAN_CARRY_LOOKAHEAD,
    .kernel_names = {"clscan_waiting"},
    .enqueue = enqueue_reproducible,
};
