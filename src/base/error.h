/* Filling a clscan_error, and the statement that ends a function on failure. */
#ifndef CLSCAN_BASE_ERROR_H
#define CLSCAN_BASE_ERROR_H

#include <clscan/status.h>

#include <CL/cl.h>

#if defined(__GNUC__)
#define CLSCAN__PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define CLSCAN__PRINTF(format_index, first_index)
#endif

/* Fill `error` (may be NULL) with a message and return `status`. Clears place, code and build log. */
clscan_status clscan__error_set(clscan_error *error, clscan_status status, const char *format, ...)
    CLSCAN__PRINTF(3, 4);

/* The same for a failed OpenCL call: "<call> failed: CL_... (-5)". Returns CLSCAN_ERROR_OPENCL. */
clscan_status clscan__error_opencl(clscan_error *error, const char *call, cl_int code);

/* Leave the function through its `cleanup` label when `expression` is not CLSCAN_OK. */
#define CLSCAN__TRY(expression)  \
    do {                         \
        status = (expression);   \
        if (status != CLSCAN_OK) \
            goto cleanup;        \
    } while (0)

/* The same for an OpenCL call that returns a cl_int; records the call's name and code. */
#define CLSCAN__TRY_CL(function, arguments)                            \
    do {                                                               \
        const cl_int cl_code_ = function arguments;                    \
        if (cl_code_ != CL_SUCCESS) {                                  \
            status = clscan__error_opencl(error, #function, cl_code_); \
            goto cleanup;                                              \
        }                                                              \
    } while (0)

/* Check a condition on an argument. */
#define CLSCAN__REQUIRE(condition, code, ...)                     \
    do {                                                          \
        if (!(condition)) {                                       \
            status = clscan__error_set(error, code, __VA_ARGS__); \
            goto cleanup;                                         \
        }                                                         \
    } while (0)

#endif
