#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

clscan_status tune_fail(clscan_error *error, clscan_status status, const char *format, ...)
{
    va_list arguments;

    if (error == NULL)
        return status;
    error->status = status;
    error->cl_code = 0;
    error->line = 0;
    error->column = 0;
    error->build_log[0] = '\0';
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}
