/* Keep some of the elements, in order: a kernel flags them, an exclusive sum says where each goes, and a kernel moves
 * them. The queue is out-of-order where the device has such queues, so events say what waits for what. */
#include "example.h"

enum { COUNT = 100000 };

static const char source[] =
    "kernel void flag(global const int *in, global uint *flags)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    flags[i] = in[i] % 3 == 0;\n"
    "}\n"
    "kernel void move(global const int *in, global const uint *flags, global const uint *places, global int *out)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (flags[i])\n"
    "        out[places[i]] = in[i];\n"
    "}\n";

static cl_kernel open_kernel(cl_program program, const char *name, int buffer_count, const cl_mem *buffers)
{
    cl_int code;
    const cl_kernel kernel = clCreateKernel(program, name, &code);

    must_cl(code, "clCreateKernel");
    for (int i = 0; i < buffer_count; ++i)
        must_cl(clSetKernelArg(kernel, (cl_uint)i, sizeof(cl_mem), &buffers[i]), "clSetKernelArg");
    return kernel;
}

/* Enqueue flag, scan, move, and return how many elements were kept. */
static cl_uint compact(cl_command_queue queue, cl_kernel flag, cl_kernel move, const clscan_plan *plan,
                       clscan_workspace *workspace, const clscan_run_args *args)
{
    const size_t size = COUNT;
    clscan_error error = {0};
    cl_event flagged, placed, moved;
    cl_uint kept = 0;

    must_cl(clEnqueueNDRangeKernel(queue, flag, 1, NULL, &size, NULL, 0, NULL, &flagged), "flag");
    must(clscan_run(plan, workspace, queue, args, 1, &flagged, &placed, &error), &error);
    must_cl(clEnqueueNDRangeKernel(queue, move, 1, NULL, &size, NULL, 1, &placed, &moved), "move");
    must_cl(clEnqueueReadBuffer(queue, args->total.buffer, CL_TRUE, 0, sizeof kept, &kept, 1, &moved, NULL), "read");
    clReleaseEvent(flagged);
    clReleaseEvent(placed);
    clReleaseEvent(moved);
    return kept;
}

static int is_right(const int *in, const int *out, size_t kept)
{
    size_t expected = 0;

    for (size_t i = 0; i < COUNT; ++i)
        if (in[i] % 3 == 0 && (expected >= kept || out[expected++] != in[i]))
            return 0;
    return expected == kept;
}

int main(void)
{
    static int data[COUNT], result[COUNT];
    cl_device_id device;
    clscan_workspace *workspace = NULL;
    const char *text = source;
    cl_int code;

    for (int i = 0; i < COUNT; ++i)
        data[i] = i * 7 % 1000;
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 1);
    const cl_mem in = open_buffer(context, sizeof data, data), out = open_buffer(context, sizeof data, NULL);
    const cl_mem flags = open_buffer(context, COUNT * sizeof(cl_uint), NULL);
    const cl_mem places = open_buffer(context, COUNT * sizeof(cl_uint), NULL);
    const cl_mem kept_buffer = open_buffer(context, sizeof(cl_uint), NULL);

    const cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    must_cl(code, "clCreateProgramWithSource");
    must_cl(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    const cl_kernel flag = open_kernel(program, "flag", 2, (cl_mem[]){in, flags});
    const cl_kernel move = open_kernel(program, "move", 4, (cl_mem[]){in, flags, places, out});

    const clscan_problem problem = {sizeof problem, .type = CLSCAN_UINT32, .op = CLSCAN_ADD, .form = CLSCAN_EXCLUSIVE,
                                    .max_count = COUNT};
    const clscan_run_args args = {sizeof args, .in.buffer = flags, .out.buffer = places, .count = COUNT,
                                  .total.buffer = kept_buffer};
    clscan_plan *plan = open_plan(context, device, queue, &problem, &workspace);

    const cl_uint kept = compact(queue, flag, move, plan, workspace, &args);
    read_back(queue, out, kept * sizeof *result, result);
    printf("%u of %d elements kept: %d, %d, ... %d\n", kept, COUNT, result[0], result[1], result[kept - 1]);

    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseKernel(flag);
    clReleaseKernel(move);
    clReleaseProgram(program);
    close_all(context, queue, 5, (cl_mem[]){in, out, flags, places, kept_buffer});
    return is_right(data, result, kept) ? 0 : 1;
}
