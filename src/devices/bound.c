#include "devices/bound.h"

#include "base/error.h"

clscan_status clscan__bound_plan_create(cl_context context, cl_device_id device, cl_command_queue queue,
                                        const clscan_problem *problem, const clscan_plan_options *options,
                                        clscan__bound_plan *made, clscan_error *error)
{
    clscan_status status;

    CLSCAN__TRY(clscan_plan_create(context, device, problem, options, &made->plan, error));
    CLSCAN__TRY(clscan_workspace_create(made->plan, &made->workspace, error));
    CLSCAN__TRY(clscan_workspace_bind(made->workspace, queue, NULL, error));

cleanup:
    return status;
}

void clscan__bound_plan_destroy(clscan__bound_plan *bound)
{
    clscan_workspace_destroy(bound->workspace);
    clscan_plan_destroy(bound->plan);
}

/* A variant of the caller's is for scans; few are for reductions, too. */
clscan_plan_options clscan__options_for_sums(const clscan_plan_options *options)
{
    clscan_plan_options made = options != NULL ? *options : (clscan_plan_options){.struct_size = sizeof made};

    made.variant = NULL;
    return made;
}

clscan_status clscan__values_create(cl_context context, size_t size_bytes, cl_mem *made, clscan_error *error)
{
    cl_int code;

    *made = clCreateBuffer(context, CL_MEM_READ_WRITE, size_bytes, NULL, &code);
    if (code == CL_SUCCESS)
        return CLSCAN_OK;
    *made = NULL;
    return clscan__error_opencl(error, "clCreateBuffer", code);
}
