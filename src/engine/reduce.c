/* The carries of a reduction, which differ in who combines the totals of ranges: a second launch, or the work-group of
 * the first one that ends last. Kernels: cl/carries/reduce_then_combine.cl and cl/carries/last_combines.cl. */
#include "engine/strategy.h"

static clscan__run_arguments values_of(const clscan__geometry *geometry, const clscan__run *run)
{
    clscan__run_arguments values = clscan__run_arguments_of(run);

    values.tiles_per_range = geometry->tiles_per_range;
    values.ranges = geometry->ranges;
    return values;
}

static clscan_status enqueue_two(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                                 const clscan__geometry *geometry, const clscan__run *run, clscan_error *error)
{
    clscan_status status;
    clscan__arguments reduce = {.kernel = kernels[0]}, combine = {.kernel = kernels[1]};
    const clscan__run_arguments values = values_of(geometry, run);
    const bool one_range = geometry->ranges == 1;

    clscan__arguments_run(&reduce, &values, run);
    clscan__arguments_maps(&reduce, run);
    CLSCAN__TRY(clscan__arguments_status(&reduce, error));
    clscan__arguments_run(&combine, &values, run);
    clscan__arguments_maps(&combine, run);
    CLSCAN__TRY(clscan__arguments_status(&combine, error));

    CLSCAN__TRY(
        clscan__sequence_kernel(sequence, kernels[0], geometry->ranges, variant->work_group_size, one_range, error));
    if (!one_range)
        CLSCAN__TRY(clscan__sequence_kernel(sequence, kernels[1], 1, variant->work_group_size, true, error));

cleanup:
    return status;
}

static clscan_status enqueue_one(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                                 const clscan__geometry *geometry, const clscan__run *run, clscan_error *error)
{
    clscan_status status;
    const clscan__run_arguments values = values_of(geometry, run);
    clscan__arguments arguments = {.kernel = kernels[0]};

    clscan__arguments_run(&arguments, &values, run);
    clscan__arguments_maps(&arguments, run);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, kernels[0], geometry->ranges, variant->work_group_size, true, error));

cleanup:
    return status;
}

const clscan__strategy clscan__strategy_reduce_then_combine = {
    .carry = CLSCAN_CARRY_REDUCE_THEN_COMBINE,
    .kernel_names = {"clscan_reduce_ranges", "clscan_reduce_totals"},
    .enqueue = enqueue_two,
};

const clscan__strategy clscan__strategy_last_combines = {
    .carry = CLSCAN_CARRY_LAST_COMBINES,
    .kernel_names = {"clscan_reduce"},
    .enqueue = enqueue_one,
};
