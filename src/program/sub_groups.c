#include "program/sub_groups.h"

#include <stdlib.h>

#include "base/error.h"

/* clGetKernelSubGroupInfoKHR(), whose type the headers call deprecated. */
typedef cl_int(CL_API_CALL *sub_group_query)(cl_kernel, cl_device_id, cl_kernel_sub_group_info, size_t, const void *,
                                             size_t, void *, size_t *);

/* From the driver, not from the loader, which may be one of OpenCL 1.2. */
static clscan_status find_query(cl_device_id device, sub_group_query *query, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_platform_id platform = NULL;
    union {
        void *address;
        sub_group_query function;
    } found;

    CLSCAN__TRY_CL(clGetDeviceInfo, (device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    found.address = clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSubGroupInfoKHR");
    *query = found.function;

cleanup:
    return status;
}

static clscan_status check_kernel(sub_group_query query, cl_kernel kernel, cl_device_id device, uint32_t wanted,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    size_t work_group_size[3] = {0, 0, 0}, size = 0;
    char name[64] = "";

    CLSCAN__TRY_CL(clGetKernelWorkGroupInfo,
                   (kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof work_group_size, work_group_size, NULL));
    if (work_group_size[0] == 0) /* clscan_empty: of one work-item */
        goto cleanup;
    if (query(kernel, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof work_group_size[0], work_group_size,
              sizeof size, &size, NULL) != CL_SUCCESS)
        goto cleanup;
    CLSCAN__TRY_CL(clGetKernelInfo, (kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    CLSCAN__REQUIRE(size > 0 && size % wanted == 0, CLSCAN_ERROR_BUILD,
                    "the driver compiled %s for sub-groups of %zu work-items, but its shuffles and barriers are made "
                    "for %u",
                    name, size, (unsigned)wanted);

cleanup:
    return status;
}

clscan_status clscan__sub_groups_check(cl_program program, cl_device_id device, const clscan__program_spec *spec,
                                       clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint32_t wanted = clscan__program_sub_group_size(spec);
    sub_group_query query = NULL;
    cl_kernel *kernels = NULL;
    cl_uint count = 0, created = 0;

    if (wanted == 0)
        return CLSCAN_OK;
    CLSCAN__TRY(find_query(device, &query, error));
    if (query == NULL)
        goto cleanup;
    CLSCAN__TRY_CL(clCreateKernelsInProgram, (program, 0, NULL, &count));
    kernels = calloc(count, sizeof *kernels);
    CLSCAN__REQUIRE(kernels != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory to list a program's kernels");
    CLSCAN__TRY_CL(clCreateKernelsInProgram, (program, count, kernels, NULL));
    created = count;
    for (cl_uint i = 0; i < count; ++i)
        CLSCAN__TRY(check_kernel(query, kernels[i], device, wanted, error));

cleanup:
    for (cl_uint i = 0; i < created; ++i)
        clReleaseKernel(kernels[i]);
    free(kernels);
    return status;
}
