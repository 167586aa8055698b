/* Programs to bytes and back, through the driver. */
#ifndef CLSCAN_PROGRAM_BINARY_H
#define CLSCAN_PROGRAM_BINARY_H

#include "base/error.h"

/* The binary of a built program for one device; the caller frees *binary. */
clscan_status clscan__binary_get(cl_program program, cl_device_id device, unsigned char **binary, size_t *binary_bytes,
                                 clscan_error *error);

/* A built program with all its kernels, or NULL if the driver wants nothing of these bytes. */
cl_program clscan__binary_build(cl_context context, cl_device_id device, const char *options,
                                const unsigned char *binary, size_t binary_bytes);

#endif
