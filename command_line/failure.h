/* How functions of the programs fail: as the library's do, by a clscan_status and a filled clscan_error. */
#ifndef CLSCAN_COMMAND_LINE_FAILURE_H
#define CLSCAN_COMMAND_LINE_FAILURE_H

#include <clscan/clscan.h>

#include "common/error.h"

/* Exit codes of the command. */
#define EXIT_CODE_OK 0
#define EXIT_CODE_FAILURE 1
#define EXIT_CODE_USAGE 2
#define EXIT_CODES_HELP "exit codes: 0 success, 1 failure, 2 wrong usage\n"

/* Fill `error` (may be NULL) with one line that names the culprit, and return `status`. */
clscan_status fail(clscan_error *error, clscan_status status, const char *format, ...) CLSCAN__PRINTF(3, 4);

/* The same for an OpenCL call. */
clscan_status fail_opencl(clscan_error *error, const char *call, cl_int code);

/* Print a failure to stderr, with the build log if there is one. */
void print_failure(const clscan_error *error);

/* The program's name for messages and help; "clscan" unless set. Kept, not copied. */
void set_program_name(const char *name);
const char *program_name(void);

/* Print one line to stderr, after the program's name. */
void complain(const char *format, ...) CLSCAN__PRINTF(1, 2);

/* Leave the function through its `cleanup` label, as in common/error.h. */
#define TRY(expression) CLSCAN__TRY(expression)
#define REQUIRE(condition, code, ...) CLSCAN__REQUIRE(condition, code, __VA_ARGS__)

#define TRY_CL(function, arguments)                           \
    do {                                                      \
        const cl_int cl_code_ = function arguments;           \
        if (cl_code_ != CL_SUCCESS) {                         \
            status = fail_opencl(error, #function, cl_code_); \
            goto cleanup;                                     \
        }                                                     \
    } while (0)

#endif
