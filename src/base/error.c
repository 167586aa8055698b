#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/printable.h"

clscan_status clscan__error_set(clscan_error *error, clscan_status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        memset(error, 0, sizeof *error);
        error->status = status;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        clscan__make_printable(error->message);
    }
    return status;
}

clscan_status clscan__error_opencl(clscan_error *error, const char *call, cl_int code)
{
    clscan__error_set(error, CLSCAN_ERROR_OPENCL, "%s failed: %s (%d)", call, clscan_cl_error_name(code), (int)code);
    if (error != NULL)
        error->cl_code = code;
    return CLSCAN_ERROR_OPENCL;
}
