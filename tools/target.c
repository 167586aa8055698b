#include "target.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "command_line/failure.h"
#include "common/printable.h"
#include "config_use.h"

/* Who names a config means it to have an effect. One for other devices has none, and is no error: say so. */
static clscan_status warn_of_unused_config(const target *t, const char *path, clscan_error *error)
{
    clscan_status status;
    config_source sources[MAX_CONFIG_SOURCES];
    char shown[sizeof sources->source];
    const bool has_own_architecture =
        t->info.architecture[0] != '\0' && strcmp(t->info.architecture, t->info.family) != 0;
    size_t count;

    TRY(config_sources(t->config, &t->info, sources, &count, error));
    clscan__printable(path, shown, sizeof shown);
    for (size_t i = 0; i < count; ++i)
        if (strcmp(sources[i].source, shown) == 0)
            return CLSCAN_OK;
    complain("warning: %s: none of its entries serves %s, so other configs do; for this device a config has the "
             "\"match\" %s%s%s, %s or %s",
             shown, t->info.name, t->info.key, has_own_architecture ? ", " : "",
             has_own_architecture ? t->info.architecture : "", t->info.family, t->info.generic);

cleanup:
    return status;
}

clscan_status target_find(target *t, const char *selector, const char *config_path, clscan_error *error)
{
    clscan_status status;
    clscan_probe_finding finding = {.struct_size = sizeof finding};

    *t = (target){0};
    TRY(clscan_device_find(selector, &t->device, error));
    t->info.struct_size = sizeof t->info;
    TRY(clscan_device_describe(t->device, &t->info, error));
    TRY(clscan_probe_look(t->device, &t->info, &finding, error));
    clscan_probe_apply(&finding, &t->info);
    if (config_path != NULL) {
        TRY(clscan_config_load(config_path, &t->config, error));
        TRY(warn_of_unused_config(t, config_path, error));
    }

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

clscan_status target_plan(const target *t, const clscan_problem *problem, clscan_plan **plan,
                          clscan_workspace **workspace, clscan_error *error)
{
    clscan_status status;
    const clscan_plan_options options = {.struct_size = sizeof options, .config = t->config};

    TRY(clscan_plan_create(t->context, t->device, problem, &options, plan, error));
    TRY(clscan_workspace_create(*plan, workspace, error));
    TRY(clscan_workspace_bind(*workspace, t->queue, NULL, error));

cleanup:
    return status;
}

clscan_status target_buffer(const target *t, uint64_t size_bytes, cl_mem *buffer, clscan_error *error)
{
    cl_int code;

    *buffer = clCreateBuffer(t->context, CL_MEM_READ_WRITE, (size_t)size_bytes, NULL, &code);
    if (code == CL_SUCCESS)
        return CLSCAN_OK;
    *buffer = NULL;
    return fail_opencl(error, "clCreateBuffer", code);
}

clscan_status target_units(const target *t, uint64_t count, size_t unit_bytes, cl_mem *buffer, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t most = t->info.max_allocation_bytes;

    REQUIRE(count <= most / unit_bytes, CLSCAN_ERROR_OUT_OF_MEMORY,
            "%" PRIu64 " elements of %zu bytes are more than a buffer of %s holds, %" PRIu64 " bytes", count,
            unit_bytes, t->info.name, most);
    TRY(target_buffer(t, (count > 0 ? count : 1) * unit_bytes, buffer, error));

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
