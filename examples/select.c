/* Rows of a table by a condition, and then the sum of what was found, with no number read back in between: the number
 * kept is the count of the reduction. */
#include "example.h"

#define COUNT 1000000

int main(void)
{
    static float prices[COUNT];
    unsigned kept = 0;
    float sum = 0, expected = 0;
    cl_device_id device;
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);

    for (unsigned i = 0; i < COUNT; ++i) {
        prices[i] = (float)(i % 100);
        expected += i % 100 >= 90 && i < 1000 ? prices[i] : 0;
    }
    const cl_mem in = open_buffer(context, sizeof prices, prices), out = open_buffer(context, sizeof prices, NULL),
                 number = open_buffer(context, sizeof kept, NULL), value = open_buffer(context, sizeof sum, NULL);

    const clscan_map dear = {.struct_size = sizeof dear, .expression = "element >= 90 && index < 1000"};
    const clscan_problem problems[2] = {
        {sizeof problems[0], CLSCAN_SELECT, .type = CLSCAN_FLOAT, .max_count = COUNT, .load = &dear},
        {sizeof problems[0], CLSCAN_REDUCE, .type = CLSCAN_FLOAT, .max_count = COUNT, .count_bytes = 4}};
    const clscan_run_args args[2] = {
        {sizeof args[0], .in.buffer = in, .out.buffer = out, .count = COUNT, .total.buffer = number},
        {sizeof args[0], .in.buffer = out, .count = COUNT, .device_count.buffer = number, .total.buffer = value}};

    for (unsigned i = 0; i < 2; ++i)
        plan_and_run(context, device, queue, &problems[i], &args[i]);
    read_back(queue, number, sizeof kept, &kept);
    read_back(queue, value, sizeof sum, &sum);
    printf("%u kept, their sum is %g\n", kept, (double)sum);
    close_all(context, queue, 4, (const cl_mem[]){in, out, number, value});
    return kept == 100 && sum == expected ? 0 : 1;
}
