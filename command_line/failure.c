#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/error.h"
#include "common/printable.h"

/* Room for the longest name of a file, and what is wrong with it. */
#define LONGEST_COMPLAINT_BYTES 5120

static const char *program = "clscan";

void set_program_name(const char *name)
{
    program = name;
}

const char *program_name(void)
{
    return program;
}

clscan_status fail(clscan_error *error, clscan_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    clscan__error_set_list(error, status, format, arguments);
    va_end(arguments);
    return status;
}

clscan_status fail_opencl(clscan_error *error, const char *call, cl_int code)
{
    fail(error, CLSCAN_ERROR_OPENCL, "%s failed: %s (%d)", call, clscan_cl_error_name(code), (int)code);
    if (error != NULL)
        error->cl_code = code;
    return CLSCAN_ERROR_OPENCL;
}

void print_failure(const clscan_error *error)
{
    complain("%s", error->message);
    if (error->build_log[0] != '\0')
        fprintf(stderr, "%s\n", error->build_log);
}

void complain(const char *format, ...)
{
    char text[LONGEST_COMPLAINT_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    clscan__make_printable(text);
    fflush(stdout); /* so that what was said before stands before this line */
    fprintf(stderr, "%s: %s\n", program, text);
}
