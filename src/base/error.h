/* common/error.h, and the same for calls of OpenCL. */
#ifndef CLSCAN_BASE_ERROR_H
#define CLSCAN_BASE_ERROR_H

#include <CL/cl.h>

#include "common/error.h"

/* Fill `error` for a failed OpenCL call: "<call> failed: CL_... (-5)". Returns CLSCAN_ERROR_OPENCL. */
clscan_status clscan__error_opencl(clscan_error *error, const char *call, cl_int code);

/* Leave the function through its `cleanup` label when an OpenCL call that returns a cl_int fails; records the call's
 * name and code. */
#define CLSCAN__TRY_CL(function, arguments)                            \
    do {                                                               \
        const cl_int cl_code_ = function arguments;                    \
        if (cl_code_ != CL_SUCCESS) {                                  \
            status = clscan__error_opencl(error, #function, cl_code_); \
            goto cleanup;                                              \
        }                                                              \
    } while (0)

#endif
