/* A scan whose count only the device knows: a kernel keeps the first elements up to a limit and says how many, and the
 * sum of them is taken without asking. The queue is in-order, so no events are needed. */
#include "example.h"

enum { COUNT = 100000, LIMIT = 250 };

static const char source[] = "kernel void keep(global const int *in, int limit, global uint *kept) {\n"
                             "    const uint i = (uint)get_global_id(0);\n"
                             "    if (in[i] < limit && in[i + 1] >= limit)\n"
                             "        *kept = i + 1;\n"
                             "}\n";

int main(void)
{
    static int data[COUNT];
    clscan_error error = {0};
    clscan_workspace *workspace = NULL;
    cl_device_id device;
    const char *text = source;
    const size_t size = COUNT - 1;
    cl_int limit = LIMIT, code, total = 0;

    for (int i = 0; i < COUNT; ++i)
        data[i] = i / 100;
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    const cl_mem in = open_buffer(context, sizeof data, data), out = open_buffer(context, sizeof data, NULL);
    const cl_mem kept = open_buffer(context, sizeof(cl_uint), NULL), sum = open_buffer(context, sizeof total, NULL);
    const cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    must_cl(code, "clCreateProgramWithSource");
    must_cl(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    const cl_kernel keep = clCreateKernel(program, "keep", &code);
    must_cl(code, "clCreateKernel");
    must_cl(clSetKernelArg(keep, 0, sizeof in, &in), "in");
    must_cl(clSetKernelArg(keep, 1, sizeof limit, &limit), "limit");
    must_cl(clSetKernelArg(keep, 2, sizeof kept, &kept), "kept");

    const clscan_problem problem = {sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_ADD, .max_count = COUNT,
                                    .count_bytes = sizeof(cl_uint)};
    const clscan_run_args args = {
        sizeof args,        .in.buffer = in, .out.buffer = out, .count = COUNT, .device_count.buffer = kept,
        .total.buffer = sum};
    clscan_plan *plan = open_plan(context, device, queue, &problem, &workspace);
    must_cl(clEnqueueNDRangeKernel(queue, keep, 1, NULL, &size, NULL, 0, NULL, NULL), "keep");
    must(clscan_run(plan, workspace, queue, &args, 0, NULL, NULL, &error), &error);
    read_back(queue, sum, sizeof total, &total);
    printf("the elements below %d: their sum is %d\n", LIMIT, total);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseKernel(keep);
    clReleaseProgram(program);
    close_all(context, queue, 4, (cl_mem[]){in, out, kept, sum});
    return total == 100 * (LIMIT * (LIMIT - 1) / 2) ? 0 : 1;
}
