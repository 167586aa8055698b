#include <stdarg.h>
#include <stdio.h>

#include "bench.h"

bool bench_fail(bench_note *note, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(note->text, sizeof note->text, format, arguments);
    va_end(arguments);
    return false;
}

bool bench_fail_opencl(bench_note *note, const char *call, cl_int code)
{
    return bench_fail(note, "%s: %s (%d)", call, clscan_cl_error_name(code), code);
}
