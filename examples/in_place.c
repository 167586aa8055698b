/* Particles that leave a box: step by step it shrinks, and what is outside goes. Positions and names stay in their own
 * buffers, and the number of particles on the device. */
#include "example.h"

enum { PARTICLES = 100000, STEPS = 4 };

static cl_context context;
static cl_command_queue queue;
static cl_mem positions, names, numbers;

/* The number that one step leaves is the count of the next. */
static void step(const clscan_plan *plan, clscan_workspace *workspace, unsigned k, float edge)
{
    clscan_error error = {0};
    const clscan_memory limit = {.kind = CLSCAN_MEMORY_HOST, .pointer = &edge};
    const clscan_column columns[] = {{{.buffer = names}, {.buffer = names}}};
    const clscan_selection selection = {.struct_size = sizeof selection, .columns = columns};
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = positions,
                                  .out.buffer = positions,
                                  .count = PARTICLES,
                                  .device_count = {.buffer = numbers, .offset = k},
                                  .total = {.buffer = numbers, .offset = k + 1},
                                  .map_arguments = &limit,
                                  .map_argument_count = 1,
                                  .selection = &selection};

    must(clscan_run(plan, workspace, queue, &args, 0, NULL, NULL, &error), &error);
}

static float position(unsigned name)
{
    return (float)(name * 7919u % PARTICLES) / PARTICLES;
}

/* Is what is left what a loop leaves, after all steps? */
static int is_right(unsigned count, float edge)
{
    static float x[PARTICLES];
    static unsigned name[PARTICLES];
    unsigned left = 0;

    must_cl(clEnqueueReadBuffer(queue, positions, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL), "read");
    must_cl(clEnqueueReadBuffer(queue, names, CL_TRUE, 0, sizeof name, name, 0, NULL, NULL), "read");
    for (unsigned i = 0; i < PARTICLES; ++i)
        if (position(i) < edge && (left >= count || name[left] != i || !(x[left++] == position(i))))
            return 0;
    return left == count;
}

int main(void)
{
    static float x[PARTICLES];
    static unsigned name[PARTICLES], number[STEPS + 1] = {PARTICLES};
    clscan_error error = {0};
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    cl_device_id device;
    float edge = 1;

    for (unsigned i = 0; i < PARTICLES; ++i) {
        name[i] = i;
        x[i] = position(i);
    }
    context = open_context(&device);
    queue = open_queue(context, device, 0);
    positions = open_buffer(context, sizeof x, x);
    names = open_buffer(context, sizeof name, name);
    numbers = open_buffer(context, sizeof number, number);

    const uint32_t bytes[] = {sizeof name[0]};
    const clscan_select select = {sizeof select, .column_bytes = bytes, .column_count = 1, .in_place = 1};
    const clscan_map_argument limit = {sizeof limit, .name = "edge", .type = CLSCAN_FLOAT};
    const clscan_map inside = {sizeof inside, .expression = "element < edge", .arguments = &limit, .argument_count = 1};
    const clscan_problem problem = {sizeof problem,   CLSCAN_SELECT,     .type = CLSCAN_FLOAT, .max_count = PARTICLES,
                                    .count_bytes = 4, .select = &select, .load = &inside};
    must(clscan_plan_create(context, device, &problem, NULL, &plan, &error), &error);
    must(clscan_workspace_create(plan, &workspace, &error), &error);
    must(clscan_workspace_bind(workspace, queue, NULL, &error), &error);

    for (unsigned k = 0; k < STEPS; ++k)
        step(plan, workspace, k, edge *= 0.75f);
    must_cl(clEnqueueReadBuffer(queue, numbers, CL_TRUE, 0, sizeof number, number, 0, NULL, NULL), "read");

    const int right = is_right(number[STEPS], edge);
    printf("%d particles, %u of them left: %s\n", PARTICLES, number[STEPS], right ? "right" : "wrong");
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(positions);
    clReleaseMemObject(names);
    clReleaseMemObject(numbers);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return !right;
}
