#include "common/error.h"

#include <stdio.h>
#include <string.h>

#include "common/printable.h"

clscan_status clscan__error_set_list(clscan_error *error, clscan_status status, const char *format, va_list arguments)
{
    if (error != NULL) {
        memset(error, 0, sizeof *error);
        error->status = status;
        vsnprintf(error->message, sizeof error->message, format, arguments);
        clscan__make_printable(error->message);
    }
    return status;
}

clscan_status clscan__error_set(clscan_error *error, clscan_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    clscan__error_set_list(error, status, format, arguments);
    va_end(arguments);
    return status;
}
