#include "map_each.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "reference/reference.h"

/* Half has no arithmetic: it is loaded as a float, and rounded where it is stored. Runs may begin anywhere. */
static const char text[] = "%s\n%s\n"
                           "#line 1 \"reference\"\n"
                           "__kernel void load_each(__global const %s *elements, __global %s *sums, ulong row_count)\n"
                           "{\n"
                           "    const ulong at = get_global_id(0) - get_global_offset(0);\n"
                           "    const ulong index = get_global_id(0) %% row_count, index_of_first = 0;\n"
                           "    const %s element = %s;\n"
                           "    sums[at] = (\n"
                           "#line 1 \"--load\"\n"
                           "%s\n"
                           ");\n"
                           "}\n"
                           "__kernel void store_each(__global const %s *elements, __global const %s *sums,\n"
                           "                         __global const %s *before, __global %s *outputs,\n"
                           "                         ulong row_count)\n"
                           "{\n"
                           "    const ulong at = get_global_id(0) - get_global_offset(0);\n"
                           "    const ulong index = get_global_id(0) %% row_count, index_of_first = 0;\n"
                           "    const %s element = %s;\n"
                           "    const %s sum = sums[at], previous = before[at];\n"
                           "    const %s output = (\n"
                           "#line 1 \"--store\"\n"
                           "%s\n"
                           ");\n"
                           "    %s;\n"
                           "}\n";

/* In memory, and in expressions, where half is a float. */
static const char *name_of(clscan_type type)
{
    static const char *const names[] = {
#define X(name, text, bytes, cl_type, accumulator) #cl_type,
        CLSCAN_TYPE_LIST(X)
#undef X
    };

    return names[type];
}

static const char *value_name(clscan_type type)
{
    return name_of(clscan_type_accumulator(type));
}

static const char *source_of(const clscan_map *map)
{
    return map != NULL && map->source != NULL ? map->source : "";
}

