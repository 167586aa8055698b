/* What every layer of the OpenCL loader answers: which version of that interface it is of. */
#include <string.h>

#include <CL/cl_layer.h>

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void *value, size_t *size_ret)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;

    if (what != CL_LAYER_API_VERSION || (value != NULL && size < sizeof version))
        return CL_INVALID_VALUE;
    if (value != NULL)
        memcpy(value, &version, sizeof version);
    if (size_ret != NULL)
        *size_ret = sizeof version;
    return CL_SUCCESS;
}
