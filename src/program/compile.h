/* The OpenCL compiler, and whose fault it is when it refuses. */
#ifndef CLSCAN_PROGRAM_COMPILE_H
#define CLSCAN_PROGRAM_COMPILE_H

#include "program/compose.h"

/* Build `source`, which was composed for `spec`; the caller releases *program. The errors of clscan__program_get(). */
clscan_status clscan__program_compile(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                      const char *source, cl_program *program, clscan_error *error);

#endif
