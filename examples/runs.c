/* Run-length encoding: the values of runs of equal elements, how long they are and where they begin. It is a selection
 * of the first element of each run, with its length and its index. */
#include "example.h"

enum { COUNT = 100000 };

int main(void)
{
    static unsigned char pixel[COUNT], value[COUNT];
    static unsigned length[COUNT], begin[COUNT], runs, at;
    cl_device_id device;
    int wrong = 0;

    for (int i = 0; i < COUNT; ++i)
        pixel[i] = (unsigned char)(i / 97 * i % 5);
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    const cl_mem pixels = open_buffer(context, sizeof pixel, pixel), values = open_buffer(context, sizeof value, NULL),
                 lengths = open_buffer(context, sizeof length, NULL), begins = open_buffer(context, sizeof begin, NULL),
                 number = open_buffer(context, sizeof runs, NULL);

    const clscan_map first = {.struct_size = sizeof first, .expression = "index == 0 || element != before"};
    const clscan_select select = {.struct_size = sizeof select, .length_bytes = 4, .index_bytes = 4};
    const clscan_problem problem = {sizeof problem,     CLSCAN_SELECT,  .type = CLSCAN_UINT8,
                                    .max_count = COUNT, .load = &first, .select = &select};

    const clscan_selection selection = {
        .struct_size = sizeof selection, .lengths.buffer = lengths, .indices.buffer = begins};
    const clscan_run_args args = {sizeof args,    .in.buffer = pixels,    .out.buffer = values,
                                  .count = COUNT, .total.buffer = number, .selection = &selection};
    plan_and_run(context, device, queue, &problem, &args);
    read_back(queue, number, sizeof runs, &runs);
    read_back(queue, values, runs, value);
    read_back(queue, lengths, runs * sizeof *length, length);
    read_back(queue, begins, runs * sizeof *begin, begin);

    for (unsigned run = 0; run < runs; ++run) {
        wrong += begin[run] != at || (run > 0 && value[run] == value[run - 1]);
        for (unsigned i = 0; i < length[run] && at < COUNT; ++i)
            wrong += pixel[at++] != value[run];
    }
    wrong += at != COUNT;
    printf("%d pixels are %u runs, %d mistakes\n", COUNT, runs, wrong);
    close_all(context, queue, 5, (const cl_mem[]){pixels, values, lengths, begins, number});
    return wrong != 0;
}
