/* Particles that leave a box: step by step it shrinks, and what is outside goes. Positions and names stay in their own
 * buffers, and the number of particles on the device. */
#include "example.h"

enum { PARTICLES = 100000, STEPS = 4 };

int main(void)
{
    static float x[PARTICLES], kept_x[PARTICLES];
    static unsigned name[PARTICLES], kept_name[PARTICLES], number[STEPS + 1] = {PARTICLES};
    clscan_error error = {0};
    clscan_workspace *workspace = NULL;
    cl_device_id device;
    float edge = 1;
    unsigned left = 0, wrong = 0;

    for (unsigned i = 0; i < PARTICLES; ++i) {
        name[i] = i;
        x[i] = (float)(i * 7919u % PARTICLES) / PARTICLES;
    }
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    const cl_mem positions = open_buffer(context, sizeof x, x), names = open_buffer(context, sizeof name, name),
                 numbers = open_buffer(context, sizeof number, number);

    const uint32_t bytes[] = {sizeof name[0]};
    const clscan_select select = {sizeof select, .column_bytes = bytes, .column_count = 1, .in_place = 1};
    const clscan_map_argument limit = {sizeof limit, .name = "edge", .type = CLSCAN_FLOAT};
    const clscan_map inside = {sizeof inside, .expression = "element < edge", .arguments = &limit, .argument_count = 1};
    const clscan_problem problem = {sizeof problem,   CLSCAN_SELECT,     .type = CLSCAN_FLOAT, .max_count = PARTICLES,
                                    .count_bytes = 4, .select = &select, .load = &inside};
    clscan_plan *plan = open_plan(context, device, queue, &problem, &workspace);

    const clscan_column columns[] = {{{.buffer = names}, {.buffer = names}}};
    const clscan_selection selection = {.struct_size = sizeof selection, .columns = columns};
    const clscan_memory edge_at = {.kind = CLSCAN_MEMORY_HOST, .pointer = &edge};
    clscan_run_args args = {
        sizeof args,        .in.buffer = positions,    .out.buffer = positions, .selection = &selection,
        .count = PARTICLES, .map_arguments = &edge_at, .map_argument_count = 1};
    for (unsigned k = 0; k < STEPS; ++k) {
        edge *= 0.75f;
        args.device_count = (clscan_memory){.buffer = numbers, .offset = k}; /* what the step before has left */
        args.total = (clscan_memory){.buffer = numbers, .offset = k + 1};
        must(clscan_run(plan, workspace, queue, &args, 0, NULL, NULL, &error), &error);
    }
    read_back(queue, numbers, sizeof number, number);
    read_back(queue, positions, sizeof kept_x, kept_x);
    read_back(queue, names, sizeof kept_name, kept_name);
    for (unsigned i = 0; i < PARTICLES; ++i)
        if (x[i] < edge && left++ < number[STEPS])
            wrong += kept_name[left - 1] != i || kept_x[left - 1] != x[i];
    wrong += left != number[STEPS];
    printf("%d particles, %u of them left, %u mistakes\n", PARTICLES, number[STEPS], wrong);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    close_all(context, queue, 3, (cl_mem[]){positions, names, numbers});
    return wrong != 0;
}
