/* Compiling a program for one device. */
#ifndef CLSCAN_PROGRAM_BUILD_H
#define CLSCAN_PROGRAM_BUILD_H

#include "program/compose.h"

/* Compose and build; the caller releases *program. `revision` receives the variant's.
 * CLSCAN_ERROR_OPERATOR_SOURCE when the custom operator does not compile by itself, CLSCAN_ERROR_BUILD otherwise,
 * both with the tail of the build log. */
clscan_status clscan__program_build(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                    cl_program *program, char revision[17], clscan_error *error);

#endif