static clscan_status render(const measure_map_each *maps, char **source, clscan_error *error)
{
    const char *in = name_of(maps->in), *out = name_of(maps->out), *sum = name_of(maps->sum);
    const char *element = value_name(maps->in), *output = value_name(maps->out);
    const char *load = maps->load != NULL ? maps->load->expression : "element";
    const char *store = maps->store != NULL ? maps->store->expression : "sum";
    const char *read = maps->in == CLSCAN_HALF ? "vload_half(at, elements)" : "elements[at]";
    const char *write = maps->out == CLSCAN_HALF ? "vstore_half(output, at, outputs)" : "outputs[at] = output";
    const size_t room_bytes = sizeof text + strlen(source_of(maps->load)) + strlen(source_of(maps->store)) +
                              strlen(load) + strlen(store) + 512;

    *source = malloc(room_bytes);
    if (*source == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the expressions");
    snprintf(*source, room_bytes, text, source_of(maps->load), source_of(maps->store), in, sum, element, read, load, in,
             sum, sum, out, element, read, sum, output, store, write);
    return CLSCAN_OK;
}

static clscan_status build(measure_map_each *maps, const char *source, clscan_error *error)
{
    cl_int code;

    maps->program = clCreateProgramWithSource(maps->context, 1, &source, NULL, &code);
    if (code != CL_SUCCESS)
        return fail_opencl(error, "clCreateProgramWithSource", code);
    if (clBuildProgram(maps->program, 1, &maps->device, "", NULL, NULL) != CL_SUCCESS) {
        fail(error, CLSCAN_ERROR_MAP_SOURCE, "--load or --store does not compile; see the build log");
        clGetProgramBuildInfo(maps->program, maps->device, CL_PROGRAM_BUILD_LOG, sizeof error->build_log - 1,
                              error->build_log, NULL);
        return CLSCAN_ERROR_MAP_SOURCE;
    }
    maps->load_kernel = clCreateKernel(maps->program, "load_each", &code);
    if (code == CL_SUCCESS)
        maps->store_kernel = clCreateKernel(maps->program, "store_each", &code);
    return code == CL_SUCCESS ? CLSCAN_OK : fail_opencl(error, "clCreateKernel", code);
}

clscan_status measure_map_each_create(measure_map_each *maps, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char *source = NULL;

    if (maps->load == NULL && maps->store == NULL)
        return status;
    TRY(render(maps, &source, error));
    TRY(build(maps, source, error));

cleanup:
    free(source);
    return status;
}

void measure_map_each_release(measure_map_each *maps)
{
    if (maps->store_kernel != NULL)
        clReleaseKernel(maps->store_kernel);
    if (maps->load_kernel != NULL)
        clReleaseKernel(maps->load_kernel);
    if (maps->program != NULL)
        clReleaseProgram(maps->program);
}

/* ---- Conversions ---- */

/* Of an integer type; of uint64 its bits. */
static int64_t whole_of(clscan_type type, clscan_value value)
{
    switch (type) {
    case CLSCAN_INT8:
        return value.int8;
    case CLSCAN_INT16:
        return value.int16;
    case CLSCAN_INT32:
        return value.int32;
    default: /* whose bytes beyond its own are zero */
        return value.int64;
    }
}

/* As OpenCL C converts: to the nearest number, and integers wrap. No floating-point number becomes an integer. */
static clscan_value converted(clscan_type from, clscan_value value, clscan_type to)
{
    const bool is_real = clscan_reference_is_floating(from) != 0;
    clscan_value result = {.bits = 0};

    if (!clscan_reference_is_floating(to))
        return clscan_value_from_int(to, whole_of(from, value));
    if (clscan_type_accumulator(to) == CLSCAN_FLOAT)
        result.float32 = is_real                 ? (float)clscan_value_as_double(from, value)
                         : from == CLSCAN_UINT64 ? (float)value.uint64
                                                 : (float)whole_of(from, value);
    else
        result.float64 = is_real                 ? clscan_value_as_double(from, value)
                         : from == CLSCAN_UINT64 ? (double)value.uint64
                                                 : (double)whole_of(from, value);
    return result;
}

static clscan_status convert(clscan_type from, const unsigned char *values, clscan_type to, uint64_t count,
                             unsigned char *results)
{
    const size_t from_bytes = clscan_type_size_bytes(from), to_bytes = clscan_type_size_bytes(to);

    if (from == to)
        memcpy(results, values, (size_t)count * to_bytes);
    for (uint64_t i = 0; from != to && i < count; ++i)
        clscan_value_store(to, converted(from, clscan_value_load(from, values + i * from_bytes), to),
                           results + i * to_bytes);
    return CLSCAN_OK;
}

/* ---- Maps ---- */

/* One array of a kernel; what is NULL is the kernel's output. */
typedef struct array {
    const void *data;
    clscan_type type;
} array;

static clscan_status run(const measure_map_each *maps, cl_kernel kernel, const array *arrays, size_t array_count,
                         uint64_t first, uint64_t count, void *result, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_command_queue queue = maps->queue;
    cl_mem buffers[4] = {NULL};
    const size_t work_items = (size_t)count, offset = (size_t)first;
    const cl_ulong row_count = maps->row_count > 0 ? maps->row_count : UINT64_MAX;
    cl_int code;

    if (count == 0)
        return CLSCAN_OK;
    for (size_t i = 0; i < array_count; ++i) {
        const size_t bytes = (size_t)count * clscan_type_size_bytes(arrays[i].type);

        buffers[i] = clCreateBuffer(maps->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
        if (buffers[i] == NULL) {
            status = fail_opencl(error, "clCreateBuffer", code);
            goto cleanup;
        }
        if (arrays[i].data != NULL)
            TRY_CL(clEnqueueWriteBuffer, (queue, buffers[i], CL_TRUE, 0, bytes, arrays[i].data, 0, NULL, NULL));
        TRY_CL(clSetKernelArg, (kernel, (cl_uint)i, sizeof buffers[i], &buffers[i]));
    }
    TRY_CL(clSetKernelArg, (kernel, (cl_uint)array_count, sizeof row_count, &row_count));
    TRY_CL(clEnqueueNDRangeKernel, (queue, kernel, 1, &offset, &work_items, NULL, 0, NULL, NULL));
    TRY_CL(clEnqueueReadBuffer,
           (queue, buffers[array_count - 1], CL_TRUE, 0,
            (size_t)count * clscan_type_size_bytes(arrays[array_count - 1].type), result, 0, NULL, NULL));

cleanup:
    clFinish(queue); /* a buffer must not go while a kernel uses it */
    for (size_t i = 0; i < array_count; ++i)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    return status;
}

clscan_status measure_map_each_load(const measure_map_each *maps, const void *elements, uint64_t first, uint64_t count,
                                    void *sums, clscan_error *error)
{
    const array arrays[] = {{elements, maps->in}, {NULL, maps->sum}};

    if (maps->load == NULL)
        return convert(maps->in, elements, maps->sum, count, sums);
    return run(maps, maps->load_kernel, arrays, 2, first, count, sums, error);
}

clscan_status measure_map_each_store(const measure_map_each *maps, const void *elements, const void *sums,
                                     const void *previous, uint64_t first, uint64_t count, void *outputs,
                                     clscan_error *error)
{
    const array arrays[] = {{elements, maps->in}, {sums, maps->sum}, {previous, maps->sum}, {NULL, maps->out}};

    if (maps->store == NULL)
        return convert(maps->sum, sums, maps->out, count, outputs);
    return run(maps, maps->store_kernel, arrays, 4, first, count, outputs, error);
}
