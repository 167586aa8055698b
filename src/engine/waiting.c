/* What the carries have in common whose work-groups wait for each other: one launch, and its arguments. */
#include "engine/strategy.h"

void clscan__arguments_waiting(clscan__arguments *arguments, const clscan__run *run)
{
    clscan__arguments_data(arguments, run);
    clscan__arguments_ends(arguments, run);
    clscan__argument_buffer(arguments, run->workspace);
    clscan__argument_u64(arguments, run->workspace_offset_bytes);
    clscan__argument_u64(arguments, run->workspace_offset_bytes + run->layout.words_bytes);
    clscan__argument_u32(arguments, run->epoch);
}

clscan_status clscan__enqueue_waiting(clscan__sequence *sequence, cl_kernel const *kernels,
                                      const clscan_variant *variant, const clscan__geometry *geometry,
                                      const clscan__run *run, clscan_error *error)
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
