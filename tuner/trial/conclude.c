#include "trial/conclude.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/printable.h"

static void write_line(char *text, size_t size_bytes, const char *format, va_list arguments)
{
    vsnprintf(text, size_bytes, format, arguments);
    clscan__make_printable(text);
}

void tune_write_reason(char reason[TUNE_REASON_BYTES], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    write_line(reason, TUNE_REASON_BYTES, format, arguments);
    va_end(arguments);
}

bool tune_conclude(tune_trial *trial, tune_outcome outcome, const char *format, ...)
{
    va_list arguments;

    trial->outcome = outcome;
    va_start(arguments, format);
    write_line(trial->reason, sizeof trial->reason, format, arguments);
    va_end(arguments);
    return false;
}
