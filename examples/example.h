/* What the examples share: a device with its context, and an end where something fails. */
#ifndef CLSCAN_EXAMPLES_EXAMPLE_H
#define CLSCAN_EXAMPLES_EXAMPLE_H

#include <stdio.h>
#include <stdlib.h>

#include <clscan/clscan.h>

/* End the program if a call of clscan failed. */
static inline void must(clscan_status status, const clscan_error *error)
{
    if (status == CLSCAN_OK)
        return;
    fprintf(stderr, "%s: %s\n%s", clscan_status_name(status), error->message, error->build_log);
    exit(1);
}

/* End the program if a call of OpenCL failed. */
static inline void must_cl(cl_int code, const char *call)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n", call, clscan_cl_error_name(code));
    exit(1);
}

/* The device that clscan prefers, and a context of it. */
static inline cl_context open_context(cl_device_id *device)
{
    clscan_error error = {0};
    cl_int code;

    must(clscan_device_find(NULL, device, &error), &error);
    const cl_context context = clCreateContext(NULL, 1, device, NULL, NULL, &code);
    must_cl(code, "clCreateContext");
    return context;
}

/* A queue of the device; out-of-order where that is wanted and possible. */
static inline cl_command_queue open_queue(cl_context context, cl_device_id device, int out_of_order)
{
    cl_command_queue_properties possible = 0;
    cl_int code;

    must_cl(clGetDeviceInfo(device, CL_DEVICE_QUEUE_PROPERTIES, sizeof possible, &possible, NULL), "clGetDeviceInfo");
    const cl_command_queue_properties wanted =
        out_of_order ? possible & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : (cl_command_queue_properties)0;
    const cl_command_queue queue = clCreateCommandQueue(context, device, wanted, &code);
    must_cl(code, "clCreateCommandQueue");
    return queue;
}

/* A buffer; with `data`, a copy of it. */
static inline cl_mem open_buffer(cl_context context, size_t size_bytes, void *data)
{
    cl_int code;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (data != NULL ? CL_MEM_COPY_HOST_PTR : (cl_mem_flags)0);
    const cl_mem buffer = clCreateBuffer(context, flags, size_bytes, data, &code);

    must_cl(code, "clCreateBuffer");
    return buffer;
}

/* Wait for what the queue does, and read a buffer from its begin on. */
static inline void read_back(cl_command_queue queue, cl_mem buffer, size_t size_bytes, void *data)
{
    must_cl(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size_bytes, data, 0, NULL, NULL), "clEnqueueReadBuffer");
}

/* A plan for a problem, with a workspace that is bound to the queue. */
static inline clscan_plan *open_plan(cl_context context, cl_device_id device, cl_command_queue queue,
                                     const clscan_problem *problem, clscan_workspace **workspace)
{
    clscan_error error = {0};
    clscan_plan *plan = NULL;

    must(clscan_plan_create(context, device, problem, NULL, &plan, &error), &error);
    must(clscan_workspace_create(plan, workspace, &error), &error);
    must(clscan_workspace_bind(*workspace, queue, NULL, &error), &error);
    return plan;
}

/* Plan a problem and run it once. The run goes on when the plan and its workspace are gone. */
static inline void plan_and_run(cl_context context, cl_device_id device, cl_command_queue queue,
                                const clscan_problem *problem, const clscan_run_args *args)
{
    clscan_error error = {0};
    clscan_workspace *workspace = NULL;
    clscan_plan *plan = open_plan(context, device, queue, problem, &workspace);

    must(clscan_run(plan, workspace, queue, args, 0, NULL, NULL, &error), &error);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
}

/* Release what a program has opened. */
static inline void close_all(cl_context context, cl_command_queue queue, size_t buffer_count, const cl_mem *buffers)
{
    for (size_t i = 0; i < buffer_count; ++i)
        clReleaseMemObject(buffers[i]);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

#endif
