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

void clscan__list_names(char *text, size_t size_bytes, const char *const *names, size_t name_count)
{
    size_t length_bytes = 0;

    text[0] = '\0';
    for (size_t i = 0; i < name_count && length_bytes < size_bytes; ++i)
        length_bytes +=
            (size_t)snprintf(text + length_bytes, size_bytes - length_bytes, "%s%s", i == 0 ? "" : ", ", names[i]);
}
