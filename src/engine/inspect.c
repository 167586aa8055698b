#include "engine/inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/binary.h"
#include "program/blob.h"

static clscan_status append_program(const clscan_plan *plan, const clscan__program *built, clscan__text *blob,
                                    clscan_error *error)
{
    clscan_status status;
    unsigned char *binary = NULL;
    size_t binary_bytes = 0;

    CLSCAN__TRY(clscan__binary_get(built->program, plan->device, &binary, &binary_bytes, error));
    clscan__blob_append(blob, built->key, binary, binary_bytes);

cleanup:
    free(binary);
    return status;
}

clscan_status clscan__plan_save(const clscan_plan *plan, void *blob, size_t capacity_bytes, size_t *size_bytes,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__text text = {0};

    clscan__blob_begin(&text, plan->compiled_count);
    for (size_t i = 0; i < plan->compiled_count; ++i)
        CLSCAN__TRY(append_program(plan, &plan->compiled[i].built, &text, error));
    CLSCAN__REQUIRE(!text.failed, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a plan's programs");
    *size_bytes = text.length_bytes;
    CLSCAN__REQUIRE(capacity_bytes == 0 || capacity_bytes >= text.length_bytes, CLSCAN_ERROR_BUFFER_TOO_SMALL,
                    "capacity_bytes is %zu, the blob has %zu bytes", capacity_bytes, text.length_bytes);
    if (capacity_bytes > 0)
        memcpy(blob, text.data, text.length_bytes);

cleanup:
    clscan__text_free(&text);
    return status;
}

static clscan_status merge_kernel(const clscan_plan *plan, const clscan_variant *variant, cl_kernel kernel,
                                  clscan_kernel_info *info, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    size_t work_group_size = 0, required[3] = {0, 0, 0};
    cl_ulong local_bytes = 0, private_bytes = 0;

    CLSCAN__TRY_CL(clGetKernelWorkGroupInfo,
                   (kernel, plan->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof work_group_size, &work_group_size, NULL));
    CLSCAN__TRY_CL(clGetKernelWorkGroupInfo,
                   (kernel, plan->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local_bytes, &local_bytes, NULL));
    CLSCAN__TRY_CL(clGetKernelWorkGroupInfo,
                   (kernel, plan->device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof private_bytes, &private_bytes, NULL));
    CLSCAN__TRY_CL(clGetKernelWorkGroupInfo,
                   (kernel, plan->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, NULL));
    /* NVIDIA's driver says 256 whatever size a kernel was compiled for, and runs it in that size: the required one, or
     * the one for which its bound of registers leaves room. */
    if (plan->info.nv_compute_capability > 0)
        work_group_size = required[0] > 0 ? required[0] : variant->work_group_size;
    info->work_group_size = clscan__min_u64(info->work_group_size, work_group_size);
    info->local_bytes = info->local_bytes > local_bytes ? info->local_bytes : local_bytes;
    info->private_bytes = info->private_bytes > private_bytes ? info->private_bytes : private_bytes;

cleanup:
    return status;
}

clscan_status clscan__plan_kernel_info(const clscan_plan *plan, size_t compiled, clscan_kernel_info *info,
                                       clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan__compiled *asked = &plan->compiled[compiled];
    clscan_kernel_info found = {
        .work_group_size = UINT64_MAX,
        .sub_group_size = plan->info.sub_group_size,
        .from_cache = asked->built.from_cache,
        .build_time_ns = asked->built.build_time_ns,
    };
    cl_kernel kernel = NULL;

    snprintf(found.revision, sizeof found.revision, "%s", asked->built.revision);
    for (size_t i = 0; i < CLSCAN__KERNELS_PER_STRATEGY && asked->strategy->kernel_names[i] != NULL; ++i) {
        cl_int code;
        kernel = clCreateKernel(asked->built.program, asked->strategy->kernel_names[i], &code);
        if (code != CL_SUCCESS)
            return clscan__error_opencl(error, "clCreateKernel", code);
        CLSCAN__TRY(merge_kernel(plan, &asked->variant, kernel, &found, error));
        clReleaseKernel(kernel);
        kernel = NULL;
    }
    *info = found;

cleanup:
    if (kernel != NULL)
        clReleaseKernel(kernel);
    return status;
}
