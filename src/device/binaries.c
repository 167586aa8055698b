#include "device/binaries.h"

#include "device/identity.h"

/* First matching row. docs/program-cache.md has the measurements; a new row needs one. */
typedef struct binaries_row {
    const char *device; /* pattern: see clscan__identity_matches() */
    bool help;
    const char *reason;
} binaries_row;

/* clang-format off */
static const binaries_row rows[] = {
    /* PoCL 3.1: asking for a program's binary compiles every kernel once more for any work-group size, which takes as
     * long as the first build; a later build from source takes some 30 ms, one from the binary 10 ms. */
    {"pocl-*", false,
        "PoCL keeps compiled kernels itself, and compiles once more to give a binary away"},
    {"*", true,
        "loading a binary is expected to be faster than compiling"},
};
/* clang-format on */

bool clscan__binaries_help(const clscan_device_info *info, const char **reason)
{
    const binaries_row *row = rows;

    while (!clscan__identity_matches(info, row->device))
        ++row; /* the last row matches */
    *reason = row->reason;
    return row->help;
}
