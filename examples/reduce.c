/* Sum, and the largest value, of a buffer: two reductions whose values stay on the device until both are there. */
#include "example.h"

#define COUNT 1000000

int main(void)
{
    static const clscan_operator ops[2] = {CLSCAN_ADD, CLSCAN_MAX};
    static unsigned data[COUNT];
    unsigned results[2] = {0};
    cl_device_id device;
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);

    for (unsigned i = 0; i < COUNT; ++i)
        data[i] = i % 1000;
    const cl_mem in = open_buffer(context, sizeof data, data), values = open_buffer(context, sizeof results, NULL);

    for (unsigned i = 0; i < 2; ++i) {
        const clscan_problem problem = {
            .struct_size = sizeof problem,
            .operation = CLSCAN_REDUCE,
            .type = CLSCAN_UINT32,
            .op = ops[i],
            .max_count = COUNT,
        };
        const clscan_run_args args = {
            .struct_size = sizeof args, .in.buffer = in, .count = COUNT, .total = {.buffer = values, .offset = i}};

        plan_and_run(context, device, queue, &problem, &args);
    }
    read_back(queue, values, sizeof results, results);
    printf("sum %u, largest %u\n", results[0], results[1]);
    close_all(context, queue, 2, (cl_mem[]){in, values});
    return results[0] == 499500000 && results[1] == 999 ? 0 : 1;
}
