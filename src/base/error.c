#include "base/error.h"

clscan_status clscan__error_opencl(clscan_error *error, const char *call, cl_int code)
{
    clscan__error_set(error, CLSCAN_ERROR_OPENCL, "%s failed: %s (%d)", call, clscan_cl_error_name(code), (int)code);
    if (error != NULL)
        error->cl_code = code;
    return CLSCAN_ERROR_OPENCL;
}
