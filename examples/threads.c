/* Several threads share one plan. Each has its own queue, workspace and buffer. */
#include <pthread.h>

#include "example.h"

enum { COUNT = 20000, THREADS = 4, RUNS = 10 };

typedef struct job {
    cl_context context;
    cl_device_id device;
    const clscan_plan *plan; /* of all threads */
    unsigned number;
    int right;
} job;

static void *work(void *given)
{
    job *mine = given;
    clscan_error error = {0};
    clscan_workspace *workspace = NULL;
    cl_uint values[COUNT];

    for (cl_uint i = 0; i < COUNT; ++i)
        values[i] = mine->number;
    const cl_command_queue queue = open_queue(mine->context, mine->device, 0);
    const cl_mem buffer = open_buffer(mine->context, sizeof values, values);
    const clscan_run_args args = {sizeof args, .in.buffer = buffer, .out.buffer = buffer, .count = COUNT};
    must(clscan_workspace_create(mine->plan, &workspace, &error), &error);
    must(clscan_workspace_bind(workspace, queue, NULL, &error), &error);

    mine->right = 1;
    for (int run = 0; run < RUNS; ++run) {
        must_cl(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof values, values, 0, NULL, NULL), "write");
        must(clscan_run(mine->plan, workspace, queue, &args, 0, NULL, NULL, &error), &error);
        cl_uint last = 0;
        must_cl(
            clEnqueueReadBuffer(queue, buffer, CL_TRUE, (COUNT - 1) * sizeof last, sizeof last, &last, 0, NULL, NULL),
            "read");
        mine->right = mine->right && last == COUNT * mine->number;
    }
    clscan_workspace_destroy(workspace);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    return NULL;
}

int main(void)
{
    clscan_error error = {0};
    cl_device_id device;
    clscan_plan *plan = NULL;
    pthread_t threads[THREADS];
    job jobs[THREADS];
    int right = 1;

    const cl_context context = open_context(&device);
    const clscan_problem problem = {sizeof problem, .type = CLSCAN_UINT32, .op = CLSCAN_ADD, .max_count = COUNT};
    must(clscan_plan_create(context, device, &problem, NULL, &plan, &error), &error);
    for (unsigned i = 0; i < THREADS; ++i) {
        jobs[i] = (job){.context = context, .device = device, .plan = plan, .number = i + 1};
        if (pthread_create(&threads[i], NULL, work, &jobs[i]) != 0)
            return 1;
    }
    for (unsigned i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
        right = right && jobs[i].right;
    }
    printf("%d threads, %d runs each: %s\n", THREADS, RUNS, right ? "all right" : "WRONG");
    clscan_plan_destroy(plan);
    clReleaseContext(context);
    return right ? 0 : 1;
}
