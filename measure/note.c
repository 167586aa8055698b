#include <stdarg.h>
#include <stdio.h>

#include "common/printable.h"
#include "measure.h"

bool measure_fail(measure_note *note, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(note->text, sizeof note->text, format, arguments);
    va_end(arguments);
    clscan__make_printable(note->text);
    return false;
}

bool measure_fail_opencl(measure_note *note, const char *call, cl_int code)
{
    return measure_fail(note, "%s: %s (%d)", call, clscan_cl_error_name(code), code);
}
