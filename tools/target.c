#include "target.h"

#include "command_line/failure.h"

clscan_status target_find(target *t, const char *selector, const char *config_path, clscan_error *error)
{
    clscan_status status;
    clscan_probe_finding finding;

    *t = (target){0};
    TRY(clscan_device_find(selector, &t->device, error));
    TRY(clscan_device_describe(t->device, &t->info, error));
    TRY(clscan_probe_look(t->device, &t->info, &finding, error));
    clscan_probe_apply(&finding, &t->info);
    if (config_path != NULL)
        TRY(clscan_config_load(config_path, &t->config, error));

cleanup:
    return status;
}

clscan_status target_start(target *t, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_platform_id platform;
    cl_int code;

    TRY_CL(clGetDeviceInfo, (t->device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    {
        const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};

        t->context = clCreateContext(properties, 1, &t->device, NULL, NULL, &code);
    }
    if (t->context == NULL)
        return fail_opencl(error, "clCreateContext", code);
    t->queue = clCreateCommandQueue(t->context, t->device, CL_QUEUE_PROFILING_ENABLE, &code);
    if (t->queue == NULL)
        return fail_opencl(error, "clCreateCommandQueue", code);

cleanup:
    return status;
}

void target_release(target *t)
{
    if (t->queue != NULL)
        clReleaseCommandQueue(t->queue);
    if (t->context != NULL)
        clReleaseContext(t->context);
    clscan_config_destroy(t->config);
    *t = (target){0};
}
