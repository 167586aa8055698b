/* Run-length encoding and decoding, with no read-back between the two: how many runs there are stays on the device, as
 * the count of the second call, which writes each value as many times as its run is long. */
#include "example.h"

enum { COUNT = 100000 };

int main(void)
{
    static unsigned char pixel[COUNT], decoded[COUNT];
    unsigned number[2];
    cl_device_id device;
    int wrong = 0;

    for (int i = 0; i < COUNT; ++i)
        pixel[i] = (unsigned char)(i / 97 * i % 5);
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    const cl_mem pixels = open_buffer(context, sizeof pixel, pixel), values = open_buffer(context, sizeof pixel, NULL),
                 lengths = open_buffer(context, COUNT * sizeof(unsigned), NULL),
                 numbers = open_buffer(context, sizeof number, NULL), out = open_buffer(context, sizeof pixel, NULL);

    const clscan_map one = {.struct_size = sizeof one, .expression = "1"};
    const clscan_segments equal = {.struct_size = sizeof equal, .by = CLSCAN_BY_KEYS, .type = CLSCAN_UINT8};
    const clscan_select repeat = {.struct_size = sizeof repeat, .length_bytes = sizeof(unsigned)};
    const clscan_problem problems[2] = {{sizeof problems[0], CLSCAN_REDUCE, .type = CLSCAN_UINT32, .max_count = COUNT,
                                         .load = &one, .segments = &equal},
                                        {sizeof problems[0], CLSCAN_REPEAT, .type = CLSCAN_UINT8, .max_count = COUNT,
                                         .select = &repeat, .count_bytes = sizeof number[0]}};
    const clscan_segment_sums sums = {sizeof sums, .sums.buffer = lengths, .keys.buffer = values,
                                      .number.buffer = numbers};
    const clscan_selection runs = {.struct_size = sizeof runs, .lengths.buffer = lengths, .capacity = COUNT};
    const clscan_run_args args[2] = {{sizeof args[0], .count = COUNT, .segments.buffer = pixels, .segment_sums = &sums},
                                     {sizeof args[0], .in.buffer = values, .out.buffer = out, .count = COUNT,
                                      .device_count.buffer = numbers, .total = {.buffer = numbers, .offset = 1},
                                      .selection = &runs}};

    for (unsigned i = 0; i < 2; ++i)
        plan_and_run(context, device, queue, &problems[i], &args[i]);
    read_back(queue, numbers, sizeof number, number);
    read_back(queue, out, sizeof decoded, decoded);

    for (int i = 0; i < COUNT; ++i)
        wrong += decoded[i] != pixel[i];
    wrong += number[1] != COUNT;
    printf("%u runs are %u pixels again, %d mistakes\n", number[0], number[1], wrong);
    const cl_mem buffers[] = {pixels, values, lengths, numbers, out};
    close_all(context, queue, sizeof buffers / sizeof buffers[0], buffers);
    return wrong != 0;
}
