/* Non-trivial runs, of two and more equal elements: their values, where they begin and how long they are. It is a
 * selection that is told where runs begin, and keeps those that are long. */
#include "example.h"

enum { COUNT = 100000 };

int main(void)
{
    static unsigned char pixel[COUNT], value[COUNT];
    static unsigned length[COUNT], begin[COUNT], kept, at;
    cl_device_id device;
    int wrong = 0;

    for (unsigned i = 0; i < COUNT; ++i)
        pixel[i] = (unsigned char)(i % 97 * i % 3);
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    const cl_mem pixels = open_buffer(context, sizeof pixel, pixel), values = open_buffer(context, sizeof value, NULL),
                 lengths = open_buffer(context, sizeof length, NULL), begins = open_buffer(context, sizeof begin, NULL),
                 number = open_buffer(context, sizeof kept, NULL);

    const clscan_map first = {.struct_size = sizeof first, .expression = "index == 0 || element != before"};
    const clscan_select select = {.struct_size = sizeof select, .long_runs = 1, .length_bytes = 4, .index_bytes = 4};
    const clscan_problem problem = {sizeof problem,     CLSCAN_SELECT,  .type = CLSCAN_UINT8,
                                    .max_count = COUNT, .load = &first, .select = &select};

    const clscan_selection selection = {
        .struct_size = sizeof selection, .lengths.buffer = lengths, .indices.buffer = begins, .capacity = COUNT / 2};
    const clscan_run_args args = {sizeof args,    .in.buffer = pixels,    .out.buffer = values,
                                  .count = COUNT, .total.buffer = number, .selection = &selection};
    plan_and_run(context, device, queue, &problem, &args);
    read_back(queue, number, sizeof kept, &kept);
    read_back(queue, values, kept, value);
    read_back(queue, lengths, kept * sizeof *length, length);
    read_back(queue, begins, kept * sizeof *begin, begin);

    for (unsigned i = 0, end; i < COUNT; i = end) {
        for (end = i + 1; end < COUNT && pixel[end] == pixel[i];)
            ++end;
        if (end - i > 1 && at < COUNT) {
            wrong += begin[at] != i || length[at] != end - i || value[at] != pixel[i];
            ++at;
        }
    }
    wrong += kept != at;
    printf("%u runs of two and more, %d mistakes\n", kept, wrong);
    close_all(context, queue, 5, (const cl_mem[]){pixels, values, lengths, begins, number});
    return wrong != 0 || kept == 0;
}
