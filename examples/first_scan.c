/* Scan a buffer on the first OpenCL device: the smallest complete program. */
//! [program]
#include <clscan/clscan.h>
#include <stdio.h>

int main(void)
{
    int data[] = {3, 1, 4, 1, 5, 9, 2, 6};
    clscan_error error = {0};
    cl_device_id device;
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    if (clscan_device_find(NULL, &device, &error) != CLSCAN_OK)
        return fprintf(stderr, "%s\n", error.message), 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, NULL);
    clscan_problem problem = {sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_ADD, .max_count = 8};
    clscan_run_args args = {sizeof args, .in.buffer = buffer, .out.buffer = buffer, .count = 8};
    if (clscan_plan_create(context, device, &problem, NULL, &plan, &error) != CLSCAN_OK ||
        clscan_workspace_create(plan, &workspace, &error) != CLSCAN_OK ||
        clscan_workspace_bind(workspace, queue, NULL, &error) != CLSCAN_OK ||
        clscan_run(plan, workspace, queue, &args, 0, NULL, NULL, &error) != CLSCAN_OK)
        return fprintf(stderr, "%s\n", error.message), 1;
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL);
    printf("%d ... %d\n", data[0], data[7]); // 3 ... 31
    clscan_workspace_destroy(workspace);     // the end of the process releases the OpenCL objects
    clscan_plan_destroy(plan);
}
//! [program]
