/* Sum, and the largest value, of a buffer: two reductions whose values stay on the device until both are there. */
#include "example.h"

#define COUNT 1000000

static clscan_plan *plan_of(cl_context context, cl_device_id device, clscan_operator op)
{
    clscan_error error = {0};
    clscan_plan *plan = NULL;
    const clscan_problem problem = {
        .struct_size = sizeof problem,
        .operation = CLSCAN_REDUCE,
        .type = CLSCAN_UINT32,
        .op = op,
        .max_count = COUNT,
    };

    must(clscan_plan_create(context, device, &problem, NULL, &plan, &error), &error);
    return plan;
}

int main(void)
{
    static const clscan_operator ops[2] = {CLSCAN_ADD, CLSCAN_MAX};
    static unsigned data[COUNT];
    unsigned results[2] = {0};
    clscan_error error = {0};
    cl_device_id device;
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);

    for (unsigned i = 0; i < COUNT; ++i)
        data[i] = i % 1000;
    const cl_mem in = open_buffer(context, sizeof data, data), values = open_buffer(context, sizeof results, NULL);

    for (unsigned i = 0; i < 2; ++i) {
        clscan_plan *plan = plan_of(context, device, ops[i]);
        clscan_workspace *workspace = NULL;
        const clscan_run_args args = {
            .struct_size = sizeof args, .in.buffer = in, .count = COUNT, .total = {.buffer = values, .offset = i}};

        must(clscan_workspace_create(plan, &workspace, &error), &error);
        must(clscan_workspace_bind(workspace, queue, NULL, &error), &error);
        must(clscan_run(plan, workspace, queue, &args, 0, NULL, NULL, &error), &error);
        clscan_workspace_destroy(workspace); /* the run goes on */
        clscan_plan_destroy(plan);
    }
    read_back(queue, values, sizeof results, results);
    printf("sum %u, largest %u\n", results[0], results[1]);
    clReleaseMemObject(in);
    clReleaseMemObject(values);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return results[0] == 499500000 && results[1] == 999 ? 0 : 1;
}
