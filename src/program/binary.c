#include "program/binary.h"

#include <stdlib.h>

/* A program belongs to all devices of its context, and is built for one of them. */
typedef struct binary_table {
    cl_uint count;
    cl_device_id *devices;
    size_t *sizes_bytes;
    unsigned char **binaries;
} binary_table;

static clscan_status table_create(cl_program program, binary_table *table, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__TRY_CL(clGetProgramInfo, (program, CL_PROGRAM_NUM_DEVICES, sizeof table->count, &table->count, NULL));
    table->devices = calloc(table->count, sizeof *table->devices);
    table->sizes_bytes = calloc(table->count, sizeof *table->sizes_bytes);
    table->binaries = calloc(table->count, sizeof *table->binaries);
    CLSCAN__REQUIRE(table->devices != NULL && table->sizes_bytes != NULL && table->binaries != NULL,
                    CLSCAN_ERROR_OUT_OF_MEMORY, "no memory to list a program's devices");
    CLSCAN__TRY_CL(clGetProgramInfo,
                   (program, CL_PROGRAM_DEVICES, table->count * sizeof *table->devices, table->devices, NULL));
    CLSCAN__TRY_CL(clGetProgramInfo, (program, CL_PROGRAM_BINARY_SIZES, table->count * sizeof *table->sizes_bytes,
                                      table->sizes_bytes, NULL));

cleanup:
    return status;
}

static void table_free(binary_table *table)
{
    free(table->devices);
    free(table->sizes_bytes);
    free(table->binaries);
}

clscan_status clscan__binary_get(cl_program program, cl_device_id device, unsigned char **binary, size_t *binary_bytes,
                                 clscan_error *error)
{
    clscan_status status;
    binary_table table = {0};
    unsigned char *bytes = NULL;
    cl_uint i = 0;

    CLSCAN__TRY(table_create(program, &table, error));
    while (i < table.count && table.devices[i] != device)
        ++i;
    CLSCAN__REQUIRE(i < table.count && table.sizes_bytes[i] > 0, CLSCAN_ERROR_OPENCL,
                    "the driver gives no binary of a program");
    bytes = malloc(table.sizes_bytes[i]);
    CLSCAN__REQUIRE(bytes != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a program's binary");
    table.binaries[i] = bytes; /* NULL for the others: not wanted */
    CLSCAN__TRY_CL(clGetProgramInfo,
                   (program, CL_PROGRAM_BINARIES, table.count * sizeof *table.binaries, table.binaries, NULL));
    *binary = bytes;
    *binary_bytes = table.sizes_bytes[i];
    bytes = NULL;

cleanup:
    free(bytes);
    table_free(&table);
    return status;
}

/* Every program of clscan has the kernel; a driver that built nothing shows here. */
static int has_kernels(cl_program program)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, "clscan_empty", &code);

    if (kernel == NULL || code != CL_SUCCESS)
        return 0;
    clReleaseKernel(kernel);
    return 1;
}

cl_program clscan__binary_build(cl_context context, cl_device_id device, const char *options,
                                const unsigned char *binary, size_t binary_bytes)
{
    cl_int code, binary_status = CL_SUCCESS;
    cl_program program = clCreateProgramWithBinary(context, 1, &device, &binary_bytes, &binary, &binary_status, &code);

    if (program == NULL)
        return NULL;
    if (code == CL_SUCCESS && binary_status == CL_SUCCESS &&
        clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS && has_kernels(program))
        return program;
    clReleaseProgram(program);
    return NULL;
}
