/* One allocation for all: the workspace and the data are parts of a buffer that the application has. The scan is
 * exclusive, runs from the last element to the first, in place on a sub-buffer, and begins with a value of the host. */
#include "example.h"

enum { COUNT = 5000 };

static uint64_t round_up(uint64_t value, uint64_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

int main(void)
{
    static cl_uint data[COUNT], result[COUNT];
    const cl_uint initial = 100;
    clscan_error error = {0};
    clscan_device_info info = {.struct_size = sizeof info};
    cl_device_id device;
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    cl_int code;
    int right = 1;

    for (cl_uint i = 0; i < COUNT; ++i)
        data[i] = i;
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    const clscan_problem problem = {
        sizeof problem,           .type = CLSCAN_UINT32,       .op = CLSCAN_ADD,
        .form = CLSCAN_EXCLUSIVE, .direction = CLSCAN_REVERSE, .max_count = COUNT,
    };
    must(clscan_plan_create(context, device, &problem, NULL, &plan, &error), &error);
    must(clscan_workspace_create(plan, &workspace, &error), &error);

    /* The workspace at a multiple of 256 bytes, the sub-buffer where the device can have one. */
    must(clscan_device_describe(device, &info, &error), &error);
    const uint64_t workspace_bytes = clscan_plan_workspace_bytes(plan);
    const uint64_t data_offset_bytes = round_up(workspace_bytes, info.base_align_bytes);
    const cl_mem arena = open_buffer(context, data_offset_bytes + sizeof data, NULL);
    const cl_buffer_region region = {data_offset_bytes, sizeof data};
    const cl_mem part = clCreateSubBuffer(arena, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    must_cl(code, "clCreateSubBuffer");
    must(clscan_workspace_bind(workspace, queue, &(clscan_memory){.buffer = arena}, &error), &error);

    const clscan_run_args args = {sizeof args, .in.buffer = part, .out.buffer = part, .count = COUNT,
                                  .initial = {CLSCAN_MEMORY_HOST, .pointer = &initial}};
    must_cl(clEnqueueWriteBuffer(queue, part, CL_FALSE, 0, sizeof data, data, 0, NULL, NULL), "write");
    must(clscan_run(plan, workspace, queue, &args, 0, NULL, NULL, &error), &error);
    read_back(queue, part, sizeof result, result);

    cl_uint expected = initial;
    for (size_t i = COUNT; i-- > 0; expected += data[i])
        right = right && result[i] == expected;
    printf("first %u, last %u\n", result[0], result[COUNT - 1]);

    /* The queue is done, so the arena may serve something else now. */
    must(clscan_workspace_unbind(workspace, &error), &error);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(part);
    clReleaseMemObject(arena);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return right ? 0 : 1;
}
