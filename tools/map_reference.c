#include "map_reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"

/* Half has no arithmetic: it is loaded as a float, and rounded where it is stored. */
static const char text[] = "%s\n%s\n"
                           "#line 1 \"reference\"\n"
                           "__kernel void load_each(__global const %s *elements, __global %s *sums)\n"
                           "{\n"
                           "    const ulong index = get_global_id(0), index_of_first = 0;\n"
                           "    const %s element = %s;\n"
                           "    sums[index] = %s;\n"
                           "}\n"
                           "__kernel void store_each(__global const %s *elements, __global const %s *sums,\n"
                           "                         __global const %s *before, __global %s *outputs)\n"
                           "{\n"
                           "    const ulong index = get_global_id(0), index_of_first = 0;\n"
                           "    const %s element = %s;\n"
                           "    const %s sum = sums[index], previous = before[index];\n"
                           "    %s;\n"
                           "}\n";

static const char *memory_name(clscan_type type)
{
    return type == CLSCAN_HALF ? "half" : map_type_name(type);
}

static clscan_status render(const scan_maps *maps, char **source, clscan_error *error)
{
    const char *in = memory_name(maps->in), *out = memory_name(maps->out);
    const char *element = map_type_name(maps->in), *sum = map_type_name(maps->out);
    const char *load = maps->load != NULL ? maps->maps[0].expression : "element";
    const char *store = maps->store != NULL ? maps->maps[1].expression : "sum";
    const char *read = maps->in == CLSCAN_HALF ? "vload_half(index, elements)" : "elements[index]";
    const char *sources[2];
    char write[128];
    size_t room_bytes = sizeof text + 512;

    for (size_t i = 0; i < 2; ++i) {
        sources[i] = maps->sources[i] != NULL ? maps->sources[i] : "";
        room_bytes += strlen(sources[i]);
    }
    snprintf(write, sizeof write, maps->out == CLSCAN_HALF ? "vstore_half(%s, index, outputs)" : "outputs[index] = %s",
             store);
    *source = malloc(room_bytes);
    if (*source == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the expressions");
    snprintf(*source, room_bytes, text, sources[0], sources[1], in, sum, element, read, load, in, sum, sum, out,
             element, read, sum, write);
    return CLSCAN_OK;
}

static clscan_status build(map_reference *r, const char *source, clscan_error *error)
{
    cl_int code;

    r->program = clCreateProgramWithSource(r->where->context, 1, &source, NULL, &code);
    if (code != CL_SUCCESS)
        return fail_opencl(error, "clCreateProgramWithSource", code);
    if (clBuildProgram(r->program, 1, &r->where->device, "", NULL, NULL) != CL_SUCCESS) {
        fail(error, CLSCAN_ERROR_MAP_SOURCE, "--load or --store does not compile; see the build log");
        clGetProgramBuildInfo(r->program, r->where->device, CL_PROGRAM_BUILD_LOG, sizeof error->build_log - 1,
                              error->build_log, NULL);
        return CLSCAN_ERROR_MAP_SOURCE;
    }
    r->load = clCreateKernel(r->program, "load_each", &code);
    if (code == CL_SUCCESS)
        r->store = clCreateKernel(r->program, "store_each", &code);
    return code == CL_SUCCESS ? CLSCAN_OK : fail_opencl(error, "clCreateKernel", code);
}

/* One array of a kernel; what is NULL is the kernel's output. */
typedef struct array {
    const void *data;
    clscan_type type;
} array;

static clscan_status run(const map_reference *r, cl_kernel kernel, const array *arrays, size_t array_count,
                         uint64_t count, void *result, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_command_queue queue = r->where->queue;
    cl_mem buffers[4] = {NULL};
    const size_t work_items = (size_t)count;
    cl_int code;

    if (count == 0)
        return CLSCAN_OK;
    for (size_t i = 0; i < array_count; ++i) {
        const size_t bytes = (size_t)count * clscan_type_size_bytes(arrays[i].type);

        buffers[i] = clCreateBuffer(r->where->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
        if (buffers[i] == NULL) {
            status = fail_opencl(error, "clCreateBuffer", code);
            goto cleanup;
        }
        if (arrays[i].data != NULL)
            TRY_CL(clEnqueueWriteBuffer, (queue, buffers[i], CL_TRUE, 0, bytes, arrays[i].data, 0, NULL, NULL));
        TRY_CL(clSetKernelArg, (kernel, (cl_uint)i, sizeof buffers[i], &buffers[i]));
    }
    TRY_CL(clEnqueueNDRangeKernel, (queue, kernel, 1, NULL, &work_items, NULL, 0, NULL, NULL));
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

static clscan_status load_each(void *context, const void *elements, uint64_t count, void *sums, clscan_error *error)
{
    const map_reference *r = context;
    const array arrays[] = {{elements, r->in}, {NULL, clscan_type_accumulator(r->out)}};

    return run(r, r->load, arrays, 2, count, sums, error);
}

static clscan_status store_each(void *context, const void *elements, const void *sums, const void *previous,
                                uint64_t count, void *outputs, clscan_error *error)
{
    const map_reference *r = context;
    const clscan_type sum = clscan_type_accumulator(r->out);
    const array arrays[] = {{elements, r->in}, {sums, sum}, {previous, sum}, {NULL, r->out}};

    return run(r, r->store, arrays, 4, count, outputs, error);
}

clscan_status map_reference_create(map_reference *r, const target *where, const scan_maps *maps, clscan_error *error)
{
    clscan_status status;
    char *source = NULL;

    r->where = where;
    r->in = maps->in;
    r->out = maps->out;
    TRY(render(maps, &source, error));
    TRY(build(r, source, error));
    r->maps = (clscan_case_maps){
        .output = maps->out,
        .arguments = r->arguments,
        .argument_count = scan_maps_arguments(maps, &r->index_of_first, r->arguments),
        .context = r,
        .load = load_each,
        .store = store_each,
    };

cleanup:
    free(source);
    return status;
}

void map_reference_release(map_reference *r)
{
    if (r->store != NULL)
        clReleaseKernel(r->store);
    if (r->load != NULL)
        clReleaseKernel(r->load);
    if (r->program != NULL)
        clReleaseProgram(r->program);
}
